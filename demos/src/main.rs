//! The program `warpaint`: a window on the simulated GPU, pictures without one, programs, listings and benchmarks.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::run(cli::arguments::Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            cli::output::remark(&format!("error: {}", demos::report::describe(&failure)));
            ExitCode::from(2)
        }
    }
}
