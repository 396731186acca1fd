// Depths as the target stores them, and the test of stencil and depth of one sample.
//
// `raster/src/depth_value.rs` and `raster/src/reference/{stencil,depth}.rs` do the same in plain Rust.

/// `Compare::code` of the depth test; 7 is "always".
override DEPTH_COMPARE: u32 = 7u;
override DEPTH_WRITE: bool = false;
/// `DepthFormat::code`.
override DEPTH_FORMAT: u32 = 2u;

const DEPTH_16: u32 = 0u;
/// 24 bits of depth, the stencil value above them.
const DEPTH_24_STENCIL_8: u32 = 1u;
const DEPTH_32_FLOAT: u32 = 2u;
/// The stencil value is a word of its own.
const DEPTH_32_FLOAT_STENCIL_8: u32 = 3u;

/// A depth as it is stored and compared.
fn depth_value(z: f32) -> u32 {
    let depth = clamp(z, 0.0, 1.0);
    switch DEPTH_FORMAT {
        case DEPTH_16: { return unsigned_depth(depth, 65536.0); }
        case DEPTH_24_STENCIL_8: { return unsigned_depth(depth, 16777216.0); }
        default: { return bitcast<u32>(depth); }
    }
}

/// The nearest integer of z * (scale - 1): see `unsigned` in raster/src/depth_value.rs.
fn unsigned_depth(depth: f32, scale: f32) -> u32 {
    let scaled = depth * scale;
    let whole = u32(scaled);
    let rest = (scaled - f32(whole)) - depth;
    return whole + bitcast<u32>(i32(round(rest)));
}

/// The depth in a stored word.
fn depth_in(word: u32) -> u32 {
    if DEPTH_FORMAT == DEPTH_24_STENCIL_8 {
        return word & 0xffffffu;
    }
    return word;
}

/// Leaves a depth behind; `word` is what is stored there.
fn store_depth(at: u32, word: u32, depth: u32) {
    if DEPTH_FORMAT == DEPTH_24_STENCIL_8 {
        tile_depth[at] = (word & 0xff000000u) | depth;
    } else {
        tile_depth[at] = depth;
    }
}

/// Stencil and depth test of the sample at word `at` of the resident tile: whether it is covered and passes both. If
/// `writes`, stencil value and depth are left behind as the state says.
fn test_sample(at: u32, depth: u32, covered: bool, is_front: u32, draw: u32, writes: bool) -> bool {
    let word = tile_depth[at];
    let depth_passes = compares(DEPTH_COMPARE, depth, depth_in(word));
    var live = covered & depth_passes;
    if uses_stencil() {
        let reference = draws[draw].stencil_reference[is_front];
        var stencil = word >> 24u;
        if DEPTH_FORMAT == DEPTH_32_FLOAT_STENCIL_8 {
            stencil = tile_depth[TILE_WORDS + at];
        }
        var face: Stenciled;
        if STENCIL_FRONT == STENCIL_BACK {
            face = test_stencil(STENCIL_FRONT, reference, stencil, depth_passes);
        } else if is_front != 0u {
            face = test_stencil(STENCIL_FRONT, reference, stencil, depth_passes);
        } else {
            face = test_stencil(STENCIL_BACK, reference, stencil, depth_passes);
        }
        live &= face.passes;
        if writes & STENCIL_WRITE {
            if DEPTH_FORMAT == DEPTH_32_FLOAT_STENCIL_8 {
                if covered { tile_depth[TILE_WORDS + at] = face.value; }
            } else {
                var left = depth_in(word);
                if DEPTH_WRITE { left = select(left, depth, live); }
                if covered { tile_depth[at] = (face.value << 24u) | left; }
                return live;
            }
        }
    }
    if writes & DEPTH_WRITE {
        if live { store_depth(at, word, depth); }
    }
    return live;
}
