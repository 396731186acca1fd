//! Which function of the prelude tells which builtin of WGSL.
//!
//! Before: WGSL's list of builtin functions. After: `accepted`, which refuses those that nobody tells, and `evaluate` and
//! `translate`, which both ask here, so that they cannot read a builtin differently.

use gpu_core::isa::{Extension, ExtensionSet, Op};
use naga::{MathFunction, Scalar, ScalarKind, TypeInner};

/// How a builtin is carried out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// One operation of the intermediate form for each component: abs (not of i32), min, max, ceil, floor, round, trunc,
    /// sqrt, fma and the bit counts. Signedness by the type of the first argument; abs of u32 is the number itself.
    Single,
    /// Call this function of scalars for each component; a scalar argument beside vectors serves every component.
    Componentwise(&'static str),
    /// Call this function with the arguments as they are.
    Whole(&'static str),
    /// The result is a structure; call each function componentwise for the member at its place.
    Members(&'static [&'static str]),
    /// Rows become columns; no arithmetic.
    Transpose,
    /// Nobody carries it out.
    Unsupported,
}

/// What a float above every i32 becomes: WGSL ("Floating point conversion") gives the largest i32 that is also an f32, 2^31 - 128.
pub const LARGEST_SIGNED: u32 = 0x7fff_ff80;

/// What a float above every u32 becomes, 2^32 - 256.
pub const LARGEST_UNSIGNED: u32 = 0xffff_ff00;

/// The instruction that stands for a function of the prelude where the machine has its group; otherwise its body is run. Told by
/// name, so that functions which call it (`tan` sine and cosine, `pow` a logarithm) use the instruction too.
pub fn instruction(function: &str, extensions: ExtensionSet) -> Option<Op> {
    let op = match function {
        "exp_f32" => Op::Fexp,
        "exp2_f32" => Op::Fexp2,
        "log_f32" => Op::Flog,
        "log2_f32" => Op::Flog2,
        "pow_f32" => Op::Fpow,
        "sin_f32" => Op::Fsin,
        "cos_f32" => Op::Fcos,
        "tan_f32" => Op::Ftan,
        "asin_f32" => Op::Fasin,
        "acos_f32" => Op::Facos,
        "atan_f32" => Op::Fatan,
        "atan2_f32" => Op::Fatan2,
        "sinh_f32" => Op::Fsinh,
        "cosh_f32" => Op::Fcosh,
        "tanh_f32" => Op::Ftanh,
        "asinh_f32" => Op::Fasinh,
        "acosh_f32" => Op::Facosh,
        "atanh_f32" => Op::Fatanh,
        "inverse_sqrt_f32" => Op::Frsqrt,
        _ => return None,
    };
    extensions.contains(op.spec().extension).then_some(op)
}

/// The name behind `float % float`, componentwise.
pub const FLOAT_REMAINDER: &str = "remainder_f32";

