// Every atomic operation, all invocations on one word.
struct Words {
    sum: atomic<u32>,
    difference: atomic<u32>,
    least: atomic<u32>,
    most: atomic<u32>,
    in_all: atomic<u32>,
    in_any: atomic<u32>,
    parity: atomic<u32>,
    lowest: atomic<i32>,
    highest: atomic<i32>,
    exchanges: atomic<u32>,
}
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> words: Words;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = input[id.x];
    atomicAdd(&words.sum, word);
    atomicSub(&words.difference, word);
    atomicMin(&words.least, word);
    atomicMax(&words.most, word);
    atomicAnd(&words.in_all, word | 0xffffu);
    atomicOr(&words.in_any, word & 0xff00u);
    atomicXor(&words.parity, word);
    atomicMin(&words.lowest, bitcast<i32>(word));
    atomicMax(&words.highest, bitcast<i32>(word));
    // Whatever the order, what comes out again once put in adds up: each takes out a number and puts in one more.
    var old = atomicLoad(&words.exchanges);
    loop {
        let result = atomicCompareExchangeWeak(&words.exchanges, old, old + 1u);
        if result.exchanged { break; }
        old = result.old_value;
    }
}
