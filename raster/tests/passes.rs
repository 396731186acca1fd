//! Passes: surfaces that live on, load and store operations, what is drawn in one pass and sampled in another.

mod drawing;
#[path = "passes/integers.rs"]
mod integers;

use drawing::*;
use glam::Vec4;
use gpu_core::config::GpuConfig;
use raster::geometry::pixel_box::PixelBox;
use raster::state::{BlendState, ColorMask, ColorTarget};
use raster::vertex::LOCATIONS;
use raster::{
    Backend, Bindings, Clear, ColorAttachment, ColorFormat, Compare, Contents, DepthAttachment, DepthFormat,
    DepthState, Device, Draw, Frame, Load, Pass, Reference, RenderError, Samples, State, Store, Surface, Target,
};
use shaders::interface::COLOR_TARGETS;

/// Reads texel by texel what is at binding 0.
const COPY: &str = "
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
        return textureLoad(picture, vec2<i32>(p.xy), 0);
    }
";

/// The reference, a machine with small tiles, one with large ones, and one that counts cycles.
fn machines() -> Vec<Box<dyn Backend>> {
    let device = |config| Box::new(Device::new(config).expect("a machine that draws"));
    vec![
        Box::new(Reference::new()),
        device(GpuConfig::vortex(1, 4, 4)),
        device(GpuConfig::wide(2, 4, 16)),
        Box::new(timed_device()),
    ]
}

fn color(label: &str, size: (u32, u32)) -> Surface {
    Surface::color(label, size, ColorFormat::Rgba8, Samples::One).expect("a small size")
}

fn depth(label: &str, size: (u32, u32)) -> Surface {
    Surface::depth(label, size, DepthFormat::Depth32Float, Samples::One).expect("a small size")
}

/// The pixels x0 ≤ x < x1 of every row, in one colour at one depth.
fn columns(state: State, size: (u32, u32), [x0, x1]: [f32; 2], z: f32, rgba: [f32; 4]) -> Draw {
    let height = size.1 as f32;
    let corners = [[x0, 0.0], [x1, 0.0], [x1, height], [x0, height]];
    let vertex = |index: usize| {
        let mut vertex = at_pixel(corners[index], size, Vec4::from_array(rgba));
        vertex.position.z = z;
        vertex
    };
    draw(&pipeline(COLOR, state), [0, 1, 2, 0, 2, 3].map(vertex).to_vec())
}

/// A frame whose picture nobody looks at.
fn only(passes: Vec<Pass>) -> Frame {
    Frame::new(4, 4, Clear::BLACK, Vec::new()).after(passes)
}

