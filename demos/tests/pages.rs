//! `docs/sampler.md` and `docs/reproduction.md` show the figures of stored reports: `docs/reports/*.json`, which are the program's
//! own output. `UPDATE_DOCS=1` writes the pages again, and the test fails once to say so.

use std::path::{Path, PathBuf};

use demos::experiments::reproduce::{CLAIMS, Outcome, section};
use serde_json::Value;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").join("docs")
}

fn report(name: &str) -> Value {
    let path = docs().join("reports").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Holds the part of a page between `<!-- name -->` and `<!-- end -->` against what it must be.
#[track_caller]
fn check(page: &str, name: &str, expected: &str) {
    let path = docs().join(page);
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let start = format!("<!-- {name} -->\n");
    let (before, rest) = text.split_once(&start).expect("the page has a place for the table");
    let (shown, after) = rest.split_once("<!-- end -->").expect("the table has an end");
    if shown == expected {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{start}{expected}<!-- end -->{after}")).expect("docs is writable");
        panic!("docs/{page} was written again; look at it, then run the test without UPDATE_DOCS");
    }
    panic!("docs/{page} does not show its report; UPDATE_DOCS=1 cargo test -p demos --test pages writes it again");
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is a text: {value}"))
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} is a number: {value}"))
}

/// A number of so many decimals, or nothing.
fn decimals(value: &Value, name: &str, places: usize, unit: &str) -> String {
    value[name].as_f64().map_or_else(String::new, |number| format!("{number:.places$}{unit}"))
}

fn rows<'a>(report: &'a Value, name: &str) -> &'a Vec<Value> {
    report[name].as_array().expect("the report has rows")
}

/// The rows of a sampler report as a table.
fn sampler_table(rows: &[Value]) -> String {
    let mut table =
        "| mapping | filter | sampler | cores | instr/pixel | cycles | IPC | texel hits | ms | tex is | start-up |\n\
                     | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for row in rows {
        let hits =
            row["texel_cache_hit_rate"].as_f64().map_or_else(String::new, |rate| format!("{:.1} %", 100.0 * rate));
        let columns = [
            text(row, "mapping").to_owned(),
            text(row, "filter").to_owned(),
            text(row, "sampler").to_owned(),
            number(row, "cores").to_string(),
            decimals(row, "instructions_per_pixel", 1, ""),
            decimals(row, "cycles", 0, ""),
            decimals(row, "ipc", 3, ""),
            hits,
            decimals(row, "milliseconds", 2, ""),
            decimals(row, "speed_up_of_tex", 2, " ×"),
            decimals(row, "start_up_cycles", 0, ""),
        ];
        table += &format!("| {} |\n", columns.join(" | "));
    }
    table
}

#[test]
fn the_sampler_page_shows_its_report() {
    let report = report("sampler.json");
    assert_eq!(report["pictures_equal_the_model"], true);
    let target = &rows(&report, "rows")[0]["target"];
    let findings: String = rows(&report, "findings")
        .iter()
        .map(|finding| format!("- {}\n", finding.as_str().expect("a sentence")))
        .collect();
    let expected = format!(
        "{} × {} pixels on {}; [the report](reports/sampler.json).\n\n{}\n`simx-small`: 64² texels at 0.75, perfect memory, against the \
         generic sampler. SimX: point 5.7 ×, bilinear 9.3 ×, trilinear 11.1 ×.\n\n{}\n{findings}",
        target[0],
        target[1],
        text(&report, "machine"),
        sampler_table(rows(&report, "rows")),
        sampler_table(rows(&report, "simx_small")),
    );
    check("sampler.md", "sampler", &expected);
}

#[test]
fn the_reproduction_page_shows_its_report_and_every_claim() {
    let report = report("reproduction.json");
    assert_eq!(report["is_quick"], false, "the page keeps a full run");
    let outcomes: Vec<Outcome> =
        serde_json::from_value(report["claims"].clone()).expect("the report is one of `warpaint reproduce`");
    let ids: Vec<&str> = outcomes.iter().map(|outcome| outcome.id.as_str()).collect();
    assert_eq!(ids, CLAIMS.iter().map(|claim| claim.id).collect::<Vec<_>>());
    for (claim, outcome) in CLAIMS.iter().zip(&outcomes) {
        assert_eq!(outcome.published, claim.published, "{} was worded anew: measure it again", claim.id);
        assert_eq!(*outcome, Outcome::new(claim, outcome.finding.clone()), "{} is told otherwise now", claim.id);
    }
    check("reproduction.md", "reproduction", &section(&outcomes));
}

/// `docs/transcendentals.md` shows the records of `warpaint sweep transcendental`: every instruction is within its bound there, and
/// those of one operand give the nearest number for all 2^32 of them.
#[test]
fn the_page_of_transcendentals_shows_its_records() {
    use demos::experiments::accuracy::{bound, page};
    use gpu_core::semantics::transcendental;
    let records: Vec<page::Record> = serde_json::from_value(report("transcendentals.json")).expect("records of sweeps");
    check("transcendentals.md", "worst errors", &page::table(&records));
    for record in &records {
        let op = transcendental::operations().find(|op| op.spec().mnemonic == record.name).expect("an instruction");
        assert!(record.worst.ulps <= bound(op), "{record:?}");
        if !transcendental::is_binary(op) {
            assert_eq!((record.stride, record.worst.misrounded), (1, 0), "{record:?}");
        }
    }
    assert_eq!(records.len(), 34);
}
