//! The host stages in order, a file each: vertex → assemble → clip → viewport → setup → bin.
//!
//! Before: [`frame`](crate::frame) (draws). After: the reference, which walks [`Geometry`]'s triangles pixel by pixel, or
//! `bin` and the tile kernel. Both get the same triangles, bit for bit.

pub mod assemble;
pub mod bin;
pub mod clip;
pub mod setup;
pub mod vertex;
pub mod viewport;

use rayon::prelude::*;
use shaders::interface::Interpolation;

use crate::frame::{Draw, RenderError};
use crate::state::State;
use crate::vertex::Vertex;
use clip::{ClipVertex, ClipVolume, SCALARS};
use setup::{Corner, Plane, Triangle};

/// The triangles of one or more draws, in the order they were drawn, and their planes.
#[derive(Debug, Default)]
pub struct Geometry {
    /// Set up, never empty, in submission order.
    pub triangles: Vec<Triangle>,
    /// See [`Triangle::first_plane`].
    pub planes: Vec<Plane>,
    /// The vertices of the draw in hand; kept for its memory.
    vertices: Vec<Vertex>,
}

/// Triangles that one thread sets up in one go.
const CHUNK_TRIANGLES: usize = 2048;

impl Geometry {
    /// Forgets all triangles, keeps the memory.
    pub fn clear(&mut self) {
        self.triangles.clear();
        self.planes.clear();
    }

    /// Runs all host stages of a draw before binning and appends its triangles.
    ///
    /// `draw_index` is the draw's place in the frame, `size` the target's width and height.
    pub fn add(&mut self, draw_index: usize, draw: &Draw, size: (u32, u32)) -> Result<(), RenderError> {
        draw.dynamic.check().map_err(|cause| RenderError::Dynamic { draw: draw_index, cause })?;
        assemble::check(draw_index, draw)?;
        vertex::run(&*draw.vertex_shader, draw.vertex_count, &mut self.vertices);
        let inputs = draw.pipeline.interface().inputs.as_slice();
        let setup = DrawSetup {
            vertices: &self.vertices,
            places: inputs.iter().map(|slot| (slot.location as usize, slot.component as usize)).collect(),
            inputs: inputs.iter().map(|slot| slot.interpolation).collect(),
            volume: ClipVolume::for_target(size.0, size.1),
            state: draw.pipeline.state(),
            draw: draw_index as u32,
            size,
        };
        if draw.indices.len() <= 3 * CHUNK_TRIANGLES {
            setup.run(&draw.indices, &mut self.triangles, &mut self.planes);
            return Ok(());
        }
        // Each thread fills lists of its own; they are joined in order, so the result is that of one thread.
        let chunks: Vec<(Vec<Triangle>, Vec<Plane>)> = draw
            .indices
            .par_chunks(3 * CHUNK_TRIANGLES)
            .map(|indices| {
                let (mut triangles, mut planes) = (Vec::new(), Vec::new());
                setup.run(indices, &mut triangles, &mut planes);
                (triangles, planes)
            })
            .collect();
        for (triangles, planes) in chunks {
            let planes_before = self.planes.len() as u32;
            self.triangles.extend(triangles.into_iter().map(|mut triangle| {
                triangle.first_plane += planes_before;
                triangle
            }));
            self.planes.extend(planes);
        }
        Ok(())
    }
}

/// What all triangles of a draw share.
struct DrawSetup<'a> {
    vertices: &'a [Vertex],
    /// Location and component of each input slot.
    places: Vec<(usize, usize)>,
    inputs: Vec<Interpolation>,
    volume: ClipVolume,
    state: State,
    draw: u32,
    size: (u32, u32),
}

impl DrawSetup<'_> {
    /// Clips, projects and sets up triangles, three indices each.
    fn run(&self, indices: &[u32], triangles: &mut Vec<Triangle>, planes: &mut Vec<Plane>) {
        let mut polygon = Vec::new();
        for corners in indices.chunks_exact(3) {
            let vertices = [corners[0], corners[1], corners[2]].map(|index| &self.vertices[index as usize]);
            let positions = vertices.map(|vertex| vertex.position.to_array().map(f64::from));
            // GL leaves such a primitive undefined; here it is dropped, and its neighbours are not touched.
            if positions.iter().flatten().any(|coordinate| !coordinate.is_finite()) {
                continue;
            }
            let mut flat = [0.0; SCALARS];
            self.gather(vertices[0], &mut flat);
            let corner = |index: usize| {
                let mut scalars = [0.0f32; SCALARS];
                self.gather(vertices[index], &mut scalars);
                ClipVertex { position: positions[index], scalars: scalars.map(f64::from) }
            };
            let triangle = [corner(0), corner(1), corner(2)];
            if self.volume.holds(&positions) {
                self.set_up([&triangle[0], &triangle[1], &triangle[2]], &flat, triangles, planes);
            } else if !self.volume.is_hidden(&positions) {
                self.volume.clip(&triangle, self.places.len(), &mut polygon);
                // A convex polygon is a fan of triangles around its first corner.
                for corner in 2..polygon.len() {
                    let fan = [&polygon[0], &polygon[corner - 1], &polygon[corner]];
                    self.set_up(fan, &flat, triangles, planes);
                }
            }
        }
    }

    /// The scalars of the input slots, in slot order.
    fn gather(&self, vertex: &Vertex, scalars: &mut [f32; SCALARS]) {
        for (scalar, &(location, component)) in scalars.iter_mut().zip(&self.places) {
            *scalar = vertex.locations[location][component];
        }
    }

    fn set_up(
        &self,
        corners: [&ClipVertex; 3],
        flat: &[f32; SCALARS],
        triangles: &mut Vec<Triangle>,
        planes: &mut Vec<Plane>,
    ) {
        let (width, height) = self.size;
        let corners = corners.map(|corner| Corner {
            screen: viewport::project(corner.position, width, height),
            scalars: &corner.scalars[..self.inputs.len()],
        });
        let triangle = setup::set_up(&corners, &self.inputs, flat, self.state, self.draw, self.size, planes);
        triangles.extend(triangle);
    }
}
