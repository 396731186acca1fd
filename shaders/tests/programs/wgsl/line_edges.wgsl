// Stores to columns that a storage texture of one row does not have change nothing, nor does the texture behind it change.
@group(1) @binding(0) var line: texture_storage_1d<r32uint, write>;
@group(1) @binding(1) var behind: texture_storage_1d<r32uint, read_write>;

const NUMBERS = array<i32, 8>(-2147483647, -1, 0, 1, 2, 3, 4, 2147483647);

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = NUMBERS[i];
    textureStore(line, at, vec4<u32>(u32(at) + 300u));
    if at >= 0 && at < 3 {
        textureStore(behind, at, textureLoad(behind, at) + 1u);
    }
}
