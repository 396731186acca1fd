// A value is what it was when it was read, a pointer goes to what it named when it was made.
struct Block { rows: array<vec2<u32>, 3>, total: u32 }

@group(0) @binding(0) var<storage, read_write> blocks: array<Block, 16>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 6>, 16>;

fn spoiled(given: Block) -> Block {
    var copy = given;
    copy.rows[1] += vec2<u32>(1000u);
    copy.total = given.rows[1].x;
    return copy;
}
fn swapped(given: array<u32, 3>) -> array<u32, 3> { return array<u32, 3>(given[2], given[1], given[0]); }

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    for (var n = 0u; n < 3u; n++) { blocks[i].rows[n] = vec2<u32>(10u * n + i, n); }
    let before = blocks[i];
    let one_row = blocks[i].rows[i % 3u];
    blocks[i].rows[i % 3u] = vec2<u32>(7u, 8u);
    let changed = spoiled(blocks[i]);
    var at = i % 3u;
    var words = array<u32, 3>(100u, 200u, 300u);
    let old = words;
    let pointer = &words[at];
    at = (at + 1u) % 3u;
    *pointer += 5u;
    let value = *pointer;
    words = swapped(words);
    *pointer += 1u;
    results[i] = array<u32, 6>(
        before.rows[i % 3u].x + one_row.y, changed.rows[1].x + changed.total, blocks[i].rows[1].x + blocks[i].total,
        old[0] + old[1] + old[2], value, words[0] + 2u * words[1] + 3u * words[2]);
}
