//! Device memory as the interpreter sees it: buffers far apart, everything between them out of bounds.

/// An allocated range.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// First byte.
    pub address: u32,
    /// Length in bytes, a multiple of 4.
    pub bytes: u32,
}

/// All buffers of a run.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    buffers: Vec<(u32, Vec<u32>)>,
}

impl Memory {
    /// No buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new buffer with these words.
    pub fn allocate(&mut self, words: &[u32]) -> Buffer {
        const GAP: u32 = 0x1_0000;
        let last = self.buffers.last();
        let end = last.map_or(GAP, |(address, words)| address + words.len() as u32 * 4);
        let address = (end / GAP + 1) * GAP;
        self.buffers.push((address, words.to_vec()));
        Buffer { address, bytes: words.len() as u32 * 4 }
    }

    /// The words of a buffer.
    pub fn words(&self, buffer: Buffer) -> &[u32] {
        let found = self.buffers.iter().find(|(a, _)| *a == buffer.address);
        &found.expect("the buffer was allocated here").1
    }

    /// The word at an address, if one is there.
    pub fn word(&self, address: u32) -> Option<u32> {
        let (index, word) = self.locate(address)?;
        Some(self.buffers[index].1[word])
    }

    pub(super) fn word_mut(&mut self, address: u32) -> Option<&mut u32> {
        let (index, word) = self.locate(address)?;
        Some(&mut self.buffers[index].1[word])
    }

    fn locate(&self, address: u32) -> Option<(usize, usize)> {
        let index = self.buffers.partition_point(|(base, _)| *base <= address);
        let index = index.checked_sub(1)?;
        let (base, words) = &self.buffers[index];
        let word = (address - base) as usize / 4;
        (word < words.len()).then_some((index, word))
    }
}
