//! Pointers, arrays, buffers and workgroup memory.

use super::*;

#[test]
fn a_let_is_a_snapshot() {
    let body = "var a = x; let b = a; a += 1u; let p = &a; let c = *p; *p = 7u; result = a * 10000u + c * 100u + b;";
    check("", body, |x| 70000 + (x + 1) * 100 + x);
}

#[test]
fn small_arrays_select_and_large_ones_use_memory() {
    let body = "var small = array<u32, 4>(1u, 2u, 3u, 4u); small[x % 4u] = 9u;
        var large: array<u32, 20>; for (var i = 0u; i < 20u; i++) { large[i] = i * i; } large[x % 20u] += 1u;
        var v = vec3<u32>(5u, 6u, 7u); v[x % 3u] += 10u;
        result = small[0] + small[(x + 1u) % 4u] * 10u + large[(x * 3u) % 20u] * 100u + v.x + v[(x + 2u) % 3u];";
    check("", body, |x| {
        let mut small = [1, 2, 3, 4];
        small[x as usize % 4] = 9;
        let mut large: Vec<u32> = (0..20).map(|i| i * i).collect();
        large[x as usize % 20] += 1;
        let mut v = [5, 6, 7];
        v[x as usize % 3] += 10;
        let index = |n: u32, size: usize| n as usize % size;
        small[0] + small[index(x + 1, 4)] * 10 + large[index(x * 3, 20)] * 100 + v[0] + v[index(x + 2, 3)]
    });
}

#[test]
fn an_index_outside_means_the_last_element() {
    let body = "var small = array<u32, 3>(10u, 20u, 30u); var large = array<u32, 6>(1u, 2u, 3u, 4u, 5u, 6u);
        small[x] += 5u; large[x] += 50u;
        let value = array<u32, 5>(1u, 2u, 3u, 4u, 5u);
        result = small[x] + large[i32(x) - 1] * 100u + vec2<u32>(7u, 8u)[x] * 10000u + value[x] * 100000u;";
    check("", body, |x| {
        let at = |x: u32, count: usize| (x as usize).min(count - 1);
        let mut large = [1, 2, 3, 4, 5, 6];
        large[at(x, 6)] += 50;
        let small = [10, 20, 30][at(x, 3)] + 5;
        small + large[at(x.wrapping_sub(1), 6)] * 100 + [7, 8][at(x, 2)] * 10000 + (at(x, 5) as u32 + 1) * 100000
    });
}

#[test]
fn pointers_travel_into_calls() {
    let functions = "struct S { a: u32, b: array<u32, 8>, c: vec2<u32> }
        fn add(p: ptr<function, u32>, n: u32) { *p += n; }
        fn put(p: ptr<function, array<u32, 8>>, i: u32, n: u32) { (*p)[i] = n; }
        fn both(s: ptr<function, S>, i: u32) -> u32 { put(&(*s).b, i, 77u); add(&(*s).a, 5u); (*s).c.y = i; return (*s).b[i / 2u]; }";
    let body = "var s = S(x, array<u32, 8>(), vec2<u32>(3u, 4u)); let r = both(&s, x % 8u);
        var copy = s; copy.a = 0u; result = r + s.a * 100u + s.c.y * 10000u + s.b[x % 8u] + copy.b[x % 8u];";
    check(functions, body, |x| {
        let i = x % 8;
        (if i == 0 { 77 } else { 0 }) + (x + 5) * 100 + i * 10000 + 154
    });
}

#[test]
fn buffers_follow_wgsl_layout() {
    let source = "struct Item { a: vec3<f32>, b: u32, m: mat2x3<f32>, c: array<vec2<u32>, 3> }
        struct Params { count: u32, scale: f32, items: array<Item, 2> }
        @group(0) @binding(0) var<uniform> one: vec4<u32>;
        @group(0) @binding(1) var<storage, read> params: Params;
        @group(1) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
            let item = params.items[i % 2u];
            o[i * 5u] = bitcast<u32>(item.a.z);
            o[i * 5u + 1u] = item.b;
            o[i * 5u + 2u] = bitcast<u32>(params.items[i / 2u].m[1][i % 3u]);
            o[i * 5u + 3u] = params.items[1].c[i % 3u].y + one[i];
            o[i * 5u + 4u] = arrayLength(&o);
        }";
    let kernel = compile(source);
    // Params: items at 16; Item: a 0, b 12, m 16 (columns at 16 and 32), c 48, size 80.
    let params: Vec<u32> = (0..(16 + 160) / 4).collect();
    let word = |item: u32, byte: u32| (16 + item * 80 + byte) / 4;
    for lanes in LANES {
        let mut buffers = [vec![100, 200, 300, 400], params.clone(), vec![0; 23]];
        run_groups(&kernel, lanes, 1, &mut buffers);
        for i in 0..4u32 {
            let found = &buffers[2][i as usize * 5..][..5];
            let wanted = [
                word(i % 2, 8),
                word(i % 2, 12),
                word(i / 2, 32 + i % 3 * 4),
                word(1, 48 + i % 3 * 8 + 4) + (i + 1) * 100,
                23,
            ];
            assert_eq!(found, wanted, "lane {i}\n{kernel}");
        }
    }
}

