// Exponentials, logarithms, powers.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 8>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let y = abs(x) + 0.125;
    results[i] = array<f32, 8>(exp(x), exp2(x), log(y), log2(y), pow(y, 1.5), inverseSqrt(y), tanh(x), sinh(x));
}
