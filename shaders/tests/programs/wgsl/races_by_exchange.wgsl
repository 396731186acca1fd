// Loops of compare-and-exchange by lanes that need different numbers of turns: a maximum, a sum, a list that grows at its head.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> totals: array<atomic<u32>, 3>;
@group(0) @binding(2) var<storage, read_write> found: array<u32>;

var<workgroup> head: atomic<u32>;
var<workgroup> nexts: array<u32, 33>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    let value = values[id.x];
    loop {
        let most = atomicLoad(&totals[0]);
        if most >= value { break; }
        if atomicCompareExchangeWeak(&totals[0], most, value).exchanged { break; }
    }
    // Odd ones only: the others wait.
    if value % 2u == 1u {
        var expected = 0u;
        loop {
            let answer = atomicCompareExchangeWeak(&totals[1], expected, expected + value);
            if answer.exchanged { break; }
            expected = answer.old_value;
        }
    } else {
        atomicAdd(&totals[2], 1u);
    }
    loop {
        let first = atomicLoad(&head);
        nexts[i + 1u] = first;
        let answer = atomicCompareExchangeWeak(&head, first, i + 1u);
        if answer.exchanged && answer.old_value == first { break; }
    }
    workgroupBarrier();
    // Everybody is in the list once.
    var length = 0u;
    var sum = 0u;
    for (var at = atomicLoad(&head); at != 0u && length < 100u; at = nexts[at]) {
        length++;
        sum += at;
    }
    found[id.x] = length * 10000u + sum;
}
