// The first place of a sorted list whose word is not below the key.
@group(0) @binding(0) var<storage, read> sorted: array<u32>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> places: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let key = keys[id.x];
    var low = 0u;
    var high = arrayLength(&sorted);
    while low < high {
        let middle = low + (high - low) / 2u;
        if sorted[middle] < key { low = middle + 1u; } else { high = middle; }
    }
    places[id.x] = low;
}
