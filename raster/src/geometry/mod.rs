//! The host stages in order, a file each: assemble → vertex → clip → viewport → setup, line or point → bin.
//!
//! Before: [`frame`](crate::frame) (draws). After: the reference, which walks [`Geometry`]'s triangles pixel by pixel, or
//! `bin` and the tile kernel. Both get the same triangles, bit for bit.
//! Assembly comes before the vertex stage, so that vertices which no primitive names are never made.

pub mod assemble;
pub mod bin;
pub mod clip;
pub mod extent;
pub mod line;
pub mod offset;
pub mod pixel_box;
pub mod point;
mod sampled_line;
pub mod setup;
pub mod vertex;
pub mod vertex_rows;
pub mod viewport;

use rayon::prelude::*;
use shaders::interface::{InputSlot, Interpolation};

use crate::draw::{Draw, VertexStage};
use crate::state::{ProvokingVertex, Topology};
use crate::surface::Samples;
use clip::{ClipVertex, ClipVolume};
use pixel_box::PixelBox;
use setup::{Context, Plane, Triangle};
use vertex::Named;
use vertex_rows::VertexRows;
use viewport::Screen;

/// The triangles of one or more draws, in the order they were drawn, and their planes.
#[derive(Debug, Default)]
pub struct Geometry {
    /// Set up, never empty, in submission order. Points and lines are triangles too.
    pub triangles: Vec<Triangle>,
    /// See [`Triangle::first_plane`].
    pub planes: Vec<Plane>,
    /// Of the targets that the draws are for.
    pub samples: Samples,
    /// Of the draw in hand; kept for its memory.
    corners: Vec<u32>,
    named: Named,
    vertices: VertexRows,
    chunks: Vec<Chunk>,
}

/// What one thread sets up in one go.
#[derive(Debug, Default)]
struct Chunk {
    triangles: Vec<Triangle>,
    planes: Vec<Plane>,
}

/// Primitives that one thread sets up in one go.
const CHUNK_PRIMITIVES: usize = 2048;

impl Geometry {
    /// Forgets all triangles, keeps the memory.
    pub fn clear(&mut self) {
        self.triangles.clear();
        self.planes.clear();
    }

    /// Runs all host stages of a draw before binning and appends its triangles. The draw has been
    /// [checked](crate::check), and its program, if it has one, [run](crate::vertex_run).
    ///
    /// `draw_index` is the draw's place in the frame, `size` the target's width and height.
    pub fn add(&mut self, draw_index: usize, draw: &Draw, size: (u32, u32)) {
        let (state, dynamic) = (draw.pipeline.state(), draw.dynamic);
        let screen = Screen::new(&dynamic, size);
        let VertexStage::Closure(shader) = &draw.vertex_stage else {
            unreachable!("a backend runs vertex programs first, see `vertex_run`")
        };
        if screen.drawn.is_empty() || screen.has_no_area() {
            return;
        }
        assemble::run(draw, &mut self.corners);
        self.named.find(&mut self.corners);
        let slots = draw.pipeline.interface().inputs.as_slice();
        let volume = ClipVolume::of(&screen);
        for instance in 0..draw.instance_count {
            let make = |number| shader(draw.first_vertex + number, draw.first_instance + instance);
            // Most vertices need no clipping, and serve several primitives.
            let place = |position| volume.holds_vertex(position).then(|| screen.project(position));
            self.named.run(make, slots, place, &mut self.vertices);
            let setup = DrawSetup {
                vertices: &self.vertices,
                slots,
                inputs: slots.iter().map(|slot| slot.interpolation).collect(),
                volume,
                context: Context {
                    samples: self.samples,
                    state,
                    dynamic,
                    screen,
                    inside: screen.inside(),
                    draw: draw_index as u32,
                },
            };
            setup.run_all(&self.corners, &mut self.chunks, &mut self.triangles, &mut self.planes);
        }
    }

    /// Whether pixels have to be tested against the triangles' rectangles, because edges alone would let them reach
    /// farther: points, lines, and whatever a scissor or a viewport cuts off. `size` is the target's. Shaders that write
    /// buffers must not run in the padding of a target either, where nobody sees what others draw.
    pub fn needs_rectangles(draw: &Draw, size: (u32, u32)) -> bool {
        let target = PixelBox { x0: 0, y0: 0, x1: size.0 as i32, y1: size.1 as i32 };
        draw.pipeline.interface().writes_storage()
            || !draw.pipeline.state().topology.is_triangles()
            || !Screen::new(&draw.dynamic, size).inside().contains(&target)
    }
}

/// What all primitives of a draw share.
struct DrawSetup<'a> {
    vertices: &'a VertexRows,
    slots: &'a [InputSlot],
    inputs: Vec<Interpolation>,
    volume: ClipVolume,
    context: Context,
}

