//! Passes: what is drawn into which surfaces, what is there first, and what stays.
//!
//! Before: a scene. After: the backends. [`Pass::check`] refuses what cannot be drawn, before anything is; then every
//! surface is as it was. The rules are WebGPU's (`GPURenderPassDescriptor`), and beside them a clear may have a rectangle.

use shaders::interface::COLOR_TARGETS;

use crate::draw::Draw;
use crate::geometry::pixel_box::PixelBox;
use crate::resources::Resource;
use crate::surface::{Samples, Surface, SurfaceFormat};

/// What an attachment holds before the pass's first draw.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Load<T> {
    /// What it held before.
    Load,
    /// This value everywhere.
    Clear(T),
    /// This value in a rectangle, half open and inside the surface; what it held before elsewhere.
    ClearRectangle(T, PixelBox),
}

impl<T> Load<T> {
    /// The value and where, if something is cleared.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Load => None,
            Self::Clear(value) | Self::ClearRectangle(value, _) => Some(value),
        }
    }

    /// The same with another value.
    pub fn map<U>(&self, f: impl FnOnce(&T) -> U) -> Load<U> {
        match self {
            Self::Load => Load::Load,
            Self::Clear(value) => Load::Clear(f(value)),
            Self::ClearRectangle(value, rectangle) => Load::ClearRectangle(f(value), *rectangle),
        }
    }
}

/// What becomes of an attachment after the pass's last draw.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// It keeps what was drawn.
    #[default]
    Store,
    /// Nobody needs it: afterwards every word is 0, and it need not be written.
    Discard,
}

/// A colour attachment.
#[derive(Clone, Debug)]
pub struct ColorAttachment {
    /// Where `@location` of the same number goes.
    pub surface: Surface,
    /// A surface of one sample that gets the average of a pixel's samples when the pass ends.
    pub resolve: Option<Surface>,
    /// What is there first: red, green, blue, alpha in [0, 1].
    pub load: Load<[f32; 4]>,
    /// What stays of `surface`.
    pub store: Store,
}

impl ColorAttachment {
    /// Cleared first, kept after.
    pub fn cleared(surface: &Surface, color: [f32; 4]) -> Self {
        Self { surface: surface.clone(), resolve: None, load: Load::Clear(color), store: Store::Store }
    }

    /// Goes on from what is there, kept after.
    pub fn loaded(surface: &Surface) -> Self {
        Self { surface: surface.clone(), resolve: None, load: Load::Load, store: Store::Store }
    }

    /// The same, its samples averaged into `surface` at the end; only that average is kept.
    pub fn resolved_into(self, surface: &Surface) -> Self {
        Self { resolve: Some(surface.clone()), store: Store::Discard, ..self }
    }
}

/// The depth-stencil attachment.
#[derive(Clone, Debug)]
pub struct DepthAttachment {
    /// Where depths and stencil values are.
    pub surface: Surface,
    /// The depths first, 0 near to 1 far.
    pub load: Load<f32>,
    /// The stencil values first; without meaning for a format without them.
    pub stencil_load: Load<u8>,
    /// What stays of both.
    pub store: Store,
}

impl DepthAttachment {
    /// Cleared to this depth and stencil 0, kept after.
    pub fn cleared(surface: &Surface, depth: f32) -> Self {
        let load = Load::Clear(depth);
        Self { surface: surface.clone(), load, stencil_load: Load::Clear(0), store: Store::Store }
    }

    /// Goes on from what is there, kept after.
    pub fn loaded(surface: &Surface) -> Self {
        Self { surface: surface.clone(), load: Load::Load, stencil_load: Load::Load, store: Store::Store }
    }
}

/// Draws with what they are drawn into.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// Names it in messages.
    pub label: String,
    /// `@location(0)` and so on; at most four. A location without attachment is drawn nowhere.
    pub colors: Vec<ColorAttachment>,
    /// Depth and stencil, if there are any.
    pub depth: Option<DepthAttachment>,
    /// Drawn in this order.
    pub draws: Vec<Draw>,
}

