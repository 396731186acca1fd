// A continuing block with a variable of its own and `break if`.
@group(0) @binding(0) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    var i = 0u;
    var sum = 0u;
    loop {
        if (i + lane) % 4u == 0u { continue; }
        sum = sum * 5u + i;
        continuing {
            let step = lane % 3u + 1u;
            i += step;
            sum += step;
            break if i >= 12u;
        }
    }
    results[lane] = sum;
}
