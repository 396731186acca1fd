//! `warpaint bench frame --fill`: what a host core draws in a second of its time, textured quads and tiny triangles.

use std::process::ExitCode;

use demos::patterns::Pattern;
use demos::report::{self, Provenance};
use demos::scenes::Filter;
use glam::{Vec2, Vec4};
use raster::{Backend, Bindings, Clear, Device, Draw, Frame, Pipeline, Sampler, State, Texture, Vertex};
use serde::Serialize;
use texture::{Format, Image};

use crate::cli::bench::host_time::{self, HostTime, Measured};
use crate::cli::bench::{arguments, check_seconds, progress};
use crate::cli::machine::mode;
use crate::cli::output::emit;
use crate::cli::picture;

/// Pixels of the picture that quads fill.
const QUAD: [u32; 2] = [1920, 1080];
/// Texels from one pixel of a quad to the next: between two mip levels.
const TEXELS_A_PIXEL: f32 = 1.5;
/// Of the anisotropic quad a pixel is longer in texels than it is high by this factor: as many taps of two levels.
const LONG_SIDE: f32 = 8.0;
const ANISOTROPIC: Sampler = Sampler { max_anisotropy: 16, ..Filter::Trilinear.sampler() };
/// Texels of the texture's side.
const SIDE: u32 = 1024;
/// Pixels of the picture that tiny triangles lie in, and how many of them there are.
const FIELD: [u32; 2] = [640, 480];
const TINY: u32 = 100_000;

/// One kind of picture.
#[derive(Serialize)]
struct Fill {
    what: &'static str,
    frames: u32,
    seconds: f64,
    /// Of all host threads together; absent where the host does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    /// In a CPU-second, or in a second where the host does not say.
    million_pixels_a_second: f64,
    million_triangles_a_second: f64,
    /// A block is as many pixels as a warp has lanes.
    warp_instructions_a_block: f64,
    host_time: HostTime,
}

#[derive(Serialize)]
struct FillBody {
    machine: String,
    figures: Vec<Fill>,
}

