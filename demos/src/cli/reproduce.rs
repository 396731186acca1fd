//! `warpaint reproduce`: the published claims beside our own measurements.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use demos::experiments::reproduce::{Outcome, Setting, Summary, choose, section, web_page, with_section};
use demos::load::write_atomically;
use demos::report::{self, Provenance};
use serde::Serialize;

use crate::cli::arguments::Size;
use crate::cli::bench::progress;
use crate::cli::output::{emit, remark};

/// Options of `reproduce`.
#[derive(Clone, Debug, Args)]
pub struct Reproduce {
    /// Claims by number or family, for example V1 V6 M, or all; without any, all of them
    #[arg(value_name = "CLAIM")]
    pub claims: Vec<String>,
    /// Measure less of everything, for a first look within a minute
    #[arg(long)]
    pub quick: bool,
    /// Pixels of V6's picture: the published width, because rows decide what caches hold, and fewer rows [default:
    /// 1920x36, with --quick 1920x4]
    #[arg(long, value_name = "WxH", value_parser = Size::parse)]
    pub size: Option<Size>,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
    /// Write one page of HTML with charts, complete in itself
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the table into a Markdown page, between its lines `<!-- reproduction -->` and `<!-- end -->`
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
}

#[derive(Serialize)]
struct Body<'a> {
    is_quick: bool,
    claims: &'a [Outcome],
}

/// Measures and prints.
pub fn run(options: &Reproduce) -> anyhow::Result<ExitCode> {
    let claims = choose(&options.claims)?;
    // What is wrong with the files is said before the long work.
    let page = options.page.as_deref().map(read_page).transpose()?;
    if let Some(path) = &options.html {
        check_folder(path)?;
    }
    let mut setting = if options.quick { Setting::QUICK } else { Setting::default() };
    if let Some(size) = options.size {
        setting.picture = [size.width, size.height];
    }

    let bar = progress(claims.len() as u64);
    let mut outcomes = Vec::new();
    for claim in claims {
        bar.set_message(claim.id);
        let finding = claim.measure(&setting).with_context(|| format!("claim {} cannot be measured", claim.id))?;
        outcomes.push(Outcome::new(claim, finding));
        bar.inc(1);
    }
    bar.finish_and_clear();

    let provenance = Provenance::of_command();
    if let (Some(path), Some(page)) = (&options.page, page) {
        write_atomically(path, with_section(&page, &section(&outcomes))?.as_bytes())?;
        remark(&format!("wrote the table into {}", path.display()));
    }
    if let Some(path) = &options.html {
        write_atomically(path, web_page(&outcomes, &provenance.sentence())?.as_bytes())?;
        remark(&format!("wrote {}", path.display()));
    }
    emit(if options.json {
        report::to_json("reproduce", &provenance, &Body { is_quick: options.quick, claims: &outcomes })
    } else {
        text(&outcomes)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The page to write into, which must have a place for the table.
fn read_page(path: &Path) -> anyhow::Result<String> {
    let page = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    with_section(&page, "").with_context(|| format!("cannot write into `{}`", path.display()))?;
    Ok(page)
}

fn check_folder(path: &Path) -> anyhow::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            anyhow::bail!("`{}` cannot be written: there is no folder `{}`", path.display(), folder.display())
        }
        _ => Ok(()),
    }
}

fn text(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for Outcome { id, kind, published, finding, tests } in outcomes {
        text += &format!("{id:4} {kind:6} {}\n", finding.agreement);
        text += &format!(
            "     published  {published}\n     measured   {}\n     because    {}\n",
            finding.measured, finding.reason
        );
        let tests: Vec<String> = tests.iter().map(|test| format!("{}: {}", test.file, test.name)).collect();
        if !tests.is_empty() {
            text += &format!("     held by    {}\n", tests.join("\n                "));
        }
    }
    text + &format!("{}\n", Summary::of(outcomes))
}
