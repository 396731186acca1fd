//! Fog (OpenGL ES 1.1, `glFog`).

use super::*;
use raster::{BlendState, Fog, FogCoordinate, FogState, RenderError};

const FOG: Fog = Fog { color: [0.0, 0.2, 1.0], start: 0.0, end: 4.0, density: 0.25 };

/// A pixel at clip-space w = 2, for which the source is white.
fn fogged(state: FogState, fog: Fog, blend: BlendState) -> [u8; 4] {
    let pipeline = pipeline(COLOR, State { fog: state, ..State::FLAT.blended(blend) });
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]: [f32; 2]| {
        Vertex::at(Vec4::new(2.0 * x, 2.0 * y, 0.5, 2.0)).with(0, Vec4::new(1.0, 1.0, 1.0, 0.4))
    });
    let constants = Constants { fog, ..Constants::DEFAULT };
    let mut found = None;
    drawn(Clear::to([0.0; 4]), &[with(draw(&pipeline, corners.to_vec()), constants)], |target| {
        let word = pixel(target, 8, 8);
        assert_eq!(*found.get_or_insert(word), word, "the backends do not agree");
    });
    found.expect("there are backends")
}

/// f · white + (1 − f) · fog: f = (4 − 2)/4 = 0.5; e^−0.5 = 0.6065; e^−0.25 = 0.7788. Alpha stays.
#[test]
fn fog_has_the_three_curves_of_the_specification() {
    let plain = BlendState::REPLACE;
    assert_eq!(fogged(FogState::OFF, FOG, plain), [255, 255, 255, 102]);
    assert_eq!(fogged(FogState::LINEAR, FOG, plain), [128, 153, 255, 102]); // 127.5 to even.
    assert_eq!(fogged(FogState::EXP, FOG, plain), [155, 175, 255, 102]); // 154.7, 174.7
    assert_eq!(fogged(FogState::EXP2, FOG, plain), [199, 210, 255, 102]); // 198.6, 209.9
}

#[test]
fn fog_where_start_is_end_is_a_step() {
    let at = |place| fogged(FogState::LINEAR, Fog { start: place, end: place, ..FOG }, BlendState::REPLACE);
    assert_eq!(at(2.5), [255, 255, 255, 102], "before it all of the colour is left");
    assert_eq!(at(2.0), [0, 51, 255, 102], "from there on nothing");
    assert_eq!(at(1.5), [0, 51, 255, 102]);
}

#[test]
fn fog_of_the_window_depth_serves_parallel_projections() {
    let state = FogState { coordinate: FogCoordinate::WindowDepth, ..FogState::LINEAR };
    // z / w = 0.25.
    assert_eq!(fogged(state, Fog { end: 1.0, ..FOG }, BlendState::REPLACE), [191, 204, 255, 102]);
}

/// Fog comes before blending: what is blended is the fogged colour. The clear colour has no fog.
#[test]
fn fog_comes_before_blending_and_leaves_the_clear_color_alone() {
    // 0.4 · (127.5, 153, 255) over black, alpha 0.4 · 0.4.
    assert_eq!(fogged(FogState::LINEAR, FOG, BlendState::ALPHA), [51, 61, 102, 41]);
    let pipeline = pipeline(COLOR, State { fog: FogState::LINEAR, ..State::FLAT });
    let draw = with(rectangle([0, 0, 4, 4], 0.5, [1.0; 4], &pipeline), Constants { fog: FOG, ..Constants::DEFAULT });
    drawn(Clear::to(bytes([9, 8, 7, 6])), &[draw], |target| assert_eq!(pixel(target, 9, 9), [9, 8, 7, 6]));
}

#[test]
fn a_negative_density_is_refused_before_anything_is_drawn() {
    let pipeline = pipeline(COLOR, State { fog: FogState::EXP, ..State::FLAT });
    let constants = Constants { fog: Fog { density: -1.0, ..FOG }, ..Constants::DEFAULT };
    let draws = vec![everywhere(0.5, [1.0; 4], &pipeline), with(everywhere(0.5, [1.0; 4], &pipeline), constants)];
    for mut backend in backends() {
        let error = backend.render(&frame(SIZE, SIZE, draws.clone())).expect_err("the density is negative");
        let RenderError::Dynamic { draw: 1, cause } = error else { panic!("{error}") };
        assert_eq!(cause.to_string(), "the fog's density is -1; it must not be negative");
    }
}
