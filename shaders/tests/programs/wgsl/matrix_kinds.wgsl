// Products, transposes and determinants of matrices of several shapes.
struct Input { a: array<f32, 6>, b: array<f32, 6>, m: array<f32, 16>, v: array<f32, 4>, s: array<f32, 9>, rest: array<f32, 7> }

@group(0) @binding(0) var<storage, read> input: Input;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

var<private> next: u32;

fn put(value: f32) {
    results[next] = value;
    next++;
}

@compute @workgroup_size(1)
fn main() {
    var a: mat2x3<f32>;
    var b: mat3x2<f32>;
    var m: mat4x4<f32>;
    var s: mat3x3<f32>;
    for (var n = 0; n < 6; n++) {
        a[n / 3][n % 3] = input.a[n];
        b[n / 2][n % 2] = input.b[n];
    }
    for (var n = 0; n < 16; n++) { m[n / 4][n % 4] = input.m[n]; }
    for (var n = 0; n < 9; n++) { s[n / 3][n % 3] = input.s[n]; }
    let v = vec4<f32>(input.v[0], input.v[1], input.v[2], input.v[3]);
    let ab = a * b;
    for (var n = 0; n < 9; n++) { put(ab[n / 3][n % 3]); }
    let ba = b * a;
    for (var n = 0; n < 4; n++) { put(ba[n / 2][n % 2]); }
    let mv = m * v;
    for (var n = 0; n < 4; n++) { put(mv[n]); }
    let vm = v * m;
    for (var n = 0; n < 4; n++) { put(vm[n]); }
    let turned = transpose(a);
    for (var n = 0; n < 6; n++) { put(turned[n / 2][n % 2]); }
    let difference = 2.0 * a - transpose(b);
    for (var n = 0; n < 6; n++) { put(difference[n / 3][n % 3]); }
    put(determinant(s));
    put(determinant(m));
}
