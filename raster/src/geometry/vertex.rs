//! The vertex stage: runs a draw's closure once for each vertex that a primitive names, and instance. (What a WGSL vertex
//! shader has made in advance comes from a closure too: [`vertex_run`](crate::vertex_run).)
//!
//! Before: `assemble`, which names vertices. After: `clip`.

use rayon::prelude::*;

use crate::vertex::Vertex;

/// Vertices that make it worth while to wake another thread.
const PARALLEL_FROM: usize = 4096;

/// The vertices of a draw that its primitives name.
#[derive(Debug, Default)]
pub struct Named {
    /// Each once, ascending.
    numbers: Vec<u32>,
    /// From number, less the least one, to place; kept for its memory.
    places: Vec<u32>,
}

impl Named {
    /// Finds the vertices that `corners` names, and renames them: afterwards `corners` counts in the list that
    /// [`Named::run`] makes.
    pub fn find(&mut self, corners: &mut [u32]) {
        self.numbers.clear();
        let (Some(&least), Some(&most)) = (corners.iter().min(), corners.iter().max()) else { return };
        let span = (most - least) as usize + 1;
        if span <= 4 * corners.len() + PARALLEL_FROM {
            // First 1 for each that is named, then their places.
            let places = &mut self.places;
            places.clear();
            places.resize(span, 0);
            corners.iter().for_each(|&corner| places[(corner - least) as usize] = 1);
            for (offset, place) in places.iter_mut().enumerate().filter(|(_, place)| **place != 0) {
                *place = self.numbers.len() as u32;
                self.numbers.push(least + offset as u32);
            }
            corners.iter_mut().for_each(|corner| *corner = places[(*corner - least) as usize]);
        } else {
            self.numbers.extend_from_slice(corners);
            self.numbers.sort_unstable();
            self.numbers.dedup();
            let place = |corner: u32| self.numbers.binary_search(&corner).expect("every corner is in the list");
            corners.iter_mut().for_each(|corner| *corner = place(*corner) as u32);
        }
    }

    /// The vertices: each once, ascending.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Makes the vertices by their numbers; `vertices` is emptied first and keeps its memory.
    pub fn run(&self, make: &(impl Fn(u32) -> Vertex + Sync), vertices: &mut Vec<Vertex>) {
        vertices.clear();
        if self.numbers.len() < PARALLEL_FROM {
            vertices.extend(self.numbers.iter().map(|&number| make(number)));
        } else {
            self.numbers.par_iter().map(|&number| make(number)).collect_into_vec(vertices);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    fn shader(vertex: u32, instance: u32) -> Vertex {
        Vertex::at(Vec4::splat(vertex as f32)).with(1, instance)
    }

    /// The vertices that the corners stand for afterwards are those they named before, and each was made once.
    fn check(corners: &[u32], distinct: usize) {
        let mut named = Named::default();
        let mut places = corners.to_vec();
        named.find(&mut places);
        let mut vertices = Vec::new();
        named.run(&|number| shader(number, 7), &mut vertices);
        assert_eq!(vertices.len(), distinct);
        for (&corner, &place) in corners.iter().zip(&places) {
            assert_eq!(vertices[place as usize], shader(corner, 7));
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