fn read(backend: &mut dyn Backend, surface: &Surface) -> Contents {
    backend.read(surface).unwrap_or_else(|error| panic!("{}: {error}", backend.name()))
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

#[test]
fn a_surface_lives_on_from_pass_to_pass_and_frame_to_frame() {
    let size = (70, 40);
    let surface = color("kept", size);
    let zs = depth("depths", size);
    let pass = |load, depth: Option<DepthAttachment>, draws| Pass {
        label: "columns".to_owned(),
        colors: vec![ColorAttachment { load, ..ColorAttachment::loaded(&surface) }],
        depth,
        draws,
    };
    for backend in &mut machines() {
        assert_eq!(read(&mut **backend, &surface).at(0, 69, 39), 0, "a new surface is 0 everywhere");
        // Without depth the tiles are larger than with it.
        let first =
            pass(Load::Clear([0.0, 0.0, 1.0, 1.0]), None, vec![columns(State::FLAT, size, [0.0, 10.0], 0.5, RED)]);
        render(&mut **backend, &only(vec![first]));
        let state = State { depth: DepthState::LESS_WRITE, ..State::FLAT };
        let draws = vec![columns(state, size, [5.0, 40.0], 0.5, GREEN)];
        let second = pass(Load::Load, Some(DepthAttachment::cleared(&zs, 1.0)), draws);
        // Farther, and against the depths of the pass before.
        let draws = vec![columns(state, size, [30.0, 50.0], 0.75, RED)];
        let third = pass(Load::Load, Some(DepthAttachment::loaded(&zs)), draws);
        render(&mut **backend, &only(vec![second, third]));
        let contents = read(&mut **backend, &surface);
        for (x, wanted) in [
            (0, 0xffff_0000u32),
            (4, 0xffff_0000),
            (5, 0xff00_ff00),
            (39, 0xff00_ff00),
            (40, 0xffff_0000),
            (49, 0xffff_0000),
            (50, 0xff00_00ff),
            (69, 0xff00_00ff),
        ] {
            assert_eq!(contents.at(0, x, 17), wanted, "{}: column {x}", backend.name());
        }
        let depths = read(&mut **backend, &zs);
        let at = |x| f32::from_bits(depths.at(0, x, 39));
        assert_eq!([at(0), at(5), at(39), at(40), at(69)], [1.0, 0.5, 0.5, 0.75, 1.0], "{}", backend.name());
    }
}

#[test]
fn a_clear_may_have_a_rectangle_and_a_discarded_attachment_is_zero() {
    let size = (40, 40);
    let surface = color("surface", size);
    let cleared = |load, store| Pass {
        colors: vec![ColorAttachment { load, store, ..ColorAttachment::loaded(&surface) }],
        ..Pass::default()
    };
    for backend in &mut machines() {
        let rectangle = PixelBox { x0: 7, y0: 30, x1: 35, y1: 39 };
        let part = cleared(Load::ClearRectangle(RED, rectangle), Store::Store);
        render(&mut **backend, &only(vec![cleared(Load::Clear(GREEN), Store::Store), part]));
        let contents = read(&mut **backend, &surface);
        for (y, x) in (0..40).flat_map(|y| (0..40).map(move |x| (y, x))) {
            let is_inside = (7..35).contains(&x) && (30..39).contains(&y);
            let wanted = if is_inside { 0xffff_0000u32 } else { 0xff00_ff00 };
            assert_eq!(contents.at(0, x, y), wanted, "{}: pixel {x}, {y}", backend.name());
        }
        let draws = vec![columns(State::FLAT, size, [0.0, 20.0], 0.5, RED)];
        let discarded = Pass { draws, ..cleared(Load::Load, Store::Discard) };
        render(&mut **backend, &only(vec![discarded]));
        assert!(read(&mut **backend, &surface).planes[0].iter().all(|word| *word == 0), "{}", backend.name());
    }
}

#[test]
fn what_one_pass_draws_the_next_samples() {
    let size = (21, 13);
    let surface = color("drawn", size);
    let gradient = || {
        let corner = |x: f32, y: f32| at_pixel([x, y], size, Vec4::new(x / 40.0, y / 40.0, 0.5, 1.0));
        draw(&pipeline(COLOR, State::FLAT), vec![corner(-5.0, -5.0), corner(45.0, -5.0), corner(-5.0, 45.0)])
    };
    let copy = |sampled: &Surface| {
        let corner = |x: f32, y: f32| at_pixel([x, y], size, WHITE);
        let vertices = vec![corner(-40.0, 0.0), corner(80.0, 0.0), corner(20.0, 80.0)];
        draw(&pipeline(COPY, State::FLAT), vertices).with_bindings(Bindings::new().with(0, 0, sampled))
    };
    let first =
        Pass { colors: vec![ColorAttachment::cleared(&surface, [0.0; 4])], draws: vec![gradient()], ..Pass::default() };
    let plain = Frame::new(size.0, size.1, Clear::BLACK, vec![gradient()]);
    let twice = Frame::new(size.0, size.1, Clear::BLACK, vec![copy(&surface)]).after(vec![first]);
    let expected = render(&mut Reference::new(), &plain);
    for backend in &mut machines() {
        let shown = |target: &Target| target.shown().collect::<Vec<_>>();
        assert_eq!(shown(&render(&mut **backend, &twice)), shown(&expected), "{}", backend.name());
        // The picture of the surface is taken anew when it was drawn again.
        let again = Pass { colors: vec![ColorAttachment::cleared(&surface, RED)], ..Pass::default() };
        let frame = Frame::new(size.0, size.1, Clear::BLACK, vec![copy(&surface)]).after(vec![again]);
        assert!(render(&mut **backend, &frame).shown().all(|word| word == 0xffff_0000), "{}", backend.name());
    }
}

#[test]
fn an_encoded_surface_is_decoded_when_it_is_sampled() {
    let size = (8, 8);
    let surface = Surface::color("encoded", size, ColorFormat::Rgba8Srgb, Samples::One).expect("a small size");
    let half = Pass { colors: vec![ColorAttachment::cleared(&surface, [0.5; 4])], ..Pass::default() };
    let vertices = [[-9.0, -9.0], [30.0, -9.0], [-9.0, 30.0]].map(|place| at_pixel(place, size, WHITE)).to_vec();
    let copy = draw(&pipeline(COPY, State::FLAT), vertices).with_bindings(Bindings::new().with(0, 0, &surface));
    let frame = Frame::new(size.0, size.1, Clear::BLACK, vec![copy]).after(vec![half]);
    for backend in &mut machines() {
        // Half the light is 188 encoded and 128 linear; alpha is 128 in both.
        let target = render(&mut **backend, &frame);
        assert!(target.shown().all(|word| word == 0x8080_8080), "{}: {:#010x}", backend.name(), target.color_at(0, 0));
        assert!(read(&mut **backend, &surface).planes[0].iter().all(|word| *word == 0x80bc_bcbc));
    }
}

#[test]
fn a_refused_frame_leaves_every_surface_as_it_was() {
    let size = (8, 8);
    let (kept, other) = (color("kept", size), color("other", size));
    let clear = |surface, rgba| Pass { colors: vec![ColorAttachment::cleared(surface, rgba)], ..Pass::default() };
    let feedback = |label: &str| {
        let vertices = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]].map(|place| at_pixel(place, size, WHITE)).to_vec();
        let draw = draw(&pipeline(COPY, State::FLAT), vertices).with_bindings(Bindings::new().with(0, 0, &kept));
        Pass { label: label.to_owned(), draws: vec![draw], ..clear(&kept, GREEN) }
    };
    let state = State { depth: DepthState { compare: Compare::Less, write: false }, ..State::FLAT };
    let no_depth = Pass {
        label: "flat".to_owned(),
        draws: vec![columns(state, size, [0.0, 8.0], 0.5, GREEN)],
        ..clear(&other, GREEN)
    };
    for backend in &mut machines() {
        render(&mut **backend, &only(vec![clear(&kept, RED)]));
        let mut refused = |pass: Pass, message: &str| {
            let error = backend.render(&only(vec![clear(&kept, GREEN), pass])).expect_err("it cannot be drawn");
            assert!(matches!(error, RenderError::Pass { .. }));
            assert_eq!(error.to_string(), message);
        };
        refused(
            feedback("mirror"),
            "pass `mirror`: draw 0 samples `kept` (group 0, binding 0), which the pass draws into",
        );
        refused(no_depth.clone(), "pass `flat`: draw 0 uses the depth buffer, and the pass has none");
        assert!(read(&mut **backend, &kept).planes[0].iter().all(|word| *word == 0xffff_0000), "{}", backend.name());
    }
}

