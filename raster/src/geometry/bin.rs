//! Binning: which triangles touch which tile, and where in the tile the edges stand.
//!
//! Before: `setup`. After: the tile kernel, which walks the entries of one tile. The reference does without this stage.
//! Entries of a tile keep the order in which the triangles were drawn.

use shaders::tile_records::{self as records, Entry, Tile};

use super::extent::{Disc, Extent};
use super::pixel_box::PixelBox;
use super::setup::{Edge, Plane, Triangle};
use crate::surface::Samples;
use crate::tile_shape::TileShape;

/// Stands for the value of an edge that accepts a whole tile: positive wherever the kernel looks, and far enough from
/// the ends of an i32 that adding steps across a tile (at most 2^29) cannot wrap.
const ACCEPTED: i32 = (1 << 30) - 1;

/// Warp-instructions, roughly, that walking a block of a triangle costs, and beyond that a triangle of a tile. Only the
/// order in which tiles are dealt to warps depends on them.
const BLOCK_COST: u64 = 100;
const ENTRY_COST: u64 = 60;

/// A run of triangles, sorted into tiles.
#[derive(Debug, Default)]
pub struct Bins {
    /// Tiles that are touched, the most expensive first; flags are zero.
    pub tiles: Vec<Tile>,
    /// Entries, tile by tile.
    pub entries: Vec<Entry>,
    /// The triangles as the kernel reads them, in order; `draw` is the draw's place in the frame.
    pub triangles: Vec<records::Triangle>,
    /// With several samples a pixel, triangle by triangle: what the three edges change by from a pixel's centre to each of the
    /// four samples, and the first corner and size of the places that a point or a line takes.
    pub deltas: Vec<[i32; 16]>,
    /// Entries as they are found: (tile, entry).
    found: Vec<(u32, Entry)>,
    /// For each tile of the target: entries, then the place of the next one.
    places: Vec<u32>,
    /// For each tile of the target: what it will cost.
    costs: Vec<u64>,
}

impl Bins {
    /// Sorts triangles into the tiles of a target of this many pixels. What was there before is forgotten.
    pub fn fill(&mut self, triangles: &[Triangle], shape: &TileShape, (width, height): (u32, u32)) {
        let columns = width.div_ceil(shape.tile_side());
        let rows = height.div_ceil(shape.tile_side());
        self.places.clear();
        self.places.resize((columns * rows) as usize, 0);
        self.costs.clear();
        self.costs.resize((columns * rows) as usize, 0);
        self.found.clear();
        self.triangles.clear();
        self.deltas.clear();
        for triangle in triangles {
            self.add(triangle, shape, columns);
        }
        self.sort(shape, columns);
    }

    /// Finds the entries of one triangle.
    fn add(&mut self, triangle: &Triangle, shape: &TileShape, columns: u32) {
        let index = self.triangles.len() as u32;
        self.triangles.push(record(triangle, shape));
        if shape.samples != Samples::One {
            let mut words = [0; 16];
            for (words, place) in words.as_chunks_mut::<3>().0.iter_mut().zip(shape.samples.places()) {
                *words = triangle.edges.each_ref().map(|edge| edge.to_place(*place));
            }
            let places = triangle.extent.places();
            words[12..].copy_from_slice(&[places.first, places.size].concat());
            self.deltas.push(words);
        }
        let bounds = triangle.bounds;
        let side_log2 = shape.tile_side_log2;
        for row in bounds.y0 >> side_log2..=(bounds.y1 - 1) >> side_log2 {
            for column in bounds.x0 >> side_log2..=(bounds.x1 - 1) >> side_log2 {
                let (x, y) = (column << side_log2, row << side_log2);
                let Some(mut entry) = entry(triangle, shape, x, y) else { continue };
                entry.triangle = index;
                let tile = row as u32 * columns + column as u32;
                self.found.push((tile, entry));
                self.places[tile as usize] += 1;
                let (first, last) = (entry.blocks & 0xffff, entry.blocks >> 16);
                self.costs[tile as usize] += ENTRY_COST + BLOCK_COST * u64::from(last - first + 1);
            }
        }
    }

