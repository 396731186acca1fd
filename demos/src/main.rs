//! The program `warpaint`: a window on the simulated GPU, pictures without one, programs, listings and benchmarks.

mod cli;

use std::process::ExitCode;

use clap::Parser;
use shaders::front_end::FRONT_END_THREAD;

fn main() -> ExitCode {
    // A panic of naga becomes an error, which is printed; the panic itself is not news.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(FRONT_END_THREAD) {
            usual(panic);
        }
    }));
    match cli::run(cli::arguments::Cli::parse()) {
        Ok(code) => code,
        Err(failure) => {
            cli::output::remark(&format!("error: {}", demos::report::describe(&failure)));
            ExitCode::from(2)
        }
    }
}
