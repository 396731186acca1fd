// mix, step, smoothstep, saturate.
struct Three { a: f32, b: f32, t: f32 }
@group(0) @binding(0) var<storage, read> values: array<Three>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<f32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let v = values[i];
    results[i] = vec4<f32>(mix(v.a, v.b, v.t), step(v.a, v.t), smoothstep(-0.5, 1.0, v.t), saturate(v.t));
}
