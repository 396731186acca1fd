//! One pass on the device: its attachments and buffers are made ready, its draws run by run, what stays is kept.
//!
//! Before: [`screen`](crate::screen), pass by pass. After: `launch`, for each run.

use std::borrow::Cow;
use std::ops::Range;

use gpu_core::launcher::Launcher;

use super::Device;
use super::buffers::DeviceBuffer;
use super::error::{DeviceDrawError, on_device};
use crate::bound::{Bound, BoundBuffer};
use crate::draw::Draw;
use crate::frame::RenderError;
use crate::pass::Store;
use crate::pipeline::{BANK_STAGES, hardware_stages};
use crate::resources::StorageBuffer;
use crate::run::{Limits, divide};
use crate::screen::{Attached, View, color_loads, depth_loads};
use crate::srgb;
use crate::stopwatch::HostStage;
use crate::surface::Surface;
use crate::tile_shape::TileShape;
use crate::vertex_run::with_vertices;

/// The pass that is being drawn.
pub struct PassInHand<'a> {
    pub draws: &'a [Draw],
    pub bound: &'a [Bound<'a>],
    pub size: (u32, u32),
    pub pitch: u32,
    pub plane_words: u32,
    pub attached: Attached,
    pub shape: TileShape,
    /// Places of the colour attachments, by target.
    pub colors: Vec<usize>,
    /// Places of what they are resolved into.
    pub resolved: Vec<Option<usize>>,
    /// Place of the depth attachment.
    pub depth: Option<usize>,
    /// Writable buffers, and where they lie for the time of the pass.
    pub storages: Vec<(StorageBuffer, DeviceBuffer)>,
    /// Colours that are stored by this run, and whether depths are.
    pub kept_colors: u32,
    pub keeps_depth: bool,
}

impl Device {
    /// Draws one pass.
    pub(super) fn draw_pass(&mut self, view: &View, launcher: &mut dyn Launcher) -> Result<(), RenderError> {
        let draws = self.with_pictures(view.draws)?;
        let Self { gpu, textures, vertices, report, run, .. } = self;
        let before = run.stopwatch.turn_to(HostStage::Vertices);
        let draws =
            with_vertices(draws, view.first().size(), |run| vertices.run(gpu, textures, run, &mut *launcher, report))?;
        run.stopwatch.turn_to(before);
        let bound =
            (0..).zip(draws.iter()).map(|(index, draw)| Bound::of(index, draw)).collect::<Result<Vec<_>, _>>()?;
        let runs = divide(&draws, &bound, view.first().size());
        let mut pass = self.begin(view, &draws, &bound).map_err(on_device(0))?;
        let discarded = view.colors.iter().enumerate().filter(|(_, color)| color.store == Store::Discard);
        let discarded: u32 = discarded.map(|(target, _)| 1 << target).sum();
        let discards_depth = view.depth.as_ref().is_some_and(|depth| depth.store == Store::Discard);
        // Between runs everything has to be in memory.
        if runs.len() == 1 {
            pass.kept_colors &= !discarded;
            pass.keeps_depth &= !discards_depth;
        }
        let mut drawn = Ok(());
        for mut range in runs {
            // As many draws as there are banks of texture stages for; more than one launch, too, must find all in memory.
            while !range.is_empty() && drawn.is_ok() {
                drawn = self.prepare_run(&pass, &mut range).and_then(|done| {
                    if !range.is_empty() {
                        (pass.kept_colors, pass.keeps_depth) = (u32::MAX, true);
                    }
                    let draw = done.start;
                    self.launch(&pass, done, launcher).map_err(on_device(draw))
                });
            }
        }
        self.end(view, pass).map_err(on_device(0)).and(drawn)
    }

