// Two sorted lists become one: each invocation finds by bisection how many words of the first list come before its place.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> merged: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let lengths = vec2<u32>(arrayLength(&a), arrayLength(&b));
    let place = id.x;
    var low = select(0u, place - lengths.y, place > lengths.y);
    var high = min(place, lengths.x);
    while low < high {
        let middle = (low + high) / 2u;
        if a[middle] <= b[place - middle - 1u] { low = middle + 1u; } else { high = middle; }
    }
    let takes_first = low < lengths.x && (place - low >= lengths.y || a[low] <= b[place - low]);
    if takes_first { merged[place] = a[low]; } else { merged[place] = b[place - low]; }
}
