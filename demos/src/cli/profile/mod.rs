//! `warpaint profile`: where the cycles of a program, a scene or a workload go, by source line or instruction.

pub mod arguments;
mod subject;

use std::process::ExitCode;

use demos::inspect::profile::Profile;
use demos::inspect::profile::html::page;
use demos::inspect::profile::table::{Json, Table};
use demos::inspect::profile::text::{Subject, summary, table};
use demos::inspect::watch::Watch;
use demos::load::PendingFile;
use demos::report::{self, Provenance};
use serde::Serialize;

use crate::cli::output::{emit, remark};
use crate::cli::tracing;
use arguments::{ByName, OrderName};
use subject::Measured;

/// The machine-readable profile.
#[derive(Serialize)]
struct Body<'a> {
    of: &'a str,
    machine: &'a str,
    cycles: u64,
    launches: u64,
    cores: u32,
    issue_slots: u32,
    lanes_of_a_warp: u32,
    by: ByName,
    order: OrderName,
    /// Why it ended early, if it did; figures are those up to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<String>,
    #[serde(flatten)]
    table: Json,
}

/// Runs in time and prints what it took.
pub fn run(options: &arguments::Profile) -> anyhow::Result<ExitCode> {
    let choice = options.choice()?;
    let chosen = options.picture.machine.choose(choice.usual_machine())?;
    // Places that cannot be written are refused before the run, which may be long.
    let html = options.html.as_ref().map(PendingFile::create).transpose()?;
    let mut watch = Watch::new(options.tracing.begin(&chosen)?, Some(Profile::new()));
    let Measured { name, programs, mut failure } = subject::measure(&choice, options, &chosen, &mut watch)?;
    if let Some(failure) = failure.take_if(|_| !watch.has_launched()) {
        return Err(failure);
    }
    let (trace, profile) = watch.finish()?;
    let profile = profile.expect("a profile was asked for");
    let subject = Subject {
        name,
        machine: chosen.name.clone(),
        cores: chosen.config.cores,
        slots: chosen.config.timing.issue.width,
        lanes: chosen.config.lanes,
    };
    if let Some(mut file) = html {
        file.write(page(&profile, &subject).as_bytes())?;
        file.commit()?;
    }
    let rows = Table::new(&profile, options.by.into(), options.order.into());
    if options.json {
        let body = Body {
            of: &subject.name,
            machine: &subject.machine,
            cycles: profile.cycles(),
            launches: profile.launches(),
            cores: subject.cores,
            issue_slots: subject.slots,
            lanes_of_a_warp: subject.lanes,
            by: options.by,
            order: options.order,
            trap: failure.as_ref().map(report::describe),
            table: rows.json(),
        };
        let provenance = Provenance::of_machine(chosen.configuration(), &programs);
        emit(report::to_json("profile", &provenance, &body))?;
    } else {
        let mut text = summary(&profile, &subject).join("\n");
        text += "\n\n";
        text += &table(&rows, options.row_count());
        emit(text)?;
    }
    if let Some(file) = &options.html {
        remark(&format!("{}: the profile as a page", file.display()));
    }
    trace.iter().for_each(tracing::tell);
    match failure {
        Some(failure) => Err(failure),
        None => Ok(ExitCode::SUCCESS),
    }
}