#[test]
fn each_colour_target_has_its_own_format_and_mask_and_missing_components_have_a_rule() {
    let size = (37, 20);
    let source = "struct Out { @location(2) c: f32, @location(0) a: vec4<f32>, @location(1) b: vec2<f32> }
        @fragment fn main(@location(0) color: vec4<f32>) -> Out { return Out(0.2, color, vec2<f32>(0.5, 1.0)); }";
    let mut targets = [ColorTarget::PLAIN; COLOR_TARGETS];
    targets[1].format = ColorFormat::Rgba8Srgb;
    targets[2].mask = ColorMask { red: true, ..ColorMask::NONE };
    let state = State { targets, ..State::FLAT };
    let encoded = Surface::color("encoded", size, ColorFormat::Rgba8Srgb, Samples::One).expect("a small size");
    let surfaces = [color("plain", size), encoded, color("masked", size), color("untouched", size)];
    let vertices =
        [[-9.0, -9.0], [90.0, -9.0], [-9.0, 90.0]].map(|place| at_pixel(place, size, Vec4::new(1.0, 0.0, 0.0, 0.2)));
    let pass = Pass {
        colors: surfaces.iter().map(|surface| ColorAttachment::cleared(surface, [0.0, 0.0, 1.0, 0.0])).collect(),
        draws: vec![draw(&pipeline(source, state), vertices.to_vec())],
        ..Pass::default()
    };
    for backend in &mut machines() {
        render(&mut **backend, &only(vec![pass.clone()]));
        // 0.5 in linear light is 188 of 255 encoded (IEC 61966-2-1).
        let wanted = [0x33ff_0000u32, 0xffbc_ff00, 0x0033_00ff, 0x0000_00ff];
        for (surface, wanted) in surfaces.iter().zip(wanted) {
            let contents = read(&mut **backend, surface);
            assert!(
                contents.planes[0].iter().all(|word| *word == wanted),
                "{}: {}: {:#010x}",
                backend.name(),
                surface.label(),
                contents.planes[0][0]
            );
        }
    }
    let mut colors = pass.colors[..2].to_vec();
    colors[1] = ColorAttachment::cleared(&surfaces[2], [0.0; 4]);
    let wrong = Pass { colors, label: "wrong".to_owned(), ..pass };
    for backend in &mut machines() {
        let error = backend.render(&only(vec![wrong.clone()])).expect_err("the second target is not encoded");
        let message = "pass `wrong`: draw 0 has a pipeline for Color(Rgba8Srgb), but `masked` has format Color(Rgba8)";
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn stencil_and_depth_are_loaded_and_cleared_apart() {
    let size = (40, 9);
    for format in [DepthFormat::Depth24Stencil8, DepthFormat::Depth32FloatStencil8] {
        let surface = Surface::depth("depth", size, format, Samples::One).expect("a small size");
        let pass = |load, stencil_load| Pass {
            depth: Some(DepthAttachment { surface: surface.clone(), load, stencil_load, store: Store::Store }),
            ..Pass::default()
        };
        for backend in &mut machines() {
            let rectangle = PixelBox { x0: 3, y0: 2, x1: 30, y1: 9 };
            let passes = vec![
                pass(Load::Clear(1.0), Load::Clear(0x55)),
                pass(Load::Load, Load::ClearRectangle(0xaa, rectangle)),
                pass(Load::Clear(0.5), Load::Load),
            ];
            render(&mut **backend, &only(passes));
            let contents = read(&mut **backend, &surface);
            let depth = format.words_of(0.5, 0)[0];
            for (x, stencil) in [(2, 0x55), (3, 0xaa), (29, 0xaa), (30, 0x55)] {
                let words: Vec<u32> = contents.planes.iter().map(|plane| plane[(8 * size.0 + x) as usize]).collect();
                let wanted = match format {
                    DepthFormat::Depth24Stencil8 => vec![depth | stencil << 24],
                    _ => vec![depth, stencil],
                };
                assert_eq!(words, wanted, "{}: {format:?}, column {x}", backend.name());
            }
        }
    }
}

#[test]
fn eight_colour_targets_take_eight_colours_of_all_sixteen_locations() {
    let size = (19, 13);
    // Target k shows k/255 in red, and what location 15 − k gives in green; blended by adding, in two draws.
    let member = |k: usize| format!("@location({k}) c{k}: vec4<f32>, ");
    let outputs: String = (0..COLOR_TARGETS).map(member).collect();
    let inputs: String = (0..LOCATIONS).map(|k| format!("@location({k}) i{k}: f32, ")).collect();
    let color = |k: usize| format!("vec4<f32>({k}.0 / 255.0, i{}, i{k}, 0.0), ", LOCATIONS - 1 - k);
    let colors: String = (0..COLOR_TARGETS).map(color).collect();
    let source = format!("struct Out {{ {outputs} }} @fragment fn main({inputs}) -> Out {{ return Out({colors}); }}");
    let source: &'static str = source.leak();
    let pipeline = pipeline(source, State::FLAT.blended(BlendState::ADDITIVE));
    let vertex = |place| {
        let vertex = at_pixel(place, size, Vec4::ZERO);
        (0..LOCATIONS).fold(vertex, |vertex, k| vertex.with(k, k as f32 / 255.0))
    };
    let draw = draw(&pipeline, [[-9.0, -9.0], [50.0, -9.0], [-9.0, 50.0]].map(vertex).to_vec());
    for samples in [Samples::One, Samples::Four] {
        let surface =
            |k, samples| Surface::color(&format!("{k}"), size, ColorFormat::Rgba8, samples).expect("a small size");
        let seen: Vec<_> = (0..COLOR_TARGETS).map(|k| surface(k, Samples::One)).collect();
        let attachments = seen.iter().enumerate().map(|(k, seen)| {
            let clear = [0.0, 0.0, 0.0, k as f32 / 5.0 % 1.0];
            match samples {
                Samples::One => ColorAttachment::cleared(seen, clear),
                Samples::Four => ColorAttachment {
                    resolve: Some(seen.clone()),
                    ..ColorAttachment::cleared(&surface(k, samples), clear)
                },
            }
        });
        let colors = attachments.collect();
        let pass = Pass { colors, draws: vec![draw.clone(), draw.clone()], ..Pass::default() };
        for backend in &mut machines() {
            render(&mut **backend, &only(vec![pass.clone()]));
            for (k, surface) in (0u32..).zip(&seen) {
                let wanted = (51 * (k % 5)) << 24 | (2 * k) << 16 | (2 * (15 - k)) << 8 | (2 * k);
                let contents = read(&mut **backend, surface);
                let is_all = contents.planes[0].iter().all(|word| *word == wanted);
                assert!(is_all, "{}, target {k}: {:#010x}, not {wanted:#010x}", backend.name(), contents.planes[0][0]);
            }
        }
    }
}
