//! M1 to M11: branch control by thread masks against the stack.
//!
//! Source: "A High-Performance Branch Control Mechanism for GPGPU Based on RISC-V Architecture" (2026), measured there on SimX.
//! Structures (`tree`) are written as assembly of both kinds, the five published ones by hand (`by_hand`), and as WGSL compiled to
//! both; `run` says what is counted. Every stack figure here is of the paper's own baseline: one entry for each divergence, visited twice, the larger side first.

mod branches;
mod by_hand;
mod exact;
mod kernels;
mod pipeline;
mod run;
mod tree;

pub use branches::{M1, M2, M3, M6};
pub use exact::{M7, M8, M9, M11};
pub use kernels::M10;
pub use pipeline::{M4, M5};

use super::{Agreement, Claim, Figure, Finding, Kind, Setting, figure, percent};
use crate::plot::{Chart, Line};

/// What every stack figure is of.
const BASELINE: &str = "stack: one entry visited twice, larger side first";

/// A line for the stack and one for the masks.
fn two_lines(title: &str, x_label: &str, y_label: &str, points: &[(f64, [f64; 2])]) -> Chart {
    let line = |name: &str, color, index: usize| Line {
        name: name.to_owned(),
        color,
        is_dashed: false,
        points: points.iter().map(|(x, values)| (*x, values[index])).collect(),
    };
    Chart {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        lines: vec![line("stack", [31, 119, 180], 0), line("masks", [214, 39, 40], 1)],
        marks: Vec::new(),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
