//! Fog (OpenGL ES 1.1, `glFog`): C = f · C_fragment + (1 − f) · C_fog; alpha stays.
//!
//! Before: the tests. After: blending. The tile kernel does the same operations in the same order
//! (`kernels/tile/fog.wgsl`).

use super::interpolate::fma;
use crate::state::constants::Prepared;
use crate::state::{FogCoordinate, FogMode, FogState};
use crate::unit_range::saturate;

/// A colour in [0, 1] behind the fog; `w` is the clip-space w, `z` the window depth.
pub fn fogged(state: FogState, constants: &Prepared, color: [f32; 4], w: f32, z: f32) -> [f32; 4] {
    if !state.is_used() {
        return color;
    }
    let distance = match state.coordinate {
        FogCoordinate::ViewDepth => w,
        FogCoordinate::WindowDepth => saturate(z),
    };
    let left = factor(state.mode, constants, distance);
    let lost = 1.0 - left;
    let mix = |channel: usize| fma(left, color[channel], lost * constants.fog_color[channel]);
    [mix(0), mix(1), mix(2), color[3]]
}

/// How much of the fragment's colour is left.
fn factor(mode: FogMode, constants: &Prepared, distance: f32) -> f32 {
    let scaled = distance * constants.fog_scale;
    match mode {
        FogMode::Off => 1.0,
        FogMode::Linear => saturate((constants.fog_end - distance) * constants.fog_scale),
        FogMode::Exp => exp2(scaled),
        FogMode::Exp2 => exp2(-(scaled * scaled)),
    }
}

/// 2^t for t ≤ 0; below 2⁻¹²⁵ it is 2⁻¹²⁵. A polynomial of degree 5 on [−½, ½], error 2.1e−7; 1 at 0.
fn exp2(t: f32) -> f32 {
    // A NaN is the lower end, as the machine's `fmax` makes it.
    let limited = if t.is_nan() { -125.0 } else { t.clamp(-125.0, 0.0) };
    let n = limited.round_ties_even();
    let f = limited - n;
    let coefficients = [0.009_666_368, 0.055_503_81, 0.240_223_5, std::f32::consts::LN_2, 1.0];
    let p = coefficients.into_iter().fold(0.001_338_130_2, |p, coefficient| fma(p, f, coefficient));
    f32::from_bits(p.to_bits().wrapping_add_signed((n as i32) << 23))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Constants, Fog};

    fn factor_of(mode: FogMode, fog: Fog, distance: f32) -> f32 {
        factor(mode, &Constants { fog, ..Constants::DEFAULT }.prepared(mode), distance)
    }

    #[test]
    fn linear_fog_falls_from_start_to_end() {
        let fog = Fog { start: 2.0, end: 10.0, ..Fog::DEFAULT };
        let factors = [0.0, 2.0, 4.0, 6.0, 10.0, 99.0].map(|distance| factor_of(FogMode::Linear, fog, distance));
        assert_eq!(factors, [1.0, 1.0, 0.75, 0.5, 0.0, 0.0]);
        let turned = Fog { start: 10.0, end: 2.0, ..Fog::DEFAULT };
        assert_eq!([2.0, 4.0, 10.0, 99.0].map(|d| factor_of(FogMode::Linear, turned, d)), [0.0, 0.25, 1.0, 1.0]);
    }

    #[test]
    fn linear_fog_is_a_step_where_start_is_end() {
        let fog = Fog { start: 3.0, end: 3.0, ..Fog::DEFAULT };
        assert_eq!(
            [0.0, 2.999, 3.0, 3.001].map(|distance| factor_of(FogMode::Linear, fog, distance)),
            [1.0, 1.0, 0.0, 0.0]
        );
    }

    /// Values of e^−x from tables: e^−1, e^−0.5, e^−0.25, e^−4.
    #[test]
    fn exponential_fog_has_the_values_of_the_tables() {
        let close = |mode, density, distance, expected: f32| {
            let fog = Fog { density, ..Fog::DEFAULT };
            let factor = factor_of(mode, fog, distance);
            assert!((factor - expected).abs() < 4e-7, "{mode:?}, {density} · {distance}: {factor}, not {expected}");
        };
        close(FogMode::Exp, 0.5, 2.0, 0.367_879_44);
        close(FogMode::Exp, 0.25, 2.0, 0.606_530_66);
        close(FogMode::Exp2, 0.25, 2.0, 0.778_800_8);
        close(FogMode::Exp2, 0.5, 4.0, 0.018_315_64);
        close(FogMode::Exp, 100.0, 100.0, 0.0);
        assert_eq!(factor_of(FogMode::Exp, Fog { density: 0.0, ..Fog::DEFAULT }, 1e30), 1.0);
        assert_eq!(factor_of(FogMode::Exp2, Fog { density: 0.0, ..Fog::DEFAULT }, 1e30), 1.0);
    }

    #[test]
    fn fog_leaves_alpha_alone_and_its_ends_are_exact() {
        let fog = Fog { color: [0.25, 0.5, 2.0], start: 0.0, end: 1.0, density: 1.0 };
        let constants = Constants { fog, ..Constants::DEFAULT }.prepared(FogMode::Linear);
        let color = [0.1, 0.7, 0.3, 0.6];
        assert_eq!(fogged(FogState::LINEAR, &constants, color, 0.0, 0.5), color);
        assert_eq!(fogged(FogState::LINEAR, &constants, color, 1.0, 0.5), [0.25, 0.5, 1.0, 0.6]);
        let by_depth = FogState { coordinate: FogCoordinate::WindowDepth, ..FogState::LINEAR };
        assert_eq!(fogged(by_depth, &constants, [0.0, 0.0, 0.0, 1.0], 9.0, 0.5), [0.125, 0.25, 0.5, 1.0]);
    }
}
