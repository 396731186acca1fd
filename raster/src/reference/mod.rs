//! The pipeline in plain Rust, slow and obvious: what a reader reads first, and what the device must match.
//!
//! Before: [`screen`](crate::screen), pass by pass. After: [`target`](crate::target). For each draw the host stages of
//! [`geometry`](crate::geometry) give triangles; each triangle is walked in quads of 2 × 2 pixels, because a fragment
//! shader's derivatives are differences within a quad:
//!
//! coverage → stencil and depth, early → interpolation → fragment shader → alpha test → stencil and depth, late → fog →
//! blending or logic operation → colour mask.
//!
//! Stencil and depth are tested early unless that could leave a stencil value of a fragment that is dropped later; a depth
//! that may yet be dropped is written late. A dropped fragment changes nothing at all. Tests and everything after shading are
//! of each sample; shading is of each pixel, or of each sample if the shader asks for samples.

mod alpha;
mod blend;
mod canvas;
mod fog;
mod interpolate;
mod samples;
mod stencil;
mod vertices;

use std::cell::Cell;
use std::convert::Infallible;

use gpu_core::isa::ExtensionSet;
use shaders::evaluate::{
    BoundTexture, EvaluateError, Evaluator, FragmentBuffer, FragmentInput, FragmentOutput, FragmentResources,
};
use shaders::interface::COLOR_TARGETS;

use crate::bound::{Bound, BoundBuffer};
use crate::draw::Draw;
use crate::frame::{Backend, Frame, RenderError};
use crate::geometry::Geometry;
use crate::geometry::setup::Triangle;
use crate::pass::Store;
use crate::pipeline::Pipeline;
use crate::resources::Texture;
use crate::screen::{Attached, Screen, View, clear, color_loads, depth_loads, resolve};
use crate::state::MultisampleState;
use crate::state::constants::Prepared;
use crate::surface::{Contents, Samples, Surface, SurfaceStore};
use crate::target::Target;
use crate::unit_range::saturate;
use crate::vertex::Vertex;
use crate::vertex_run::{vertices_of, with_vertices};
use canvas::Canvas;
use interpolate::{Sample, inverse};
use samples::Writes;

/// Fragments from which on the evaluator takes them: whole quads.
const BATCH: usize = 256;

/// The last quad may add four for each sample.
const LARGEST_BATCH: usize = BATCH + 12;

/// Draws frames in plain Rust.
#[derive(Debug, Default)]
pub struct Reference {
    geometry: Geometry,
    /// One for each pipeline used lately; preparing one takes longer than shading a few quads.
    evaluators: Vec<(Pipeline, Evaluator)>,
    surfaces: SurfaceStore<Vec<u32>>,
    /// Where the last picture was drawn.
    screen: Option<Screen>,
    /// What the machine has whose pictures are to be had.
    extensions: ExtensionSet,
}

impl Reference {
    /// A reference rasterizer, for pictures as a machine without transcendental instructions draws them.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reference rasterizer for pictures as a machine with these extensions draws them.
    pub fn for_machine(extensions: ExtensionSet) -> Self {
        Self { extensions, ..Self::default() }
    }

    /// The position in `evaluators` of the evaluator of a pipeline.
    fn evaluator(&mut self, draw_index: usize, pipeline: &Pipeline) -> Result<usize, RenderError> {
        if let Some(position) = self.evaluators.iter().position(|(known, _)| known.is_same(pipeline)) {
            return Ok(position);
        }
        let evaluator = Evaluator::for_machine(pipeline.module(), self.extensions)
            .map_err(|cause| RenderError::Compile { draw: draw_index, cause: Box::new(cause) })?;
        self.evaluators.push((pipeline.clone(), evaluator));
        Ok(self.evaluators.len() - 1)
    }

