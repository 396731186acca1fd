//! `warpaint disasm FILE`: machine code as text, a shader's with its source lines.

use std::process::ExitCode;

use anyhow::{Context, bail};
use demos::listing;
use demos::report::{self, Provenance};
use gpu_core::load::load_file;
use gpu_core::program::{Program, SourceFile};
use raster::tile_kernel::Variant;
use raster::{Device, Pipeline, State};
use serde::Serialize;
use shaders::compile::{CompileOptions, compile};
use shaders::front_end::{EntryStage, Module};
use shaders::translate::{Options, translate};

use crate::cli::arguments;
use crate::cli::output::emit;

#[derive(Serialize)]
struct Body<'a> {
    file: String,
    instructions: usize,
    lines: Vec<listing::Line<'a>>,
}

/// Loads or compiles, and prints.
pub fn run(options: &arguments::Disasm) -> anyhow::Result<ExitCode> {
    let file = options.file.display().to_string();
    let is_shader = options.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wgsl"));
    let program = if is_shader {
        let source = std::fs::read_to_string(&options.file).with_context(|| format!("cannot read shader `{file}`"))?;
        compiled(options, &file, &source)?
    } else {
        load_file(&options.file).with_context(|| format!("cannot load program `{file}`"))?
    };
    let lines = listing::of_program(&program);
    if options.json {
        emit(report::to_json("disasm", &Provenance::of_command(), &Body { file, instructions: lines.len(), lines }))?;
    } else {
        emit(listing::to_text(&lines))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The code of one entry point: a compute kernel alone, a fragment shader linked into the tile kernel.
fn compiled(options: &arguments::Disasm, file: &str, source: &str) -> anyhow::Result<Program> {
    let module = Module::parse(file, source)?;
    let entries: Vec<(&str, EntryStage)> = module.entries().collect();
    let names = || entries.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let (name, stage) = match (&options.entry, entries.as_slice()) {
        (Some(wanted), _) => match entries.iter().find(|(name, _)| name == wanted) {
            Some(found) => *found,
            None => bail!("`{file}` has no entry point `{wanted}`; it has: {}", names()),
        },
        (None, [only]) => *only,
        (None, []) => bail!("`{file}` has no entry point"),
        (None, _) => bail!("`{file}` has several entry points; choose one with --entry: {}", names()),
    };
    let config = options.machine.choose("wide")?.config;
    match stage {
        EntryStage::Compute => {
            let selected = module.select(name, &[])?;
            let kernel = translate(&selected, &Options::default())?;
            let sources = [SourceFile { name: file.to_string(), text: source.to_string() }];
            let target = CompileOptions::new(config.lanes, config.warps, config.extensions);
            Ok(compile(&kernel, &sources, &target)?.program)
        }
        EntryStage::Fragment => {
            let pipeline = Pipeline::new(file, source, name, State::SOLID)?;
            let mut device = Device::new(config)?;
            // No mip levels: the shortest code; a scene's draw may use more.
            Ok(device.kernel(&pipeline, Variant::default())?.program.clone())
        }
        EntryStage::Vertex | EntryStage::Other => {
            bail!("entry point `{name}` of `{file}` is neither a compute nor a fragment shader")
        }
    }
}