    /// Puts the entries in the order of their tiles (a counting sort, which keeps the order within a tile).
    fn sort(&mut self, shape: &TileShape, columns: u32) {
        self.tiles.clear();
        let mut next = 0;
        for (tile, place) in self.places.iter_mut().enumerate() {
            let count = std::mem::replace(place, next);
            if count > 0 {
                let (column, row) = (tile as u32 % columns, tile as u32 / columns);
                let (x, y) = (column << shape.tile_side_log2, row << shape.tile_side_log2);
                self.tiles.push(Tile { x, y, first: next, end: next + count, flags: 0 });
            }
            next += count;
        }
        self.entries.clear();
        self.entries.resize(self.found.len(), Entry::default());
        for &(tile, entry) in &self.found {
            let place = &mut self.places[tile as usize];
            self.entries[*place as usize] = entry;
            *place += 1;
        }
        let costs = &self.costs;
        let tile_index = |tile: &Tile| (tile.y >> shape.tile_side_log2) * columns + (tile.x >> shape.tile_side_log2);
        self.tiles.sort_by_key(|tile| (std::cmp::Reverse(costs[tile_index(tile) as usize]), tile.y, tile.x));
    }
}

/// A triangle as the kernel reads it.
fn record(triangle: &Triangle, shape: &TileShape) -> records::Triangle {
    let right = (1 << shape.block_width_log2) - 1;
    let down = (1 << shape.block_height_log2) - 1;
    let each = |of: fn(&Edge) -> i32| [of(&triangle.edges[0]), of(&triangle.edges[1]), of(&triangle.edges[2])];
    let plane = |plane: &Plane| records::Plane { value: plane.value, dx: plane.dx, dy: plane.dy };
    let (step_x, step_y) = match triangle.extent {
        Extent::Pixels | Extent::Places(_) => (each(|edge| edge.step_x), each(|edge| edge.step_y)),
        Extent::Disc(Disc { center: [x, y], radius }) => ([x, y, radius], [0; 3]),
    };
    let PixelBox { x0, y0, x1, y1 } = triangle.bounds;
    records::Triangle {
        step_x,
        draw: triangle.draw,
        step_y,
        first_plane: triangle.first_plane,
        best: triangle
            .edges
            .each_ref()
            .map(|edge| edge.step_x.max(0) * right + edge.step_y.max(0) * down + spread(edge, shape)[1]),
        is_front: triangle.is_front.into(),
        worst: triangle
            .edges
            .each_ref()
            .map(|edge| edge.step_x.min(0) * right + edge.step_y.min(0) * down + spread(edge, shape)[0]),
        anchor: triangle.anchor,
        depth: plane(&triangle.depth),
        inverse_w: plane(&triangle.inverse_w),
        corner: [x0 as u32, y0 as u32],
        size: [(x1 - x0) as u32, (y1 - y0) as u32],
        padding: 0,
    }
}

/// The least and the largest change of an edge from a pixel's centre to one of its samples.
fn spread(edge: &Edge, shape: &TileShape) -> [i32; 2] {
    if shape.samples == Samples::One {
        return [0; 2];
    }
    let changes = shape.samples.places().iter().map(|place| edge.to_place(*place));
    changes.fold([i32::MAX, i32::MIN], |[least, most], change| [least.min(change), most.max(change)])
}

