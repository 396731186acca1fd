//! glTF materials, textures, samplers and pictures.
//!
//! Before: `accessor` (pictures may lie in buffer views). After: `document`. Source: glTF 2.0, sections 3.8 and 3.9.
//! Of a material we take the base colour, its texture, alpha and culling; the rest would need lights that scenes choose.

use std::collections::BTreeMap;

use glam::Vec2;
use gltf::json::material::AlphaMode;
use gltf::json::texture::{MagFilter, MinFilter, Sampler as JsonSampler, WrappingMode};
use gltf::json::validation::Checked;
use raster::{MipFilter, Sampler};
use texture::{Filter, Wrap};

use crate::load::accessor::Storage;
use crate::load::error::LoadError;
use crate::load::model::{Alpha, Material, Model};
use crate::load::picture::picture_from_bytes;
use crate::load::reference::References;

/// Adds every material of the document, in its order, with the pictures they show.
pub(super) fn add_materials(
    storage: &Storage<'_>,
    references: &mut References<'_>,
    model: &mut Model,
) -> Result<(), LoadError> {
    // Picture of the document to texture of the model; `None` is one that could not be found.
    let mut pictures = BTreeMap::new();
    for (index, material) in storage.root.materials.iter().enumerate() {
        let name = material.name.clone().unwrap_or_else(|| format!("material {index}"));
        let place = format!("material {index} `{name}`");
        let surface = &material.pbr_metallic_roughness;
        let (mut texture, mut sampler) = (None, Sampler::TRILINEAR);
        if let Some(info) = &surface.base_color_texture {
            let textures = &storage.root.textures;
            let shown = textures.get(info.index.value()).ok_or_else(|| {
                storage.damaged(&place, format!("texture {}, but there are {}", info.index.value(), textures.len()))
            })?;
            if let Some(index) = shown.sampler {
                let samplers = &storage.root.samplers;
                let found = samplers.get(index.value()).ok_or_else(|| {
                    storage.damaged(&place, format!("sampler {}, but there are {}", index.value(), samplers.len()))
                })?;
                sampler = read_sampler(storage, found, &place)?;
            }
            let source = shown.source.value();
            texture = match pictures.get(&source) {
                Some(known) => *known,
                None => {
                    let read = read_picture(storage, references, model, source, &place)?;
                    pictures.insert(source, read);
                    read
                }
            };
        }
        let alpha = match material.alpha_mode {
            Checked::Valid(AlphaMode::Opaque) => Alpha::Opaque,
            Checked::Valid(AlphaMode::Mask) => Alpha::Mask(material.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0)),
            Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
            Checked::Invalid => return Err(storage.damaged(&place, "an unknown alpha mode")),
        };
        model.materials.push(Material {
            name,
            // JSON cannot hold a NaN.
            base_color: surface.base_color_factor.0.map(|channel| channel.clamp(0.0, 1.0)),
            texture,
            sampler,
            double_sided: material.double_sided,
            alpha,
            is_unlit: material.extensions.as_ref().is_some_and(|known| known.unlit.is_some()),
        });
    }
    Ok(())
}

