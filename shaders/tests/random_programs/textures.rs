//! The textures that random programs read: what stands in each stage of one.

use shaders::evaluate::{BoundTexture, SamplingState};
use shaders::front_end::Module;
use shaders::interface::{StageBinding, stage_bindings};
use texture::{Filter, Format, Image, Sampling, Stage, Wrap};

/// The stages of a program, those that the machine must hold first.
pub struct Textures {
    stages: Vec<(StageBinding, Image)>,
}

impl Textures {
    pub fn of(module: &Module) -> Self {
        let image = |stage: &StageBinding| match stage.texture.name.as_str() {
            "t" => picture(),
            "floats" => numbers(Format::Rg32Float, [5, 3, 1], 3),
            _ => numbers(Format::Rgba16Uint, [4, 6, 3], 2),
        };
        let stages = stage_bindings(module).into_iter();
        Self { stages: stages.map(|stage| (stage.clone(), image(&stage))).collect() }
    }

    /// The texels of each stage.
    pub fn bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.stages.iter().map(|(_, image)| image.bytes.as_slice())
    }

    /// The registers of each stage, its texels lying at an address.
    pub fn registers(&self, addresses: &[u32]) -> Vec<Stage> {
        self.stages.iter().zip(addresses).map(|((stage, image), address)| registers(stage, image, *address)).collect()
    }

    /// How many of the stages the machine must hold.
    pub fn held(&self) -> usize {
        self.stages.iter().filter(|(stage, _)| stage.needs_hardware).count()
    }

    pub fn bound(&self) -> Vec<BoundTexture<'_>> {
        let bound =
            |(stage, image)| BoundTexture { image, stage: registers(stage, image, 0), state: state(stage, image) };
        self.stages.iter().map(|(stage, image)| bound((stage, image))).collect()
    }

    /// The words of the states of all stages, and one that is never read, so that there is a buffer in any case.
    pub fn states(&self) -> Vec<u32> {
        self.stages.iter().flat_map(|(stage, image)| state(stage, image).words()).chain([0]).collect()
    }
}

fn registers(stage: &StageBinding, image: &Image, address: u32) -> Stage {
    let sampled = Sampling { filter: Filter::Bilinear, wrap_u: Wrap::Repeat, wrap_v: Wrap::Mirror, border: 0 };
    let loaded = Sampling { filter: Filter::Point, wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, border: 0 };
    let sampling = if stage.sampler.is_some() { sampled } else { loaded };
    image.stage(address, sampling).expect("a small image")
}

fn state(stage: &StageBinding, image: &Image) -> SamplingState {
    let is_sampled = stage.sampler.is_some();
    SamplingState {
        width: image.width(),
        height: image.height(),
        levels: image.levels.len() as u32,
        layers: image.layers,
        channels: if image.format.is_narrow() { 0 } else { image.format.channels() },
        mip_filter: if is_sampled { 2 } else { 0 },
        lod_max: 32.0,
        lod_bias: if is_sampled { 0.5 } else { 0.0 },
        ..SamplingState::DEFAULT
    }
}

fn picture() -> Image {
    let image = Image::from_fn(Format::Rgba8, 8, 8, |x, y| 0xff00_0000 | (x * 30) << 16 | (y * 30) << 8 | (x * y));
    image.and_then(|image| image.with_mipmaps()).expect("8 x 8 texels")
}

/// Texels that are all different: floats that are halves and negative in their second channel, or integers.
fn numbers(format: Format, [width, height, layers]: [u32; 3], levels: u32) -> Image {
    let mut image = Image::blank_layers(format, width, height, levels, layers).expect("a small image");
    let mut counted = 0;
    for layer in 0..layers {
        for (level, size) in image.levels.clone().into_iter().enumerate() {
            for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
                counted += 1;
                let floats = [counted as f32 * 0.5, counted as f32 * -1.25, 0.0, 0.0].map(f32::to_bits);
                let integers = [counted, 1000 + counted, 60_000 - counted, 7 * counted];
                let is_float = format.sampled() == texture::Sampled::Float;
                image.set_channels(layer, level, x, y, if is_float { floats } else { integers });
            }
        }
    }
    image
}
