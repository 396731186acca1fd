//! `warpaint machines`: the machines by name, or every field of one.

use std::process::ExitCode;

use anyhow::ensure;
use demos::report::{self, Provenance};
use gpu_core::config::GpuConfig;
use serde::Serialize;

use crate::cli::arguments;
use crate::cli::machine::Machine;
use crate::cli::output::emit;

/// Prints the list, or one machine.
pub fn run(options: &arguments::Machines) -> anyhow::Result<ExitCode> {
    let Machine { machine, config, memory, divergence, fields } = &options.machine;
    let is_list = options.name.is_none() && machine.is_none() && config.is_none();
    if is_list {
        let is_changed = memory.is_some() || divergence.is_some() || !fields.is_empty();
        ensure!(!is_changed, "name the machine that is to be changed");
        emit(list(options.json))?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_twice = options.name.is_some() && (machine.is_some() || config.is_some());
    ensure!(!is_twice, "name one machine, not two");
    let chosen = Machine { machine: options.name.clone().or_else(|| machine.clone()), ..options.machine.clone() };
    let chosen = chosen.choose(GpuConfig::PRESETS[0])?;
    let configuration = chosen.configuration();
    let text = if options.json {
        #[derive(Serialize)]
        struct Nothing {}
        report::to_json("machines", &Provenance::of_machine(configuration, []), &Nothing {})
    } else {
        format!("# {}, hash {}\n{}", chosen.name, configuration.hash(), chosen.config.to_text())
    };
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}

fn list(is_json: bool) -> String {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        about: &'static str,
    }
    #[derive(Serialize)]
    struct List {
        machines: Vec<String>,
        memories: Vec<Entry>,
    }
    let memories = GpuConfig::MEMORIES.iter().map(|memory| Entry { name: memory.name, about: memory.doc });
    let list = List { machines: GpuConfig::listed_names(), memories: memories.collect() };
    if is_json {
        return report::to_json("machines", &Provenance::of_command(), &list);
    }
    let mut text = "machines (--machine NAME; any shape like 2c8w16t or vortex-2c8w16t is one too):\n".to_owned();
    for names in list.machines.chunks(5) {
        let names: String = names.iter().map(|name| format!("  {name:17}")).collect();
        text += &format!("{}\n", names.trim_end());
    }
    text += "memories (--memory NAME):\n";
    for Entry { name, about } in &list.memories {
        text += &format!("  {name:15}  {about}\n");
    }
    text + "`warpaint machines NAME` prints every field, each of which --set FIELD=VALUE changes\n"
}
