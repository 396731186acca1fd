//! The fragment path: each rule of the order scissor → alpha test → stencil → depth → fog → blending or logic operation →
//! colour mask, with the values that the specifications give or that were worked out by hand, on every backend.
//!
//! Tests called `a24_`, `a25_`, `a27_` hold a known fault of other rasterizers each. Operations alone have their tests
//! beside `raster/src/state/` and `raster/src/reference/`.

#[path = "../drawing/mod.rs"]
mod drawing;

mod alpha;
mod blending;
mod depth;
mod fog;
mod idle;
mod stencil;

use std::cell::RefCell;

use drawing::*;
use glam::Vec4;
use raster::frame::position_of_pixel;
use raster::{Backend, Clear, Constants, Draw, Dynamic, Frame, Pipeline, State, Target, Vertex};

const SIZE: u32 = 16;

/// `color` in a rectangle of pixels at a depth.
fn rectangle([x0, y0, x1, y1]: [u32; 4], depth: f32, color: [f32; 4], pipeline: &Pipeline) -> Draw {
    let corner = |x: u32, y: u32| {
        Vertex::at(position_of_pixel(x as f32, y as f32, depth, SIZE, SIZE)).with(0, Vec4::from_array(color))
    };
    let corners = [corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)];
    draw(pipeline, [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec())
}

/// The whole target.
fn everywhere(depth: f32, color: [f32; 4], pipeline: &Pipeline) -> Draw {
    rectangle([0, 0, SIZE, SIZE], depth, color, pipeline)
}

fn with(draw: Draw, constants: Constants) -> Draw {
    draw.with_dynamic(Dynamic { constants, ..Dynamic::DEFAULT })
}

/// Bytes red, green, blue, alpha as channels.
fn bytes(channels: [u8; 4]) -> [f32; 4] {
    channels.map(|byte| f32::from(byte) / 255.0)
}

/// Red, green, blue, alpha of a pixel.
fn pixel(target: &Target, x: u32, y: u32) -> [u8; 4] {
    let [blue, green, red, alpha] = target.color_at(x, y).to_le_bytes();
    [red, green, blue, alpha]
}

thread_local! {
    /// Making a backend takes longer than drawing a small picture.
    static BACKENDS: RefCell<Vec<Box<dyn Backend>>> = RefCell::new(backends());
}

/// Draws on every backend and looks at each picture.
fn drawn(clear: Clear, draws: &[Draw], mut look: impl FnMut(&Target)) {
    let frame = Frame::new(SIZE, SIZE, clear, draws.to_vec());
    BACKENDS.with_borrow_mut(|backends| {
        for backend in backends {
            look(&render(&mut **backend, &frame));
        }
    });
}

/// The pixel in the middle of a target filled with one colour, drawn over a clear colour.
fn one_pixel(clear: [u8; 4], color: [f32; 4], state: State, constants: Constants) -> [u8; 4] {
    let mut found = None;
    drawn(Clear::to(bytes(clear)), &[with(everywhere(0.5, color, &pipeline(COLOR, state)), constants)], |target| {
        let word = pixel(target, 8, 8);
        assert_eq!(*found.get_or_insert(word), word, "the backends do not agree");
    });
    found.expect("there are backends")
}

/// Each rule in `docs/fragments.md` names its tests: they exist, and no test here is left out.
#[test]
fn the_documented_rules_name_the_tests_that_hold_them() {
    let crate_folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("a file of the repository");
    let page = read(&crate_folder.join("../docs/fragments.md"));
    let rows = page.lines().filter(|line| line.starts_with('|')).filter_map(|line| line.rsplit('|').nth(1));
    let named: Vec<&str> =
        rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).filter(|name| !name.contains('/')).collect();
    let sources = ["alpha", "blending", "depth", "fog", "stencil", "../passes/integers"];
    let sources = sources.map(|name| read(&crate_folder.join(format!("tests/fragment/{name}.rs")))).concat();
    let tests: Vec<&str> = sources.split("#[test]\nfn ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    assert!(tests.len() > 20, "{tests:?}");
    let missing: Vec<_> = named.iter().filter(|name| !tests.contains(name)).collect();
    assert!(missing.is_empty(), "no such tests: {missing:?}");
    let left_out: Vec<_> = tests.iter().filter(|name| !named.contains(name)).collect();
    assert!(left_out.is_empty(), "tests that no rule names: {left_out:?}");
}
