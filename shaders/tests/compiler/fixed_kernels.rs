//! Kernels written by hand, each for one thing.

use shaders::compile::{BackEndError, Mutation, compile};
use shaders::ir::*;

use crate::build::Build;
use crate::run::{Setting, check, interpreted, simulate, simulated};

const LANES: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Words that tests can compute with: small, large and odd ones.
fn words(count: u32) -> Vec<u32> {
    (0..count).map(|i| i.wrapping_mul(0x9e37_79b9) >> (i % 29)).collect()
}

/// Checks in every variant of every lane count.
#[track_caller]
fn check_all(kernel: &Kernel, grid: [u32; 3]) {
    let invocations = kernel.workgroup_size.iter().product::<u32>() * grid.iter().product::<u32>();
    let buffers = [words(256), vec![0xdead_beef; invocations as usize * 8 + 32]];
    for lanes in LANES {
        for setting in Setting::variants(lanes) {
            check(kernel, &setting, &buffers, grid);
        }
    }
}

fn global_index(build: &mut Build) -> Value {
    build.input(Input::GlobalInvocationId(0))
}

/// CASES A7: `out[i] = a[i] + b[i]` for i < n; the words after n stay.
#[test]
fn leftover_work_items_run_once_and_leave_the_guard_words() {
    for (cores, warps, lanes) in [(2, 2, 4), (2, 1, 4), (4, 1, 4)] {
        let mut setting = Setting::new(lanes);
        setting.config = gpu_core::config::GpuConfig::vortex(cores, warps, lanes);
        let mut build = Build::new("vecadd", [lanes, 1, 1]);
        let index = global_index(&mut build);
        let length = build.value(Kind::Int, Operation::BindingLength(0));
        let count = build.with(Binary::ShiftRightUnsigned, length, 3);
        let inside = build.binary(Binary::LessUnsigned, index, count);
        build.if_then(inside, |build| {
            let a = build.load_input(index, Kind::Int);
            let second = build.binary(Binary::Add, index, count);
            let b = build.load_input(second, Kind::Int);
            let sum = build.binary(Binary::Add, a, b);
            let address = build.address(1, index);
            let old = build.value(Kind::Int, Operation::Load { space: Space::Global, address, offset: 0 });
            let sum = build.binary(Binary::Add, sum, old);
            build.store(Space::Global, address, 0, sum);
        });
        let kernel = build.finish();
        let compiled = setting.compile(&kernel);
        for n in 1..70u32 {
            let input: Vec<u32> = (0..2 * n).map(|i| i * i + 3).collect();
            let buffers = [input.clone(), vec![0x0100_0000; n as usize + 32]];
            let result = simulate(&compiled, &setting, &buffers, [n.div_ceil(lanes), 1, 1]).expect("it runs");
            for i in 0..n as usize {
                assert_eq!(result[1][i], 0x0100_0000 + input[i] + input[i + n as usize], "n {n}, item {i}");
            }
            assert!(result[1][n as usize..].iter().all(|&word| word == 0x0100_0000), "n {n}");
        }
    }
}

