// Pointers to elements, members and private variables as arguments and as names.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

struct Cells { cells: array<u32, 4>, extra: u32 }

var<private> own: u32 = 5u;

fn raise(cell: ptr<function, u32>, amount: u32) { *cell += amount; }

fn raise_own(cell: ptr<private, u32>, amount: u32) { *cell += amount; }

fn swap(cells: ptr<function, array<u32, 4>>, i: u32, j: u32) {
    let kept = (*cells)[i];
    (*cells)[i] = (*cells)[j];
    (*cells)[j] = kept;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) n: u32) {
    let word = input[n];
    var all: Cells;
    for (var k = 0u; k < 4u; k++) { all.cells[k] = (word >> (8u * k)) & 255u; }
    raise(&all.cells[n % 4u], 1000u);
    let chosen = &all.cells[word % 4u];
    raise(chosen, n);
    swap(&all.cells, 0u, n % 4u);
    raise(&all.extra, 7u);
    raise_own(&own, n * 2u);
    raise_own(&own, all.cells[3]);
    results[n] = vec4<u32>(all.cells[0], all.cells[1], all.cells[2] + all.extra, own);
}
