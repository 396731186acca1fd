// Where a pattern occurs in a text of packed bytes: how often, first, last.
@group(0) @binding(0) var<storage, read> text: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: Found;

struct Found { count: atomic<u32>, first: atomic<u32>, last: atomic<u32> }

const PATTERN = array<u32, 4>(0x61u, 0x62u, 0x61u, 0x61u);

fn letter(at: u32) -> u32 { return extractBits(text[at / 4u], 8u * (at % 4u), 8u); }

fn matches(at: u32) -> bool {
    for (var n = 0u; n < 4u; n++) {
        if at + n >= 4u * arrayLength(&text) || letter(at + n) != PATTERN[n] {
            return false;
        }
    }
    return true;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if !matches(id.x) { return; }
    atomicAdd(&found.count, 1u);
    atomicMin(&found.first, id.x);
    atomicMax(&found.last, id.x);
}
