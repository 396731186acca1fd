//! V8, V12 to V14: what instructions do, by small programs. A program's answer is the word it ends with.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::isa::assemble;
use gpu_core::units::Address;

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;
use crate::experiments::machine::timed;

pub const V8: Claim = Claim {
    id: "V8",
    kind: Kind::Exact,
    published: "a divergent split runs the true lanes, then the others, and its region executes two joins; a uniform split changes nothing; an unmatched join is a no-op",
    tests: &[
        ("gpu_core/tests/machine/divergence.rs", "either_side_may_run_first"),
        ("gpu_core/tests/machine/divergence.rs", "a_uniform_split_pushes_nothing"),
        ("gpu_core/tests/machine/divergence.rs", "join_on_an_empty_stack_is_a_no_op"),
    ],
    measure: v8,
};

pub const V12: Claim = Claim {
    id: "V12",
    kind: Kind::Exact,
    published: "six instructions: wspawn, tmc, split, join, bar, tex (R4); memory order by fence",
    tests: &[
        ("gpu_core/tests/machine/warps.rs", "wspawn_starts_the_other_warps_with_lane_0_and_zero_registers"),
        ("gpu_core/tests/machine/barriers.rs", "a_thousand_barriers_keep_eight_warps_together"),
    ],
    measure: v12,
};

pub const V13: Claim = Claim {
    id: "V13",
    kind: Kind::Exact,
    published: "an inactive lane changes no register and no cache line; the mask is readable as a CSR",
    tests: &[("gpu_core/tests/machine/warps.rs", "tmc_is_trimmed_to_the_warp")],
    measure: v13,
};

pub const V14: Claim = Claim {
    id: "V14",
    kind: Kind::Exact,
    published: "texture state (dimensions, format, filter, addressing, address) is set through CSRs",
    tests: &[],
    measure: v14,
};

/// Ends with the word in a0.
const END: &str = "
    li a1, 0x88
    sw a0, 0(a1)
    fence
    tmc x0
";

/// Runs a program on one core of 4 warps of 4 lanes; the word it ended with.
fn run(name: &str, body: &str) -> Result<(u32, LaunchReport), ExperimentError> {
    let program = assemble(name, &format!("{body}{END}")).expect("the programs of the claims assemble");
    let mut gpu: Gpu = timed(GpuConfig::vortex(1, 4, 4))?;
    let report =
        gpu.launch(&program, Address(0)).map_err(|cause| ExperimentError::Program { name: name.to_owned(), cause })?;
    Ok((report.exit_codes[0].unwrap_or(0), report))
}

/// Lanes 0 and 1 go one way, 2 and 3 the other; inside the first a split that all agree on; before it a join of nothing.
const DIVERGE: &str = "
    li a0, 15
    tmc a0
    li t4, 5
    join t4
    csrr t0, thread_id
    slti t1, t0, 2
    lui s0, 0xffff0
    split t2, t1
    beqz t1, other
    split t5, t1
    csrr t3, active_threads
    sw t3, 0(s0)
    join t5
    j together
other:
    csrr t3, active_threads
    sw t3, 4(s0)
together:
    join t2
    csrr t3, active_threads
    lw a0, 0(s0)
    lw a1, 4(s0)
    slli a1, a1, 8
    or a0, a0, a1
    slli t3, t3, 16
    or a0, a0, t3
";

fn v8(_: &Setting) -> Result<Finding, ExperimentError> {
    let (masks, report) = run("diverge.s", DIVERGE)?;
    let figures = Figures::of(&[report]);
    let control = &figures.timed()?.sum.control;
    // The unmatched one, the inner one, and the outer one twice.
    let holds = [masks == 0x000f_0c03, control.joins == 4, control.splits == 2, control.divergences == 1];
    Ok(Finding {
        measured: format!(
            "masks {:x}, then {:x}, together {:x}; {} joins: 1 unmatched, 1 uniform, 2 divergent",
            masks & 255,
            masks >> 8 & 255,
            masks >> 16,
            control.joins
        ),
        agreement: Agreement::of_parts(&holds),
        reason: "join compares its operand with the depth of the stack, so a uniform split inside a divergent one is harmless".to_owned(),
        figures: vec![figure("joins", control.joins as f64), figure("masks", masks.into())],
        charts: Vec::new(),
    })
}

/// Four warps each add their number into local memory and meet; warp 0 reads the sum of all.
const SIX: &str = "
    lui s0, 0xffff0
    csrr t1, num_warps
    la t2, warp
    wspawn t1, t2
