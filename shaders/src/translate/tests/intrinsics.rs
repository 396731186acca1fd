//! What WGSL cannot say, and textures in compute kernels.

use texture::{Filter, Format, Image, Sampling, Wrap};

use super::*;
use crate::interpret::stage_sampler;
use crate::sampling_state::SamplingState;
use crate::translate::SAMPLING_STATES;

#[test]
fn intrinsics_become_their_operation() {
    let functions = "
        fn intrinsic_imadd(a: i32, b: i32, c: i32, shift: u32) -> i32 { return 0; }
        fn intrinsic_multiply_high_unsigned(a: u32, b: u32) -> u32 { return 0u; }
        fn intrinsic_multiply_high_signed(a: i32, b: i32) -> i32 { return 0; }
        fn intrinsic_copysign(a: f32, b: f32) -> f32 { return 0.0; }";
    let body = "let s = bitcast<i32>(x);
        result = bitcast<u32>(intrinsic_imadd(s, 0x12345, 77, 2u)) ^ intrinsic_multiply_high_unsigned(x, 0xdeadbeefu)
            ^ bitcast<u32>(intrinsic_multiply_high_signed(s, -12345678)) ^ bitcast<u32>(intrinsic_copysign(1.5, bitcast<f32>(x)));";
    check_inputs(functions, body, &spread(96), |x| {
        let s = i64::from(x as i32);
        let imadd = ((s * 0x12345) >> 16) as u32;
        imadd.wrapping_add(77)
            ^ ((u64::from(x) * 0xdead_beef) >> 32) as u32
            ^ ((s * -12_345_678) >> 32) as u32
            ^ (1.5f32.to_bits() | (x & 0x8000_0000))
    });
}

#[test]
fn an_intrinsic_with_the_wrong_operands_is_refused() {
    let source = "fn intrinsic_imadd(a: i32, b: i32, c: i32, shift: u32) -> i32 { return 0; }
        @group(0) @binding(0) var<storage, read_write> o: array<i32>;
        @compute @workgroup_size(1) fn main() { o[0] = intrinsic_imadd(o[1], o[2], o[3], u32(o[4])); }";
    let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[])).expect("valid");
    let error = translate(&module, &Options::default()).expect_err("the shift is not constant");
    assert!(error.message.contains("constant from 0 to 3"), "{error}");
    assert_eq!(error.line, 3);
}

#[test]
fn compute_kernels_sample_with_states_from_a_buffer() {
    let source = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var<storage, read_write> o: array<vec4<f32>>;
        fn intrinsic_texture_bank(bank: u32) {}
        @compute @workgroup_size(16) fn main(@builtin(local_invocation_index) i: u32) {
            intrinsic_texture_bank(1u);
            o[i] = textureSampleLevel(t, s, vec2<f32>((f32(i) + 0.5) / 16.0, 0.25), 0.0) + vec4<f32>(vec2<f32>(textureDimensions(t)), 0.0, 0.0); }";
    let kernel = compile(source);
    let names: Vec<_> = kernel.bindings.iter().map(|binding| binding.name.as_str()).collect();
    assert_eq!(names, ["o", SAMPLING_STATES]);

    let image = Image::from_fn(Format::Rgba8, 16, 2, |x, y| 0xff00_0000 | (x * 16) << 16 | (y * 100) << 8 | x);
    let image = image.expect("16 x 2 texels");
    let words: Vec<u32> = image.bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let mut memory = Memory::new();
    let texels = memory.allocate(&words);
    let sampling = Sampling { filter: Filter::Bilinear, wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, border: 0 };
    let stage = image.stage(texels.address, sampling).expect("a small image");
    // Stage 0 of bank 1.
    let stages = [Default::default(), Default::default(), Default::default(), Default::default(), stage];
    let sampler = stage_sampler(&stages);
    let bindings = [vec![0; 64], SamplingState { width: 16, height: 2, ..SamplingState::DEFAULT }.words().to_vec()]
        .map(|words| memory.allocate(&words));
    let launch =
        Launch { lanes: 8, workgroups: [1; 3], bindings: &bindings, sampler: Some(&sampler), statement_limit: 10_000 };
    interpret::run(&kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    for (i, color) in memory.words(bindings[0]).chunks(4).enumerate() {
        let color: Vec<f32> = color.iter().map(|bits| f32::from_bits(*bits)).collect();
        // Texel centres of the upper row.
        assert_eq!(color, [(i as f32 * 16.0) / 255.0 + 16.0, 2.0, i as f32 / 255.0, 1.0], "texel {i}");
    }
}
