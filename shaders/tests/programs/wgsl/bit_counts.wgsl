// The builtins that count and look for bits.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 8>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = input[id.x];
    results[id.x] = array<u32, 8>(
        countOneBits(word),
        countLeadingZeros(word),
        countTrailingZeros(word),
        reverseBits(word),
        firstLeadingBit(word),
        firstTrailingBit(word),
        bitcast<u32>(firstLeadingBit(bitcast<i32>(word))),
        ~word,
    );
}
