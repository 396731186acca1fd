//! Compute programs: control flow, memory, types.

use super::*;

#[test]
fn arguments_and_results_travel() {
    assert_eq!(run_function("fn f(x: u32) -> u32 { return x * 3u + 1u; }", 5), [1, 4, 7, 10, 13]);
}

// CASES A35, loop control flow (gfx-rs/wgpu#4982, gfx-rs/naga#1309, gfx-rs/wgpu#4485).
#[test]
fn break_if_sees_the_new_value() {
    let f = "fn f(x: u32) -> u32 { var c = 0u; loop { c += 1u; continuing { break if c == 5u + x; } } return c; }";
    assert_eq!(run_function(f, 4), [5, 6, 7, 8]);
}

#[test]
fn a_switch_case_does_not_fall_into_the_next() {
    let f = "fn f(x: u32) -> u32 { var r = 0u; switch x { case 1u: { r += 1u; } case 2u: { r += 2u; } default: { r += 8u; } } return r; }";
    assert_eq!(run_function(f, 10), [8, 1, 2, 8, 8, 8, 8, 8, 8, 8]);
}

#[test]
fn continue_in_a_switch_goes_to_the_loop() {
    let f = "fn f(x: u32) -> u32 { var s = 0u; for (var i = 0u; i < 5u + x; i++) { switch i { case 2u: { continue; } default: {} } s += i; } return s; }";
    assert_eq!(run_function(f, 3), [8, 13, 19]);
}

// CASES A36 (gfx-rs/wgpu#9489).
#[test]
fn a_variable_in_a_loop_starts_afresh() {
    let f =
        "fn f(x: u32) -> u32 { var s = 0u; for (var i = 0u; i < x; i++) { var t: u32; t += 1u; s += t; } return s; }";
    assert_eq!(run_function(f, 4), [0, 1, 2, 3]);
}

/// The same in Rust.
fn tangled(x: u32) -> u32 {
    let mut sum = 0;
    let mut i = 0;
    'outer: while i < 20 {
        i += 1;
        for j in 0..i {
            if (i + j + x).is_multiple_of(7) {
                continue 'outer;
            }
            if i * j > 60 + x {
                break;
            }
            if sum > 900 {
                return sum + 100_000;
            }
            sum += i ^ (j * x);
        }
        if (sum + x).is_multiple_of(5) {
            continue;
        }
        sum += 1;
        if i > 10 + x {
            break;
        }
    }
    sum
}

#[test]
fn lanes_take_their_own_way_through_nested_loops() {
    let f = "fn f(x: u32) -> u32 {
        var sum = 0u;
        var i = 0u;
        while i < 20u {
            i += 1u;
            var next = false;
            for (var j = 0u; j < i; j++) {
                if (i + j + x) % 7u == 0u { next = true; break; }
                if i * j > 60u + x { break; }
                if sum > 900u { return sum + 100000u; }
                sum += i ^ (j * x);
            }
            if next { continue; }
            if (sum + x) % 5u == 0u { continue; }
            sum += 1u;
            if i > 10u + x { break; }
        }
        return sum;
    }";
    let expected: Vec<_> = (0..64).map(tangled).collect();
    assert_eq!(run_function(f, 64), expected);
    assert!(expected.iter().any(|&value| value > 100_000) && expected.iter().any(|&value| value < 100_000));
}

#[test]
fn early_returns_of_callees_do_not_end_the_caller() {
    let f = "fn sign(x: u32) -> u32 { if x > 2u { return 10u; } if x == 1u { return 20u; } return 30u; }
             fn f(x: u32) -> u32 { if x == 4u { return 7u; } let a = sign(x); return a + sign(a) * 100u; }";
    assert_eq!(run_function(f, 6), [1030, 1020, 1030, 1010, 7, 1010]);
}

