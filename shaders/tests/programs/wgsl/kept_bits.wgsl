// Moves keep every bit: of NaNs with payloads, of signs of zeros, through each memory, `select`, calls and vectors.
// And what looks like nothing is done: x + 0, x * 1, -(-x), 0 - x are what IEEE 754 says.
struct Holder { one: f32, three: vec3<f32> }

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 10>>;

var<private> own: f32;
var<workgroup> shared_floats: array<vec2<f32>, 16>;

fn passed(x: f32, unused: f32) -> f32 { return x; }

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let x = bitcast<f32>(input[i]);
    own = x;
    shared_floats[i].y = own;
    var holder: Holder;
    holder.three[i % 3u] = shared_floats[i].y;
    var list = array<f32, 4>();
    list[i % 4u] = passed(holder.three[i % 3u], 1.0);
    let chosen = select(list[i % 4u], 1.0, i > 100u);
    let vector = vec4<f32>(chosen, 1.0, 2.0, 3.0).wyxz;
    results[i] = array<u32, 10>(
        bitcast<u32>(vector.z), bitcast<u32>(-vector.z), bitcast<u32>(abs(chosen)), bitcast<u32>(-(-chosen)),
        bitcast<u32>(x + 0.0), bitcast<u32>(x * 1.0), bitcast<u32>(0.0 - x), bitcast<u32>(x - 0.0), bitcast<u32>(x * 0.0),
        bitcast<u32>(x / 1.0));
}
