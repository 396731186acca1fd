//! `warpaint scenes`: the list.

use std::process::ExitCode;

use demos::report::{self, Provenance};
use demos::scenes::SCENES;
use serde::Serialize;

use crate::cli::arguments;
use crate::cli::output::emit;

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    about: &'static str,
}

/// Prints the list, the default scene first.
pub fn run(options: &arguments::Scenes) -> anyhow::Result<ExitCode> {
    if options.json {
        #[derive(Serialize)]
        struct List {
            scenes: Vec<Entry>,
        }
        let scenes = SCENES.iter().map(|info| Entry { name: info.name, about: info.about }).collect();
        emit(report::to_json("scenes", &Provenance::of_command(), &List { scenes }))?;
    } else {
        let widest = SCENES.iter().map(|info| info.name.len()).max().unwrap_or(0);
        let lines = SCENES.iter().map(|info| format!("{:widest$}  {}\n", info.name, info.about));
        emit(lines.collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
