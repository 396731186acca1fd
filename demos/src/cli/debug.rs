//! `warpaint debug PROGRAM`: steps through a program on the timed machine, commands from standard input.

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

use anyhow::Context;
use demos::inspect::debugger::Session;
use demos::inspect::debugger::command::{Command, parse};
use gpu_core::units::Address;

use crate::cli::output::{emit, remark};
use crate::cli::{arguments, program};

/// Shown where somebody types.
const PROMPT: &str = "(warpaint) ";

/// Reads commands until the input ends or says `quit`. In a script (input is no terminal), a command that could not be
/// done makes the exit status 1.
pub fn run(options: &arguments::Debug) -> anyhow::Result<ExitCode> {
    let program = program::load(&options.file)?;
    let chosen = options.machine.choose("vortex-4w4t")?;
    let mut session = Session::begin(chosen.config, &program, Address(0))?;
    let is_typed = std::io::stdin().is_terminal();
    if is_typed {
        emit(format!("{} is ready; `help` lists the commands\n", options.file.display()))?;
    }
    emit(session.execute(&Command::Where)?)?;
    let mut has_failed = false;
    let mut lines = std::io::stdin().lock().lines();
    loop {
        if is_typed {
            emit(PROMPT)?;
        }
        let Some(line) = lines.next() else { break };
        let outcome = match parse(&line.context("cannot read standard input")?) {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => session.execute(&command).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match outcome {
            Ok(text) => emit(text)?,
            Err(message) => {
                has_failed = true;
                remark(&format!("error: {message}"));
            }
        }
    }
    Ok(ExitCode::from(u8::from(has_failed && !is_typed)))
}
