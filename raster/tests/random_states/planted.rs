//! Random states notice a fault: each of these, planted into the kernel, shows in one of the first states.

use raster::tile_kernel::TileKernel;
use raster::{
    Backend, BlendFactor, ColorMask, Compare, DepthFormat, LogicOperation, PointShape, Reference, State, Target,
    Topology,
};
use shaders::front_end::Module;
use shaders::tile_records::TILE_KERNEL;

use crate::chance::Chance;
use crate::drawing::{Interpreted, render};
use crate::scene::{Scene, Stock};

/// A place of the kernel, what is wrong instead, and which states it concerns.
type Fault = (&'static str, &'static str, fn(&State) -> bool);

const FAULTS: [Fault; 22] = [
    ("bitcast<u32>(alpha), draws[draw]", "bitcast<u32>(alpha) + 1u, draws[draw]", |s| s.alpha_test != Compare::Always),
    ("kept = test_sample(at, depth, kept,", "kept = test_sample(at, depth, live,", |s| {
        s.alpha_test != Compare::Always && s.stencil.is_written()
    }),
    ("reference & read_mask, stored & read_mask", "reference & read_mask, stored", |s| s.stencil.is_tested()),
    ("min(stored + 1u, 255u)", "stored + 1u", |s| s.stencil.is_written()),
    ("(stored & ~write_mask) | (value & write_mask)", "value & write_mask", |s| s.stencil.is_written()),
    ("if covered { tile_depth[at] = (face.value", "if live { tile_depth[at] = (face.value", |s| s.stencil.is_written()),
    ("draws[draw].stencil_reference[is_front]", "draws[draw].stencil_reference[0]", |s| s.stencil.is_used()),
    ("return whole + bitcast<u32>(i32(round(rest)))", "return whole", |s| s.depth.is_used()),
    ("(word & 0xff000000u) | depth", "depth", |s| s.depth.write && s.depth_format == DepthFormat::Depth24Stencil8),
    ("clamp((draws[draw].fog_end - distance)", "clamp((draws[draw].fog_end + distance)", |s| s.fog.is_used()),
    ("lost * draws[draw].fog_blue),\n        color.a", "lost * draws[draw].fog_blue),\n        left", |s| {
        s.fog.is_used()
    }),
    ("return min(sum, most)", "return sum", |s| s.targets[0].blend.is_used()),
    ("vec4<f32>(least, least, least, 1.0)", "vec4<f32>(least)", |s| {
        s.targets[0].blend.alpha.source == BlendFactor::SourceAlphaSaturated && s.logic.is_none()
    }),
    ("srgb_decode(bytes.b)", "srgb_decode(bytes.g)", |s| s.targets[0].format.is_srgb()),
    ("return ~source | stored", "return source | ~stored", |s| s.logic == Some(LogicOperation::OrInverted)),
    ("(at.x - triangles[triangle].left < triangles[triangle].width) &", "", |s| !s.topology.is_triangles()),
    ("covered = covered & is_in_rectangle(triangle, at);", "", |s| !s.topology.is_triangles()),
    ("& is_in_rectangle(triangle, last);", ";", |s| !s.topology.is_triangles()),
    ("(at.x + right - triangles[triangle].left", "(at.x - triangles[triangle].left", |s| s.topology.is_lines()),
    ("i32(at.y) - disc.y", "i32(at.y) - disc.x", is_round),
    ("var is_full = !HAS_DISCS & !HAS_PLACES;", "var is_full = true;", is_round),
    ("(stored & ~mask) | (word & mask)", "word", |s| s.targets[0].mask != ColorMask::ALL),
];

fn is_round(state: &State) -> bool {
    state.topology == Topology::PointList && state.point.shape == PointShape::Round
}

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
    let kernel = |&(right, wrong, _): &Fault| Interpreted::new(16, 3).with_kernel(kernel_with(right, wrong));
    let mut pending: Vec<_> = FAULTS.iter().map(|fault| (fault, kernel(fault))).collect();
    for seed in 1..1000 {
        let scene = Scene::new(&mut Chance::new(seed), &mut stock).with_one_sample();
        if !pending.iter().any(|((.., concerns), _)| concerns(&scene.state)) {
            continue;
        }
        let expected = render(&mut Reference::new(), &scene.frame);
        pending.retain_mut(|((.., concerns), backend)| {
            let mut shows = || backend.render(&scene.frame).map_or(true, |actual| !is_same(&expected, &actual));
            !(concerns(&scene.state) && shows())
        });
        if pending.is_empty() {
            return;
        }
    }
    panic!("not noticed: {:?}", pending.iter().map(|((right, ..), _)| right).collect::<Vec<_>>());
}
