// Heat flows along a rod for six turns, between two arrays by turns.
@group(0) @binding(0) var<storage, read_write> rod: array<f32, 32>;

var<workgroup> halves: array<array<f32, 32>, 2>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    halves[0][i] = rod[i];
    workgroupBarrier();
    for (var turn = 0u; turn < 6u; turn++) {
        let old = &halves[turn % 2u];
        let fresh = &halves[(turn + 1u) % 2u];
        let left = (*old)[max(i, 1u) - 1u];
        let right = (*old)[min(i + 1u, 31u)];
        (*fresh)[i] = (*old)[i] * 0.5 + (left + right) * 0.25;
        workgroupBarrier();
    }
    rod[i] = halves[0][i];
}
