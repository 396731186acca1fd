// Products, lengths and reflections of vectors.
struct Pair { a: array<f32, 3>, b: array<f32, 3> }
@group(0) @binding(0) var<storage, read> pairs: array<Pair>;
@group(0) @binding(1) var<storage, read_write> results: array<array<array<f32, 3>, 5>>;

fn listed(v: vec3<f32>) -> array<f32, 3> { return array<f32, 3>(v.x, v.y, v.z); }

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let pair = pairs[i];
    let a = vec3<f32>(pair.a[0], pair.a[1], pair.a[2]);
    let b = vec3<f32>(pair.b[0], pair.b[1], pair.b[2]);
    let n = normalize(b);
    results[i][0] = array<f32, 3>(dot(a, b), length(b), distance(a, b));
    results[i][1] = listed(n);
    results[i][2] = listed(cross(a, b));
    results[i][3] = listed(reflect(a, n));
    results[i][4] = listed(faceForward(n, a, b));
}
