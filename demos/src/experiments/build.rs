//! From a kernel's source to code for a machine.

use gpu_core::config::GpuConfig;
use gpu_core::program::SourceFile;
use shaders::compile::{CompileOptions, CompiledKernel, compile};
use shaders::front_end::Module;
use shaders::kernels::KernelSource;
use shaders::translate::{Bounds, Options, translate};

use crate::experiments::error::ExperimentError;

/// Compiles an entry point with values for its overrides. Indices are trusted: these kernels are checked against plain
/// Rust, and a clamp at every access would be measured too.
pub fn build(
    source: &KernelSource,
    entry: &str,
    overrides: &[(&str, f64)],
    config: &GpuConfig,
) -> Result<CompiledKernel, ExperimentError> {
    let module = Module::parse(source.name, source.text)?.select(entry, overrides)?;
    let kernel = translate(
        &module,
        &Options { bounds: Bounds::Trust, zero_workgroup_memory: false, extensions: config.extensions },
    )?;
    let files = [SourceFile { name: source.name.to_owned(), text: source.text.to_owned() }];
    let options = CompileOptions::for_machine(config);
    Ok(compile(&kernel, &files, &options)?)
}
