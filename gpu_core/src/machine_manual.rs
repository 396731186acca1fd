//! The tables of `docs/machine.md`: parameters, counters, laws, rates, classes, written by the tables they describe.
//!
//! The page is prose by people. Between a line `<!-- parameters dcache -->` (or `counters core.dcache`, `laws`, `rates`,
//! `classes`, `machines`) and the next `<!-- end -->` stands what this module makes; a test holds the committed page equal
//! to that, and sees to it that no row is left out.

use crate::config::{GpuConfig, Kind, Source, rows as parameters};
use crate::counters::{CLASSES, Law, RATES, Role, Row, core_rows, shared_rows};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The last line of a table.
const END: &str = "<!-- end -->";

/// The page with every table written anew, and the rows that no table shows.
///
/// # Errors
/// A table has no end, or asks for what there is not; the message names its first line.
pub fn render(page: &str) -> Result<(String, Vec<String>), String> {
    let mut missing: BTreeSet<String> = parameters().iter().map(|row| row.path.clone()).collect();
    missing.extend(counters().into_iter().map(|row| row.path));
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let Some(what) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else { continue };
        if !lines.any(|line| line == END) {
            return Err(format!("`{line}` has no `{END}`"));
        }
        let mut words = what.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let blocks: Vec<&str> = words.collect();
        let table = match kind {
            "parameters" => parameter_table(&blocks, &mut missing),
            "counters" => counter_table(&blocks, &mut missing),
            "laws" => law_table(),
            "rates" => rate_table(),
            "classes" => class_table(),
            "machines" => machine_table(),
            _ => None,
        };
        out += &table.ok_or_else(|| format!("`{line}`: there is no such table or block"))?;
        out += &format!("{END}\n");
    }
    Ok((out, missing.into_iter().collect()))
}

fn counters() -> Vec<Row> {
    core_rows().into_iter().chain(shared_rows()).collect()
}

/// Text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

/// Splits a path into block and name; `.` is the block of those that have none.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or((".", path))
}

/// The parameters of blocks of one shape side by side (`icache dcache tcache`), or of `.`, the machine itself.
fn parameter_table(blocks: &[&str], missing: &mut BTreeSet<String>) -> Option<String> {
    let machines = [GpuConfig::vortex(1, 4, 4), GpuConfig::from_name("wide").expect("a preset is valid")];
    let value = |machine: usize, path: &str| machines[machine].field(path).expect("the row exists").replace('"', "");
    let of_block = |block: &str| parameters().iter().filter(move |row| split(&row.path).0 == block).collect::<Vec<_>>();
    let columns: Vec<_> = blocks.iter().map(|block| of_block(block)).collect();
    let first = columns.first().filter(|rows| !rows.is_empty())?;
    let mut table = format!("| {} | default | source | range | meaning |\n", heading("parameter", blocks));
    table += "| --- | --- | --- | --- | --- |\n";
    for (place, row) in first.iter().enumerate() {
        let names: Vec<&str> =
            columns.iter().map(|rows| rows.get(place).map(|row| row.path.as_str())).collect::<Option<_>>()?;
        if names.iter().any(|name| split(name).1 != split(&row.path).1) {
            return None;
        }
        let defaults: Vec<String> = names
            .iter()
            .map(|path| {
                missing.remove(*path);
                let default = parameters().iter().find(|row| row.path == *path).expect("it is one of them").default;
                let [plain, wide] = [value(0, path), value(1, path)];
                match default.contains("shape.") {
                    true if default.strip_prefix("shape.") == Some(*path) => "by name".to_owned(),
                    // What depends on the shape of the machine stands as a formula.
                    true => format!("{plain} (`{}`)", default.replace("shape.", "")),
                    false if plain == wide => plain,
                    false => format!("{plain}; wide: {wide}"),
                }
            })
            .collect();
        let are_equal = defaults.iter().all(|default| *default == defaults[0]);
        let default = if are_equal { defaults[0].clone() } else { defaults.join(", ") };
        let name = if names.len() > 1 { split(&row.path).1 } else { &row.path };
        let (source, range, doc) = (source(row.source), range(row.kind), cell(row.doc));
        let _ = writeln!(table, "| `{name}` | {default} | {source} | {range} | {doc} |");
    }
    Some(table)
}

