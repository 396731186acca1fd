//! Types as the compiler sees them: a list of scalars in registers, and bytes in memory.
//!
//! A composite value is its scalars in declaration order (a matrix column by column). In memory, offsets are naga's, that
//! is WGSL's "Memory Layout", except that a bool takes 4 bytes (it is not host-shareable, so nobody else sees it).

use naga::{Handle, ScalarKind, Type, TypeInner, VectorSize};

use crate::front_end::Module;
use crate::ir::Kind;

/// The register file of a WGSL scalar.
pub(super) fn kind(scalar: naga::Scalar) -> Kind {
    match scalar.kind {
        ScalarKind::Float | ScalarKind::AbstractFloat => Kind::Float,
        ScalarKind::Sint | ScalarKind::Uint | ScalarKind::Bool | ScalarKind::AbstractInt => Kind::Int,
    }
}

/// A scalar of a composite.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub kind: Kind,
    /// Bytes from the composite's first byte.
    pub offset: u32,
}

/// Where the members of a composite lie.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Its type.
    pub inner: TypeInner,
    /// Scalars before it.
    pub first: usize,
    /// Bytes before it.
    pub offset: u32,
}

/// Equal members: of a vector, matrix or array.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub inner: TypeInner,
    /// `None`: as many as the buffer holds.
    pub count: Option<u32>,
    /// Scalars of one.
    pub scalars: usize,
    /// Bytes from one to the next.
    pub stride: u32,
}

/// Questions about the types of a module.
#[derive(Copy, Clone)]
pub(super) struct Types<'a>(pub &'a Module);

impl<'a> Types<'a> {
    pub fn inner(self, ty: Handle<Type>) -> &'a TypeInner {
        &self.0.naga.types[ty].inner
    }

    fn has_bool(self, inner: &TypeInner) -> bool {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => scalar.kind == ScalarKind::Bool,
            TypeInner::Array { base, .. } => self.has_bool(self.inner(base)),
            TypeInner::Struct { ref members, .. } => members.iter().any(|m| self.has_bool(self.inner(m.ty))),
            _ => false,
        }
    }

    /// Size and alignment in memory, in bytes.
    pub fn size(self, inner: &TypeInner) -> (u32, u32) {
        match *inner {
            TypeInner::Scalar(_) | TypeInner::Atomic(_) => (4, 4),
            TypeInner::Vector { size, .. } => (4 * size as u32, vector_align(size)),
            TypeInner::Matrix { columns, rows, .. } => (columns as u32 * vector_align(rows), vector_align(rows)),
            TypeInner::Array { base, size, .. } => {
                let (_, align) = self.size(self.inner(base));
                // A runtime array counts one element, as naga's layouter has it.
                (self.0.array_length(size).unwrap_or(1) * self.stride(inner), align)
            }
            TypeInner::Struct { ref members, span } => {
                let align = members.iter().map(|m| self.size(self.inner(m.ty)).1).max().unwrap_or(4);
                if !self.has_bool(inner) {
                    return (span, align);
                }
                let last = members.len() - 1;
                let member = self.member(inner, last as u32);
                (round_up(member.offset + self.size(&member.inner).0, align), align)
            }
            _ => (0, 4),
        }
    }

    fn stride(self, inner: &TypeInner) -> u32 {
        match *inner {
            TypeInner::Array { base, stride, .. } => {
                let element = self.inner(base);
                if self.has_bool(element) {
                    let (size, align) = self.size(element);
                    round_up(size, align)
                } else {
                    stride
                }
            }
            _ => 4,
        }
    }

    /// How many scalars a value has (a runtime array: none, it is never a value).
    pub fn count(self, inner: &TypeInner) -> usize {
        match *inner {
            TypeInner::Scalar(_) | TypeInner::Atomic(_) => 1,
            TypeInner::Vector { size, .. } => size as usize,
            TypeInner::Matrix { columns, rows, .. } => columns as usize * rows as usize,
            TypeInner::Array { base, size, .. } => {
                self.0.array_length(size).unwrap_or(0) as usize * self.count(self.inner(base))
            }
            TypeInner::Struct { ref members, .. } => members.iter().map(|m| self.count(self.inner(m.ty))).sum(),
            _ => 0,
        }
    }

    /// Every scalar of a value, in order.
    pub fn leaves(self, inner: &TypeInner) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.add_leaves(inner, 0, &mut leaves);
        leaves
    }

    fn add_leaves(self, inner: &TypeInner, offset: u32, leaves: &mut Vec<Leaf>) {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => leaves.push(Leaf { kind: kind(scalar), offset }),
            TypeInner::Struct { ref members, .. } => {
                for index in 0..members.len() {
                    let member = self.member(inner, index as u32);
                    self.add_leaves(&member.inner, offset + member.offset, leaves);
                }
            }
            _ => {
                if let Some(elements) = self.elements(inner) {
                    for index in 0..elements.count.unwrap_or(0) {
                        self.add_leaves(&elements.inner, offset + index * elements.stride, leaves);
                    }
                }
            }
        }
    }

    /// The elements of a vector, matrix or array.
    pub fn elements(self, inner: &TypeInner) -> Option<Elements> {
        match *inner {
            TypeInner::Vector { size, scalar } => {
                let (inner, count) = (TypeInner::Scalar(scalar), Some(size as u32));
                Some(Elements { inner, count, scalars: 1, stride: 4 })
            }
            TypeInner::Matrix { columns, rows, scalar } => {
                let (inner, count) = (TypeInner::Vector { size: rows, scalar }, Some(columns as u32));
                Some(Elements { inner, count, scalars: rows as usize, stride: vector_align(rows) })
            }
            TypeInner::Array { base, size, .. } => {
                let element = self.inner(base);
                Some(Elements {
                    inner: element.clone(),
                    count: self.0.array_length(size),
                    scalars: self.count(element),
                    stride: self.stride(inner),
                })
            }
            _ => None,
        }
    }

    /// A member of a struct, or an element of anything else by a known index.
    pub fn member(self, inner: &TypeInner, index: u32) -> Member {
        if let TypeInner::Struct { ref members, .. } = *inner {
            let recompute = self.has_bool(inner);
            let (mut first, mut end) = (0, 0);
            for member in &members[..index as usize] {
                let member_inner = self.inner(member.ty);
                first += self.count(member_inner);
                let (size, align) = self.size(member_inner);
                end = round_up(end, align) + size;
            }
            let member = &members[index as usize];
            let inner = self.inner(member.ty).clone();
            let offset = if recompute { round_up(end, self.size(&inner).1) } else { member.offset };
            return Member { inner, first, offset };
        }
        let elements = self.elements(inner).expect("the validator lets only composites be indexed");
        Member { inner: elements.inner, first: index as usize * elements.scalars, offset: index * elements.stride }
    }
}

