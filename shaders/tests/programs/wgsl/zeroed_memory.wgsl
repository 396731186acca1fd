// Variables without a value are zero, whatever was there before.
struct Inner { a: vec3<f32>, b: array<bool, 3> }

@group(0) @binding(0) var<storage, read_write> results: array<u32>;

var<private> own: Inner;
var<workgroup> shared_words: array<vec2<i32>, 40>;

fn nonzero(inner: Inner) -> u32 {
    var count = u32(any(inner.a != vec3<f32>()));
    for (var n = 0; n < 3; n++) { count += u32(inner.b[n]); }
    return count;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    var count = nonzero(own) + u32(any(shared_words[i + 8u] != vec2<i32>()));
    own.a = vec3<f32>(1.0);
    workgroupBarrier();
    shared_words[i] = vec2<i32>(-1);
    for (var turn = 0; turn < 3; turn++) {
        var inner: Inner;
        var words: array<u32, 5>;
        count += nonzero(inner);
        for (var n = 0; n < 5; n++) { count += words[n]; }
        inner = own;
        inner.b[turn] = true;
        words[turn] = 9u;
    }
    results[id.x] = count;
}
