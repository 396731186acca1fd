// Three loops inside each other, left by break, continue and flags.
@group(0) @binding(0) var<storage, read> limits: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let limit = limits[lane];
    var sum = 0u;
    for (var i = 0u; i < 6u; i++) {
        var leaves = false;
        var skips = false;
        for (var j = 0u; j <= limit;) {
            j++;
            if (i + j) % 3u == 0u { continue; }
            if i * j > 2u * limit + 3u {
                sum += 1000u;
                skips = true;
                break;
            }
            for (var k = 0u; k < j; k++) {
                if k == 4u { break; }
                sum = sum * 3u + k;
            }
            if sum > 1000000u {
                leaves = true;
                break;
            }
        }
        if leaves { break; }
        if skips { continue; }
        sum += i;
    }
    results[lane] = sum;
}
