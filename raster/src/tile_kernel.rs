//! The tile kernel, specialised: for a machine's tile shape, a pipeline's state, and a draw's needs.
//!
//! Before: `pipeline` and `tile_shape`. After: `device`, which launches it over the bins. A feature that is off is a
//! constant in the specialised kernel, so the compiler leaves no instruction of it behind.

use std::sync::{Arc, LazyLock};

use shaders::diagnostic::CompileError;
use shaders::front_end::Module;
use shaders::interface::COLOR_TARGETS;
use shaders::texture_calls::ScalarKind;
use shaders::tile_records::tile_kernel;

use crate::bound::Bound;
use crate::draw::Draw;
use crate::format::ColorFormat;
use crate::geometry::Geometry;
use crate::pipeline::{BANK_STAGES, Pipeline};
use crate::screen::Attached;
use crate::state::{PointShape, Topology};
use crate::surface::Samples;
use crate::tile_shape::TileShape;

/// Overrides of each colour target.
const BLENDS: [&str; COLOR_TARGETS] =
    ["BLEND_0", "BLEND_1", "BLEND_2", "BLEND_3", "BLEND_4", "BLEND_5", "BLEND_6", "BLEND_7"];
const COLOR_MASKS: [&str; COLOR_TARGETS] = [
    "COLOR_MASK_0",
    "COLOR_MASK_1",
    "COLOR_MASK_2",
    "COLOR_MASK_3",
    "COLOR_MASK_4",
    "COLOR_MASK_5",
    "COLOR_MASK_6",
    "COLOR_MASK_7",
];
/// A bit for each colour target.
pub const ALL_COLORS: u32 = (1 << COLOR_TARGETS) - 1;

/// What a kernel is made for beside its pipeline.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunKind {
    /// How the machine divides the target.
    pub shape: TileShape,
    /// What there is to draw into.
    pub attached: Attached,
    /// What the draws need.
    pub variant: Variant,
    /// Colour targets that are stored, a bit each.
    pub kept_colors: u32,
    /// Whether depths are stored, if the pipeline writes any.
    pub keeps_depth: bool,
}

impl RunKind {
    /// For a frame's picture in the formats that a pipeline is made for.
    pub fn picture(pipeline: &Pipeline, shape: TileShape, variant: Variant) -> Self {
        let state = pipeline.state();
        let attached = Attached {
            colors: std::array::from_fn(|target| (target == 0).then_some(state.targets[0].format)),
            resolved: 0,
            depth: Some(state.depth_format),
            samples: Samples::One,
        };
        Self { shape, attached, variant, kept_colors: ALL_COLORS, keeps_depth: true }
    }
}

/// The tile kernel's source file, parsed, with its overrides still open.
#[derive(Debug)]
pub struct TileKernel {
    module: Arc<Module>,
}

/// Parsed once: parsing takes longer than all else that a device is made of.
static PARSED: LazyLock<Arc<Module>> =
    LazyLock::new(|| Arc::new(tile_kernel().expect("the tile kernel is valid WGSL; a test parses it")));

impl TileKernel {
    /// The kernel.
    pub fn new() -> Self {
        Self { module: Arc::clone(&PARSED) }
    }

    /// A kernel of other source, parsed by [`Module::parse_files`]: for tests that plant faults.
    pub fn of(module: Module) -> Self {
        Self { module: Arc::new(module) }
    }

    /// The kernel that a pipeline needs for one kind of run.
    pub fn specialise(&self, pipeline: &Pipeline, run: &RunKind) -> Result<Module, CompileError> {
        self.module.select("tile_main", &Self::overrides(pipeline, run))
    }

