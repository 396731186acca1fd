//! M7 to M9 and M11: what the instructions do, and what they need.

use gpu_core::config::{DivergenceMechanism, GpuConfig};
use gpu_core::gpu::{Gpu, Mode};
use gpu_core::isa::assemble;
use gpu_core::units::Address;

use super::branches::FIXED;
use super::run::{Written, both, cost, machine};
use super::tree::Shape;
use super::{Agreement, BASELINE, Claim, Finding, Kind, Setting, figure};
use crate::experiments::error::ExperimentError;

pub const M7: Claim = Claim {
    id: "M7",
    kind: Kind::Exact,
    published: "both mechanisms leave the same results for every program",
    tests: &[
        ("shaders/tests/random_programs.rs", "random_programs_mean_the_same_however_they_run"),
        ("shaders/tests/compiler/random_kernels.rs", "random_kernels_agree_with_the_interpreter"),
        ("golden_images/tests/differential.rs", "every_scene_is_the_same_with_thread_masks"),
        ("demos/src/experiments/compute/tests.rs", "every_benchmark_is_right_at_every_lane_count"),
    ],
    measure: m7,
};

pub const M8: Claim = Claim {
    id: "M8",
    kind: Kind::Exact,
    published: "if/else is `and a, cond`, then `xor b, a`, else `or c, b`: three instructions, no jump; both bodies issue even with no lane on; only active lanes contribute a condition bit",
    tests: &[
        ("shaders/tests/compiler/masks.rs", "an_if_else_is_three_mask_instructions_without_a_jump"),
        ("gpu_core/tests/machine/thread_masks.rs", "an_if_else_is_three_mask_instructions"),
        ("gpu_core/tests/machine/thread_masks.rs", "conditions_of_lanes_that_are_off_do_not_count"),
    ],
    measure: m8,
};

pub const M9: Claim = Claim {
    id: "M9",
    kind: Kind::Exact,
    published: "the paper's stack: one entry visited twice, larger side first, join compares depth (others push two entries, true side first)",
    tests: &[("gpu_core/tests/machine/divergence.rs", "the_first_side_setting_chooses_the_side")],
    measure: m9,
};

pub const M11: Claim = Claim {
    id: "M11",
    kind: Kind::Shape,
    published: "masks may execute more control instructions; they need no stack in each warp",
    tests: &[("gpu_core/tests/machine/thread_masks.rs", "nesting_takes_no_stack")],
    measure: m11,
};

fn m7(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = machine(1, 2, 8);
    let mut runs = 0;
    for shape in Shape::five() {
        both(&shape, Written::Hand, &config)?;
        runs += 2;
    }
    let shapes = Shape::five().into_iter().chain([2, 8].map(Shape::paths)).chain([3, 5].map(Shape::nested));
    for shape in shapes {
        for written in [Written::Assembly, Written::Wgsl] {
            // A wrong word would be an error.
            both(&shape, written, &config)?;
            runs += 2;
        }
    }
    Ok(Finding {
        measured: format!("{runs} runs give every word that plain Rust computes"),
        agreement: Agreement::Agrees,
        reason: "the suite does the same for every test program, random program and scene".to_owned(),
        figures: vec![figure("runs", f64::from(runs))],
        charts: Vec::new(),
    })
}

/// An if/else of a body of one instruction a side, under masks; every lane has the condition t0. Leaves a0 = what it made
/// of 1 and a1 = the mask at the end.
const IF_ELSE: &str = "
    li t1, -1
    tmc t1
    csrr t2, thread_id
    slti t0, t2, LIMIT
    vote.ballot t1, t0
    mask.and s0, t1
    li a0, 3
    mask.xor s1, s0
    li a0, 5
    mask.or s2, s1
    csrr a1, active_threads
    tmc zero
";

