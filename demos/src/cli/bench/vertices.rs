//! `warpaint bench frame --vertices`: what a host core makes of vertices in a second of its time, by WGSL shaders and by closures.

use std::process::ExitCode;

use demos::report::{self, Provenance};
use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{
    Backend, Bindings, Buffer, Clear, Device, Draw, Frame, Pipeline, State, StepMode, Vertex, VertexBufferLayout,
    VertexFormat, VertexProgram,
};
use serde::Serialize;

use crate::cli::bench::host_time::{self, HostTime, Measured};
use crate::cli::bench::{arguments, check_seconds, progress};
use crate::cli::machine::mode;
use crate::cli::output::emit;
use crate::cli::picture;

const SOURCE: &str = include_str!("vertices.wgsl");
/// Vertices along each side of the grid; three of all make a triangle.
const SIDE: u32 = 150;
/// Beside the picture: nothing is spent on pixels.
const SHIFT: f32 = 5.0;
/// Radians a unit along x and z, and the height, of each wave.
const WAVES: [[f32; 4]; 5] = [
    [1.2, 0.3, 0.26, 0.0],
    [0.8, 2.0, 0.13, 0.0],
    [-2.3, 2.4, 0.07, 0.0],
    [5.1, -2.6, 0.035, 0.0],
    [-1.8, -8.8, 0.02, 0.0],
];

/// One shader, made both ways.
#[derive(Serialize)]
struct Figure {
    shader: &'static str,
    vertices: u64,
    warp_instructions: u64,
    by_closure: Way,
    by_shader: Way,
    /// How many times the closure's time the shader's is.
    times_the_closure: f64,
}

#[derive(Serialize)]
struct Way {
    frames: u32,
    seconds: f64,
    /// Of all host threads together; absent where the host does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    /// In a CPU-second, or in a second where the host does not say.
    million_vertices_a_second: f64,
    host_time: HostTime,
}

#[derive(Serialize)]
struct Body {
    machine: String,
    figures: Vec<Figure>,
}

