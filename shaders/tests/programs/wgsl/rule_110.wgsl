// Nine turns of an elementary automaton on a ring of 32 cells, all of a row in one word.
@group(0) @binding(0) var<storage, read> rows: array<u32, 4>;
@group(0) @binding(1) var<storage, read_write> results: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    var row = rows[i];
    for (var turn = 0; turn < 9; turn++) {
        let left = (row >> 1u) | (row << 31u);
        let right = (row << 1u) | (row >> 31u);
        row = (row | right) & ~(left & row & right);
    }
    results[i] = row;
}
