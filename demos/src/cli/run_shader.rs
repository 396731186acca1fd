//! `warpaint run SHADER`: a compute shader with its buffers and textures on the machine.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use demos::load::{write_atomically, write_png};
use demos::report::{self, Counted, Provenance, count};
use demos::shader::{Bound, Element, Job, JobError, Shown};
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport};
use gpu_core::launcher::Launcher;
use gpu_core::program::Program;
use gpu_core::races::Races;
use gpu_core::units::Address;
use serde::Serialize;
use shaders::launch::KernelLaunchError;
use texture::Image;

use crate::cli::machine::counted;
use crate::cli::output::{emit, remark};
use crate::cli::run::told;
use crate::cli::{arguments, shader};

/// Words of a buffer that are printed when nobody says.
const USUAL_WORDS: usize = 64;

/// Values in a line of text.
const VALUES_IN_A_LINE: usize = 8;

/// The machine-readable outcome.
#[derive(Serialize)]
struct Body<'a> {
    file: &'a str,
    machine: &'a str,
    entry: &'a str,
    groups: [u32; 3],
    workgroup_size: [u32; 3],
    /// Of the code.
    instructions: u32,
    /// Registers that live in memory.
    spilled: u32,
    warp_instructions: u64,
    lane_instructions: u64,
    buffers: Vec<Printed<'a>>,
    /// Why the shader ended early, if it did; figures are those up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<String>,
    /// Races, if they were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    races: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed: Option<Counted>,
}

/// A buffer as it is printed.
#[derive(Serialize)]
struct Printed<'a> {
    group: u32,
    binding: u32,
    name: &'a str,
    element: &'static str,
    /// Size and format of a texture; its words are components.
    #[serde(skip_serializing_if = "Option::is_none")]
    texels: Option<String>,
    /// Of the whole buffer.
    words: usize,
    values: Vec<Value>,
}

/// A number, or text where JSON has no number for it.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Float(f32),
    Integer(i64),
    Text(String),
}

impl Value {
    fn new(element: Element, word: u32) -> Self {
        match element {
            Element::F32 if f32::from_bits(word).is_finite() => Self::Float(f32::from_bits(word)),
            Element::U32 => Self::Integer(word.into()),
            Element::I32 => Self::Integer((word as i32).into()),
            _ => Self::Text(element.show(word)),
        }
    }
}

/// Launches with an eye on races.
struct ForRaces<'a>(&'a mut Races);

impl Launcher for ForRaces<'_> {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        gpu.launch_observed(program, argument, self.0)
    }
}

/// Compiles, fills the buffers, launches, and prints them.
pub fn run(options: &arguments::Run) -> anyhow::Result<ExitCode> {
    let file = options.file.display().to_string();
    let mut chosen = options.machine.choose("wide")?;
    chosen.config = shader::limited(chosen.config, options.budget);
    chosen.config.validate()?;
    let mut job = options.launched.job(&options.file, &chosen.config)?;
    // What cannot be printed is refused before the run, which may be long.
    let shown = shown(&job, options)?;
    let mut gpu = Gpu::new(chosen.config)?;
    gpu.set_mode(options.time.mode());
    let mut runner = options.tracing.runner(&chosen)?;
    let mut races = options.races.then(|| Races::new(chosen.config.cores));
    let outcome = match &mut races {
        Some(races) => job.run_by(&mut gpu, &mut ForRaces(races)),
        None => job.run_by(&mut gpu, runner.launcher()),
    };
    if runner.has_stopped() {
        return runner.finish().map(|()| ExitCode::FAILURE);
    }
    let context = || format!("`{file}` did not run to its end");
    // A trap ends the shader, not the report.
    let (launch, failure) = match outcome {
        Ok(launch) => (launch, None),
        Err(cause @ JobError::Launch(KernelLaunchError::Launch { cause: LaunchError::Trap(_), .. })) => {
            (gpu.report(), Some(anyhow::Error::from(cause).context(context())))
        }
        Err(cause) => return Err(cause).with_context(context),
    };
    for stored in &options.results.outputs {
        write(job.buffer(stored.place)?, &stored.file)?;
    }
    let timed = counted(launch.timed.as_ref(), &chosen.config);
    options.time.write_csv(timed.as_ref())?;
    let body = Body {
        file: &file,
        machine: &chosen.name,
        entry: &job.kernel.name,
        groups: job.grid,
        workgroup_size: job.kernel.workgroup_size,
        instructions: job.kernel.statistics.instructions,
        spilled: job.kernel.statistics.spilled,
        warp_instructions: launch.warp_instructions,
        lane_instructions: launch.lane_instructions,
        buffers: shown.iter().map(|shown| printed(&job, shown)).collect::<Result<_, _>>()?,
        trap: failure.as_ref().map(report::describe),
        races: races.map(|races| races.found().iter().map(|race| told(race, &job.kernel.program)).collect()),
        timed,
    };
    if options.json {
        let provenance = Provenance::of_machine(chosen.configuration(), [&job.kernel.program]);
        emit(report::to_json("run shader", &provenance, &body))?;
    } else {
        print(&body, &job, &shown)?;
    }
    let traced = runner.finish();
    match failure {
        Some(failure) => Err(failure),
        None => traced.map(|()| ExitCode::SUCCESS),
    }
}

