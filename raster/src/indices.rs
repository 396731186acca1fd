//! The order in which a draw takes its vertices.
//!
//! Before: a scene. After: `geometry::assemble`, which makes primitives of it.

use std::sync::Arc;

/// Vertex numbers of 8, 16 or 32 bits, or none: then the vertices come in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Indices {
    /// 0, 1, 2, and so on.
    #[default]
    None,
    /// 8 bits; 0xff restarts a primitive, if the state says so.
    U8(Arc<[u8]>),
    /// 16 bits; 0xffff restarts a primitive, if the state says so.
    U16(Arc<[u16]>),
    /// 32 bits; 0xffff_ffff restarts a primitive, if the state says so.
    U32(Arc<[u32]>),
}

impl Indices {
    /// How many there are in a draw of `vertex_count` vertices.
    pub fn count(&self, vertex_count: u32) -> usize {
        match self {
            Self::None => vertex_count as usize,
            Self::U8(indices) => indices.len(),
            Self::U16(indices) => indices.len(),
            Self::U32(indices) => indices.len(),
        }
    }

    /// The index that restarts a primitive: all ones. Without indices there is none.
    pub const fn restart(&self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::U8(_) => Some(u8::MAX as u32),
            Self::U16(_) => Some(u16::MAX as u32),
            Self::U32(_) => Some(u32::MAX),
        }
    }

    /// Appends them to a list, in a draw of `vertex_count` vertices.
    pub fn append_to(&self, vertex_count: u32, list: &mut Vec<u32>) {
        match self {
            Self::None => list.extend(0..vertex_count),
            Self::U8(indices) => list.extend(indices.iter().map(|&index| u32::from(index))),
            Self::U16(indices) => list.extend(indices.iter().map(|&index| u32::from(index))),
            Self::U32(indices) => list.extend_from_slice(indices),
        }
    }

    /// The first index that names none of `vertex_count` vertices: its place and value. `restart` names one anywhere.
    pub fn out_of_range(&self, vertex_count: u32, restart: Option<u32>) -> Option<(usize, u32)> {
        fn find<I: Copy + Into<u32>>(indices: &[I], count: u32, restart: Option<u32>) -> Option<(usize, u32)> {
            let is_wrong = |index: u32| index >= count && Some(index) != restart;
            indices.iter().map(|&index| index.into()).enumerate().find(|&(_, index)| is_wrong(index))
        }
        match self {
            Self::None => None,
            Self::U8(indices) => find(indices, vertex_count, restart),
            Self::U16(indices) => find(indices, vertex_count, restart),
            Self::U32(indices) => find(indices, vertex_count, restart),
        }
    }
}

macro_rules! from_list {
    ($($integer:ty => $variant:ident),*) => { $(
        impl From<Vec<$integer>> for Indices {
            fn from(list: Vec<$integer>) -> Self {
                Self::$variant(list.into())
            }
        }
        impl From<Arc<[$integer]>> for Indices {
            fn from(list: Arc<[$integer]>) -> Self {
                Self::$variant(list)
            }
        }
        impl From<&[$integer]> for Indices {
            fn from(list: &[$integer]) -> Self {
                Self::$variant(list.into())
            }
        }
    )* };
}
from_list!(u8 => U8, u16 => U16, u32 => U32);

/// The edges of a triangle list as a line list, each edge once: for wireframes.
///
/// Edges come in the order of the triangles that have them first.
pub fn wireframe(triangles: &[u32]) -> Vec<u32> {
    let mut known = std::collections::HashSet::new();
    let mut lines = Vec::new();
    for &[a, b, c] in triangles.as_chunks::<3>().0 {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if from != to && known.insert([from.min(to), from.max(to)]) {
                lines.extend([from, to]);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_gives_the_same_numbers() {
        let list = |indices: Indices| {
            let mut list = vec![9];
            indices.append_to(4, &mut list);
            assert_eq!(indices.count(4), list.len() - 1);
            list
        };
        assert_eq!(list(Indices::None), [9, 0, 1, 2, 3]);
        assert_eq!(list(vec![3u8, 0xff].into()), [9, 3, 0xff]);
        assert_eq!(list(vec![3u16, 0xffff].into()), [9, 3, 0xffff]);
        assert_eq!(list(vec![3u32, 0].into()), [9, 3, 0]);
    }

    #[test]
    fn only_all_ones_of_its_width_restarts() {
        let wide: Indices = vec![0xffu16, 0xffff].into();
        assert_eq!(wide.out_of_range(300, wide.restart()), None);
        assert_eq!(wide.out_of_range(300, None), Some((1, 0xffff)));
        assert_eq!(wide.out_of_range(255, wide.restart()), Some((0, 0xff)));
        let narrow: Indices = vec![0u8, 0xff].into();
        assert_eq!(narrow.out_of_range(1, narrow.restart()), None);
        assert_eq!(narrow.out_of_range(1, None), Some((1, 0xff)));
    }

    #[test]
    fn a_wireframe_has_each_edge_once() {
        assert_eq!(wireframe(&[0, 1, 2, 2, 1, 3, 4, 4, 0]), [0, 1, 1, 2, 2, 0, 1, 3, 3, 2, 4, 0]);
    }
}
