// A list behind a head, as long as its buffer: the heaviest record, the first of equals.
struct Entry { name: u32, weight: u32, color: u32 }
struct List { head: array<u32, 2>, entries: array<Entry> }
struct Answer { count: u32, head: u32, which: u32, weight: u32, color: u32 }

@group(0) @binding(0) var<storage, read> list: List;
@group(0) @binding(1) var<storage, read_write> answer: Answer;

var<workgroup> best: atomic<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let count = arrayLength(&list.entries);
    for (var n = i; n < count; n += 8u) {
        atomicMax(&best, ((list.entries[n].weight % 100u) << 16u) | (0xffffu - n));
    }
    workgroupBarrier();
    if i != 0u { return; }
    let found = atomicLoad(&best);
    let which = 0xffffu - (found & 0xffffu);
    answer = Answer(count, list.head[0] ^ list.head[1], which, found >> 16u, list.entries[which].color);
}
