//! The prelude against the specification: accuracy against f64, everything exact against plain Rust.
//!
//! Tests may use the host's f64 functions; the prelude may not.

use naga::{BinaryOperator, Expression, Handle, MathFunction, ScalarKind, Statement, TypeInner};

use super::*;
use crate::prelude::{FLOAT_REMAINDER, Resolution, function, module, resolve};
use gpu_core::isa::ExtensionSet;

mod exact;
mod transcendental;

/// `expression` of `a`, `b`, `c` (u32) for each row of inputs, in one run. `extra` is WGSL before the entry point.
#[track_caller]
fn evaluate(extra: &str, expression: &str, rows: &[[u32; 3]]) -> Vec<u32> {
    let source = format!(
        "{extra}
         @group(0) @binding(0) var<storage, read> rows: array<array<u32, 3>>;
         @group(0) @binding(1) var<storage, read_write> out: array<u32>;
         @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) g: vec3<u32>) {{
             let row = rows[g.x];
             let a = row[0]; let b = row[1]; let c = row[2];
             let fa = bitcast<f32>(a); let fb = bitcast<f32>(b); let fc = bitcast<f32>(c);
             if g.x < arrayLength(&out) {{ out[g.x] = {expression}; }}
         }}"
    );
    let module = Module::parse("test.wgsl", &source).and_then(|module| module.select("main", &[]));
    let mut evaluator = module.and_then(|module| Evaluator::new(&module)).unwrap_or_else(|error| panic!("{error}"));
    let mut input: Vec<u8> = rows.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let mut output = vec![0u8; rows.len() * 4];
    let mut buffers = [
        BufferBinding { group: 0, binding: 0, bytes: &mut input },
        BufferBinding { group: 0, binding: 1, bytes: &mut output },
    ];
    let groups = rows.len().div_ceil(256) as u32;
    evaluator.run_compute([groups, 1, 1], &mut buffers, &[], 32).unwrap_or_else(|error| panic!("{error}"));
    output.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// Rows with one interesting word each.
fn single(words: impl IntoIterator<Item = u32>) -> Vec<[u32; 3]> {
    words.into_iter().map(|word| [word, 0, 0]).collect()
}

/// A fixed sequence of well-mixed words (splitmix64, upper halves).
fn mixed_words(count: usize, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[test]
fn the_prelude_uses_single_operations_only() {
    let module = module();
    let named = |name: &str| module.naga.functions.iter().any(|(_, f)| f.name.as_deref() == Some(name));
    assert!(module.naga.entry_points.is_empty() && module.naga.global_variables.is_empty());
    for (handle, function) in module.naga.functions.iter() {
        let name = function.name.as_deref().expect("WGSL functions have names");
        let kind = |expression: Handle<Expression>| {
            module.info[handle][expression].ty.inner_with(&module.naga.types).scalar().map(|scalar| scalar.kind)
        };
        for (_, expression) in function.expressions.iter() {
            match *expression {
                Expression::Math { fun, arg, .. } => {
                    let argument = module.info[handle][arg].ty.inner_with(&module.naga.types);
                    assert_eq!(resolve(fun, argument, ExtensionSet::ALL), Resolution::Single, "{fun:?} in {name}");
                }
                Expression::Binary { op: BinaryOperator::Modulo, .. } => panic!("% in {name}"),
                Expression::Binary { op: BinaryOperator::Divide, left, .. } => {
                    assert_eq!(kind(left), Some(ScalarKind::Float), "integer division in {name}");
                }
                Expression::Load { .. } | Expression::Access { .. } if name.starts_with("intrinsic") => {
                    panic!("{name}")
                }
                _ => {}
            }
        }
        let is_plain = |statement: &Statement| !matches!(statement, Statement::Loop { .. } | Statement::Switch { .. });
        assert!(function.body.iter().all(is_plain) || name == "texture_taps", "a loop in {name}");
    }
    for name in ["intrinsic_tex", "intrinsic_sampling_state", FLOAT_REMAINDER, "texture_load_2d", "texture_levels"] {
        assert!(named(name), "{name}");
    }
}

#[test]
fn every_name_of_the_table_exists() {
    use naga::{Scalar, VectorSize};
    let scalars = [Scalar::F32, Scalar::I32, Scalar::U32];
    let sizes = [VectorSize::Bi, VectorSize::Tri, VectorSize::Quad];
    let mut types: Vec<_> = scalars.map(TypeInner::Scalar).to_vec();
    types.extend(scalars.iter().flat_map(|&scalar| sizes.map(|size| TypeInner::Vector { size, scalar })));
    types.extend(sizes.map(|size| TypeInner::Matrix { columns: size, rows: size, scalar: Scalar::F32 }));
    for fun in ALL_FUNCTIONS {
        for ty in &types {
            match resolve(*fun, ty, ExtensionSet::ALL) {
                Resolution::Componentwise(name) | Resolution::Whole(name) => _ = function(name),
                Resolution::Members(names) => names.iter().for_each(|name| _ = function(name)),
                Resolution::Single | Resolution::Transpose | Resolution::Unsupported => {}
            }
        }
    }
}

/// Those of naga's list that WGSL has and that the table names a function for.
const ALL_FUNCTIONS: &[MathFunction] = {
    use MathFunction as F;
    &[
        F::Abs,
        F::Clamp,
        F::Saturate,
        F::Cos,
        F::Cosh,
        F::Sin,
        F::Sinh,
        F::Tan,
        F::Tanh,
        F::Acos,
        F::Asin,
        F::Atan,
        F::Atan2,
        F::Asinh,
        F::Acosh,
        F::Atanh,
        F::Radians,
        F::Degrees,
        F::Fract,
        F::Modf,
        F::Frexp,
        F::Ldexp,
        F::Exp,
        F::Exp2,
        F::Log,
        F::Log2,
        F::Pow,
        F::Dot,
        F::Dot4I8Packed,
        F::Dot4U8Packed,
        F::Cross,
        F::Distance,
        F::Length,
        F::Normalize,
        F::FaceForward,
        F::Reflect,
        F::Refract,
        F::Sign,
        F::Mix,
        F::Step,
        F::SmoothStep,
        F::InverseSqrt,
        F::Determinant,
        F::QuantizeToF16,
        F::ExtractBits,
        F::InsertBits,
        F::FirstTrailingBit,
        F::FirstLeadingBit,
        F::Pack4x8snorm,
        F::Pack4x8unorm,
        F::Pack2x16snorm,
        F::Pack2x16unorm,
        F::Pack2x16float,
        F::Pack4xI8,
        F::Pack4xU8,
        F::Pack4xI8Clamp,
        F::Pack4xU8Clamp,
        F::Unpack4x8snorm,
        F::Unpack4x8unorm,
        F::Unpack2x16snorm,
        F::Unpack2x16unorm,
        F::Unpack2x16float,
        F::Unpack4xI8,
        F::Unpack4xU8,
    ]
};
