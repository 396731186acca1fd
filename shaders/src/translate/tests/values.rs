//! Operators, conversions, composites and builtins.

use super::*;

#[test]
fn integer_division_follows_wgsl() {
    let body = "let d = (x % 7u); let e = i32(x) - 20; let z = i32(x % 3u) - 1;
        result = x / d + 1000u * (x % d) + u32(e / z) * 7u + u32(e % z) * 13u;";
    check("", body, |x| {
        let d = x % 7;
        let (e, z) = (x as i32 - 20, (x % 3) as i32 - 1);
        let (quotient, remainder) = if z == 0 { (e, 0) } else { (e.wrapping_div(z), e.wrapping_rem(z)) };
        let (q, r) = (x.checked_div(d).unwrap_or(x), x.checked_rem(d).unwrap_or(0));
        (q + 1000 * r).wrapping_add((quotient as u32).wrapping_mul(7)).wrapping_add((remainder as u32).wrapping_mul(13))
    });
}

#[test]
fn integer_operators_wrap_and_shift_modulo_32() {
    let body = "let s = bitcast<i32>(x); result = (x << (x & 63u)) ^ (x >> (x % 40u)) ^ u32(s >> (x & 31u)) ^ (x * 0x9e3779b9u)
        ^ ~x ^ bitcast<u32>(-s) ^ (x | 0xf0u) ^ countOneBits(x) ^ countLeadingZeros(x) ^ countTrailingZeros(x) ^ reverseBits(x);";
    check_inputs("", body, &spread(96), |x| {
        let s = x as i32;
        x.wrapping_shl(x & 63)
            ^ x.wrapping_shr(x % 40)
            ^ s.wrapping_shr(x & 31) as u32
            ^ x.wrapping_mul(0x9e37_79b9)
            ^ !x
            ^ s.wrapping_neg() as u32
            ^ (x | 0xf0)
            ^ x.count_ones()
            ^ x.leading_zeros()
            ^ x.trailing_zeros()
            ^ x.reverse_bits()
    });
}

#[test]
fn comparisons_keep_signs() {
    let body = "let s = bitcast<i32>(x); let t = 5; let u = 0x80000001u;
        result = (u32(s < t) | (u32(s <= t) << 1u) | (u32(s > t) << 2u) | (u32(x >= u) << 3u) | (u32(x < u) << 4u)
            | (u32(s == t) << 5u) | (u32(x != u) << 6u) | (u32((s < 0) != (x > 9u)) << 7u) | (u32(min(s, t)) << 8u)) ^ u32(max(s, t));";
    check_inputs("", body, &spread(96), |x| {
        let (s, t, u) = (x as i32, 5, 0x8000_0001);
        let bit = |b: bool, n: u32| u32::from(b) << n;
        (bit(s < t, 0)
            | bit(s <= t, 1)
            | bit(s > t, 2)
            | bit(x >= u, 3)
            | bit(x < u, 4)
            | bit(s == t, 5)
            | bit(x != u, 6)
            | bit((s < 0) != (x > 9), 7)
            | ((s.min(t) as u32) << 8))
            ^ (s.max(t) as u32)
    });
}

#[test]
fn conversions_are_limited_to_what_floats_hold() {
    let body = "let f = bitcast<f32>(x); let a = i32(f); let b = u32(f); let c = bitcast<u32>(f32(x)); let d = bitcast<u32>(f32(bitcast<i32>(x)));
        result = u32(a) ^ (b << 1u) ^ c ^ (d << 2u) ^ u32(bool(x)) ^ u32(bool(f));";
    check_inputs("", body, &spread(96), |x| {
        let f = f32::from_bits(x);
        // Limited to the largest integers that are floats too; WGSL leaves NaN open.
        let a = if f.is_nan() { i32::MAX } else { f as i32 }.min(0x7fff_ff80) as u32;
        let b = if f.is_nan() { u32::MAX } else { f as u32 }.min(0xffff_ff00);
        let (c, d) = ((x as f32).to_bits(), (x as i32 as f32).to_bits());
        a ^ (b << 1) ^ c ^ (d << 2) ^ u32::from(x != 0) ^ u32::from(f != 0.0)
    });
}

