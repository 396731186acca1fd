//! The host stages in order, a file each: assemble → vertex → clip → viewport → setup, line or point → bin.
//!
//! Before: [`frame`](crate::frame) (draws). After: the reference, which walks [`Geometry`]'s triangles pixel by pixel, or
//! `bin` and the tile kernel. Both get the same triangles, bit for bit.
//! Assembly comes before the vertex stage, so that vertices which no primitive names are never made.

pub mod assemble;
pub mod bin;
pub mod clip;
pub mod line;
pub mod offset;
pub mod pixel_box;
pub mod point;
pub mod setup;
pub mod vertex;
pub mod viewport;

use rayon::prelude::*;
use shaders::interface::{InputSlot, Interpolation};

use crate::draw::Draw;
use crate::state::Topology;
use crate::vertex::Vertex;
use clip::{ClipVertex, ClipVolume, SCALARS};
use pixel_box::PixelBox;
use setup::{Context, Corner, Plane, Triangle};
use vertex::Named;
use viewport::Screen;

/// The triangles of one or more draws, in the order they were drawn, and their planes.
#[derive(Debug, Default)]
pub struct Geometry {
    /// Set up, never empty, in submission order. Points and lines are triangles too.
    pub triangles: Vec<Triangle>,
    /// See [`Triangle::first_plane`].
    pub planes: Vec<Plane>,
    /// Of the draw in hand; kept for its memory.
    corners: Vec<u32>,
    named: Named,
    vertices: Vec<Vertex>,
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
    /// [checked](crate::check).
    ///
    /// `draw_index` is the draw's place in the frame, `size` the target's width and height.
    pub fn add(&mut self, draw_index: usize, draw: &Draw, size: (u32, u32)) {
        let (state, dynamic) = (draw.pipeline.state(), draw.dynamic);
        let screen = Screen::new(&dynamic, size);
        if screen.drawn.is_empty() || screen.has_no_area() {
            return;
        }
        assemble::run(draw, &mut self.corners);
        self.named.find(&mut self.corners);
        let slots = draw.pipeline.interface().inputs.as_slice();
        for instance in 0..draw.instance_count {
            self.named.run(&*draw.vertex_shader, draw.first_instance + instance, &mut self.vertices);
            let setup = DrawSetup {
                vertices: &self.vertices,
                slots,
                inputs: slots.iter().map(|slot| slot.interpolation).collect(),
                volume: ClipVolume::of(&screen),
                context: Context { state, dynamic, screen, draw: draw_index as u32 },
            };
            setup.run_all(&self.corners, &mut self.triangles, &mut self.planes);
        }
    }

    /// Whether pixels have to be tested against the triangles' rectangles, because edges alone would let them reach
    /// farther: points, lines, and whatever a scissor or a viewport cuts off. `size` is the target's.
    pub fn needs_rectangles(draw: &Draw, size: (u32, u32)) -> bool {
        let target = PixelBox { x0: 0, y0: 0, x1: size.0 as i32, y1: size.1 as i32 };
        !draw.pipeline.state().topology.is_triangles() || !Screen::new(&draw.dynamic, size).inside().contains(&target)
    }
}

/// What all primitives of a draw share.
struct DrawSetup<'a> {
    vertices: &'a [Vertex],
    slots: &'a [InputSlot],
    inputs: Vec<Interpolation>,
    volume: ClipVolume,
    context: Context,
}

