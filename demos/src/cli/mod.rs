//! The subcommands, one file each; thin, the work is in the library.

pub mod arguments;
mod bench;
mod codegen;
mod debug;
mod diff;
mod disasm;
mod machine;
mod machines;
pub mod output;
mod picture;
mod profile;
mod program;
mod render;
pub mod reproduce;
mod run;
mod run_shader;
mod scenes;
mod shader;
pub mod sweep;
mod tracing;
mod view;

use std::process::ExitCode;

use arguments::{Cli, Command};

/// Does what the command line asks for.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let Some(command) = cli.command else { return view::run(&cli.view) };
    match command {
        Command::View(options) => view::run(&options.into_view()),
        Command::Render(options) => render::run(&options),
        Command::Scenes(options) => scenes::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Debug(options) => debug::run(&options),
        Command::Disasm(options) => disasm::run(&options),
        Command::Profile(options) => profile::run(&options),
        Command::Machines(options) => machines::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Reproduce(options) => reproduce::run(&options),
        Command::Codegen(options) => codegen::run(&options),
        Command::Sweep(options) => sweep::run(&options),
    }
}
