//! Every scene at every filter, drawn by the simulated machine, against its reference picture: exactly.

use demos::scenes::{Filter, SCENES, SceneInfo, find};
use golden_images::compare::{Tolerance, check};
use golden_images::picture::Picture;
use golden_images::scene_picture::{frame, picture};
use gpu_core::config::GpuConfig;
use raster::Device;

/// Size of the pictures in pixels; no multiple of a tile, so that edges of the target are seen too.
const SIZE: (u32, u32) = (250, 190);

/// Other sizes: smaller than most triangles, and a picture that is higher than wide.
const OTHER_SIZES: [(u32, u32); 2] = [(64, 48), (31, 77)];

fn draw(info: &SceneInfo, filter: Filter, (width, height): (u32, u32)) -> Picture {
    let config = GpuConfig::from_name("wide").expect("the preset exists");
    let mut device = Device::new(config).expect("the wide machine draws");
    picture(&mut device, &frame(info, filter, width, height))
}

#[track_caller]
fn golden(scene: &str, filter: Filter) {
    let info = find(scene).expect("the scene is in the list");
    let actual = draw(info, filter, SIZE);
    if let Err(failure) = check(&format!("{scene}_{}", filter.name()), &actual, Tolerance::EXACT) {
        panic!("{failure}");
    }
}

#[test]
fn every_scene_at_other_sizes() {
    let mut failures = Vec::new();
    for info in SCENES {
        for (width, height) in OTHER_SIZES {
            let actual = draw(info, Filter::Trilinear, (width, height));
            let checked = check(&format!("{}_{width}x{height}", info.name), &actual, Tolerance::EXACT);
            failures.extend(checked.err().map(|failure| failure.to_string()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

macro_rules! goldens {
    ($($name:ident: $scene:literal $filter:ident;)*) => {
        $(#[test] fn $name() { golden($scene, Filter::$filter); })*

        /// A scene or filter that is added without a golden picture is noticed here.
        #[test]
        fn every_scene_and_filter_has_a_golden_picture() {
            let here = [$(($scene, Filter::$filter)),*];
            for info in SCENES {
                for &filter in info.filters() {
                    assert!(here.contains(&(info.name, filter)), "no golden picture for {} {}", info.name, filter.name());
                }
            }
        }
    };
}

goldens! {
    knot_point: "knot" Point;
    knot_bilinear: "knot" Bilinear;
    knot_trilinear: "knot" Trilinear;
    ground_point: "ground" Point;
    ground_bilinear: "ground" Bilinear;
    ground_trilinear: "ground" Trilinear;
    crowd_point: "crowd" Point;
    crowd_bilinear: "crowd" Bilinear;
    crowd_trilinear: "crowd" Trilinear;
    decals_point: "decals" Point;
    decals_bilinear: "decals" Bilinear;
    decals_trilinear: "decals" Trilinear;
    foliage_point: "foliage" Point;
    foliage_bilinear: "foliage" Bilinear;
    foliage_trilinear: "foliage" Trilinear;
    corridor_point: "corridor" Point;
    corridor_bilinear: "corridor" Bilinear;
    corridor_trilinear: "corridor" Trilinear;
    landscape_point: "landscape" Point;
    landscape_bilinear: "landscape" Bilinear;
    landscape_trilinear: "landscape" Trilinear;
    lightmap_point: "lightmap" Point;
    lightmap_bilinear: "lightmap" Bilinear;
    lightmap_trilinear: "lightmap" Trilinear;
    mirror_point: "mirror" Point;
    mirror_bilinear: "mirror" Bilinear;
    mirror_trilinear: "mirror" Trilinear;
    particles_point: "particles" Point;
    particles_bilinear: "particles" Bilinear;
    particles_trilinear: "particles" Trilinear;
    reflection_point: "reflection" Point;
    reflection_bilinear: "reflection" Bilinear;
    reflection_trilinear: "reflection" Trilinear;
    shadows_point: "shadows" Point;
    shadows_bilinear: "shadows" Bilinear;
    shadows_trilinear: "shadows" Trilinear;
    planet: "planet" Trilinear;
    sunset: "sunset" Trilinear;
    waves: "waves" Trilinear;
    wireframe: "wireframe" Trilinear;
}
