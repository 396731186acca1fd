// Numbers as halves and back: ties, subnormals, infinities, the last that is not one.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read> halves: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = values[i];
    let pair = unpack2x16float(halves[i]);
    results[i] = vec4<u32>(
        pack2x16float(vec2<f32>(x, -x)), bitcast<u32>(quantizeToF16(x)), bitcast<u32>(pair.x), bitcast<u32>(pair.y));
}