/// The heading of the first column: of one block nothing more, since its rows have their paths.
fn heading(kind: &str, blocks: &[&str]) -> String {
    let names: Vec<String> = blocks.iter().map(|block| format!("`{block}`")).collect();
    if blocks.len() > 1 { format!("{kind} of {}", names.join(", ")) } else { kind.to_owned() }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Skybox => "Skybox",
        Source::Published => "published",
        Source::Sampler => "default memory",
        Source::Ours => "ours",
    }
}

fn range(kind: Kind) -> String {
    match kind {
        Kind::Number { least, most } if most > u64::from(u32::MAX) => format!("{least} and more"),
        Kind::Number { least, most } => format!("{least} to {most}"),
        Kind::Power { least, most } => format!("{least} to {most}, a power of two"),
        Kind::Multiple { of, least, most } => format!("{least} to {most}, a multiple of {of}"),
        Kind::Flag => "true, false".to_owned(),
        Kind::Choice(words) => words.join(", "),
        Kind::Extensions => "list of extensions".to_owned(),
    }
}

/// The counters whose block is one of these; blocks of one shape stand side by side.
fn counter_table(blocks: &[&str], missing: &mut BTreeSet<String>) -> Option<String> {
    let all = counters();
    let of_block = |block: &str| all.iter().filter(|row| split(&row.path).0 == block).collect::<Vec<_>>();
    let columns: Vec<Vec<&Row>> = blocks.iter().map(|block| of_block(block)).collect();
    let first = columns.first().filter(|rows| !rows.is_empty())?;
    let heading = heading("counter", blocks);
    let mut table = format!("| {heading} | unit | laws | counts |\n| --- | --- | --- | --- |\n");
    for (place, row) in first.iter().enumerate() {
        let names: Vec<&str> =
            columns.iter().map(|rows| rows.get(place).map(|row| row.path.as_str())).collect::<Option<_>>()?;
        if names.iter().any(|name| split(name).1 != split(&row.path).1) {
            return None;
        }
        for name in &names {
            missing.remove(*name);
        }
        let name = if names.len() > 1 { split(&row.path).1 } else { &row.path };
        let roles: Vec<String> = row
            .roles
            .iter()
            .map(|role| match role {
                Role::Whole(law) => format!("whole of {law:?}"),
                Role::Part(law) => format!("part of {law:?}"),
            })
            .collect();
        let _ = writeln!(table, "| `{name}` | {} | {} | {} |", row.unit, roles.join(", "), cell(row.doc));
    }
    Some(table)
}

fn law_table() -> Option<String> {
    let mut table = String::from("| law | says |\n| --- | --- |\n");
    for &law in Law::ALL {
        let _ = writeln!(table, "| {law:?} | {} |", law.doc());
    }
    Some(table)
}

fn rate_table() -> Option<String> {
    let mut table = String::from("| rate | meaning |\n| --- | --- |\n");
    for rate in RATES {
        let _ = writeln!(table, "| `{}` | {} |", rate.name, cell(rate.doc));
    }
    Some(table)
}

fn class_table() -> Option<String> {
    let mut table = String::from("| class | register | in Skybox | counters |\n| --- | --- | --- | --- |\n");
    for class in CLASSES {
        for (place, (name, paths)) in class.counters.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            let shown = if paths.is_empty() { "0".to_owned() } else { paths.join(" + ") };
            let (number, kind) = (class.number, class.name);
            let _ = writeln!(table, "| {number} {kind} | `mpm{place}` {:#x} | {name} | {shown} |", 0xb03 + place);
        }
    }
    Some(table)
}

fn machine_table() -> Option<String> {
    let names = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
    let mut text = format!("Machines: {}.\n\n", names(&GpuConfig::listed_names()));
    text += "| memory | what it changes |\n| --- | --- |\n";
    for memory in GpuConfig::MEMORIES {
        let fields: Vec<String> = memory.fields.iter().map(|(path, value)| format!("`{path}={value}`")).collect();
        let fields = if fields.is_empty() { String::new() } else { format!(" ({})", fields.join(", ")) };
        let _ = writeln!(text, "| `{}` | {}{fields} |", memory.name, memory.doc);
    }
    Some(text)
}
