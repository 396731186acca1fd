//! The eight thread-mask instructions: what they give, what they leave on, and that an empty mask lives.

use crate::support::{one_warp, run, trap_of};
use gpu_core::config::GpuConfig;
use gpu_core::isa::Extension;
use gpu_core::trap::TrapKind;

fn masks(lanes: u32) -> GpuConfig {
    let config = one_warp(lanes);
    GpuConfig { extensions: config.extensions.with(Extension::ThreadMask), ..config }
}

/// With the lanes of `old` on, the mask after `name` of `operand`; `rd` must be `old` in every lane.
#[track_caller]
fn check(lanes: u32, name: &str, old: u32, operand: u32, expected: u32) {
    let text = format!(
        "
        all_lanes
        lane_out a0
        li s0, 77
        li s1, 77
        li t0, {operand}
        li t1, {old}
        li t6, -1
        tmc t1
        mask.{name} s0, t0
        mask.or s1, t6          # s1 = the mask that it left, in every lane; all on
        sw s0, 0(a0)
        sw s1, 128(a0)
        tmc x0"
    );
    let out = run(masks(lanes), &text);
    let lanes = lanes as usize;
    assert_eq!(out[..lanes], vec![old; lanes], "rd of {name}");
    assert_eq!(out[32..32 + lanes], vec![expected; lanes], "mask after {name}");
}

/// All four pairs of bits: lane 0 in both, lane 1 in the mask alone, lane 2 in the operand alone, lane 3 in neither.
#[test]
fn each_instruction_is_its_truth_table() {
    for (name, expected) in [
        ("and", 0b0001),
        ("or", 0b0111),
        ("xor", 0b0110),
        ("andn2", 0b0100), // Of the operand what is not in the mask: it is the mask that is negated.
        ("orn2", 0b1101),
        ("nand", 0b1110),
        ("nor", 0b1000),
        ("xnor", 0b1001),
    ] {
        check(4, name, 0b0011, 0b0101, expected);
    }
}

/// "Results are trimmed to the warp's width."
#[test]
fn what_is_beyond_the_warp_is_trimmed() {
    check(4, "or", 0b0010, u32::MAX, 0b1111);
    check(4, "nand", 0b1000, 0, 0b1111);
    check(32, "nor", 1, 2, 0xffff_fffc);
    check(32, "xnor", u32::MAX, u32::MAX, u32::MAX);
}

/// "A zero mask made by them must not end the warp": instructions issue and do nothing until a mask comes back.
#[test]
fn an_empty_mask_lives_and_what_is_issued_under_it_does_nothing() {
    for name in ["and", "nor"] {
        let operand = if name == "and" { 0 } else { -1 };
        let text = format!(
            "
        all_lanes
        lane_out a0
        li t0, {operand}
        li s2, 5
        li s3, 6
        mask.{name} s0, t0
        addi s2, s2, 1
        sw s2, 256(a0)
        amoadd.w s3, s2, (a0)
        vote.any s3, s2
        csrr s3, active_threads
        mask.or s1, s0          # s0 was written in every lane, so it is there to be read.
        sw s0, 0(a0)
        sw s1, 16(a0)
        sw s2, 32(a0)
        sw s3, 48(a0)
        tmc x0"
        );
        let out = run(masks(4), &text);
        assert_eq!(out[..16], [[0xf; 4], [0; 4], [5; 4], [6; 4]].concat(), "{name}");
        assert_eq!(out[64..68], [0; 4], "{name}");
    }
}

/// "`tmc 0` ends a warp", also one whose mask is empty already.
#[test]
fn tmc_of_zero_ends_the_warp_whose_mask_is_empty() {
    let out = run(masks(4), "all_lanes; mask.and x0, x0; tmc x0; lane_out a0; li t0, 9; sw t0, 0(a0)");
    assert_eq!(out[..4], [0; 4]);
}

/// If/else by three mask instructions and no jump, as the source has it: `and a, cond`, `xor b, a`, `or c, b`.
const IF_ELSE: &str = "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        li t1, LIMIT
        slt t2, t0, t1
        li s4, 3
        vote.ballot t3, t2
        mask.and s0, t3
        addi s4, t0, 100
        mask.xor s1, s0
        addi s4, t0, 200
        mask.or s2, s1
        addi s4, s4, 1
        sw s4, 0(a0)
        sw s0, 16(a0)
        sw s1, 32(a0)
        sw s2, 48(a0)
        tmc x0";

#[test]
fn an_if_else_is_three_mask_instructions() {
    for (limit, first) in [(0, 0b0000_u32), (1, 0b0001), (3, 0b0111), (4, 0b1111)] {
        let out = run(masks(4), &format!(".equ LIMIT, {limit}\n{IF_ELSE}"));
        let values: Vec<u32> = (0..4).map(|lane| if lane < limit { 101 + lane } else { 201 + lane }).collect();
        assert_eq!(out[..4], values, "limit {limit}");
        // Old masks: all, the first side, the second side; and they never leave the outer set.
        assert_eq!(out[4..16], [[0xf; 4], [first; 4], [0xf & !first; 4]].concat(), "limit {limit}");
    }
}

/// A second if inside, under a partial mask: "only active lanes contribute a condition bit".
#[test]
fn conditions_of_lanes_that_are_off_do_not_count() {
    let text = "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        li s4, 0
        andi t1, t0, 1
        vote.ballot t2, t1
        mask.and s0, t2         # odd lanes
        slti t3, t0, 2
        vote.ballot t4, t3      # of them those below 2: lane 1, though lane 0 is too
        mask.and s1, t4
        ori s4, s4, 1
        mask.xor s2, s1
        ori s4, s4, 2
        mask.or s3, s2
        ori s4, s4, 4
        mask.xor s5, s0
        ori s4, s4, 8
        mask.or s6, s5
        sw s4, 0(a0)
        tmc x0";
    assert_eq!(run(masks(4), text)[..4], [8, 5, 8, 6]);
}

/// Masks need no stack: eight nested ifs on a machine whose stack holds one entry.
#[test]
fn nesting_takes_no_stack() {
    let mut text = String::from("all_lanes; lane_out a0; csrr t0, thread_id; li s0, 0\n");
    for level in 0..8 {
        text += &format!("sltiu t1, t0, {}; vote.ballot t2, t1; mask.and a{}, t2\n", 9 - level, level % 2 + 1);
        text += &format!("addi s0, s0, 1; mv x{}, a{}\n", 18 + level, level % 2 + 1);
    }
    // Masks saved in x18 to x25 were copied under narrower ones each: the widest is read from a lane that copied it.
    text += "li t3, 0; mask.or x0, x18; sw s0, 0(a0); tmc x0";
    let config = GpuConfig { ipdom_capacity: 1, ..masks(16) };
    let expected: Vec<u32> = (0..16).map(|lane: u32| 9_u32.saturating_sub(lane).min(8)).collect();
    assert_eq!(run(config, &text)[..16], expected);
}

#[test]
fn a_machine_without_them_takes_them_for_illegal() {
    let trap = trap_of(one_warp(4), "all_lanes; mask.and t0, t6");
    assert!(matches!(trap.kind, TrapKind::MissingExtension { extension: Extension::ThreadMask }), "{trap}");
}