/// Edge values at pixel (x, y), seen over a rectangle of `width` × `height` pixels that starts there: `None` if an edge
/// leaves all of it outside.
fn edges_over(triangle: &Triangle, shape: &TileShape, [x, y]: [i32; 2], [width, height]: [i32; 2]) -> Option<[i32; 3]> {
    let mut values = [ACCEPTED; 3];
    for (value, edge) in values.iter_mut().zip(&triangle.edges) {
        let corner = edge.at(x, y);
        let reach = |step_x: i32, step_y: i32| {
            i64::from(step_x) * i64::from(width - 1) + i64::from(step_y) * i64::from(height - 1)
        };
        let [least, most] = spread(edge, shape).map(i64::from);
        if corner + reach(edge.step_x.max(0), edge.step_y.max(0)) + most < 0 {
            return None;
        }
        if corner + reach(edge.step_x.min(0), edge.step_y.min(0)) + least < 0 {
            // Between reject and accept the value is at most the reach, and a pixel for the samples: 32 · 2 · 2^23 = 2^29.
            *value = i32::try_from(corner).expect("an edge that crosses a tile has a value of at most 2^29 there");
        }
    }
    Some(values)
}

/// The entry of a triangle in the tile at (x, y); `None` if it covers no pixel there for sure. The index is left open.
fn entry(triangle: &Triangle, shape: &TileShape, x: i32, y: i32) -> Option<Entry> {
    let side = shape.tile_side() as i32;
    let PixelBox { x0, y0, x1, y1 } = triangle.bounds;
    let (x0, y0) = (x0.max(x), y0.max(y));
    let (x1, y1) = (x1.min(x + side), y1.min(y + side));
    let block_of = |px: i32, py: i32| shape.block_of((px - x) as u32, (py - y) as u32);
    let (first, last) = (block_of(x0, y0), block_of(x1 - 1, y1 - 1));
    let edges = if first == last {
        if !(y0..y1).any(|py| (x0..x1).any(|px| triangle.coverage(px, py, shape.samples) != 0)) {
            return None;
        }
        let (width, height) = (1 << shape.block_width_log2, 1 << shape.block_height_log2);
        let (block_x, block_y) = (x0 & !(width - 1), y0 & !(height - 1));
        edges_over(triangle, shape, [block_x, block_y], [width, height])?
    } else {
        edges_over(triangle, shape, [x, y], [side, side])?
    };
    Some(Entry { triangle: 0, blocks: first | last << 16, edges })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamic::Dynamic;
    use crate::geometry::setup::{Context, set_up};
    use crate::geometry::viewport::{PixelCoordinate, Screen, ScreenVertex};
    use crate::state::State;
    use proptest::prelude::*;

    const SIZE: (u32, u32) = (70, 50);

    fn triangle(points: [[i32; 2]; 3], samples: Samples) -> Option<Triangle> {
        let corners = points.map(|[x, y]| {
            let (x, y) = (PixelCoordinate::from_bits(x), PixelCoordinate::from_bits(y));
            ScreenVertex { x, y, depth: 0.0, inverse_w: 1.0 }
        });
        let dynamic = Dynamic::DEFAULT;
        let screen = Screen::new(&dynamic, SIZE);
        let context = Context { samples, state: State::FLAT, dynamic, screen, inside: screen.inside(), draw: 0 };
        set_up(corners, |_| [0.0; 3], |_| 0.0, &[], &context, &mut Vec::new())
    }

    /// What the kernel's integer steps make of the bins: the samples that each triangle covers.
    fn walk(bins: &Bins, shape: &TileShape) -> Vec<(u32, i32, i32, u32)> {
        let mut covered = Vec::new();
        let rows_log2 = shape.tile_side_log2 - shape.block_width_log2;
        for tile in &bins.tiles {
            for entry in &bins.entries[tile.first as usize..tile.end as usize] {
                let record = &bins.triangles[entry.triangle as usize];
                let (first, last) = (entry.blocks & 0xffff, entry.blocks >> 16);
                for block in first..=last {
                    let origin_x = (block & ((1 << rows_log2) - 1)) << shape.block_width_log2;
                    let origin_y = (block >> rows_log2) << shape.block_height_log2;
                    for lane in 0..shape.lanes {
                        let x = lane & ((1 << shape.block_width_log2) - 1);
                        let y = lane >> shape.block_width_log2;
                        let from = if first == last { [x, y] } else { [origin_x + x, origin_y + y] };
                        // Plain arithmetic: an overflow is a failure of the test.
                        let value = |edge: usize, [x, y]: [u32; 2]| {
                            entry.edges[edge] + record.step_x[edge] * x as i32 + record.step_y[edge] * y as i32
                        };
                        let samples = shape.samples.count();
                        let change = |sample: u32, edge: usize| match shape.samples {
                            Samples::One => 0,
                            Samples::Four => bins.deltas[entry.triangle as usize][3 * sample as usize + edge],
                        };
                        let corner = if first == last { [0, 0] } else { [origin_x, origin_y] };
                        for sample in 0..samples {
                            let values = [0, 1, 2].map(|edge| value(edge, from) + change(sample, edge));
                            for (edge, value_here) in values.into_iter().enumerate() {
                                let at_corner = value(edge, corner);
                                assert!(value_here <= at_corner + record.best[edge], "no sample is beyond the best");
                                assert!(value_here >= at_corner + record.worst[edge], "none is beyond the worst");
                            }
                            if values.into_iter().all(|value| value >= 0) {
                                let (x, y) = (tile.x + origin_x + x, tile.y + origin_y + y);
                                covered.push((entry.triangle, x as i32, y as i32, sample));
                            }
                        }
                    }
                }
            }
        }
        covered.retain(|&(_, x, y, _)| x < SIZE.0 as i32 && y < SIZE.1 as i32);
        covered.sort_unstable();
        covered
    }

    fn check(points: &[[[i32; 2]; 3]]) {
        check_samples(points, Samples::One);
        check_samples(points, Samples::Four);
    }

    fn check_samples(points: &[[[i32; 2]; 3]], samples: Samples) {
        let triangles: Vec<_> = points.iter().filter_map(|&points| triangle(points, samples)).collect();
        let mut expected = Vec::new();
        for (index, triangle) in (0u32..).zip(&triangles) {
            let bounds = triangle.bounds;
            for (y, x) in (bounds.y0..bounds.y1).flat_map(|y| (bounds.x0..bounds.x1).map(move |x| (y, x))) {
                let coverage = triangle.coverage(x, y, samples);
                let covered = (0..samples.count()).filter(|sample| coverage >> sample & 1 != 0);
                expected.extend(covered.map(|sample| (index, x, y, sample)));
            }
        }
        expected.sort_unstable();
        for lanes in [4, 8, 16, 32] {
            for side_log2 in [3, 4, 5] {
                let shape = TileShape::new(lanes, side_log2).expect("these lanes draw").with_samples(samples);
                let mut bins = Bins::default();
                bins.fill(&triangles, &shape, SIZE);
                assert_eq!(walk(&bins, &shape), expected, "{lanes} lanes, tiles of 2^{side_log2}");
                for tile in &bins.tiles {
                    let entries = &bins.entries[tile.first as usize..tile.end as usize];
                    assert!(entries.is_sorted_by_key(|entry| entry.triangle), "submission order");
                    assert!(!entries.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_triangle_larger_than_the_target_is_accepted_everywhere() {
        check(&[[[-1 << 22, -1 << 22], [1 << 22, -1 << 22], [-1 << 22, 1 << 22]]]);
        check(&[[[-1 << 22, 1 << 22], [1 << 22, -1 << 22], [1 << 22, 1 << 22]]]);
    }

    proptest! {
        #![proptest_config(crate::seeded::seeded(60))]

        #[test]
        fn bins_hold_every_covered_pixel_and_no_other(
            small in prop::collection::vec((0i32..70 * 256, 0i32..50 * 256, prop::array::uniform4(-900i32..900)), 8),
            large in prop::collection::vec(prop::array::uniform6(-(1i32 << 22)..=1 << 22), 4),
        ) {
            let small = small.into_iter().map(|(x, y, [a, b, c, d])| [[x, y], [x + a, y + b], [x + c, y + d]]);
            let large = large.into_iter().map(|[a, b, c, d, e, f]| [[a, b], [c, d], [e, f]]);
            check(&small.chain(large).collect::<Vec<_>>());
        }
    }
}
