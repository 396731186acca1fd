// Fog. `raster/src/reference/fog.rs` does the same in plain Rust.

/// `FogMode`: 0 off, 1 linear, 2 exp, 3 exp2.
override FOG_MODE: u32 = 0u;
/// `FogCoordinate`: 0 the clip-space w, 1 the window depth.
override FOG_COORDINATE: u32 = 0u;

/// 2^t for t <= 0; below 2^-125 it is 2^-125. A polynomial of degree 5 on [-1/2, 1/2], error 2.1e-7; 1 at 0.
fn fog_exp2(t: f32) -> f32 {
    let limited = clamp(t, -125.0, 0.0);
    let n = round(limited);
    let f = limited - n;
    var p = fma(0.0013381302123889327, f, 0.00966636836528778);
    p = fma(p, f, 0.055503811687231064);
    p = fma(p, f, 0.2402234971523285);
    p = fma(p, f, 0.6931471824645996);
    p = fma(p, f, 1.0);
    return bitcast<f32>(bitcast<u32>(p) + (bitcast<u32>(i32(n)) << 23u));
}

/// How much of the fragment's colour is left. The draw's figures are prepared on the host
/// (`Constants::prepared`, raster/src/state/constants.rs).
fn fog_factor(distance: f32, draw: u32) -> f32 {
    let scaled = distance * draws[draw].fog_scale;
    switch FOG_MODE {
        case 1u: { return clamp((draws[draw].fog_end - distance) * draws[draw].fog_scale, 0.0, 1.0); }
        case 2u: { return fog_exp2(scaled); }
        default: { return fog_exp2(-(scaled * scaled)); }
    }
}

/// A colour in [0, 1] behind as much fog; alpha stays.
fn fogged(color: vec4<f32>, w: f32, z: f32, draw: u32) -> vec4<f32> {
    var distance = w;
    if FOG_COORDINATE == 1u {
        distance = clamp(z, 0.0, 1.0);
    }
    let left = fog_factor(distance, draw);
    let lost = 1.0 - left;
    return vec4<f32>(
        fma(left, color.r, lost * draws[draw].fog_red),
        fma(left, color.g, lost * draws[draw].fog_green),
        fma(left, color.b, lost * draws[draw].fog_blue),
        color.a,
    );
}