/// A pass that cannot be drawn. Attachments are named by their surface's label.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PassError {
    /// Nothing to draw into.
    #[error("it has no attachment")]
    Nothing,
    /// More than [`COLOR_TARGETS`].
    #[error("it has {count} colour attachments; the limit is {COLOR_TARGETS}")]
    TooManyColors {
        /// How many.
        count: usize,
    },
    /// A depth surface as colour or the other way round.
    #[error("`{surface}` has format {format:?}, which is not for {needed}")]
    Kind {
        /// Its label.
        surface: String,
        /// What it has.
        format: SurfaceFormat,
        /// What it is attached as.
        needed: &'static str,
    },
    /// Attachments of different sizes.
    #[error("`{surface}` has {} x {} pixels, `{first}` has {} x {}; all attachments need one size", size.0, size.1, first_size.0, first_size.1)]
    Size {
        /// Its label.
        surface: String,
        /// Its size.
        size: (u32, u32),
        /// The first attachment.
        first: String,
        /// Its size.
        first_size: (u32, u32),
    },
    /// Attachments of different sample counts.
    #[error("`{surface}` has {} samples a pixel, `{first}` has {}; all attachments need one count", samples.count(), first_samples.count())]
    SampleCount {
        /// Its label.
        surface: String,
        /// Its samples.
        samples: Samples,
        /// The first attachment.
        first: String,
        /// Its samples.
        first_samples: Samples,
    },
    /// One surface attached twice.
    #[error("`{surface}` is attached twice")]
    Twice {
        /// Its label.
        surface: String,
    },
    /// A resolve that is none.
    #[error("`{from}` ({} samples, {from_format:?}) cannot be resolved into `{into}` ({} samples, {into_format:?}); it takes 4 samples into 1 of the same format, of colours", from_samples.count(), into_samples.count())]
    Resolve {
        /// The attachment.
        from: String,
        /// Its samples.
        from_samples: Samples,
        /// Its format.
        from_format: SurfaceFormat,
        /// Where it goes.
        into: String,
        /// Its samples.
        into_samples: Samples,
        /// Its format.
        into_format: SurfaceFormat,
    },
    /// A clear value out of range.
    #[error("`{surface}` is cleared to depth {depth}; a depth is from 0 to 1")]
    ClearDepth {
        /// Its label.
        surface: String,
        /// The value.
        depth: f32,
    },
    /// A clear value that is not a number.
    #[error("`{surface}` is cleared to {color:?}; a colour is made of numbers")]
    ClearColor {
        /// Its label.
        surface: String,
        /// The value.
        color: [f32; 4],
    },
    /// A clear beyond the surface.
    #[error("`{surface}` is cleared in columns {}..{}, rows {}..{}, but has {} x {} pixels", rectangle.x0, rectangle.x1, rectangle.y0, rectangle.y1, size.0, size.1)]
    ClearRectangle {
        /// Its label.
        surface: String,
        /// Where.
        rectangle: PixelBox,
        /// Its size.
        size: (u32, u32),
    },
    /// A draw whose pipeline was made for another format.
    #[error("draw {draw} has a pipeline for {pipeline:?}, but `{surface}` has format {format:?}")]
    Format {
        /// Which draw of the pass.
        draw: usize,
        /// What its state says.
        pipeline: SurfaceFormat,
        /// The attachment's label.
        surface: String,
        /// What it has.
        format: SurfaceFormat,
    },
    /// A draw tests or writes depths where there are none.
    #[error("draw {draw} uses the depth buffer, and the pass has none")]
    NoDepth {
        /// Which draw of the pass.
        draw: usize,
    },
    /// A buffer that is written and also used otherwise.
    #[error(
        "draw {draw}: the buffer of `{name}` (group {group}, binding {binding}) is written in this pass and bound \
         elsewhere in it, to be read or by the same draw"
    )]
    Storage {
        /// Which draw of the pass.
        draw: usize,
        /// Its name in the shader.
        name: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
    /// A draw reads what the pass writes.
    #[error("draw {draw} samples `{surface}` (group {group}, binding {binding}), which the pass draws into")]
    Feedback {
        /// Which draw of the pass.
        draw: usize,
        /// Its label.
        surface: String,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
}

impl Pass {
    /// Width and height of the attachments, and samples of their pixels; a pass that `check` lets through has some.
    pub fn extent(&self) -> Option<((u32, u32), Samples)> {
        let color = self.colors.first().map(|color| &color.surface);
        let first = color.or_else(|| self.depth.as_ref().map(|depth| &depth.surface))?;
        Some((first.size(), first.samples()))
    }

    /// Every surface the pass writes.
    fn written(&self) -> impl Iterator<Item = &Surface> {
        let colors = self.colors.iter().flat_map(|color| std::iter::once(&color.surface).chain(&color.resolve));
        colors.chain(self.depth.iter().map(|depth| &depth.surface))
    }

    /// Refuses what cannot be drawn, apart from what concerns a draw alone.
    pub fn check(&self) -> Result<(), PassError> {
        if self.colors.len() > COLOR_TARGETS {
            return Err(PassError::TooManyColors { count: self.colors.len() });
        }
        let colors = self.colors.iter().map(|color| &color.surface);
        let attached: Vec<_> = colors.chain(self.depth.iter().map(|depth| &depth.surface)).collect();
        let Some(&first) = attached.first() else { return Err(PassError::Nothing) };
        for surface in attached {
            check_size(surface, first)?;
            let (label, samples) = (surface.label().to_owned(), surface.samples());
            if samples != first.samples() {
                let (first, first_samples) = (first.label().to_owned(), first.samples());
                return Err(PassError::SampleCount { surface: label, samples, first, first_samples });
            }
        }
        for color in &self.colors {
            let surface = &color.surface;
            let SurfaceFormat::Color(_) = surface.format() else { return Err(wrong_kind(surface, "colours")) };
            check_rectangle(surface, &color.load)?;
            if let Some(value) = color.load.value().filter(|value| value.iter().any(|channel| !channel.is_finite())) {
                return Err(PassError::ClearColor { surface: surface.label().to_owned(), color: *value });
            }
            if let Some(into) = &color.resolve {
                check_resolve(surface, into, first)?;
            }
        }
        if let Some(depth) = &self.depth {
            let surface = &depth.surface;
            let SurfaceFormat::Depth(_) = surface.format() else { return Err(wrong_kind(surface, "depths")) };
            check_rectangle(surface, &depth.load)?;
            check_rectangle(surface, &depth.stencil_load)?;
            if let Some(value) = depth.load.value().filter(|value| !(0.0..=1.0).contains(*value)) {
                return Err(PassError::ClearDepth { surface: surface.label().to_owned(), depth: *value });
            }
        }
        let written: Vec<_> = self.written().collect();
        for (place, surface) in written.iter().enumerate() {
            if written[..place].iter().any(|other| other.is_same(surface)) {
                return Err(PassError::Twice { surface: surface.label().to_owned() });
            }
        }
        self.check_sampled(&written)
    }

    /// No draw samples what the pass writes.
    fn check_sampled(&self, written: &[&Surface]) -> Result<(), PassError> {
        for (draw_index, draw) in self.draws.iter().enumerate() {
            // What the shader does not use may be bound.
            for place in draw.texture_stages().map(|stage| &stage.texture) {
                let (group, binding) = (place.group, place.binding);
                let Some(Resource::Surface(surface)) = draw.bindings.get(group, binding) else { continue };
                let (label, draw) = (surface.label().to_owned(), draw_index);
                if written.iter().any(|other| other.is_same(surface)) {
                    return Err(PassError::Feedback { draw, surface: label, group, binding });
                }
            }
        }
        Ok(())
    }
}

fn wrong_kind(surface: &Surface, needed: &'static str) -> PassError {
    PassError::Kind { surface: surface.label().to_owned(), format: surface.format(), needed }
}

fn check_size(surface: &Surface, first: &Surface) -> Result<(), PassError> {
    if surface.size() == first.size() {
        return Ok(());
    }
    let (first, first_size) = (first.label().to_owned(), first.size());
    Err(PassError::Size { surface: surface.label().to_owned(), size: surface.size(), first, first_size })
}

fn check_resolve(from: &Surface, into: &Surface, first: &Surface) -> Result<(), PassError> {
    let is_average = from.samples() == Samples::Four && into.samples() == Samples::One;
    let is_integer = matches!(from.format(), SurfaceFormat::Color(format) if format.is_integer());
    if !is_average || is_integer || from.format() != into.format() {
        return Err(PassError::Resolve {
            from: from.label().to_owned(),
            from_samples: from.samples(),
            from_format: from.format(),
            into: into.label().to_owned(),
            into_samples: into.samples(),
            into_format: into.format(),
        });
    }
    check_size(into, first)
}

fn check_rectangle<T>(surface: &Surface, load: &Load<T>) -> Result<(), PassError> {
    let Load::ClearRectangle(_, rectangle) = load else { return Ok(()) };
    let (size, PixelBox { x0, y0, x1, y1 }) = (surface.size(), *rectangle);
    let is_inside = |from: i32, to: i32, side: u32| 0 <= from && from <= to && i64::from(to) <= i64::from(side);
    if is_inside(x0, x1, size.0) && is_inside(y0, y1, size.1) {
        return Ok(());
    }
    Err(PassError::ClearRectangle { surface: surface.label().to_owned(), rectangle: *rectangle, size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{ColorFormat, DepthFormat};
    use crate::resources::{Bindings, Sampler};
    use crate::{Pipeline, State, Vertex};

    fn color(label: &str, size: (u32, u32), samples: Samples) -> Surface {
        Surface::color(label, size, ColorFormat::Rgba8, samples).expect("a small size")
    }

    fn depth(label: &str, size: (u32, u32), samples: Samples) -> Surface {
        Surface::depth(label, size, DepthFormat::Depth32Float, samples).expect("a small size")
    }

    fn pass(colors: &[&Surface], depth: Option<&Surface>) -> Pass {
        let colors = colors.iter().map(|surface| ColorAttachment::cleared(surface, [0.0; 4])).collect();
        Pass { colors, depth: depth.map(|surface| DepthAttachment::cleared(surface, 1.0)), ..Pass::default() }
    }

    #[track_caller]
    fn check_refused(pass: &Pass, message: &str) {
        assert_eq!(pass.check().expect_err("it cannot be drawn").to_string(), message);
    }

    #[test]
    fn attachments_that_do_not_fit_together_are_refused_by_name() {
        let (a, z) = (color("a", (8, 4), Samples::One), depth("z", (8, 4), Samples::One));
        assert_eq!(pass(&[&a], Some(&z)).check(), Ok(()));
        assert_eq!(pass(&[], Some(&z)).check(), Ok(()));
        check_refused(&pass(&[], None), "it has no attachment");
        let many = [0; 9].map(|_| color("n", (8, 4), Samples::One));
        check_refused(&pass(&many.each_ref(), None), "it has 9 colour attachments; the limit is 8");
        let wide = color("wide", (9, 4), Samples::One);
        let message = "`wide` has 9 x 4 pixels, `a` has 8 x 4; all attachments need one size";
        check_refused(&pass(&[&a, &wide], None), message);
        let four = depth("four", (8, 4), Samples::Four);
        let message = "`four` has 4 samples a pixel, `a` has 1; all attachments need one count";
        check_refused(&pass(&[&a], Some(&four)), message);
        check_refused(&pass(&[&z], None), "`z` has format Depth(Depth32Float), which is not for colours");
        check_refused(&pass(&[], Some(&a)), "`a` has format Color(Rgba8), which is not for depths");
        check_refused(&pass(&[&a, &a], None), "`a` is attached twice");
    }

    #[test]
    fn a_resolve_takes_four_samples_into_one_of_the_same_format() {
        let (many, one) = (color("many", (8, 4), Samples::Four), color("one", (8, 4), Samples::One));
        let resolved = |from: &Surface, into: &Surface| Pass {
            colors: vec![ColorAttachment::cleared(from, [0.0; 4]).resolved_into(into)],
            ..Pass::default()
        };
        assert_eq!(resolved(&many, &one).check(), Ok(()));
        let rule = "it takes 4 samples into 1 of the same format, of colours";
        let message =
            format!("`one` (1 samples, Color(Rgba8)) cannot be resolved into `many` (4 samples, Color(Rgba8)); {rule}");
        check_refused(&resolved(&one, &many), &message);
        let encoded = Surface::color("srgb", (8, 4), ColorFormat::Rgba8Srgb, Samples::One).expect("a small size");
        let message = format!(
            "`many` (4 samples, Color(Rgba8)) cannot be resolved into `srgb` (1 samples, Color(Rgba8Srgb)); {rule}"
        );
        check_refused(&resolved(&many, &encoded), &message);
        let small = color("small", (4, 4), Samples::One);
        let message = "`small` has 4 x 4 pixels, `many` has 8 x 4; all attachments need one size";
        check_refused(&resolved(&many, &small), message);
    }

    #[test]
    fn clears_out_of_range_are_refused() {
        let (a, z) = (color("a", (8, 4), Samples::One), depth("z", (8, 4), Samples::One));
        let mut cleared = pass(&[&a], Some(&z));
        let rectangle = |x1, y0| PixelBox { x0: 2, y0, x1, y1: 4 };
        cleared.colors[0].load = Load::ClearRectangle([0.0; 4], rectangle(8, 4));
        assert_eq!(cleared.check(), Ok(()), "an empty rectangle inside is nothing");
        cleared.colors[0].load = Load::ClearRectangle([0.0; 4], rectangle(9, 0));
        check_refused(&cleared, "`a` is cleared in columns 2..9, rows 0..4, but has 8 x 4 pixels");
        cleared.colors[0].load = Load::Clear([0.0, f32::NAN, 0.0, 1.0]);
        check_refused(&cleared, "`a` is cleared to [0.0, NaN, 0.0, 1.0]; a colour is made of numbers");
        cleared.colors[0].load = Load::Load;
        cleared.depth = Some(DepthAttachment::cleared(&z, 1.5));
        check_refused(&cleared, "`z` is cleared to depth 1.5; a depth is from 0 to 1");
    }

    #[test]
    fn sampling_what_the_pass_draws_into_is_refused() {
        let source = "@group(1) @binding(2) var picture: texture_2d<f32>;
            @group(1) @binding(3) var how: sampler;
            @fragment fn main() -> @location(0) vec4<f32> { return textureSample(picture, how, vec2<f32>()); }";
        let pipeline = Pipeline::new("test.wgsl", source, "main", State::FLAT).expect("a supported shader");
        let (a, b) = (color("a", (8, 4), Samples::One), color("b", (8, 4), Samples::One));
        let sampling = |target: &Surface, sampled: &Surface| {
            let bindings = Bindings::new().with(1, 2, sampled).with(1, 3, Sampler::POINT).with(0, 0, target);
            let draw = Draw::list(&pipeline, 3, |_| Vertex::at(glam::Vec4::ONE)).with_bindings(bindings);
            Pass { draws: vec![draw.clone(), draw], ..pass(&[target], None) }
        };
        assert_eq!(sampling(&a, &b).check(), Ok(()), "what the shader does not use may be bound");
        check_refused(&sampling(&a, &a), "draw 0 samples `a` (group 1, binding 2), which the pass draws into");
    }
}