#[test]
fn the_deepest_way_fits_the_stack() {
    // 119 blocks and 120 calls inside each other; every lane leaves at a depth of its own.
    let calls: String = (0..120)
        .map(|n| {
            format!("fn f{n}(x: u32) -> u32 {{ if x == {n}u {{ return {n}u; }} return f{}(x) + 1000u; }}\n", n + 1)
        })
        .collect();
    let blocks = format!("{} r = f0(x); {}", "if x < 300u { ".repeat(119), "}".repeat(119));
    let f = format!(
        "{calls} fn f120(x: u32) -> u32 {{ return 7u; }} fn f(x: u32) -> u32 {{ var r = 0u; {blocks} return r; }}"
    );
    let results = run_function(&f, 128);
    assert_eq!((results[0], results[119], results[127]), (0, 119_119, 120_007));
}

#[test]
fn too_many_words_are_refused() {
    let locals: String = (0..5).map(|n| format!("var a{n}: array<vec4<u32>, 4096>; a{n}[0].x = 1u;")).collect();
    let many: String = (0..4).map(|n| format!("fn f{n}() {{ {locals} }}\n")).collect();
    let source = format!("{many} @compute @workgroup_size(1) fn main() {{ f0(); f1(); f2(); f3(); }}");
    let module =
        Module::parse("m.wgsl", &source).and_then(|m| m.select("main", &[])).expect("each variable is small enough");
    let error = Evaluator::new(&module).expect_err("together they are not");
    assert!(error.message.starts_with("`main` is too large for the evaluator"), "{error}");
}

#[test]
fn short_circuits_skip_the_right_side() {
    let f = "var<private> calls: u32;
             fn count(r: bool) -> bool { calls += 1u; return r; }
             fn f(x: u32) -> u32 { let a = x > 1u && count(true); let b = x > 2u || count(false); return calls * 4u + u32(a) * 2u + u32(b); }";
    assert_eq!(run_function(f, 4), [4, 4, 10, 7]);
}

#[test]
fn inner_names_hide_outer_ones() {
    let f = "const y = 5u;
             fn f(x: u32) -> u32 { var r = y; { let y = x + 1u; r += y; { let y = 100u; r += y; } r += y; } return r + y; }";
    assert_eq!(run_function(f, 3), [112, 114, 116]);
}

#[test]
fn switches_with_several_selectors_and_default_in_the_middle() {
    let f = "fn f(x: u32) -> u32 { var r = 0u;
             switch i32(x) - 1 { case -1, 3: { r = 1u; } default: { r = 2u; if x == 2u { break; } r += 10u; } case 4: { return 99u; } } return r; }";
    assert_eq!(run_function(f, 6), [1, 12, 2, 12, 1, 99]);
}

#[test]
fn structures_arrays_and_matrices_keep_their_parts() {
    let f = "struct Inner { v: vec3<f32>, n: u32 }
             struct Outer { a: array<Inner, 3>, m: mat3x2<f32>, flag: bool }
             fn f(x: u32) -> u32 {
                 var o: Outer;
                 for (var i = 0u; i < 3u; i++) { o.a[i].n = i * 10u + x; o.a[i].v = vec3<f32>(f32(i), f32(x), 0.5); }
                 o.m = mat3x2<f32>(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
                 o.m[x % 3u][1] = 9.0;
                 o.flag = x == 1u;
                 let copy = o;
                 o.a[1].n = 1000u;
                 let i = copy.a[x % 3u];
                 let column = copy.m[2];
                 return i.n + u32(i.v.x + i.v.y) * 100u + u32(column.y) * 10000u + u32(copy.flag) * 1000000u + copy.a[1].n;
             }";
    // x = 2 writes o.m[2][1] = 9.
    assert_eq!(run_function(f, 3), [60_010, 1_060_222, 90_434]);
}

#[test]
fn dynamic_indices_are_clamped_to_the_last_element() {
    let f = "fn f(x: u32) -> u32 {
                 var a = array<u32, 3>(10u, 20u, 30u);
                 let b = array<u32, 3>(1u, 2u, 3u);
                 let v = vec4<u32>(100u, 200u, 300u, 400u);
                 let i = i32(x) - 1;
                 a[i] += 5u;
                 return a[i] + b[i] + v[i];
             }";
    // Index -1 is the largest u32, so the last element.
    assert_eq!(run_function(f, 6), [438, 116, 227, 338, 438, 438]);
}