/// CASES A35: lanes take different ways through `break if`, fall through and `continue` in a `switch`.
#[test]
fn loops_break_and_continue_lane_by_lane() {
    let mut build = Build::new("loops", [32, 1, 1]);
    let index = global_index(&mut build);
    let (count, sum, i) = (build.variable(Kind::Int), build.variable(Kind::Int), build.variable(Kind::Int));
    let zero = build.int(0);
    let own = build.with(Binary::And, index, 7);
    let limit = build.with(Binary::Add, own, 1);
    // (a) loop { count += 1; continuing { break if count == limit; } }
    build.set(count, zero);
    build.scope(|build, end| {
        build.endless(|build| {
            let old = build.get(count);
            let new = build.with(Binary::Add, old, 1);
            build.set(count, new);
            let new = build.get(count);
            let done = build.binary(Binary::Equal, new, limit);
            build.if_then(done, |build| build.leave(end));
        });
    });
    // (c) for (i = 0; i < 5; i++) { switch (i + own) % 8 { case 2: continue; } sum += i; }
    build.set(sum, zero);
    build.set(i, zero);
    build.scope(|build, end| {
        build.endless(|build| {
            build.scope(|build, next| {
                let now = build.get(i);
                let done = build.with(Binary::LessUnsigned, now, 5);
                let done = build.unary(Unary::LogicalNot, done);
                build.if_then(done, |build| build.leave(end));
                let shifted = build.binary(Binary::Add, now, own);
                let shifted = build.with(Binary::And, shifted, 7);
                build.scope(|build, switch| {
                    let is_two = build.with(Binary::Equal, shifted, 2);
                    build.if_then(is_two, |build| build.leave(next));
                    build.leave(switch);
                });
                let old = build.get(sum);
                let new = build.binary(Binary::Add, old, now);
                build.set(sum, new);
            });
            let now = build.get(i);
            let next = build.with(Binary::Add, now, 1);
            build.set(i, next);
        });
    });
    let first = build.with(Binary::Multiply, index, 2);
    let a = build.get(count);
    build.store_output(first, a);
    let second = build.with(Binary::Add, first, 1);
    let c = build.get(sum);
    build.store_output(second, c);
    let kernel = build.finish();
    check_all(&kernel, [2, 1, 1]);
    let result = simulate(&Setting::new(8).compile(&kernel), &Setting::new(8), &[words(4), vec![0; 64]], [1, 1, 1]);
    let result = result.expect("it runs");
    assert_eq!(result[1][2 * 4], 5, "lane 4 counts to 5");
    assert_eq!(result[1][1], 1 + 3 + 4, "lane 0 leaves out 2");
}

/// CASES A36: a variable of the loop's body starts anew in each turn.
#[test]
fn a_loop_local_variable_is_zero_in_each_turn() {
    let mut build = Build::new("local", [8, 1, 1]);
    let index = global_index(&mut build);
    let (s, t, i) = (build.variable(Kind::Int), build.variable(Kind::Int), build.variable(Kind::Int));
    build.scope(|build, end| {
        build.endless(|build| {
            let now = build.get(i);
            let going = build.binary(Binary::LessSigned, now, index);
            build.if_else(going, |_| {}, |build| build.leave(end));
            let zero = build.int(0);
            build.set(t, zero);
            let old = build.get(t);
            let new = build.with(Binary::Add, old, 1);
            build.set(t, new);
            let (a, b) = (build.get(s), build.get(t));
            let sum = build.binary(Binary::Add, a, b);
            build.set(s, sum);
            let next = build.with(Binary::Add, now, 1);
            build.set(i, next);
        });
    });
    let result = build.get(s);
    build.store_output(index, result);
    let kernel = build.finish();
    check_all(&kernel, [1, 1, 1]);
    let result = simulate(&Setting::new(4).compile(&kernel), &Setting::new(4), &[words(4), vec![9; 8]], [1, 1, 1]);
    assert_eq!(result.expect("it runs")[1], [0, 1, 2, 3, 4, 5, 6, 7]);
}

