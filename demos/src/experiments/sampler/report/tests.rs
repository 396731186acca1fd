//! The report over made-up rows, so that every figure in it can be worked out by hand.

use super::*;
use crate::experiments::figures::{Figures, Timed};
use crate::experiments::sampler::case::{Extent, anchor_cases, cases};

/// Cycles of a made-up row: software takes 3 (specialised) or 6 (generic) times as long as `tex`, which takes 1000.
fn row(case: Case) -> Row {
    let factor = [1, 3, 6][case.sampler as usize];
    let figures = |cycles| Figures {
        warp_instructions: 400,
        lane_instructions: 1600,
        timed: Some(Timed { cycles, ..Timed::default() }),
    };
    Row {
        case,
        figures: figures(1000 * factor),
        start_up: figures(10),
        inside: 1.0,
        instructions_per_pixel: 20.0 * factor as f64,
    }
}

fn outcome() -> Outcome {
    let extent =
        Extent { target: [32, 18], source: None, cores: vec![1], has_sweep: false, own_latency: 100, is_full: false };
    Outcome {
        machine: "vortex-4w4t".to_owned(),
        rows: cases(&extent).into_iter().map(row).collect(),
        anchor: anchor_cases().into_iter().map(row).collect(),
        differing: 0.99,
    }
}

#[test]
fn the_table_says_how_many_times_faster_tex_is() {
    let text = outcome().text();
    let line = text.lines().find(|line| line.contains("bilinear") && line.contains("generic")).expect("a row");
    // 6000 cycles are 0.03 ms at 200 MHz; 400 instructions in them are 0.067 a cycle.
    for part in ["shift", "default", "120.0", "6 000", "0.067", "0.03", "6.00x", "10"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(text.contains("equals the model byte for byte"), "{text}");
}

#[test]
fn published_figures_stand_beside_ours() {
    let findings = outcome().findings().join("\n");
    for part in [
        "bilinear 3.0x against specialised and 6.0x against generic",
        "point 5.7x, here 6.0x",
        "trilinear 11.1x, here 6.0x",
        "3.0 times the instructions (60 against 20 a pixel)",
    ] {
        assert!(findings.contains(part), "{part}: {findings}");
    }
}

#[test]
fn without_cycles_there_are_dashes_and_no_ratio() {
    let mut untimed = outcome();
    for row in untimed.rows.iter_mut().chain(&mut untimed.anchor) {
        row.figures.timed = None;
        row.start_up.timed = None;
    }
    let text = untimed.text();
    assert!(text.contains("cycles need a timed machine"), "{text}");
    assert!(!text.contains("0x against"), "{text}");
    let json = serde_json::to_value(untimed.json()).expect("it is JSON");
    assert!(json["rows"][0]["cycles"].is_null());
    assert_eq!(json["rows"][0]["sampler"], "tex");
    assert_eq!(json["rows"][0]["filter"], "point");
}

#[test]
fn json_holds_what_the_table_holds() {
    let json = serde_json::to_value(outcome().json()).expect("it is JSON");
    let row = &json["rows"][4];
    assert_eq!((&row["filter"], &row["sampler"]), (&"bilinear".into(), &"specialised".into()));
    assert_eq!(row["speed_up_of_tex"], 3.0);
    assert_eq!(row["cycles"], 3000);
    assert_eq!(json["simx_small"].as_array().map(Vec::len), Some(6));
}

#[test]
fn numbers_are_grouped_by_thousands() {
    assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
}
