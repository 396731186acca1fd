//! How the host copies bytes into and out of device memory: whole words in the middle, parts of words at the ends.

use super::{Memory, MemoryError};
use crate::units::Address;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

impl Memory {
    /// Whether all of `bytes` bytes from `address` lie in one region.
    pub fn check(&self, address: Address, bytes: u32) -> Result<(), MemoryError> {
        self.span(address, bytes as usize).map(|_| ())
    }

    /// Copies bytes out, for the host. All must lie in one region.
    pub fn read(&self, address: Address, out: &mut [u8]) -> Result<(), MemoryError> {
        let (words, skip) = self.span(address, out.len())?;
        let (head, middle, tail) = parts(words, skip, out.len());
        let (first, rest) = out.split_at_mut(head.as_ref().map_or(0, |(_, range)| range.len()));
        if let Some((word, range)) = head {
            first.copy_from_slice(&word.load(Relaxed).to_le_bytes()[range]);
        }
        let (whole, last) = rest.split_at_mut(4 * middle.len());
        for (bytes, word) in whole.as_chunks_mut::<4>().0.iter_mut().zip(middle) {
            *bytes = word.load(Relaxed).to_le_bytes();
        }
        if let Some(word) = tail {
            last.copy_from_slice(&word.load(Relaxed).to_le_bytes()[..last.len()]);
        }
        Ok(())
    }

    /// Copies bytes in, for the host. All must go into one region.
    pub fn write(&self, address: Address, data: &[u8]) -> Result<(), MemoryError> {
        let (words, skip) = self.span(address, data.len())?;
        let (head, middle, tail) = parts(words, skip, data.len());
        let replace = |word: &AtomicU32, range: std::ops::Range<usize>, part: &[u8]| {
            let mut bytes = word.load(Relaxed).to_le_bytes();
            bytes[range].copy_from_slice(part);
            word.store(u32::from_le_bytes(bytes), Relaxed);
        };
        let (first, rest) = data.split_at(head.as_ref().map_or(0, |(_, range)| range.len()));
        if let Some((word, range)) = head {
            replace(word, range, first);
        }
        let (whole, last) = rest.split_at(4 * middle.len());
        for (bytes, word) in whole.as_chunks::<4>().0.iter().zip(middle) {
            word.store(u32::from_le_bytes(*bytes), Relaxed);
        }
        if let Some(word) = tail {
            replace(word, 0..last.len(), last);
        }
        Ok(())
    }

    /// The words that `bytes` bytes from `address` touch, and how many bytes of the first to skip.
    fn span(&self, address: Address, bytes: usize) -> Result<(&[AtomicU32], usize), MemoryError> {
        if bytes == 0 {
            return Ok((&[], 0));
        }
        let outside = || MemoryError::Outside { address, bytes: bytes as u64 };
        let region = self.region_at(address).ok_or_else(outside)?;
        let length = u32::try_from(bytes).map_err(|_| outside())?;
        let offset = region.offset_of(address, length).ok_or_else(outside)? as usize;
        Ok((&region.words[offset / 4..(offset + bytes).div_ceil(4)], offset % 4))
    }
}

/// A word, and the bytes of it that are meant.
type PartialWord<'a> = (&'a AtomicU32, std::ops::Range<usize>);

/// Divides `bytes` bytes, the first of them at byte `skip` of `words`, into part of a word, whole words, part of a word.
fn parts(
    words: &[AtomicU32],
    skip: usize,
    bytes: usize,
) -> (Option<PartialWord<'_>>, &[AtomicU32], Option<&AtomicU32>) {
    let (head, words, bytes) = match words.split_first() {
        Some((first, rest)) if skip != 0 => {
            let end = (skip + bytes).min(4);
            (Some((first, skip..end)), rest, bytes - (end - skip))
        }
        _ => (None, words, bytes),
    };
    let (middle, tail) = words.split_at(bytes / 4);
    (head, middle, tail.first())
}