impl DrawSetup<'_> {
    /// Clips, projects and sets up primitives, several threads at once if there are many.
    fn run_all(
        &self,
        corners: &[u32],
        chunks: &mut Vec<Chunk>,
        triangles: &mut Vec<Triangle>,
        planes: &mut Vec<Plane>,
    ) {
        let chunk = CHUNK_PRIMITIVES * self.context.state.topology.corners();
        if corners.len() <= chunk {
            return self.run(corners, triangles, planes);
        }
        // Each thread fills lists of its own; they are joined in order, so the result is that of one thread.
        let count = corners.len().div_ceil(chunk);
        if chunks.len() < count {
            chunks.resize_with(count, Chunk::default);
        }
        let chunks = &mut chunks[..count];
        corners.par_chunks(chunk).zip(chunks.par_iter_mut()).for_each(|(corners, chunk)| {
            chunk.triangles.clear();
            chunk.planes.clear();
            self.run(corners, &mut chunk.triangles, &mut chunk.planes);
        });
        for chunk in chunks {
            let planes_before = planes.len() as u32;
            triangles.extend(chunk.triangles.iter().map(|triangle| {
                let first_plane = triangle.first_plane + planes_before;
                Triangle { first_plane, ..*triangle }
            }));
            planes.extend_from_slice(&chunk.planes);
        }
    }

    fn run(&self, corners: &[u32], triangles: &mut Vec<Triangle>, planes: &mut Vec<Plane>) {
        match self.context.state.topology {
            Topology::PointList => {
                triangles.extend(corners.iter().filter_map(|&corner| self.point(corner, planes)));
            }
            Topology::LineList | Topology::LineStrip | Topology::LineLoop => {
                triangles.extend(corners.as_chunks().0.iter().filter_map(|&line| self.line(line, planes)));
            }
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => {
                let mut polygon = Vec::new();
                for &corners in corners.as_chunks().0 {
                    self.triangle(corners, &mut polygon, triangles, planes);
                }
            }
        }
    }

    fn triangle(
        &self,
        corners: [u32; 3],
        polygon: &mut Vec<ClipVertex>,
        triangles: &mut Vec<Triangle>,
        planes: &mut Vec<Plane>,
    ) {
        let rows = corners.map(|corner| self.vertices.scalars(corner));
        let flat = |slot: usize| rows[0][slot];
        let (inputs, context) = (&self.inputs, &self.context);
        if let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.vertices.place(corner)) {
            let scalars = |slot: usize| rows.map(|row| f64::from(row[slot]));
            triangles.extend(setup::set_up([a, b, c], scalars, flat, inputs, context, planes));
            return;
        }
        let Some(positions) = self.positions(corners) else { return };
        if self.volume.is_hidden(&positions) {
            return;
        }
        let triangle = [0, 1, 2].map(|corner| ClipVertex::new(positions[corner], rows[corner]));
        self.volume.clip(&triangle, self.slots.len(), polygon);
        // A convex polygon is a fan of triangles around its first corner.
        for corner in 2..polygon.len() {
            let fan = [&polygon[0], &polygon[corner - 1], &polygon[corner]];
            let places = fan.map(|corner| context.screen.project(corner.position));
            let scalars = |slot: usize| fan.map(|corner| corner.scalars[slot]);
            triangles.extend(setup::set_up(places, scalars, flat, inputs, context, planes));
        }
    }

    fn line(&self, corners: [u32; 2], planes: &mut Vec<Plane>) -> Option<Triangle> {
        let rows = corners.map(|corner| self.vertices.scalars(corner));
        let provoking = match self.context.state.provoking_vertex {
            ProvokingVertex::First => rows[0],
            ProvokingVertex::Last => rows[1],
        };
        let flat = |slot: usize| provoking[slot];
        if let [Some(from), Some(to)] = corners.map(|corner| self.vertices.place(corner)) {
            let scalars = |slot: usize| rows.map(|row| f64::from(row[slot]));
            return line::set_up([from, to], scalars, flat, &self.inputs, &self.context, planes);
        }
        let positions = self.positions(corners)?;
        let ends = [0, 1].map(|end| ClipVertex::new(positions[end], rows[end]));
        let ends = self.volume.clip_line(&ends, self.slots.len())?;
        let places = ends.each_ref().map(|end| self.context.screen.project(end.position));
        let scalars = |slot: usize| ends.each_ref().map(|end| end.scalars[slot]);
        line::set_up(places, scalars, flat, &self.inputs, &self.context, planes)
    }

    fn point(&self, corner: u32, planes: &mut Vec<Plane>) -> Option<Triangle> {
        let [position] = self.positions([corner])?;
        if !self.volume.holds_point(position) {
            return None;
        }
        let place = self.context.screen.project(position);
        let (size, scalars) = (self.vertices.point_size(corner), self.vertices.scalars(corner));
        point::set_up(place, size, |slot| scalars[slot], self.slots, &self.context, planes)
    }

    /// The positions of a primitive's vertices; `None` if a coordinate is infinite or no number.
    ///
    /// GL leaves such a primitive undefined; here it is dropped, and its neighbours are not touched.
    fn positions<const N: usize>(&self, corners: [u32; N]) -> Option<[[f64; 4]; N]> {
        let positions = corners.map(|corner| self.vertices.position(corner));
        positions.iter().flatten().all(|coordinate| coordinate.is_finite()).then_some(positions)
    }
}
