//! The vertex stage: runs a draw's closure once for each vertex that a primitive names, and instance. (What a WGSL vertex
//! shader has made in advance comes from a closure too: [`vertex_run`](crate::vertex_run).)
//!
//! Before: `assemble`, which names vertices. After: `vertex_rows`, which keeps of each what the draw needs.

use shaders::interface::InputSlot;

use super::vertex_rows::VertexRows;
use super::viewport::ScreenVertex;
use crate::vertex::Vertex;

/// Numbers that a table may have beyond four times as many as there are corners.
const TABLE_SPARE: usize = 4096;

/// The vertices of a draw that its primitives name.
#[derive(Debug, Default)]
pub struct Named {
    /// Each once, ascending.
    numbers: Vec<u32>,
    /// From number, less the least one, to place. Empty if the numbers lie too far apart for a table.
    places: Vec<u32>,
}

impl Named {
    /// Finds the vertices that `corners` names, and renames them: afterwards `corners` counts in the list that
    /// [`Named::run`] makes.
    pub fn find(&mut self, corners: &mut [u32]) {
        self.numbers.clear();
        self.places.clear();
        let (Some(&least), Some(&most)) = (corners.iter().min(), corners.iter().max()) else { return };
        let span = (most - least) as usize + 1;
        if span <= 4 * corners.len() + TABLE_SPARE {
            // First 1 for each that is named, then their places.
            let places = &mut self.places;
            places.resize(span, 0);
            corners.iter().for_each(|&corner| places[(corner - least) as usize] = 1);
            for (offset, place) in places.iter_mut().enumerate().filter(|(_, place)| **place != 0) {
                *place = self.numbers.len() as u32;
                self.numbers.push(least + offset as u32);
            }
        } else {
            self.numbers.extend_from_slice(corners);
            self.numbers.sort_unstable();
            self.numbers.dedup();
        }
        corners.iter_mut().for_each(|corner| *corner = self.place_of(*corner) as u32);
    }

    /// Where in the list a vertex is that a corner names.
    pub fn place_of(&self, number: u32) -> usize {
        if self.places.is_empty() {
            return self.numbers.binary_search(&number).expect("every corner is in the list");
        }
        let place = self.places[(number - self.numbers[0]) as usize] as usize;
        debug_assert_eq!(self.numbers[place], number, "every corner is in the list");
        place
    }

    /// The vertices: each once, ascending.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Makes the vertices by their numbers and keeps what a shader with these input slots needs; `place` says where a
    /// position is on the screen.
    pub fn run(
        &self,
        make: impl Fn(u32) -> Vertex + Sync,
        slots: &[InputSlot],
        place: impl Fn([f64; 4]) -> Option<ScreenVertex> + Sync,
        rows: &mut VertexRows,
    ) {
        rows.fill(self.numbers.len(), slots, |index| make(self.numbers[index]), place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::vertex_rows::PARALLEL_FROM;
    use glam::Vec4;
    use shaders::interface::{Interpolation, Point};

    /// The number as bits, for an f32 does not hold every number.
    fn shader(vertex: u32) -> Vertex {
        Vertex::at(Vec4::ZERO).with(1, vertex).with(3, 7u32)
    }

    /// The vertices that the corners stand for afterwards are those they named before, and each was made once.
    fn check(corners: &[u32], distinct: usize) {
        let mut named = Named::default();
        let mut places = corners.to_vec();
        named.find(&mut places);
        let slot =
            |location| InputSlot { location, component: 0, interpolation: Interpolation::Flat, point: Point::Center };
        let mut rows = VertexRows::default();
        named.run(shader, &[slot(1), slot(3)], |_| None, &mut rows);
        assert_eq!(named.numbers().len(), distinct);
        assert!(named.numbers().is_sorted());
        for (&corner, &place) in corners.iter().zip(&places) {
            assert_eq!(rows.scalars(place).iter().map(|scalar| scalar.to_bits()).collect::<Vec<_>>(), [corner, 7]);
            assert_eq!(named.place_of(corner), place as usize);
        }
    }

    #[test]
    fn each_vertex_that_is_named_is_made_once() {
        check(&[], 0);
        check(&[5, 3, 5, 9, 3, 3], 3);
        check(&[u32::MAX - 1, 0, u32::MAX - 1], 2);
        check(&[1_000_000, 2_000_000, 1_000_001], 3);
    }

    #[test]
    fn many_threads_give_what_one_gives() {
        let corners: Vec<u32> = (0..3 * PARALLEL_FROM as u32).map(|i| i % (PARALLEL_FROM as u32 + 1000)).collect();
        check(&corners, PARALLEL_FROM + 1000);
    }
}
