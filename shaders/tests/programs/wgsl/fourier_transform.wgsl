// Cooley and Tukey's transform of sixteen complex numbers, a butterfly an invocation.
@group(0) @binding(0) var<storage, read> signal: array<vec2<f32>, 16>;
@group(0) @binding(1) var<storage, read> roots: array<vec2<f32>, 8>;
@group(0) @binding(2) var<storage, read_write> spectrum: array<vec2<f32>, 16>;

var<workgroup> data: array<vec2<f32>, 16>;

fn product(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    for (var n = i; n < 16u; n += 8u) { data[n] = signal[reverseBits(n) >> 28u]; }
    for (var half = 1u; half < 16u; half *= 2u) {
        workgroupBarrier();
        let inside = i % half;
        let at = i / half * half * 2u + inside;
        let turned = product(data[at + half], roots[inside * (8u / half)]);
        let kept = data[at];
        data[at] = kept + turned;
        data[at + half] = kept - turned;
    }
    workgroupBarrier();
    for (var n = i; n < 16u; n += 8u) { spectrum[n] = data[n]; }
}
