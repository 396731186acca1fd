//! `warpaint sweep`: the transcendental instructions against an independent computation, over all operands.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use demos::experiments::accuracy::page::{Record, merge, table, with_table};
use demos::experiments::accuracy::sweep::{PIECES, Sweep, Worst};
use demos::load::write_atomically;
use gpu_core::isa::Op;
use gpu_core::semantics::transcendental;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::cli::bench::progress;
use crate::cli::output::{emit, remark};

/// What to sweep.
#[derive(Clone, Debug, Subcommand)]
pub enum Choice {
    /// How far the transcendental instructions are from the true values: worst errors, and whether results are the nearest
    ///
    /// All 2^32 operands of an instruction take some minutes of one core; --stride looks at every n-th. Instructions of two
    /// operands get four second operands for each first one, and take hours for all first ones.
    Transcendental(Transcendental),
}

/// Options of `sweep transcendental`.
#[derive(Clone, Debug, Args)]
pub struct Transcendental {
    /// Instructions, for example fsin.s or FSIN; without any, all of them
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Look at every so many of the 2^32 first operands; an odd number reaches every fraction
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=0xffff_ffff))]
    pub stride: u64,
    /// A file of records, made if need be: instructions that it has with this stride or a finer one are not swept again, and
    /// what was begun goes on where it stopped (FILE with the ending `.part`)
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Sweep again what the records have, from the start: they are of an older machine
    #[arg(long, requires = "records")]
    pub again: bool,
    /// Write the table of all records into a Markdown page, between its lines `<!-- worst errors -->` and `<!-- end -->`
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
}

/// Sweeps and prints.
pub fn run(options: &Choice) -> anyhow::Result<ExitCode> {
    let Choice::Transcendental(options) = options;
    let operations = choose(&options.names)?;
    // What is wrong with the files is said before the long work.
    let mut records = options.records.as_deref().map(read_records).transpose()?.unwrap_or_default();
    options.page.as_deref().map(|path| page_with(path, &[])).transpose()?;

    let has = |op: &Op| records.iter().any(|old| old.name == op.spec().mnemonic && old.stride <= options.stride);
    let (kept, operations): (Vec<Op>, Vec<Op>) = operations.into_iter().partition(|op| !options.again && has(op));
    if !kept.is_empty() {
        let kept: Vec<_> = kept.iter().map(|op| op.spec().mnemonic).collect();
        remark(&format!("kept from the records: {}", kept.join(", ")));
    }
    let bar = progress(operations.len() as u64 * PIECES);
    for op in operations {
        let name = op.spec().mnemonic;
        bar.set_message(name);
        let worst = sweep(op, options, &bar)?;
        merge(&mut records, vec![Record { name: name.to_owned(), stride: options.stride, worst }]);
        if let Some(path) = &options.records {
            write_atomically(path, (serde_json::to_string_pretty(&records)? + "\n").as_bytes())?;
            let part = part_of(path);
            if part.exists() {
                std::fs::remove_file(&part).with_context(|| format!("cannot remove `{}`", part.display()))?;
            }
        }
    }
    bar.finish_and_clear();
    if let Some(path) = &options.page {
        // Read again: whoever wrote into it meanwhile keeps what is written.
        write_atomically(path, page_with(path, &records)?.as_bytes())?;
        remark(&format!("wrote the table into {}", path.display()));
    }
    emit(table(&records))?;
    Ok(ExitCode::SUCCESS)
}

/// A page with the table of these records.
fn page_with(path: &Path, records: &[Record]) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    with_table(&text, records).with_context(|| format!("cannot write into `{}`", path.display()))
}

/// Parts of a sweep after each of which it could stop.
const PARTS: u64 = 64;

/// A sweep that has not come to its end.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    /// How many of the parts it holds.
    parts: u64,
    record: Record,
}

/// Where the records in a file keep what was begun.
fn part_of(records: &Path) -> PathBuf {
    records.with_extension("part")
}

/// Sweeps an instruction, from where it stopped.
fn sweep(op: Op, options: &Transcendental, bar: &ProgressBar) -> anyhow::Result<Worst> {
    let path = options.records.as_deref().map(part_of);
    let (name, stride) = (op.spec().mnemonic, options.stride);
    let begun = path.as_deref().filter(|path| path.exists() && !options.again).map(read_part).transpose()?;
    let begun = begun.filter(|begun| begun.record.name == name && begun.record.stride == stride);
    let (done, mut worst) = begun.map_or((0, Worst::default()), |begun| (begun.parts.min(PARTS), begun.record.worst));
    let pieces = PIECES / PARTS;
    bar.inc(done * pieces);
    let sweep = Sweep::new(op, stride);
    for part in done..PARTS {
        worst = worst.and(sweep.over(part * pieces..(part + 1) * pieces, || bar.inc(1)));
        if let Some(path) = &path {
            let part = Part { parts: part + 1, record: Record { name: name.to_owned(), stride, worst: worst.clone() } };
            write_atomically(path, serde_json::to_string(&part)?.as_bytes())?;
        }
    }
    Ok(worst)
}

fn read_part(path: &Path) -> anyhow::Result<Part> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("`{}` holds no part of a sweep; remove it to start anew", path.display()))
}

fn choose(names: &[String]) -> anyhow::Result<Vec<Op>> {
    let all: Vec<Op> = transcendental::operations().collect();
    if names.is_empty() {
        return Ok(all);
    }
    let mut chosen = Vec::new();
    for name in names {
        let is_named = |op: &&Op| {
            let mnemonic = op.spec().mnemonic;
            name.eq_ignore_ascii_case(mnemonic) || name.eq_ignore_ascii_case(mnemonic.trim_end_matches(".s"))
        };
        let Some(op) = all.iter().find(is_named) else {
            let known: Vec<_> = all.iter().map(|op| op.spec().mnemonic).collect();
            bail!("`{name}` is no transcendental instruction; there are {}", known.join(", "));
        };
        chosen.push(*op);
    }
    Ok(chosen)
}

fn read_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("`{}` holds no records of sweeps", path.display()))
}
