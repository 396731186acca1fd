//! glTF materials, textures, samplers and pictures.
//!
//! Before: `accessor` (pictures may lie in buffer views). After: `document`. Source: glTF 2.0, sections 3.8 and 3.9.
//! Of a material we take the base colour, its texture, alpha and culling; the rest would need lights that scenes choose.

use std::collections::BTreeMap;

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
        });
    }
    Ok(())
}

/// The set of texture coordinates that a material's texture uses.
pub(super) fn uv_set(storage: &Storage<'_>, material: Option<usize>) -> u32 {
    let material = material.and_then(|index| storage.root.materials.get(index));
    material
        .and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref())
        .map_or(0, |info| info.tex_coord)
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

/// Our sampler has one filter for near and far: the file's `magFilter` decides it, `minFilter` how levels are used.
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
    let filter = match sampler.mag_filter {
        None => far,
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Point,
        Some(Checked::Valid(MagFilter::Linear)) => Filter::Bilinear,
        Some(Checked::Invalid) => return Err(unknown("magFilter")),
    };
    Ok(Sampler {
        wrap_u: wrap(sampler.wrap_s)?,
        wrap_v: wrap(sampler.wrap_t)?,
        filter,
        mip_filter,
        ..Sampler::TRILINEAR
    })
}
