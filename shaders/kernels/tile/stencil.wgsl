// The stencil test. `raster/src/reference/stencil.rs` does the same in plain Rust.

/// `StencilFace::code` of triangles that show their front, and of the others: four bits each for the comparison and the
/// operations after fail, depth fail and pass; a byte each for the masks of reading and writing.
override STENCIL_FRONT: u32 = 0xffff0007u;
override STENCIL_BACK: u32 = 0xffff0007u;
/// Whether one of the faces can change a stored value.
override STENCIL_WRITE: bool = false;

const STENCIL_OFF: u32 = 0xffff0007u;

struct Stenciled {
    passes: bool,
    /// The new value; to be stored for covered fragments.
    value: u32,
}

/// Whether there is a test or a change.
fn uses_stencil() -> bool {
    return ((STENCIL_FRONT & 15u) != COMPARE_ALWAYS) | ((STENCIL_BACK & 15u) != COMPARE_ALWAYS) | STENCIL_WRITE;
}

fn stencil_operation(code: u32, reference: u32, stored: u32) -> u32 {
    switch code {
        case 1u: { return 0u; }
        case 2u: { return reference; }
        case 3u: { return min(stored + 1u, 255u); }
        case 4u: { return max(stored, 1u) - 1u; }
        case 5u: { return stored ^ 255u; }
        case 6u: { return (stored + 1u) & 255u; }
        case 7u: { return (stored - 1u) & 255u; }
        default: { return stored; }
    }
}

/// `face` is a constant at every call, so that one of the ways through here is left.
fn test_stencil(face: u32, reference: u32, stored: u32, depth_passes: bool) -> Stenciled {
    let read_mask = (face >> 16u) & 255u;
    let write_mask = face >> 24u;
    var passes = true;
    if read_mask == 255u {
        passes = compares(face & 15u, reference, stored);
    } else {
        passes = compares(face & 15u, reference & read_mask, stored & read_mask);
    }
    let fail = (face >> 4u) & 15u;
    let depth_fail = (face >> 8u) & 15u;
    let success = (face >> 12u) & 15u;
    var value = stencil_operation(success, reference, stored);
    if (fail == depth_fail) & (fail != success) {
        value = select(stencil_operation(fail, reference, stored), value, passes & depth_passes);
    } else {
        if depth_fail != success {
            value = select(stencil_operation(depth_fail, reference, stored), value, depth_passes);
        }
        if (fail != success) | (fail != depth_fail) {
            value = select(stencil_operation(fail, reference, stored), value, passes);
        }
    }
    if write_mask != 255u {
        value = (stored & ~write_mask) | (value & write_mask);
    }
    return Stenciled(passes, value);
}