    /// Draws one pass.
    fn draw_pass(&mut self, view: &View) -> Result<(), RenderError> {
        let mut draws = Vec::new();
        for draw in view.draws {
            let bindings = draw.bindings.with_pictures(|surface| {
                let contents = Contents::of(surface, self.words(surface));
                Ok::<_, RenderError>(Texture::of_contents(surface, &contents))
            })?;
            draws.push(draw.clone().with_bindings(bindings));
        }
        let draws = with_vertices(draws.into(), view.first().size(), |run| vertices::run(run, self.extensions))?;
        let mut canvas = Canvas::of(view);
        for color in &view.colors {
            let mut words = std::mem::take(self.words(&color.surface));
            clear(&mut words, &color.surface, &color_loads(color));
            canvas.colors.push(words);
        }
        if let Some(depth) = &view.depth {
            canvas.depth = std::mem::take(self.words(&depth.surface));
            clear(&mut canvas.depth, &depth.surface, &depth_loads(depth));
        }
        let drawn = draws.iter().enumerate().try_for_each(|(index, draw)| self.draw(index, draw, &mut canvas));
        for (color, mut words) in view.colors.iter().zip(canvas.colors) {
            if let Some(into) = &color.resolve {
                *self.words(into) = resolve(&words, &color.surface);
            }
            keep(color.store, &mut words);
            *self.words(&color.surface) = words;
        }
        if let Some(depth) = &view.depth {
            keep(depth.store, &mut canvas.depth);
            *self.words(&depth.surface) = canvas.depth;
        }
        drawn
    }

    /// What a surface holds; a new one is 0 everywhere.
    fn words(&mut self, surface: &Surface) -> &mut Vec<u32> {
        let new = || Ok::<_, Infallible>(vec![0; surface.words()]);
        let Ok(place) = self.surfaces.place(surface, new);
        self.surfaces.at(place)
    }

    fn draw(&mut self, draw_index: usize, draw: &Draw, canvas: &mut Canvas) -> Result<(), RenderError> {
        let bound = Bound::of(draw_index, draw)?;
        self.geometry.clear();
        self.geometry.samples = canvas.attached.samples;
        self.geometry.add(draw_index, draw, (canvas.width, canvas.height));

        // Buffers that shaders write are taken out for the time of the draw.
        let mut taken: Vec<(BoundBuffer, Vec<u8>)> = Vec::new();
        for buffer in &bound.buffers {
            let bytes = match buffer {
                BoundBuffer::Plain(_) => continue,
                BoundBuffer::Storage(buffer) => buffer.bytes(),
                BoundBuffer::Texels(texture) => texture.image().bytes.clone(),
            };
            if !taken.iter().any(|(known, _)| known.is_same(buffer)) {
                taken.push((*buffer, bytes));
            }
        }
        let written: Vec<(BoundBuffer, &[Cell<u8>])> = taken
            .iter_mut()
            .map(|(buffer, bytes)| (*buffer, Cell::from_mut(&mut bytes[..]).as_slice_of_cells()))
            .collect();
        let cells_of = |buffer: &BoundBuffer| {
            let (_, cells) = written.iter().find(|(known, _)| known.is_same(buffer)).expect("it was taken out");
            *cells
        };
        let buffers: Vec<_> = bound
            .buffers
            .iter()
            .map(|buffer| match buffer {
                BoundBuffer::Plain(buffer) => FragmentBuffer::Read(buffer.bytes()),
                BoundBuffer::Storage(_) | BoundBuffer::Texels(_) => FragmentBuffer::Write(cells_of(buffer)),
            })
            .collect();
        let mut textures = Vec::new();
        for (slot, bound) in bound.stages.iter().enumerate() {
            let image = bound.image.as_ref();
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
            attached: canvas.attached,
            batch: Batch::default(),
        };
        let drawn = self
            .geometry
            .triangles
            .iter()
            .try_for_each(|triangle| shading.triangle(triangle, &self.geometry, canvas))
            .map_err(|cause| RenderError::Evaluate { draw: draw_index, cause });
        for (buffer, bytes) in taken {
            match buffer {
                BoundBuffer::Storage(buffer) => buffer.replace(bytes),
                BoundBuffer::Texels(texture) => drop(texture.replace(bytes)),
                BoundBuffer::Plain(_) => {}
            }
        }
        drawn
    }
}

/// What stays of an attachment.
fn keep(store: Store, words: &mut [u32]) {
    if store == Store::Discard {
        words.fill(0);
    }
}

