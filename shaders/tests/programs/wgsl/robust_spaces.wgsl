// Negative, huge and slightly too large indices into vectors, matrices, nested arrays, buffers and runtime arrays:
// an index counts as unsigned and is limited to the last element.
struct Item { weights: vec3<f32>, marks: array<u32, 2> }
struct Sheet { header: u32, items: array<Item> }

@group(0) @binding(0) var<storage, read> indices: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<vec4<u32>, 3>;
@group(0) @binding(2) var<storage, read_write> sheet: Sheet;
@group(0) @binding(3) var<storage, read_write> results: array<array<u32, 8>>;

var<workgroup> grid: array<array<u32, 3>, 5>;
const PRIMES = array<u32, 12>(2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u);

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    if i < 5u { grid[i] = array<u32, 3>(10u * i, 10u * i + 1u, 10u * i + 2u); }
    workgroupBarrier();
    let at = indices[i];
    let vector = vec3<u32>(7u, 8u, 9u);
    let matrix = mat3x2<f32>(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    var stored = vec4<u32>();
    stored[at] = 1u;
    var columns = matrix;
    columns[at][at] = 9.0;
    results[i] = array<u32, 8>(
        vector[at], u32(matrix[at].y), stored.x + 2u * stored.y + 4u * stored.z + 8u * stored.w, PRIMES[at],
        table[at][at], grid[at][at], sheet.items[at].marks[at], u32(columns[0].x + 10.0 * columns[2].y));
    storageBarrier();
    if at >= 3 || at < 0 {
        // All of these write the last element of the last item.
        mark_last(at);
    }
    storageBarrier();
    if i == 0u { sheet.header = arrayLength(&sheet.items) + table[2].w + sheet.items[7].marks[0]; }
}
fn mark_last(at: i32) { sheet.items[at].marks[at] = 1000u; }
