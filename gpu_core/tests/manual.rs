//! `docs/isa.md` and the tables of `docs/machine.md` say what the rows say, and the examples assemble.

use gpu_core::isa::{assemble, manual};
use gpu_core::machine_manual;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/isa.md");

#[test]
fn the_committed_manual_is_what_the_tables_say() {
    let expected = manual::render();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PATH, &expected).expect("docs/ can be written");
    }
    let committed = std::fs::read_to_string(PATH).expect("docs/isa.md is there");
    let line = committed.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        committed == expected,
        "docs/isa.md differs from the tables, first in line {:?}; renew it with UPDATE_DOCS=1",
        line.map(|line| line + 1)
    );
}

#[test]
fn the_examples_of_the_manual_assemble() {
    let page = manual::render();
    let examples: Vec<&str> =
        page.split("```asm\n").skip(1).map(|rest| rest.split("```").next().expect("it is closed")).collect();
    assert!(examples.len() >= 4, "{} examples", examples.len());
    for example in examples {
        assemble("docs/isa.md", example).unwrap_or_else(|error| panic!("{error}"));
    }
}

const MACHINE_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/machine.md");

#[test]
fn the_tables_of_the_machines_page_are_what_the_rows_say() {
    let committed = std::fs::read_to_string(MACHINE_PATH).expect("docs/machine.md is there");
    let (expected, missing) = machine_manual::render(&committed).unwrap_or_else(|message| panic!("{message}"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(MACHINE_PATH, &expected).expect("docs/ can be written");
    }
    assert_eq!(missing, Vec::<String>::new(), "no table of docs/machine.md shows these");
    let committed = std::fs::read_to_string(MACHINE_PATH).expect("docs/machine.md is there");
    let line = committed.lines().zip(expected.lines()).position(|(a, b)| a != b).map(|line| line + 1);
    assert!(
        committed == expected,
        "docs/machine.md differs from the rows, first in line {line:?}; renew it with UPDATE_DOCS=1"
    );
}

#[test]
fn a_table_that_cannot_be_made_is_named() {
    for (page, part) in [
        ("<!-- parameters dcache -->\n| x |\n", "has no `<!-- end -->`"),
        ("<!-- parameters dcash -->\n<!-- end -->\n", "parameters dcash"),
        ("<!-- parameters dcache dram -->\n<!-- end -->\n", "parameters dcache dram"),
        ("<!-- gauges -->\n<!-- end -->\n", "gauges"),
    ] {
        let message = machine_manual::render(page).expect_err(page);
        assert!(message.contains(part), "{page}: {message}");
    }
    // What is stale is written anew, and what is not shown is told.
    let (page, missing) =
        machine_manual::render("# A\n<!-- laws -->\nold\n<!-- end -->\nB\n").expect("it is well formed");
    assert!(page.starts_with("# A\n<!-- laws -->\n| law |") && page.ends_with("<!-- end -->\nB\n"), "{page}");
    assert!(!page.contains("old") && missing.iter().any(|path| path == "dcache.ports"));
}
