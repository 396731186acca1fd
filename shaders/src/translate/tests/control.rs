//! Every way through and out of blocks.

use super::*;

#[test]
fn break_if_sees_the_new_value() {
    // CASES A35 (a).
    let body = "var c = x; loop { c += 1u; continuing { break if c >= 5u; } } result = c;";
    check("", body, |x| (x + 1).max(5));
}

#[test]
fn switch_cases_do_not_fall_through() {
    // CASES A35 (b).
    let body = "var r = 0u; switch x { case 1u: { r += 1u; } case 2u: { r += 2u; } default: { r += 8u; } } result = r;";
    check("", body, |x| if x == 1 || x == 2 { x } else { 8 });
}

#[test]
fn continue_inside_switch_continues_the_loop() {
    // CASES A35 (c), the skipped round depending on the lane.
    let body = "var s = 0u; for (var i = 0u; i < 5u; i++) {
            switch i { case 2u: { continue; } default: { if i == x { continue; } } } s += i; }
        result = s;";
    check("", body, |x| (0..5).filter(|i| *i != 2 && *i != x).sum());
}

#[test]
fn a_variable_in_a_loop_starts_afresh() {
    // CASES A36.
    let functions =
        "fn f(n: i32) -> i32 { var s = 0; for (var i = 0; i < n; i++) { var t: i32; t += 1; s += t; } return s; }";
    check(functions, "result = u32(f(i32(x)));", |x| x);
}

#[test]
fn early_returns_from_loops_and_switches() {
    let functions = "fn f(x: u32) -> u32 {
            if x == 3u { return 100u; }
            for (var i = 0u; i < 10u; i++) {
                if i * 7u == x { return 200u + i; }
                switch i + x { case 20u: { return 300u; } case 21u, 22u: { continue; } case 30u: { break; } default: {} }
                if i + x == 40u { break; }
                while true { if x > 50u { return 400u + i; } break; }
            }
            return 500u;
        }";
    check(functions, "result = f(x) + f(x + 1u);", |x| f(x) + f(x + 1));
    fn f(x: u32) -> u32 {
        if x == 3 {
            return 100;
        }
        for i in 0..10 {
            if i * 7 == x {
                return 200 + i;
            }
            match i + x {
                20 => return 300,
                21 | 22 => continue,
                _ => {}
            }
            if i + x == 40 {
                break;
            }
            if x > 50 {
                return 400 + i;
            }
        }
        500
    }
}

#[test]
fn nested_loops_with_every_escape() {
    let body = "var s = 0u;
        for (var i = 0u; i < 6u; i++) {
            var j = 0u;
            loop {
                if j > i { break; }
                j += 1u;
                if (j + x) % 3u == 0u { continue; }
                if s > 40u { break; }
                s += i * j;
                continuing { s += 1u; }
            }
            if s % 5u == x % 5u { continue; }
            s += 2u;
            if s > 60u { break; }
        }
        result = s;";
    check("", body, |x| {
        let mut s = 0u32;
        for i in 0..6 {
            let mut j = 0;
            loop {
                if j > i {
                    break;
                }
                j += 1;
                if (j + x) % 3 != 0 {
                    if s > 40 {
                        break;
                    }
                    s += i * j;
                }
                s += 1;
            }
            if s % 5 == x % 5 {
                continue;
            }
            s += 2;
            if s > 60 {
                break;
            }
        }
        s
    });
}

#[test]
fn continuing_reads_what_the_body_declared() {
    let body = "var s = 0u; var i = 0u; var pair = array<u32, 2>();
        loop {
            if i >= 8u { break; }
            let square = i * i + x;
            var copy = square;
            let p = &pair[square % 2u];
            if square % 3u == 1u { if x > 20u { continue; } s += 100u; }
            if square % 7u == 1u { if x > 40u { continue; } s += 200u; }
            s += 1u;
            continuing { *p += 1u; s += square + copy; i += 1u; break if s > 2000u; }
        }
        result = s + 10000u * pair[1];";
    check("", body, |x| {
        let (mut s, mut i, mut odd) = (0, 0, 0);
        while i < 8 {
            let square = i * i + x;
            if square % 3 != 1 || x <= 20 {
                s += if square % 3 == 1 { 100 } else { 0 };
                if square % 7 != 1 || x <= 40 {
                    s += if square % 7 == 1 { 201 } else { 1 };
                }
            }
            odd += square % 2;
            s += 2 * square;
            i += 1;
            if s > 2000 {
                break;
            }
        }
        s + 10000 * odd
    });
}

#[test]
fn both_sides_of_short_circuit_are_control_flow() {
    let functions = "var<private> calls: u32; fn touch(b: bool) -> bool { calls += 1u; return b; }";
    let body = "if touch(x > 3u) && touch(x < 10u) || touch(x == 0u) { result = 100u; } result += calls;";
    check(functions, body, |x| {
        let calls = if x > 3 { 2 } else { 1 } + u32::from(!(x > 3 && x < 10));
        calls + if (x > 3 && x < 10) || x == 0 { 100 } else { 0 }
    });
}

#[test]
fn a_switch_in_tail_position_returns_without_scopes() {
    let functions = "fn f(x: u32) -> u32 { switch x { case 0u: { return 5u; } case 1u, 2u: { return 6u; } default: { return 7u; } } }";
    check(functions, "result = f(x);", |x| {
        if x == 0 {
            5
        } else if x < 3 {
            6
        } else {
            7
        }
    });
    let source = format!(
        "{functions} @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {{ o[i] = f(o[i]); }}"
    );
    assert!(!compile(&source).to_string().contains("scope"), "{}", compile(&source));
}

#[test]
fn a_feature_that_is_off_leaves_nothing_behind() {
    let kernel = |feature: &str| {
        let source = format!(
            "override FEATURE: u32 = 0u;
            @group(0) @binding(0) var<storage, read_write> o: array<u32>;
            fn f(x: u32) -> u32 {{ switch FEATURE {{ case 1u: {{ return x * 3u; }} default: {{ return x; }} }} }}
            @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {{
                {feature} o[i] = o[i] + 1u; }}"
        );
        compile_with(&source, &[("FEATURE", 0.0)])
    };
    let count = |kernel: &Kernel| kernel.to_string().lines().count();
    let with = kernel("if FEATURE != 0u { o[i] = f(o[i]); }");
    assert_eq!(count(&with), count(&kernel("")), "{with}");
}

#[test]
fn invocations_that_return_early_write_nothing() {
    let source = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
            if i % 3u == 0u { return; }
            for (var k = 0u; k < i; k++) { if k == 7u { return; } }
            o[i] = 1u;
        }";
    let kernel = compile(source);
    for lanes in LANES {
        let mut buffers = [vec![0; 32]];
        run_groups(&kernel, lanes, 1, &mut buffers);
        let wanted: Vec<u32> = (0..32).map(|i| u32::from(i % 3 != 0 && i <= 7)).collect();
        assert_eq!(buffers[0], wanted);
    }
}
