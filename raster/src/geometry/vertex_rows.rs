//! What is kept of a vertex when the vertex stage is done: a row of numbers, as long as the draw needs.
//!
//! Before: `vertex`, which makes whole vertices. After: `clip` and the set-up of primitives, which read rows.
//! A [`Vertex`] has room for every location, 276 bytes; a fragment shader that reads one `vec2` needs 28 of them.

use rayon::prelude::*;
use shaders::interface::InputSlot;

use super::viewport::ScreenVertex;
use crate::vertex::Vertex;

/// Vertices that make it worth while to wake another thread.
pub const PARALLEL_FROM: usize = 4096;

/// Where the size of a point is in a row; before it x, y, z, w.
const POINT_SIZE: usize = 4;

/// Where the scalars of the input slots begin in a row.
const SCALARS_FROM: usize = 5;

/// Vertices of one instance, by their places in [`Named::numbers`](super::vertex::Named::numbers).
#[derive(Debug, Default)]
pub struct VertexRows {
    /// Row after row: the position in clip space, the size of the point, a scalar for each input slot.
    numbers: Vec<f32>,
    /// Numbers in a row.
    stride: usize,
    /// Where each vertex is on the screen, if it lies inside all half spaces of the clip volume.
    places: Vec<Option<ScreenVertex>>,
}

impl VertexRows {
    /// Keeps `count` vertices for a shader with these input slots; what was there before is forgotten, its memory is not.
    ///
    /// `make` gives a vertex by its place in the list, `place` says where a position is on the screen.
    pub fn fill(
        &mut self,
        count: usize,
        slots: &[InputSlot],
        make: impl Fn(usize) -> Vertex + Sync,
        place: impl Fn([f64; 4]) -> Option<ScreenVertex> + Sync,
    ) {
        self.stride = SCALARS_FROM + slots.len();
        self.numbers.resize(count * self.stride, 0.0);
        self.places.resize(count, None);
        let keep = |(index, (row, on_screen)): (usize, (&mut [f32], &mut Option<ScreenVertex>))| {
            let vertex = make(index);
            let position = vertex.position.to_array();
            row[..POINT_SIZE].copy_from_slice(&position);
            row[POINT_SIZE] = vertex.point_size;
            for (number, slot) in row[SCALARS_FROM..].iter_mut().zip(slots) {
                *number = vertex.locations[slot.location as usize][slot.component as usize];
            }
            *on_screen = place(position.map(f64::from));
        };
        if count < PARALLEL_FROM {
            self.numbers.chunks_exact_mut(self.stride).zip(&mut self.places).enumerate().for_each(keep);
        } else {
            self.numbers.par_chunks_exact_mut(self.stride).zip(&mut self.places).enumerate().for_each(keep);
        }
    }

    /// The position in clip space.
    pub fn position(&self, vertex: u32) -> [f64; 4] {
        let [x, y, z, w, ..] = *self.row(vertex) else { unreachable!("every row begins with a position") };
        [x, y, z, w].map(f64::from)
    }

    /// See [`Vertex::point_size`].
    pub fn point_size(&self, vertex: u32) -> f32 {
        self.row(vertex)[POINT_SIZE]
    }

    /// The values of the fragment shader's inputs, slot by slot.
    pub fn scalars(&self, vertex: u32) -> &[f32] {
        &self.row(vertex)[SCALARS_FROM..]
    }

    /// Where the vertex is on the screen, if it lies inside all half spaces of the clip volume.
    pub fn place(&self, vertex: u32) -> Option<ScreenVertex> {
        self.places[vertex as usize]
    }

    fn row(&self, vertex: u32) -> &[f32] {
        &self.numbers[vertex as usize * self.stride..][..self.stride]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::viewport::PixelCoordinate;
    use glam::Vec4;
    use shaders::interface::{Interpolation, Point};

    /// Every scalar of a vertex tells which it is.
    fn vertex(index: usize) -> Vertex {
        let base = 1000.0 * index as f32;
        let position = Vec4::new(base, base + 1.0, base + 2.0, base + 3.0);
        let mut vertex = Vertex::at(position).with_point_size(base + 4.0);
        for (number, scalar) in vertex.locations.as_flattened_mut().iter_mut().enumerate() {
            *scalar = base + 100.0 + number as f32;
        }
        vertex
    }

    fn slot(location: u32, component: u32) -> InputSlot {
        InputSlot { location, component, interpolation: Interpolation::Flat, point: Point::Center }
    }

    /// Only vertices of even number are on the screen.
    fn place([x, ..]: [f64; 4]) -> Option<ScreenVertex> {
        let index = x as i32 / 1000;
        let coordinate = PixelCoordinate::from_bits(index);
        (index % 2 == 0).then_some(ScreenVertex { x: coordinate, y: coordinate, depth: x, inverse_w: 1.0 })
    }

    #[track_caller]
    fn check(rows: &mut VertexRows, count: usize, slots: &[InputSlot]) {
        rows.fill(count, slots, vertex, place);
        for index in 0..count {
            let (base, number) = (1000.0 * index as f32, index as u32);
            assert_eq!(rows.position(number), [0.0, 1.0, 2.0, 3.0].map(|part| f64::from(base + part)));
            assert_eq!(rows.point_size(number), base + 4.0);
            let expected: Vec<_> =
                slots.iter().map(|slot| base + 100.0 + (4 * slot.location + slot.component) as f32).collect();
            assert_eq!(rows.scalars(number), expected, "vertex {index} of {count}, {} slots", slots.len());
            assert_eq!(rows.place(number), place(rows.position(number)));
        }
    }

    /// Strides change from draw to draw, and nothing of the last draw shows.
    #[test]
    fn rows_hold_what_each_draw_reads_and_nothing_of_the_draw_before() {
        let mut rows = VertexRows::default();
        let every: Vec<_> = (0..64).map(|number| slot(number / 4, number % 4)).collect();
        let some = [slot(1, 0), slot(1, 1), slot(7, 3), slot(15, 2)];
        check(&mut rows, 100, &every);
        check(&mut rows, 300, &some);
        check(&mut rows, 7, &[]);
        check(&mut rows, 20, &some[2..]);
        check(&mut rows, 0, &every);
        check(&mut rows, PARALLEL_FROM + 3, &some);
        check(&mut rows, PARALLEL_FROM, &[]);
        check(&mut rows, 2, &every);
    }
}