pub(super) fn round_up(value: u32, align: u32) -> u32 {
    value.div_ceil(align) * align
}

/// Alignment of a vector of 32-bit scalars (WGSL "Alignment and Size").
fn vector_align(size: VectorSize) -> u32 {
    match size {
        VectorSize::Bi => 8,
        VectorSize::Tri | VectorSize::Quad => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves_of(declaration: &str) -> Vec<u32> {
        let source = format!("{declaration}\nvar<private> x: S;\n@compute @workgroup_size(1) fn main() {{ x = S(); }}");
        let module = Module::parse("layout.wgsl", &source).expect("valid").select("main", &[]).expect("valid");
        let (ty, _) =
            module.naga.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("S")).expect("the struct is used");
        let types = Types(&module);
        types.leaves(types.inner(ty)).iter().map(|leaf| leaf.offset).collect()
    }

    #[test]
    fn offsets_are_those_of_the_wgsl_specification() {
        // "Structure Member Layout": vec3 aligns to 16 and leaves its fourth word to the next scalar.
        assert_eq!(leaves_of("struct S { a: f32, b: vec3<f32>, c: f32, d: vec2<u32> }"), [0, 16, 20, 24, 28, 32, 36]);
        assert_eq!(leaves_of("struct S { m: mat2x3<f32>, a: array<vec3<f32>, 2> }").len(), 12);
        assert_eq!(leaves_of("struct S { m: mat2x3<f32> }"), [0, 4, 8, 16, 20, 24]);
    }

    #[test]
    fn a_bool_takes_a_word() {
        assert_eq!(leaves_of("struct S { a: bool, b: bool, c: f32, d: vec3<f32> }"), [0, 4, 8, 16, 20, 24]);
    }
}
