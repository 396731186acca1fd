// Indices far beyond the end of arrays in every memory.
struct Guarded { before: array<u32, 4>, victim: array<u32, 8>, after: array<u32, 4> }

@group(0) @binding(0) var<storage, read> indices: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32, 32>;
@group(0) @binding(2) var<storage, read_write> guards: array<u32, 12>;

var<workgroup> words: Guarded;
var<private> own: Guarded;

// Whether a word is one of the elements, which are 100 and more, or zero.
fn is_harmless(word: u32) -> bool { return word == 0u || (word >= 100u && word < 108u); }

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let index = indices[i];
    for (var n = 0u; n < 8u; n++) {
        own.victim[n] = 100u + n;
        words.victim[n] = 100u + n;
    }
    var local = own;
    workgroupBarrier();
    var is_good = is_harmless(own.victim[index]) && is_harmless(words.victim[index]) && is_harmless(local.victim[index]);
    workgroupBarrier();
    own.victim[index] = 5u;
    local.victim[index] = 5u;
    words.victim[index] = 5u;
    if index >= 12u { guards[index] = 77u; }
    workgroupBarrier();
    for (var n = 0u; n < 4u; n++) {
        is_good &= own.before[n] + own.after[n] + local.before[n] + local.after[n] == 0u;
        is_good &= words.before[n] + words.after[n] == 0u;
    }
    results[i] = u32(is_good);
}
