//! Textures and samplers of a case as the machine takes them: images, registers of stages, and their states.
//!
//! Before: `table::images`. After: `ways`. It says anew, and in few words, what `raster` says of the textures of a draw.

use shaders::evaluate::SamplingState;
use shaders::interface::StageBinding;
use texture::{Filter, Format, Image, Sampling, Stage};

use crate::table::Case;
use crate::table::images::{Sampler, Shape, Texture, Wrap};

/// A pair of texture and sampler.
pub struct BoundStage {
    /// Which of the case's textures.
    pub texture: usize,
    pub state: SamplingState,
    /// Whether a stage of the machine holds it; those come first.
    pub needs_hardware: bool,
    image: Image,
    sampling: Sampling,
}

impl BoundStage {
    pub fn new(stage: &StageBinding, case: &Case) -> Self {
        let texture = stage.texture.binding as usize;
        let Texture { shape, .. } = case.textures[texture];
        let image = image(&case.textures[texture]);
        // `textureLoad` looks at single texels of the level it names.
        let sampler = stage.sampler.as_ref().map(|sampler| case.samplers[sampler.binding as usize]);
        let Sampler { is_linear, is_mip_linear, wrap, compares_less_equal } = sampler.unwrap_or(Sampler::NEAREST);
        let wrap = match wrap {
            _ if matches!(shape, Shape::Cube | Shape::CubeArray) => texture::Wrap::Clamp,
            Wrap::Clamp => texture::Wrap::Clamp,
            Wrap::Repeat => texture::Wrap::Repeat,
            Wrap::Mirror => texture::Wrap::Mirror,
        };
        let filter = if is_linear { Filter::Bilinear } else { Filter::Point };
        let state = SamplingState {
            width: image.width(),
            height: image.height(),
            levels: image.levels.len() as u32,
            layers: match shape {
                Shape::CubeArray => image.layers / 6,
                Shape::D1 | Shape::D2 | Shape::Cube | Shape::Depth => 1,
                Shape::D2Array | Shape::D3 | Shape::DepthArray | Shape::Multisampled => image.layers,
            },
            mip_filter: match (sampler, is_mip_linear) {
                (None, _) => 0,
                (Some(_), false) => 1,
                (Some(_), true) => 2,
            },
            channels: if image.format.is_narrow() { 0 } else { image.format.channels() },
            lod_max: 32.0,
            // Less, or equal.
            comparison: if compares_less_equal { 3 } else { 0 },
            wrap_w: wrap.code(),
            is_linear: u32::from(is_linear),
            ..SamplingState::DEFAULT
        };
        let needs_hardware = stage.needs_hardware;
        Self {
            texture,
            state,
            needs_hardware,
            image,
            sampling: Sampling { filter, wrap_u: wrap, wrap_v: wrap, border: 0 },
        }
    }

    /// The stage for texels at an address.
    pub fn registers(&self, address: u32) -> Stage {
        self.image.stage(address, self.sampling).expect("a small image")
    }
}

/// A texture's texels as the machine lays them out.
pub fn image(texture: &Texture) -> Image {
    let format = Format::from_name(texture.format).expect("a format that we have");
    let [width, height, depth] = texture.size;
    let levels = texture.levels.len() as u32;
    let mut image = Image::blank_layers(format, width, height, levels, depth).expect("a small image");
    for (level, texels) in texture.levels.iter().enumerate() {
        for (layer, texels) in texels.chunks(layer_bytes(&image, level)).enumerate() {
            let start = layer * image.layer_stride as usize + image.levels[level].offset as usize;
            image.bytes[start..start + texels.len()].copy_from_slice(texels);
        }
    }
    image
}

/// The words of the texels of the first level, of an image that now has these bytes.
pub fn texels(image: &Image, bytes: &[u8]) -> Vec<u32> {
    let size = layer_bytes(image, 0);
    let layers = (0..image.layers as usize).map(|layer| layer * image.layer_stride as usize);
    let texels: Vec<u8> = layers.flat_map(|start| bytes[start..start + size].to_vec()).collect();
    texels.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn layer_bytes(image: &Image, level: usize) -> usize {
    let level = image.levels[level];
    level.width as usize * level.height as usize * image.format.bytes() as usize
}
