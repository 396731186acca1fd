//! M4 and M5: what the pipeline does meanwhile.

use super::branches::FIXED;
use super::run::{Cost, Written, both, machine, saving};
use super::tree::Shape;
use super::{Agreement, BASELINE, Claim, Figure, Finding, Kind, Setting, figure, largest, mean, percent};
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

/// By shape: stack and masks.
fn costs(written: Written) -> Result<Vec<(String, [Cost; 2])>, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let run = |shape: Shape| Ok((shape.name.clone(), both(&shape, written, &config)?));
    Shape::five().into_iter().map(run).collect()
}

/// A figure by shape and mechanism.
fn figures(what: &str, costs: &[(String, [Cost; 2])], of: fn(&Cost) -> f64) -> Vec<Figure> {
    let of_shape = |(name, pair): &(String, [Cost; 2])| {
        let name = |mechanism| format!("{name}: {mechanism}, {what}");
        [figure(name("stack"), of(&pair[0])), figure(name("masks"), of(&pair[1]))]
    };
    costs.iter().flat_map(of_shape).collect()
}

/// Savings of a figure by shape.
fn savings(costs: &[(String, [Cost; 2])], of: fn(&Cost) -> f64) -> Vec<f64> {
    costs.iter().map(|(_, [stack, masks])| saving(of(stack), of(masks))).collect()
}

/// A figure added up over the shapes, of each mechanism.
fn sums(costs: &[(String, [Cost; 2])], of: fn(&Cost) -> f64) -> [f64; 2] {
    [0, 1].map(|mechanism| costs.iter().map(|(_, pair)| of(&pair[mechanism])).sum())
}

fn m4(_: &Setting) -> Result<Finding, ExperimentError> {
    let [hand, tree] = [costs(Written::Hand)?, costs(Written::Assembly)?];
    let of: fn(&Cost) -> f64 = |cost| cost.scoreboard;
    let of_divergence: fn(&Cost) -> f64 = |cost| cost.scoreboard_at_divergence;
    let of_control: fn(&Cost) -> f64 = |cost| cost.control;
    let found = savings(&hand, of);
    let average = mean(&found);
    let just_before = mean(&savings(&tree, of));
    let both_kinds = mean(&savings(&hand, |cost| cost.scoreboard + cost.control));
    let ([all_stack, all_masks], [at_stack, at_masks]) = (sums(&hand, of), sums(&hand, of_divergence));
    let [control_stack, control_masks] = sums(&hand, of_control);
    let mut shown = figures("slots lost to the scoreboard", &hand, of);
    shown.extend(figures("of them at divergence instructions", &hand, of_divergence));
    shown.extend(figures("slots lost to control", &hand, of_control));
    shown.push(figure("saving of the scoreboard, conditions right before their use", just_before));
    shown.push(figure("saving of scoreboard and control together", both_kinds));
    Ok(Finding {
        measured: format!(
            "average {}, best {}; with each condition right before its use {}; scoreboard and control together {}",
            percent(-average),
            percent(-largest(&found)),
            percent(-just_before),
            percent(-both_kinds)
        ),
        agreement: Agreement::of_change(0.30, average),
        reason: format!(
            "{BASELINE}; counted as SimX counts, slots in which decoded instructions waited for registers and none could issue. Of those of \
             all five shapes, stack {all_stack:.0} and masks {all_masks:.0}, bodies and addresses, which are the same by both, lose \
             {:.0} and {:.0}, and divergence instructions {at_stack:.0} and {at_masks:.0}: a ballot stands between condition and \
             mask, where a split takes the condition itself. What branches and joins cost by the stack is held-back fetches, slots \
             of another kind (control: {control_stack:.0} and {control_masks:.0}); the paper does not print how its masks come by \
             their conditions",
            all_stack - at_stack,
            all_masks - at_masks
        ),
        figures: shown,
        charts: Vec::new(),
    })
}

fn m5(_: &Setting) -> Result<Finding, ExperimentError> {
    let costs = costs(Written::Hand)?;
    let savings = savings(&costs, |cost| cost.idle);
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
        figures: figures("cycles", &costs, |cost| cost.idle),
        charts: Vec::new(),
    })
}
