//! Points, lines and triangles of every topology: the rules of viewport, scissor, assembly and rasterization, each with the
//! values that the specifications give or that were counted by hand; and the device against the reference.
//!
//! `covered` and its like say on every backend which pixels a draw touches.

#[path = "../drawing/mod.rs"]
mod drawing;
#[path = "../../src/seeded.rs"]
mod seeded;

mod assembly;
mod bad_draws;
mod clipping;
mod lines;
mod points;
mod random;
mod screen;

use std::sync::Arc;

use drawing::*;
use glam::Vec4;
use raster::geometry::Geometry;
use raster::{Backend, Draw, Pipeline, State, Topology, Vertex};

const SIZE: (u32, u32) = (16, 16);

fn on_every_backend(mut check: impl FnMut(&mut dyn Backend)) {
    for mut backend in backends() {
        check(&mut *backend);
    }
}

/// A pipeline that draws `@location(0)`.
fn colored(state: State) -> Pipeline {
    pipeline(COLOR, state)
}

/// White vertices at places in pixels of the 16 × 16 target.
fn white(places: &[[f32; 2]]) -> Vec<Vertex> {
    places.iter().map(|&place| at_pixel(place, SIZE, WHITE)).collect()
}

/// White primitives with the vertices at these places.
fn draw_at(topology: Topology, places: &[[f32; 2]]) -> Draw {
    draw(&colored(State { topology, ..State::FLAT }), white(places))
}

/// The pixels that a draw of white touches, row after row; every backend agrees.
#[track_caller]
fn covered(draw: &Draw) -> Vec<(u32, u32)> {
    let mut found: Option<Vec<(u32, u32)>> = None;
    on_every_backend(|backend| {
        let target = render(backend, &frame(SIZE.0, SIZE.1, vec![draw.clone()]));
        let pixels = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
        let pixels: Vec<_> = pixels.filter(|&(x, y)| target.color_at(x, y) != 0).collect();
        let first = found.get_or_insert_with(|| pixels.clone());
        assert_eq!(*first, pixels, "{}", backend.name());
    });
    found.expect("there are backends")
}

/// How often each pixel is covered by the primitives of a draw, before any fragment operation.
fn counts(draw: &Draw, size: (u32, u32)) -> Vec<u32> {
    raster::check::check_draw(0, draw).expect("a plain draw");
    let mut geometry = Geometry::default();
    geometry.add(0, draw, size);
    let mut counts = vec![0; (size.0 * size.1) as usize];
    for triangle in &geometry.triangles {
        let bounds = triangle.bounds;
        for (x, y) in (bounds.y0..bounds.y1).flat_map(|y| (bounds.x0..bounds.x1).map(move |x| (x, y))) {
            counts[y as usize * size.0 as usize + x as usize] += u32::from(triangle.covers(x, y));
        }
    }
    counts
}

/// All pixels of a rectangle, row after row.
fn rectangle(columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> Vec<(u32, u32)> {
    rows.flat_map(|y| columns.clone().map(move |x| (x, y))).collect()
}

/// The same vertices in another order.
fn indexed(pipeline: &Pipeline, vertices: Vec<Vertex>, indices: impl Into<raster::Indices>) -> Draw {
    let vertices: Arc<[Vertex]> = vertices.into();
    Draw::indexed(pipeline, vertices.len() as u32, indices, move |index| vertices[index as usize])
}

/// A colour that packs to these bytes.
fn rgb(red: u32, green: u32, blue: u32) -> Vec4 {
    Vec4::new(red as f32, green as f32, blue as f32, 255.0) / 255.0
}
