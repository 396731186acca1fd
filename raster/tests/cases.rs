//! Known faults of rasterizers: small inputs with the right answer, counted by hand or exactly from the fill rule. Tests
//! called `a12_` to `a19_` hold one kind of fault each, told in their modules' names.

mod drawing;
#[path = "../src/seeded.rs"]
mod seeded;

use drawing::*;
use glam::{Vec2, Vec4};
use proptest::prelude::*;
use raster::geometry::bin::Bins;
use raster::geometry::clip::{ClipVertex, ClipVolume, SCALARS};
use raster::tile_shape::TileShape;
use raster::{Backend, DepthState, Frame, RenderError, State, TargetError, Vertex};
use seeded::seeded;

const SIZE: (u32, u32) = (16, 16);

fn on_every_backend(mut check: impl FnMut(&mut dyn Backend)) {
    for mut backend in backends() {
        check(&mut *backend);
    }
}

/// The six orders of a triangle's corners, both windings.
fn orders([a, b, c]: [[f32; 2]; 3]) -> [[[f32; 2]; 3]; 6] {
    [[a, b, c], [b, c, a], [c, a, b], [c, b, a], [b, a, c], [a, c, b]]
}

/// A square as two triangles.
fn square(from: f32, to: f32) -> Vec<[[f32; 2]; 3]> {
    let corners = [[from, from], [to, from], [to, to], [from, to]];
    vec![[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
}

/// Triangles around a centre, one to each pair of neighbours of a closed ring.
fn fan(center: [f32; 2], ring: &[[f32; 2]]) -> Vec<[[f32; 2]; 3]> {
    (0..ring.len()).map(|i| [center, ring[i], ring[(i + 1) % ring.len()]]).collect()
}

mod shared_edges {
    use super::*;

    /// Every pixel `inside` names exactly once, whatever the order of corners.
    fn check(triangles: &[[[f32; 2]; 3]], inside: impl Fn(u32, u32) -> bool) {
        on_every_backend(|backend| {
            for order in 0..6 {
                let triangles: Vec<_> = triangles.iter().map(|&triangle| orders(triangle)[order]).collect();
                let counts = coverage(backend, SIZE, &triangles);
                for (pixel, &count) in (0u32..).zip(&counts) {
                    let (x, y) = (pixel % SIZE.0, pixel / SIZE.0);
                    assert_eq!(count, u32::from(inside(x, y)), "{}: pixel {x}, {y}, order {order}", backend.name());
                }
            }
        });
    }

    #[test]
    fn a12_a_square_is_64_pixels_once() {
        check(&square(0.0, 8.0), |x, y| x < 8 && y < 8);
    }

    #[test]
    fn a12_a_square_on_pixel_centres_is_64_pixels_once() {
        check(&square(0.5, 8.5), |x, y| x < 8 && y < 8);
        on_every_backend(|backend| {
            let halves = square(0.5, 8.5);
            let pixels = |triangle| coverage(backend, SIZE, &[triangle]).iter().sum::<u32>();
            assert_eq!(halves.into_iter().map(pixels).collect::<Vec<_>>(), [36, 28]);
        });
    }

    #[test]
    fn a12_a_fan_to_the_border_is_256_pixels_once() {
        let ring = [[0., 0.], [8., 0.], [16., 0.], [16., 8.], [16., 16.], [8., 16.], [0., 16.], [0., 8.]];
        check(&fan([8.0, 8.0], &ring), |_, _| true);
    }

    #[test]
    fn a13_a_crooked_fan_has_171_pixels_and_no_hole() {
        let ring = [[8.5, 0.5], [15.5, 3.7], [14.8, 14.2], [6.1, 15.9], [0.7, 9.0], [2.1, 2.3]];
        on_every_backend(|backend| {
            let counts = coverage(backend, SIZE, &fan([8.3, 7.7], &ring));
            assert_eq!(counts.iter().sum::<u32>(), 171);
            assert_eq!(counts.iter().max(), Some(&1));
            let at = |x: usize, y: usize| counts[y * 16 + x];
            for (x, y) in (1..15).flat_map(|y| (1..15).map(move |x| (x, y))) {
                let neighbours = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
                assert!(neighbours < 4 || at(x, y) == 1, "a hole at {x}, {y}");
            }
        });
    }
}

mod high_resolution {
    use super::*;

    /// One triangle far larger than any target, brighter to the right and downwards.
    fn huge(width: u32, height: u32) -> Frame {
        let corner = |x: f32, y: f32| {
            let color = Vec4::new(x / width as f32, y / height as f32, 1.0, 1.0);
            at_pixel([x, y], (width, height), color)
        };
        let vertices = vec![corner(-40000.0, -40000.0), corner(120000.0, -40000.0), corner(-40000.0, 120000.0)];
        frame(width, height, vec![draw(&pipeline(COLOR, State::FLAT), vertices)])
    }

    fn check(backend: &mut dyn Backend, width: u32, height: u32) {
        let target = render(backend, &huge(width, height));
        let channel = |x, y, shift: u32| target.color_at(x, y) >> shift & 255;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            assert_eq!(target.color_at(x, y) & 0xff00_00ff, 0xff00_00ff, "pixel {x}, {y} is not covered");
            assert!(x == 0 || channel(x - 1, y, 16) <= channel(x, y, 16), "red falls at {x}, {y}");
            assert!(y == 0 || channel(x, y - 1, 8) <= channel(x, y, 8), "green falls at {x}, {y}");
            // The share of the way across at the pixel's centre, of 255; a tie may go either way.
            let is_right = |found: u32, place: u32, side: u32| {
                (i64::from(found * 2 * side) - i64::from((2 * place + 1) * 255)).abs() <= i64::from(side + side / 8 + 1)
            };
            assert!(is_right(channel(x, y, 16), x, width), "red is {} at {x}, {y}", channel(x, y, 16));
            assert!(is_right(channel(x, y, 8), y, height), "green is {} at {x}, {y}", channel(x, y, 8));
        }
    }

    #[test]
    fn a14_a_huge_triangle_covers_a_small_target() {
        on_every_backend(|backend| check(backend, 64, 64));
        on_every_backend(|backend| check(backend, 17, 3));
        on_every_backend(|backend| check(backend, 1, 1));
    }

    /// 3.7 million pixels: on the fast engine only.
    #[cfg(feature = "fast")]
    #[test]
    fn a14_a_huge_triangle_covers_a_large_target_on_the_device() {
        use gpu_core::config::GpuConfig;
        let mut device = raster::Device::new(GpuConfig::wide(4, 4, 32)).expect("a machine that draws");
        device.gpu_mut().set_engine(gpu_core::gpu::EngineChoice::fastest());
        check(&mut device, 2560, 1440);
    }

    /// What the backends share, up to the largest target: every edge accepts every pixel, and the bins hold every tile.
    #[test]
    fn a14_a_huge_triangle_covers_every_size() {
        for (width, height) in [(2560, 1440), (3440, 1440), (4096, 4096), (8192, 8192)] {
            let frame = huge(width, height);
            let mut geometry = raster::geometry::Geometry::default();
            geometry.add(0, &frame.draws[0], (width, height));
            let holes = (0..height as i32).step_by(61).flat_map(|y| (0..width as i32).step_by(31).map(move |x| (x, y)));
            let corner = |x: u32, y: u32| (x as i32 - 1, y as i32 - 1);
            for (x, y) in holes.chain([corner(1, 1), corner(width, 1), corner(1, height), corner(width, height)]) {
                let count = geometry.triangles.iter().filter(|triangle| triangle.covers(x, y)).count();
                assert_eq!(count, 1, "pixel {x}, {y} of {width} x {height}");
            }
            let mut bins = Bins::default();
            let shape = TileShape::new(16, 5).expect("16 lanes draw");
            bins.fill(&geometry.triangles, &shape, (width, height));
            assert_eq!(bins.tiles.len() as u32, width.div_ceil(32) * height.div_ceil(32));
        }
    }

    #[test]
    fn a14_sizes_beyond_the_limit_are_refused() {
        on_every_backend(|backend| {
            for (width, height) in [(8193, 16), (16, 8193), (u32::MAX, u32::MAX)] {
                let result = backend.render(&frame(width, height, Vec::new()));
                let expected = TargetError::TooLarge { width, height };
                let error = result.expect_err("it is too large");
                let chain = format!("{error:?} {error}");
                assert!(chain.contains(&width.to_string()) && error.to_string().contains("8192"), "{chain}");
                assert!(matches!(error, RenderError::Target(error) if error == expected));
            }
            let result = backend.render(&frame(0, 4, Vec::new()));
            assert!(matches!(result, Err(RenderError::Target(TargetError::Empty { width: 0, height: 4 }))));
        });
    }
}

mod extreme_vertices {
    use super::*;

    #[test]
    fn a15_bad_triangles_leave_good_ones_alone() {
        let pipeline = pipeline(COLOR, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
        let good = |places: [[f32; 2]; 3]| places.map(|place| at_pixel(place, SIZE, Vec4::new(1.0, 0.5, 0.25, 1.0)));
        let first = good([[1.0, 1.0], [9.0, 2.0], [3.0, 12.0]]);
        let last = good([[14.5, 3.0], [15.0, 14.0], [7.0, 15.5]]);
        let spoiled = |x: f32, y: f32| {
            let mut triangle = first;
            triangle[1].position.x = x;
            triangle[1].position.y = y;
            triangle
        };
        let bad = [spoiled(f32::NAN, 0.0), spoiled(f32::INFINITY, 0.0), spoiled(0.0, f32::NEG_INFINITY)];
        on_every_backend(|backend| {
            let clean = render(backend, &frame(16, 16, vec![draw(&pipeline, [first, last].concat())]));
            let mixed = [first, bad[0], bad[1], bad[2], last].concat();
            let with_bad = render(backend, &frame(16, 16, vec![draw(&pipeline, mixed)]));
            assert_eq!(clean, with_bad);
            let nan_w = {
                let mut triangle = first;
                triangle[2].position.w = f32::NAN;
                triangle
            };
            let only_bad = render(backend, &frame(16, 16, vec![draw(&pipeline, nan_w.to_vec())]));
            assert!(only_bad.shown().all(|word| word == 0));
        });
    }

    /// The corner far above pulls two edges nearly upright: columns 4 to 11 above the base stay covered.
    #[test]
    fn a15_a_huge_finite_coordinate_is_clipped_right() {
        on_every_backend(|backend| {
            let counts = coverage(backend, SIZE, &[[[4.0, 16.0], [12.0, 16.0], [8.0, -6.936318e8]]]);
            for (pixel, &count) in (0u32..).zip(&counts) {
                let x = pixel % 16;
                assert_eq!(count, u32::from((4..12).contains(&x)), "column {x}");
            }
        });
    }

    proptest! {
        #![proptest_config(seeded(200))]

        #[test]
        fn a15_no_vertex_makes_the_host_stages_panic(
            bits in prop::array::uniform3(prop::array::uniform4(any::<u32>())),
            lanes in prop::sample::select(vec![4u32, 8, 16, 32]),
        ) {
            let vertices = bits.map(|b| Vertex::at(Vec4::from_array(b.map(f32::from_bits))).with(0, WHITE)).to_vec();
            let frame = frame(64, 48, vec![draw(&pipeline(COLOR, State::FLAT), vertices)]);
            let mut geometry = raster::geometry::Geometry::default();
            geometry.add(0, &frame.draws[0], (64, 48));
            let shape = TileShape::new(lanes, 4).expect("these lanes draw");
            Bins::default().fill(&geometry.triangles, &shape, (64, 48));
        }
    }
}

mod near_plane {
    use super::*;

    /// A perspective projection of eye space (right, up, towards the viewer) with 90° field of view.
    fn project([x, y, z]: [f32; 3]) -> Vec4 {
        let (near, far) = (1.0, 10.0);
        let depth = far / (near - far);
        Vec4::new(x, y, depth * z + depth * near, -z)
    }

    #[test]
    fn a16_a_triangle_through_the_eye_shows_its_front_part() {
        let places = [[-5.0, -1.0, -5.0], [5.0, -1.0, -5.0], [0.0, -1.0, 5.0]];
        let vertices: Vec<_> = places.iter().map(|&place| Vertex::at(project(place)).with(0, WHITE)).collect();
        on_every_backend(|backend| {
            let target = render(backend, &frame(64, 64, vec![draw(&pipeline(COLOR, State::FLAT), vertices.clone())]));
            for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
                assert_eq!(target.color_at(x, y) != 0, y >= 38, "{}: pixel {x}, {y}", backend.name());
            }
        });
    }

    #[test]
    fn a16_clipping_keeps_the_winding() {
        let volume = ClipVolume::for_target(64, 64);
        let corner = |position: [f64; 4]| ClipVertex { position, scalars: [0.0; SCALARS] };
        let triangle = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [0.0, 1.0, -0.5, 1.0]].map(corner);
        let mut polygon = Vec::new();
        volume.clip(&triangle, 0, &mut polygon);
        let doubled: f64 = (0..polygon.len())
            .map(|i| (polygon[i].position, polygon[(i + 1) % polygon.len()].position))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        assert_eq!(polygon.len(), 4);
        assert!(doubled > 0.0);
    }
}