/// Measures and prints.
pub fn run(options: &arguments::Frame) -> anyhow::Result<ExitCode> {
    check_seconds(options.seconds)?;
    let chosen = options.machine.choose("wide")?;
    let mut device = picture::device(&chosen)?;
    device.gpu_mut().set_mode(mode(options.timed));
    let mut kinds: Vec<(&'static str, Frame)> = Vec::new();
    for filter in Filter::ALL {
        kinds.push((filter.name(), quad(filter.sampler(), Vec2::splat(TEXELS_A_PIXEL))?));
    }
    kinds.push(("anisotropic", quad(ANISOTROPIC, TEXELS_A_PIXEL * Vec2::new(LONG_SIDE, 1.0))?));
    kinds.push(("tiny", tiny_triangles()?));
    let bar = progress(kinds.len() as u64);
    let mut figures = Vec::new();
    for (what, frame) in kinds {
        bar.set_message(what);
        figures.push(measure(&mut device, what, &frame, options.seconds)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let body = FillBody { machine: chosen.name.clone(), figures };
    if options.json {
        let provenance = Provenance::of_machine(chosen.configuration(), device.programs());
        emit(report::to_json("bench fill", &provenance, &body))?;
        return Ok(ExitCode::SUCCESS);
    }
    let [width, height] = QUAD;
    let mut text = format!("machine {}: quads of {width} x {height}; {TINY} triangles of one pixel\n", body.machine);
    text += &format!(
        "{:11} {:>9} {:>12} {:>14} {:>11}{}\n",
        "picture",
        "frames/s",
        "M pixels/s",
        "M triangles/s",
        "per block",
        HostTime::HEADING
    );
    for Fill {
        what,
        frames,
        seconds,
        million_pixels_a_second,
        million_triangles_a_second,
        warp_instructions_a_block,
        host_time,
        ..
    } in &body.figures
    {
        let rate = f64::from(*frames) / seconds;
        text += &format!("{what:11} {rate:>9.1} {million_pixels_a_second:>12.2} {million_triangles_a_second:>14.3}");
        text += &format!(" {warp_instructions_a_block:>11.1}{}\n", host_time.row());
    }
    text += match body.figures.iter().all(|figure| figure.cpu_seconds.is_some()) {
        true => {
            "pixels and triangles in a second of one host core's time; per block: warp-instructions for a warp's pixels\n"
        }
        false => {
            "pixels and triangles in a second, since this host does not tell its cores' time; per block: warp-instructions\n"
        }
    };
    text += host_time::LEGEND;
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Draws a frame again and again.
fn measure(device: &mut Device, what: &'static str, frame: &Frame, seconds: f64) -> anyhow::Result<Fill> {
    let measured = host_time::measure(device, seconds, |device| Ok(device.render(frame).map(drop)?))?;
    let Measured { frames, seconds, cpu_seconds, host_time } = measured;
    let spent = cpu_seconds.unwrap_or(seconds);
    let report = device.report();
    let pixels = f64::from(frame.width) * f64::from(frame.height);
    Ok(Fill {
        what,
        frames,
        seconds,
        cpu_seconds,
        million_pixels_a_second: pixels * f64::from(frames) / spent / 1e6,
        million_triangles_a_second: frame.triangle_count() as f64 * f64::from(frames) / spent / 1e6,
        warp_instructions_a_block: report.warp_instructions as f64 * f64::from(report.lanes) / pixels,
        host_time,
    })
}

/// A quad that fills the picture, of a texture with so many texels to a pixel, across and down.
fn quad(sampler: Sampler, scale: Vec2) -> anyhow::Result<Frame> {
    let [width, height] = QUAD;
    let pattern = Pattern::checker(SIDE, 16, [236, 232, 220], [52, 84, 120]);
    let image = Image::new(Format::Rgba8, pattern.size, pattern.size, pattern.rgba)?.with_mipmaps()?;
    let pipeline = Pipeline::new("fill.wgsl", include_str!("fill.wgsl"), "textured", State::FLAT)?;
    let bindings = Bindings::new().with(0, 0, &Texture::new(image)).with(0, 1, sampler);
    let draw = Draw::indexed(&pipeline, 4, vec![0_u32, 1, 2, 2, 1, 3], move |index| {
        let corner = Vec2::new((index & 1) as f32, (index >> 1) as f32);
        let position = corner * 2.0 - 1.0;
        let texels = corner * Vec2::new(width as f32, height as f32) * scale;
        Vertex::at(Vec4::new(position.x, position.y, 0.5, 1.0)).with(0, texels / SIDE as f32)
    });
    Ok(Frame::new(width, height, Clear::BLACK, vec![draw.with_bindings(bindings)]))
}

/// Triangles that cover the centre of one pixel each.
fn tiny_triangles() -> anyhow::Result<Frame> {
    let [width, height] = FIELD;
    let pipeline = Pipeline::new("fill.wgsl", include_str!("fill.wgsl"), "plain", State::FLAT)?;
    let draw = Draw::list(&pipeline, 3 * TINY, move |index| {
        // Every third pixel, row by row.
        let pixel = index / 3 * 3;
        let centre = Vec2::new((pixel % width) as f32 + 0.5, (pixel / width) as f32 + 0.5);
        let corner = [Vec2::new(-0.25, -0.25), Vec2::new(-0.25, 0.5), Vec2::new(0.5, -0.25)][index as usize % 3];
        let position = (centre + corner) / Vec2::new(width as f32, height as f32) * 2.0 - 1.0;
        Vertex::at(Vec4::new(position.x, -position.y, 0.5, 1.0))
    });
    Ok(Frame::new(width, height, Clear::BLACK, vec![draw]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_fill_the_picture_and_tiny_triangles_are_of_one_pixel() {
        let mut reference = raster::Reference::new();
        let black = 0xff00_0000;
        let quad = Frame { width: 96, height: 54, ..quad(Filter::Point.sampler(), Vec2::ONE).expect("it is sound") };
        let target = reference.render(&quad).expect("it can be drawn");
        assert!(target.shown().all(|color| color != black));
        let target = reference.render(&tiny_triangles().expect("they are sound")).expect("they can be drawn");
        assert_eq!(target.shown().filter(|color| *color != black).count(), TINY as usize);
    }

    /// Blocks of 4 × 4 pixels that hold a pixel of a triangle, for both halves of a picture cut along its diagonal.
    #[cfg(feature = "fast")]
    fn blocks_of_two_triangles(width: i32, height: i32) -> u64 {
        let is_above = |x: i32, y: i32| (2 * x + 1) * height > (2 * y + 1) * width;
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let blocks: std::collections::BTreeSet<_> = pixels.map(|(x, y)| (x / 4, y / 4, is_above(x, y))).collect();
        blocks.len() as u64
    }

    /// Eight taps of two levels for each block.
    #[cfg(feature = "fast")]
    #[test]
    fn the_anisotropic_quad_takes_sixteen_samples() {
        let scale = TEXELS_A_PIXEL * Vec2::new(LONG_SIDE, 1.0);
        let quad = Frame { width: 96, height: 54, ..quad(ANISOTROPIC, scale).expect("it is sound") };
        let mut device =
            Device::new(gpu_core::config::GpuConfig::from_name("wide").expect("it is a preset")).expect("it can draw");
        device.gpu_mut().measure_textures(true);
        device.render(&quad).expect("it can be drawn");
        let samples = device.gpu().texture_time().expect("it is measured").instructions;
        assert_eq!((device.gpu().config().lanes, samples), (16, 16 * blocks_of_two_triangles(96, 54)));
    }
}