#[test]
fn vectors_and_matrices_are_scalars_in_order() {
    let body = "let f = f32(x); let v = vec4<f32>(f, vec2<f32>(f + 1.0, f + 2.0), f + 3.0);
        let m = mat2x4<f32>(v, v.wzyx); let n = mat4x2<f32>(v.xy, v.zw, v.yx, v.wz);
        let p = m * v.xz; let q = v.xyzw * m; let r = (m * n)[2]; let t = transpose(m)[3];
        let s = select(v, -v, v > vec4<f32>(f + 1.5)); let w = 2.0 * v - 1.0;
        result = u32(p.x + p.w) + u32(q.x * 3.0 + q.y) * 3u + u32(r.y) * 5u + u32(t.x * 10.0 + t.y) + u32(dot(s, w) + 1e6)
            + u32(all(v.xy < v.zw)) + u32(any(v == v.yzwx)) * 2u;";
    check("", body, |x| {
        let f = x as f32;
        let v = [f, f + 1.0, f + 2.0, f + 3.0];
        let r = [v[3], v[2], v[1], v[0]];
        let p = |row: usize| v[row] * v[0] + r[row] * v[2];
        let dot = |a: [f32; 4], b: [f32; 4]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let q = [dot(v, v), dot(v, r)];
        let s = [v[0], v[1], -v[2], -v[3]];
        let w = v.map(|n| 2.0 * n - 1.0);
        let third = v[1] * v[1] + r[1] * v[0];
        let mut sum = (p(0) + p(3)) as u32 + (q[0] * 3.0 + q[1]) as u32 * 3 + third as u32 * 5;
        sum += (v[3] * 10.0 + r[3]) as u32 + (dot(s, w) + 1e6) as u32 + 1;
        sum
    });
}

#[test]
fn structs_and_arrays_pass_by_value() {
    let functions = "struct P { a: vec2<u32>, b: array<u32, 3> } const TABLE = array<u32, 4>(3u, 1u, 4u, 1u);
        fn swap(p: P) -> P { return P(p.a.yx, array<u32, 3>(p.b[2], p.b[1], p.b[0])); }";
    let body = "let p = swap(P(vec2<u32>(x, 2u), array<u32, 3>(4u, 5u, x)));
        result = p.a.x + p.a.y * 10u + p.b[0] * 1000u + p.b[x % 3u] * 100000u + TABLE[x % 4u];";
    check(functions, body, |x| {
        2 + x * 10 + x * 1000 + [x, 5, 4][x as usize % 3] * 100_000 + [3, 1, 4, 1][x as usize % 4]
    });
}

#[test]
fn overrides_and_constants_are_resolved() {
    let source = "override N: u32 = 3u; override SCALE: f32; const K = N_CONST * 2u; const N_CONST = 5u;
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        var<workgroup> scratch: array<u32, N>;
        @compute @workgroup_size(N, 2) fn main(@builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
            scratch[id.x] = i; o[i] = K + N * 100u + u32(SCALE * 4.0) * 1000u + id.y * 10000u; }";
    let kernel = compile_with(source, &[("N", 6.0), ("SCALE", 1.5)]);
    assert_eq!(kernel.workgroup_size, [6, 2, 1]);
    assert_eq!(kernel.workgroup_bytes, 24);
    let mut buffers = [vec![0; 12]];
    run_groups(&kernel, 4, 1, &mut buffers);
    assert_eq!(buffers[0][7], 10 + 600 + 6000 + 10000);
}

