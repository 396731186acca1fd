//! `warpaint disasm FILE`: machine code as text, a shader's with its source lines.

use std::process::ExitCode;

use anyhow::{Context, bail};
use demos::listing;
use demos::report::{self, Provenance};
use gpu_core::load::load_file;
use gpu_core::program::Program;
use raster::tile_kernel::Variant;
use raster::{Device, Pipeline, State, StepMode, VertexBufferLayout, VertexFormat, VertexProgram};
use serde::Serialize;
use shaders::front_end::EntryStage;
use shaders::interface::{Attribute, NumericKind, VertexInterface};

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
    let program = if options.entry.is_shader(&options.file) {
        compiled(options, &file)?
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
fn compiled(options: &arguments::Disasm, file: &str) -> anyhow::Result<Program> {
    let selected = options.entry.select(&options.file)?;
    let config = options.machine.choose("wide")?.config;
    let name = &selected.module.entry_point().name;
    match selected.stage {
        EntryStage::Compute => Ok(selected.compile(&config)?.program),
        EntryStage::Fragment => {
            let pipeline = Pipeline::of_module(selected.module, State::SOLID)?;
            let mut device = Device::new(config)?;
            // No mip levels: the shortest code; a scene's draw may use more.
            Ok(device.kernel(&pipeline, Variant::default())?.program.clone())
        }
        EntryStage::Vertex => {
            let interface = VertexInterface::of(&selected.module.naga, &selected.module.info, name)?;
            // Buffers of 32-bit components: the shortest fetches.
            let attributes: Vec<_> = interface.attributes.iter().map(plain_format).collect();
            let layout = VertexBufferLayout::packed(StepMode::Vertex, &attributes);
            let layouts = if attributes.is_empty() { vec![] } else { vec![layout] };
            let program = VertexProgram::of_module(selected.module, &layouts)?;
            Ok(Device::new(config)?.vertex_kernel(&program)?.program.clone())
        }
        EntryStage::Other => bail!("entry point `{name}` of `{file}` is no compute, vertex or fragment shader"),
    }
}

/// An attribute's location, and the format that holds it as the shader declares it.
fn plain_format(attribute: &Attribute) -> (u32, VertexFormat) {
    let format = match attribute.ty.kind {
        NumericKind::Float => {
            [VertexFormat::Float32, VertexFormat::Float32x2, VertexFormat::Float32x3, VertexFormat::Float32x4]
        }
        NumericKind::Uint => {
            [VertexFormat::Uint32, VertexFormat::Uint32x2, VertexFormat::Uint32x3, VertexFormat::Uint32x4]
        }
        NumericKind::Sint => {
            [VertexFormat::Sint32, VertexFormat::Sint32x2, VertexFormat::Sint32x3, VertexFormat::Sint32x4]
        }
    };
    (attribute.location, format[attribute.ty.components as usize - 1])
}
