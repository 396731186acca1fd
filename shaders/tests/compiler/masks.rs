//! Thread masks: what code they become, and what must not run without lanes.

use shaders::compile::{DivergenceMechanism, Mutation};
use shaders::ir::{Binary, Input, Kernel, Kind, Operation, Space};

use crate::build::Build;
use crate::run::{Setting, interpreted, simulated};

/// `if index < bound { out[index] = index + 1 } else { out[index] = index + 2 }`.
fn if_else(bound: u32) -> Kernel {
    let mut build = Build::new("if_else", [16, 1, 1]);
    let index = build.input(Input::GlobalInvocationId(0));
    let is_low = build.with(Binary::LessUnsigned, index, bound);
    let side = |add| {
        move |build: &mut Build| {
            let value = build.with(Binary::Multiply, index, add);
            build.store_output(index, value);
        }
    };
    build.if_else(is_low, side(3), side(5));
    build.finish()
}

fn count(listing: &str, mnemonic: &str) -> usize {
    listing.split_whitespace().filter(|word| *word == mnemonic).count()
}

/// The source's if/else: three mask instructions and no jump; both sides issue even when no lane is on.
#[test]
fn an_if_else_is_three_mask_instructions_without_a_jump() {
    let setting = Setting::new(8).with(DivergenceMechanism::Mask);
    let straight = setting.compile(&{
        let mut build = Build::new("straight", [16, 1, 1]);
        let index = build.input(Input::GlobalInvocationId(0));
        build.store_output(index, index);
        build.finish()
    });
    let listing = setting.compile(&if_else(5)).listing();
    assert_eq!(["mask.and", "mask.xor", "mask.or"].map(|mnemonic| count(&listing, mnemonic)), [1; 3], "{listing}");
    for mnemonic in ["split", "join", "beq", "bne", "bltu", "bgeu", "jal", "j", "beqz", "bnez"] {
        assert_eq!(count(&listing, mnemonic), count(&straight.listing(), mnemonic), "{mnemonic}\n{listing}");
    }
    for bound in [0, 5, 16] {
        let buffers = [vec![0; 4], vec![0; 16]];
        let result = simulated(&if_else(bound), &setting, &buffers, [1, 1, 1]).expect("it runs");
        let expected: Vec<u32> = (0..16).map(|i| if i < bound { i * 3 } else { i * 5 }).collect();
        assert_eq!(result[1], expected);
    }
}

/// Six ifs inside each other on a machine whose registers hold fewer masks: the outer ones skip, the inner ones are flat.
#[test]
fn what_is_nested_deeper_than_registers_reach_skips() {
    let mut build = Build::new("deep", [16, 1, 1]);
    let index = build.input(Input::GlobalInvocationId(0));
    fn nest(build: &mut Build, index: shaders::ir::Value, depth: u32) {
        build.store_output(index, index);
        if depth < 6 {
            let inside = build.with(Binary::LessUnsigned, index, 14 - 2 * depth);
            build.if_then(inside, |build| {
                let value = build.with(Binary::Multiply, index, depth + 2);
                build.store_output(index, value);
                let scaled = build.with(Binary::Add, index, 0);
                nest(build, scaled, depth + 1);
            });
        }
    }
    nest(&mut build, index, 0);
    let kernel = build.finish();
    let buffers = [vec![0; 4], vec![0; 16]];
    let expected = interpreted(&kernel, 16, &buffers, [1, 1, 1]);
    for integer_registers in [4, 5, 7, 29] {
        let setting = Setting { registers: (integer_registers, 8), ..Setting::new(16).with(DivergenceMechanism::Mask) };
        assert_eq!(simulated(&kernel, &setting, &buffers, [1, 1, 1]), Ok(expected.clone()), "{integer_registers}");
        let flat = count(&setting.compile(&kernel).listing(), "mask.and");
        assert_eq!(flat, 6, "every level narrows, by a skip or without one");
    }
}

/// A side that no lane enters and that holds a loop whose counter all lanes agree on: without lanes nothing would count.
#[test]
fn sides_entered_without_lanes_are_noticed() {
    let mut build = Build::new("loop", [16, 1, 1]);
    let index = build.input(Input::GlobalInvocationId(0));
    let i = build.variable(Kind::Int);
    let first = build.load_input(index, Kind::Int);
    let is_never = build.with(Binary::LessUnsigned, first, 7);
    build.if_then(is_never, |build| {
        let zero = build.int(0);
        build.set(i, zero);
        build.scope(|build, end| {
            build.endless(|build| {
                let now = build.get(i);
                let is_done = build.with(Binary::Equal, now, 9);
                build.if_then(is_done, |build| build.leave(end));
                let address = build.address(1, index);
                build.store(Space::Global, address, 0, now);
                let now = build.get(i);
                let next = build.with(Binary::Add, now, 1);
                build.set(i, next);
            });
        });
    });
    let kernel = build.finish();
    let setting = Setting::new(16).with(DivergenceMechanism::Mask);
    let buffers = [vec![1000; 16], vec![0; 16]];
    assert_eq!(simulated(&kernel, &setting, &buffers, [1, 1, 1]).as_ref(), Ok(&buffers.to_vec()));
    let mutated = Setting { mutation: Some(Mutation::EnterWithoutLanes), ..setting };
    let error = simulated(&kernel, &mutated, &buffers, [1, 1, 1]).expect_err("it cannot end");
    assert!(error.contains("progress") || error.contains("budget"), "{error}");
}

/// A vote inside a side that no lane enters leaves a stale word; it must not switch anything on.
#[test]
fn votes_without_lanes_switch_nothing_on() {
    let mut build = Build::new("votes", [16, 1, 1]);
    let index = build.input(Input::GlobalInvocationId(0));
    let first = build.load_input(index, Kind::Int);
    let is_never = build.with(Binary::LessUnsigned, first, 7);
    let is_odd = build.with(Binary::And, index, 1);
    build.if_then(is_never, |build| {
        build.if_else(
            is_odd,
            |build| {
                let ballot = build.value(Kind::Int, Operation::Ballot(is_odd));
                build.store_output(index, ballot);
            },
            |build| build.store_output(index, first),
        );
    });
    build.if_then(is_odd, |build| build.store_output(index, index));
    let kernel = build.finish();
    for lanes in [2, 8, 16, 32] {
        let setting = Setting::new(lanes).with(DivergenceMechanism::Mask);
        let result = simulated(&kernel, &setting, &[vec![1000; 16], vec![0; 16]], [1, 1, 1]).expect("it runs");
        let expected: Vec<u32> = (0..16).map(|i| i * (i & 1)).collect();
        assert_eq!(result[1], expected, "{lanes} lanes");
    }
}