    /// The values of the kernel's overrides.
    pub fn overrides(pipeline: &Pipeline, run: &RunKind) -> Vec<(&'static str, f64)> {
        let RunKind { shape, attached, variant, kept_colors, keeps_depth } = run;
        let state = pipeline.state();
        let (depth, stencil, targets) = (state.depth, state.stencil, state.targets);
        let formats = targets.map(|target| target.format);
        let those = |is: fn(&ColorFormat) -> bool| -> f64 {
            let bits = formats.iter().enumerate().map(|(target, format)| u32::from(is(format)) << target);
            bits.sum::<u32>().into()
        };
        let is_points = state.topology == Topology::PointList;
        let depth_format = attached.depth.unwrap_or_default();
        let tile_words = shape.tile_pixels() * attached.samples.count();
        let flag = |is_set: bool| f64::from(u8::from(is_set));
        let mut overrides = vec![
            ("LANES", shape.lanes.into()),
            ("BLOCK_WIDTH_LOG2", shape.block_width_log2.into()),
            ("BLOCK_HEIGHT_LOG2", shape.block_height_log2.into()),
            ("TILE_SIDE_LOG2", shape.tile_side_log2.into()),
            ("TILE_PIXELS", shape.tile_pixels().into()),
            ("TILE_BLOCKS", shape.tile_blocks().into()),
            ("TILE_WORDS", tile_words.into()),
            ("COLOR_WORDS", (tile_words * attached.color_count().max(1)).into()),
            ("SAMPLES", attached.samples.count().into()),
            ("SAMPLE_MASK", (state.multisample.mask & attached.samples.mask()).into()),
            ("ALPHA_TO_COVERAGE", flag(state.multisample.alpha_to_coverage && attached.samples != Samples::One)),
            ("RUNS_PER_SAMPLE", flag(pipeline.interface().runs_per_sample() && attached.samples != Samples::One)),
            ("SHADER_DEPTH", flag(pipeline.interface().writes_depth())),
            ("SHADER_MASK", flag(pipeline.interface().writes_mask())),
            ("RESOLVED_TARGETS", attached.resolved.into()),
            ("TARGETS", attached.colors_of(pipeline).into()),
            ("KEPT_TARGETS", (*kept_colors).into()),
            ("KEEPS_DEPTH", flag(*keeps_depth)),
            ("TILE_DEPTH_WORDS", (tile_words * depth_format.words_per_sample()).into()),
            ("TESTS_LATE", flag(pipeline.tests_late())),
            ("ALPHA_COMPARE", state.alpha_test.code().into()),
            ("STENCIL_FRONT", stencil.front.code().into()),
            ("STENCIL_BACK", stencil.back.code().into()),
            ("STENCIL_WRITE", flag(stencil.is_written())),
            ("DEPTH_COMPARE", depth.compare.code().into()),
            ("DEPTH_WRITE", flag(depth.write)),
            ("DEPTH_FORMAT", depth_format.code().into()),
            ("FOG_MODE", (state.fog.mode as u32).into()),
            ("FOG_COORDINATE", (state.fog.coordinate as u32).into()),
            ("SRGB_TARGETS", those(|format| format.is_srgb())),
            ("INTEGER_TARGETS", those(|format| format.is_integer())),
            ("BYTE_TARGETS", those(|format| format.has_bytes())),
            ("SIGNED_TARGETS", those(|format| format.kind() == ScalarKind::Sint)),
            ("LOGIC", state.logic.map_or(16, |operation| operation as u32).into()),
            ("MAY_DISCARD", flag(pipeline.interface().may_discard)),
            ("SAMPLES_TEXTURES", flag(!pipeline.stages().is_empty())),
            ("SAMPLING_0", variant.samplings[0].into()),
            ("SAMPLING_1", variant.samplings[1].into()),
            ("SAMPLING_2", variant.samplings[2].into()),
            ("SAMPLING_3", variant.samplings[3].into()),
            ("MARKS_SHADED", flag(variant.marks_shaded)),
            ("HAS_RECTANGLES", flag(variant.has_rectangles)),
            ("HAS_EDGES", flag(!is_points)),
            ("HAS_DISCS", flag(is_points && state.point.shape == PointShape::Round)),
            ("HAS_PLACES", flag(attached.samples != Samples::One && !state.topology.is_triangles())),
        ];
        for (target, (blend, mask)) in targets.iter().zip(BLENDS.into_iter().zip(COLOR_MASKS)) {
            overrides.extend([(blend, target.blend.code().into()), (mask, target.written_bits().into())]);
        }
        overrides
    }
}

