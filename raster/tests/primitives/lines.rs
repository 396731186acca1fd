//! Lines: diamond exit, half open, width, interpolation, clipping.

use super::*;
use raster::Dynamic;

fn line(from: [f32; 2], to: [f32; 2]) -> Draw {
    draw_at(Topology::LineList, &[from, to])
}

fn wide(draw: Draw, line_width: f32) -> Draw {
    draw.with_dynamic(Dynamic { line_width, ..Dynamic::DEFAULT })
}

/// Vulkan, "Bresenham Line Segment Rasterization": half open, so the pixel of the end is left out.
#[test]
fn a17_a_line_and_its_reverse() {
    assert_eq!(covered(&line([0.5, 0.5], [5.5, 0.5])), rectangle(0..5, 0..1));
    assert_eq!(covered(&line([5.5, 0.5], [0.5, 0.5])), rectangle(1..6, 0..1));
    assert_eq!(covered(&line([0.5, 0.5], [0.5, 5.5])), rectangle(0..1, 0..5));
    assert_eq!(covered(&line([0.5, 5.5], [0.5, 0.5])), rectangle(0..1, 1..6));
    let diagonal: Vec<_> = (2..7).map(|i| (i, i)).collect();
    assert_eq!(covered(&line([2.5, 2.5], [7.5, 7.5])), diagonal);
}

#[test]
fn a17_a_line_of_no_length_has_no_pixel() {
    assert!(covered(&line([4.5, 4.5], [4.5, 4.5])).is_empty());
    assert!(covered(&line([4.25, 4.75], [4.25, 4.75])).is_empty());
}

#[test]
fn a17_a_closed_loop_has_each_pixel_once() {
    let corners = [[1.5, 1.5], [6.5, 1.5], [6.5, 6.5], [1.5, 6.5]];
    let ring: Vec<_> = rectangle(1..7, 1..7)
        .into_iter()
        .filter(|&(x, y)| [x, y].iter().any(|&place| place == 1 || place == 6))
        .collect();
    assert_eq!(ring.len(), 20);
    for corners in [corners, [corners[3], corners[2], corners[1], corners[0]]] {
        let looped = draw_at(Topology::LineLoop, &corners);
        assert_eq!(covered(&looped), ring);
        assert_eq!(counts(&looped, SIZE).iter().max(), Some(&1));
        assert_eq!(counts(&looped, SIZE).iter().sum::<u32>(), 20);
    }
}

#[test]
fn a_strip_draws_no_joint_twice_and_leaves_its_last_pixel_out() {
    let strip = draw_at(Topology::LineStrip, &[[0.5, 8.5], [4.5, 7.5], [9.5, 8.5], [15.5, 3.5]]);
    let counts = counts(&strip, SIZE);
    assert_eq!(counts.iter().sum::<u32>(), 15);
    for x in 0..16 {
        assert_eq!((0..16).map(|y| counts[y * 16 + x]).sum::<u32>(), u32::from(x < 15), "column {x}");
    }
    assert_eq!(covered(&strip).len(), 15);
}

/// OpenGL ES 1.1, `glLineWidth`: rounded; an x-major line has `width` pixels in each column.
#[test]
fn widths_are_rounded_and_repeat_pixels_across() {
    let horizontal = line([2.5, 8.5], [7.5, 8.5]);
    assert_eq!(covered(&wide(horizontal.clone(), 0.1)), rectangle(2..7, 8..9));
    assert_eq!(covered(&wide(horizontal.clone(), 1.4)), rectangle(2..7, 8..9));
    assert_eq!(covered(&wide(horizontal.clone(), 3.0)), rectangle(2..7, 7..10));
    assert_eq!(covered(&wide(horizontal, 2.0)), rectangle(2..7, 7..9));
    assert_eq!(covered(&wide(line([8.5, 2.5], [8.5, 7.5]), 5.0)), rectangle(6..11, 2..7));
    let diagonal = covered(&wide(line([2.5, 2.5], [7.5, 7.5]), 3.0));
    assert_eq!(diagonal.len(), 15);
    assert!((2..7).all(|x| (x - 1..x + 2).all(|y| diagonal.contains(&(x, y)))));
}

