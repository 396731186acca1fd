//! Texels of a texture that somebody wrote down, for the kind of texture that a shader declares.
//!
//! Before: `textures`. After: `bind`. Smaller levels are averages (`texture::mipmap`; of volumes along the depth too); integers have
//! none, so each takes the first of the texels that it stands for.

use std::io::Read;
use std::path::{Path, PathBuf};

use gpu_core::hash::fnv1a;
use raster::{Texture, TextureError};
use shaders::texture_calls::{ScalarKind, TextureDimension, TextureKind, TextureUse};
use texture::{Format, Image, ImageError, Sampled};

use super::contents::LARGEST_BYTES;
use super::textures::{GivenTexture, Pattern, Size, Texels};
use crate::load::{self, LoadError};

/// Why no texture is made of what was given.
#[derive(Debug, thiserror::Error)]
pub enum TexelsError {
    /// A format of other numbers.
    #[error("{format} gives {given:?}s, it is declared as {declared}; choose one with format=: {}", names_of(*wanted))]
    Component {
        /// The format.
        format: Format,
        /// What it holds.
        given: Sampled,
        /// What the shader declares.
        declared: String,
        /// What it reads.
        wanted: Sampled,
    },
    /// A format other than the one in the shader.
    #[error("it is declared as {declared}, not with texels of {format}; leave format= away")]
    Declared {
        /// The format.
        format: Format,
        /// What the shader declares.
        declared: String,
    },
    /// Several levels of a texture that has one.
    #[error("{declared} has one level; leave levels= away")]
    Levels {
        /// What the shader declares.
        declared: String,
    },
    /// A file of another length.
    #[error("`{}` has {bytes} bytes, {width} x {height} x {depth} texels of {format} have {wanted}", file.display())]
    Bytes {
        /// The file.
        file: PathBuf,
        /// Its length; one too many stands for all that are longer.
        bytes: u64,
        /// Of the texture.
        width: u32,
        /// Of the texture.
        height: u32,
        /// Of the texture.
        depth: u32,
        /// Of its texels.
        format: Format,
        /// Bytes that the texels have.
        wanted: u64,
    },
    /// More than a buffer may have.
    #[error("it has {bytes} bytes in its first level, a texture has at most {LARGEST_BYTES}")]
    TooLarge {
        /// Bytes of all layers.
        bytes: u64,
    },
    /// The system refuses.
    #[error("cannot read texels `{}`", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A picture that cannot be read.
    #[error(transparent)]
    Picture(#[from] LoadError),
    /// A size that no image has.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// A size or a number of layers that its kind has not.
    #[error(transparent)]
    Kind(#[from] TextureError),
}

/// The texture for a place that a shader declares as `kind`.
pub fn make(given: &GivenTexture, kind: TextureKind) -> Result<Texture, TexelsError> {
    let format = format_of(given, kind)?;
    let has_levels = kind.dimension != TextureDimension::D2Multisampled && !kind.is_storage();
    if given.levels != 1 && !has_levels {
        return Err(TexelsError::Levels { declared: kind.wgsl() });
    }
    let base = match &given.texels {
        Texels::Pattern(pattern, size) => computed(*pattern, format, sized(*size, kind)?)?,
        Texels::Raw(file, size) => raw(file, format, sized(*size, kind)?)?,
        Texels::Pictures(files) => pictures(files, format)?,
    };
    Ok(Texture::of_kind(with_levels(&base, given.levels, kind.dimension)?, kind.dimension)?)
}

fn format_of(given: &GivenTexture, kind: TextureKind) -> Result<Format, TexelsError> {
    let declared = || kind.wgsl();
    let fixed = match kind.usage {
        TextureUse::Storage { format, .. } => Some(format),
        TextureUse::Depth => Some(Format::R32Float),
        TextureUse::Sampled => None,
    };
    match (given.format, fixed) {
        (Some(format), Some(fixed)) if format != fixed => Err(TexelsError::Declared { format, declared: declared() }),
        (_, Some(fixed)) => Ok(fixed),
        (None, None) => Ok(match kind.component {
            ScalarKind::Sint => Format::Rgba32Sint,
            ScalarKind::Uint => Format::Rgba32Uint,
            _ => Format::Rgba8,
        }),
        (Some(format), None) => {
            let wanted = match kind.component {
                ScalarKind::Sint => Sampled::Sint,
                ScalarKind::Uint => Sampled::Uint,
                _ => Sampled::Float,
            };
            let given = format.sampled();
            if given == wanted {
                return Ok(format);
            }
            Err(TexelsError::Component { format, given, declared: declared(), wanted })
        }
    }
}

/// All names that a texture of such texels may have.
fn names_of(sampled: Sampled) -> String {
    let fitting = Format::ALL.into_iter().filter(|format| format.sampled() == sampled);
    fitting.filter_map(Format::name).collect::<Vec<_>>().join(", ")
}

/// With as many layers as the kind needs, where nobody said.
fn sized(size: Size, kind: TextureKind) -> Result<[u32; 3], TexelsError> {
    let usual = match kind.dimension {
        TextureDimension::Cube | TextureDimension::CubeArray => 6,
        TextureDimension::D2Multisampled => 4,
        _ => 1,
    };
    Ok([size.width, size.height, size.depth.unwrap_or(usual)])
}

fn blank(format: Format, [width, height, depth]: [u32; 3]) -> Result<Image, TexelsError> {
    let bytes = u64::from(width) * u64::from(height) * u64::from(depth) * u64::from(format.bytes());
    if bytes > LARGEST_BYTES {
        return Err(TexelsError::TooLarge { bytes });
    }
    Ok(Image::blank_layers(format, width, height, 1, depth)?)
}

/// All texels of a level: layer, row, column.
pub fn each_texel(image: &Image, level: usize, mut visit: impl FnMut(u32, u32, u32)) {
    let (width, height) = (image.levels[level].width, image.levels[level].height);
    for layer in 0..image.layers {
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            visit(layer, y, x);
        }
    }
}

fn computed(pattern: Pattern, format: Format, size: [u32; 3]) -> Result<Image, TexelsError> {
    let mut image = blank(format, size)?;
    let is_float = format.sampled() == Sampled::Float;
    // Whether bytes that are counted stand for 255ths.
    let is_normalised = is_float && format.encode([2.0f32.to_bits(); 4]) == format.encode([1.0f32.to_bits(); 4]);
    let number = |value: u32| if is_float { (value as f32).to_bits() } else { value };
    let part = |byte: u32| if is_float { (byte as f32 / 255.0).to_bits() } else { byte };
    let along = |at: u32, size: u32| if is_float { ((at as f32 + 0.5) / size as f32).to_bits() } else { at };
    let blank = image.clone();
    let mut counted = 0u32;
    each_texel(&blank, 0, |layer, y, x| {
        let first = counted;
        counted = counted.wrapping_add(format.channels());
        let component = |channel: u32| match pattern {
            Pattern::Zero => 0,
            Pattern::Count if is_normalised => part((first + channel) & 255),
            Pattern::Count => number(first + channel),
            Pattern::Random => part(fnv1a(&(first + channel).to_le_bytes()) as u32 & 255),
            Pattern::Checker | Pattern::Gradient if channel == 3 => number(1),
            Pattern::Checker => number((x + y + layer + 1) & 1),
            Pattern::Gradient => along([x, y, layer][channel as usize], size[channel as usize]),
        };
        image.set_channels(layer, 0, x, y, std::array::from_fn(|channel| component(channel as u32)));
    });
    Ok(image)
}

fn raw(file: &Path, format: Format, size: [u32; 3]) -> Result<Image, TexelsError> {
    let mut image = blank(format, size)?;
    let [width, height, depth] = size;
    let layer = width as usize * height as usize * format.bytes() as usize;
    let wanted = layer as u64 * u64::from(depth);
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(wanted + 1).read_to_end(&mut bytes))
        .map_err(|source| TexelsError::Read { file: file.to_owned(), source })?;
    let length = bytes.len() as u64;
    if length != wanted {
        return Err(TexelsError::Bytes { file: file.to_owned(), bytes: length, width, height, depth, format, wanted });
    }
    let stride = if depth == 1 { layer } else { image.layer_stride as usize };
    for (to, from) in image.bytes.chunks_mut(stride).zip(bytes.chunks(layer)) {
        to[..layer].copy_from_slice(from);
    }
    Ok(image)
}

