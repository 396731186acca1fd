//! Every scene at every filter, but those that ask for what WebGPU does not have.

use demos::scenes::SCENES;
use golden_images::scene_picture::frame;
use golden_images::wgpu_backend::WgpuError;

use crate::{driver, judge};

/// Scenes that cannot be compared, and what they ask for.
const LEFT_OUT: &[(&str, &str)] = &[
    ("corridor", "anisotropic filtering"),
    ("foliage", "alpha test"),
    ("landscape", "fog"),
    ("particles", "point state"),
];

/// Pixels that may differ where more do than elsewhere, each for a reason of its own.
const SHARES: &[(&str, f64)] = &[
    // Far away one pixel steps over many texels; without mip levels the last bit of a coordinate decides between two.
    ("ground_bilinear", 0.01),
    ("corridor_point", 0.01),
    // On the left road two surfaces lie in one plane: who wins is the last bit of a depth.
    ("decals_point", 0.025),
    ("decals_bilinear", 0.025),
    ("decals_trilinear", 0.025),
    // Mesa takes the logarithm for the level of detail piecewise, up to 0.043 too low, and the floor is full of contrast.
    ("shadows_trilinear", 0.015),
    // The same logarithm, and Mesa filters over the edges of a cube's faces.
    ("reflection_trilinear", 0.03),
    // Lines may be one pixel off.
    ("wireframe_trilinear", 0.03),
];

#[test]
fn scenes() {
    let Some(driver) = driver() else { return };
    println!("compared with {}", driver.name());
    let (mut left_out, mut failures) = (Vec::new(), Vec::new());
    for info in SCENES {
        for &filter in info.filters() {
            let name = format!("{}_{}", info.name, filter.name());
            let frame = frame(info, filter, 250, 190);
            let share = SHARES.iter().find(|(known, _)| *known == name).map_or(0.005, |(_, share)| *share);
            match driver.render(&frame) {
                Ok(theirs) => failures.extend(judge(&name, &frame, &theirs, 2, share).err()),
                Err(WgpuError::Unsupported { what, .. } | WgpuError::NotOffered { what, .. }) => {
                    println!("{name} is left out: {what}");
                    if !left_out.contains(&(info.name, what)) {
                        left_out.push((info.name, what));
                    }
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(left_out, LEFT_OUT, "these scenes are left out of the comparison");
}
