//! What the compiler makes of twenty shaders: instructions, spills, and how many lanes work in those that run.
//!
//! Each is measured on two machines that differ in nothing but their instruction sets: `plain` has RV32IMAF and what SIMT
//! needs, `wide` also Zba, Zbb, Zicond and Zfa. `docs/codegen.md` is the page that `warpaint codegen --write` makes of it.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport};
use gpu_core::launcher::Launcher;
use gpu_core::program::Program;
use gpu_core::units::Address;
use serde::Serialize;
use shaders::compile::CompiledKernel;
use shaders::front_end::Language;

use crate::experiments::compute::Benchmark;
use crate::experiments::sampler::drawing::Drawing;
use crate::experiments::sampler::mapping::Mapping;
use crate::experiments::sampler::run::SEED;
use crate::experiments::sampler::source::source;
use crate::experiments::sampler::{Filter, Sampler};
use crate::scenes::{self, View};
use crate::shader::{Filled, Given, Job, ShaderFile};

/// Lanes of a warp of both machines.
const LANES: u32 = 16;

/// Pixels of a scene's and a sampler's picture.
const PICTURE: [u32; 2] = [48, 36];

/// A shader and how it is run.
#[derive(Copy, Clone, Debug)]
enum Subject {
    /// A benchmark of a size.
    Compute(Benchmark, u32),
    /// The sampler kernel.
    Sampled(Filter, Sampler),
    /// The tile kernels of a scene, its shaders linked in.
    Scene(&'static str),
    /// A program of the test suite: file, text, buffers of group 0 in order, workgroups.
    Program(&'static str, &'static str, &'static [&'static str], [u32; 3]),
}

/// A program by the name of its file.
macro_rules! program {
    ($name:literal, $buffers:expr, $groups:expr) => {
        Subject::Program(
            $name,
            include_str!(concat!("../../../shaders/tests/programs/wgsl/", $name)),
            &$buffers,
            $groups,
        )
    };
}

const SUBJECTS: [Subject; 20] = [
    Subject::Compute(Benchmark::Sgemm, 16),
    Subject::Compute(Benchmark::Vecadd, 512),
    Subject::Compute(Benchmark::Saxpy, 512),
    Subject::Compute(Benchmark::Sfilter, 16),
    Subject::Compute(Benchmark::Nearn, 512),
    Subject::Compute(Benchmark::Gaussian, 12),
    Subject::Compute(Benchmark::Bfs, 256),
    Subject::Sampled(Filter::Bilinear, Sampler::Tex),
    Subject::Sampled(Filter::Bilinear, Sampler::Specialised),
    Subject::Scene("knot"),
    Subject::Scene("planet"),
    Subject::Scene("sunset"),
    Subject::Scene("particles"),
    Subject::Scene("foliage"),
    program!("bitonic_sort.wgsl", ["random:128"], [2, 1, 1]),
    program!(
        "nested_loops.wgsl",
        ["u32:5,2,6,0,3,1,4,6,2,5,1,3,0,4,6,2,5,3,1,0,4,2,6,5,3,1,2,0,6,4,5,3", "zero:128"],
        [1, 1, 1]
    ),
    program!("state_machine.wgsl", ["random:32", "zero:128"], [1, 1, 1]),
    program!("elimination.wgsl", ["count:160", "zero:128"], [1, 1, 1]),
    program!("bodies_step.wgsl", ["count:64", "zero:256"], [1, 1, 1]),
    program!("prefix_sum.wgsl", ["count:64", "zero:256"], [2, 1, 1]),
];

/// What a shader is on one machine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Of the code.
    pub instructions: u32,
    /// Loads and stores of spilled registers in the code.
    pub spill_accesses: u32,
    /// Instructions of warps that ran.
    pub warp_instructions: u64,
    /// The same, counted in every active lane.
    pub lane_instructions: u64,
}

impl Figures {
    /// Active lanes in a hundred.
    pub fn efficiency(&self) -> f64 {
        100.0 * self.lane_instructions as f64 / (self.warp_instructions.max(1) * u64::from(LANES)) as f64
    }
}

/// A shader on both machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// RV32IMAF.
    pub plain: Figures,
    /// With the extensions.
    pub wide: Figures,
}

/// Adds up what launches did.
#[derive(Debug, Default)]
struct Tally {
    warp_instructions: u64,
    lane_instructions: u64,
}

impl Launcher for Tally {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        let report = gpu.launch(program, argument)?;
        self.warp_instructions += report.warp_instructions;
        self.lane_instructions += report.lane_instructions;
        Ok(report)
    }
}

impl Tally {
    fn figures<'a>(&self, kernels: impl IntoIterator<Item = &'a CompiledKernel>) -> Figures {
        let statistics = kernels.into_iter().map(|kernel| kernel.statistics);
        let (instructions, spill_accesses) =
            statistics.fold((0, 0), |(sum, spills), one| (sum + one.instructions, spills + one.spill_accesses));
        let Self { warp_instructions, lane_instructions } = *self;
        Figures { instructions, spill_accesses, warp_instructions, lane_instructions }
    }
}

