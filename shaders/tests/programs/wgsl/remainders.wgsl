// Remainders of floats have the sign of what is divided; conversions at the limits; integers that no float has.
@group(0) @binding(0) var<storage, read> pairs: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<array<u32, 5>>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let v = pairs[i];
    let both = v % vec2<f32>(v.y, 1.0);
    results[i] = array<u32, 5>(
        bitcast<u32>(v.x % v.y), bitcast<u32>(both.x + both.y), bitcast<u32>(f32(words[i])), bitcast<u32>(f32(bitcast<i32>(words[i]))),
        u32(bool(v.x)) + 2u * u32(bool(words[i])));
}
