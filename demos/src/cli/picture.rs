//! From options to something that can be drawn: scenes by name or a model from a file, a backend by name.

use std::path::Path;

use anyhow::{Context, bail};
use demos::load;
use demos::scenes::{self, ModelScene, NamedScene, SCENES, SceneInfo, View};
use raster::Device;
use texture::Image;

use crate::cli::arguments::Picture;
use crate::cli::machine::Chosen;
use crate::cli::output::remark;

/// The picture of `--texture`, if given.
fn given_texture(options: &Picture) -> anyhow::Result<Option<Image>> {
    options.texture.as_ref().map(|path| load::picture(path).map_err(anyhow::Error::from)).transpose()
}

/// The scene of `--model`, if given; what its loader left out is said on standard error.
fn given_model(path: &Path, texture: Option<&Image>) -> anyhow::Result<NamedScene> {
    let model = load::model(path)?;
    for warning in &model.warnings {
        remark(&format!("warning: {}: {warning}", path.display()));
    }
    let name = path.file_stem().map_or_else(|| "model".to_string(), |stem| stem.to_string_lossy().into_owned());
    let scene = ModelScene::new(&model, texture).with_context(|| format!("cannot show `{}`", path.display()))?;
    Ok(NamedScene { name, scene: Box::new(scene) })
}

/// The scene made in code that has this name.
pub fn named(name: &str) -> anyhow::Result<&'static SceneInfo> {
    let Some(info) = scenes::find(name) else {
        let known: Vec<&str> = SCENES.iter().map(|info| info.name).collect();
        bail!("there is no scene `{name}`; there are: {}", known.join(", "));
    };
    Ok(info)
}

/// The one scene that `render` draws: the model, the named scene, or the first.
pub fn scene(options: &Picture) -> anyhow::Result<NamedScene> {
    let texture = given_texture(options)?;
    if let Some(path) = &options.model {
        return given_model(path, texture.as_ref());
    }
    let name = options.scene.as_deref().unwrap_or(SCENES[0].name);
    let info = named(name)?;
    Ok(NamedScene { name: info.name.to_string(), scene: (info.make)(texture.as_ref())? })
}

/// How the picture looks at a scene at a moment, in seconds.
pub fn view(options: &Picture, named: &NamedScene, time: f32) -> View {
    let (size, camera) = (options.size, named.scene.camera());
    View { width: size.width, height: size.height, time, filter: options.filter.into(), camera }
}

/// All scenes that `view` goes through, and the index of the one to begin with. A model comes first.
#[cfg(feature = "window")]
pub fn scenes(options: &Picture) -> anyhow::Result<(Vec<NamedScene>, usize)> {
    let first = scene(options)?;
    if options.model.is_none() && options.texture.is_none() {
        let mut all = Vec::new();
        for info in SCENES {
            all.push(NamedScene { name: info.name.to_string(), scene: (info.make)(None)? });
        }
        let at = SCENES.iter().position(|info| info.name == first.name).unwrap_or(0);
        return Ok((all, at));
    }
    let texture = given_texture(options)?;
    let mut all = vec![first];
    for info in SCENES.iter().filter(|info| options.model.is_some() || Some(info.name) != options.scene.as_deref()) {
        all.push(NamedScene { name: info.name.to_string(), scene: (info.make)(texture.as_ref())? });
    }
    Ok((all, 0))
}

/// A machine to draw on; graphics needs one with 4, 8, 16 or 32 lanes.
pub fn device(chosen: &Chosen) -> anyhow::Result<Device> {
    Device::new(chosen.config).with_context(|| format!("machine `{}` cannot draw", chosen.name))
}
