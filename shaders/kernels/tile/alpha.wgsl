// The alpha test. `raster/src/reference/alpha.rs` does the same in plain Rust.

/// `Compare::code`; 7 is "always".
override ALPHA_COMPARE: u32 = 7u;

/// `alpha` is in [0, 1], where floats order like their bits.
fn passes_alpha_test(alpha: f32, draw: u32) -> bool {
    return compares(ALPHA_COMPARE, bitcast<u32>(alpha), draws[draw].alpha_reference);
}
