// A buffer that ends within an element: only whole ones count, and a store beyond them leaves the rest alone.
struct Record { key: u32, place: vec2<u32>, more: u32 }
struct Sheet { head: vec3<u32>, records: array<Record> }

@group(0) @binding(0) var<storage, read_write> sheet: Sheet;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> triples: array<vec3<u32>>;

@compute @workgroup_size(1)
fn main() {
    results[0] = arrayLength(&sheet.records);
    results[1] = arrayLength(&triples);
    results[2] = arrayLength(&results);
    for (var n = 0u; n < 6u; n++) { sheet.records[n].more = n + 1u; }
    let beyond = arrayLength(&sheet.records) + 3u;
    results[3] = sheet.records[beyond].key;
    results[4] = triples[7].z;
}
