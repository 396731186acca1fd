//! `warpaint sweep`: the transcendental instructions against an independent computation, over all operands.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use demos::experiments::accuracy::page::{Record, merge, table, with_table};
use demos::experiments::accuracy::sweep::sweep;
use demos::load::write_atomically;
use gpu_core::isa::Op;
use gpu_core::semantics::transcendental;

use crate::cli::bench::progress;
use crate::cli::output::{emit, remark};

/// What to sweep.
#[derive(Clone, Debug, Subcommand)]
pub enum Sweep {
    /// How far the transcendental instructions are from the true values: worst errors, and whether results are the nearest
    ///
    /// All 2^32 operands take hours for most functions; --stride looks at every n-th. Instructions of two operands get four
    /// second operands for each first one.
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
    /// A file of records, made if need be: what was found takes the place of what it says of these instructions
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Write the table of all records into a Markdown page, between its lines `<!-- worst errors -->` and `<!-- end -->`
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
}

/// Sweeps and prints.
pub fn run(options: &Sweep) -> anyhow::Result<ExitCode> {
    let Sweep::Transcendental(options) = options;
    let operations = choose(&options.names)?;
    // What is wrong with the files is said before the long work.
    let mut records = options.records.as_deref().map(read_records).transpose()?.unwrap_or_default();
    let page = options.page.as_deref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        with_table(&text, &[]).with_context(|| format!("cannot write into `{}`", path.display()))?;
        anyhow::Ok(text)
    });
    let page = page.transpose()?;

    let bar = progress(operations.len() as u64 * (1 << 12));
    for op in operations {
        let name = op.spec().mnemonic;
        bar.set_message(name);
        let worst = sweep(op, options.stride, |patterns| bar.inc(patterns >> 20));
        merge(&mut records, vec![Record { name: name.to_owned(), stride: options.stride, worst }]);
        if let Some(path) = &options.records {
            write_atomically(path, (serde_json::to_string_pretty(&records)? + "\n").as_bytes())?;
        }
    }
    bar.finish_and_clear();
    if let (Some(path), Some(page)) = (&options.page, page) {
        write_atomically(path, with_table(&page, &records)?.as_bytes())?;
        remark(&format!("wrote the table into {}", path.display()));
    }
    emit(table(&records))?;
    Ok(ExitCode::SUCCESS)
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
