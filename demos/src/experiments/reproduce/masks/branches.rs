//! M1 to M3 and M6: cycles of divergence instructions, by structure, parallelism, paths, and what lies between them.

use super::run::{Written, both, machine, saving};
use super::tree::Shape;
use super::{Agreement, BASELINE, Claim, Finding, Kind, Setting, figure, largest, mean, percent, two_lines};
use crate::experiments::error::ExperimentError;

/// The set-up that what is not swept has: cores, warps, lanes.
pub const FIXED: [u32; 3] = [1, 4, 16];

pub const M1: Claim = Claim {
    id: "M1",
    kind: Kind::Shape,
    published: "five branch shapes, threads, warps and cores varied: cycles of divergence instructions per thread 31 % fewer on average, at most 40 % (the text elsewhere says 41 %)",
    tests: &[],
    measure: m1,
};

pub const M2: Claim = Claim {
    id: "M2",
    kind: Kind::Shape,
    published: "two paths at 1 core, 4 warps, 16 threads: about 18 % fewer",
    tests: &[],
    measure: m2,
};

pub const M3: Claim = Claim {
    id: "M3",
    kind: Kind::Shape,
    published: "many paths: about 41 % fewer; the stack's cycles grow fast with the paths, the masks' slowly",
    tests: &[],
    measure: m3,
};

pub const M6: Claim = Claim {
    id: "M6",
    kind: Kind::Shape,
    published: "long bodies make the difference vanish; deep nesting hurts the masks",
    tests: &[],
    measure: m6,
};

