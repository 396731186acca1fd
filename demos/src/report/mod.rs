//! What a program says: reports as JSON with one envelope for every command, errors with their causes, counts.

mod configuration;
mod counted;
mod diff;
mod markup;

pub use configuration::Configuration;
pub use counted::Counted;
pub use diff::Difference;
pub use markup::escaped;

use std::path::Path;

use anyhow::{Context, ensure};
use gpu_core::hash::fnv1a;
use gpu_core::program::Program;
use serde::Serialize;
use serde_json::Value;

/// Changes when a field of any report changes its name or meaning.
pub const SCHEMA_VERSION: u32 = 2;

/// What every report begins with.
#[derive(Debug, Serialize)]
struct Envelope<'a, Body> {
    schema_version: u32,
    program_version: &'static str,
    report: &'a str,
    #[serde(flatten)]
    provenance: &'a Provenance,
    #[serde(flatten)]
    body: &'a Body,
}

/// What it takes to get the same figures again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Provenance {
    /// What was typed.
    command: Vec<String>,
    /// Where random inputs began; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// A hash of the programs that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    program_hash: Option<String>,
    /// The machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<Configuration>,
}

impl Provenance {
    /// Of a command that runs no machine.
    pub fn of_command() -> Self {
        let mut command: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        if let Some(program) = command.first_mut() {
            // Where it lies is the business of the computer.
            *program = "warpaint".to_owned();
        }
        Self { command, ..Self::default() }
    }

    /// Of a command that runs programs on a machine.
    pub fn of_machine<'a>(configuration: Configuration, programs: impl IntoIterator<Item = &'a Program>) -> Self {
        let hashes: Vec<u64> = programs.into_iter().map(Program::hash).collect();
        let hash = match hashes[..] {
            [] => None,
            [hash] => Some(hash),
            _ => Some(fnv1a(&hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<_>>())),
        };
        let program_hash = hash.map(configuration::hash_text);
        Self { program_hash, configuration: Some(configuration), ..Self::of_command() }
    }

    /// How the figures came to be, for a reader.
    pub fn sentence(&self) -> String {
        format!("Measured by warpaint {}: {}", env!("CARGO_PKG_VERSION"), self.command.join(" "))
    }

    /// With the seed of its random inputs.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }
}

/// A report of the kind `report` as indented JSON, with a line end.
pub fn to_json<Body: Serialize>(report: &str, provenance: &Provenance, body: &Body) -> String {
    let program_version = env!("CARGO_PKG_VERSION");
    let envelope = Envelope { schema_version: SCHEMA_VERSION, program_version, report, provenance, body };
    let mut text = serde_json::to_string_pretty(&envelope).expect("a report is made of maps with text keys");
    text.push('\n');
    text
}

/// A report from a file.
pub fn read(path: &Path) -> anyhow::Result<Value> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read report `{name}`"))?;
    let report: Value = serde_json::from_str(&text).with_context(|| format!("report `{name}` is not JSON"))?;
    let is_report = report["report"].is_string() && report["schema_version"].is_u64();
    ensure!(is_report, "`{name}` is no report of warpaint: it has no `report` and `schema_version`");
    ensure!(
        report["schema_version"] == SCHEMA_VERSION,
        "report `{name}` has schema version {}, this program reads version {SCHEMA_VERSION}",
        report["schema_version"]
    );
    Ok(report)
}

/// An error and its causes, the outermost first. A cause that the text has already is not said again, and a cause that
/// begins with `error: ` (WGSL reports do) loses that beginning.
pub fn describe(failure: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in failure.chain() {
        let cause = cause.to_string();
        let cause = cause.strip_prefix("error: ").unwrap_or(&cause);
        if !text.contains(cause) {
            text.push_str(if text.is_empty() { "" } else { ": " });
            text.push_str(cause);
        }
    }
    text
}

/// `1 triangle`, `2 triangles`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once_and_without_a_second_error() {
        let inner = anyhow::anyhow!("error: no definition\n  x.wgsl:1:2");
        let twice = inner.context("error: no definition\n  x.wgsl:1:2").context("draw 0: its shader does not compile");
        assert_eq!(describe(&twice), "draw 0: its shader does not compile: no definition\n  x.wgsl:1:2");
        let told = anyhow::anyhow!("disk full").context("cannot write `a`: disk full").context("no picture");
        assert_eq!(describe(&told), "no picture: cannot write `a`: disk full");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| count(n, "triangle")), ["0 triangles", "1 triangle", "2 triangles"]);
    }

    #[test]
    fn a_report_says_what_it_is() {
        #[derive(Serialize)]
        struct Body {
            frames: u32,
        }
        let value: serde_json::Value =
            serde_json::from_str(&to_json("bench", &Provenance::of_command(), &Body { frames: 3 }))
                .expect("it is JSON");
        assert_eq!(
            (&value["report"], &value["frames"], &value["schema_version"], &value["command"][0]),
            (&"bench".into(), &3.into(), &SCHEMA_VERSION.into(), &"warpaint".into())
        );
    }
}