#[test]
fn builtins_come_from_the_prelude() {
    let body = "let f = f32(x) * 0.25; let v = normalize(vec3<f32>(f + 1.0, 2.0, 3.0));
        let m = modf(f); let e = frexp(f + 1.0);
        result = u32(clamp(i32(x) - 10, -5, 20) + 5) + u32(length(v) * 100.0 + 0.5) + u32(mix(10.0, 20.0, f)) * 1000u
            + u32(m.whole) * 7u + u32(m.fract * 4.0) + u32(e.exp) * 11u + firstLeadingBit(x + 1u) * 13u + extractBits(x, 1u, 3u) * 17u
            + u32(f % 3.0 * 4.0) * 19u + pack4x8unorm(vec4<f32>(f / 16.0, 0.0, 0.0, 0.0)) * 23u;";
    check("", body, |x| {
        let f = x as f32 * 0.25;
        let clamped = ((x as i32 - 10).clamp(-5, 20) + 5) as u32;
        let mixed = (10.0 * (1.0 - f) + 20.0 * f) as u32;
        let exponent = (f + 1.0).log2().floor() as u32 + 1;
        let remainder = ((f - 3.0 * (f / 3.0).trunc()) * 4.0) as u32;
        clamped
            + 100
            + mixed * 1000
            + f.trunc() as u32 * 7
            + (f.fract() * 4.0) as u32
            + exponent * 11
            + (x + 1).ilog2() * 13
            + (x >> 1 & 7) * 17
            + remainder * 19
            + ((f / 16.0).min(1.0) * 255.0).round_ties_even() as u32 * 23
    });
}

#[test]
fn subgroup_operations_exchange_lanes() {
    let source = "@group(0) @binding(0) var<storage, read_write> o: array<vec4<u32>>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32,
                @builtin(subgroup_size) size: u32) {
            let b = subgroupBallot(i % 3u == 0u).x; let v = vec2<u32>(i, i * 2u);
            let s = subgroupShuffleXor(v, 1u).y; let d = subgroupShuffleDown(i, 2u) + subgroupShuffleUp(i, 1u) * 100u;
            var q = quadSwapX(i) + quadSwapY(i) * 100u + quadSwapDiagonal(i) * 10000u + quadBroadcast(i, 2u) * 1000000u;
            if i % 2u == 1u { q += subgroupBroadcastFirst(i) * 3u + u32(subgroupAny(i == 5u)) + u32(subgroupAll(i % 2u == 1u)) * 2u; }
            o[i] = vec4<u32>(b, s, d, q + subgroupShuffle(i, 0u) + subgroupBroadcast(lane, 3u) * size);
        }";
    let kernel = compile(source);
    for lanes in LANES {
        let mut buffers = [vec![0; 128]];
        run_groups(&kernel, lanes, 1, &mut buffers);
        for i in 0..32u32 {
            let first = i / lanes * lanes;
            let lane = i - first;
            let ballot: u32 = (0..lanes).filter(|l| (first + l) % 3 == 0).map(|l| 1 << l).sum();
            let down = if lane + 2 < lanes { i + 2 } else { i };
            let up = if lane > 0 { i - 1 } else { i };
            let mut q = (i ^ 1) + (i ^ 2) * 100 + (i ^ 3) * 10_000 + (i / 4 * 4 + 2) * 1_000_000;
            if i % 2 == 1 {
                q += (first + 1) * 3 + u32::from((first..first + lanes).contains(&5)) + 2;
            }
            let wanted = [ballot, (i ^ 1) * 2, down + up * 100, q + first + 3 * lanes];
            assert_eq!(buffers[0][i as usize * 4..][..4], wanted, "lane {i} of {lanes}");
        }
    }
}

#[test]
fn statements_know_their_place() {
    let source = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n@compute @workgroup_size(1)\nfn main() {\n    let é = 1u; o[3] = o[0] + é;\n}\n";
    let kernel = compile(source);
    let store = kernel.body.iter().find_map(|statement| match statement {
        crate::ir::Statement::Store { at, .. } => Some(*at),
        _ => None,
    });
    assert_eq!(store, Some(crate::ir::Location { file: 0, line: 4, column: 17 }));
    assert_eq!(kernel.files, ["test.wgsl"]);
}