/// Which texture coordinates a material's texture uses, and how they are moved (`KHR_texture_transform`).
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Coordinates {
    /// The set.
    pub(super) set: u32,
    /// Scaled, then turned, then moved; `None` leaves every bit as it is.
    transform: Option<CoordinateTransform>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct CoordinateTransform {
    scale: [f64; 2],
    /// Cosine and sine of the angle.
    turn: [f64; 2],
    offset: [f64; 2],
}

/// The texture coordinates of a material's texture.
pub(super) fn coordinates(
    storage: &Storage<'_>,
    material: Option<usize>,
    place: &str,
) -> Result<Coordinates, LoadError> {
    let material = material.and_then(|index| storage.root.materials.get(index));
    let info = material.and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
    let Some(info) = info else { return Ok(Coordinates { set: 0, transform: None }) };
    let plain = Coordinates { set: info.tex_coord, transform: None };
    let Some(own) = info.extensions.as_ref().and_then(|known| known.texture_transform.as_ref()) else {
        return Ok(plain);
    };
    let (scale, angle, offset) = (own.scale.0, own.rotation.0, own.offset.0);
    if !scale.iter().chain(&[angle]).chain(&offset).all(|number| number.is_finite()) {
        return Err(storage.damaged(place, "the transform of its texture is not finite"));
    }
    let wide = |pair: [f32; 2]| pair.map(f64::from);
    // By glam (libm inside), so that every host gets the same bits.
    let turn = wide(Vec2::from_angle(angle).to_array());
    let transform = Some(CoordinateTransform { scale: wide(scale), turn, offset: wide(offset) });
    Ok(Coordinates { set: own.tex_coord.unwrap_or(plain.set), transform })
}

impl Coordinates {
    /// Moves texture coordinates. Positive angles turn them from +u towards -v, which is against the clock where v runs down:
    /// the extension's prose, Babylon.js, three.js and Blender (KhronosGroup/glTF#1563 on the sign in its sample code).
    pub(super) fn apply(&self, uvs: &mut [[f32; 2]]) {
        let Some(CoordinateTransform { scale, turn, offset }) = self.transform else { return };
        for uv in uvs {
            let [u, v] = [0, 1].map(|axis| f64::from(uv[axis]) * scale[axis]);
            let moved = [turn[0] * u + turn[1] * v + offset[0], turn[0] * v - turn[1] * u + offset[1]];
            // A file may well ask for what f32 cannot hold.
            *uv = moved.map(|part| (part as f32).clamp(f32::MIN, f32::MAX));
        }
    }
}

/// A picture from a buffer view, a data URI or a file. An absent file is a warning, a damaged one an error.
fn read_picture(
    storage: &Storage<'_>,
    references: &mut References<'_>,
    model: &mut Model,
    index: usize,
    place: &str,
) -> Result<Option<usize>, LoadError> {
    let images = &storage.root.images;
    let Some(image) = images.get(index) else {
        if index == u32::MAX as usize {
            model.warnings.push(format!("{place}: its texture has no picture that we can read"));
            return Ok(None);
        }
        return Err(storage.damaged(place, format!("image {index}, but there are {}", images.len())));
    };
    let image_place = format!("image {index}");
    let picture = match (&image.uri, image.buffer_view) {
        (_, Some(view)) => picture_from_bytes(storage.file, &image_place, storage.view(view.value(), &image_place)?.0)?,
        (Some(uri), None) => match references.read_uri(uri, &image_place) {
            Ok((path, bytes)) => {
                let (file, place) = match &path {
                    Some(path) => (path.as_path(), "the picture"),
                    None => (storage.file, image_place.as_str()),
                };
                picture_from_bytes(file, place, &bytes)?
            }
            Err(LoadError::Named { named, source, .. }) => {
                model.warnings.push(format!("{place}: the picture `{}` cannot be read ({source})", named.display()));
                return Ok(None);
            }
            Err(error) => return Err(error),
        },
        (None, None) => return Err(storage.damaged(&image_place, "neither a URI nor a buffer view")),
    };
    model.textures.push(picture);
    Ok(Some(model.textures.len() - 1))
}

/// `minFilter` says how texels and levels are used, `magFilter` how texels are where the picture is magnified.
fn read_sampler(storage: &Storage<'_>, sampler: &JsonSampler, place: &str) -> Result<Sampler, LoadError> {
    let unknown = |what: &str| storage.damaged(place, format!("its sampler has an unknown {what}"));
    let wrap = |mode: Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Ok(Wrap::Clamp),
        Checked::Valid(WrappingMode::MirroredRepeat) => Ok(Wrap::Mirror),
        Checked::Valid(WrappingMode::Repeat) => Ok(Wrap::Repeat),
        Checked::Invalid => Err(unknown("wrap")),
    };
    let (far, mip_filter) = match sampler.min_filter {
        None => (Filter::Bilinear, MipFilter::Linear),
        Some(Checked::Valid(filter)) => match filter {
            MinFilter::Nearest => (Filter::Point, MipFilter::None),
            MinFilter::Linear => (Filter::Bilinear, MipFilter::None),
            MinFilter::NearestMipmapNearest => (Filter::Point, MipFilter::Nearest),
            MinFilter::LinearMipmapNearest => (Filter::Bilinear, MipFilter::Nearest),
            MinFilter::NearestMipmapLinear => (Filter::Point, MipFilter::Linear),
            MinFilter::LinearMipmapLinear => (Filter::Bilinear, MipFilter::Linear),
        },
        Some(Checked::Invalid) => return Err(unknown("minFilter")),
    };
    let near = match sampler.mag_filter {
        None => far,
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Point,
        Some(Checked::Valid(MagFilter::Linear)) => Filter::Bilinear,
        Some(Checked::Invalid) => return Err(unknown("magFilter")),
    };
    Ok(Sampler {
        wrap_u: wrap(sampler.wrap_s)?,
        wrap_v: wrap(sampler.wrap_t)?,
        filter: far,
        mag_filter: (near != far).then_some(near),
        mip_filter,
        ..Sampler::TRILINEAR
    })
}
