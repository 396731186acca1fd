//! `docs/isa.md` says what the tables say, and its examples assemble.

use gpu_core::isa::{assemble, manual};

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
