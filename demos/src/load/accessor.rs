//! glTF accessors: from buffers, views, strides and sparse replacements to plain arrays.
//!
//! Before: `document` reads the buffers. After: `primitive`. Source: glTF 2.0, section 3.6.2 "Accessors".
//! Every index, offset and length of the file is checked here in 64 bits; the `gltf` crate is used for the JSON structures
//! only, because its own iterators and checks (1.4) index by what the file says.

use std::path::Path;

use gltf::json::Root;
use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::validation::Checked;

use crate::load::error::LoadError;
use crate::load::model::MAX_INDICES;

/// A document's data: the JSON part and the bytes of every buffer.
pub(super) struct Storage<'a> {
    pub(super) file: &'a Path,
    pub(super) root: &'a Root,
    pub(super) buffers: Vec<Vec<u8>>,
}

/// Elements at equal distances in a view.
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: ComponentType,
}

impl Storage<'_> {
    pub(super) fn damaged(&self, place: &str, reason: impl Into<String>) -> LoadError {
        LoadError::Damaged { file: self.file.to_path_buf(), place: place.to_owned(), reason: reason.into() }
    }

    /// The bytes of a view and its stride.
    pub(super) fn view(&self, index: usize, place: &str) -> Result<(&[u8], Option<usize>), LoadError> {
        let views = &self.root.buffer_views;
        let view = views
            .get(index)
            .ok_or_else(|| self.damaged(place, format!("buffer view {index}, but there are {}", views.len())))?;
        let buffer = view.buffer.value();
        let bytes = self
            .buffers
            .get(buffer)
            .ok_or_else(|| self.damaged(place, format!("buffer {buffer}, but there are {}", self.buffers.len())))?;
        let (start, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let range = part(bytes, start, length).ok_or_else(|| {
            let reason =
                format!("buffer view {index} wants {length} bytes from {start}, buffer {buffer} has {}", bytes.len());
            self.damaged(place, reason)
        })?;
        Ok((range, view.byte_stride.as_ref().map(|stride| stride.0)))
    }

    fn accessor(&self, index: usize, place: &str) -> Result<&Accessor, LoadError> {
        let accessors = &self.root.accessors;
        accessors
            .get(index)
            .ok_or_else(|| self.damaged(place, format!("accessor {index}, but there are {}", accessors.len())))
    }

    /// Elements of an accessor, at most [`MAX_INDICES`].
    pub(super) fn count(&self, index: usize, place: &str) -> Result<usize, LoadError> {
        let count = self.accessor(index, place)?.count.0;
        if count > MAX_INDICES {
            return Err(LoadError::TooMany {
                file: self.file.to_path_buf(),
                place: format!("{place} (accessor {index})"),
                what: "elements",
                count,
                most: MAX_INDICES,
            });
        }
        Ok(count as usize)
    }

    fn strided(
        &self,
        view: usize,
        offset: u64,
        component: ComponentType,
        parts: usize,
        count: usize,
        place: &str,
    ) -> Result<Strided<'_>, LoadError> {
        let (bytes, stride) = self.view(view, place)?;
        let size = component.size() * parts;
        let stride = stride.unwrap_or(size);
        if stride < size {
            return Err(self.damaged(place, format!("a stride of {stride} bytes for elements of {size} bytes")));
        }
        let before_last = (count as u64).saturating_sub(1).saturating_mul(stride as u64);
        let needed = if count == 0 { 0 } else { before_last.saturating_add(size as u64) };
        let bytes = part(bytes, offset, needed).ok_or_else(|| {
            let reason = format!("{count} elements take {needed} bytes from {offset}, the view has {}", bytes.len());
            self.damaged(place, reason)
        })?;
        Ok(Strided { bytes, stride, component })
    }

    /// The values of an accessor of `parts` components an element, one after the other, converted by `convert`.
    fn values<T: Copy + Default>(
        &self,
        index: usize,
        parts: usize,
        place: &str,
        convert: impl Fn(&[u8], ComponentType, bool) -> T,
    ) -> Result<Vec<T>, LoadError> {
        let place = &format!("{place} (accessor {index})");
        let accessor = self.accessor(index, place)?;
        let Checked::Valid(component) = accessor.component_type else {
            return Err(self.damaged(place, "an unknown component type"));
        };
        let component = component.0;
        let count = self.count(index, place)?;
        let read = |source: &Strided<'_>, element: usize, part: usize| {
            let start = element * source.stride + part * source.component.size();
            convert(&source.bytes[start..start + source.component.size()], source.component, accessor.normalized)
        };
        let mut values = Vec::new();
        match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default().0;
                let source = self.strided(view.value(), offset, component, parts, count, place)?;
                values.reserve_exact(count * parts);
                for element in 0..count {
                    values.extend((0..parts).map(|part| read(&source, element, part)));
                }
            }
            None if accessor.sparse.is_some() => values.resize(count * parts, T::default()),
            None => return Err(self.damaged(place, "neither a buffer view nor sparse values")),
        }
        if let Some(sparse) = &accessor.sparse {
            if sparse.count.0 > count as u64 {
                return Err(self.damaged(place, format!("{} sparse values for {count} elements", sparse.count.0)));
            }
            let replaced = sparse.count.0 as usize;
            let Checked::Valid(index_type) = sparse.indices.component_type else {
                return Err(self.damaged(place, "an unknown sparse index type"));
            };
            let (indices, new) = (&sparse.indices, &sparse.values);
            let indices =
                self.strided(indices.buffer_view.value(), indices.byte_offset.0, index_type.0, 1, replaced, place)?;
            let new = self.strided(new.buffer_view.value(), new.byte_offset.0, component, parts, replaced, place)?;
            for number in 0..replaced {
                let start = number * indices.stride;
                let element = unsigned(&indices.bytes[start..start + indices.component.size()]) as usize;
                if element >= count {
                    return Err(self.damaged(place, format!("sparse index {element} of {count} elements")));
                }
                for part in 0..parts {
                    values[element * parts + part] = read(&new, number, part);
                }
            }
        }
        Ok(values)
    }

    /// Numbers of each element of an accessor: 1 for scalars, 2 to 4 for vectors, 4 to 16 for matrices.
    pub(super) fn parts(&self, index: usize, place: &str) -> Result<usize, LoadError> {
        match self.accessor(index, place)?.type_ {
            Checked::Valid(kind) => Ok(kind.multiplicity()),
            Checked::Invalid => Err(self.damaged(place, format!("accessor {index} has an unknown type"))),
        }
    }

    /// An accessor of `N`-vectors as floats. Integers that are marked normalized become 0 to 1, or −1 to 1.
    pub(super) fn vectors<const N: usize>(&self, index: usize, place: &str) -> Result<Vec<[f32; N]>, LoadError> {
        let parts = self.parts(index, place)?;
        if parts != N {
            return Err(self.damaged(place, format!("accessor {index} has {parts} numbers an element, not {N}")));
        }
        let values = self.values(index, N, place, float)?;
        Ok(values.chunks_exact(N).map(|element| std::array::from_fn(|part| element[part])).collect())
    }

    /// An accessor of unsigned scalars.
    pub(super) fn indices(&self, index: usize, place: &str) -> Result<Vec<u32>, LoadError> {
        let component = self.accessor(index, place)?.component_type;
        let is_unsigned = |component| matches!(component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if self.parts(index, place)? != 1 || !matches!(component, Checked::Valid(kind) if is_unsigned(kind.0)) {
            return Err(self.damaged(place, format!("accessor {index} does not hold unsigned integers")));
        }
        self.values(index, 1, place, |bytes, _, _| unsigned(bytes))
    }
}

/// `length` bytes from `start`, if there are so many.
fn part(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let end = start.checked_add(length)?;
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// Up to four bytes, the lowest first.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// One component as a float, by the table in section 3.6.2.2 "Accessor Data Types" and 3.11 for normalized integers.
fn float(bytes: &[u8], component: ComponentType, normalized: bool) -> f32 {
    let raw = unsigned(bytes);
    let (value, largest) = match component {
        ComponentType::F32 => return f32::from_bits(raw),
        ComponentType::I8 => (f32::from(raw as u8 as i8), 127.0),
        ComponentType::U8 => (f32::from(raw as u8), 255.0),
        ComponentType::I16 => (f32::from(raw as u16 as i16), 32_767.0),
        ComponentType::U16 => (f32::from(raw as u16), 65_535.0),
        ComponentType::U32 => (raw as f32, u32::MAX as f32),
    };
    if normalized { (value / largest).max(-1.0) } else { value }
}
