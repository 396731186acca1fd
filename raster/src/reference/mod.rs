//! The pipeline in plain Rust, slow and obvious: what a reader reads first, and what the device must match.
//!
//! Before: [`frame`](crate::frame). After: [`target`](crate::target). For each draw the host stages of
//! [`geometry`](crate::geometry) give triangles; each triangle is walked in quads of 2 × 2 pixels, because a fragment
//! shader's derivatives are differences within a quad:
//!
//! coverage → early depth test → interpolation → fragment shader → late depth test → colour.
//!
//! The depth test comes early unless the shader may discard: a fragment thrown away must leave no depth behind.

mod interpolate;

use shaders::evaluate::{
    BoundTexture, EvaluateError, Evaluator, FragmentBuffer, FragmentInput, FragmentOutput, FragmentResources,
};

use crate::bound::Bound;
use crate::check::check;
use crate::frame::{Backend, Draw, Frame, RenderError};
use crate::geometry::Geometry;
use crate::geometry::setup::Triangle;
use crate::pipeline::Pipeline;
use crate::state::DepthState;
use crate::target::{Target, pack_color, pack_depth};
use interpolate::Sample;

/// Fragments the evaluator takes in one go: whole quads, at most 256.
const BATCH: usize = 256;

/// Draws frames in plain Rust.
#[derive(Debug, Default)]
pub struct Reference {
    geometry: Geometry,
    /// One for each pipeline used lately; preparing one takes longer than shading a few quads.
    evaluators: Vec<(Pipeline, Evaluator)>,
}

impl Reference {
    /// A reference rasterizer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The position in `evaluators` of the evaluator of a pipeline.
    fn evaluator(&mut self, draw_index: usize, pipeline: &Pipeline) -> Result<usize, RenderError> {
        if let Some(position) = self.evaluators.iter().position(|(known, _)| known.is_same(pipeline)) {
            return Ok(position);
        }
        let evaluator = Evaluator::new(pipeline.module())
            .map_err(|cause| RenderError::Compile { draw: draw_index, cause: Box::new(cause) })?;
        self.evaluators.push((pipeline.clone(), evaluator));
        Ok(self.evaluators.len() - 1)
    }

    fn draw(&mut self, draw_index: usize, draw: &Draw, target: &mut Target) -> Result<(), RenderError> {
        let bound = Bound::of(draw_index, draw)?;
        self.geometry.clear();
        self.geometry.add(draw_index, draw, (target.width, target.height));

        let buffers: Vec<_> = bound.buffers.iter().map(|buffer| FragmentBuffer::Read(buffer.bytes())).collect();
        let mut textures = Vec::new();
        for (slot, bound) in bound.stages.iter().enumerate() {
            let image = bound.texture.image();
            let name = &draw.pipeline.stages()[slot].texture.name;
            let stage = image.stage(0, bound.sampling()).map_err(|cause| RenderError::Texture {
                draw: draw_index,
                name: name.clone(),
                cause,
            })?;
            textures.push(BoundTexture { image, stage, state: bound.state() });
        }
        let position = self.evaluator(draw_index, &draw.pipeline)?;
        let mut shading = Shading {
            pipeline: &draw.pipeline,
            evaluator: &mut self.evaluators[position].1,
            resources: FragmentResources { buffers: &buffers, textures: &textures },
            batch: Batch::default(),
        };
        for triangle in &self.geometry.triangles {
            shading
                .triangle(triangle, &self.geometry, target)
                .map_err(|cause| RenderError::Evaluate { draw: draw_index, cause })?;
        }
        Ok(())
    }
}

impl Backend for Reference {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        let (color, depth) = (pack_color(frame.clear.color), pack_depth(frame.clear.depth));
        check(frame)?;
        let mut target = Target::new(frame.width, frame.height, color, depth)?;
        self.evaluators.retain(|(known, _)| frame.draws.iter().any(|draw| draw.pipeline.is_same(known)));
        for (draw_index, draw) in frame.draws.iter().enumerate() {
            self.draw(draw_index, draw, &mut target)?;
        }
        Ok(target)
    }

    fn name(&self) -> &str {
        "reference"
    }
}