/// Every unary and binary operation on values that are hard for it.
#[test]
fn operations_agree_on_hard_values() {
    let ints = [0, 1, 2, 31, 32, 33, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0xffff_fffe, 0x1234_5678];
    let floats = [
        0x0000_0000,
        0x8000_0000,
        0x3f00_0000,
        0xbf00_0000,
        0x3fc0_0000,
        0xbfc0_0000,
        0x4b00_0001,
        0xcb00_0001,
        0x4f00_0000,
        0xcf00_0000,
        0x4f80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7f80_0001,
        0xffc1_2345,
        1,
        0x8000_0001,
        0x4020_0000,
        0x3eff_ffff,
        0x4aff_ffff,
        0x3f80_0000,
        0x7f7f_ffff,
        0xc060_0000,
    ];
    let input: Vec<u32> = ints.iter().chain(&floats).copied().collect();
    use Unary::*;
    let unaries = [
        Negate,
        Not,
        LogicalNot,
        CountOneBits,
        CountLeadingZeros,
        CountTrailingZeros,
        ReverseBits,
        FloatNegate,
        FloatAbs,
        FloatSqrt,
        FloatFloor,
        FloatCeil,
        FloatTrunc,
        FloatRound,
        FloatToSigned,
        FloatToUnsigned,
        FloatToSignedNearest,
        FloatToUnsignedNearest,
        SignedToFloat,
        UnsignedToFloat,
    ];
    use Binary::*;
    let binaries = [
        Add,
        Subtract,
        Multiply,
        MultiplyHighSigned,
        MultiplyHighUnsigned,
        DivideSigned,
        DivideUnsigned,
        RemainderSigned,
        RemainderUnsigned,
        And,
        Or,
        Xor,
        ShiftLeft,
        ShiftRightSigned,
        ShiftRightUnsigned,
        MinSigned,
        MinUnsigned,
        MaxSigned,
        MaxUnsigned,
        Equal,
        NotEqual,
        LessSigned,
        LessUnsigned,
        LessEqualSigned,
        LessEqualUnsigned,
        FloatAdd,
        FloatSubtract,
        FloatMultiply,
        FloatDivide,
        FloatMin,
        FloatMax,
        FloatCopySign,
        FloatEqual,
        FloatNotEqual,
        FloatLess,
        FloatLessEqual,
    ];
    let count = input.len() as u32;
    let results = (unaries.len() + binaries.len() * 2) as u32;
    let mut build = Build::new("operations", [count, 1, 1]);
    let index = global_index(&mut build);
    let row = build.input(Input::WorkgroupId(0));
    let own = build.input(Input::LocalInvocationId(0));
    let of_kind = |build: &mut Build, kind, index| build.load_input(index, kind);
    let base = build.with(Multiply, index, results);
    let mut place = 0;
    let mut put = |build: &mut Build, value| {
        let at = build.with(Add, base, place);
        build.store_output(at, value);
        place += 1;
    };
    for unary in unaries {
        let a = of_kind(&mut build, unary.kinds().0, own);
        let value = build.unary(unary, a);
        put(&mut build, value);
    }
    for (turn, binary) in binaries.into_iter().enumerate() {
        let (a, b) = (of_kind(&mut build, binary.kinds().0, own), of_kind(&mut build, binary.kinds().0, row));
        let value = build.binary(binary, a, b);
        put(&mut build, value);
        // Constants on the right take other instructions.
        let bits = [0, 1, 0xffff_ffff, 5, 0x8000_0000, 2047, 0xffff_f800, 0x1234_5678, 64][turn % 9];
        let b = build.value(binary.kinds().0, Operation::Constant(bits));
        let value = build.binary(binary, a, b);
        put(&mut build, value);
    }
    let kernel = build.finish();
    let buffers = [input, vec![0; (count * count * results) as usize]];
    for lanes in [4, 16] {
        for setting in Setting::variants(lanes) {
            check(&kernel, &setting, &buffers, [count, 1, 1]);
        }
    }
}

/// Tree sum in workgroup memory, with several warps and barriers.
#[test]
fn workgroups_of_several_warps_share_memory() {
    let size = 16;
    let mut build = Build::new("reduce", [size, 1, 1]);
    build.kernel.workgroup_bytes = size * 4;
    let (local, global) = (build.input(Input::LocalInvocationIndex), global_index(&mut build));
    let masked = build.with(Binary::And, global, 255);
    let own = build.load_input(masked, Kind::Int);
    let address = build.with(Binary::ShiftLeft, local, 2);
    let space = Space::Workgroup;
    let before = build.value(Kind::Int, Operation::Load { space, address, offset: 0 });
    build.barrier();
    let value = build.binary(Binary::Add, own, before);
    build.store(space, address, 0, value);
    for step in [8u32, 4, 2, 1] {
        build.barrier();
        let active = build.with(Binary::LessUnsigned, local, step);
        build.if_then(active, |build| {
            let a = build.value(Kind::Int, Operation::Load { space, address, offset: 0 });
            let b = build.value(Kind::Int, Operation::Load { space, address, offset: step as i32 * 4 });
            let sum = build.binary(Binary::Add, a, b);
            build.store(space, address, 0, sum);
        });
    }
    build.barrier();
    let zero = build.int(0);
    let total = build.value(Kind::Int, Operation::Load { space, address: zero, offset: 0 });
    build.store_output(global, total);
    let kernel = build.finish();
    let buffers = [words(256), vec![0; 16 * 12]];
    for lanes in [4, 8, 16, 32] {
        for mut setting in Setting::variants(lanes) {
            setting.config.warps = setting.config.warps.max(4);
            setting.config.barriers = 2;
            check(&kernel, &setting, &buffers, [12, 1, 1]);
        }
    }
}

