// Records with alignments and sizes of their own; the padding between members is left alone.
struct Record { a: vec3<u32>, b: u32, @align(16) c: u32, @size(8) d: u32, e: u32 }

@group(0) @binding(0) var<storage, read_write> records: array<Record>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let old = records[i];
    let sum = old.a.x + old.a.y + old.a.z;
    records[i].a = old.a.zxy;
    records[i].b = old.b ^ old.c;
    records[i].c = sum;
    records[i].d = old.d;
}
