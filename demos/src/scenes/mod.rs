//! The scenes: each a file, each a function from a moment and a camera to a frame, shared by window, golden pictures
//! and benchmark.

mod corridor;
mod crowd;
mod decals;
mod foliage;
mod ground;
mod knot;
mod landscape;
mod lightmap;
mod mirror;
mod model;
mod particles;
mod planet;
mod reflection;
mod shadows;
mod sunset;
mod surface;
mod volume;
mod waves;
mod wireframe;

use glam::Mat4;
use raster::{Frame, MipFilter, Sampler};

use crate::camera::Camera;

pub use model::ModelScene;
pub use surface::{Surface, SurfaceError};

/// How textures are filtered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest texel of level 0.
    Point,
    /// Four texels of level 0.
    Bilinear,
    /// Four texels of each of the two nearest mip levels.
    Trilinear,
}

impl Filter {
    /// All of them, the cheapest first.
    pub const ALL: [Self; 3] = [Self::Point, Self::Bilinear, Self::Trilinear];

    /// The one after it, going round.
    pub const fn next(self) -> Self {
        match self {
            Self::Point => Self::Bilinear,
            Self::Bilinear => Self::Trilinear,
            Self::Trilinear => Self::Point,
        }
    }

    /// Its name in options and file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Bilinear => "bilinear",
            Self::Trilinear => "trilinear",
        }
    }

    /// The sampler that filters so and repeats the texture.
    pub const fn sampler(self) -> Sampler {
        match self {
            Self::Point => Sampler::POINT,
            Self::Bilinear => Sampler::BILINEAR,
            Self::Trilinear => Sampler { mip_filter: MipFilter::Linear, ..Sampler::BILINEAR },
        }
    }
}

/// One look at a scene.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct View {
    /// Pixels in a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Seconds since the animation began.
    pub time: f32,
    /// How textures are filtered.
    pub filter: Filter,
    /// Where we look from.
    pub camera: Camera,
}

impl View {
    /// World to clip space.
    pub fn view_projection(&self) -> Mat4 {
        self.camera.view_projection(self.width as f32 / self.height as f32)
    }
}

/// A scene that is ready to be drawn: meshes, textures and pipelines are made.
pub trait Scene {
    /// Where to look from at the start.
    fn camera(&self) -> Camera;
    /// The frame of one look.
    fn frame(&self, view: &View) -> Frame;
}

/// A scene with its name.
pub struct NamedScene {
    /// Shown in overlays and reports.
    pub name: String,
    /// Ready to draw.
    pub scene: Box<dyn Scene>,
}

/// A scene in the list.
pub struct SceneInfo {
    /// Its name in options and file names.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Whether it shows textures, so that filters make a difference.
    pub is_filtered: bool,
    /// Makes it ready.
    pub make: MakeScene,
}

/// Makes a scene ready to draw; the picture given replaces its own texture.
pub type MakeScene = fn(texture: Option<&texture::Image>) -> Result<Box<dyn Scene>, SurfaceError>;

/// Every scene made in code, the default one first.
pub const SCENES: &[SceneInfo] = &[
    knot::INFO,
    ground::INFO,
    crowd::INFO,
    corridor::INFO,
    decals::INFO,
    foliage::INFO,
    landscape::INFO,
    lightmap::INFO,
    mirror::INFO,
    particles::INFO,
    planet::INFO,
    reflection::INFO,
    shadows::INFO,
    sunset::INFO,
    waves::INFO,
    wireframe::INFO,
];

impl SceneInfo {
    /// The filters that draw different pictures of it.
    pub fn filters(&self) -> &'static [Filter] {
        if self.is_filtered { &Filter::ALL } else { &[Filter::Trilinear] }
    }
}

/// The scene with this name.
pub fn find(name: &str) -> Option<&'static SceneInfo> {
    SCENES.iter().find(|info| info.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for info in SCENES {
            assert_eq!(find(info.name).expect("it is in the list").about, info.about);
            assert_eq!(SCENES.iter().filter(|other| other.name == info.name).count(), 1);
        }
        assert!(find("no such scene").is_none());
    }

    #[test]
    fn every_scene_makes_a_frame_of_whole_triangles_for_every_filter() {
        for info in SCENES {
            let scene = (info.make)(None).expect("scenes made in code are sound");
            for filter in Filter::ALL {
                let frame = scene.frame(&View { width: 17, height: 3, time: 1.5, filter, camera: scene.camera() });
                assert_eq!((frame.width, frame.height), (17, 3));
                raster::check::check(&frame).expect("scenes made in code are sound");
                assert!(frame.draws.iter().all(|draw| draw.primitive_count() > 0));
            }
        }
    }
}