impl Default for TileKernel {
    fn default() -> Self {
        Self::new()
    }
}

/// What decides about a kernel beside the pipeline: draws that differ in it are drawn by different kernels.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// What textures and samplers of the first sixteen stages fix, the overrides `SAMPLING_0` to `SAMPLING_3`: a byte a stage, mip filter 1:0, filters 3:2,
    /// channels 6:4, anisotropic 7.
    pub samplings: [u32; 4],
    /// Whether pixels are tested against rectangles too ([`Geometry::needs_rectangles`]).
    pub has_rectangles: bool,
    /// Whether kernels mark the pixels that they shade, for who watches ([`Device::mark_shaded`](crate::Device::mark_shaded)).
    pub marks_shaded: bool,
}

impl Variant {
    /// What a draw needs on a target of this size.
    pub fn of(draw: &Draw, bound: &Bound, size: (u32, u32)) -> Self {
        let mut samplings = [0; 4];
        for (index, stage) in bound.stages.iter().enumerate().take(4 * BANK_STAGES) {
            let state = stage.state();
            let code = state.mip_filter | state.filters << 2 | state.channels << 4 | state.is_anisotropic << 7;
            samplings[index / BANK_STAGES] |= code << (8 * (index % BANK_STAGES));
        }
        Self { samplings, has_rectangles: Geometry::needs_rectangles(draw, size), marks_shaded: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Compare, DepthState, PointState, State};
    use gpu_core::isa::ExtensionSet;
    use shaders::ir;
    use shaders::translate::{Bounds, Options};

    /// Every combination of state and shape links with a shader that uses everything.
    #[test]
    fn every_specialisation_links() {
        let source = "
            struct Scene { tint: vec4<f32>, cut: f32 }
            @group(0) @binding(0) var<uniform> scene: Scene;
            @group(0) @binding(1) var picture: texture_2d<f32>;
            @group(0) @binding(2) var how: sampler;
            @fragment fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) id: u32,
                              @builtin(front_facing) front: bool, @builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
                let color = textureSample(picture, how, uv) * scene.tint;
                if color.a < scene.cut { discard; }
                return select(color, vec4<f32>(f32(id), p.xyz), front);
            }";
        let kernel = TileKernel::new();
        for (lanes, side) in [(4, 3), (8, 4), (16, 5), (32, 5)] {
            let shape = TileShape::new(lanes, side).expect("these lanes draw");
            for compare in [Compare::Always, Compare::Less, Compare::GreaterEqual] {
                for write in [false, true] {
                    let state = State { depth: DepthState { compare, write }, ..State::FLAT };
                    let round = PointState { shape: PointShape::Round, ..PointState::SQUARE };
                    let points = State { topology: Topology::PointList, point: round, ..state };
                    for (state, has_rectangles) in [(state, false), (state, true), (points, true)] {
                        let pipeline = Pipeline::new("all.wgsl", source, "main", state).expect("a supported shader");
                        let variant = Variant { samplings: [2, 0, 0, 0], has_rectangles, marks_shaded: write };
                        let module = kernel.specialise(&pipeline, &RunKind::picture(&pipeline, shape, variant));
                        let module = module.expect("the overrides are the kernel's");
                        let options = Options {
                            bounds: Bounds::Trust,
                            zero_workgroup_memory: false,
                            extensions: ExtensionSet::NONE,
                        };
                        let linked = shaders::link::link(&module, pipeline.module(), &options).expect("they fit");
                        ir::verify::verify(&linked).expect("the linker makes a sound kernel");
                    }
                }
            }
        }
    }
}
