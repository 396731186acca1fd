//! A frame as passes: the picture is drawn into surfaces that its backend keeps from frame to frame.
//!
//! Before: `frame`. After: both backends, which draw [`View`]s and know no frames.

use std::borrow::Cow;

use shaders::interface::COLOR_TARGETS;

use crate::bound::Bound;
use crate::check::check_draw;
use crate::depth_value::{DEPTH24_BITS, DEPTH24_MASK};
use crate::draw::Draw;
use crate::format::{ColorFormat, DepthFormat};
use crate::frame::{Frame, RenderError};
use crate::geometry::pixel_box::PixelBox;
use crate::pass::{ColorAttachment, DepthAttachment, Load, Pass, PassError, Store};
use crate::pipeline::Pipeline;
use crate::resources::{Resource, Texture};
use crate::srgb;
use crate::surface::{Samples, Surface, SurfaceFormat};
use crate::target::color_word;

/// What a pass has to draw into, as kernels are made for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attached {
    /// By `@location`.
    pub colors: [Option<ColorFormat>; COLOR_TARGETS],
    /// One bit for each colour that is averaged when its tile goes out.
    pub resolved: u32,
    /// Depth and stencil.
    pub depth: Option<DepthFormat>,
    /// Of a pixel.
    pub samples: Samples,
}

impl Attached {
    /// Words that a pixel of a resident tile takes. There is room for a colour and a depth also
    /// where there is none.
    pub fn words_per_pixel(&self) -> u32 {
        let depth = self.depth.map_or(1, DepthFormat::words_per_sample);
        (self.color_count().max(1) + depth) * self.samples.count()
    }

    /// Colour attachments.
    pub fn color_count(&self) -> u32 {
        self.colors.iter().flatten().count() as u32
    }

    /// The colours that a pipeline draws into, a bit each: there is an attachment, and the shader writes it.
    pub fn colors_of(&self, pipeline: &Pipeline) -> u32 {
        let is_drawn = |target: &u32| {
            let target = *target as usize;
            self.colors[target].is_some()
                && pipeline.interface().color_components(target as u32) > 0
                && pipeline.state().targets[target].written_bits() != 0
        };
        (0..COLOR_TARGETS as u32).filter(is_drawn).map(|target| 1 << target).sum()
    }
}

/// One pass as a backend draws it.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The pass's name; a frame's picture has none.
    pub label: Option<&'a str>,
    /// The colour attachments.
    pub colors: Vec<ColorAttachment>,
    /// The depth-stencil attachment.
    pub depth: Option<DepthAttachment>,
    /// What to draw.
    pub draws: &'a [Draw],
}

impl<'a> View<'a> {
    /// A pass that `Pass::check` has let through.
    fn of(pass: &'a Pass) -> Self {
        let (colors, depth) = (pass.colors.clone(), pass.depth.clone());
        Self { label: Some(&pass.label), colors, depth, draws: &pass.draws }
    }

    /// The first attachment, whose size and sample count the others share.
    pub fn first(&self) -> &Surface {
        let depth = || self.depth.as_ref().map(|depth| &depth.surface);
        self.colors
            .first()
            .map(|color| &color.surface)
            .or_else(depth)
            .expect("a pass was checked to have an attachment")
    }

    /// What kernels are made for.
    pub fn attached(&self) -> Attached {
        let mut colors = [None; COLOR_TARGETS];
        let mut resolved = 0;
        for (target, attachment) in self.colors.iter().enumerate() {
            if let SurfaceFormat::Color(format) = attachment.surface.format() {
                colors[target] = Some(format);
            }
            resolved |= u32::from(attachment.resolve.is_some()) << target;
        }
        let depth = self.depth.as_ref().and_then(|depth| match depth.surface.format() {
            SurfaceFormat::Depth(format) => Some(format),
            SurfaceFormat::Color(_) => None,
        });
        Attached { colors, resolved, depth, samples: self.first().samples() }
    }

    /// Refuses what a draw alone can have wrong, and draws that ask for what the pass does not have.
    fn check(&self) -> Result<(), RenderError> {
        for (index, draw) in self.draws.iter().enumerate() {
            check_draw(index, draw)?;
            self.check_formats(index, draw).map_err(|cause| {
                let pass = self.label.unwrap_or("picture").to_owned();
                RenderError::Pass { pass, cause }
            })?;
            if draw.bindings.has_surfaces() {
                // What is drawn there later is bound as if it were there; only the size can matter.
                let bindings =
                    draw.bindings.with_pictures(|surface| Ok::<_, RenderError>(Texture::blank_of(surface)))?;
                let draw = draw.clone().with_bindings(bindings);
                Bound::of(index, &draw)?;
                Bound::of_vertex(index, &draw)?;
            } else {
                Bound::of(index, draw)?;
                Bound::of_vertex(index, draw)?;
            }
        }
        Ok(())
    }

