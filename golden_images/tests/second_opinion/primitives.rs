//! Topologies, indices, instances, viewports, scissors, winding and depth offsets.
//!
//! The shapes have corners off the sub-pixel grid's halves, so that snapping decides nothing.

use glam::{Vec3, Vec4};
use raster::{
    Clear, Cull, DepthOffset, DepthState, Draw, Dynamic, Frame, FrontFace, Indices, Pipeline, Scissor, State, Topology,
    Vertex, Viewport,
};

use crate::{compare, driver};

const SIDE: u32 = 96;

const COLORED: &str = "
    @fragment fn main(@location(0) color: vec3<f32>, @location(1) @interpolate(flat) id: u32) -> @location(0) vec4<f32> {
        return vec4<f32>(color * (0.5 + 0.5 * f32(id % 3u) / 2.0), 1.0);
    }";

/// A wreath of 12 corners, inner and outer ring in turn, with colours, ids and depths.
fn corner(index: u32, instance: u32) -> Vertex {
    let angle = f32::from(index as u16) * std::f32::consts::FRAC_PI_6 + 0.1;
    let radius = if index.is_multiple_of(2) { 0.83 } else { 0.41 };
    let shift = f32::from(instance as u16) * 0.13;
    let position = Vec3::new(libm(angle).0 * radius + shift, libm(angle).1 * radius - shift, 0.3 + 0.03 * index as f32);
    let color = Vec3::new((index % 4) as f32 / 3.0, (index % 3) as f32 / 2.0, (index % 5) as f32 / 4.0);
    // w other than 1, so that colours bend.
    let w = 1.0 + (index % 3) as f32 * 0.4;
    Vertex::at(Vec4::new(position.x * w, position.y * w, position.z * w, w)).with(0, color).with(1, index)
}

/// Cosine and sine.
fn libm(angle: f32) -> (f32, f32) {
    let turned = glam::Vec2::from_angle(angle);
    (turned.x, turned.y)
}

fn frame(state: State, indices: impl Into<Indices>, instances: u32, dynamic: Dynamic) -> Frame {
    let pipeline = Pipeline::new("colored.wgsl", COLORED, "main", state).unwrap_or_else(|error| panic!("{error}"));
    let mut draw = Draw::indexed(&pipeline, 12, indices, |index| corner(index, 0));
    draw = draw.with_instances(0, instances, corner);
    draw.dynamic = dynamic;
    let clear = Clear { color: [0.2, 0.1, 0.3, 1.0], ..Clear::BLACK };
    Frame::new(SIDE, SIDE, clear, vec![draw])
}

const STRIP: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1];

fn list() -> Vec<u32> {
    (0..12).flat_map(|i| [STRIP[i], STRIP[i + 1], STRIP[i + 2]]).collect()
}

#[test]
fn triangles_lists_and_strips_of_every_index_width() {
    let Some(driver) = driver() else { return };
    let strip = State { topology: Topology::TriangleStrip, ..State::FLAT };
    let restarting = State { primitive_restart: true, ..strip };
    let cut: Vec<u8> = vec![0, 1, 2, 3, 255, 5, 6, 7, 8, 255, 10, 11, 0];
    let cases: [(&str, State, Indices); 5] = [
        ("list", State::FLAT, list().into()),
        ("strip", strip, STRIP.to_vec().into()),
        ("strip of 8 bits", strip, STRIP.map(|index| index as u8).to_vec().into()),
        ("strip of 16 bits", strip, STRIP.map(|index| index as u16).to_vec().into()),
        ("restart", restarting, cut.into()),
    ];
    for (name, state, indices) in cases {
        for instances in [1, 3] {
            let frame = frame(state, indices.clone(), instances, Dynamic::DEFAULT);
            compare(&format!("{name} x {instances}"), &driver, &frame, 1, 0.005);
        }
    }
}

#[test]
fn culling_and_winding() {
    let Some(driver) = driver() else { return };
    for cull in [Cull::None, Cull::Front, Cull::Back] {
        for front_face in [FrontFace::Clockwise, FrontFace::CounterClockwise] {
            // Every second triangle of this list turns the other way.
            let frame = frame(State { cull, front_face, ..State::FLAT }, list(), 1, Dynamic::DEFAULT);
            compare(&format!("{cull:?} {front_face:?}"), &driver, &frame, 1, 0.005);
        }
    }
}

#[test]
fn viewports_and_scissors() {
    let Some(driver) = driver() else { return };
    let viewports = [
        Viewport::new(10.0, 20.0, 60.0, 40.0),
        Viewport::new(-20.5, -10.25, 130.0, 150.0),
        Viewport::of_target(SIDE, SIDE).with_depth(0.25, 0.5),
    ];
    let scissors = [(-5, -5, 60, 60), (17, 31, 40, 23), (90, 90, i32::MAX, i32::MAX), (20, 20, 0, 10)];
    for (number, viewport) in viewports.into_iter().enumerate() {
        for (x, y, width, height) in scissors {
            let scissor = Some(Scissor { x, y, width, height });
            let dynamic = Dynamic { viewport: Some(viewport), scissor, ..Dynamic::DEFAULT };
            let frame = frame(State { depth: DepthState::LESS_WRITE, ..State::FLAT }, list(), 2, dynamic);
            compare(&format!("viewport {number}, scissor {x} {y} {width} {height}"), &driver, &frame, 1, 0.005);
        }
    }
}

#[test]
fn depth_offsets_decide_who_is_seen() {
    let Some(driver) = driver() else { return };
    let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
    for (factor, units) in [(1.0, 0.0), (-1.0, 0.0), (2.5, 0.0), (0.0, 100_000.0), (0.0, -100_000.0)] {
        // The second layer is shifted from the first by the offset alone.
        let mut both = frame(state, list(), 1, Dynamic::DEFAULT);
        let depth_offset = DepthOffset { factor, units };
        let mut upper = frame(state, STRIP[..9].to_vec(), 1, Dynamic { depth_offset, ..Dynamic::DEFAULT });
        both.draws.append(&mut upper.draws);
        compare(&format!("depth offset {factor} {units}"), &driver, &both, 1, 0.01);
    }
}

#[test]
fn lines_and_points_of_one_pixel() {
    let Some(driver) = driver() else { return };
    for (name, topology, indices) in [
        ("line list", Topology::LineList, list()),
        ("line strip", Topology::LineStrip, STRIP.to_vec()),
        ("points", Topology::PointList, (0..12).collect()),
    ] {
        let frame = frame(State { topology, ..State::FLAT }, indices, 2, Dynamic::DEFAULT);
        compare(name, &driver, &frame, 2, 0.03);
    }
}