impl DrawSetup<'_> {
    /// Clips, projects and sets up primitives, several threads at once if there are many.
    fn run_all(&self, corners: &[u32], triangles: &mut Vec<Triangle>, planes: &mut Vec<Plane>) {
        let chunk = CHUNK_PRIMITIVES * self.context.state.topology.corners();
        if corners.len() <= chunk {
            return self.run(corners, triangles, planes);
        }
        // Each thread fills lists of its own; they are joined in order, so the result is that of one thread.
        let chunks: Vec<(Vec<Triangle>, Vec<Plane>)> = corners
            .par_chunks(chunk)
            .map(|corners| {
                let (mut triangles, mut planes) = (Vec::new(), Vec::new());
                self.run(corners, &mut triangles, &mut planes);
                (triangles, planes)
            })
            .collect();
        for (more, more_planes) in chunks {
            let planes_before = planes.len() as u32;
            triangles.extend(more.into_iter().map(|mut triangle| {
                triangle.first_plane += planes_before;
                triangle
            }));
            planes.extend(more_planes);
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
        let vertices = corners.map(|corner| &self.vertices[corner as usize]);
        let Some(positions) = positions(vertices) else { return };
        let mut flat = [0.0; SCALARS];
        self.gather(vertices[0], &mut flat);
        let corner = |index: usize| self.clip_vertex(vertices[index], positions[index]);
        let triangle = [corner(0), corner(1), corner(2)];
        let mut set_up = |corners: [&ClipVertex; 3]| {
            let corners = corners.map(|corner| self.corner(corner));
            triangles.extend(setup::set_up(&corners, &self.inputs, &flat, &self.context, planes));
        };
        if self.volume.holds(&positions) {
            set_up([&triangle[0], &triangle[1], &triangle[2]]);
        } else if !self.volume.is_hidden(&positions) {
            self.volume.clip(&triangle, self.slots.len(), polygon);
            // A convex polygon is a fan of triangles around its first corner.
            for corner in 2..polygon.len() {
                set_up([&polygon[0], &polygon[corner - 1], &polygon[corner]]);
            }
        }
    }

    fn line(&self, corners: [u32; 2], planes: &mut Vec<Plane>) -> Option<Triangle> {
        use crate::state::ProvokingVertex;

        let vertices = corners.map(|corner| &self.vertices[corner as usize]);
        let positions = positions(vertices)?;
        let mut flat = [0.0; SCALARS];
        match self.context.state.provoking_vertex {
            ProvokingVertex::First => self.gather(vertices[0], &mut flat),
            ProvokingVertex::Last => self.gather(vertices[1], &mut flat),
        }
        let ends = [0, 1].map(|index| self.clip_vertex(vertices[index], positions[index]));
        let ends = self.volume.clip_line(&ends, self.slots.len())?;
        line::set_up(&ends.each_ref().map(|end| self.corner(end)), &self.inputs, &flat, &self.context, planes)
    }

    fn point(&self, corner: u32, planes: &mut Vec<Plane>) -> Option<Triangle> {
        let vertex = &self.vertices[corner as usize];
        let [position] = positions([vertex])?;
        if !self.volume.holds_point(position) {
            return None;
        }
        let mut flat = [0.0; SCALARS];
        self.gather(vertex, &mut flat);
        let place = self.clip_vertex(vertex, position);
        point::set_up(&self.corner(&place), vertex.point_size, self.slots, &flat, &self.context, planes)
    }

    /// The scalars of the input slots, in slot order.
    fn gather(&self, vertex: &Vertex, scalars: &mut [f32; SCALARS]) {
        for (scalar, slot) in scalars.iter_mut().zip(self.slots) {
            *scalar = vertex.locations[slot.location as usize][slot.component as usize];
        }
    }

    fn clip_vertex(&self, vertex: &Vertex, position: [f64; 4]) -> ClipVertex {
        let mut scalars = [0.0f32; SCALARS];
        self.gather(vertex, &mut scalars);
        ClipVertex { position, scalars: scalars.map(f64::from) }
    }

    fn corner<'a>(&self, vertex: &'a ClipVertex) -> Corner<'a> {
        Corner { screen: self.context.screen.project(vertex.position), scalars: &vertex.scalars[..self.slots.len()] }
    }
}

/// The positions of a primitive's vertices; `None` if a coordinate is infinite or no number.
///
/// GL leaves such a primitive undefined; here it is dropped, and its neighbours are not touched.
fn positions<const N: usize>(vertices: [&Vertex; N]) -> Option<[[f64; 4]; N]> {
    let positions = vertices.map(|vertex| vertex.position.to_array().map(f64::from));
    positions.iter().flatten().all(|coordinate| coordinate.is_finite()).then_some(positions)
}
