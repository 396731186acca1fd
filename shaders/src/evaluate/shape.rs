//! How a type is laid out: as a row of words, and as bytes of a buffer.
//!
//! Before: naga types. After: `prepare`, which turns member accesses into distances.

use naga::{AddressSpace, Handle, TypeInner, VectorSize};

use crate::front_end::Module;

/// Whether pointers into this space are (buffer, byte offset).
pub(super) fn is_buffer(space: AddressSpace) -> bool {
    matches!(space, AddressSpace::Uniform | AddressSpace::Storage { .. })
}

/// The space a pointer type points into.
pub(super) fn pointer_space(inner: &TypeInner) -> Option<AddressSpace> {
    match *inner {
        TypeInner::Pointer { space, .. } | TypeInner::ValuePointer { space, .. } => Some(space),
        _ => None,
    }
}

/// Words of a value of this type.
pub(super) fn words(module: &Module, inner: &TypeInner) -> u32 {
    match *inner {
        TypeInner::Vector { size, .. } => size as u32,
        TypeInner::Matrix { columns, rows, .. } => columns as u32 * rows as u32,
        TypeInner::Array { base, size, .. } => module.array_length(size).unwrap_or(0) * words_of(module, base),
        TypeInner::Struct { ref members, .. } => members.iter().map(|member| words_of(module, member.ty)).sum(),
        TypeInner::Pointer { space, .. } | TypeInner::ValuePointer { space, .. } => 1 + u32::from(is_buffer(space)),
        _ => 1,
    }
}

/// [`words`] of a type in the arena.
pub(super) fn words_of(module: &Module, ty: Handle<naga::Type>) -> u32 {
    words(module, &module.naga.types[ty].inner)
}

/// Bytes from one column of a matrix to the next.
pub(super) fn column_stride(rows: VectorSize) -> u32 {
    if rows == VectorSize::Bi { 8 } else { 16 }
}

/// Byte offset of each word of a value in a buffer.
pub(super) fn byte_offsets(module: &Module, inner: &TypeInner) -> Vec<u32> {
    let mut offsets = Vec::new();
    push_offsets(module, inner, 0, &mut offsets);
    offsets
}

fn push_offsets(module: &Module, inner: &TypeInner, start: u32, offsets: &mut Vec<u32>) {
    match *inner {
        TypeInner::Vector { size, .. } => offsets.extend((0..size as u32).map(|component| start + 4 * component)),
        TypeInner::Matrix { columns, rows, .. } => {
            for column in 0..columns as u32 {
                let column_start = start + column * column_stride(rows);
                offsets.extend((0..rows as u32).map(|row| column_start + 4 * row));
            }
        }
        TypeInner::Array { base, size, stride } => {
            for index in 0..module.array_length(size).unwrap_or(0) {
                push_offsets(module, &module.naga.types[base].inner, start + index * stride, offsets);
            }
        }
        TypeInner::Struct { ref members, .. } => {
            for member in members {
                push_offsets(module, &module.naga.types[member.ty].inner, start + member.offset, offsets);
            }
        }
        _ => offsets.push(start),
    }
}

/// What an index into a type means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// Number of elements; `None` at a buffer's end.
    pub length: Option<u32>,
    /// Words from one element to the next.
    pub words: u32,
    /// Bytes from one element to the next, in a buffer.
    pub stride: u32,
}

/// Elements of a vector, matrix or array.
pub(super) fn element(module: &Module, inner: &TypeInner) -> Element {
    match *inner {
        TypeInner::Vector { size, .. } => Element { length: Some(size as u32), words: 1, stride: 4 },
        TypeInner::Matrix { columns, rows, .. } => {
            Element { length: Some(columns as u32), words: rows as u32, stride: column_stride(rows) }
        }
        TypeInner::Array { base, size, stride } => {
            Element { length: module.array_length(size), words: words_of(module, base), stride }
        }
        ref other => unreachable!("the validator has refused an index into {other:?}"),
    }
}

/// Distance of part `index` of a structure, vector, matrix or array: (words, bytes).
pub(super) fn part(module: &Module, inner: &TypeInner, index: u32) -> (u32, u32) {
    match *inner {
        TypeInner::Struct { ref members, .. } => {
            let before = &members[..index as usize];
            (before.iter().map(|member| words_of(module, member.ty)).sum(), members[index as usize].offset)
        }
        ref other => {
            let element = element(module, other);
            (index.wrapping_mul(element.words), index.wrapping_mul(element.stride))
        }
    }
}

/// What a pointer type points to; a value pointer points to a vector or scalar.
pub(super) fn pointee(module: &Module, inner: &TypeInner) -> TypeInner {
    match *inner {
        TypeInner::Pointer { base, .. } => module.naga.types[base].inner.clone(),
        TypeInner::ValuePointer { size: Some(size), scalar, .. } => TypeInner::Vector { size, scalar },
        TypeInner::ValuePointer { size: None, scalar, .. } => TypeInner::Scalar(scalar),
        ref other => other.clone(),
    }
}
