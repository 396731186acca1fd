// Ackermann's function, its recursion on a stack of its own.
@group(0) @binding(0) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(12)
fn main(@builtin(local_invocation_index) lane: u32) {
    var stack: array<u32, 32>;
    var height = 1u;
    stack[0] = lane / 4u;
    var n = lane % 4u;
    while height > 0u {
        height--;
        let m = stack[height];
        if m == 0u {
            n++;
        } else if n == 0u {
            stack[height] = m - 1u;
            height++;
            n = 1u;
        } else {
            stack[height] = m - 1u;
            stack[height + 1u] = m;
            height += 2u;
            n--;
        }
    }
    results[lane] = n;
}
