//! Random states notice a fault: each of these, planted into the kernel, shows in one of the first states.

use raster::tile_kernel::TileKernel;
use raster::{Backend, Reference, Target};
use shaders::front_end::Module;
use shaders::tile_records::TILE_KERNEL;

use crate::chance::Chance;
use crate::drawing::{Interpreted, render};
use crate::scene::{Scene, Stock};

/// The text of the kernel that is right, and what is wrong.
const FAULTS: [(&str, &str); 16] = [
    ("bitcast<u32>(alpha), draws[draw]", "bitcast<u32>(alpha) + 1u, draws[draw]"),
    ("kept = test_sample(at, depth, kept,", "kept = test_sample(at, depth, live,"),
    ("reference & read_mask, stored & read_mask", "reference & read_mask, stored"),
    ("min(stored + 1u, 255u)", "stored + 1u"),
    ("(stored & ~write_mask) | (value & write_mask)", "value & write_mask"),
    ("if covered { tile_depth[at] = (face.value", "if live { tile_depth[at] = (face.value"),
    ("draws[draw].stencil_reference[is_front]", "draws[draw].stencil_reference[0]"),
    ("return whole + bitcast<u32>(i32(round(rest)))", "return whole"),
    ("(word & 0xff000000u) | depth", "depth"),
    ("clamp((draws[draw].fog_end - distance)", "clamp((draws[draw].fog_end + distance)"),
    (
        "fma(left, color.b, lost * draws[draw].fog_blue),\n        color.a",
        "fma(left, color.b, lost * draws[draw].fog_blue),\n        left",
    ),
    ("return min(sum, most)", "return sum"),
    ("vec4<f32>(least, least, least, 1.0)", "vec4<f32>(least)"),
    ("srgb_decode(bytes.b)", "srgb_decode(bytes.g)"),
    ("return ~source | stored", "return source | ~stored"),
    ("(stored & ~mask) | (word & mask)", "word"),
];

/// The kernel with one place changed.
fn kernel_with(right: &str, wrong: &str) -> TileKernel {
    let places: usize = TILE_KERNEL.iter().map(|(_, text)| text.matches(right).count()).sum();
    assert_eq!(places, 1, "`{right}` stands once in the kernel");
    let texts: Vec<_> = TILE_KERNEL.iter().map(|(name, text)| (*name, text.replace(right, wrong))).collect();
    let files: Vec<_> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    TileKernel::of(Module::parse_files("planted", &files).unwrap_or_else(|error| panic!("{error}")))
}

fn is_same(a: &Target, b: &Target) -> bool {
    let mut places = (0..a.height).flat_map(|y| (0..a.width).map(move |x| (x, y)));
    let of =
        |target: &Target, (x, y)| (target.color_at(x, y), target.depth_at(x, y).to_bits(), target.stencil_at(x, y));
    places.all(|place| of(a, place) == of(b, place))
}

#[test]
fn planted_faults_are_noticed() {
    let mut stock = Stock::new();
    let mut backends: Vec<_> =
        FAULTS.iter().map(|(right, wrong)| Interpreted::new(16, 3).with_kernel(kernel_with(right, wrong))).collect();
    let mut pending: Vec<usize> = (0..FAULTS.len()).collect();
    for seed in 1..400 {
        let scene = Scene::new(&mut Chance::new(seed), &mut stock);
        let expected = render(&mut Reference::new(), &scene.frame);
        pending.retain(|&fault| {
            // Some faults write beyond a channel; what comes of it is a picture all the same.
            backends[fault].render(&scene.frame).is_ok_and(|actual| is_same(&expected, &actual))
        });
        if pending.is_empty() {
            return;
        }
    }
    panic!("not noticed: {:?}", pending.iter().map(|&fault| FAULTS[fault]).collect::<Vec<_>>());
}