    /// A draw's pipeline is made for what is attached, as far as it uses it.
    fn check_formats(&self, index: usize, draw: &Draw) -> Result<(), PassError> {
        let state = draw.pipeline.state();
        let attached = self.attached();
        let format = |pipeline, surface: &Surface| PassError::Format {
            draw: index,
            pipeline,
            surface: surface.label().to_owned(),
            format: surface.format(),
        };
        for (target, color) in self.colors.iter().enumerate() {
            let made_for = SurfaceFormat::Color(state.targets[target].format);
            if attached.colors_of(&draw.pipeline) >> target & 1 != 0 && color.surface.format() != made_for {
                return Err(format(made_for, &color.surface));
            }
        }
        if !state.depth.is_used() && !state.stencil.is_used() {
            return Ok(());
        }
        let Some(depth) = &self.depth else { return Err(PassError::NoDepth { draw: index }) };
        let made_for = SurfaceFormat::Depth(state.depth_format);
        if depth.surface.format() == made_for { Ok(()) } else { Err(format(made_for, &depth.surface)) }
    }

    /// Names the pass in an error of one of its draws.
    pub fn named(&self, cause: RenderError) -> RenderError {
        match self.label {
            Some(label) => RenderError::InPass { pass: label.to_owned(), cause: Box::new(cause) },
            None => cause,
        }
    }
}

/// The surfaces of a frame's picture.
#[derive(Clone, Debug)]
pub struct Screen {
    /// One sample a pixel: the picture.
    pub color: Surface,
    /// Several samples a pixel, if the frame asks for them.
    pub many: Option<Surface>,
    /// As many samples as are drawn.
    pub depth: Surface,
}

impl Screen {
    /// Surfaces for a frame: those at hand, or new ones where they do not fit.
    pub fn for_frame(at_hand: Option<Self>, frame: &Frame) -> Result<Self, RenderError> {
        let size = (frame.width, frame.height);
        let (color_format, depth_format) = frame.formats()?;
        let formats = [SurfaceFormat::Color(color_format), SurfaceFormat::Depth(depth_format)];
        if let Some(screen) = at_hand
            && screen.color.size() == size
            && screen.depth.samples() == frame.samples
            && [screen.color.format(), screen.depth.format()] == formats
        {
            return Ok(screen);
        }
        let color = |samples| Surface::color("picture", size, color_format, samples);
        let many = if frame.samples == Samples::One { None } else { Some(color(frame.samples)?) };
        let depth = Surface::depth("depth of the picture", size, depth_format, frame.samples)?;
        Ok(Self { color: color(Samples::One)?, many, depth })
    }

    /// Of all depth words those of each pixel's first sample.
    pub fn first_samples(&self, words: Cow<'_, [u32]>) -> Vec<u32> {
        let (plane, samples) = (self.depth.plane_words(), self.depth.samples().count() as usize);
        if samples == 1 {
            return words.into_owned();
        }
        words.chunks(plane).step_by(samples).collect::<Vec<_>>().concat()
    }

    /// Everything a frame asks for, in order and checked: its passes, then its picture.
    pub fn views<'a>(&self, frame: &'a Frame) -> Result<Vec<View<'a>>, RenderError> {
        let mut views = Vec::with_capacity(frame.passes.len() + 1);
        for pass in &frame.passes {
            pass.check().map_err(|cause| RenderError::Pass { pass: pass.label.clone(), cause })?;
            views.push(View::of(pass));
        }
        let color = ColorAttachment::cleared(self.many.as_ref().unwrap_or(&self.color), frame.clear.color);
        let color = if self.many.is_some() { color.resolved_into(&self.color) } else { color };
        let depth = DepthAttachment {
            surface: self.depth.clone(),
            load: Load::Clear(frame.clear.depth),
            stencil_load: Load::Clear(frame.clear.stencil),
            store: Store::Store,
        };
        views.push(View { label: None, colors: vec![color], depth: Some(depth), draws: &frame.draws });
        for view in &views {
            view.check().map_err(|cause| match cause {
                RenderError::Pass { .. } => cause,
                cause => view.named(cause),
            })?;
            check_storage(view)?;
        }
        Ok(views)
    }
}

/// No buffer or texture is read by one binding and written by another in one pass, and none is written by two bindings of a draw.
fn check_storage(view: &View) -> Result<(), RenderError> {
    let mut uses: Vec<(usize, &Resource, bool)> = Vec::new();
    for (draw, made) in view.draws.iter().enumerate() {
        let buffers = made.pipeline.interface().buffers.iter().chain(made.vertex_buffers());
        let buffers = buffers.map(|place| (&place.name, place.group, place.binding, place.is_written));
        // Storage textures are among the buffers.
        let sampled = made.texture_stages().filter(|stage| !stage.kind.is_storage()).map(|stage| &stage.texture);
        let sampled = sampled.map(|place| (&place.name, place.group, place.binding, false));
        for (name, group, binding, is_written) in buffers.chain(sampled) {
            let Some(resource) = made.bindings.get(group, binding) else { continue };
            let conflicts = |&&(other_draw, other, other_writes): &&(usize, &Resource, bool)| {
                resource.shares_memory_with(other) && (is_written != other_writes || (is_written && other_draw == draw))
            };
            if uses.iter().find(conflicts).is_some() {
                let pass = view.label.unwrap_or("picture").to_owned();
                let cause = PassError::Storage { draw, name: name.clone(), group, binding };
                return Err(RenderError::Pass { pass, cause });
            }
            uses.push((draw, resource, is_written));
        }
    }
    Ok(())
}

