//! Assembly: indices, restart, strips and fans, the provoking vertex, instances.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use proptest::prelude::*;
use raster::{Cull, Dynamic, FrontFace, Indices, ProvokingVertex, Viewport};
use seeded::seeded;

/// The colour is that of the provoking vertex.
const FLAT_COLOR: &str = "
    @fragment fn main(@location(0) @interpolate(flat) color: vec4<f32>) -> @location(0) vec4<f32> { return color; }
";

/// The corners of a square in the order of a strip.
const STRIP: [[f32; 2]; 4] = [[2.0, 3.0], [2.0, 11.0], [10.0, 3.0], [10.0, 11.0]];

/// OpenGL, "Polygons", and A12: whichever topology, each pixel once.
#[test]
fn a12_a_square_as_list_strip_and_fan() {
    let square = rectangle(2..10, 3..11);
    let fan = [STRIP[0], STRIP[1], STRIP[3], STRIP[2]];
    let list = [STRIP[0], STRIP[1], STRIP[2], STRIP[2], STRIP[1], STRIP[3]];
    for draw in [
        draw_at(Topology::TriangleStrip, &STRIP),
        draw_at(Topology::TriangleFan, &fan),
        draw_at(Topology::TriangleList, &list),
    ] {
        assert_eq!(covered(&draw), square);
        let counts = counts(&draw, SIZE);
        assert_eq!((counts.iter().sum::<u32>(), counts.iter().max()), (64, Some(&1)));
    }
}

/// All triangles of a strip or fan face the way of the first.
#[test]
fn every_triangle_of_a_strip_or_fan_turns_one_way() {
    let fan = [STRIP[0], STRIP[1], STRIP[3], STRIP[2]];
    for (topology, places) in [(Topology::TriangleStrip, STRIP), (Topology::TriangleFan, fan)] {
        for provoking_vertex in [ProvokingVertex::First, ProvokingVertex::Last] {
            let count = |cull, front_face| {
                let state = State { topology, cull, front_face, provoking_vertex, ..State::FLAT };
                covered(&draw(&colored(state), white(&places))).len()
            };
            // Down, right, up: against the clock.
            assert_eq!(count(Cull::Back, FrontFace::CounterClockwise), 64);
            assert_eq!(count(Cull::Front, FrontFace::CounterClockwise), 0);
            assert_eq!(count(Cull::Front, FrontFace::Clockwise), 64);
            assert_eq!(count(Cull::FrontAndBack, FrontFace::Clockwise), 0);
        }
    }
}

/// glTF 2.0 and A31: p_i = {v_i, v_(i + (1 + i % 2)), v_(i + (2 − i % 2))}, and the quad is the same in modes 4 to 6.
#[test]
fn a31_indices_of_every_width_give_the_same_picture() {
    let vertices = || white(&STRIP);
    let draws = |topology, list: &[u8]| {
        let pipeline = colored(State { topology, ..State::FLAT });
        let wide = |index: &u8| u32::from(*index);
        [
            indexed(&pipeline, vertices(), list.to_vec()),
            indexed(&pipeline, vertices(), list.iter().map(|&index| u16::from(index)).collect::<Vec<_>>()),
            indexed(&pipeline, vertices(), list.iter().map(wide).collect::<Vec<_>>()),
        ]
    };
    let all = [
        draws(Topology::TriangleList, &[0, 1, 2, 2, 1, 3]),
        draws(Topology::TriangleStrip, &[0, 1, 2, 3]),
        draws(Topology::TriangleFan, &[0, 1, 3, 2]),
    ];
    for draw in all.iter().flatten() {
        assert_eq!(covered(draw), rectangle(2..10, 3..11));
    }
    let none = indexed(&colored(State { topology: Topology::TriangleStrip, ..State::FLAT }), vertices(), Indices::None);
    assert_eq!(covered(&none), rectangle(2..10, 3..11));
}

