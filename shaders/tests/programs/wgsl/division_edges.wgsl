// All pairs of numbers at the edges, divided in four ways.
@group(0) @binding(0) var<storage, read> edges: array<i32, 8>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let a = edges[id.x / 8u];
    let b = edges[id.x % 8u];
    let c = bitcast<u32>(a);
    let d = bitcast<u32>(b);
    results[id.x] = vec4<u32>(bitcast<u32>(a / b), bitcast<u32>(a % b), c / d, c % d);
}
