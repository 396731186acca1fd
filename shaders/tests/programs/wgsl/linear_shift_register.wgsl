// A shift register whose taps and number of steps are decided when it is built.
override TAPS: u32;
override STEPS: u32 = 1u;
override IS_LOUD: bool = false;

@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var word = id.x + 1u;
    for (var step = 0u; step < STEPS; step++) {
        let is_odd = (word & 1u) == 1u;
        word >>= 1u;
        if is_odd { word ^= TAPS; }
        if IS_LOUD { words[id.x] = step; }
    }
    words[id.x] = word;
}
