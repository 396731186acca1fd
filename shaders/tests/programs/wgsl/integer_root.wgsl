// The square root of an integer, two bits at a time.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> roots: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var rest = input[id.x];
    var root = 0u;
    for (var bit = 1u << 30u; bit != 0u; bit >>= 2u) {
        let trial = root + bit;
        root >>= 1u;
        if rest >= trial {
            rest -= trial;
            root += bit;
        }
    }
    roots[id.x] = root;
}
