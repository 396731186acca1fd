// Fowler, Noll and Vo's hash of the bytes of a word.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> hashes: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let bytes = unpack4xU8(input[id.x]);
    var hash = 0x811c9dc5u;
    for (var n = 0; n < 4; n++) { hash = (hash ^ bytes[n]) * 0x01000193u; }
    hashes[id.x] = hash;
}
