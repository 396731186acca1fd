//! What a program says: reports as JSON with one envelope for every command, errors with their causes, counts.

use serde::Serialize;

/// Changes when a field of any report changes its name or meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What every report begins with.
#[derive(Debug, Serialize)]
struct Envelope<'a, Body> {
    schema_version: u32,
    program_version: &'static str,
    report: &'a str,
    #[serde(flatten)]
    body: &'a Body,
}

/// A report of the kind `report` as indented JSON, with a line end.
pub fn to_json<Body: Serialize>(report: &str, body: &Body) -> String {
    let envelope =
        Envelope { schema_version: SCHEMA_VERSION, program_version: env!("CARGO_PKG_VERSION"), report, body };
    let mut text = serde_json::to_string_pretty(&envelope).expect("a report is made of maps with text keys");
    text.push('\n');
    text
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
            serde_json::from_str(&to_json("bench", &Body { frames: 3 })).expect("it is JSON");
        assert_eq!(
            (&value["report"], &value["frames"], &value["schema_version"]),
            (&"bench".into(), &3.into(), &1.into())
        );
    }
}
