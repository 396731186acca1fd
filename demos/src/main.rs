//! The program `warpaint`: a window on the simulated GPU, pictures without one, programs, listings and benchmarks.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::run(cli::arguments::Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            // The whole chain of causes on one line, the outermost first.
            eprintln!("error: {failure:#}");
            ExitCode::from(2)
        }
    }
}
