//! Every scene at every filter, drawn by the simulated machine, against its reference picture: exactly.

use std::path::Path;

use demos::scenes::{Filter, SCENES, SceneInfo, find};
use golden_images::compare::{GoldenError, Tolerance, check, check_in};
use golden_images::picture::Picture;
use golden_images::scene_picture::{frame, picture};
use gpu_core::config::GpuConfig;
use raster::Device;

/// Size of the pictures in pixels; no multiple of a tile, so that edges of the target are seen too.
const SIZE: (u32, u32) = (250, 190);

/// Other sizes: smaller than most triangles, and a picture that is higher than wide.
const OTHER_SIZES: [(u32, u32); 2] = [(64, 48), (31, 77)];

/// Machines that have to draw the very pictures of the wide one: few lanes, 8 lanes with tiles of another size, 32 lanes.
const OTHER_MACHINES: [&str; 3] = ["vortex-4w4t", "2c4w8t", "4c4w32t"];

fn draw(info: &SceneInfo, filter: Filter, size: (u32, u32)) -> Picture {
    draw_on("wide", info, filter, size)
}

fn draw_on(machine: &str, info: &SceneInfo, filter: Filter, (width, height): (u32, u32)) -> Picture {
    let config = GpuConfig::from_name(machine).expect("the machine has a name");
    let mut device = Device::new(config).expect("the machine draws");
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

/// The references are those of the wide machine: no machine has any of its own.
#[test]
fn every_scene_on_other_machines() {
    let mut failures = Vec::new();
    for info in SCENES {
        for machine in OTHER_MACHINES {
            let (width, height) = OTHER_SIZES[0];
            let actual = draw_on(machine, info, Filter::Trilinear, (width, height));
            let checked = check(&format!("{}_{width}x{height}", info.name), &actual, Tolerance::EXACT);
            failures.extend(checked.err().map(|failure| format!("on {machine}: {failure}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The suite's own comparison, with a picture that the machine drew: one level more in one channel of any one pixel.
#[test]
fn one_level_of_one_pixel_of_a_drawn_scene_is_noticed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("references");
    let failures = std::env::temp_dir().join(format!("golden-level-{}", std::process::id()));
    for info in SCENES {
        let (width, height) = OTHER_SIZES[0];
        let name = format!("{}_{width}x{height}", info.name);
        let drawn = Picture::read(&folder.join(format!("{name}.png"))).expect("every scene has a reference");
        let first = drawn.rgba.len() / 3;
        let at = (first..drawn.rgba.len()).find(|&at| drawn.rgba[at] < u8::MAX).expect("not all is white");
        let mut changed = drawn.clone();
        changed.rgba[at] += 1;
        check_in(&folder, &failures, &name, &drawn, Tolerance::EXACT, false).expect("the reference is itself");
        let noticed = check_in(&folder, &failures, &name, &changed, Tolerance::EXACT, false);
        let Err(GoldenError::Different { count, worst, x, y, .. }) = noticed else { panic!("{name}: {noticed:?}") };
        assert_eq!((count, worst, (y * width + x) as usize), (1, 1, at / 4), "{name}");
    }
    std::fs::remove_dir_all(&failures).expect("the panels were written there");
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
