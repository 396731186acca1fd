//! Claims beside what came of them: what reports store and pages show.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Agreement, Claim, Finding, Kind};

/// A claim and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `V1` and so on.
    pub id: String,
    /// What agreement means.
    pub kind: Kind,
    /// The claim, in our words.
    pub published: String,
    /// What was measured.
    #[serde(flatten)]
    pub finding: Finding,
    /// Tests that hold it for good.
    pub tests: Vec<HoldingTest>,
}

/// A test that holds a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldingTest {
    /// From the workspace.
    pub file: String,
    /// The function.
    pub name: String,
}

impl Outcome {
    /// Of a claim that was measured.
    pub fn new(claim: &Claim, finding: Finding) -> Self {
        let test = |(file, name): &(&str, &str)| HoldingTest { file: (*file).to_owned(), name: (*name).to_owned() };
        Self {
            id: claim.id.to_owned(),
            kind: claim.kind,
            published: claim.published.to_owned(),
            finding,
            tests: claim.tests.iter().map(test).collect(),
        }
    }
}

/// How many claims came out how.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Of all, in the order of [`Agreement`]'s variants.
    counts: [usize; 4],
}

impl Summary {
    /// Counts.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let ways = [Agreement::Agrees, Agreement::SameDirection, Agreement::Partly, Agreement::Differs];
        Self { counts: ways.map(|way| outcomes.iter().filter(|outcome| outcome.finding.agreement == way).count()) }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [agree, same, partly, differ] = self.counts;
        let all: usize = self.counts.iter().sum();
        write!(formatter, "{all} claims: {agree} agree, {same} go the same way, {partly} partly, {differ} differ")
    }
}
