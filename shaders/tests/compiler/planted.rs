//! Planted faults that whole programs rarely meet: a kernel made for each, with its results by hand. The others show in
//! `programs`, or in random kernels.

use shaders::compile::{DivergenceMechanism, Mutation};
use shaders::ir::{Binary, Input, Kernel, Kind, Operation, Space, Unary};

use crate::build::Build;
use crate::run::{Setting, simulated};

const INVOCATIONS: u32 = 16;

/// The healthy compiler gives `expected` for every invocation by both mechanisms, the faulty one by one of them at most.
#[track_caller]
fn check(mutation: Mutation, kernel: &Kernel, input: Vec<u32>, expected: impl Fn(usize) -> u32) {
    let buffers = [input, vec![0; INVOCATIONS as usize]];
    let expected: Vec<u32> = (0..INVOCATIONS as usize).map(expected).collect();
    let is_right = |mutation, divergence| {
        let setting = Setting { mutation, ..Setting::new(8).with(divergence) };
        let outcome = simulated(kernel, &setting, &buffers, [1, 1, 1]);
        outcome.is_ok_and(|buffers| buffers[1] == expected)
    };
    let [healthy, faulty] = [None, Some(mutation)]
        .map(|mutation| DivergenceMechanism::EVERY.map(|divergence| is_right(mutation, divergence)));
    assert_eq!(healthy, [true; 2], "without a fault");
    assert_ne!(faulty, [true; 2], "{mutation:?} was not noticed");
}

fn begin() -> (Build, shaders::ir::Value) {
    let mut build = Build::new("planted", [INVOCATIONS, 1, 1]);
    let index = build.input(Input::GlobalInvocationId(0));
    (build, index)
}

#[test]
fn a_dropped_part_of_an_address_is_noticed() {
    let (mut build, index) = begin();
    let address = build.address(0, index);
    let address = build.with(Binary::Add, address, 8);
    let word = build.value(Kind::Int, Operation::Load { space: Space::GlobalReadOnly, address, offset: 0 });
    build.store_output(index, word);
    let input: Vec<u32> = (100..100 + INVOCATIONS + 2).collect();
    check(Mutation::DropOffset, &build.finish(), input, |i| 102 + i as u32);
}

#[test]
fn a_lost_sign_is_noticed() {
    let (mut build, index) = begin();
    let a = build.load_input(index, Kind::Float);
    let next = build.with(Binary::Add, index, 1);
    let b = build.load_input(next, Kind::Float);
    let negated = build.unary(Unary::FloatNegate, b);
    let sum = build.binary(Binary::FloatSubtract, a, negated);
    build.store_output(index, sum);
    let input = (0..INVOCATIONS + 1).map(|i| (i as f32).to_bits()).collect();
    check(Mutation::LoseSign, &build.finish(), input, |i| ((2 * i + 1) as f32).to_bits());
}

/// Lanes count down to a bound; those whose word is the bound itself go on.
#[test]
fn a_lost_equality_is_noticed() {
    let (mut build, index) = begin();
    let [left, turns] = [(); 2].map(|()| build.variable(Kind::Int));
    let word = build.load_input(index, Kind::Int);
    build.set(left, word);
    build.scope(|build, end| {
        build.endless(|build| {
            let now = build.get(left);
            let is_low = build.with(Binary::LessSigned, now, 3);
            build.if_then(is_low, |build| build.leave(end));
            for (variable, step) in [(left, u32::MAX), (turns, 1)] {
                let old = build.get(variable);
                let new = build.with(Binary::Add, old, step);
                build.set(variable, new);
            }
        });
    });
    let turns = build.get(turns);
    build.store_output(index, turns);
    let input = (0..INVOCATIONS).map(|i| i % 6).collect();
    check(Mutation::LoseEquality, &build.finish(), input, |i| (i as u32 % 6).saturating_sub(2));
}

/// Each lane leaves the loop in a turn of its own; its counter, the same for all in every turn, then decides a branch.
#[test]
fn a_loop_left_at_different_times_is_noticed() {
    let (mut build, index) = begin();
    let count = build.variable(Kind::Int);
    build.scope(|build, end| {
        build.endless(|build| {
            let now = build.get(count);
            let next = build.with(Binary::Add, now, 1);
            build.set(count, next);
            let is_done = build.binary(Binary::Equal, now, index);
            build.if_then(is_done, |build| build.leave(end));
        });
    });
    let turns = build.get(count);
    let is_early = build.with(Binary::LessUnsigned, turns, 6);
    let side = |word| {
        move |build: &mut Build| {
            let word = build.with(Binary::Multiply, index, word);
            build.store_output(index, word);
        }
    };
    build.if_else(is_early, side(3), side(5));
    let expected = |i| if i < 5 { 3 * i as u32 } else { 5 * i as u32 };
    check(Mutation::NoTemporalDivergence, &build.finish(), vec![0; 4], expected);
}