mod no_area {
    use super::*;

    #[test]
    fn a18_lines_and_slivers_between_centres_draw_nothing() {
        let sliver = |x0: f32, x1: f32| [[x0 / 16.0, 0.0], [x1 / 16.0, 0.0], [x1 / 16.0, 16.0]];
        on_every_backend(|backend| {
            let mut pixels = |triangle| coverage(backend, SIZE, &[triangle]).iter().sum::<u32>();
            assert_eq!(pixels([[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]]), 0);
            assert_eq!(pixels([[1.0, 1.0], [1.0, 1.0], [9.0, 4.0]]), 0);
            assert_eq!(pixels([[0.0, 4.0], [16.0, 4.0], [8.0, 4.0]]), 0);
            assert_eq!(pixels(sliver(49.0, 50.0)), 0);
            let counts = coverage(backend, SIZE, &[sliver(55.0, 57.0)]);
            let expected: Vec<u32> = (0..256).map(|i| u32::from(i % 16 == 3 && i / 16 < 8)).collect();
            assert_eq!(counts, expected);
        });
    }
}

mod perspective {
    use super::*;

    /// A band across 9 × 3 pixels: u runs from 0 at the left edge to 1 at the right, w from 1 to 3.
    fn band(left_z: f32, right_z: f32, from: f32) -> Vec<Vertex> {
        // `from` extends the band to the left, along the same line in clip space: 0 is the screen's edge.
        let end = |share: f32, y: f32| {
            let (w, u) = (1.0 + 2.0 * share, share);
            let x = 3.0 * share - (1.0 - share);
            let z = left_z * (1.0 - share) + right_z * share;
            Vertex::at(Vec4::new(x, y * w, z, w)).with(0, Vec4::new(u, 0.0, 0.0, 1.0))
        };
        let corners = [end(from, 1.0), end(1.0, 1.0), end(1.0, -1.0), end(from, -1.0)];
        [0, 1, 2, 0, 2, 3].map(|i| corners[i]).to_vec()
    }

