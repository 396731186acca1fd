//! Every scene at every filter, drawn by the simulated machine, against its reference picture: exactly.

use demos::scenes::{Filter, find};
use golden_images::compare::{Tolerance, check};
use golden_images::scene_picture::{frame, picture};
use gpu_core::config::GpuConfig;
use raster::Device;

/// Size of the pictures in pixels; no multiple of a tile, so that edges of the target are seen too.
const SIZE: (u32, u32) = (250, 190);

#[track_caller]
fn golden(scene: &str, filter: Filter) {
    let info = find(scene).expect("the scene is in the list");
    let config = GpuConfig::from_name("wide").expect("the preset exists");
    let mut device = Device::new(config).expect("the wide machine draws");
    let actual = picture(&mut device, &frame(info, filter, SIZE.0, SIZE.1));
    if let Err(failure) = check(&format!("{scene}_{}", filter.name()), &actual, Tolerance::EXACT) {
        panic!("{failure}");
    }
}

macro_rules! goldens {
    ($($name:ident: $scene:literal $filter:ident;)*) => {
        $(#[test] fn $name() { golden($scene, Filter::$filter); })*

        /// A scene or filter that is added without a golden picture is noticed here.
        #[test]
        fn every_scene_and_filter_has_a_golden_picture() {
            let here = [$(($scene, Filter::$filter)),*];
            for info in demos::scenes::SCENES {
                for filter in Filter::ALL {
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
}