#[test]
fn runtime_arrays_are_clamped_to_their_length() {
    let source = "struct Tail { head: vec2<u32>, rest: array<vec3<u32>> }
        @group(0) @binding(0) var<storage, read_write> t: Tail;
        @group(0) @binding(1) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            o[i] = t.rest[i].y + 1000u * arrayLength(&t.rest);
            o[i + 100u] = i;
        }";
    let kernel = compile(source);
    // head 0, rest at 16, stride 16: 3 elements in 64 bytes.
    let mut buffers = [(0..16).collect(), vec![0; 9]];
    run_groups(&kernel, 8, 1, &mut buffers);
    let wanted: Vec<u32> = (0..8).map(|i| 3000 + 4 + 4 * i.min(2) + 1).collect();
    assert_eq!(buffers[1][..8], wanted);
    assert_eq!(buffers[1][8], 7, "the last lane's store comes last, at the last element");
}

#[test]
fn workgroup_memory_barriers_and_uniform_load() {
    let source = "struct Shared { total: atomic<u32>, flag: bool, values: array<u32, 64> }
        var<workgroup> shared_: Shared; var<workgroup> limit: u32;
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>) {
            shared_.values[i] = i + g.x;
            if i == 5u { limit = 40u; shared_.flag = true; }
            workgroupBarrier();
            let n = workgroupUniformLoad(&limit);
            if i < n { atomicAdd(&shared_.total, shared_.values[63u - i]); }
            workgroupBarrier();
            o[g.x * 64u + i] = atomicLoad(&shared_.total) + u32(shared_.flag) * 100000u;
        }";
    let kernel = compile(source);
    for lanes in LANES {
        let mut buffers = [vec![0; 128]];
        run_groups(&kernel, lanes, 2, &mut buffers);
        for g in 0..2 {
            let total: u32 = (24..64).map(|i| i + g).sum();
            assert!(buffers[0][g as usize * 64..][..64].iter().all(|n| *n == total + 100_000), "{:?}", buffers[0]);
        }
    }
}

#[test]
fn atomics_return_the_old_word() {
    let source = "@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>, 8>;
        @group(0) @binding(1) var<storage, read_write> s: atomic<i32>;
        @group(0) @binding(2) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
            var r = atomicAdd(&a[0], i + 1u);
            atomicSub(&a[1], 1u); atomicOr(&a[2], 1u << i); atomicAnd(&a[3], ~(1u << i)); atomicXor(&a[4], 3u);
            atomicMax(&a[5], i); atomicMin(&s, -i32(i)); r += 100u * atomicExchange(&a[6], i);
            let c = atomicCompareExchangeWeak(&a[7], i, i + 1u);
            o[i] = r + c.old_value * 1000u + u32(c.exchanged) * 10000u;
        }";
    let kernel = compile(source);
    let mut buffers = [vec![10, 20, 0, 15, 5, 1, 9, 0], vec![7], vec![0; 4]];
    run_groups(&kernel, 4, 1, &mut buffers);
    assert_eq!(buffers[0], [20, 16, 15, 0, 5, 3, 3, 4]);
    assert_eq!(buffers[1], [-3i32 as u32]);
    assert_eq!(buffers[2], [10 + 900 + 10000, 11 + 1000 + 10000, 13 + 100 + 2000 + 10000, 16 + 200 + 3000 + 10000]);
}

#[test]
fn private_variables_start_at_their_values() {
    let functions = "var<private> a: u32 = 5u; var<private> b: array<u32, 30>; var<private> c = vec2<u32>(1u, 2u);
        fn f(x: u32) { a += x; b[x % 30u] = a; c.y += b[(x + 1u) % 30u]; }";
    check(functions, "f(x); f(x + 29u); result = a + b[x % 30u] * 10u + c.y * 1000u;", |x| {
        // The second call writes the element before the first one's and then reads the first one's.
        let first = 5 + x;
        first + x + 29 + first * 10 + (2 + first) * 1000
    });
}

#[test]
fn a_constant_array_is_written_once() {
    let functions = "const ODD = array<u32, 12>(3u, 1u, 4u, 1u, 5u, 9u, 2u, 6u, 5u, 3u, 5u, 8u);
        const POINTS = array<vec3<u32>, 10>(vec3<u32>(1u), vec3<u32>(2u), vec3<u32>(3u), vec3<u32>(4u), vec3<u32>(5u, 6u, 7u),
            vec3<u32>(), vec3<u32>(8u), vec3<u32>(9u), vec3<u32>(), vec3<u32>(11u));
        fn f(i: u32) -> u32 { return ODD[i]; }";
    let body = "var a: array<u32, 30>; a[x % 30u] = 1u;
        for (var i = 0u; i < 5u; i++) { result += ODD[(i + x) % 12u] * f(x % 20u) + POINTS[x % 16u].z * a[x % 30u]; }";
    check(functions, body, |x| {
        let odd = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
        let z = [1, 2, 3, 4, 7, 0, 8, 9, 0, 11][(x as usize % 16).min(9)];
        let f = odd[(x as usize % 20).min(11)];
        (0..5).map(|i| odd[(i + x as usize) % 12] * f + z).sum()
    });
    let source = format!("{functions} @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {{ o[i] = ODD[i] + f(o[i]) + POINTS[i].y; }}");
    let kernel = compile(&source);
    let stores = kernel.to_string().lines().filter(|line| line.trim_start().starts_with("private[")).count();
    assert_eq!((stores, kernel.private_bytes), (12 + 30, 12 * 4 + 10 * 16), "{kernel}");
}
