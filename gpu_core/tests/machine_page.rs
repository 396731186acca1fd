//! `docs/machine.md`: prose by hand, tables of parameters and counters from the rows that the program itself reads.
//!
//! Between `<!-- parameters dcache -->` and `<!-- end -->` stand the parameters whose paths begin with `dcache.`; with
//! several names, those that they share, with their defaults side by side. Between `<!-- counters core.lsu -->` and
//! `<!-- end -->` stand the counters of that block. `UPDATE_DOCS=1` renews them.

use gpu_core::config::{self, Kind, Source};
use gpu_core::counters;
use std::collections::BTreeSet;
use std::fmt::Write;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/machine.md");

/// A default as it stands in the table, for readers: `shape.lanes` is `lanes`, `WritePolicy::Through` is `through`.
fn default_text(default: &str, kind: Kind) -> String {
    let last = default.rsplit("::").next().expect("a split has a part");
    match kind {
        Kind::Choice(_) => last.to_lowercase(),
        _ => default.replace("shape.", ""),
    }
}

fn kind_text(kind: Kind) -> String {
    match kind {
        Kind::Number { least, most } => format!("{least} to {most}"),
        Kind::Power { least, most } => format!("{least} to {most}, a power of two"),
        Kind::Multiple { of, least, most } => format!("{least} to {most}, a multiple of {of}"),
        Kind::Flag => "0 or 1".to_owned(),
        Kind::Choice(words) => words.join(", "),
        Kind::Extensions => "a set of extensions".to_owned(),
    }
}

fn source_text(source: Source) -> &'static str {
    match source {
        Source::Skybox => "Skybox",
        Source::Published => "published",
        Source::Sampler => "default memory",
        Source::Ours => "ours",
    }
}

/// The part of a path behind `block.`, if it has one and no further dot.
fn field_of<'p>(path: &'p str, block: &str) -> Option<&'p str> {
    path.strip_prefix(block)?.strip_prefix('.').filter(|field| !field.contains('.'))
}

/// The table of parameters of blocks that have the same fields.
fn parameters(blocks: &[&str], shown: &mut BTreeSet<String>) -> String {
    let mut out = String::from("| parameter | default | source | range | meaning |\n| --- | --- | --- | --- | --- |\n");
    for row in config::rows() {
        let Some(field) = field_of(&row.path, blocks[0]) else { continue };
        let mut defaults: Vec<String> = Vec::new();
        for block in blocks {
            let path = format!("{block}.{field}");
            let same = config::rows().iter().find(|row| row.path == path);
            let same = same.unwrap_or_else(|| panic!("docs/machine.md: there is no parameter {path}"));
            defaults.push(default_text(same.default, same.kind));
            shown.insert(path);
        }
        defaults.dedup();
        let (default, source, range) = (defaults.join("; "), source_text(row.source), kind_text(row.kind));
        let path = if blocks.len() == 1 { row.path.as_str() } else { field };
        writeln!(out, "| `{path}` | {default} | {source} | {range} | {} |", row.doc).expect("a string takes all");
    }
    out
}

/// The table of counters of a block.
fn counters_of(block: &str, shown: &mut BTreeSet<String>) -> String {
    let mut out = String::from("| counter | unit | meaning |\n| --- | --- | --- |\n");
    for row in counters::core_rows().into_iter().chain(counters::shared_rows()) {
        if field_of(&row.path, block).is_some() {
            writeln!(out, "| `{}` | {} | {} |", row.path, row.unit, row.doc).expect("a string takes all");
            shown.insert(row.path);
        }
    }
    out
}

/// The page with its tables made anew, and the paths of all rows that it shows.
fn render(page: &str) -> (String, BTreeSet<String>) {
    let mut shown = BTreeSet::new();
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(out, "{line}").expect("a string takes all");
        let Some(marker) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else { continue };
        let names: Vec<&str> = marker.split_whitespace().collect();
        let table = match names[..] {
            ["parameters", ref blocks @ ..] if !blocks.is_empty() => parameters(blocks, &mut shown),
            ["counters", block] => counters_of(block, &mut shown),
            _ => panic!("docs/machine.md: nobody knows what `{line}` means"),
        };
        assert!(table.lines().count() > 2, "docs/machine.md: `{line}` finds no rows");
        out.push_str(&table);
        let end = lines.find(|line| *line == "<!-- end -->").unwrap_or_else(|| panic!("`{line}` has no end"));
        writeln!(out, "{end}").expect("a string takes all");
    }
    (out, shown)
}

#[test]
fn the_tables_of_the_page_are_what_the_rows_say() {
    let committed = std::fs::read_to_string(PATH).expect("docs/machine.md is there");
    let (expected, _) = render(&committed);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PATH, &expected).expect("docs/ can be written");
        return;
    }
    let line = committed.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        committed == expected,
        "docs/machine.md differs from the rows, first in line {:?}; renew it with UPDATE_DOCS=1",
        line.map(|line| line + 1)
    );
}

#[test]
fn every_parameter_and_counter_of_the_memory_side_is_described() {
    let (_, shown) = render(&std::fs::read_to_string(PATH).expect("docs/machine.md is there"));
    let blocks = ["icache.", "dcache.", "tcache.", "lsu.", "local.", "texture.", "shared.", "l2.", "dram."];
    let is_mine = |path: &str| {
        let path = path.strip_prefix("core.").unwrap_or(path);
        blocks.iter().any(|block| path.starts_with(block))
    };
    let parameters = config::rows().iter().map(|row| row.path.clone());
    let counters = counters::core_rows().into_iter().chain(counters::shared_rows()).map(|row| row.path);
    for path in parameters.chain(counters).filter(|path| is_mine(path)) {
        // The three caches of a core, and L2, count the same; the data cache stands for them.
        let path = ["core.icache.", "core.tcache.", "shared.l2."].iter().fold(path, |path, other| {
            path.strip_prefix(other).map_or(path.clone(), |field| format!("core.dcache.{field}"))
        });
        assert!(shown.contains(&path), "docs/machine.md does not show {path}");
    }
}