/// What is varied, by name, and the machines as cores, warps, lanes.
fn sweeps(setting: &Setting) -> [(&'static str, Vec<[u32; 3]>); 3] {
    let cores = [1, 2, 4, 8].into_iter().filter(|&cores| cores <= setting.most_cores);
    [
        ("threads", [4, 8, 16, 32].map(|lanes| [1, 4, lanes]).to_vec()),
        ("warps", [2, 4, 8, 16].map(|warps| [1, warps, 16]).to_vec()),
        ("cores", cores.map(|cores| [cores, 4, 16]).collect()),
    ]
}

fn m1(setting: &Setting) -> Result<Finding, ExperimentError> {
    let (mut savings, mut figures, mut charts) = (Vec::new(), Vec::new(), Vec::new());
    for (what, machines) in sweeps(setting) {
        let mut points = Vec::new();
        for [cores, warps, lanes] in machines {
            let config = machine(cores, warps, lanes);
            let mut costs = Vec::new();
            for shape in Shape::five() {
                let [stack, masks] = both(&shape, Written::Hand, &config)?;
                let name = format!("{}, {cores}C-{warps}W-{lanes}T", shape.name);
                figures.push(figure(format!("{name}: stack, cycles"), stack.branch_cycles));
                figures.push(figure(format!("{name}: masks, cycles"), masks.branch_cycles));
                savings.push(saving(stack.branch_cycles, masks.branch_cycles));
                costs.push([stack.branch_cycles, masks.branch_cycles]);
            }
            let means = [0, 1].map(|index| mean(&costs.iter().map(|cost| cost[index]).collect::<Vec<_>>()));
            let at = match what {
                "threads" => lanes,
                "warps" => warps,
                _ => cores,
            };
            points.push((f64::from(at), means));
        }
        let title = format!("M1: branch cycles of a thread by {what}, mean of five shapes");
        charts.push(two_lines(&title, what, "cycles", &points));
    }
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let mut compiled = Vec::new();
    for shape in Shape::five() {
        let [stack, masks] = both(&shape, Written::Wgsl, &config)?;
        let less = saving(stack.branch_cycles, masks.branch_cycles);
        figures.push(figure(format!("{}, compiled WGSL: saving", shape.name), less));
        compiled.push(less);
    }
    let (average, most) = (mean(&savings), largest(&savings));
    figures.push(figure("saving, average", average));
    figures.push(figure("saving, most", most));
    Ok(Finding {
        measured: format!(
            "average {}, most {} (written by hand, {} runs of each); compiled from WGSL at 1C-4W-16T {}",
            percent(-average),
            percent(-most),
            savings.len(),
            percent(-mean(&compiled))
        ),
        agreement: Agreement::of_change(0.31, average),
        reason: format!(
            "{BASELINE}; an if/else is 6 divergence instructions by the stack (the branch and the join are met by both sides) \
             and 4 by masks with the ballot, each a pass of about 16 cycles in which the warp is not fetched for; the ballot alone \
             does not hold the fetches, and both kinds compute conditions ahead where they can; memory always hits"
        ),
        figures,
        charts,
    })
}

fn m2(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let [low, ..] = Shape::five();
    let (guards, wgsl) = (Shape::paths(2), Written::Wgsl);
    let costs =
        [both(&low, Written::Hand, &config)?, both(&guards, Written::Assembly, &config)?, both(&low, wgsl, &config)?];
    let [one, two, compiled] = costs.map(|[stack, masks]| saving(stack.branch_cycles, masks.branch_cycles));
    Ok(Finding {
        measured: format!(
            "if/else {}; two guarded paths {}; compiled if/else {}",
            percent(-one),
            percent(-two),
            percent(-compiled)
        ),
        agreement: Agreement::of_change(0.18, one),
        reason: format!(
            "{BASELINE}; the machine fetches nothing for a warp while a branch, a jump, a split or a join is under way, so each \
             that falls away saves a whole pass, also where there are only two paths; the paper does not print its instructions"
        ),
        figures: vec![
            figure("if/else: stack, cycles", costs[0][0].branch_cycles),
            figure("if/else: masks, cycles", costs[0][1].branch_cycles),
            figure("if/else: saving", one),
            figure("two guarded paths: saving", two),
            figure("compiled if/else: saving", compiled),
        ],
        charts: Vec::new(),
    })
}

fn m3(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let (mut points, mut figures, mut compiled) = (Vec::new(), Vec::new(), 0.0);
    for paths in [2, 4, 8, 16] {
        let shape = Shape::paths(paths);
        let [stack, masks] = both(&shape, Written::Assembly, &config)?;
        points.push((f64::from(paths), [stack.branch_cycles, masks.branch_cycles]));
        figures.push(figure(format!("{paths} paths: stack, cycles"), stack.branch_cycles));
        figures.push(figure(format!("{paths} paths: masks, cycles"), masks.branch_cycles));
        let [stack, masks] = both(&shape, Written::Wgsl, &config)?;
        compiled = saving(stack.branch_cycles, masks.branch_cycles);
    }
    let of = |index: usize| points[index].1;
    let [first, last] = [of(0), of(points.len() - 1)];
    let many = saving(last[0], last[1]);
    // Cycles that a further path costs.
    let slopes = [0, 1].map(|kind| (last[kind] - first[kind]) / (points[points.len() - 1].0 - points[0].0));
    figures.push(figure("16 paths: saving", many));
    figures.push(figure("16 paths, compiled WGSL: saving", compiled));
    Ok(Finding {
        measured: format!(
            "16 paths {} (compiled {}); a further path costs {:.0} cycles by the stack, {:.0} by masks",
            percent(-many),
            percent(-compiled),
            slopes[0],
            slopes[1]
        ),
        agreement: Agreement::of_change(0.41, many),
        reason: format!(
            "{BASELINE}; a guarded path is split, branch, join, branch, join against ballot, mask.and, mask.or, whatever their \
             number: both grow in proportion, the masks at a lower rate"
        ),
        figures,
        charts: vec![two_lines("M3: branch cycles of a thread by paths, 1C-4W-16T", "paths", "cycles", &points)],
    })
}

fn m6(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let (mut figures, mut bodies, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    for length in [1, 4, 16, 64, 256] {
        let [stack, masks] = both(&Shape::bodies(length), Written::Assembly, &config)?;
        bodies.push((f64::from(length), [stack.cycles, masks.cycles]));
        figures.push(figure(format!("bodies of {length}: saving"), saving(stack.cycles, masks.cycles)));
    }
    for depth in 1..=7 {
        let [stack, masks] = both(&Shape::nested(depth), Written::Assembly, &config)?;
        levels.push((f64::from(depth), [stack.cycles, masks.cycles]));
        figures.push(figure(format!("{depth} levels: saving"), saving(stack.cycles, masks.cycles)));
    }
    let of = |points: &[(f64, [f64; 2])], index: usize| saving(points[index].1[0], points[index].1[1]);
    let [short, long] = [of(&bodies, 0), of(&bodies, bodies.len() - 1)];
    let [shallow, deep] = [of(&levels, 0), of(&levels, levels.len() - 1)];
    Ok(Finding {
        measured: format!(
            "whole runs: bodies of 1 instruction {}, of 256 {}; 1 level {}, 7 levels {}",
            percent(-short),
            percent(-long),
            percent(-shallow),
            percent(-deep)
        ),
        agreement: Agreement::of_parts(&[long < short / 4.0 && long.abs() < 0.05, deep < shallow]),
        reason: format!(
            "{BASELINE}; long bodies leave divergence a small share; with 16 threads, below the fourth level all lanes of a side agree, \
             and the stack skips the side that nobody takes while the masks issue it without lanes"
        ),
        figures,
        charts: vec![
            two_lines("M6: cycles of a run by the length of bodies", "instructions", "cycles", &bodies),
            two_lines("M6: cycles of a run by levels of nesting", "levels", "cycles", &levels),
        ],
    })
}