    /// The draws with pictures of the surfaces that they sample.
    fn with_pictures<'a>(&mut self, draws: &'a [Draw]) -> Result<Cow<'a, [Draw]>, RenderError> {
        if !draws.iter().any(|draw| draw.bindings.has_surfaces()) {
            return Ok(Cow::Borrowed(draws));
        }
        let pictured = draws.iter().enumerate().map(|(index, draw)| {
            let picture = |surface: &Surface| self.surfaces.picture(&mut self.gpu, surface);
            let bindings = draw.bindings.with_pictures(picture).map_err(on_device(index))?;
            Ok(draw.clone().with_bindings(bindings))
        });
        pictured.collect::<Result<Vec<_>, RenderError>>().map(Cow::Owned)
    }

    /// Makes the attachments and writable buffers of a pass ready.
    fn begin<'a>(
        &mut self,
        view: &View,
        draws: &'a [Draw],
        bound: &'a [Bound<'a>],
    ) -> Result<PassInHand<'a>, DeviceDrawError> {
        let attached = view.attached();
        let shape = TileShape::for_pass(self.gpu.config(), attached.words_per_pixel())?.with_samples(attached.samples);
        self.shape = shape;
        let first = view.first();
        let mut pass = PassInHand {
            draws,
            bound,
            size: first.size(),
            pitch: first.pitch(),
            plane_words: first.plane_words() as u32,
            attached,
            shape,
            colors: Vec::new(),
            resolved: Vec::new(),
            depth: None,
            storages: Vec::new(),
            kept_colors: u32::MAX,
            keeps_depth: true,
        };
        let Self { gpu, surfaces, marks, srgb, .. } = self;
        marks.resize(gpu, if self.marks_shaded { 4 * pass.plane_words } else { 0 })?;
        let is_encoded = attached.colors.iter().flatten().any(|format| format.is_srgb());
        srgb.write(gpu, if is_encoded { bytemuck::cast_slice(&srgb::TABLES[..]) } else { &[] })?;
        for color in &view.colors {
            let loads = color_loads(color);
            pass.colors.push(surfaces.begin(gpu, &color.surface, &loads, shape.tile_side_log2)?);
            let resolved = match &color.resolve {
                None => None,
                Some(into) => Some(surfaces.begin_resolved(gpu, &color.surface, into, &loads, shape.tile_side_log2)?),
            };
            pass.resolved.push(resolved);
        }
        if let Some(depth) = &view.depth {
            let loads = depth_loads(depth);
            pass.depth = Some(surfaces.begin(gpu, &depth.surface, &loads, shape.tile_side_log2)?);
        }
        for buffer in bound.iter().flat_map(|bound| &bound.buffers) {
            let BoundBuffer::Storage(buffer) = buffer else { continue };
            if !pass.storages.iter().any(|(known, _)| known.is_same(buffer)) {
                let mut on_device = DeviceBuffer::new("storage buffer");
                on_device.write(gpu, &buffer.bytes())?;
                pass.storages.push(((*buffer).clone(), on_device));
            }
        }
        Ok(pass)
    }

    /// Ends a pass: what is discarded is 0, what shaders wrote goes back to its owners.
    fn end(&mut self, view: &View, pass: PassInHand) -> Result<(), DeviceDrawError> {
        let side_log2 = pass.shape.tile_side_log2;
        for (color, place) in view.colors.iter().zip(&pass.colors) {
            if color.store == Store::Discard {
                self.surfaces.at(*place).discard(pass.size, side_log2);
            }
        }
        if let (Some(depth), Some(place)) = (&view.depth, pass.depth)
            && depth.store == Store::Discard
        {
            self.surfaces.at(place).discard(pass.size, side_log2);
        }
        for buffer in pass.bound.iter().flat_map(|bound| &bound.buffers) {
            if let BoundBuffer::Texels(texture) = buffer {
                self.textures.read_back(&self.gpu, texture)?;
            }
        }
        for (buffer, on_device) in pass.storages {
            let mut bytes = vec![0; buffer.size()];
            self.gpu.memory().read(on_device.address(), &mut bytes)?;
            buffer.replace(bytes);
            on_device.release(&mut self.gpu)?;
        }
        Ok(())
    }

    /// Prepares draws from the start of `range`, and takes them off it.
    fn prepare_run(&mut self, pass: &PassInHand, range: &mut Range<usize>) -> Result<Range<usize>, RenderError> {
        let Self { gpu, run, textures, .. } = self;
        let PassInHand { draws, bound, size, shape, .. } = pass;
        let most_banks = gpu.config().texture_stages as usize / BANK_STAGES;
        let limits = Limits { size: *size, shape: *shape, most_banks };
        let done = run.prepare(draws, bound, range.clone(), limits, |draw, slot| {
            let stage = &bound[draw].stages[slot];
            let address = textures.address(gpu, stage.texture).map_err(on_device(draw))?;
            stage.image.stage(address.0, stage.sampling()).map_err(|cause| RenderError::Texture {
                draw,
                name: draws[draw].pipeline.stages()[slot].texture.name.clone(),
                cause,
            })
        })?;
        if done.is_empty() {
            let draw = done.start;
            let needed = hardware_stages(draws[draw].pipeline.stages());
            let available = gpu.config().texture_stages;
            return Err(on_device(draw)(DeviceDrawError::TextureStages { needed, available }));
        }
        range.start = done.end;
        Ok(done)
    }
}
