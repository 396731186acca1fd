//! Textures and samplers of a compute shader, found among what was given, in the order in which the shader numbers its stages.
//!
//! Before: `textures` and `samplers` (what somebody wrote down). After: `job`, which puts texels into memory and stages into registers.

use raster::bound::{BoundStage, LOAD};
use raster::{Sampler, Texture, TextureDimension};
use shaders::interface::{StageBinding, stage_bindings};
use shaders::texture_calls::{TextureKind, TextureUse};

use super::contents::{Filled, Place};
use super::file::Selected;
use super::images::{TexelsError, make};
use super::samplers::GivenSampler;
use super::textures::GivenTexture;

/// What is given to the bindings of a shader.
#[derive(Copy, Clone, Debug, Default)]
pub struct Given<'a> {
    /// Buffers.
    pub buffers: &'a [Filled],
    /// Textures, storage textures too.
    pub textures: &'a [GivenTexture],
    /// Samplers.
    pub samplers: &'a [GivenSampler],
}

/// Why a shader cannot have these textures and samplers.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// A texture that nobody gave.
    #[error(
        "`{entry}` uses `{name}`, a {declared}, at @group({}) @binding({}), which has no texture; give it one with --texels {place}={example}", place.group, place.binding
    )]
    MissingTexture {
        /// The entry point.
        entry: String,
        /// The variable.
        name: String,
        /// Where it is.
        place: Place,
        /// Its type.
        declared: String,
        /// What would do.
        example: &'static str,
    },
    /// A sampler that nobody gave.
    #[error(
        "`{entry}` uses sampler `{name}` at @group({}) @binding({}), which nobody describes; do so with --sampler {place}={example}", place.group, place.binding
    )]
    MissingSampler {
        /// The entry point.
        entry: String,
        /// The variable.
        name: String,
        /// Where it is.
        place: Place,
        /// What would do.
        example: &'static str,
    },
    /// A texture that is none, or not of its kind.
    #[error("texture {place} for `{name}`")]
    Texels {
        /// Which.
        place: Place,
        /// The variable.
        name: String,
        /// What is wrong.
        #[source]
        cause: Box<TexelsError>,
    },
    /// A `sampler_comparison` without a comparison, or a `sampler` with one.
    #[error("sampler {place} for `{name}`: it is declared as {declared}; {advice}")]
    Comparison {
        /// Which.
        place: Place,
        /// The variable.
        name: String,
        /// Its type.
        declared: &'static str,
        /// How to mend it.
        advice: String,
    },
}

/// A texture at its place.
#[derive(Clone, Debug)]
pub struct PlacedTexture {
    /// Where it is bound.
    pub place: Place,
    /// The variable's name.
    pub name: String,
    /// What the shader declares.
    pub kind: TextureKind,
    /// Its texels.
    pub texture: Texture,
}

impl PlacedTexture {
    /// Whether the shader may store to it.
    pub const fn is_written(&self) -> bool {
        matches!(self.kind.usage, TextureUse::Storage { is_written: true, .. })
    }
}

/// What a shader reads beside its buffers.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    /// Each texture once, by group and binding.
    pub textures: Vec<PlacedTexture>,
    /// For each stage which of the textures it is, and how it is sampled.
    stages: Vec<(usize, Sampler)>,
    /// How many of them the machine holds: the first.
    pub held: usize,
}

impl Stages {
    /// Finds what an entry point needs.
    pub fn of(selected: &Selected, given: &Given<'_>) -> Result<Self, BindError> {
        let entry = &selected.module.entry_point().name;
        let mut found = Self::default();
        for stage in stage_bindings(&selected.module) {
            let texture = found.texture(entry, &stage, given)?;
            let sampler = match &stage.sampler {
                None => LOAD,
                Some(variable) => {
                    let (name, place) = (variable.name.clone(), place_of(variable));
                    let given = given.samplers.iter().find(|given| given.place == place);
                    let example = if stage.compares { "compare=less-equal,linear" } else { "linear,repeat" };
                    let sampler = given.ok_or_else(|| BindError::MissingSampler {
                        entry: entry.clone(),
                        name,
                        place,
                        example,
                    })?;
                    held_to(stage.compares, sampler, &variable.name)?
                }
            };
            found.stages.push((texture, sampler));
            found.held += usize::from(stage.needs_hardware);
        }
        Ok(found)
    }

    /// The stages in their order.
    pub fn bound(&self) -> impl Iterator<Item = (usize, BoundStage<'_>)> {
        self.stages.iter().map(|&(index, sampler)| {
            let texture = &self.textures[index].texture;
            (index, BoundStage { texture, image: texture.image(), sampler })
        })
    }

    fn texture(&mut self, entry: &str, stage: &StageBinding, given: &Given<'_>) -> Result<usize, BindError> {
        let (name, place) = (stage.texture.name.clone(), place_of(&stage.texture));
        if let Some(index) = self.textures.iter().position(|known| known.place == place) {
            return Ok(index);
        }
        let Some(texture) = given.textures.iter().find(|given| given.place == place) else {
            let (entry, declared) = (entry.to_owned(), stage.kind.wgsl());
            return Err(BindError::MissingTexture { entry, name, place, declared, example: example_of(stage.kind) });
        };
        let texture = make(texture, stage.kind).map_err(|cause| BindError::Texels {
            place,
            name: name.clone(),
            cause: Box::new(cause),
        })?;
        self.textures.push(PlacedTexture { place, name, kind: stage.kind, texture });
        Ok(self.textures.len() - 1)
    }
}

fn place_of(variable: &shaders::interface::Place) -> Place {
    Place { group: variable.group, binding: variable.binding }
}

fn held_to(compares: bool, given: &GivenSampler, name: &str) -> Result<Sampler, BindError> {
    let place = given.place;
    let (declared, advice) = match (compares, given.sampler.compare) {
        (true, None) => {
            ("sampler_comparison", format!("say how it compares, as in --sampler {place}=compare=less-equal"))
        }
        (false, Some(_)) => ("sampler", "leave compare= away".to_owned()),
        _ => return Ok(given.sampler),
    };
    Err(BindError::Comparison { place, name: name.to_owned(), declared, advice })
}

/// A texture of a kind, as an option has it.
const fn example_of(kind: TextureKind) -> &'static str {
    match (kind.dimension, kind.usage) {
        (TextureDimension::D1, TextureUse::Storage { .. }) => "zero:16",
        (TextureDimension::D3 | TextureDimension::D2Array, TextureUse::Storage { .. }) => "zero:16x16x4",
        (_, TextureUse::Storage { .. }) => "zero:16x16",
        (TextureDimension::D1, _) => "gradient:16",
        (TextureDimension::D3 | TextureDimension::D2Array, _) => "gradient:16x16x4",
        (TextureDimension::D2, TextureUse::Sampled) => "gradient:16x16 (or @FILE.png)",
        _ => "gradient:16x16",
    }
}