/// A texture becomes a picture where the file's name says so; everything else is bytes.
fn write(bound: &Bound, file: &Path) -> anyhow::Result<()> {
    let is_png = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    match bound.picture() {
        Some((width, height, rgba)) if is_png => write_png(file, width, height, &rgba)?,
        _ => write_atomically(file, &bound.bytes())?,
    }
    Ok(())
}

/// What is asked for, or the beginning of every buffer that is written.
fn shown(job: &Job, options: &arguments::Run) -> anyhow::Result<Vec<Shown>> {
    let results = &options.results;
    for place in results.prints.iter().map(|shown| shown.place).chain(results.outputs.iter().map(|stored| stored.place))
    {
        job.buffer(place)?;
    }
    if !results.prints.is_empty() || !results.outputs.is_empty() {
        return Ok(results.prints.clone());
    }
    let written = job.buffers.iter().filter(|buffer| buffer.is_written);
    let usual = |buffer: &Bound| Shown { place: buffer.place, element: buffer.element, most: Some(USUAL_WORDS) };
    Ok(written.map(usual).collect())
}

fn printed<'a>(job: &'a Job, shown: &Shown) -> Result<Printed<'a>, JobError> {
    let buffer = job.buffer(shown.place)?;
    let words = buffer.words.iter().take(shown.most.unwrap_or(usize::MAX));
    Ok(Printed {
        group: shown.place.group,
        binding: shown.place.binding,
        name: &buffer.name,
        element: shown.element.name(),
        texels: buffer.image.as_deref().map(described),
        words: buffer.words.len(),
        values: words.map(|word| Value::new(shown.element, *word)).collect(),
    })
}

/// Size and format of a texture.
fn described(image: &Image) -> String {
    let depth = if image.layers == 1 { String::new() } else { format!(" x {}", image.layers) };
    format!("{} x {}{depth} texels of {}", image.width(), image.height(), image.format)
}

/// The buffers, and the rest on standard error.
fn print(body: &Body, job: &Job, shown: &[Shown]) -> anyhow::Result<()> {
    let mut text = String::new();
    for shown in shown {
        let buffer = job.buffer(shown.place)?;
        let most = shown.most.unwrap_or(usize::MAX).min(buffer.words.len());
        let part = if most < buffer.words.len() { format!("the first {most} of ") } else { String::new() };
        let words = count(buffer.words.len() as u64, if buffer.image.is_some() { "component" } else { "word" });
        let of = buffer.image.as_ref().map_or_else(String::new, |image| format!("{}, ", described(image)));
        text += &format!("{} `{}`, {of}{part}{words} as {}\n", shown.place, buffer.name, shown.element.name());
        for (line, words) in buffer.words[..most].chunks(VALUES_IN_A_LINE).enumerate() {
            let values: Vec<_> = words.iter().map(|word| shown.element.show(*word)).collect();
            text += &format!("{:>6}  {}\n", line * VALUES_IN_A_LINE, values.join(" "));
        }
    }
    emit(text)?;
    let instructions = [(body.warp_instructions, "warp"), (body.lane_instructions, "lane")];
    let [warps, lanes] = instructions.map(|(number, kind)| count(number, &format!("{kind} instruction")));
    if body.trap.is_none() || body.timed.is_some() {
        let end = if body.trap.is_some() { "trapped, " } else { "" };
        remark(&format!("{}: {end}{warps}, {lanes}", body.file));
    }
    if let Some(races) = &body.races {
        remark(&format!("{}: {} between cores", body.file, count(races.len() as u64, "race")));
        races.iter().for_each(|race| remark(race));
    }
    if let Some(timed) = &body.timed {
        remark(timed.to_text().trim_end());
    }
    Ok(())
}
