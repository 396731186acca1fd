//! What the divergence analysis says lanes agree on.

use shaders::divergence::{Level, analyze};
use shaders::ir::*;

use crate::build::Build;

/// `for (i = 0; i < limit; i++) { body }`.
fn counted(build: &mut Build, i: Variable, limit: Value, body: impl FnOnce(&mut Build, Label)) {
    let zero = build.int(0);
    build.set(i, zero);
    build.scope(|build, end| {
        build.endless(|build| {
            let now = build.get(i);
            let going = build.binary(Binary::LessUnsigned, now, limit);
            build.if_else(going, |_| {}, |build| build.leave(end));
            body(build, end);
            let now = build.get(i);
            let next = build.with(Binary::Add, now, 1);
            build.set(i, next);
        });
    });
}

fn level(build: Build, lanes: u32, variable: Variable) -> Level {
    analyze(&build.finish(), lanes).variables[variable.0 as usize]
}

#[test]
fn a_counter_up_to_a_uniform_limit_agrees() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let i = build.variable(Kind::Int);
    let limit = build.value(Kind::Int, Operation::BindingLength(0));
    counted(&mut build, i, limit, |_, _| {});
    assert_eq!(level(build, 8, i), Level::Workgroup);
}

#[test]
fn a_counter_up_to_the_lane_differs_after_the_loop() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let i = build.variable(Kind::Int);
    let lane = build.input(Input::LocalInvocationIndex);
    counted(&mut build, i, lane, |_, _| {});
    let last = build.get(i);
    build.store_output(last, last);
    assert_eq!(level(build, 8, i), Level::Lane);
}

#[test]
fn an_inner_counter_agrees_under_a_divergent_branch_and_loop() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let (i, j) = (build.variable(Kind::Int), build.variable(Kind::Int));
    let lane = build.input(Input::LocalInvocationIndex);
    let four = build.int(4);
    let few = build.with(Binary::LessUnsigned, lane, 5);
    build.if_then(few, |build| {
        counted(build, i, lane, |build, _| counted(build, j, four, |_, _| {}));
    });
    let analysis = analyze(&build.finish(), 8);
    assert_eq!(analysis.variables[j.0 as usize], Level::Workgroup, "set anew in each turn by all who are there");
    assert_eq!(analysis.variables[i.0 as usize], Level::Lane);
}

#[test]
fn a_divergent_break_spoils_what_is_read_after_the_loop_only() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let (i, inner) = (build.variable(Kind::Int), build.variable(Kind::Int));
    let lane = build.input(Input::LocalInvocationIndex);
    let limit = build.int(9);
    counted(&mut build, i, limit, |build, end| {
        let now = build.get(i);
        build.set(inner, now);
        let enough = build.binary(Binary::Equal, now, lane);
        build.if_then(enough, |build| build.leave(end));
        let again = build.get(inner);
        build.store_output(again, again);
    });
    let last = build.get(i);
    build.store_output(last, last);
    let analysis = analyze(&build.finish(), 8);
    // Lanes that are gone hold an older counter; those that are there agree, but one level serves both.
    assert_eq!(analysis.variables[i.0 as usize], Level::Lane);
}

#[test]
fn a_divergent_continue_spoils_nothing_outside() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let i = build.variable(Kind::Int);
    let lane = build.input(Input::LocalInvocationIndex);
    let limit = build.int(9);
    counted(&mut build, i, limit, |build, _| {
        build.scope(|build, next| {
            let now = build.get(i);
            let skipped = build.binary(Binary::Equal, now, lane);
            build.if_then(skipped, |build| build.leave(next));
            build.store_output(now, now);
        });
    });
    assert_eq!(level(build, 8, i), Level::Workgroup);
}

#[test]
fn votes_agree_in_a_warp_and_barriers_between_make_loads_agree_in_a_workgroup() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    build.kernel.workgroup_bytes = 64;
    let lane = build.input(Input::LocalInvocationIndex);
    let few = build.with(Binary::LessUnsigned, lane, 5);
    let ballot = build.value(Kind::Int, Operation::Ballot(few));
    let address = build.int(4);
    let load = Operation::Load { space: Space::Workgroup, address, offset: 0 };
    let loose = build.value(Kind::Int, load);
    build.barrier();
    let between = build.value(Kind::Int, load);
    build.barrier();
    let kernel = build.finish();
    let analysis = analyze(&kernel, 8);
    let of = |value: Value| analysis.values[value.0 as usize];
    assert_eq!((of(few), of(ballot)), (Level::Lane, Level::Warp));
    assert_eq!((of(loose), of(between)), (Level::Warp, Level::Workgroup));
    let one_warp = analyze(&kernel, 32);
    assert_eq!(one_warp.values[ballot.0 as usize], Level::Workgroup, "the only warp is the workgroup");
}

#[test]
fn a_shuffle_from_one_lane_agrees_only_where_that_lane_is_there() {
    let mut build = Build::new("kernel", [32, 1, 1]);
    let lane = build.input(Input::LocalInvocationIndex);
    let three = build.int(3);
    let everywhere = build.value(Kind::Int, Operation::Shuffle(Shuffle::Index, lane, three));
    let [last, beyond] = [7, 8].map(|number| {
        let number = build.int(number);
        build.value(Kind::Int, Operation::Shuffle(Shuffle::Index, lane, number))
    });
    let few = build.with(Binary::LessUnsigned, lane, 2);
    let mut inside = everywhere;
    build.if_then(few, |build| inside = build.value(Kind::Int, Operation::Shuffle(Shuffle::Index, lane, three)));
    let analysis = analyze(&build.finish(), 8);
    assert_eq!(analysis.values[everywhere.0 as usize], Level::Warp);
    assert_eq!(analysis.values[last.0 as usize], Level::Warp);
    assert_eq!(analysis.values[beyond.0 as usize], Level::Lane, "a warp has eight lanes");
    assert_eq!(analysis.values[inside.0 as usize], Level::Lane);
}
