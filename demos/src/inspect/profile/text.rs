//! A profile as a table of text.

use std::fmt::Write;

use gpu_core::observe::StallReason;

use super::table::Table;
use super::{Profile, Spent};
use crate::report::count;

/// What a profile is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The program, scene or workload.
    pub name: String,
    /// What the machine is called.
    pub machine: String,
    /// Its cores.
    pub cores: u32,
    /// Issue slots of a core.
    pub slots: u32,
    /// Lanes of a warp.
    pub lanes: u32,
}

/// A share in hundredths; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 }
}

/// What is true of the whole.
pub fn summary(profile: &Profile, subject: &Subject) -> Vec<String> {
    let total = profile.total();
    let all = total.slot_cycles();
    let Subject { name, machine, cores, slots, lanes } = subject;
    let per_cycle = |count: u64| if profile.cycles() == 0 { 0.0 } else { count as f64 / profile.cycles() as f64 };
    let mut lines = vec![
        format!(
            "{name} on {machine}: {}, {}",
            count(profile.cycles(), "cycle"),
            if profile.launches() == 1 { "1 launch".to_owned() } else { format!("{} launches", profile.launches()) }
        ),
        format!(
            "{all} slot-cycles = cycles x {} x {}",
            count((*cores).into(), "core"),
            count((*slots).into(), "issue slot")
        ),
        format!("{} issued, {:.1} %: IPC {:.3}", total.issued, percent(total.issued, all), per_cycle(total.issued)),
    ];
    if let Some(active) = total.lanes_per_issue() {
        let share = active / f64::from(*lanes) * 100.0;
        lines.push(format!("{active:.2} of {lanes} lanes active in an instruction, {share:.1} %"));
    }
    let stalls = total.main_reasons().into_iter();
    let stalls: Vec<String> =
        stalls.map(|(reason, count)| format!("{} {:.1} %", reason.name(), percent(count, all))).collect();
    if !stalls.is_empty() {
        lines.push(format!("lost: {}", stalls.join(", ")));
    }
    lines
}

/// A column's name: the counter's, or shorter.
const fn heading(reason: StallReason) -> &'static str {
    match reason {
        StallReason::InstructionCache => "icache",
        reason => reason.name(),
    }
}

/// The width of a reason's column.
const COLUMN: usize = 11;

/// The first `count` rows with their figures, and a row for the others.
pub fn table(table: &Table, count: usize) -> String {
    let all = table.total.slot_cycles();
    let reasons = table.reasons();
    let mut out = format!("{:>11} {:>6} {:>9} {:>6}", "slot-cycles", "%", "issued", "lanes");
    for reason in &reasons {
        let _ = write!(out, " {:>COLUMN$}", heading(*reason));
    }
    out.push_str("  where\n");
    let mut line = |spent: &Spent, place: &str| {
        let lanes = spent.lanes_per_issue().map_or_else(String::new, |lanes| format!("{lanes:.2}"));
        let share = percent(spent.slot_cycles(), all);
        let _ = write!(out, "{:>11} {share:>6.2} {:>9} {lanes:>6}", spent.slot_cycles(), spent.issued);
        for reason in &reasons {
            let _ = match spent.stalls[*reason as usize] {
                0 => write!(out, " {:>COLUMN$}", "."),
                count => write!(out, " {count:>COLUMN$}"),
            };
        }
        let _ = writeln!(out, "  {}", place.trim_end());
    };
    let (shown, rest) = table.top(count);
    for row in shown {
        let source = table.source(row);
        let place: Vec<&str> =
            [row.pc.as_deref().unwrap_or(""), &source, &row.text].into_iter().filter(|part| !part.is_empty()).collect();
        line(&row.spent, &place.join("  "));
    }
    if let Some((count, spent)) = rest {
        line(&spent, &format!("({count} more rows)"));
    }
    line(&table.total, "(all)");
    out
}
