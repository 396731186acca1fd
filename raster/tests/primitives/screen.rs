//! Viewport, depth range, scissor, depth offset.

use super::*;
use raster::{Cull, DepthOffset, DepthState, Dynamic, Scissor, Viewport};

/// The whole clip volume at depth z.
fn whole(z: f32, dynamic: Dynamic) -> Draw {
    let corner = |x: f32, y: f32| Vertex::at(Vec4::new(x, y, z, 1.0)).with(0, WHITE);
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)];
    let depth = DepthState { compare: raster::Compare::Always, write: true };
    let state = State { topology: Topology::TriangleStrip, cull: Cull::Back, depth, ..State::FLAT };
    draw(&colored(state), corners).with_dynamic(dynamic)
}

fn scissored(x: i32, y: i32, width: i32, height: i32) -> Draw {
    whole(0.5, Dynamic { scissor: Some(Scissor { x, y, width, height }), ..Dynamic::DEFAULT })
}

fn in_viewport(viewport: Viewport) -> Draw {
    whole(0.5, Dynamic { viewport: Some(viewport), ..Dynamic::DEFAULT })
}

#[test]
fn a26_a_scissor_may_lie_outside_the_target() {
    assert_eq!(covered(&scissored(-5, -5, 10, 10)), rectangle(0..5, 0..5));
    assert!(covered(&scissored(16, 16, 1, 1)).is_empty());
    assert!(covered(&scissored(0, 0, 0, 0)).is_empty());
    assert!(covered(&scissored(i32::MAX, 0, 10, 10)).is_empty());
    assert_eq!(covered(&scissored(3, 14, i32::MAX, i32::MAX)), rectangle(3..16, 14..16));
    assert_eq!(covered(&scissored(i32::MIN, i32::MIN, i32::MAX, i32::MAX)), []);
}

#[test]
fn a26_a_negative_scissor_is_refused_before_anything_is_drawn() {
    on_every_backend(|backend| {
        let frame = frame(16, 16, vec![whole(0.5, Dynamic::DEFAULT), scissored(0, 0, -1, 4)]);
        let message = backend.render(&frame).expect_err("it is negative").to_string();
        assert_eq!(message, "draw 1: the scissor is -1 x 4 pixels; neither may be negative");
    });
}

/// OpenGL ES 1.1, `glScissor`: (0, 0, 1, 1) is one pixel. Wherever it lies in a tile and a block.
#[test]
fn a26_a_scissor_of_one_pixel_draws_that_pixel() {
    for (x, y) in [(0, 0), (7, 8), (8, 7), (15, 15), (5, 2), (1, 1)] {
        assert_eq!(covered(&scissored(x, y, 1, 1)), [(x as u32, y as u32)]);
    }
    assert_eq!(covered(&scissored(6, 3, 5, 9)), rectangle(6..11, 3..12));
}

/// x = x0 + (x/w + 1) · width/2 (OpenGL ES 1.1, `glViewport`; y runs down here): the volume's edges are the viewport's.
#[test]
fn a_viewport_holds_the_pixels_whose_centres_lie_in_it() {
    assert_eq!(covered(&in_viewport(Viewport::new(3.0, 5.0, 7.0, 4.0))), rectangle(3..10, 5..9));
    assert_eq!(covered(&in_viewport(Viewport::new(2.75, 5.25, 7.0, 4.5))), rectangle(3..10, 5..10));
    assert_eq!(covered(&in_viewport(Viewport::new(-100.0, -50.0, 104.0, 58.0))), rectangle(0..4, 0..8));
    assert_eq!(covered(&in_viewport(Viewport::new(-1e6, -1e6, 2e6, 3e6))), rectangle(0..16, 0..16));
    assert!(covered(&in_viewport(Viewport::new(20.0, 5.0, 7.0, 4.0))).is_empty());
    assert!(covered(&in_viewport(Viewport::new(3.0, 5.0, 0.0, 4.0))).is_empty());
}

/// Triangles are clipped to the viewport, also where the guard band would let them go on.
#[test]
fn nothing_is_drawn_outside_the_viewport() {
    let viewport = Some(Viewport::new(4.0, 4.0, 8.0, 8.0));
    let huge = white(&[[-100.0, -100.0], [300.0, -100.0], [-100.0, 300.0]]);
    let huge = draw(&colored(State::FLAT), huge).with_dynamic(Dynamic { viewport, ..Dynamic::DEFAULT });
    assert_eq!(covered(&huge), rectangle(4..12, 4..12));
    let both = Dynamic { scissor: Some(Scissor { x: 0, y: 6, width: 7, height: 100 }), ..huge.dynamic };
    assert_eq!(covered(&huge.with_dynamic(both)), rectangle(4..7, 6..12));
}

