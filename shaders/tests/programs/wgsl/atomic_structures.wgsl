// Atomics inside structures and arrays, in buffers and workgroup memory, and what they give back.
struct Slot { names: vec3<u32>, count: atomic<u32>, extremes: array<atomic<i32>, 2> }
struct Table { total: atomic<u32>, slots: array<Slot, 4> }

@group(0) @binding(0) var<storage, read> input: array<i32>;
@group(0) @binding(1) var<storage, read_write> table: Table;
@group(0) @binding(2) var<storage, read_write> results: array<vec2<u32>>;

var<workgroup> local_slots: array<Slot, 2>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let value = input[i];
    let slot = &table.slots[i % 4u];
    atomicAdd(&(*slot).count, 1u);
    atomicMin(&(*slot).extremes[0], value);
    atomicMax(&(*slot).extremes[1], value);
    atomicAdd(&table.total, bitcast<u32>(value));
    let taken = atomicSub(&local_slots[i % 2u].count, 1u);
    if i % 2u == 0u { atomicOr(&local_slots[0].extremes[1], 1i << (i / 2u)); }
    else { atomicXor(&local_slots[1].extremes[1], value); }
    workgroupBarrier();
    // The number taken is one of 0, -1 .. -15; how many took it is not said, all of them together are.
    let place = -bitcast<i32>(taken);
    var result = vec2<u32>(u32(place >= 0 && place < 16), bitcast<u32>(atomicLoad(&local_slots[i % 2u].extremes[1])));
    if i == 31u {
        let old = atomicExchange(&local_slots[1].count, 5u) + atomicAnd(&local_slots[1].count, 4u);
        result.x += old + atomicLoad(&local_slots[1].count);
    }
    results[i] = result;
}
