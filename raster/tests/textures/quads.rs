//! Subgroup operations of fragment shaders: a subgroup is a quad, on the reference and on machines of any lane count.

use crate::forms::ask;
use raster::Bindings;

/// Pixel i of the one row lies in the quad of pixels i & !1 and i | 1; the other two lanes of a quad are helpers of row 1.
#[test]
fn a_subgroup_is_a_quad() {
    let declarations = "enable subgroups;";
    let check = |expression: &str, expected: &dyn Fn(u32) -> [f32; 4]| {
        let answers = ask(declarations, expression, &Bindings::new());
        for (i, answer) in (0..).zip(answers) {
            assert_eq!(answer, expected(i), "{expression}: index {i}");
        }
    };
    // Helpers take part: both rows of a quad have the same i.
    check("vec4<f32>(subgroupAdd(f), subgroupMax(f), subgroupMul(f), subgroupMin(f))", &|i| {
        let (a, b) = ((i & !1) as f32, (i | 1) as f32);
        [a + b + a + b, b, a * b * a * b, a]
    });
    check(
        "vec4<f32>(subgroupInclusiveAdd(f), subgroupExclusiveAdd(f), subgroupShuffleDown(f, 1u), subgroupShuffleUp(f, 1u))",
        &|i| {
            let (a, b) = ((i & !1) as f32, (i | 1) as f32);
            if i % 2 == 0 { [a, 0.0, b, a] } else { [a + b, a, a, a] }
        },
    );
    check(
        "vec4<f32>(subgroupBroadcastFirst(f), subgroupShuffle(f, 1u), subgroupShuffle(f, i % 8u), subgroupShuffleXor(f, 1u))",
        &|i| {
            let (a, b) = ((i & !1) as f32, (i | 1) as f32);
            // A lane that the quad does not have is the reader itself.
            let of = i % 8;
            [
                a,
                b,
                if of > 3 {
                    i as f32
                } else if of % 2 == 0 {
                    a
                } else {
                    b
                },
                if i % 2 == 0 { b } else { a },
            ]
        },
    );
    check(
        "vec4<f32>(f32(subgroupBallot(i % 4u == 1u).x), f32(subgroupAny(i == 4u)), f32(subgroupAll(i % 4u < 2u)), f32(quadSwapX(f)))",
        &|i| {
            let is_first = i % 4 < 2;
            // Lanes 1 and 3 of every second quad.
            [
                if is_first { 10.0 } else { 0.0 },
                f32::from(u8::from(i / 2 == 2)),
                f32::from(u8::from(is_first)),
                (i ^ 1) as f32,
            ]
        },
    );
}