#[test]
fn a_workgroup_larger_than_the_core_takes_turns() {
    let mut build = Build::new("large", [5, 7, 3]);
    build.kernel.workgroup_bytes = 105 * 4;
    let index = build.input(Input::LocalInvocationIndex);
    let group = build.input(Input::WorkgroupId(1));
    let address = build.with(Binary::ShiftLeft, index, 2);
    let space = Space::Workgroup;
    let old = build.value(Kind::Int, Operation::Load { space, address, offset: 0 });
    build.store(space, address, 0, index);
    let inputs = [Input::LocalInvocationId(0), Input::LocalInvocationId(1), Input::LocalInvocationId(2)];
    let mut sum = build.with(Binary::Add, old, 1);
    for input in inputs.into_iter().chain([Input::GlobalInvocationId(2), Input::SubgroupId, Input::NumSubgroups]) {
        let next = build.input(input);
        let scaled = build.with(Binary::Multiply, sum, 31);
        sum = build.binary(Binary::Add, scaled, next);
    }
    let base = build.with(Binary::Multiply, group, 105);
    let place = build.binary(Binary::Add, base, index);
    build.store_output(place, sum);
    check_all(&build.finish(), [1, 3, 1]);
}

#[test]
fn barriers_in_divergent_control_flow_are_refused() {
    let mut build = Build::new("divergent", [64, 1, 1]);
    let index = global_index(&mut build);
    let few = build.with(Binary::LessUnsigned, index, 5);
    build.if_then(few, |build| build.barrier());
    let options = Setting::new(4).options();
    let large = CompileRefusal::of(&build.finish(), &options);
    assert!(matches!(large, BackEndError::WorkgroupTooLarge { wanted: 16, available: 4, .. }), "{large}");

    let mut build = Build::new("divergent", [16, 1, 1]);
    let index = global_index(&mut build);
    let few = build.with(Binary::LessUnsigned, index, 5);
    build.scope(|build, end| {
        build.if_then(few, |build| build.leave(end));
        build.barrier();
    });
    let refused = CompileRefusal::of(&build.finish(), &options);
    assert!(matches!(refused, BackEndError::DivergentBarrier { cause: "the invocation", .. }), "{refused}");

    let mut build = Build::new("by_warp", [16, 1, 1]);
    let warp = build.input(Input::SubgroupId);
    build.if_then(warp, |build| build.barrier());
    let kernel = build.finish();
    let refused = CompileRefusal::of(&kernel, &options);
    assert!(matches!(refused, BackEndError::DivergentBarrier { cause: "the warp", .. }), "{refused}");
    let options = Setting::new(16).options();
    assert!(compile(&kernel, &[], &options).is_ok(), "one warp has nothing to wait for");
}

struct CompileRefusal;

impl CompileRefusal {
    fn of(kernel: &Kernel, options: &shaders::compile::CompileOptions) -> BackEndError {
        compile(kernel, &[], options).expect_err("it must be refused")
    }
}