    #[test]
    fn a19_attributes_are_perspective_correct_and_depth_is_linear() {
        let pipeline = pipeline(COLOR, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
        on_every_backend(|backend| {
            let target = render(backend, &frame(9, 3, vec![draw(&pipeline, band(0.25, 2.25, 0.0))]));
            // In the middle of the screen u is (0/1 + 1/3) / (1/1 + 1/3) = 1/4; depth is (0.25 + 0.75) / 2.
            assert_eq!(target.color_at(4, 1) >> 16 & 255, 64);
            assert_eq!(target.depth_at(4, 1), 0.5);
        });
    }

    #[test]
    fn a19_clipping_keeps_an_attribute_where_it_was() {
        let pipeline = pipeline(COLOR, State::FLAT);
        on_every_backend(|backend| {
            let whole = render(backend, &frame(9, 3, vec![draw(&pipeline, band(0.5, 0.5, 0.0))]));
            // The same surface, cut by the near plane left of the middle: z runs from −0.6 to 1.
            let cut = render(backend, &frame(9, 3, vec![draw(&pipeline, band(-0.2, 1.0, 0.0))]));
            for x in 4..9 {
                let red = |target: &raster::Target| (target.color_at(x, 1) >> 16 & 255) as i32;
                assert!((red(&whole) - red(&cut)).abs() <= 1, "pixel {x}: {} and {}", red(&whole), red(&cut));
            }
        });
    }

    #[test]
    fn linear_and_flat_inputs_are_what_they_say() {
        let source = "
            struct In { @location(0) @interpolate(linear) a: vec2<f32>, @location(1) @interpolate(flat) b: u32 }
            @fragment fn main(in: In) -> @location(0) vec4<f32> {
                return vec4<f32>(in.a.x, in.a.y, f32(in.b) / 255.0, 1.0);
            }";
        let pipeline = pipeline(source, State::FLAT);
        let vertices: Vec<_> = band(0.5, 0.5, 0.0)
            .into_iter()
            .zip([7u32, 1, 2, 7, 3, 4])
            .map(|(vertex, id)| Vertex::at(vertex.position).with(0, Vec2::new(vertex.locations[0][0], 1.0)).with(1, id))
            .collect();
        on_every_backend(|backend| {
            let target = render(backend, &frame(9, 3, vec![draw(&pipeline, vertices.clone())]));
            // Half of 255 is a tie that interpolation may miss by an ulp either way.
            assert!([127, 128].contains(&(target.color_at(4, 1) >> 16 & 255)));
            assert!((0..9).all(|x| target.color_at(x, 1) & 0xffff == 0xff07));
        });
    }
}

mod machines {
    use gpu_core::config::GpuConfig;
    use raster::Device;