/// Pictures as layers. Floats are 255ths, integers the bytes; sRGB keeps what is stored.
fn pictures(files: &[PathBuf], format: Format) -> Result<Image, TexelsError> {
    let is_encoded = matches!(format, Format::Rgba8Srgb | Format::A8R8G8B8Srgb);
    let mut layers = Vec::new();
    for file in files {
        let mut picture = load::picture(file)?;
        let mut layer = blank(format, [picture.width(), picture.height(), 1])?;
        let stored = picture.clone();
        if is_encoded {
            picture.format = Format::Rgba8Srgb;
        } else if format.sampled() != Sampled::Float {
            picture.format = Format::Rgba8Uint;
        }
        each_texel(&stored, 0, |_, y, x| layer.set_channels(0, 0, x, y, picture.channels(0, 0, x, y)));
        layers.push(layer);
    }
    Ok(Image::from_layers(&layers)?)
}

/// The same with so many levels of its chain.
fn with_levels(base: &Image, levels: u32, dimension: TextureDimension) -> Result<Image, TexelsError> {
    if levels == 1 || dimension == TextureDimension::D1 {
        return Ok(base.clone());
    }
    let is_float = base.format.sampled() == Sampled::Float;
    let chain = if is_float { Some(base.with_mipmaps()?) } else { None };
    let mut image = Image::blank_layers(base.format, base.width(), base.height(), levels, base.layers)?;
    for level in 0..image.levels.len() {
        let before = image.clone();
        each_texel(&before, level, |layer, y, x| {
            let texel = match &chain {
                Some(chain) if dimension == TextureDimension::D3 => average(chain, layer, level, x, y),
                Some(chain) => chain.channels(layer, level, x, y),
                None => {
                    let first = |at: u32, size: u32| (at << level).min(size - 1);
                    let of_volume = if dimension == TextureDimension::D3 { first(layer, base.layers) } else { layer };
                    base.channels(of_volume, 0, first(x, base.width()), first(y, base.height()))
                }
            };
            image.set_channels(layer, level, x, y, texel);
        });
    }
    Ok(image)
}