/// How `fun` is carried out when its first argument has type `argument`, on a machine with these extensions.
pub fn resolve(fun: MathFunction, argument: &TypeInner, extensions: ExtensionSet) -> Resolution {
    use MathFunction as F;
    use Resolution::{Componentwise, Members, Single, Transpose, Unsupported, Whole};
    let Some(scalar) = argument.scalar() else { return Unsupported };
    let kind = scalar.kind;
    let by_kind = |float: &'static str, signed, unsigned| {
        let name = match kind {
            ScalarKind::Float => float,
            ScalarKind::Sint => signed,
            ScalarKind::Uint => unsigned,
            _ => "",
        };
        if name.is_empty() { Unsupported } else { Componentwise(name) }
    };
    let by_size = |names: [&'static str; 4]| match argument {
        TypeInner::Scalar(_) if !names[0].is_empty() => Whole(names[0]),
        TypeInner::Vector { size, .. } => Whole(names[*size as usize - 1]),
        _ => Unsupported,
    };
    match fun {
        F::Abs if kind == ScalarKind::Sint => Componentwise("abs_i32"),
        F::Abs | F::Min | F::Max | F::Ceil | F::Floor | F::Round | F::Trunc | F::Sqrt | F::Fma => Single,
        F::CountTrailingZeros | F::CountLeadingZeros | F::CountOneBits | F::ReverseBits => Single,
        F::Clamp => by_kind("clamp_f32", "clamp_i32", "clamp_u32"),
        F::Sign => by_kind("sign_f32", "sign_i32", ""),
        F::Saturate => Componentwise("saturate_f32"),
        F::Mix => Componentwise("mix_f32"),
        F::Step => Componentwise("step_f32"),
        F::SmoothStep => Componentwise("smoothstep_f32"),
        F::Fract => Componentwise("fract_f32"),
        F::Radians => Componentwise("radians_f32"),
        F::Degrees => Componentwise("degrees_f32"),
        F::InverseSqrt => Componentwise("inverse_sqrt_f32"),
        F::Exp => Componentwise("exp_f32"),
        F::Exp2 => Componentwise("exp2_f32"),
        F::Log => Componentwise("log_f32"),
        F::Log2 => Componentwise("log2_f32"),
        F::Pow => Componentwise("pow_f32"),
        F::Cos => Componentwise("cos_f32"),
        F::Sin => Componentwise("sin_f32"),
        F::Tan => Componentwise("tan_f32"),
        F::Cosh => Componentwise("cosh_f32"),
        F::Sinh => Componentwise("sinh_f32"),
        F::Tanh => Componentwise("tanh_f32"),
        F::Acos => Componentwise("acos_f32"),
        F::Asin => Componentwise("asin_f32"),
        F::Atan => Componentwise("atan_f32"),
        F::Atan2 => Componentwise("atan2_f32"),
        F::Asinh => Componentwise("asinh_f32"),
        F::Acosh => Componentwise("acosh_f32"),
        F::Atanh => Componentwise("atanh_f32"),
        F::Ldexp => Componentwise("ldexp_f32"),
        F::QuantizeToF16 => Componentwise("quantize_to_f16_f32"),
        F::Modf => Members(&["modf_fract_f32", "modf_whole_f32"]),
        F::Frexp => Members(&["frexp_fract_f32", "frexp_exponent_f32"]),
        F::Dot => match kind {
            ScalarKind::Float => by_size(["", "dot_vec2f", "dot_vec3f", "dot_vec4f"]),
            ScalarKind::Sint => by_size(["", "dot_vec2i", "dot_vec3i", "dot_vec4i"]),
            ScalarKind::Uint => by_size(["", "dot_vec2u", "dot_vec3u", "dot_vec4u"]),
            _ => Unsupported,
        },
        F::Cross => Whole("cross_vec3f"),
        F::Length => by_size(["length_f32", "length_vec2f", "length_vec3f", "length_vec4f"]),
        F::Distance => by_size(["distance_f32", "distance_vec2f", "distance_vec3f", "distance_vec4f"]),
        F::Normalize if extensions.contains(Extension::Zfrsqrt) => {
            by_size(["", "normalize_by_root_vec2f", "normalize_by_root_vec3f", "normalize_by_root_vec4f"])
        }
        F::Normalize => by_size(["", "normalize_vec2f", "normalize_vec3f", "normalize_vec4f"]),
        F::FaceForward => by_size(["", "face_forward_vec2f", "face_forward_vec3f", "face_forward_vec4f"]),
        F::Reflect => by_size(["", "reflect_vec2f", "reflect_vec3f", "reflect_vec4f"]),
        F::Refract => by_size(["", "refract_vec2f", "refract_vec3f", "refract_vec4f"]),
        F::Transpose => Transpose,
        F::Determinant => match argument {
            TypeInner::Matrix { columns: naga::VectorSize::Bi, .. } => Whole("determinant_mat2"),
            TypeInner::Matrix { columns: naga::VectorSize::Tri, .. } => Whole("determinant_mat3"),
            _ => Whole("determinant_mat4"),
        },
        F::ExtractBits => by_kind("", "extract_bits_i32", "extract_bits_u32"),
        F::InsertBits => by_kind("", "insert_bits_i32", "insert_bits_u32"),
        F::FirstTrailingBit => by_kind("", "first_trailing_bit_i32", "first_trailing_bit_u32"),
        F::FirstLeadingBit => by_kind("", "first_leading_bit_i32", "first_leading_bit_u32"),
        F::Pack4x8unorm => Whole("pack4x8unorm_vec4f"),
        F::Pack4x8snorm => Whole("pack4x8snorm_vec4f"),
        F::Pack2x16unorm => Whole("pack2x16unorm_vec2f"),
        F::Pack2x16snorm => Whole("pack2x16snorm_vec2f"),
        F::Pack2x16float => Whole("pack2x16float_vec2f"),
        F::Pack4xI8 => Whole("pack4x_i8_vec4i"),
        F::Pack4xU8 => Whole("pack4x_u8_vec4u"),
        F::Pack4xI8Clamp => Whole("pack4x_i8_clamp_vec4i"),
        F::Pack4xU8Clamp => Whole("pack4x_u8_clamp_vec4u"),
        F::Unpack4x8unorm => Whole("unpack4x8unorm_u32"),
        F::Unpack4x8snorm => Whole("unpack4x8snorm_u32"),
        F::Unpack2x16unorm => Whole("unpack2x16unorm_u32"),
        F::Unpack2x16snorm => Whole("unpack2x16snorm_u32"),
        F::Unpack2x16float => Whole("unpack2x16float_u32"),
        F::Unpack4xI8 => Whole("unpack4x_i8_u32"),
        F::Unpack4xU8 => Whole("unpack4x_u8_u32"),
        F::Dot4I8Packed => Whole("dot4_i8_packed_u32"),
        F::Dot4U8Packed => Whole("dot4_u8_packed_u32"),
        F::Outer | F::Inverse => Unsupported,
    }
}

