// The depth test. `raster/src/reference` does the same in plain Rust.

/// `Compare::code` of the depth test; 7 is "always".
override DEPTH_COMPARE: u32 = 7u;
override DEPTH_WRITE: bool = false;

const COMPARE_ALWAYS: u32 = 7u;

fn passes_depth_test(incoming: u32, stored: u32) -> bool {
    switch DEPTH_COMPARE {
        case 0u: { return false; }
        case 1u: { return incoming < stored; }
        case 2u: { return incoming == stored; }
        case 3u: { return incoming <= stored; }
        case 4u: { return incoming > stored; }
        case 5u: { return incoming != stored; }
        case 6u: { return incoming >= stored; }
        default: { return true; }
    }
}
