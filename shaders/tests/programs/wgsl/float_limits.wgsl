// The parts of floats at the limits of the format: subnormals, zeros of both signs, the largest, powers beyond the exponent's range.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read> powers: array<i32>;
@group(0) @binding(2) var<storage, read_write> results: array<array<u32, 6>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let parts = frexp(x);
    let halves = modf(x);
    results[i] = array<u32, 6>(
        bitcast<u32>(parts.fract), bitcast<u32>(parts.exp), bitcast<u32>(halves.fract), bitcast<u32>(halves.whole),
        bitcast<u32>(ldexp(x, powers[i])), bitcast<u32>(ldexp(parts.fract, parts.exp)));
}
