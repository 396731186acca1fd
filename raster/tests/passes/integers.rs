//! Targets of integers: what is stored, what is refused. Values worked out by hand.

use raster::state::{LogicOperation, MultisampleState};
use raster::{Pipeline, PipelineError};

use super::*;

const SIZE: (u32, u32) = (9, 6);

fn integers(format: ColorFormat, samples: Samples) -> Surface {
    Surface::color("integers", SIZE, format, samples).expect("a small size")
}

fn state(format: ColorFormat) -> State {
    State { targets: [ColorTarget::of(format); COLOR_TARGETS], ..State::FLAT }
}

/// A shader that gives a constant.
fn giving(ty: &str, value: &str) -> String {
    format!("@fragment fn main() -> @location(0) {ty} {{ return {ty}({value}); }}")
}

fn made(source: &str, state: State) -> Result<Pipeline, PipelineError> {
    Pipeline::new("integers.wgsl", source, "main", state)
}

fn everywhere(pipeline: &Pipeline) -> Draw {
    let vertices = [[-9.0, -9.0], [40.0, -9.0], [-9.0, 40.0]].map(|place| at_pixel(place, SIZE, Vec4::ZERO));
    draw(pipeline, vertices.to_vec())
}

/// What every sample of the surface holds after a pass that clears it and draws this.
fn drawn(backend: &mut dyn Backend, surface: &Surface, clear: [f32; 4], draws: Vec<Draw>) -> u32 {
    let pass = Pass { colors: vec![ColorAttachment::cleared(surface, clear)], draws, ..Pass::default() };
    render(backend, &only(vec![pass]));
    let contents = read(backend, surface);
    let first = contents.planes[0][0];
    assert_eq!(contents.planes.len(), surface.samples().count() as usize);
    assert!(contents.planes.iter().flatten().all(|word| *word == first), "{}: {contents:?}", backend.name());
    first
}

#[test]
fn integers_are_limited_to_the_range_of_their_format() {
    use ColorFormat::{R32Sint, R32Uint, Rgba8Sint, Rgba8Uint};
    let cases = [
        (R32Uint, "u32", "0xdeadbeefu", 0xdead_beef),
        // The bits of a signalling NaN.
        (R32Uint, "vec2<u32>", "0x7fa00001u, 9u", 0x7fa0_0001),
        (R32Sint, "i32", "-2", 0xffff_fffe),
        (Rgba8Uint, "vec4<u32>", "300u, 0u, 255u, 7u", 0x07ff_00ff),
        (Rgba8Uint, "vec4<u32>", "0xffffffffu, 1u, 2u, 256u", 0xff02_01ff),
        // Missing channels are 0, alpha 1.
        (Rgba8Uint, "vec2<u32>", "1u, 2u", 0x0100_0201),
        (Rgba8Sint, "vec4<i32>", "-129, 127, -1, 200", 0x7fff_7f80),
        (Rgba8Sint, "vec3<i32>", "-128, 128, 5", 0x0105_7f80),
    ];
    for (format, ty, value, wanted) in cases {
        let pipeline = made(&giving(ty, value), state(format)).expect("the numbers fit");
        for samples in [Samples::One, Samples::Four] {
            for backend in &mut machines() {
                let surface = integers(format, samples);
                let found = drawn(&mut **backend, &surface, [1.0; 4], vec![everywhere(&pipeline)]);
                assert_eq!(found, wanted, "{}: {format:?} {value}: {found:#010x}", backend.name());
            }
        }
    }
}

#[test]
fn a_mask_and_a_logic_operation_change_integers_bit_by_bit() {
    let state = state(ColorFormat::Rgba8Uint);
    let target = ColorTarget { mask: ColorMask { green: true, alpha: true, ..ColorMask::NONE }, ..state.targets[0] };
    let masked = State { targets: [target; COLOR_TARGETS], ..state };
    let combined = State { logic: Some(LogicOperation::Xor), ..state };
    let source = giving("vec4<u32>", "0x0fu, 0xf0u, 0xaau, 0x55u");
    let [masked, combined] = [masked, combined].map(|state| made(&source, state).expect("the numbers fit"));
    for backend in &mut machines() {
        let surface = integers(ColorFormat::Rgba8Uint, Samples::One);
        // The clear value is 1, 2, 3, 4: green and alpha are replaced.
        let found = drawn(&mut **backend, &surface, [1.0, 2.0, 3.0, 4.0], vec![everywhere(&masked)]);
        assert_eq!(found, 0x5503_f001, "{}: {found:#010x}", backend.name());
        // 255, 255, 0, 255 xor 0f, f0, aa, 55.
        let found = drawn(&mut **backend, &surface, [255.0, 255.0, 0.0, 255.0], vec![everywhere(&combined)]);
        assert_eq!(found, 0xaaaa_0ff0, "{}: {found:#010x}", backend.name());
    }
    let red = ColorTarget { mask: ColorMask { red: false, ..ColorMask::ALL }, ..ColorTarget::of(ColorFormat::R32Uint) };
    let hidden = State { targets: [red; COLOR_TARGETS], ..State::FLAT };
    let hidden = made(&giving("u32", "7u"), hidden).expect("the numbers fit");
    for backend in &mut machines() {
        let surface = integers(ColorFormat::R32Uint, Samples::One);
        assert_eq!(drawn(&mut **backend, &surface, [5.0; 4], vec![everywhere(&hidden)]), 5, "{}", backend.name());
    }
}