#[test]
fn lanes_that_compare_and_exchange_all_come_through() {
    let mut build = Build::new("exchange", [32, 1, 1]);
    let index = global_index(&mut build);
    let (old, tries) = (build.variable(Kind::Int), build.variable(Kind::Int));
    let address = build.value(Kind::Int, Operation::BindingAddress(1));
    let zero = build.int(0);
    build.set(old, zero);
    // A counter by compare and exchange: every lane adds its index + 1.
    build.scope(|build, end| {
        build.endless(|build| {
            let seen = build.get(old);
            let own = build.with(Binary::Add, index, 1);
            let new = build.binary(Binary::Add, seen, own);
            let space = Space::Global;
            let exchange = Operation::CompareExchange { space, address, offset: 4, compare: seen, value: new };
            let found = build.value(Kind::Int, exchange);
            let done = build.binary(Binary::Equal, found, seen);
            build.if_then(done, |build| build.leave(end));
            build.set(old, found);
            let turn = build.get(tries);
            let turn = build.with(Binary::Add, turn, 1);
            build.set(tries, turn);
        });
    });
    let kernel = build.finish();
    for lanes in LANES {
        for setting in Setting::variants(lanes) {
            let result = simulate(&setting.compile(&kernel), &setting, &[words(1), vec![0; 4]], [2, 1, 1]);
            assert_eq!(result.expect("it ends")[1], [0, 64 * 65 / 2, 0, 0], "{lanes} lanes");
        }
    }
}

#[test]
fn votes_are_taken_again_where_fewer_lanes_are() {
    let mut build = Build::new("votes", [16, 1, 1]);
    let index = global_index(&mut build);
    let odd = build.with(Binary::And, index, 1);
    let early = build.with(Binary::LessUnsigned, index, 5);
    let sum = build.variable(Kind::Int);
    let all = build.value(Kind::Int, Operation::Ballot(odd));
    let again = build.value(Kind::Int, Operation::Ballot(odd));
    let both = build.binary(Binary::Add, all, again);
    build.set(sum, both);
    let add = |build: &mut Build| {
        for operation in [Operation::Ballot(odd), Operation::BroadcastFirst(index), Operation::All(odd)] {
            let old = build.get(sum);
            let scaled = build.with(Binary::Multiply, old, 5);
            let vote = build.value(Kind::Int, operation);
            let new = build.binary(Binary::Add, scaled, vote);
            build.set(sum, new);
        }
    };
    add(&mut build);
    build.if_else(early, add, add);
    build.scope(|build, end| {
        build.if_then(early, |build| build.leave(end));
        add(build);
    });
    let result = build.get(sum);
    build.store_output(index, result);
    check_all(&build.finish(), [2, 1, 1]);
}

/// Sides too long for a branch, one where lanes differ, one where they agree.
fn long_kernel() -> Kernel {
    let mut build = Build::new("long", [8, 1, 1]);
    let index = global_index(&mut build);
    let total = build.variable(Kind::Int);
    let length = build.value(Kind::Int, Operation::BindingLength(0));
    let (few, many) = (build.with(Binary::LessUnsigned, index, 3), build.with(Binary::LessUnsigned, length, 5));
    for condition in [few, many] {
        build.if_else(
            condition,
            |build| {
                for step in 0..900u32 {
                    let old = build.get(total);
                    let scaled = build.with(Binary::Multiply, old, 0x1_0001 + step);
                    let new = build.binary(Binary::Xor, scaled, index);
                    build.set(total, new);
                }
            },
            |build| {
                let old = build.get(total);
                let new = build.with(Binary::Add, old, 7);
                build.set(total, new);
            },
        );
    }
    let result = build.get(total);
    build.store_output(index, result);
    build.finish()
}

#[test]
fn branches_reach_over_long_blocks() {
    check_all(&long_kernel(), [1, 1, 1]);
}

#[test]
fn far_branches_that_are_not_inverted_are_noticed() {
    let setting = Setting { mutation: Some(Mutation::FarSame), ..Setting::new(8) };
    let buffers = [words(256), vec![0; 96]];
    let expected = interpreted(&long_kernel(), 8, &buffers, [1, 1, 1]);
    assert_ne!(simulated(&long_kernel(), &setting, &buffers, [1, 1, 1]), Ok(expected));
}