/// Vulkan, "Line Rasterization": f = ((1 − t)·fa/wa + t·fb/wb) / ((1 − t)/wa + t/wb), depth linear.
#[test]
fn a19_lines_are_perspective_correct_and_depth_is_linear() {
    let state = State { topology: Topology::LineList, depth: raster::DepthState::LESS_WRITE, ..State::FLAT };
    let end = |x: f32, z: f32, w: f32, u: f32| {
        Vertex::at(Vec4::new(x * w, 0.0, z * w, w)).with(0, Vec4::new(u, 0.0, 0.0, 1.0))
    };
    let draw = draw(&colored(state), vec![end(-1.0, 0.25, 1.0, 0.0), end(1.0, 0.75, 3.0, 1.0)]);
    on_every_backend(|backend| {
        let target = render(backend, &frame(9, 1, vec![draw.clone()]));
        assert_eq!(target.color_at(4, 0) >> 16 & 255, 64);
        assert_eq!(target.depth_at(4, 0), 0.5);
    });
}

/// A line of one column: its only pixel's centre may lie far outside the line, but its inputs come from the line.
#[test]
fn short_lines_do_not_extrapolate() {
    let ends = [([3.97, 0.6], 0.2f32), ([4.03, 0.6], 0.8)];
    let vertices = ends.map(|(place, red)| at_pixel(place, SIZE, Vec4::new(red, 0.0, 0.0, 1.0)));
    let draw = draw(&colored(State { topology: Topology::LineList, ..State::FLAT }), vertices.to_vec());
    on_every_backend(|backend| {
        let target = render(backend, &frame(16, 16, vec![draw.clone()]));
        for word in target.shown().filter(|&word| word != 0) {
            assert!((51..=204).contains(&(word >> 16 & 255)), "{word:#x}");
        }
    });
}

#[test]
fn a16_a_line_through_the_near_plane_shows_its_front_part() {
    // z runs from 1 to −1, so the near plane is met half way, at the middle of the target.
    let vertices = vec![
        Vertex::at(Vec4::new(-1.0, 0.03, 1.0, 1.0)).with(0, WHITE),
        Vertex::at(Vec4::new(1.0, 0.03, -1.0, 1.0)).with(0, WHITE),
    ];
    let draw = draw(&colored(State { topology: Topology::LineList, ..State::FLAT }), vertices);
    assert_eq!(covered(&draw), rectangle(0..8, 7..8));
}

#[test]
fn lines_reach_the_edge_of_the_target() {
    assert_eq!(covered(&line([-700.5, 3.5], [900.5, 3.5])), rectangle(0..16, 3..4));
    assert_eq!(covered(&line([3.5, 1e6], [3.5, -1e6])), rectangle(3..4, 0..16));
}

#[test]
fn lines_have_no_side_to_be_culled_by() {
    let state = State { topology: Topology::LineStrip, cull: raster::Cull::FrontAndBack, ..State::FLAT };
    assert_eq!(covered(&draw(&colored(state), white(&[[0.5, 2.5], [9.5, 2.5]]))).len(), 9);
}

#[test]
fn a_wireframe_draws_the_edges_of_triangles() {
    let pipeline = colored(State { topology: Topology::LineList, ..State::FLAT });
    let corners = white(&[[1.5, 1.5], [10.5, 1.5], [10.5, 10.5], [1.5, 10.5]]);
    let lines = raster::indices::wireframe(&[0, 1, 2, 0, 2, 3]);
    assert_eq!(lines.len(), 10);
    let pixels = covered(&indexed(&pipeline, corners, lines));
    assert!((1..10).all(|i| [(i, 1), (10, i), (i, i)].iter().all(|pixel| pixels.contains(pixel))));
    assert!(!pixels.contains(&(5, 3)));
}
