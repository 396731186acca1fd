// Five turns of Conway's game on a torus of 8 x 8 cells, two cells an invocation.
@group(0) @binding(0) var<storage, read_write> world: array<atomic<u32>, 2>;

var<workgroup> cells: array<array<u32, 8>, 8>;

fn next(x: u32, y: u32) -> u32 {
    var count = 0u;
    for (var dy = 7u; dy < 10u; dy++) {
        for (var dx = 7u; dx < 10u; dx++) {
            if dx == 8u && dy == 8u { continue; }
            count += cells[(y + dy) % 8u][(x + dx) % 8u];
        }
    }
    return u32(count == 3u || (count == 2u && cells[y][x] == 1u));
}

@compute @workgroup_size(8, 4)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    for (var half = 0u; half < 2u; half++) {
        cells[id.y + 4u * half][id.x] = (atomicLoad(&world[half]) >> (id.y * 8u + id.x)) & 1u;
    }
    for (var turn = 0; turn < 5; turn++) {
        workgroupBarrier();
        let upper = next(id.x, id.y);
        let lower = next(id.x, id.y + 4u);
        workgroupBarrier();
        cells[id.y][id.x] = upper;
        cells[id.y + 4u][id.x] = lower;
    }
    if id.x == 0u && id.y == 0u {
        atomicStore(&world[0], 0u);
        atomicStore(&world[1], 0u);
    }
    storageBarrier();
    for (var half = 0u; half < 2u; half++) {
        atomicOr(&world[half], cells[id.y + 4u * half][id.x] << (id.y * 8u + id.x));
    }
}