#[test]
fn pointers_reach_the_callers_variables() {
    let f = "var<private> shared_state: array<u32, 2>;
             fn add(p: ptr<function, u32>, n: u32) { *p += n; }
             fn add_private(p: ptr<private, u32>) { *p += 3u; }
             fn swap(v: ptr<function, vec2<u32>>) { let t = (*v).x; (*v).x = (*v).y; (*v).y = t; }
             fn f(x: u32) -> u32 {
                 var a = x; add(&a, 5u); add(&a, 6u);
                 add_private(&shared_state[1]); add_private(&shared_state[1]);
                 var v = vec2<u32>(a, 1u); swap(&v);
                 var w = array<u32, 2>(0u, 100u);
                 let p = &w[1];
                 *p += v.y; v.y = *p;
                 return v.x * 1000u + v.y + shared_state[1] * 10000u;
             }";
    assert_eq!(run_function(f, 2), [61_111, 61_112]);
}

#[test]
fn private_variables_start_afresh_in_every_workgroup() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<private> p: vec2<u32> = vec2<u32>(7u, 8u);
        var<private> z: u32;
        var<workgroup> w: array<u32, 4>;
        @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_index) i: u32) {
            p.y += g.x; z += 1u; w[i] += i + z;
            workgroupBarrier();
            out[g.x] = p.x * 1000u + p.y * 10u + w[3u - i];
        }";
    assert_eq!(run(source, 2, 4, 8), [7084, 7093, 7102, 7111, 7124, 7133, 7142, 7151]);
}

#[test]
fn every_builtin_input_says_what_it_should() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<vec4<u32>>;
        struct In { @builtin(local_invocation_id) l: vec3<u32>, @builtin(workgroup_id) w: vec3<u32> }
        @compute @workgroup_size(3, 2, 2) fn main(in: In, @builtin(num_workgroups) n: vec3<u32>, @builtin(global_invocation_id) g: vec3<u32>,
            @builtin(subgroup_size) size: u32, @builtin(num_subgroups) warps: u32, @builtin(local_invocation_index) i: u32) {
            out[in.w.x * 12u + i] = vec4<u32>(in.l.x + 10u * in.l.y + 100u * in.l.z, g.x + 100u * g.y, 10u * size + 1000u * warps, n.x);
        }";
    let words = run(source, 2, 4, 96);
    let of = |group: usize, index: usize| &words[(group * 12 + index) * 4..][..4];
    assert_eq!(of(0, 0), [0, 0, 3040, 2]);
    assert_eq!(of(1, 4), [11, 104, 3040, 2]);
    assert_eq!(of(1, 11), [112, 105, 3040, 2]);
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<vec2<u32>>;
        @compute @workgroup_size(6) fn main(@builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) warp: u32,
            @builtin(local_invocation_index) i: u32) { out[i] = vec2<u32>(lane, warp); }";
    assert_eq!(run(source, 1, 4, 12), [0, 0, 1, 0, 2, 0, 3, 0, 0, 1, 1, 1]);
}

#[test]
fn buffers_have_wgsl_layout() {
    let source = "struct Item { a: u32, v: vec3<f32>, m: mat3x3<f32>, h: mat2x2<f32>, t: array<vec3<u32>, 2> }
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @group(0) @binding(1) var<storage, read> items: array<Item>;
        @group(1) @binding(0) var<uniform> u: array<vec4<u32>, 3>;
        @compute @workgroup_size(1) fn main() {
            let item = items[1];
            out[0] = item.a; out[1] = u32(item.v.z); out[2] = u32(item.m[2][1]); out[3] = u32(item.h[1][0]); out[4] = item.t[1].y;
            out[5] = arrayLength(&items); out[6] = u[2].z; out[7] = arrayLength(&out); out[90u + out[6] * 0u] = 77u; out[8] = items[99u + out[6] * 0u].a;
        }";
    let module = Module::parse("layout.wgsl", source).and_then(|m| m.select("main", &[])).expect("valid");
    // Item: a 0, v 16, m 32 (column stride 16), h 80 (column stride 8), t 96 (stride 16), size 128.
    let mut items = vec![0u8; 300];
    let mut put = |offset: usize, bits: u32| items[128 + offset..][..4].copy_from_slice(&bits.to_le_bytes());
    put(0, 11);
    put(16 + 8, 12.0f32.to_bits());
    put(32 + 32 + 4, 13.0f32.to_bits());
    put(80 + 8, 14.0f32.to_bits());
    put(96 + 16 + 4, 15);
    let mut uniform: Vec<u8> = (0..12u32).flat_map(u32::to_le_bytes).collect();
    let mut out = vec![0u8; 40];
    let mut buffers = [
        BufferBinding { group: 1, binding: 0, bytes: &mut uniform },
        BufferBinding { group: 0, binding: 1, bytes: &mut items },
        BufferBinding { group: 0, binding: 0, bytes: &mut out },
    ];
    let mut evaluator = Evaluator::new(&module).expect("it is prepared");
    evaluator.run_compute([1, 1, 1], &mut buffers, &[], 4).expect("it runs");
    let words: Vec<_> = out.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))).collect();
    // 300 bytes hold two items; an index behind the end is the last element: 90 becomes 9.
    assert_eq!(words, [11, 12, 13, 14, 15, 2, 10, 10, 11, 77]);
}