impl Backend for Reference {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        let screen = Screen::for_frame(self.screen.take(), frame)?;
        self.screen = Some(screen.clone());
        let views = screen.views(frame)?;
        self.surfaces.take_unused();
        let is_used =
            |known: &Pipeline| views.iter().any(|view| view.draws.iter().any(|draw| draw.pipeline.is_same(known)));
        self.evaluators.retain(|(known, _)| is_used(known));
        for view in &views {
            self.draw_pass(view).map_err(|cause| view.named(cause))?;
        }
        let (_, depth_format) = frame.formats()?;
        let mut target = Target::with_format(frame.width, frame.height, depth_format, 0, [0; 2])?;
        target.color.clone_from(self.words(&screen.color));
        target.depth = screen.first_samples((&*self.words(&screen.depth)).into());
        Ok(target)
    }

    fn read(&mut self, surface: &Surface) -> Result<Contents, RenderError> {
        Ok(Contents::of(surface, self.words(surface)))
    }

    fn vertices(&mut self, draw: &Draw) -> Result<Vec<Vertex>, RenderError> {
        vertices_of(draw, |run| vertices::run(run, self.extensions))
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
    /// Where each goes.
    places: Vec<Place>,
}

/// Where a fragment goes.
#[derive(Copy, Clone, Default)]
struct Place {
    /// Its pixel.
    pixel: (u32, u32),
    /// The samples of the pixel that it stands for and that have not failed a test: a bit each.
    live: u32,
    /// Window depth of each sample.
    depths: [f32; 4],
}

/// Everything the fragments of one draw need.
struct Shading<'a> {
    pipeline: &'a Pipeline,
    evaluator: &'a mut Evaluator,
    resources: FragmentResources<'a>,
    constants: Prepared,
    attached: Attached,
    batch: Batch,
}

