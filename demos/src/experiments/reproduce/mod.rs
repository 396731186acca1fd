//! The published claims, each measured again: what was published, what we measure, whether they agree, and why not.
//!
//! No parameter is chosen to hit a figure: machines are the presets, whose every field has a source, and a claim says where
//! it departs from them. Claims that are exact run a small program here and name the tests that hold them for good.

mod caches;
mod choice;
mod exact;
mod masks;
mod outcome;
mod page;
mod partition;
mod sampling;
mod scaling;
mod scheduling;
mod shapes;
mod transcendental;
mod web_page;

pub use choice::{UnknownClaim, choose};
pub use outcome::{Outcome, Summary};
pub use page::{PageError, section, with_section};
pub use web_page::web_page;

use std::fmt;

use gpu_core::counters::{Block, CoreCounters, IssueCounters, core_rows};
use serde::{Deserialize, Serialize};

use crate::experiments::error::ExperimentError;
use crate::plot::Chart;

/// What a claim is, which decides what agreement means.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Must be equal.
    Exact,
    /// Sign and rough size.
    Shape,
    /// Our own experiment; a direction at most.
    Ours,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Exact => "exact",
            Self::Shape => "shape",
            Self::Ours => "ours",
        })
    }
}

/// How a measurement stands to what was published.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Equal where it must be; else the same sign, and within a factor of two.
    Agrees,
    /// The same sign, and further off.
    SameDirection,
    /// Some of it.
    Partly,
    /// Not so here.
    Differs,
}

impl fmt::Display for Agreement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Agrees => "agrees",
            Self::SameDirection => "same direction",
            Self::Partly => "partly",
            Self::Differs => "differs",
        })
    }
}

impl Agreement {
    /// Of a change against none: the same sign and, up to a factor of two, the same size.
    pub fn of_change(published: f64, measured: f64) -> Self {
        if published * measured <= 0.0 {
            return Self::Differs;
        }
        let ratio = measured / published;
        if (0.5..=2.0).contains(&ratio) { Self::Agrees } else { Self::SameDirection }
    }

    /// Of several parts.
    pub fn of_parts(holds: &[bool]) -> Self {
        match holds.iter().filter(|&&part| part).count() {
            0 => Self::Differs,
            count if count == holds.len() => Self::Agrees,
            _ => Self::Partly,
        }
    }
}

/// A figure behind a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// What measuring a claim gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// In a few words.
    pub measured: String,
    /// Against what was published.
    pub agreement: Agreement,
    /// Why, in a sentence.
    pub reason: String,
    /// The figures behind it.
    pub figures: Vec<Figure>,
    /// Charts of them, where a picture says more than a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Chart>,
}

/// How much is measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The picture of V6: the full width, because a row's bytes decide what the caches hold; fewer rows than 1080.
    pub picture: [u32; 2],
    /// Side of the matrices of sgemm.
    pub matrix: u32,
    /// Elements of vectors.
    pub vector: u32,
    /// The most cores of V5.
    pub most_cores: u32,
}

impl Default for Setting {
    fn default() -> Self {
        Self { picture: [1920, 36], matrix: 64, vector: 16384, most_cores: 16 }
    }
}

impl Setting {
    /// Less of everything, for a first look: the figures are rougher, the reasons the same.
    pub const QUICK: Self = Self { picture: [1920, 4], matrix: 32, vector: 4096, most_cores: 8 };

    /// As little as still runs every part: for tests.
    pub const SMALL: Self = Self { picture: [64, 8], matrix: 16, vector: 512, most_cores: 4 };
}

/// A published claim.
#[derive(Copy, Clone, Debug)]
pub struct Claim {
    /// `V1` and so on.
    pub id: &'static str,
    /// What agreement means.
    pub kind: Kind,
    /// The claim, in our words.
    pub published: &'static str,
    /// Tests that hold it for good: file, from the workspace, and function.
    pub tests: &'static [(&'static str, &'static str)],
    measure: fn(&Setting) -> Result<Finding, ExperimentError>,
}

impl Claim {
    /// Measures it.
    pub fn measure(&self, setting: &Setting) -> Result<Finding, ExperimentError> {
        (self.measure)(setting)
    }
}

/// Every claim that can be reproduced, in order. V11 and V19 are notes about other machines, V18 is of the pipeline.
pub const CLAIMS: &[Claim] = &[
    partition::V1,
    partition::V2,
    partition::V3,
    caches::V4,
    scaling::V5,
    sampling::V6,
    sampling::V7,
    exact::V8,
    scheduling::V9,
    sampling::V10,
    exact::V12,
    exact::V13,
    exact::V14,
    caches::V15,
    caches::V16,
    shapes::V17,
    masks::M1,
    masks::M2,
    masks::M3,
    masks::M4,
    masks::M5,
    masks::M6,
    masks::M7,
    masks::M8,
    masks::M9,
    masks::M10,
    masks::M11,
    transcendental::Z1,
    transcendental::Z2,
    transcendental::Z3,
    transcendental::Z4,
    transcendental::Z5,
    transcendental::Z6,
];

fn figure(name: impl Into<String>, value: f64) -> Figure {
    Figure { name: name.into(), value }
}

/// `+20.3 %`.
fn percent(change: f64) -> String {
    format!("{:+.1} %", 100.0 * change)
}

/// The reason that costs a core the most issue slots, and its share of all slots.
fn main_stall(counters: &CoreCounters) -> (String, f64) {
    let IssueCounters { slots, .. } = counters.issue;
    let stalls = core_rows().into_iter().zip(counters.values());
    let stalls = stalls.filter(|(row, _)| row.path.starts_with("core.issue.stall.") && !row.path.ends_with("ended"));
    let (row, count) = stalls.max_by_key(|(_, count)| *count).expect("there are reasons");
    let reason = row.path.rsplit('.').next().unwrap_or_default().replace('_', " ");
    (reason, count as f64 / slots.max(1) as f64)
}

#[cfg(test)]
mod tests;
