// The first pair of a row with a certain sum; found, it returns out of two loops.
@group(0) @binding(0) var<storage, read> rows: array<array<u32, 8>>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

fn find(row: u32, wanted: u32) -> u32 {
    for (var i = 0u; i < 8u; i++) {
        for (var j = i + 1u; j < 8u; j++) {
            if rows[row][i] + rows[row][j] == wanted { return i * 8u + j; }
        }
    }
    return 1000u + wanted;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    results[id.x] = find(id.x / 8u, id.x % 8u * 9u);
}
