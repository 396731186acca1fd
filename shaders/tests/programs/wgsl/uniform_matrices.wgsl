// Matrices in arrays and structures of a uniform buffer, every part of them chosen at run time.
struct Inner { m: mat3x2<f32>, v: vec3<f32> }
struct All {
    a: array<mat3x3<f32>, 2>,
    b: array<mat2x4<f32>, 2>,
    c: array<Inner, 2>,
    d: array<array<vec4<f32>, 2>, 2>,
    e: array<mat4x2<f32>, 2>,
}

@group(0) @binding(0) var<uniform> all: All;
@group(0) @binding(1) var<storage, read_write> results: array<array<f32, 8>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x % 2u;
    let y = id.x / 2u % 4u;
    let z = id.x / 8u % 4u;
    let whole = all.a[x];
    let inner = all.c[x];
    results[id.x] = array<f32, 8>(
        all.a[x][y % 3u][z % 3u], whole[z % 3u][y % 3u], all.b[x][y % 2u][z], all.c[x].m[y % 3u][z % 2u],
        inner.v[y % 3u] + inner.m[z % 3u].y, all.d[x][y % 2u][z], all.e[x][y][z % 2u], (all.e[x] * all.b[x][y % 2u]).x);
}
