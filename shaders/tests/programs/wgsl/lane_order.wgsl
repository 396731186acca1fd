// Lanes of a warp meet at one word: atomics take them in ascending order, and of their stores the highest lane's stays.
@group(0) @binding(0) var<storage, read_write> counters: array<atomic<u32>, 16>;
@group(0) @binding(1) var<storage, read_write> places: array<u32, 16>;
@group(0) @binding(2) var<storage, read_write> results: array<vec3<u32>>;

var<workgroup> shared_places: array<u32, 16>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) lanes: u32) {
    let warp = i / lanes;
    results[i].x = atomicAdd(&counters[warp], i + 1u);
    if i % 3u == 1u {
        results[i].y = atomicExchange(&counters[warp], i);
        places[warp] = i;
    }
    shared_places[warp] = i;
    results[i].z = shared_places[warp];
}
