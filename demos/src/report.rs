//! Reports as JSON: one envelope for every command, so that scripts know what they read.

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

#[cfg(test)]
mod tests {
    use super::*;

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