    #[test]
    fn a_machine_without_quads_is_refused_by_name() {
        for lanes in [1, 2, 3, 5, 12, 31] {
            let message = Device::new(GpuConfig::vortex(1, 4, lanes)).expect_err("it cannot draw").to_string();
            assert_eq!(message, format!("a warp of {lanes} lanes cannot draw; graphics needs 4, 8, 16 or 32 lanes"));
        }
    }
}

mod bad_draws {
    use super::*;
    use raster::{Bindings, Buffer, Draw, Sampler};

    #[test]
    fn indices_are_checked() {
        let pipeline = pipeline(COLOR, State::FLAT);
        on_every_backend(|backend| {
            let mut message = |indices: Vec<u32>| {
                let draw = Draw::indexed(&pipeline, 3, indices, |_| Vertex::at(Vec4::W));
                backend.render(&frame(4, 4, vec![draw])).expect_err("the indices are wrong").to_string()
            };
            assert_eq!(message(vec![0, 1]), "draw 0 has 2 indices; a triangle list needs a multiple of 3");
            assert_eq!(
                message(vec![0, 1, 2, 0, 3, 1]),
                "draw 0: index 4 is 3, but there are 3 vertices (0 to below that)"
            );
        });
    }

    #[test]
    fn resources_are_checked_by_name() {
        let source = "
            @group(0) @binding(2) var<uniform> tint: vec4<f32>;
            @fragment fn main() -> @location(0) vec4<f32> { return tint; }";
        let pipeline = pipeline(source, State::FLAT);
        on_every_backend(|backend| {
            let mut message = |bindings: Bindings| {
                let draw = Draw::list(&pipeline, 3, |_| Vertex::at(Vec4::W)).with_bindings(bindings);
                backend.render(&frame(4, 4, vec![draw])).expect_err("the bindings are wrong").to_string()
            };
            assert_eq!(
                message(Bindings::new()),
                "draw 0: the shader reads `tint` at group 0, binding 2, and nothing is bound there"
            );
            assert_eq!(
                message(Bindings::new().with(0, 2, Sampler::POINT)),
                "draw 0: `tint` at group 0, binding 2 needs a buffer, but a sampler is bound there"
            );
            assert_eq!(
                message(Bindings::new().with(0, 2, &Buffer::from_value(&1.0f32))),
                "draw 0: `tint` at group 0, binding 2 needs 16 bytes, the buffer has 4"
            );
        });
    }

    #[test]
    fn a_frame_without_triangles_is_the_clear_color() {
        on_every_backend(|backend| {
            let mut empty = frame(5, 4, vec![draw(&pipeline(COLOR, State::SOLID), Vec::new())]);
            empty.clear.color = [1.0, 0.0, 0.5, 1.0];
            empty.clear.depth = 0.25;
            let target = render(backend, &empty);
            assert!(target.shown().all(|word| word == 0xffff_0080));
            assert!(target.shown_depth().all(|word| word == 0.25f32.to_bits()));
        });
    }
}
