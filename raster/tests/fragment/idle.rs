//! A feature that a pipeline does not use leaves no instruction in its kernel: the kernel is as long as one that was
//! compiled without the feature's source.

use super::*;
use raster::tile_kernel::{RunKind, TileKernel, Variant};
use raster::tile_shape::TileShape;
use raster::{Compare, DepthState};
use shaders::compile::{CompileOptions, LoadHoisting};
use shaders::front_end::Module;
use shaders::tile_records::TILE_KERNEL;
use shaders::translate::{Bounds, Options};

/// In the place of the files it names: what other files ask of them, and nothing else.
const WITHOUT: [(&str, &str); 4] = [
    (
        "alpha.wgsl",
        "const ALPHA_COMPARE = 7u;
         fn passes_alpha_test(alpha: f32, draw: u32) -> bool { return true; }",
    ),
    (
        "stencil.wgsl",
        "const STENCIL_FRONT = 7u;
         const STENCIL_BACK = 7u;
         const STENCIL_WRITE = false;
         struct Stenciled { passes: bool, value: u32 }
         fn uses_stencil() -> bool { return false; }
         fn test_stencil(face: u32, reference: u32, stored: u32, depth_passes: bool) -> Stenciled {
             return Stenciled(true, 0u);
         }",
    ),
    (
        "fog.wgsl",
        "const FOG_MODE = 0u;
         fn fogged(color: vec4<f32>, w: f32, z: f32, draw: u32) -> vec4<f32> { return color; }",
    ),
    (
        "blend.wgsl",
        "const SRGB_TARGETS = 0u;
         const INTEGER_TARGETS = 0u;
         fn integer_color(color_target: u32, stored: u32, color: vec4<u32>) -> u32 { return 0u; }
         fn srgb_encode(linear: f32) -> u32 { return 0u; }
         fn srgb_decode(byte: u32) -> f32 { return 0.0; }
         fn blend_color(color_target: u32, stored: u32, color: vec4<f32>, draw: u32) -> u32 {
             let bytes = vec4<u32>(round(color * 255.0));
             return (bytes.a << 24u) | (bytes.r << 16u) | (bytes.g << 8u) | bytes.b;
         }",
    ),
];

/// Instructions of a kernel.
fn length(kernel: &Module, pipeline: &Pipeline) -> usize {
    let options = Options { bounds: Bounds::Trust, zero_workgroup_memory: false, ..Options::default() };
    let linked = shaders::link::link(kernel, pipeline.module(), &options).expect("the shader fits");
    let extensions = gpu_core::config::GpuConfig::wide(1, 1, 16).extensions;
    let options = CompileOptions { load_hoisting: LoadHoisting::Always, ..CompileOptions::new(16, 1, extensions) };
    let program = shaders::compile::compile(&linked, &[], &options).expect("it compiles").program;
    program.segments.iter().map(|segment| segment.bytes.len() / 4).sum()
}

fn check(state: State) {
    let pipeline = pipeline(COLOR, state);
    let shape = TileShape::new(16, 4).expect("16 lanes draw");
    let overrides = TileKernel::overrides(&pipeline, &RunKind::picture(&pipeline, shape, Variant::default()));
    let files: Vec<_> = TILE_KERNEL
        .iter()
        .map(|&(name, text)| WITHOUT.into_iter().find(|(file, _)| *file == name).unwrap_or((name, text)))
        .collect();
    let without = Module::parse_files("without", &files).expect("the stubs fit");
    let declared = |name: &str| without.naga.overrides.iter().any(|(_, known)| known.name.as_deref() == Some(name));
    let known: Vec<_> = overrides.iter().copied().filter(|(name, _)| declared(name)).collect();
    assert!(known.len() < overrides.len(), "the stubs have no overrides");
    let without = without.select("tile_main", &known).expect("the overrides fit");
    let with = TileKernel::new()
        .specialise(&pipeline, &RunKind::picture(&pipeline, shape, Variant::default()))
        .expect("the overrides fit");
    assert_eq!(length(&with, &pipeline), length(&without, &pipeline), "instructions of {state:?}");
}

#[test]
fn what_is_off_leaves_no_instruction() {
    check(State::FLAT);
    check(State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    check(State { depth: DepthState { compare: Compare::Equal, write: false }, ..State::FLAT });
}

/// The comparison above can fail: each feature, when it is on, makes the kernel longer.
#[test]
fn what_is_on_takes_instructions() {
    let shape = TileShape::new(16, 4).expect("16 lanes draw");
    let length_of = |state: State| {
        let pipeline = pipeline(COLOR, state);
        let kernel = TileKernel::new()
            .specialise(&pipeline, &RunKind::picture(&pipeline, shape, Variant::default()))
            .expect("the overrides fit");
        length(&kernel, &pipeline)
    };
    let plain = length_of(State::FLAT);
    let on = [
        State { alpha_test: Compare::Less, ..State::FLAT },
        State { fog: raster::FogState::EXP2, ..State::FLAT },
        State { logic: Some(raster::LogicOperation::Xor), ..State::FLAT },
        State::FLAT.blended(raster::BlendState::ALPHA),
        State { stencil: raster::StencilState::both(raster::StencilFace::EQUAL), ..State::FLAT }
            .on(raster::ColorFormat::Rgba8, raster::DepthFormat::Depth24Stencil8),
        State::FLAT.on(raster::ColorFormat::Rgba8Srgb, raster::DepthFormat::Depth32Float),
    ];
    for state in on {
        assert!(length_of(state) > plain, "{state:?}");
    }
}
