//! The pipeline in plain Rust, slow and obvious: what a reader reads first, and what the device must match.
//!
//! Before: [`frame`](crate::frame). After: [`target`](crate::target). For each draw the host stages of
//! [`geometry`](crate::geometry) give triangles; each triangle is walked in quads of 2 × 2 pixels, because a fragment
//! shader's derivatives are differences within a quad:
//!
//! coverage → stencil and depth, early → interpolation → fragment shader → alpha test → stencil and depth, late → fog →
//! blending or logic operation → colour mask.
//!
//! Stencil and depth are tested early unless that could leave a stencil value of a fragment that is dropped later; a depth
//! that may yet be dropped is written late. A dropped fragment changes nothing at all.

mod alpha;
mod blend;
mod fog;
mod interpolate;
mod samples;
mod stencil;

use shaders::evaluate::{
    BoundTexture, EvaluateError, Evaluator, FragmentBuffer, FragmentInput, FragmentOutput, FragmentResources,
};

use crate::bound::Bound;
use crate::check::check;
use crate::frame::{Backend, Draw, Frame, RenderError};
use crate::geometry::Geometry;
use crate::geometry::setup::Triangle;
use crate::pipeline::Pipeline;
use crate::state::constants::Prepared;
use crate::target::{Target, color_word};
use crate::unit_range::saturate;
use interpolate::{Sample, inverse};
use samples::Writes;

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
            constants: draw.dynamic.constants.prepared(draw.pipeline.state().fog.mode),
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
        check(frame)?;
        let (color_format, depth_format) = frame.formats()?;
        let color = color_word(color_format, frame.clear.color);
        let depth = depth_format.words_of(frame.clear.depth, frame.clear.stencil);
        let mut target = Target::with_format(frame.width, frame.height, depth_format, color, depth)?;
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
    constants: Prepared,
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

    /// Coverage and early tests of the quad whose top left pixel is (x, y); it joins the batch if a pixel is left.
    fn quad(&mut self, triangle: &Triangle, geometry: &Geometry, [x, y]: [i32; 2], target: &mut Target) {
        let mut quad = [FragmentInput::default(); 4];
        let mut pixels = [(0, 0); 4];
        for (lane, (fragment, pixel)) in quad.iter_mut().zip(&mut pixels).enumerate() {
            let (x, y) = (x + lane as i32 % 2, y + lane as i32 / 2);
            let sample = Sample::at_pixel(triangle, x, y);
            *pixel = (x as u32, y as u32);
            *fragment = sample.fragment(triangle, &geometry.planes, &self.pipeline.interface().inputs);
            let is_shown = pixel.0 < target.width && pixel.1 < target.height;
            let mut is_live = is_shown && triangle.covers(x, y);
            if is_live && !self.pipeline.tests_late() {
                let writes = if self.pipeline.may_drop() { Writes::None } else { Writes::AsStated };
                is_live = self.test(target, *pixel, fragment, writes);
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
        let fragments = &self.batch.fragments;
        if fragments.is_empty() {
            return Ok(());
        }
        let mut outputs = [FragmentOutput::default(); BATCH];
        let outputs = &mut outputs[..fragments.len()];
        self.evaluator.run_quads(fragments, &self.resources, outputs)?;
        let batch = std::mem::take(&mut self.batch);
        for ((fragment, &pixel), output) in batch.fragments.iter().zip(&batch.pixels).zip(outputs) {
            if !fragment.is_helper && !output.is_discarded {
                self.write(target, pixel, fragment, output.colors[0]);
            }
        }
        // Their memory is used again.
        self.batch = batch;
        self.batch.fragments.clear();
        self.batch.pixels.clear();
        Ok(())
    }

    /// Stencil and depth test of a fragment.
    fn test(&self, target: &mut Target, (x, y): (u32, u32), fragment: &FragmentInput, writes: Writes) -> bool {
        let state = self.pipeline.state();
        let depth = state.depth_format.value_of(fragment.position[2]);
        let references = self.constants.stencil_reference;
        samples::test(&state, target, target.index(x, y), depth, fragment.is_front_facing, references, writes)
    }

    /// Everything that comes after the fragment shader.
    fn write(&self, target: &mut Target, (x, y): (u32, u32), fragment: &FragmentInput, color: [f32; 4]) {
        let state = self.pipeline.state();
        let at = target.index(x, y);
        let color = color.map(saturate);
        if !alpha::passes(state.alpha_test, color[3], self.constants.alpha_reference) {
            return;
        }
        if self.pipeline.tests_late() {
            if !self.test(target, (x, y), fragment, Writes::AsStated) {
                return;
            }
        } else if self.pipeline.may_drop() && state.depth.write {
            samples::store_depth(target, at, state.depth_format.value_of(fragment.position[2]));
        }
        let [.., z, inverse_w] = fragment.position;
        let color = fog::fogged(state.fog, &self.constants, color, inverse(inverse_w), z);
        target.color[at] = blend::written(state.targets[0], state.logic, self.constants.blend, color, target.color[at]);
    }
}