warp:
    lui s0, 0xffff0
    li t0, 15
    tmc t0
    csrr t0, thread_id
    slti t1, t0, 2
    split t2, t1
    beqz t1, after
after:
    join t2
    li t0, 1
    tmc t0
    csrr t0, warp_id
    slli t1, t0, 2
    add t1, t1, s0
    addi t3, t0, 1
    sw t3, 0(t1)
    fence
    li t1, 0
    csrr t2, num_warps
    bar t1, t2
    beqz t0, first
    tmc x0
first:
    lw a0, 0(s0)
    lw t1, 4(s0)
    add a0, a0, t1
    lw t1, 8(s0)
    add a0, a0, t1
    lw t1, 12(s0)
    add a0, a0, t1
";

fn v12(_: &Setting) -> Result<Finding, ExperimentError> {
    let (sum, report) = run("six.s", SIX)?;
    let figures = Figures::of(&[report]);
    let control = &figures.timed()?.sum.control;
    let (texel, _) = run("texture.s", TEXTURE)?;
    let holds = [sum == 1 + 2 + 3 + 4, control.spawned == 3, control.barriers == 4, texel == TEXEL];
    Ok(Finding {
        measured: format!("{} warps started, {} arrivals at the barrier, their sum {sum}, a texel {texel:#010x}", control.spawned, control.barriers),
        agreement: Agreement::of_parts(&holds),
        reason: "the encodings are those of the later instruction manual (custom-0 and custom-1); tex is also known by the earlier word".to_owned(),
        figures: vec![figure("spawned", control.spawned as f64), figure("arrivals", control.barriers as f64)],
        charts: Vec::new(),
    })
}

/// Lanes 0 and 2 change a register and a word; then all lanes show both, and the mask of the time.
const MASKED: &str = "
    li t0, 15
    tmc t0
    lui s0, 0xffff0
    csrr t1, thread_id
    slli t2, t1, 2
    add s1, s0, t2
    li a2, 1
    sw a2, 0(s1)
    li t0, 5
    tmc t0
    li a2, 7
    sw a2, 0(s1)
    csrr a3, active_threads
    li t0, 15
    tmc t0
    sw a2, 16(s1)
    li t0, 1
    tmc t0
    li a0, 0
    li t1, 0
again:
    slli a0, a0, 4
    lw t2, 0(s0)
    or a0, a0, t2
    addi s0, s0, 4
    addi t1, t1, 1
    li t3, 8
    bne t1, t3, again
";

fn v13(_: &Setting) -> Result<Finding, ExperimentError> {
    let (words, _) = run("masked.s", MASKED)?;
    let mask = "    li t0, 15\n    tmc t0\n    li t0, 5\n    tmc t0\n    csrr a0, active_threads\n";
    let (mask, _) = run("mask.s", mask)?;
    Ok(Finding {
        measured: format!(
            "words and registers of lanes 0 to 3 after a store under mask 5: {words:x}; the CSR says {mask}"
        ),
        agreement: Agreement::of_parts(&[words == 0x7171_7171, mask == 5]),
        reason: "effects are applied lane by lane under the mask, in every engine".to_owned(),
        figures: vec![figure("mask", mask.into())],
        charts: Vec::new(),
    })
}

const TEXEL: u32 = 0x80ff_4020;

/// Describes one texel to stage 1 by control registers, and samples it.
const TEXTURE: &str = "
    la t0, texel
    csrwi tex_stage, 1
    csrw tex_address, t0
    csrwi tex_width, 1
    csrwi tex_height, 1
    csrwi tex_format, 0
    csrwi tex_filter, 1
    csrwi tex_wrap_u, 0
    csrwi tex_wrap_v, 0
    csrwi tex_levels, 1
    li t1, 0
    tex a0, t1, t1, t1, 1
    j done
    .balign 4
texel:
    .word 0x80ff4020
done:
";

fn v14(_: &Setting) -> Result<Finding, ExperimentError> {
    let (texel, _) = run("texture.s", TEXTURE)?;
    Ok(Finding {
        measured: format!("stage 1 described by nine registers shows {texel:#010x}"),
        agreement: Agreement::of_parts(&[texel == TEXEL]),
        reason: "the registers begin at 0x800: the published address lies where RISC-V has read-only registers"
            .to_owned(),
        figures: vec![figure("texel", texel.into())],
        charts: Vec::new(),
    })
}
