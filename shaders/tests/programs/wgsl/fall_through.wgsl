// A switch with several labels a case, its default in the middle, and a break that leaves it early.
@group(0) @binding(0) var<storage, read_write> results: array<i32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let n = i32(i);
    var result = 0;
    switch n - 8 {
        case -3 { result = 100; }
        case 0, 1, 5: { result = 200 + n; }
        case 3, default {
            result = 400;
            if n % 2 == 0 { break; }
            result++;
        }
        case 2 { result = 300; }
        case 10 { result = 500; }
    }
    results[i] = result;
}