/// Compiles and runs everything.
pub fn measure() -> anyhow::Result<Vec<Row>> {
    let wide = GpuConfig::wide(1, 8, LANES);
    let plain = GpuConfig { extensions: GpuConfig::vortex(1, 8, LANES).extensions, ..wide };
    let row = |subject: &Subject| {
        Ok(Row { name: subject.name(), plain: subject.figures(plain)?, wide: subject.figures(wide)? })
    };
    SUBJECTS.iter().map(row).collect()
}

impl Subject {
    fn name(&self) -> String {
        match self {
            Self::Compute(benchmark, size) => format!("benchmark {} ({size})", benchmark.name()),
            Self::Sampled(filter, sampler) => format!("sampler {} {}", filter.name(), sampler.name()),
            Self::Scene(name) => format!("scene {name}"),
            Self::Program(file, ..) => format!("program {}", file.trim_end_matches(".wgsl")),
        }
    }

    fn figures(&self, config: GpuConfig) -> anyhow::Result<Figures> {
        let mut tally = Tally::default();
        match *self {
            Self::Compute(benchmark, size) => {
                let workload = benchmark.workload(size, &config)?;
                workload.run_by(&mut Gpu::new(config)?, &mut tally)?;
                Ok(tally.figures(&workload.kernels))
            }
            Self::Sampled(filter, sampler) => {
                let [width, height] = Mapping::Shift.source_size(PICTURE);
                let image = source(width, height, SEED)?;
                let mut drawing = Drawing::new(Gpu::new(config)?, &image, Mapping::Shift, PICTURE)?;
                drawing.draw_by(filter, sampler, &mut tally)?;
                Ok(tally.figures([&drawing.kernel(filter, sampler)?]))
            }
            Self::Scene(name) => {
                let info = scenes::find(name).expect("a scene of the list");
                let scene = (info.make)(None)?;
                let [width, height] = PICTURE;
                let filter = scenes::Filter::Trilinear;
                let frame = scene.frame(&View { width, height, time: 1.25, filter, camera: scene.camera() });
                let mut device = raster::Device::new(config)?;
                device.render_by(&frame, &mut tally)?;
                Ok(tally.figures(device.kernels()))
            }
            Self::Program(file, source, buffers, grid) => {
                let selected = ShaderFile::of_bytes(file, source.as_bytes(), Language::Wgsl)?.select(None, &[])?;
                let filled =
                    buffers.iter().zip(0..).map(|(contents, binding)| format!("0:{binding}={contents}").parse());
                let filled = filled.collect::<Result<Vec<Filled>, _>>()?;
                let given = Given { buffers: &filled, ..Given::default() };
                let mut job = Job::new(&selected, selected.compile(&config)?, &given, grid)?;
                job.run_by(&mut Gpu::new(config)?, &mut tally)?;
                Ok(tally.figures([&job.kernel]))
            }
        }
    }
}

/// The page.
pub fn page(rows: &[Row]) -> String {
    let mut text = format!(
        "# What the compiler makes\n\n\
         Twenty shaders, compiled and run on two machines of one core, 8 warps and {LANES} lanes that differ in their instruction sets only: *plain*\n\
         has RV32IMAF and what SIMT, votes and texture units need; *wide* has Zba, Zbb, Zicond and Zfa too.\n\n\
         *Instructions* are those of the code (of all kernels, where there are several); *spills* are its loads and stores of values that found no\n\
         register (29 integer, 32 float), without what is loaded again from where nobody writes; *run* are instructions of warps in one run; *lanes* is SIMD efficiency: active lanes among all lanes of the\n\
         instructions that ran. Scenes are pictures of {} × {} pixels; theirs are tile kernels with the fragment shaders linked in.\n\n\
         | shader | instructions plain | wide | spills plain | wide | run plain | wide | lanes plain | wide |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: | --: |\n",
        PICTURE[0], PICTURE[1]
    );
    for Row { name, plain, wide } in rows {
        text += &format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {:.1} % | {:.1} % |\n",
            plain.instructions,
            wide.instructions,
            plain.spill_accesses,
            wide.spill_accesses,
            plain.warp_instructions,
            wide.warp_instructions,
            plain.efficiency(),
            wide.efficiency()
        );
    }
    text + "\nWritten by `warpaint codegen --write docs/codegen.md`; a test holds that it is what the compiler makes today.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_what_the_compiler_makes_today() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/codegen.md");
        let shown = std::fs::read_to_string(path).expect("docs/codegen.md is there");
        let rows = measure().expect("everything compiles and runs");
        let current = page(&rows);
        let differing = shown.lines().zip(current.lines()).find(|(shown, current)| shown != current);
        assert!(
            shown == current,
            "docs/codegen.md is out of date ({differing:?}); `cargo run --release -- codegen --write docs/codegen.md` writes it again"
        );
        // What the page is for: extensions save instructions somewhere, and cost none.
        assert!(rows.iter().all(|row| row.wide.instructions <= row.plain.instructions));
        assert!(rows.iter().any(|row| row.wide.instructions < row.plain.instructions));
    }
}