/// Quads of one triangle that wait to be shaded.
#[derive(Default)]
struct Batch {
    /// Four fragments a quad.
    fragments: Vec<FragmentInput>,
    /// The pixel of each.
    pixels: Vec<(u32, u32)>,
}

/// Everything the fragments of one draw need.
struct Shading<'a> {
    pipeline: &'a Pipeline,
    evaluator: &'a mut Evaluator,
    resources: FragmentResources<'a>,
    batch: Batch,
}

impl Shading<'_> {
    /// Walks a triangle quad by quad.
    fn triangle(&mut self, triangle: &Triangle, geometry: &Geometry, target: &mut Target) -> Result<(), EvaluateError> {
        let bounds = triangle.bounds;
        for quad_y in bounds.y0 / 2..(bounds.y1 + 1) / 2 {
            for quad_x in bounds.x0 / 2..(bounds.x1 + 1) / 2 {
                self.quad(triangle, geometry, [2 * quad_x, 2 * quad_y], target);
                if self.batch.fragments.len() == BATCH {
                    self.shade(target)?;
                }
            }
        }
        self.shade(target)
    }

    /// Coverage and early depth test of the quad whose top left pixel is (x, y); it joins the batch if a pixel is left.
    fn quad(&mut self, triangle: &Triangle, geometry: &Geometry, [x, y]: [i32; 2], target: &mut Target) {
        let depth_state = self.pipeline.state().depth;
        let mut quad = [FragmentInput::default(); 4];
        let mut pixels = [(0, 0); 4];
        for (lane, (fragment, pixel)) in quad.iter_mut().zip(&mut pixels).enumerate() {
            let (x, y) = (x + lane as i32 % 2, y + lane as i32 / 2);
            let sample = Sample::at_pixel(triangle, x, y);
            *pixel = (x as u32, y as u32);
            *fragment = sample.fragment(triangle, &geometry.planes, &self.pipeline.interface().inputs);
            let is_shown = pixel.0 < target.width && pixel.1 < target.height;
            let mut is_live = is_shown && triangle.covers(x, y);
            if is_live && depth_state.is_used() {
                let incoming = pack_depth(fragment.position[2]);
                let write = depth_state.write && !self.pipeline.interface().may_discard;
                is_live = test_depth(DepthState { write, ..depth_state }, target, *pixel, incoming);
            }
            fragment.is_helper = !is_live;
        }
        if quad.iter().any(|fragment| !fragment.is_helper) {
            self.batch.fragments.extend(quad);
            self.batch.pixels.extend(pixels);
        }
    }

    /// Runs the fragment shader on the batch and writes what survives.
    fn shade(&mut self, target: &mut Target) -> Result<(), EvaluateError> {
        let Batch { fragments, pixels } = &mut self.batch;
        if fragments.is_empty() {
            return Ok(());
        }
        let mut outputs = [FragmentOutput::default(); BATCH];
        let outputs = &mut outputs[..fragments.len()];
        self.evaluator.run_quads(fragments, &self.resources, outputs)?;
        for ((fragment, &pixel), output) in fragments.iter().zip(pixels.iter()).zip(outputs) {
            if fragment.is_helper || output.is_discarded {
                continue;
            }
            let at = target.index(pixel.0, pixel.1);
            if self.pipeline.state().depth.write && self.pipeline.interface().may_discard {
                target.depth[at] = pack_depth(fragment.position[2]);
            }
            target.color[at] = pack_color(output.colors[0]);
        }
        fragments.clear();
        pixels.clear();
        Ok(())
    }
}

/// The depth test of one pixel: whether it passes; writes the depth if it does and the state says so.
fn test_depth(state: DepthState, target: &mut Target, (x, y): (u32, u32), incoming: u32) -> bool {
    let stored = &mut target.depth[y as usize * target.pitch as usize + x as usize];
    let passes = state.compare.passes(incoming, *stored);
    if passes && state.write {
        *stored = incoming;
    }
    passes
}