fn m8(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = GpuConfig::vortex(1, 1, 4).with_divergence(DivergenceMechanism::Mask);
    let mut holds = Vec::new();
    let mut counts = Vec::new();
    for limit in 0..=4u32 {
        let program = assemble("if_else.s", &format!(".equ LIMIT, {limit}\n{IF_ELSE}")).expect("it assembles");
        let mut gpu = Gpu::new(config)?;
        gpu.set_mode(Mode::Timed);
        let report = gpu
            .launch(&program, Address(0))
            .map_err(|cause| ExperimentError::Program { name: "if_else.s".to_owned(), cause })?;
        let warp = &gpu.cores()[0].warps[0];
        let expected: Vec<u32> = (0..4).map(|lane| if lane < limit { 3 } else { 5 }).collect();
        holds.push(warp.integer(10)[..4] == expected[..] && warp.integer(11)[..4] == [15; 4]);
        counts.push(report.warp_instructions);
    }
    // The same instructions whatever the lanes do: 12, those of both bodies among them.
    holds.push(counts.iter().all(|&count| count == 12));
    Ok(Finding {
        measured: format!("right for 0 to 4 lanes of 4; {} instructions each time, 3 of masks, no jump", counts[0]),
        agreement: Agreement::of_parts(&holds),
        reason: "the ballot that collects the condition is a fourth instruction, which the listing leaves out"
            .to_owned(),
        figures: vec![figure("instructions", counts[0] as f64)],
        charts: Vec::new(),
    })
}

fn m9(_: &Setting) -> Result<Finding, ExperimentError> {
    // With room for one entry, two entries for one divergence would overflow.
    let one = GpuConfig { ipdom_capacity: 1, ..machine(FIXED[0], FIXED[1], FIXED[2]) };
    let [low, .., nested] = Shape::five();
    let is_one = cost(&low, Written::Hand, &one, DivergenceMechanism::Ipdom).is_ok();
    let overflows = cost(&nested, Written::Hand, &one, DivergenceMechanism::Ipdom).is_err();
    let two = GpuConfig { ipdom_capacity: 2, ..one };
    let nests = cost(&nested, Written::Hand, &two, DivergenceMechanism::Ipdom).is_ok();
    Ok(Finding {
        measured: "a divergence takes one entry, two nested ones two; `first_side=larger` runs the larger side first"
            .to_owned(),
        agreement: Agreement::of_parts(&[is_one, overflows, nests]),
        reason: format!(
            "the machine's stack is of the paper's form, and every stack figure of M1 to M11 has this baseline ({BASELINE}); the \
             entry holds the side that waits, whichever that is, where the paper's listing always stores the else side"
        ),
        figures: vec![figure("entries of a divergence", f64::from(u8::from(is_one)))],
        charts: Vec::new(),
    })
}

fn m11(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = machine(FIXED[0], FIXED[1], FIXED[2]);
    let (mut figures, mut parts, mut more) = (Vec::new(), Vec::new(), 0);
    let deep = (Shape::nested(7), Written::Assembly);
    for (shape, written) in Shape::five().map(|shape| (shape, Written::Hand)).into_iter().chain([deep]) {
        let [stack, masks] = both(&shape, written, &config)?;
        let [stack, masks] = [stack, masks].map(|cost| cost.branch_instructions);
        figures.push(figure(format!("{}: stack, instructions", shape.name), stack));
        figures.push(figure(format!("{}: masks, instructions", shape.name), masks));
        parts.push(format!("{} {stack:.0}, {masks:.0}", shape.name));
        more += u32::from(masks > stack);
    }
    Ok(Finding {
        measured: format!("divergence instructions of a thread, stack and masks: {}", parts.join("; ")),
        agreement: Agreement::of_parts(&[more > 0, true]),
        reason: format!(
            "{BASELINE}; counted as issued, so that what both sides of a split meet counts twice and ballots count: masks issue more \
             only where nesting leaves sides without lanes, which the stack skips; masks live in registers, the stack is not touched"
        ),
        figures,
        charts: Vec::new(),
    })
}
