// Every kind of member at its offset in a uniform buffer.
struct Inner { x: f32, y: vec3<f32> }
struct Everything {
    a: f32,
    b: vec3<f32>,
    c: f32,
    d: mat2x2<f32>,
    e: vec2<f32>,
    f: mat3x3<f32>,
    g: mat4x2<f32>,
    h: array<vec4<f32>, 2>,
    inner: Inner,
    z: f32,
}

@group(0) @binding(0) var<uniform> all: Everything;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

var<private> next: u32;

fn put(value: f32) {
    results[next] = value;
    next++;
}

@compute @workgroup_size(1)
fn main() {
    put(all.a);
    for (var n = 0; n < 3; n++) { put(all.b[n]); }
    put(all.c);
    for (var n = 0; n < 4; n++) { put(all.d[n / 2][n % 2]); }
    put(all.e.x);
    put(all.e.y);
    for (var n = 0; n < 9; n++) { put(all.f[n / 3][n % 3]); }
    for (var n = 0; n < 8; n++) { put(all.g[n / 2][n % 2]); }
    for (var n = 0; n < 8; n++) { put(all.h[n / 4][n % 4]); }
    put(all.inner.x);
    for (var n = 0; n < 3; n++) { put(all.inner.y[n]); }
    put(all.z);
}
