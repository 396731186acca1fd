//! `warpaint reproduce`: the published claims beside our own measurements.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use demos::experiments::reproduce::{Agreement, CLAIMS, Claim, Finding, Kind, Setting, find};
use demos::report::{self, Provenance};
use serde::Serialize;

use crate::cli::arguments::Size;
use crate::cli::bench::progress;
use crate::cli::output::emit;

/// Options of `reproduce`.
#[derive(Clone, Debug, Args)]
pub struct Reproduce {
    /// Claims by number, for example V1 V6; without any, all of them
    #[arg(value_name = "CLAIM")]
    pub claims: Vec<String>,
    /// Pixels of V6's picture: the published width, because rows decide what caches hold, and fewer rows
    #[arg(long, value_name = "WxH", default_value = "1920x36", value_parser = Size::parse)]
    pub size: Size,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
}

/// A claim and what came of it.
#[derive(Serialize)]
struct Row {
    id: &'static str,
    kind: Kind,
    published: &'static str,
    #[serde(flatten)]
    finding: Finding,
    tests: Vec<String>,
}

#[derive(Serialize)]
struct Body {
    claims: Vec<Row>,
}

/// Measures and prints.
pub fn run(options: &Reproduce) -> anyhow::Result<ExitCode> {
    let claims = chosen(&options.claims)?;
    let setting = Setting { picture: [options.size.width, options.size.height], ..Setting::default() };
    let bar = progress(claims.len() as u64);
    let mut rows = Vec::new();
    for claim in claims {
        bar.set_message(claim.id);
        let finding = claim.measure(&setting).with_context(|| format!("claim {} cannot be measured", claim.id))?;
        let tests = claim.tests.iter().map(|(file, test)| format!("{file}: {test}")).collect();
        rows.push(Row { id: claim.id, kind: claim.kind, published: claim.published, finding, tests });
        bar.inc(1);
    }
    bar.finish_and_clear();
    emit(if options.json {
        report::to_json("reproduce", &Provenance::of_command(), &Body { claims: rows })
    } else {
        text(&rows)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The claims that were asked for, each once.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Claim>> {
    if names.is_empty() {
        return Ok(CLAIMS.iter().collect());
    }
    let mut claims: Vec<&Claim> = Vec::new();
    for name in names {
        let Some(claim) = find(name) else {
            let known: Vec<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
            bail!("there is no claim `{name}` to reproduce; there are: {}", known.join(", "));
        };
        if !claims.iter().any(|known| known.id == claim.id) {
            claims.push(claim);
        }
    }
    Ok(claims)
}

fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    for Row { id, kind, published, finding, tests } in rows {
        let kind = match kind {
            Kind::Exact => "exact",
            Kind::Shape => "shape",
            Kind::Ours => "ours",
        };
        text += &format!("{id:4} {kind:6} {}\n", finding.agreement);
        text += &format!(
            "     published  {published}\n     measured   {}\n     because    {}\n",
            finding.measured, finding.reason
        );
        if !tests.is_empty() {
            text += &format!("     held by    {}\n", tests.join("\n                "));
        }
    }
    let of = |agreement: Agreement| rows.iter().filter(|row| row.finding.agreement == agreement).count();
    text += &format!(
        "{} claims: {} agree, {} go the same way, {} partly, {} differ\n",
        rows.len(),
        of(Agreement::Agrees),
        of(Agreement::SameDirection),
        of(Agreement::Partly),
        of(Agreement::Differs)
    );
    text
}
