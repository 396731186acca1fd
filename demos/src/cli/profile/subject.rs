//! Runs what is to be profiled: a program, a scene, a benchmark or the sampler kernel.

use anyhow::ensure;
use demos::experiments::compute::Benchmark;
use demos::experiments::sampler::drawing::Drawing;
use demos::experiments::sampler::mapping::Mapping;
use demos::experiments::sampler::run::SEED;
use demos::experiments::sampler::source::source;
use demos::experiments::sampler::{Filter, Sampler};
use demos::inspect::watch::Watch;
use gpu_core::gpu::Gpu;
use gpu_core::launcher::Launcher;
use gpu_core::program::Program;
use gpu_core::units::Address;

use super::arguments::{Choice, Profile};
use crate::cli::machine::Chosen;
use crate::cli::picture;
use crate::cli::{program, shader};

/// What ran.
pub struct Measured {
    /// What it is called.
    pub name: String,
    /// The programs that ran.
    pub programs: Vec<Program>,
    /// Why it did not run to its end; if something was launched there is a profile up to there.
    pub failure: Option<anyhow::Error>,
}

/// Runs it, its launches watched.
pub fn measure(choice: &Choice, options: &Profile, chosen: &Chosen, watch: &mut Watch) -> anyhow::Result<Measured> {
    match choice {
        Choice::Program(file) => {
            let program = program::load(file)?;
            let file = file.display().to_string();
            let outcome = watch.launch(&mut Gpu::new(chosen.config)?, &program, Address(0));
            let failure = outcome
                .err()
                .map(|cause| anyhow::Error::from(cause).context(format!("`{file}` did not run to its end")));
            Ok(Measured { name: file, programs: vec![program], failure })
        }
        Choice::Shader(file) => {
            let config = shader::limited(chosen.config, None);
            let mut job = options.launched.job(file, &config)?;
            let outcome = job.run_by(&mut Gpu::new(config)?, watch);
            let file = file.display().to_string();
            let failure = outcome
                .err()
                .map(|cause| anyhow::Error::from(cause).context(format!("`{file}` did not run to its end")));
            let name = format!("{file}, {} x {} x {} workgroups", job.grid[0], job.grid[1], job.grid[2]);
            Ok(Measured { name, programs: vec![job.kernel.program], failure })
        }
        Choice::Scene => scene(options, chosen, watch),
        Choice::Compute(benchmark) => compute(*benchmark, options, chosen, watch),
        Choice::Sampler(filter, sampler) => sampled(*filter, *sampler, options, chosen, watch),
    }
}

fn scene(options: &Profile, chosen: &Chosen, watch: &mut Watch) -> anyhow::Result<Measured> {
    let named = picture::scene(&options.picture)?;
    let mut device = picture::device(chosen)?;
    let size = options.picture.size;
    let view = picture::view(&options.picture, &named, options.time);
    let frame = named.scene.frame(&view);
    let failure = device.render_by(&frame, watch).err().map(anyhow::Error::from);
    let name = format!("scene {}, {} x {}, {}", named.name, size.width, size.height, view.filter.name());
    let programs = device.programs().cloned().collect();
    Ok(Measured { name, programs, failure })
}

fn compute(benchmark: Benchmark, options: &Profile, chosen: &Chosen, watch: &mut Watch) -> anyhow::Result<Measured> {
    let size = options.workload_size.unwrap_or(benchmark.usual_size());
    let workload = benchmark.workload(size, &chosen.config)?;
    let outcome = workload.run_by(&mut Gpu::new(chosen.config)?, watch);
    let programs = workload.kernels.iter().map(|kernel| kernel.program.clone()).collect();
    Ok(Measured {
        name: format!("{} ({})", workload.name, workload.size),
        programs,
        failure: outcome.err().map(anyhow::Error::from),
    })
}

fn sampled(
    filter: Filter,
    sampler: Sampler,
    options: &Profile,
    chosen: &Chosen,
    watch: &mut Watch,
) -> anyhow::Result<Measured> {
    ensure!(options.workload_size.is_none(), "a sampler draws --size WxH pixels; --workload-size is for the others");
    // The mappings that the experiment's headline is measured with.
    let mapping = if filter == Filter::Trilinear { Mapping::Scale } else { Mapping::Shift };
    let target = [options.picture.size.width, options.picture.size.height];
    let [width, height] = mapping.source_size(target);
    let image = source(width, height, SEED)?;
    let mut drawing = Drawing::new(Gpu::new(chosen.config)?, &image, mapping, target)?;
    let programs = vec![drawing.kernel(filter, sampler)?.program];
    let failure = drawing.draw_by(filter, sampler, watch).err().map(anyhow::Error::from);
    let name = format!("sampler {} {}, {} x {}", filter.name(), sampler.name(), target[0], target[1]);
    Ok(Measured { name, programs, failure })
}
