// What makes whole numbers of floats; zero is added to make one zero of both.
@group(0) @binding(0) var<storage, read> values: array<f32, 36>;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 8>, 36>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= 36u { return; }
    let x = values[id.x];
    let parts = array<f32, 8>(floor(x), ceil(x), trunc(x), round(x), fract(x), abs(x), sign(x), clamp(x, -3.0, 2.5));
    for (var n = 0; n < 8; n++) { results[id.x][n] = parts[n] + 0.0; }
}