#[test]
fn clear_values_become_integers_towards_zero() {
    let cases = [
        (ColorFormat::Rgba8Uint, [3.9, -1.0, 300.0, 1.0], 0x01ff_0003),
        (ColorFormat::Rgba8Sint, [-1.9, 1.9, -200.0, 127.0], 0x7f80_01ff),
        (ColorFormat::R32Uint, [4294967040.0, 9.0, 9.0, 9.0], 0xffff_ff00),
        (ColorFormat::R32Sint, [-3.0, 9.0, 9.0, 9.0], 0xffff_fffd),
    ];
    for (format, clear, wanted) in cases {
        for backend in &mut machines() {
            let surface = integers(format, Samples::One);
            let found = drawn(&mut **backend, &surface, clear, Vec::new());
            assert_eq!(found, wanted, "{}: {format:?}: {found:#010x}", backend.name());
        }
    }
}

#[test]
fn drawn_integers_are_read_by_a_later_pass() {
    // Numbers of primitives, as they are drawn to pick objects: 200000 and up on the left, −7 on the right.
    let ids = "@fragment fn main(@location(0) @interpolate(flat) id: u32) -> @location(0) u32 { return id; }";
    let ids = made(ids, state(ColorFormat::R32Uint)).expect("the numbers fit");
    let strip = |x0: f32, x1: f32, id: u32| {
        let corners =
            [[x0, 0.0], [x1, 0.0], [x1, 6.0], [x0, 6.0]].map(|place| at_pixel(place, SIZE, Vec4::ZERO).with(0, id));
        draw(&ids, [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec())
    };
    let look = "@group(0) @binding(0) var ids: texture_2d<u32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            let id = textureLoad(ids, vec2<i32>(p.xy), 0).r;
            return select(vec4<f32>(1.0, 0.0, 0.0, 1.0), vec4<f32>(0.0, 1.0, 0.0, 1.0), id == 200003u); }";
    for backend in &mut machines() {
        let (surface, seen) = (integers(ColorFormat::R32Uint, Samples::One), color("seen", SIZE));
        let bindings = Bindings::new().with(0, 0, &surface);
        let shown = everywhere(&pipeline(look, State::FLAT)).with_bindings(bindings);
        let pass = |surface, draws| Pass {
            colors: vec![ColorAttachment::cleared(surface, [0.0; 4])],
            draws,
            ..Pass::default()
        };
        let frame = only(vec![
            pass(&surface, vec![strip(0.0, 4.0, 200_003), strip(4.0, 9.0, 200_004)]),
            pass(&seen, vec![shown]),
        ]);
        render(&mut **backend, &frame);
        for (at, word) in read(&mut **backend, &seen).planes[0].iter().enumerate() {
            let wanted = if at as u32 % SIZE.0 < 4 { 0xff00_ff00u32 } else { 0xffff_0000 };
            assert_eq!(*word, wanted, "{}: pixel {at}", backend.name());
        }
    }
}

#[test]
fn what_integers_cannot_be_is_refused_by_name() {
    #[track_caller]
    fn check(source: &str, state: State, message: &str) {
        let error = made(source, state).expect_err("it cannot be");
        let shown = match &error {
            PipelineError::State { cause, .. } => cause.to_string(),
            other => other.to_string(),
        };
        assert_eq!(shown, message);
    }
    let unsigned = state(ColorFormat::R32Uint);
    let numbers = giving("u32", "1u");
    let prefix = "`integers.wgsl`, entry point `main`: location 0 gives";
    check(&numbers, State::FLAT, &format!("{prefix} Uint, and the state's target 0 is Rgba8"));
    check(&giving("f32", "1.0"), unsigned, &format!("{prefix} Float, and the state's target 0 is R32Uint"));
    check(&giving("i32", "1"), unsigned, &format!("{prefix} Sint, and the state's target 0 is R32Uint"));
    let blended = unsigned.blended(BlendState::ALPHA);
    check(&numbers, blended, "target 0 holds integers (R32Uint), which are never blended");
    let covering = MultisampleState { alpha_to_coverage: true, ..MultisampleState::ALL };
    let message = "alpha test and alpha to coverage need a first target of colours, not R32Uint";
    check(&numbers, State { alpha_test: Compare::Less, ..unsigned }, message);
    check(&numbers, State { multisample: covering, ..unsigned }, message);

    let draws = vec![everywhere(&made(&numbers, unsigned).expect("the numbers fit"))];
    let many = integers(ColorFormat::R32Uint, Samples::Four);
    let one = integers(ColorFormat::R32Uint, Samples::One);
    let resolved = ColorAttachment::cleared(&many, [0.0; 4]).resolved_into(&one);
    let pass = Pass { colors: vec![resolved], ..Pass::default() };
    for backend in &mut machines() {
        let error = backend.render(&frame(4, 4, draws.clone())).expect_err("a picture is colours");
        let message = "the picture's draws have pipelines for R32Uint; integers are drawn into surfaces, by a pass";
        assert_eq!(error.to_string(), message);
        let error = backend.render(&only(vec![pass.clone()])).expect_err("integers have no average");
        assert!(error.to_string().ends_with("it takes 4 samples into 1 of the same format, of colours"), "{error}");
    }
}
