//! Every scene at every filter.

use demos::scenes::SCENES;
use golden_images::scene_picture::frame;

use crate::{compare, driver};

#[test]
fn scenes() {
    let Some(driver) = driver() else { return };
    println!("compared with {}", driver.name());
    for info in SCENES {
        for &filter in info.filters() {
            let name = format!("{}_{}", info.name, filter.name());
            // Far away one pixel steps over many bricks of the ground: without mip levels the last bit of a coordinate
            // decides there between two colours.
            let share = if name == "ground_bilinear" { 0.01 } else { 0.005 };
            compare(&name, &driver, &frame(info, filter, 250, 190), 2, share);
        }
    }
}
