//! M4 and M5: what the pipeline does meanwhile.

use super::branches::FIXED;
use super::run::{Cost, Written, both, machine, saving};
use super::tree::Shape;
use super::{Agreement, BASELINE, Claim, Finding, Kind, Setting, figure, largest, mean, percent};
use crate::experiments::error::ExperimentError;

pub const M4: Claim = Claim {
    id: "M4",
    kind: Kind::Shape,
    published: "scoreboard stalls about 30 % fewer on average, best 61 %",
    tests: &[],
    measure: m4,
};

pub const M5: Claim = Claim {
    id: "M5",
    kind: Kind::Shape,
    published: "scheduler idle about 21 % less, except deeply nested, unbalanced code",
    tests: &[],
    measure: m5,
};

/// By shape: stack and masks, as assembly.
fn costs() -> Result<Vec<(String, [Cost; 2])>, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let run = |shape: Shape| Ok((shape.name.clone(), both(&shape, Written::Assembly, &config)?));
    Shape::five().into_iter().map(run).collect()
}

/// Savings of a figure by shape, and the figures themselves.
fn savings(what: &str, of: fn(&Cost) -> f64) -> Result<(Vec<f64>, Vec<super::Figure>), ExperimentError> {
    let (mut savings, mut figures) = (Vec::new(), Vec::new());
    for (name, [stack, masks]) in costs()? {
        figures.push(figure(format!("{name}: stack, {what}"), of(&stack)));
        figures.push(figure(format!("{name}: masks, {what}"), of(&masks)));
        savings.push(saving(of(&stack), of(&masks)));
    }
    Ok((savings, figures))
}

fn m4(_: &Setting) -> Result<Finding, ExperimentError> {
    let (savings, figures) = savings("slots", |cost| cost.scoreboard)?;
    let average = mean(&savings);
    Ok(Finding {
        measured: format!("average {}, best {}", percent(-average), percent(-largest(&savings))),
        agreement: Agreement::of_change(0.30, average),
        reason: format!(
            "{BASELINE}; slots in which a decoded instruction waited for a register and nothing else could issue: masks put a ballot \
             between condition and mask, and what it waits for is counted here, while the stack's branch and joins wait for fetches \
             instead, which this machine counts apart (`control`)"
        ),
        figures,
        charts: Vec::new(),
    })
}

fn m5(_: &Setting) -> Result<Finding, ExperimentError> {
    let (savings, figures) = savings("cycles", |cost| cost.idle)?;
    // The last two are the nested ones, of which the paper excepts the unbalanced.
    let average = mean(&[&savings[..3], &savings[4..]].concat());
    Ok(Finding {
        measured: format!(
            "average {} without the asymmetric shape, which has {}",
            percent(-average),
            percent(-savings[3])
        ),
        agreement: Agreement::of_change(0.21, average),
        reason: format!(
            "{BASELINE}; cycles in which no warp could be scheduled: fewer instructions hold a warp's fetches, and the runs are shorter"
        ),
        figures,
        charts: Vec::new(),
    })
}
