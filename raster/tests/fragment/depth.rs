//! The depth test and the depth formats (OpenGL ES 1.1 `glDepthFunc`; Vulkan, "Conversion From Floating-Point to Normalized
//! Fixed-Point").

use super::*;
use raster::{ColorFormat, Compare, DepthFormat, DepthState, RenderError};

fn tested(depth: DepthState, format: DepthFormat) -> Pipeline {
    pipeline(COLOR, State { depth, ..State::FLAT }.on(ColorFormat::Rgba8, format))
}

#[test]
fn the_depth_test_has_eight_functions_in_every_format() {
    for format in DepthFormat::ALL {
        let passes = |incoming: f32| {
            Compare::ALL.map(|compare| {
                let draw = everywhere(incoming, [1.0; 4], &tested(DepthState { compare, write: false }, format));
                let mut found = false;
                drawn(Clear { depth: 0.5, ..Clear::BLACK }, &[draw], |target| found = pixel(target, 3, 3)[0] == 255);
                found
            })
        };
        let (y, n) = (true, false);
        assert_eq!(passes(0.25), [n, y, n, y, n, y, n, y], "{format:?}");
        assert_eq!(passes(0.5), [n, n, y, y, n, n, y, y], "{format:?}");
        assert_eq!(passes(0.75), [n, n, n, n, y, y, y, y], "{format:?}");
    }
}

/// OpenGL's "depth test off" is `DepthState::OFF`; "always" with a write is WebGPU's, and writes.
#[test]
fn no_depth_is_written_where_the_test_is_off() {
    for format in DepthFormat::ALL {
        let after = |state| {
            let mut found = 0.0;
            drawn(Clear::BLACK, &[everywhere(0.25, [1.0; 4], &tested(state, format))], |target| {
                found = target.depth_at(3, 3);
            });
            found
        };
        assert_eq!(after(DepthState::OFF), 1.0, "{format:?}");
        assert!((after(DepthState { compare: Compare::Always, write: true }) - 0.25).abs() < 1e-5, "{format:?}");
        assert_eq!(after(DepthState::LESS), 1.0, "{format:?}");
    }
}

/// z = x / 16 + 1/32 at pixel x: stored as the nearest step, counted in exact integers.
#[test]
fn unsigned_depths_are_the_nearest_step() {
    for (format, most) in [(DepthFormat::Depth16, 0xffffu64), (DepthFormat::Depth24Stencil8, 0xff_ffff)] {
        let pipeline = tested(DepthState::LESS_WRITE, format);
        let corner =
            |x: f32, y: f32| Vertex::at(position_of_pixel(x, y, x / SIZE as f32, SIZE, SIZE)).with(0, Vec4::ONE);
        let side = SIZE as f32;
        let corners = [corner(0.0, 0.0), corner(side, 0.0), corner(side, side), corner(0.0, side)];
        let draw = draw(&pipeline, [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec());
        drawn(Clear { stencil: 0x5a, ..Clear::BLACK }, &[draw], |target| {
            for x in 0..SIZE {
                // (2x + 1) / 32 of the largest step, half away from zero or to even: no exact half occurs but in the middle.
                let exact = (2 * u64::from(x) + 1) * most;
                let (down, rest) = (exact / 32, exact % 32);
                let nearest = down + u64::from(rest > 16);
                let word = target.depth[target.index(x, 7)];
                assert_eq!(u64::from(word & 0xff_ffff), nearest, "{format:?}, column {x}");
                let stencil = if format.has_stencil() { 0x5a } else { 0 };
                assert_eq!(target.stencil_at(x, 7), stencil, "depth leaves the stencil value alone");
            }
        });
    }
}

#[test]
fn draws_for_different_formats_are_refused_by_name() {
    let draws = [DepthFormat::Depth16, DepthFormat::Depth24Stencil8]
        .map(|format| everywhere(0.5, [1.0; 4], &tested(DepthState::LESS, format)));
    for mut backend in backends() {
        let error = backend.render(&frame(SIZE, SIZE, draws.to_vec())).expect_err("one target has one format");
        assert!(matches!(error, RenderError::Formats { draw: 1, .. }), "{error}");
        let message = "draw 1 is for targets of Rgba8 and Depth24Stencil8, draw 0 for Rgba8 and Depth16";
        assert_eq!(error.to_string(), message);
    }
}

/// A tile of D32S8 takes 12 bytes a pixel; what does not fit is refused by name, and the formats that fit are drawn.
#[test]
fn a_format_whose_tiles_do_not_fit_the_machine_is_refused() {
    let config = gpu_core::config::GpuConfig { local_bytes: 600, ..gpu_core::config::GpuConfig::vortex(1, 1, 4) };
    let mut device = raster::Device::new(config).unwrap_or_else(|error| panic!("{error}"));
    let frame_of = |format| frame(SIZE, SIZE, vec![everywhere(0.5, [1.0; 4], &tested(DepthState::LESS, format))]);
    assert!(device.render(&frame_of(DepthFormat::Depth24Stencil8)).is_ok());
    let error = device.render(&frame_of(DepthFormat::Depth32FloatStencil8)).expect_err("12 · 64 bytes do not fit");
    let RenderError::Device { cause, .. } = error else { panic!("{error}") };
    assert_eq!(cause.to_string(), "a core has 600 bytes of local memory; the smallest tile, 8 x 8 pixels, takes 768");
    assert!(device.render(&frame_of(DepthFormat::Depth16)).is_ok());
}