impl Shading<'_> {
    /// Walks a triangle quad by quad.
    fn triangle(&mut self, triangle: &Triangle, geometry: &Geometry, canvas: &mut Canvas) -> Result<(), EvaluateError> {
        let bounds = triangle.bounds;
        for quad_y in bounds.y0 / 2..(bounds.y1 + 1) / 2 {
            for quad_x in bounds.x0 / 2..(bounds.x1 + 1) / 2 {
                self.quad(triangle, geometry, [2 * quad_x, 2 * quad_y], canvas);
                if self.batch.fragments.len() >= BATCH {
                    self.shade(canvas)?;
                }
            }
        }
        self.shade(canvas)
    }

    /// Coverage and early tests of the quad whose top left pixel is (x, y); it joins the batch if a sample is left, and
    /// once for each sample if the shader runs for each.
    fn quad(&mut self, triangle: &Triangle, geometry: &Geometry, [x, y]: [i32; 2], canvas: &mut Canvas) {
        let samples = canvas.attached.samples;
        let mask = self.pipeline.state().multisample.mask;
        let mut coverages = [0; 4];
        let mut places = [Place::default(); 4];
        for (lane, (coverage, place)) in coverages.iter_mut().zip(&mut places).enumerate() {
            let (x, y) = (x + lane as i32 % 2, y + lane as i32 / 2);
            place.pixel = (x as u32, y as u32);
            for (depth, at) in place.depths.iter_mut().zip(samples.places()) {
                *depth = Sample::at_place(triangle, x, y, *at).on(&triangle.depth);
            }
            if place.pixel.0 < canvas.width && place.pixel.1 < canvas.height {
                *coverage = triangle.coverage(x, y, samples);
            }
            place.live = *coverage & mask;
            if !self.pipeline.tests_late() {
                let writes = if self.pipeline.may_drop() { Writes::None } else { Writes::AsStated };
                for sample in (0..samples.count()).filter(|sample| (*coverage & mask) >> sample & 1 != 0) {
                    let depth = place.depths[sample as usize];
                    if !self.test(canvas, place.pixel, sample, depth, triangle.is_front, writes) {
                        place.live &= !(1 << sample);
                    }
                }
            }
        }
        let runs = if self.pipeline.interface().runs_per_sample() { samples.count() } else { 1 };
        for run in 0..runs {
            let is_alone = runs > 1;
            let of_run = |bits: u32| if is_alone { bits & 1 << run } else { bits };
            if places.iter().all(|place| of_run(place.live) == 0) {
                continue;
            }
            for (place, coverage) in places.iter().zip(coverages) {
                let (x, y) = (place.pixel.0 as i32, place.pixel.1 as i32);
                let center = Sample::at_pixel(triangle, x, y);
                // The centroid is the centre where all samples are covered, and where none is.
                let is_partial = coverage != 0 && coverage != samples.mask();
                let sample = if is_alone { Some(run) } else { is_partial.then(|| coverage.trailing_zeros()) };
                let at = |sample: u32| Sample::at_place(triangle, x, y, samples.places()[sample as usize]);
                let other = sample.map_or(center, at);
                let inputs = &self.pipeline.interface().inputs;
                let mut fragment = center.fragment(&other, triangle, &geometry.planes, inputs);
                if is_alone {
                    fragment.position = other.position(triangle);
                    fragment.sample_index = run;
                }
                fragment.sample_mask = if is_alone { of_run(place.live) } else { coverage };
                let live = of_run(place.live);
                fragment.is_helper = live == 0;
                self.batch.fragments.push(fragment);
                self.batch.places.push(Place { live, ..*place });
            }
        }
    }

    /// Runs the fragment shader on the batch and writes what survives.
    fn shade(&mut self, canvas: &mut Canvas) -> Result<(), EvaluateError> {
        let fragments = &self.batch.fragments;
        if fragments.is_empty() {
            return Ok(());
        }
        let mut outputs = [FragmentOutput::default(); LARGEST_BATCH];
        let outputs = &mut outputs[..fragments.len()];
        self.evaluator.run_quads(fragments, &self.resources, outputs)?;
        let batch = std::mem::take(&mut self.batch);
        for ((fragment, place), output) in batch.fragments.iter().zip(&batch.places).zip(outputs) {
            if fragment.is_helper || output.is_discarded {
                continue;
            }
            let mut live = place.live & output.mask;
            let state = self.pipeline.state();
            if state.multisample.alpha_to_coverage && canvas.attached.samples != Samples::One {
                live &= MultisampleState::coverage_of_alpha(output.colors[0][3]);
            }
            for sample in (0..canvas.attached.samples.count()).filter(|sample| live >> sample & 1 != 0) {
                let is_given = self.pipeline.interface().writes_depth();
                let depth = if is_given { output.depth } else { place.depths[sample as usize] };
                self.write(canvas, place.pixel, sample, depth, fragment, &output.colors);
            }
        }
        // Their memory is used again.
        self.batch = batch;
        self.batch.fragments.clear();
        self.batch.places.clear();
        Ok(())
    }

    /// Stencil and depth test of a sample.
    fn test(
        &self,
        canvas: &mut Canvas,
        pixel: (u32, u32),
        sample: u32,
        depth: f32,
        is_front: bool,
        writes: Writes,
    ) -> bool {
        let state = self.pipeline.state();
        let depth = canvas.depth_format().value_of(depth);
        let references = self.constants.stencil_reference;
        samples::test(&state, canvas, canvas.index(pixel, sample), depth, is_front, references, writes)
    }

    /// Everything that comes after the fragment shader, for one sample.
    fn write(
        &self,
        canvas: &mut Canvas,
        pixel: (u32, u32),
        sample: u32,
        depth: f32,
        fragment: &FragmentInput,
        colors: &[[f32; 4]; COLOR_TARGETS],
    ) {
        let state = self.pipeline.state();
        let at = canvas.index(pixel, sample);
        if !alpha::passes(state.alpha_test, saturate(colors[0][3]), self.constants.alpha_reference) {
            return;
        }
        if self.pipeline.tests_late() {
            if !self.test(canvas, pixel, sample, depth, fragment.is_front_facing, Writes::AsStated) {
                return;
            }
        } else if self.pipeline.may_drop() && state.depth.write {
            samples::store_depth(canvas, at, canvas.depth_format().value_of(depth));
        }
        let [.., z, inverse_w] = fragment.position;
        for (number, target) in canvas.colors.iter_mut().enumerate() {
            if self.attached.colors_of(self.pipeline) >> number & 1 == 0 {
                continue;
            }
            let made_for = state.targets[number];
            if made_for.format.is_integer() {
                let color = colors[number].map(f32::to_bits);
                target[at] = blend::written_integers(made_for, state.logic, color, target[at]);
                continue;
            }
            let color = colors[number].map(saturate);
            let color = fog::fogged(state.fog, &self.constants, color, inverse(inverse_w), z);
            target[at] = blend::written(made_for, state.logic, self.constants.blend, color, target[at]);
        }
    }
}