/// A function whose body evaluator and compiler replace, wherever it is declared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct IntrinsicSignature {
    /// Its WGSL name.
    pub name: &'static str,
    /// Its arguments, all scalars.
    pub arguments: &'static [Scalar],
    /// The scalars of its result, in order.
    pub result: &'static [Scalar],
}

/// Every intrinsic. A function that takes one of these names must have its signature.
pub const INTRINSICS: &[IntrinsicSignature] = {
    const F: Scalar = Scalar::F32;
    const I: Scalar = Scalar::I32;
    const U: Scalar = Scalar::U32;
    &[
        IntrinsicSignature { name: "intrinsic_tex", arguments: &[U, I, I, U], result: &[U] },
        IntrinsicSignature { name: "intrinsic_texl", arguments: &[U, I, I, U], result: &[U] },
        IntrinsicSignature { name: "intrinsic_texf", arguments: &[U, I, I, U], result: &[F] },
        IntrinsicSignature {
            name: "intrinsic_sampling_state",
            arguments: &[U],
            result: &[U, U, U, U, U, U, U, U, F, F, F, F, U, U, U],
        },
        IntrinsicSignature { name: "intrinsic_multiply_high_unsigned", arguments: &[U, U], result: &[U] },
        IntrinsicSignature { name: "intrinsic_multiply_high_signed", arguments: &[I, I], result: &[I] },
        IntrinsicSignature { name: "intrinsic_copysign", arguments: &[F, F], result: &[F] },
        // a, b, c and the constant shift in bytes: ((a · b) >> 8·shift) + c.
        IntrinsicSignature { name: "intrinsic_imadd", arguments: &[I, I, I, U], result: &[I] },
        IntrinsicSignature { name: "intrinsic_texture_bank", arguments: &[U], result: &[] },
        // Timed runs count in region 0 to 31 from here on.
        IntrinsicSignature { name: "intrinsic_region", arguments: &[U], result: &[] },
    ]
};
