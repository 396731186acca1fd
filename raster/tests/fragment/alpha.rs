//! The alpha test, and fragments that are dropped: nothing at all changes (OpenGL ES 1.1, `glAlphaFunc`).

use super::*;
use raster::{ColorFormat, Compare, DepthFormat, DepthState, StencilFace, StencilOperation, StencilState};

/// Every outcome of the stencil test leaves a mark, so that any test of a dropped fragment would show.
const MARKING: StencilFace =
    StencilFace { fail: StencilOperation::Invert, depth_fail: StencilOperation::IncrementWrap, ..StencilFace::REPLACE };

const DISCARDING: &str = "
    @fragment fn main(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> {
        if color.a < 0.5 { discard; }
        return color;
    }";

/// A near quad of alpha 0 whose fragments are dropped, then a far quad.
fn check_dropped(source: &str, near: State) {
    for format in DepthFormat::ALL {
        let stencil = if format.has_stencil() { StencilState::both(MARKING) } else { StencilState::OFF };
        let near =
            pipeline(source, State { depth: DepthState::LESS_WRITE, stencil, ..near }.on(ColorFormat::Rgba8, format));
        let far = State { depth: DepthState::LESS_WRITE, ..State::FLAT }.on(ColorFormat::Rgba8, format);
        let far = pipeline(COLOR, far);
        let constants = Constants { alpha_reference: 0.5, ..Constants::DEFAULT.with_stencil_reference(9) };
        let dropped = with(everywhere(0.25, [1.0, 0.0, 0.0, 0.0], &near), constants);
        let clear = Clear { stencil: 3, ..Clear::BLACK };
        drawn(clear, std::slice::from_ref(&dropped), |target| {
            assert_eq!(pixel(target, 5, 5), [0, 0, 0, 255]);
            assert_eq!(target.depth_at(5, 5), 1.0, "{format:?}: the depth is as it was");
            let stencil = if format.has_stencil() { 3 } else { 0 };
            assert_eq!(target.stencil_at(5, 5), stencil, "{format:?}: the stencil value is as it was");
        });
        drawn(clear, &[dropped, everywhere(0.75, [0.0, 1.0, 0.0, 1.0], &far)], |target| {
            assert!(target.shown().all(|word| word == 0xff00_ff00), "the far quad is fully visible");
        });
    }
}

#[test]
fn a24_a_fragment_that_fails_the_alpha_test_leaves_nothing_behind() {
    check_dropped(COLOR, State { alpha_test: Compare::Greater, ..State::FLAT });
}

#[test]
fn a24_a_discarded_fragment_leaves_nothing_behind() {
    check_dropped(DISCARDING, State::FLAT);
}

/// One that passes leaves colour, depth and stencil value, although the tests come late.
#[test]
fn a_fragment_that_passes_the_alpha_test_is_tested_and_written_as_any_other() {
    let state = State {
        alpha_test: Compare::Greater,
        depth: DepthState::LESS_WRITE,
        stencil: StencilState::both(MARKING),
        ..State::FLAT
    };
    let pipeline = pipeline(COLOR, state.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8));
    let constants = Constants { alpha_reference: 0.5, ..Constants::DEFAULT.with_stencil_reference(9) };
    let near = with(rectangle([0, 0, 8, 16], 0.25, [1.0; 4], &pipeline), constants);
    let far = with(everywhere(0.75, [0.0, 0.0, 1.0, 1.0], &pipeline), constants);
    drawn(Clear::BLACK, &[near, far], |target| {
        assert_eq!((pixel(target, 2, 2), target.stencil_at(2, 2)), ([255; 4], 10), "the far one fails by depth");
        assert_eq!((pixel(target, 12, 2), target.stencil_at(12, 2)), ([0, 0, 255, 255], 9));
    });
}

#[test]
fn the_alpha_test_has_eight_functions_and_a_clamped_reference() {
    let passes = |alpha: f32, reference: f32| {
        Compare::ALL.map(|alpha_test| {
            let constants = Constants { alpha_reference: reference, ..Constants::DEFAULT };
            one_pixel([0; 4], [1.0, 1.0, 1.0, alpha], State { alpha_test, ..State::FLAT }, constants)[0] == 255
        })
    };
    let (y, n) = (true, false);
    assert_eq!(passes(0.25, 0.5), [n, y, n, y, n, y, n, y]);
    assert_eq!(passes(0.5, 0.5), [n, n, y, y, n, n, y, y]);
    // The reference is 1, and so is the alpha.
    assert_eq!(passes(7.0, 3.0), [n, n, y, y, n, n, y, y]);
}

/// Early where nothing can go wrong: without stencil, and with a stencil that is only read, tests come first and only the
/// writing of a depth waits.
#[test]
fn tests_come_late_only_where_a_dropped_fragment_could_leave_a_stencil_value() {
    let is_late = |source, alpha_test, face| {
        let stencil = StencilState { front: StencilFace::OFF, back: face };
        let state = State { alpha_test, stencil, depth: DepthState::LESS_WRITE, ..State::FLAT };
        pipeline(source, state.on(ColorFormat::Rgba8, DepthFormat::Depth24Stencil8)).tests_late()
    };
    assert!(!is_late(COLOR, Compare::Always, MARKING));
    assert!(!is_late(COLOR, Compare::Less, StencilFace::EQUAL));
    assert!(!is_late(DISCARDING, Compare::Always, StencilFace::OFF));
    assert!(is_late(COLOR, Compare::Less, MARKING));
    assert!(is_late(DISCARDING, Compare::Always, MARKING));
}