#[test]
fn matrix_products_run_column_by_column() {
    let f = "fn f(x: u32) -> u32 {
        let m = mat3x2<f32>(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        let v = m * vec3<f32>(1.0, 10.0, 100.0);             // 531, 642
        let r = vec2<f32>(1.0, 10.0) * m;                    // 21, 43, 65
        let p = m * mat2x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 1.0); // columns (1,2), (8,10)
        let t = transpose(m)[1];                             // 2, 4, 6
        let s = (m * 2.0 - m)[2];                            // 5, 6
        if x == 0u { return u32(v.x) * 1000u + u32(v.y); }
        if x == 1u { return u32(r.x) * 10000u + u32(r.y) * 100u + u32(r.z); }
        if x == 2u { return u32(p[0].x) * 1000u + u32(p[0].y) * 100u + u32(p[1].x) * 10u + u32(p[1].y); }
        if x == 3u { return u32(t.x) * 100u + u32(t.y) * 10u + u32(t.z); }
        if x == 4u { return u32(determinant(mat3x3<f32>(2.0, 0.0, 1.0, 1.0, 3.0, 0.0, 0.0, 1.0, 4.0))); }
        if x == 5u { return u32(determinant(mat4x4<f32>(2.0,0.0,0.0,1.0, 0.0,3.0,1.0,0.0, 0.0,0.0,4.0,0.0, 1.0,0.0,0.0,5.0))); }
        return u32(s.x) * 10u + u32(s.y);
    }";
    // 2·(12 − 0) + 1·(1 − 0) = 25. The 4×4 one: (2·5 − 1·1)·(3·4 − 1·0) = 108.
    assert_eq!(run_function(f, 7), [531_642, 214_365, 1290, 246, 25, 108, 56]);
}

#[test]
fn integer_division_follows_wgsl() {
    let f = "fn f(x: u32) -> u32 {
        let zero = i32(x) * 0; let least = -2147483647 - 1 + zero; let minus = -1 + zero;
        switch x {
            case 0u: { return 7u / u32(zero); } case 1u: { return 7u % u32(zero); }
            case 2u: { return u32(-7 / zero); } case 3u: { return u32((zero - 7) % zero); }
            case 4u: { return u32(least / minus); } case 5u: { return u32(least % minus); }
            case 6u: { return u32((zero - 7) / 2); } default: { return u32((zero - 7) % 4); }
        }
    }";
    let minus = |n: i32| (-n) as u32;
    assert_eq!(run_function(f, 8), [7, 0, minus(7), 0, 0x8000_0000, 0, minus(3), minus(3)]);
}

#[test]
fn conversions_saturate_and_nan_becomes_the_largest() {
    let f = "fn f(x: u32) -> u32 {
        let big = bitcast<f32>(0x4f800000u + x * 0u); let nan = bitcast<f32>(0x7fc00001u + x * 0u);
        switch x {
            case 0u: { return u32(big); } case 1u: { return u32(i32(big)); } case 2u: { return u32(-big); } case 3u: { return u32(i32(-big)); }
            case 4u: { return u32(nan); } case 5u: { return u32(i32(nan)); } case 6u: { return bitcast<u32>(nan + 1.0); }
            case 7u: { return bitcast<u32>(min(nan, 2.0)); } case 8u: { return u32(bool(nan)); } default: { return bitcast<u32>(-nan); }
        }
    }";
    // The largest integers that are floats too, as WGSL has it.
    let expected =
        [0xffff_ff00, 0x7fff_ff80, 0, 1 << 31, 0xffff_ff00, 0x7fff_ff80, 0x7fc0_0000, 0x4000_0000, 1, 0xffc0_0001];
    assert_eq!(run_function(f, 10), expected);
}

