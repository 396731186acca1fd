// The product of two matrices of 8 x 8, tile by tile through workgroup memory.
override TILE: u32 = 8u;
const SIDE = 8u;

@group(0) @binding(0) var<storage, read> a: array<array<f32, SIDE>, SIDE>;
@group(0) @binding(1) var<storage, read> b: array<array<f32, SIDE>, SIDE>;
@group(0) @binding(2) var<storage, read_write> product: array<array<f32, SIDE>, SIDE>;

var<workgroup> left: array<array<f32, 8>, 8>;
var<workgroup> right: array<array<f32, 8>, 8>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) place: vec3<u32>, @builtin(local_invocation_id) own: vec3<u32>) {
    var sum = 0.0;
    for (var tile = 0u; tile < SIDE; tile += TILE) {
        left[own.y][own.x] = a[place.y][tile + own.x];
        right[own.y][own.x] = b[tile + own.y][place.x];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) { sum += left[own.y][k] * right[k][own.x]; }
        workgroupBarrier();
    }
    product[place.y][place.x] = sum;
}
