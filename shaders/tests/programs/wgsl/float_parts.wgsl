// Floats taken apart and put together: frexp, modf, ldexp.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 6>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let parts = frexp(x);
    let halves = modf(x);
    let all = array<f32, 6>(parts.fract, f32(parts.exp), halves.fract, halves.whole, ldexp(x, 3), ldexp(x, -10));
    for (var n = 0; n < 6; n++) { results[i][n] = all[n] + 0.0; }
}