/// A texel of a volume's level: of the slices that a slice of the level covers. What an odd depth has left over counts for the last.
fn average(chain: &Image, slice: u32, level: usize, x: u32, y: u32) -> [u32; 4] {
    let depth = (chain.layers >> level).max(1);
    if slice >= depth {
        return [0; 4];
    }
    let end = if slice + 1 == depth { chain.layers } else { (slice + 1) << level };
    let covered: Vec<_> = (slice << level..end).map(|slice| chain.channels(slice, level, x, y)).collect();
    let sum = |channel: usize| covered.iter().map(|texel| f64::from(f32::from_bits(texel[channel]))).sum::<f64>();
    std::array::from_fn(|channel| ((sum(channel) / covered.len() as f64) as f32).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, dimension: TextureDimension, component: ScalarKind) -> Result<Image, String> {
        let given: GivenTexture = format!("0:0={text}").parse().expect("it is a form");
        let kind = TextureKind { dimension, component, usage: TextureUse::Sampled };
        make(&given, kind).map(|texture| (*texture.image()).clone()).map_err(|error| error.to_string())
    }

    fn float(image: &Image, layer: u32, level: usize, x: u32, y: u32) -> [f32; 4] {
        image.channels(layer, level, x, y).map(f32::from_bits)
    }

    #[test]
    fn patterns_are_what_they_say() {
        use ScalarKind::{Float, Sint, Uint};
        let checker = made("checker:2x2x2", TextureDimension::D3, Float).expect("a volume");
        assert_eq!((checker.layers, checker.format), (2, Format::Rgba8));
        let reds: Vec<_> = (0..8).map(|n| float(&checker, n / 4, 0, n % 2, n / 2 % 2)[0]).collect();
        assert_eq!(reds, [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        let count = made("count:3x2,format=rg16uint", TextureDimension::D2, Uint).expect("a texture");
        assert_eq!(count.channels(0, 0, 2, 1), [10, 11, 0, 1]);
        let count = made("count:5x1,format=r32float", TextureDimension::D1, Float).expect("a texture");
        assert_eq!(float(&count, 0, 0, 4, 0), [4.0, 0.0, 0.0, 1.0]);
        let count = made("count:65x1", TextureDimension::D2, Float).expect("a texture");
        assert_eq!(float(&count, 0, 0, 64, 0), [0.0, 1.0 / 255.0, 2.0 / 255.0, 3.0 / 255.0]);
        let gradient = made("gradient:4x2,format=rgba32float", TextureDimension::Cube, Float);
        assert!(gradient.is_err_and(|error| error.contains("squares")));
        let gradient = made("gradient:2x2,format=rgba32float", TextureDimension::Cube, Float).expect("six faces");
        assert_eq!(float(&gradient, 5, 0, 1, 0), [0.75, 0.25, 5.5 / 6.0, 1.0]);
        let zero = made("zero:2x2", TextureDimension::D2, Sint).expect("a texture");
        assert_eq!((zero.format, zero.channels(0, 0, 1, 1)), (Format::Rgba32Sint, [0; 4]));
    }

    #[test]
    fn levels_are_averages_or_the_first_texel() {
        let chain = made("checker:4x4,levels=all", TextureDimension::D2, ScalarKind::Float).expect("a texture");
        assert_eq!(chain.levels.len(), 3);
        // Two of four texels are 255: 127.5, halves up.
        assert_eq!(float(&chain, 0, 1, 1, 1)[0], 128.0 / 255.0);
        let two = made("count:4x4,levels=2,format=r32float", TextureDimension::D2, ScalarKind::Float);
        let two = two.expect("a texture");
        // 10, 11, 14, 15.
        assert_eq!((two.levels.len(), float(&two, 0, 1, 1, 1)[0]), (2, 12.5));
        let volume = made("count:2x2x3,levels=2,format=r32float", TextureDimension::D3, ScalarKind::Float);
        // Of three slices the one that is left stands for all: 0 to 11.
        assert_eq!(float(&volume.expect("a volume"), 0, 1, 0, 0)[0], 5.5);
        let integers = made("count:4x4,levels=2,format=r32uint", TextureDimension::D2, ScalarKind::Uint);
        assert_eq!(integers.expect("a texture").channels(0, 1, 1, 1)[0], 10);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = made("zero:2x2,format=r32uint", TextureDimension::D2, ScalarKind::Float).expect_err("integers");
        assert!(error.contains("texture_2d<f32>") && error.contains("rgba8unorm"), "{error}");
        let error = made("zero:2x2x3", TextureDimension::D2, ScalarKind::Float).expect_err("layers");
        assert!(error.contains("3 layers"), "{error}");
        let error = made("zero:32768x32768", TextureDimension::D2, ScalarKind::Float).expect_err("too large");
        assert!(error.contains("at most"), "{error}");
        let error = made("zero:2x2,levels=2", TextureDimension::D2Multisampled, ScalarKind::Float);
        assert!(error.is_err_and(|error| error.contains("levels=")));
    }
}