#[test]
fn an_index_of_all_ones_restarts() {
    let two =
        white(&[[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [4.0, 4.0], [8.0, 8.0], [8.0, 12.0], [12.0, 8.0], [12.0, 12.0]]);
    let both = [rectangle(0..4, 0..4), rectangle(8..12, 8..12)].concat();
    let strip = State { topology: Topology::TriangleStrip, primitive_restart: true, ..State::FLAT };
    let strips: [Indices; 3] = [
        vec![0u8, 1, 2, 3, 0xff, 4, 5, 6, 7].into(),
        vec![0u16, 1, 2, 3, 0xffff, 0xffff, 4, 5, 6, 7, 0xffff].into(),
        vec![u32::MAX, 0, 1, 2, 3, u32::MAX, 4, 5, 6, 7].into(),
    ];
    for indices in strips {
        assert_eq!(covered(&indexed(&colored(strip), two.clone(), indices)), both);
    }
    let fan = State { topology: Topology::TriangleFan, ..strip };
    assert_eq!(covered(&indexed(&colored(fan), two.clone(), vec![0u8, 1, 3, 2, 0xff, 4, 5, 7, 6])), both);
    // What is left over before a restart is dropped.
    let list = State { topology: Topology::TriangleList, ..strip };
    let rest = vec![0u8, 1, 2, 2, 0xff, 2, 1, 3, 0xff, 4, 5, 6, 6, 5, 7, 0];
    assert_eq!(covered(&indexed(&colored(list), two.clone(), rest)), both);
    let looped = State { topology: Topology::LineLoop, ..strip };
    let corners = white(&[[1.5, 1.5], [1.5, 5.5], [5.5, 5.5], [5.5, 1.5], [8.5, 8.5], [8.5, 11.5], [11.5, 8.5]]);
    let loops = indexed(&colored(looped), corners, vec![0u8, 1, 2, 3, 0xff, 4, 5, 6]);
    assert_eq!(counts(&loops, SIZE).iter().sum::<u32>(), 16 + 9);
}

#[test]
fn flat_inputs_come_from_the_provoking_vertex() {
    let colors = [rgb(1, 0, 0), rgb(2, 0, 0), rgb(3, 0, 0), rgb(4, 0, 0), rgb(5, 0, 0)];
    // Five places such that triangles of list, strip and fan have each an inside.
    let places = [[2.0, 2.0], [2.0, 14.0], [8.0, 2.0], [8.0, 14.0], [14.0, 2.0]];
    let reds = |topology, provoking_vertex, count: usize| {
        let vertices = places.iter().zip(colors).map(|(&place, color)| at_pixel(place, SIZE, color));
        let state = State { topology, provoking_vertex, ..State::FLAT };
        let draw = draw(&pipeline(FLAT_COLOR, state), vertices.take(count).collect());
        let mut all: Option<Vec<u32>> = None;
        on_every_backend(|backend| {
            let target = render(backend, &frame(16, 16, vec![draw.clone()]));
            let mut found: Vec<_> = target.shown().filter(|&word| word != 0).map(|word| word >> 16 & 255).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(*all.get_or_insert(found.clone()), found);
        });
        all.expect("there are backends")
    };
    use ProvokingVertex::{First, Last};
    assert_eq!(reds(Topology::TriangleList, First, 3), [1]);
    assert_eq!(reds(Topology::TriangleList, Last, 3), [3]);
    assert_eq!(reds(Topology::TriangleStrip, First, 5), [1, 2, 3]);
    assert_eq!(reds(Topology::TriangleStrip, Last, 5), [3, 4, 5]);
    // The fan's first triangle is 1, 2, 0 (Vulkan).
    assert_eq!(reds(Topology::TriangleFan, First, 3), [2]);
    assert_eq!(reds(Topology::TriangleFan, Last, 3), [3]);
    assert_eq!(reds(Topology::LineStrip, First, 3), [1, 2]);
    assert_eq!(reds(Topology::LineStrip, Last, 3), [2, 3]);
    assert_eq!(reds(Topology::LineLoop, First, 3), [1, 2, 3]);
    assert_eq!(reds(Topology::LineLoop, Last, 3), [1, 2, 3]);
    assert_eq!(reds(Topology::PointList, First, 3), [1, 2, 3]);
}

#[test]
fn instances_are_drawn_one_after_the_other() {
    let pipeline = colored(State { topology: Topology::TriangleStrip, ..State::FLAT });
    let draw = Draw::list(&pipeline, 4, |_| Vertex::at(Vec4::ZERO)).with_instances(3, 4, |vertex, instance| {
        let [x, y] = [[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [4.0, 4.0]][vertex as usize];
        let step = (instance - 3) as f32 * 2.0;
        at_pixel([x + step, y + step], SIZE, rgb(instance * 10, 0, 0))
    });
    assert_eq!(draw.primitive_count(), 8);
    on_every_backend(|backend| {
        let target = render(backend, &frame(16, 16, vec![draw.clone()]));
        let red = |x, y| target.color_at(x, y) >> 16 & 255;
        // Later ones lie over earlier ones.
        assert_eq!([red(1, 1), red(3, 3), red(5, 5), red(7, 7), red(9, 9)], [30, 40, 50, 60, 60]);
        assert_eq!(target.color_at(10, 10), 0);
    });
    let none = draw.clone().with_instances(7, 0, |_, _| Vertex::at(Vec4::ZERO));
    assert!(covered(&none).is_empty());
}

#[test]
fn the_vertex_stage_runs_once_for_each_vertex_that_is_named_and_instance() {
    let runs: Arc<[AtomicU32; 20]> = Arc::new(std::array::from_fn(|_| AtomicU32::new(0)));
    let counter = Arc::clone(&runs);
    let pipeline = colored(State::FLAT);
    let indices = vec![4u16, 1, 9, 9, 1, 4, 4, 9, 7];
    let draw =
        Draw::indexed(&pipeline, 10, indices, |_| Vertex::at(Vec4::W)).with_instances(0, 2, move |vertex, instance| {
            counter[(instance * 10 + vertex) as usize].fetch_add(1, Ordering::Relaxed);
            Vertex::at(Vec4::W)
        });
    counts(&draw, SIZE);
    for (index, run) in runs.iter().enumerate() {
        let is_named = [1, 4, 7, 9].contains(&(index % 10));
        assert_eq!(
            run.load(Ordering::Relaxed),
            u32::from(is_named),
            "vertex {} of instance {}",
            index % 10,
            index / 10
        );
    }
}

proptest! {
    #![proptest_config(seeded(150))]

    /// Rows of a crooked grid as strips, columns of a fan: whatever the origin of the viewport, each pixel of it once.
    #[test]
    fn meshes_of_strips_and_fans_cover_every_pixel_once(
        moves in prop::collection::vec((-0.24f32..0.24, -0.24f32..0.24), 9),
        origin in prop::array::uniform2(-9.0f32..9.0),
        is_fan in any::<bool>(),
    ) {
        // The border lies on the clip volume's border, the nine inner points move freely within a cell.
        let place = |column: usize, row: usize| {
            let inner = (1..4).contains(&column) && (1..4).contains(&row);
            let (dx, dy) = if inner { moves[(row - 1) * 3 + column - 1] } else { (0.0, 0.0) };
            Vertex::at(Vec4::new((column as f32 + dx) / 2.0 - 1.0, 1.0 - (row as f32 + dy) / 2.0, 0.5, 1.0)).with(0, WHITE)
        };
        let (topology, vertices, indices): (_, Vec<_>, Vec<u8>) = if is_fan {
            // The border around a point anywhere inside.
            let ring = (0..4).map(|i| place(i, 0)).chain((0..4).map(|i| place(4, i)));
            let ring = ring.chain((1..=4).rev().map(|i| place(i, 4))).chain((0..=4).rev().map(|i| place(0, i)));
            let vertices: Vec<_> = [place(2, 2)].into_iter().chain(ring).collect();
            let indices = (0..vertices.len() as u8).collect();
            (Topology::TriangleFan, vertices, indices)
        } else {
            let vertices = (0..25).map(|i| place(i % 5, i / 5)).collect();
            let row = |row: u8| (0..5).flat_map(move |column| [row * 5 + column, row * 5 + 5 + column]).chain([0xff]);
            (Topology::TriangleStrip, vertices, (0..4).flat_map(row).collect())
        };
        let state = State { topology, primitive_restart: true, ..State::FLAT };
        let viewport = Some(Viewport::new(origin[0], origin[1], 16.0, 16.0));
        let mesh = indexed(&colored(state), vertices, indices).with_dynamic(Dynamic { viewport, ..Dynamic::DEFAULT });
        let size = (24, 24);
        let counts = counts(&mesh, size);
        let inside = raster::geometry::viewport::Screen::new(&mesh.dynamic, size).inside();
        for (pixel, &count) in (0..).zip(&counts) {
            let (x, y) = (pixel % 24, pixel / 24);
            prop_assert_eq!(count, u32::from(inside.holds(x, y)), "pixel {}, {}", x, y);
        }
    }
}
