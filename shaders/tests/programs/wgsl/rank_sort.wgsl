// A word's place is the number of words that come before it; words with equal keys stay in order.
@group(0) @binding(0) var<storage, read> unsorted: array<u32>;
@group(0) @binding(1) var<storage, read_write> sorted: array<u32>;

fn key(word: u32) -> u32 { return word >> 16u; }

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let own = unsorted[id.x];
    var rank = 0u;
    for (var other = 0u; other < arrayLength(&unsorted); other++) {
        let word = unsorted[other];
        rank += u32(key(word) < key(own) || (key(word) == key(own) && other < id.x));
    }
    sorted[rank] = own;
}