/// What happens to a word of every sample of a surface before a pass.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct WordLoad {
    /// Which word of a sample: 0, or 1 where there are two.
    pub word: usize,
    /// The bits of the word.
    pub mask: u32,
    /// Their value.
    pub load: Load<u32>,
}

impl WordLoad {
    /// Whether the word gets one value everywhere.
    pub const fn is_whole_clear(&self) -> bool {
        self.mask == u32::MAX && matches!(self.load, Load::Clear(_))
    }
}

/// What happens to a colour attachment.
pub fn color_loads(color: &ColorAttachment) -> [WordLoad; 1] {
    let format = match color.surface.format() {
        SurfaceFormat::Color(format) => format,
        SurfaceFormat::Depth(_) => ColorFormat::default(),
    };
    [WordLoad { word: 0, mask: u32::MAX, load: color.load.map(|value| color_word(format, *value)) }]
}

/// What happens to a depth-stencil attachment.
pub fn depth_loads(depth: &DepthAttachment) -> Vec<WordLoad> {
    let format = match depth.surface.format() {
        SurfaceFormat::Depth(format) => format,
        SurfaceFormat::Color(_) => DepthFormat::default(),
    };
    let whole = |word, load| WordLoad { word, mask: u32::MAX, load };
    let depths = depth.load.map(|value| format.words_of(*value, 0)[0]);
    match format {
        DepthFormat::Depth16 | DepthFormat::Depth32Float => vec![whole(0, depths)],
        DepthFormat::Depth32FloatStencil8 => vec![whole(0, depths), whole(1, depth.stencil_load.map(|&v| v.into()))],
        DepthFormat::Depth24Stencil8 => match (depth.load, depth.stencil_load) {
            (Load::Clear(depth), Load::Clear(stencil)) => {
                vec![whole(0, Load::Clear(format.words_of(depth, stencil)[0]))]
            }
            (Load::Load, Load::Load) => vec![whole(0, Load::Load)],
            (_, stencil) => vec![
                WordLoad { word: 0, mask: DEPTH24_MASK, load: depths },
                WordLoad { word: 0, mask: !DEPTH24_MASK, load: stencil.map(|&v| u32::from(v) << DEPTH24_BITS) },
            ],
        },
    }
}

/// Clears the words of a surface.
pub fn clear(words: &mut [u32], surface: &Surface, loads: &[WordLoad]) {
    let (width, height) = surface.size();
    let (pitch, samples) = (surface.pitch() as usize, surface.samples().count() as usize);
    let everywhere = PixelBox { x0: 0, y0: 0, x1: width as i32, y1: height as i32 };
    for (number, plane) in words.chunks_mut(surface.plane_words()).enumerate() {
        for WordLoad { mask, load, .. } in loads.iter().filter(|load| load.word == number / samples) {
            let (value, rectangle) = match load {
                Load::Load => continue,
                Load::Clear(value) => (value, everywhere),
                Load::ClearRectangle(value, rectangle) => (value, *rectangle),
            };
            for row in plane.chunks_mut(pitch).take(rectangle.y1 as usize).skip(rectangle.y0 as usize) {
                for word in &mut row[rectangle.x0 as usize..rectangle.x1 as usize] {
                    *word = *word & !mask | value & mask;
                }
            }
        }
    }
}

/// The average of a pixel's four words: byte by byte (a + b + c + d + 2) / 4, rounded down; in linear light where red,
/// green and blue are encoded.
pub fn average(format: ColorFormat, words: [u32; 4]) -> u32 {
    let byte = |shift: u32| words.map(|word| (word >> shift) as u8);
    let linear = |shift: u32| ((byte(shift).iter().map(|&byte| u32::from(byte)).sum::<u32>() + 2) >> 2) << shift;
    let light = |shift: u32| {
        let [a, b, c, d] = byte(shift).map(srgb::decode);
        srgb::encode(((a + b) + (c + d)) * 0.25) << shift
    };
    match format {
        ColorFormat::Rgba8 => linear(0) | linear(8) | linear(16) | linear(24),
        ColorFormat::Rgba8Srgb => light(0) | light(8) | light(16) | linear(24),
        // They are not averaged (`pass::check_resolve`).
        ColorFormat::Rgba8Uint | ColorFormat::Rgba8Sint | ColorFormat::R32Uint | ColorFormat::R32Sint => words[0],
    }
}

/// Averages all pixels of a colour surface of four samples.
pub fn resolve(words: &[u32], surface: &Surface) -> Vec<u32> {
    let plane = surface.plane_words();
    let format = match surface.format() {
        SurfaceFormat::Color(format) => format,
        SurfaceFormat::Depth(_) => ColorFormat::default(),
    };
    (0..plane).map(|at| average(format, [0, 1, 2, 3].map(|sample: usize| words[sample * plane + at]))).collect()
}