/// Measures and prints.
pub fn run(options: &arguments::Frame) -> anyhow::Result<ExitCode> {
    check_seconds(options.seconds)?;
    let chosen = options.machine.choose("wide")?;
    let mut device = picture::device(&chosen)?;
    device.gpu_mut().set_mode(mode(options.timed));
    let kinds = [("turned", turned as MakeVertex), ("lifted", lifted)];
    let bar = progress(2 * kinds.len() as u64);
    let mut figures = Vec::new();
    for (shader, closure) in kinds {
        bar.set_message(shader);
        let [by_closure, by_shader] = grid(shader, closure)?;
        let by_closure = measure(&mut device, &by_closure, options.seconds)?;
        bar.inc(1);
        let by_shader = measure(&mut device, &by_shader, options.seconds)?;
        bar.inc(1);
        let report = device.report();
        figures.push(Figure {
            shader,
            vertices: report.vertices,
            warp_instructions: report.vertex_work.warp_instructions,
            times_the_closure: by_closure.million_vertices_a_second / by_shader.million_vertices_a_second,
            by_closure,
            by_shader,
        });
    }
    bar.finish_and_clear();
    let body = Body { machine: chosen.name.clone(), figures };
    if options.json {
        let provenance = Provenance::of_machine(chosen.configuration(), device.programs());
        emit(report::to_json("bench vertices", &provenance, &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("machine {}: a grid of {SIDE} x {SIDE} vertices beside the picture\n", body.machine);
    text += &format!(
        "{:8} {:8} {:>13} {:>14} {:>12}{}\n",
        "shader",
        "made by",
        "M vertices/s",
        "times closure",
        "a vertex",
        HostTime::HEADING
    );
    for Figure { shader, vertices, warp_instructions, by_closure, by_shader, times_the_closure } in &body.figures {
        let row = |name: &str, way: &Way, times: f64, cost: String| {
            let rate = way.million_vertices_a_second;
            format!("{shader:8} {name:8} {rate:>13.2} {times:>14.2} {cost:>12}{}\n", way.host_time.row())
        };
        text += &row("closure", by_closure, 1.0, "-".to_owned());
        let cost = *warp_instructions as f64 * f64::from(device.report().lanes) / *vertices as f64;
        text += &row("shader", by_shader, *times_the_closure, format!("{cost:.1}"));
    }
    text += "a vertex: warp-instructions for a warp's vertices\n";
    text += host_time::LEGEND;
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}

fn measure(device: &mut Device, frame: &Frame, seconds: f64) -> anyhow::Result<Way> {
    let measured = host_time::measure(device, seconds, |device| Ok(device.render(frame).map(drop)?))?;
    let Measured { frames, seconds, cpu_seconds, host_time } = measured;
    let made = f64::from(frames) * f64::from(SIDE * SIDE);
    let million_vertices_a_second = made / cpu_seconds.unwrap_or(seconds) / 1e6;
    Ok(Way { frames, seconds, cpu_seconds, million_vertices_a_second, host_time })
}

type MakeVertex = fn(Mat4, Vec2) -> Vertex;

/// A vertex as `turned` of `vertices.wgsl` makes it.
fn turned(turn: Mat4, at: Vec2) -> Vertex {
    Vertex::at(turn * Vec4::new(at.x, 0.0, at.y, 1.0)).with(0, Vec3::new(at.x, 0.0, at.y))
}

/// A vertex as `lifted` makes it.
fn lifted(turn: Mat4, at: Vec2) -> Vertex {
    let mut water = Vec3::ZERO;
    for [x, z, height, _] in WAVES {
        let phase = x * at.x + z * at.y;
        let change = height * libm::cosf(phase);
        water += Vec3::new(height * libm::sinf(phase), x * change, z * change);
    }
    let normal = Vec3::new(-water.y, 1.0, -water.z).normalize();
    Vertex::at(turn * Vec4::new(at.x, water.x, at.y, 1.0)).with(0, normal)
}

/// The grid with its vertices made by a closure, and by a shader.
fn grid(shader: &str, closure: MakeVertex) -> anyhow::Result<[Frame; 2]> {
    let turn = Mat4::from_translation(Vec3::X * SHIFT) * Mat4::from_rotation_x(0.4);
    let places: Vec<[f32; 2]> = (0..SIDE * SIDE).map(|n| [n % SIDE, n / SIDE].map(place)).collect();
    let layout = VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x2)]);
    let call = VertexProgram::new("vertices.wgsl", SOURCE, shader, &[layout])?
        .call()
        .with_buffer(0, &Buffer::from_slice(&places));
    let mut scene = turn.to_cols_array().to_vec();
    scene.extend(WAVES.as_flattened());
    let bindings = Bindings::new().with(0, 0, &Buffer::from_slice(&scene));
    let pipeline = Pipeline::new("vertices.wgsl", SOURCE, "normal", State::FLAT)?;
    let indices: Vec<u32> = (0..SIDE * SIDE).collect();
    let by_shader = Draw::from_vertices(&pipeline, &call, SIDE * SIDE).with_bindings(bindings);
    let by_closure = Draw::indexed(&pipeline, SIDE * SIDE, indices, move |number| {
        closure(turn, Vec2::from_array(places[number as usize]))
    });
    Ok([by_closure, by_shader].map(|draw| Frame::new(32, 32, Clear::BLACK, vec![draw])))
}

/// From −1 to 1.
fn place(number: u32) -> f32 {
    number as f32 / (SIDE - 1) as f32 * 2.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Reference;

    /// WGSL allows sines and cosines an error of 2^-11. The heights add up to 0.515, which makes 2.6e-4 of it; heights times radians
    /// to 1.21, which makes 6e-4 along each of two axes. f32 adds some 1e-6.
    #[test]
    fn both_ways_make_the_same_vertices() {
        for (shader, closure) in [("turned", turned as MakeVertex), ("lifted", lifted)] {
            let [by_closure, by_shader] = grid(shader, closure).expect("they are sound");
            // A few of them are enough.
            let some = |frame: &Frame| {
                let indices: Vec<u32> = (0..SIDE * SIDE).step_by(100).collect();
                let draw = Draw { indices: indices.into(), ..frame.draws[0].clone() };
                Reference::new().vertices(&draw).expect("they can be made")
            };
            let (made, expected) = (some(&by_shader), some(&by_closure));
            assert_eq!(made.len(), expected.len());
            for (a, b) in made.iter().zip(expected) {
                let normals = [a, &b].map(|vertex| Vec4::from_array(vertex.locations[0]));
                assert!((a.position - b.position).abs().max_element() < 2.7e-4, "{shader}: {a:?} {b:?}");
                assert!((normals[0] - normals[1]).abs().max_element() < 9e-4, "{shader}: {a:?} {b:?}");
            }
            let target = Reference::new().render(&by_shader).expect("it can be drawn");
            assert!(target.shown().all(|word| word == 0xff00_0000), "the grid lies beside the picture");
        }
    }
}