#[test]
fn atomics_see_their_predecessors() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;
        var<workgroup> w: array<atomic<i32>, 2>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            let old = atomicAdd(&out[0], i);
            atomicStore(&out[i + 8u], old);
            atomicMax(&w[0], -5 + i32(i)); atomicMin(&w[1], -i32(i));
            if i % 2u == 1u { atomicSub(&out[1], 1u); atomicOr(&out[2], 1u << i); atomicXor(&out[3], 3u); }
            let e = atomicCompareExchangeWeak(&out[4], i, i + 1u);
            if e.exchanged { atomicAdd(&out[5], e.old_value + 1u); }
            let x = atomicExchange(&out[6], i);
            workgroupBarrier();
            if i == 0u { atomicStore(&out[7], u32(atomicLoad(&w[0]) - atomicLoad(&w[1]) * 100) + x); }
        }";
    let words = run(source, 1, 4, 16);
    assert_eq!(words[..8], [28, (-4i32) as u32, 0b1010_1010, 0, 8, 36, 7, 702]);
    assert_eq!(words[8..], [0, 0, 1, 3, 6, 10, 15, 21]);
}

#[test]
fn votes_ballots_and_shuffles_stay_in_their_warp() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<vec4<u32>>;
        @compute @workgroup_size(10) fn main(@builtin(local_invocation_index) i: u32) {
            var r = vec4<u32>(subgroupBallot(i % 3u == 0u).x, 0u, 0u, 0u);
            if i != 1u {
                r.x += 1000u * subgroupBallot(true).x;
                r.y = subgroupBroadcastFirst(i) + 100u * subgroupShuffle(i, 1u) + 10000u * subgroupShuffleXor(i, 1u);
                r.z = subgroupShuffleUp(i, 1u) + 100u * subgroupShuffleDown(i, 1u) + 10000u * subgroupShuffle(i, 77u);
                r.w = u32(subgroupAll(i < 4u)) + 10u * u32(subgroupAny(i == 6u)) + 100u * quadSwapX(i) + 10000u * quadSwapDiagonal(i) + 1000000u * quadBroadcast(i, 2u);
            }
            out[i] = r;
        }";
    let words = run(source, 1, 4, 40);
    let of = |index: usize| &words[index * 4..][..4];
    // Lane 1 is away: who asks for it gets its own value.
    assert_eq!(of(0), [0b1001 + 13_000, 0, 0, 2_030_001]);
    assert_eq!(of(2), [0b1001 + 13_000, 30_200, 20_302, 2_000_301 + 20_000]);
    assert_eq!(of(1), [0b1001, 0, 0, 0]);
    assert_eq!(of(5), [0b0100 + 15_000, 40_504, 50_604, 6_060_410]);
    // The last warp has two lanes only.
    assert_eq!(of(9), [0b0010 + 3_000, 80_908, 90_908, 9_090_800]);
}

#[test]
fn a_barrier_that_not_all_reach_is_an_error() {
    let source = "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { if i < 3u { workgroupBarrier(); } }";
    let module = Module::parse("b.wgsl", source).and_then(|m| m.select("main", &[])).expect("valid");
    let error =
        Evaluator::new(&module).expect("prepared").run_compute([1, 1, 1], &mut [], &[], 4).expect_err("divergent");
    assert_eq!(error, EvaluateError::DivergentBarrier { entry: "main".into(), arrived: 3, expected: 8 });
}

#[test]
fn returned_invocations_do_not_hold_a_barrier_up() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
            if i == 2u { return; }
            for (var k = 0u; k < 3u; k++) { workgroupBarrier(); out[i] += 1u; } }";
    assert_eq!(run(source, 1, 4, 4), [3, 3, 0, 3]);
}