/// z_window = n + z · (f − n), n > f is legal, both are clamped to [0, 1] (OpenGL ES 1.1, `glDepthRange`).
#[test]
fn depth_ranges() {
    let cases = [
        (0.0, 1.0, 0.25, 0.25),
        (0.5, 0.75, 0.5, 0.625),
        (1.0, 0.0, 0.25, 0.75),
        (-2.0, 9.0, 0.25, 0.25),
        (0.5, 0.5, 0.9, 0.5),
    ];
    for (near, far, z, expected) in cases {
        let viewport = Some(Viewport::of_target(16, 16).with_depth(near, far));
        on_every_backend(|backend| {
            let draw = whole(z, Dynamic { viewport, ..Dynamic::DEFAULT });
            let target = render(backend, &frame(16, 16, vec![draw]));
            assert_eq!(target.depth_at(7, 7), expected, "{near} to {far}");
        });
    }
}

/// o = m · factor + r · units, added before the test and the write; the result is limited to [0, 1].
#[test]
fn depth_offset_moves_triangles() {
    let depth_of = |z: f32, factor: f32, units: f32| {
        let draw = whole(z, Dynamic { depth_offset: DepthOffset { factor, units }, ..Dynamic::DEFAULT });
        let mut depths = Vec::new();
        on_every_backend(|backend| {
            depths.push(render(backend, &frame(16, 16, vec![draw.clone()])).depth_at(5, 6).to_bits());
        });
        assert!(depths.iter().all(|depth| *depth == depths[0]));
        f32::from_bits(depths[0])
    };
    // Flat: the slope is 0, and a step of depths in [½, 1) is 2^-24.
    assert_eq!(depth_of(0.5, 3.0, 0.0), 0.5);
    assert_eq!(depth_of(0.5, 0.0, 1.0), f32::from_bits(0.5f32.to_bits() + 1));
    assert_eq!(depth_of(0.75, 0.0, -4.0), f32::from_bits(0.75f32.to_bits() - 4));
    assert_eq!(depth_of(0.5, 0.0, 1e9), 1.0);
    assert_eq!(depth_of(0.5, 0.0, -1e9), 0.0);
    // Sloped: z grows by 1/32 a pixel in x and falls by 1/64 in y, so the larger slope is 1/32.
    let vertex = |x: f32, y: f32| {
        let mut vertex = at_pixel([x, y], SIZE, WHITE);
        vertex.position.z = 0.25 + x / 32.0 - y / 64.0;
        vertex
    };
    let state = State { depth: DepthState { compare: raster::Compare::Always, write: true }, ..State::FLAT };
    let sloped = |factor| {
        let dynamic = Dynamic { depth_offset: DepthOffset { factor, units: 0.0 }, ..Dynamic::DEFAULT };
        draw(&colored(state), vec![vertex(0.0, 0.0), vertex(16.0, 0.0), vertex(0.0, 16.0)]).with_dynamic(dynamic)
    };
    on_every_backend(|backend| {
        let mut depth = |factor| render(backend, &frame(16, 16, vec![sloped(factor)])).depth_at(4, 2);
        let plain = depth(0.0);
        assert_eq!(plain, 0.25 + 4.5 / 32.0 - 2.5 / 64.0);
        assert_eq!(depth(2.0), plain + 2.0 / 32.0);
        assert_eq!(depth(-1.0), plain - 1.0 / 32.0);
    });
}

/// What an offset is for: a decal on a surface wins everywhere, whatever the slope.
#[test]
fn a_decal_with_an_offset_lies_on_top() {
    let vertex = |x: f32, y: f32, color| {
        let mut vertex = at_pixel([x, y], SIZE, color);
        vertex.position.z = 0.3 + x / 37.0 + y / 91.0;
        vertex
    };
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    let wall = draw(
        &colored(state),
        [[0.0, 0.0], [18.0, 1.0], [1.0, 17.0]].map(|[x, y]| vertex(x, y, rgb(255, 0, 0))).to_vec(),
    );
    let decal = [[2.0, 1.0], [10.0, 3.0], [3.0, 9.0]].map(|[x, y]| vertex(x, y, rgb(0, 255, 0)));
    let decal = draw(&colored(state), decal.to_vec());
    let alone = covered(&decal).len();
    let raised =
        decal.with_dynamic(Dynamic { depth_offset: DepthOffset { factor: -1.0, units: -2.0 }, ..Dynamic::DEFAULT });
    on_every_backend(|backend| {
        let target = render(backend, &frame(16, 16, vec![wall.clone(), raised.clone()]));
        assert_eq!(target.shown().filter(|&word| word == 0xff00_ff00).count(), alone);
    });
}

/// A scissor that leaves all of the target costs nothing: it is drawn by the same kernel.
#[test]
fn a_scissor_round_the_whole_target_needs_no_rectangles() {
    assert!(!Geometry::needs_rectangles(&whole(0.5, Dynamic::DEFAULT), SIZE));
    assert!(!Geometry::needs_rectangles(&scissored(-3, 0, 40, 16), SIZE));
    assert!(!Geometry::needs_rectangles(&in_viewport(Viewport::new(-3.0, -3.0, 40.0, 40.0)), SIZE));
    assert!(Geometry::needs_rectangles(&scissored(0, 0, 16, 15), SIZE));
    assert!(Geometry::needs_rectangles(&in_viewport(Viewport::new(0.0, 0.6, 16.0, 16.0)), SIZE));
    assert!(Geometry::needs_rectangles(&draw_at(Topology::PointList, &[[3.0, 3.0]]), SIZE));
}