#[test]
fn an_endless_loop_is_an_error() {
    let source = "@compute @workgroup_size(2) fn main() { var x = 0u; loop { x += 1u; if x == 0u { break; } } }";
    let module = Module::parse("l.wgsl", source).and_then(|m| m.select("main", &[])).expect("valid");
    let mut evaluator = Evaluator::new(&module).expect("prepared");
    evaluator.step_limit = 1000;
    let error = evaluator.run_compute([1, 1, 1], &mut [], &[], 4).expect_err("it never ends");
    assert_eq!(error.to_string(), "`main` took more than 1000 steps; a loop does not end");
}

#[test]
fn wrong_requests_are_refused() {
    let source = "@group(2) @binding(3) var<storage, read_write> out: array<u32>; @compute @workgroup_size(1) fn main() { out[0] = 1u; }";
    let module = Module::parse("w.wgsl", source).and_then(|m| m.select("main", &[])).expect("valid");
    let mut evaluator = Evaluator::new(&module).expect("prepared");
    let missing = evaluator.run_compute([1, 1, 1], &mut [], &[], 4).expect_err("no buffer");
    assert_eq!(missing, EvaluateError::MissingBuffer { entry: "main".into(), group: 2, binding: 3 });
    assert!(matches!(evaluator.run_compute([1, 1, 1], &mut [], &[], 65), Err(EvaluateError::Unfit { .. })));
    assert!(matches!(
        evaluator.run_quads(&[], &FragmentResources::default(), &mut []),
        Err(EvaluateError::Unfit { .. })
    ));
}

#[test]
fn workgroup_uniform_load_gives_everyone_the_same() {
    let source = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<workgroup> w: u32;
        @compute @workgroup_size(6) fn main(@builtin(local_invocation_index) i: u32) {
            if i == 4u { w = 40u; }
            let a = workgroupUniformLoad(&w);
            if i == 1u { w = 2u; }
            out[i] = a + workgroupUniformLoad(&w); }";
    assert_eq!(run(source, 1, 4, 6), [42; 6]);
}

#[test]
fn component_operations_broadcast_scalars() {
    let f = "fn f(x: u32) -> u32 {
        let v = vec3<f32>(1.5, 2.5, -3.5);
        let a = v * 2.0 + 1.0;               // 4, 6, -6
        let m = mix(vec3<f32>(0.0), vec3<f32>(8.0), 0.25);   // 2
        let s = select(vec3<f32>(1.0), vec3<f32>(2.0), v > vec3<f32>(2.0)); // 1, 2, 1
        let c = clamp(v, vec3<f32>(0.0), vec3<f32>(2.0));    // 1.5, 2, 0
        let r = v.zyx % vec3<f32>(2.0);      // -1.5, 0.5, 1.5
        let b = all(v > vec3<f32>(-4.0)) && any(v < vec3<f32>(-3.0)) && !any(v == vec3<f32>(9.0));
        switch x {
            case 0u: { return u32(a.x + a.y - a.z) * 100u + u32(m.y + s.y) ; }
            case 1u: { return u32(c.x * 2.0 + c.y * 10.0 + c.z) * 10u + u32(b); }
            default: { return u32(-r.x * 2.0) * 100u + u32(r.y * 2.0) * 10u + u32(r.z * 2.0); }
        }
    }";
    assert_eq!(run_function(f, 3), [1604, 231, 313]);
}

#[test]
fn intrinsics_mean_what_the_machine_does() {
    let f = "fn intrinsic_imadd(a: i32, b: i32, c: i32, shift: u32) -> i32 { return 0; }
        fn intrinsic_multiply_high_signed(a: i32, b: i32) -> i32 { return 0; }
        fn f(x: u32) -> u32 {
            let a = -100000 - i32(x);
            return u32(intrinsic_imadd(a, 70000, 5, 2u) + 1000 * intrinsic_multiply_high_signed(a, 70000));
        }";
    let expected = (0..3i64).map(|x| {
        let product = (-100_000 - x) * 70_000;
        ((product >> 16) + 5 + 1000 * (product >> 32)) as i32 as u32
    });
    assert_eq!(run_function(f, 3), expected.collect::<Vec<_>>());
}
