//! The device against the reference, bit for bit: colour and depth of every pixel, on machines of every shape.
//!
//! Between the two stands the interpreted kernel (`drawing::Interpreted`), which tells on which side of the code generator
//! a difference arises.

mod drawing;
#[path = "../src/seeded.rs"]
mod seeded;

use std::num::NonZeroUsize;

use drawing::*;
use glam::{Vec2, Vec4};
use gpu_core::config::{DivergenceMechanism, GpuConfig};
use gpu_core::isa::{Extension, ExtensionSet};
use proptest::prelude::*;
use raster::{
    Backend, Bindings, Buffer, Compare, DepthState, Draw, Frame, MipFilter, Reference, Sampler, State, Texture, Vertex,
};
use seeded::seeded;
use texture::{Filter, Format, Image, Wrap};

/// Machines of all lane counts that draw, with one and several warps and cores, with and without extensions.
fn machines() -> [GpuConfig; 8] {
    [
        GpuConfig::vortex(1, 4, 4),
        GpuConfig::wide(3, 1, 4),
        GpuConfig::vortex(2, 3, 8),
        GpuConfig::wide(2, 8, 16),
        GpuConfig::vortex(1, 16, 16),
        GpuConfig::wide(1, 2, 32),
        GpuConfig::vortex(1, 2, 8).with_divergence(DivergenceMechanism::Mask),
        GpuConfig::wide(2, 4, 16).with_divergence(DivergenceMechanism::Mask),
    ]
}

/// Every machine draws what the reference draws.
fn check(frame: &Frame) {
    let expected = render(&mut Reference::new(), frame);
    for config in machines() {
        let actual = render(&mut device(config), frame);
        assert_equal(&expected, &actual, &format!("{} of {} bytes", config.shape(), config.local_bytes));
    }
}

fn any_vertex() -> impl Strategy<Value = Vertex> {
    let place = (-1.6f32..1.6, -1.6f32..1.6, -0.3f32..1.3, 0.3f32..3.0);
    (place, prop::array::uniform4(-0.2f32..1.2)).prop_map(|((x, y, z, w), color)| {
        Vertex::at(Vec4::new(x * w, y * w, z * w, w)).with(0, Vec4::from_array(color))
    })
}

/// Some large and some small triangles in two draws, the second with a depth state of its own.
fn any_frame() -> impl Strategy<Value = Frame> {
    let large = prop::collection::vec(any_vertex(), 9);
    let small = prop::collection::vec((any_vertex(), prop::array::uniform4(-0.1f32..0.1)), 8);
    let state = (prop::sample::select(Compare::ALL.to_vec()), any::<bool>());
    (large, small, state).prop_map(|(mut vertices, small, (compare, write))| {
        for (first, [a, b, c, d]) in small {
            let beside =
                |x: f32, y: f32| Vertex::at(first.position + Vec4::new(x, y, 0.0, 0.0)).with(0, WHITE * x.abs() * 9.0);
            vertices.extend([first, beside(a, b), beside(c, d)]);
        }
        let first = pipeline(COLOR, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
        let second = pipeline(COLOR, State { depth: DepthState { compare, write }, ..State::FLAT });
        let half = vertices.len() / 6 * 3;
        frame(37, 29, vec![draw(&first, vertices[..half].to_vec()), draw(&second, vertices[half..].to_vec())])
    })
}

proptest! {
    #![proptest_config(seeded(10))]

    #[test]
    fn random_triangles_interpreted(frame in any_frame(), lanes in prop::sample::select(vec![4u32, 8, 16, 32]), side in 3u32..6) {
        let expected = render(&mut Reference::new(), &frame);
        let actual = render(&mut Interpreted::new(lanes, side), &frame);
        assert_equal(&expected, &actual, &format!("{lanes} lanes, tiles of 2^{side}"));
    }

    #[test]
    fn random_triangles_on_every_machine(frame in any_frame()) {
        check(&frame);
    }
}

/// A picture without symmetry, with all mip levels.
fn picture(format: Format, width: u32, height: u32) -> Texture {
    let texel = |x: u32, y: u32| {
        let (x, y) = (x * 255 / width, y * 255 / height);
        (0xff - x / 2) << 24 | x << 16 | y << 8 | (x ^ y)
    };
    let image = Image::from_fn(format, width, height, texel).expect("a small picture");
    Texture::new(image.with_mipmaps().expect("a small picture"))
}

/// A floor that recedes from the viewer, textured many times over, and a wall across it.
fn room(draw_of: impl Fn(Vec<Vertex>) -> Draw) -> Frame {
    let corner = |x: f32, y: f32, z: f32, u: f32, v: f32| {
        // A camera at the origin that looks along +z; near 0.5, far 20.
        let (near, far) = (0.5, 20.0);
        let depth = far / (far - near);
        Vertex::at(Vec4::new(x, y, depth * (z - near), z))
            .with(0, Vec2::new(u, v))
            .with(1, Vec4::new(u, v, z, 1.0) * 0.1)
    };
    let floor = [(-4.0, 0.2), (4.0, 0.2), (4.0, 18.0), (-4.0, 18.0)].map(|(x, z)| corner(x, -1.0, z, x, z));
    let wall = [(-1.5, -1.2), (1.0, -0.8), (1.3, 1.4), (-1.1, 0.9)].map(|(x, y)| corner(x, y, 3.0 + x, 2.0 * x, y));
    let quads = [floor, wall].map(|quad| [0, 1, 2, 0, 2, 3].map(|i: usize| quad[i])).concat();
    frame(70, 53, vec![draw_of(quads)])
}

const TEXTURED: &str = "
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(picture, how, uv); }
";

#[test]
fn textures_by_every_filter() {
    let pipeline = pipeline(TEXTURED, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    let bilinear = Sampler::BILINEAR;
    let samplers = [
        (Format::A8R8G8B8, 32, 32, Sampler::POINT),
        (Format::A8R8G8B8, 32, 32, bilinear),
        (Format::A8R8G8B8, 32, 16, Sampler::TRILINEAR),
        (Format::R5G6B5, 32, 32, Sampler { mip_filter: MipFilter::Nearest, wrap_u: Wrap::Mirror, ..bilinear }),
        (Format::Rgba8, 21, 13, Sampler { filter: Filter::Point, lod_bias: 0.7, lod_max: 2.5, ..Sampler::TRILINEAR }),
        (Format::L8, 5, 3, Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Border, border: 0x80ff_4020, ..bilinear }),
    ];
    for (format, width, height, sampler) in samplers {
        let bindings = Bindings::new().with(0, 0, &picture(format, width, height)).with(0, 1, sampler);
        check(&room(|vertices| draw(&pipeline, vertices).with_bindings(bindings.clone())));
    }
}

/// Draws that share a pipeline but neither texture nor uniforms; more textures than the machine has banks.
#[test]
fn many_draws_each_with_its_own_resources() {
    let source = "
        struct Object { tint: vec4<f32>, offset: vec2<f32> }
        @group(0) @binding(0) var<uniform> object: Object;
        @group(0) @binding(1) var<storage, read> table: array<f32>;
        @group(1) @binding(0) var picture: texture_2d<f32>;
        @group(1) @binding(1) var how: sampler;
        @fragment fn main(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) id: u32) -> @location(0) vec4<f32> {
            return textureSample(picture, how, uv + object.offset) * object.tint * table[id];
        }";
    let pipeline = pipeline(source, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    let table = Buffer::from_slice(&[0.25f32, 0.5, 0.75, 1.0, 0.9]);
    let pictures = [8, 9, 10].map(|width| picture(Format::A8R8G8B8, width, 8));
    let draws = (0..7u32).map(|object| {
        let step = object as f32;
        let uniforms = [1.0, step / 7.0, 1.0 - step / 7.0, 1.0, step * 0.3, step * 0.1, 0.0, 0.0];
        let corner = |dx: f32, dy: f32| {
            let x = 4.0 * step + dx;
            let place = raster::frame::position_of_pixel(x, 3.0 * step + dy, 0.9 - step * 0.1, 40, 30);
            Vertex::at(place).with(0, Vec2::new(dx, dy) / 9.0).with(1, object)
        };
        let vertices = vec![corner(0.0, 0.0), corner(14.0, 2.0), corner(3.0, 13.0)];
        let bindings = Bindings::new()
            .with(0, 0, &Buffer::from_slice(&uniforms))
            .with(0, 1, &table)
            .with(1, 0, &pictures[[0, 1, 0, 1, 2, 2, 0][object as usize]])
            .with(1, 1, Sampler { lod_bias: step * 0.4, ..Sampler::TRILINEAR });
        draw(&pipeline, vertices).with_bindings(bindings)
    });
    let frame = frame(40, 30, draws.collect());
    check(&frame);
    let few_banks = GpuConfig { texture_stages: 8, ..GpuConfig::wide(1, 4, 16) };
    let mut device = device(few_banks);
    let expected = render(&mut Reference::new(), &frame);
    assert_equal(&expected, &render(&mut device, &frame), "two banks");
    assert_eq!(device.report().launches, 2);
}

/// Holes cut by discard must not leave depth behind; control flow that lanes disagree on.
#[test]
fn discard_and_divergent_control_flow() {
    let source = "
        fn cut(uv: vec2<f32>) -> bool {
            let cell = fract(uv * 2.0) - 0.5;
            if dot(cell, cell) < 0.06 { discard; }
            return cell.x > 0.0;
        }
        @fragment fn main(@location(0) uv: vec2<f32>, @location(1) color: vec4<f32>, @builtin(position) p: vec4<f32>,
                          @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
            var sum = vec4<f32>(0.1, 0.2, 0.3, 1.0);
            let right = cut(uv);
            if !front { return vec4<f32>(p.xy / 70.0, p.z, p.w); }
            for (var i = 0u; i < u32(abs(uv.x) * 3.0) + 1u; i++) {
                if i == 3u { continue; }
                if i > 7u { break; }
                sum += color * f32(i) * select(0.1, 0.2, right);
            }
            return sum + vec4<f32>(abs(dpdx(uv)), fwidth(uv.y), 0.0);
        }";
    for depth in [DepthState::LESS_WRITE, DepthState { compare: Compare::Always, write: true }, DepthState::OFF] {
        let cutting = pipeline(source, State { depth, ..State::FLAT });
        let behind = pipeline(COLOR, State { depth: DepthState::LESS_EQUAL_WRITE, ..State::FLAT });
        let mut frame = room(|vertices| draw(&cutting, vertices));
        let far = [[0.0, 0.0], [140.0, 0.0], [0.0, 106.0]].map(|place| {
            let mut vertex = at_pixel(place, (70, 53), Vec4::new(0.0, 1.0, 1.0, 1.0));
            vertex.position.z = 0.97;
            vertex
        });
        frame.draws.push(draw(&behind, far.to_vec()));
        check(&frame);
    }
}

#[test]
fn a_device_draws_frame_after_frame() {
    let textured = pipeline(TEXTURED, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    let plain = pipeline(COLOR, State::FLAT);
    let mut device = device(GpuConfig::wide(2, 4, 16));
    let triangle =
        |color: Vec4| [[1.0, 1.0], [15.0, 2.0], [4.0, 15.0]].map(|place| at_pixel(place, (16, 16), color)).to_vec();
    for round in 0..3 {
        let bindings = Bindings::new().with(0, 0, &picture(Format::A8R8G8B8, 16, 16)).with(0, 1, Sampler::TRILINEAR);
        let frames = [
            room(|vertices| draw(&textured, vertices).with_bindings(bindings.clone())),
            frame(16, 16, [Vec4::X, Vec4::Y, Vec4::Z].map(|color| draw(&plain, triangle(color))).to_vec()),
            frame(200, 3, vec![draw(&plain, triangle(WHITE))]),
        ];
        for (index, frame) in frames.iter().enumerate() {
            let expected = render(&mut Reference::new(), frame);
            assert_equal(&expected, &render(&mut device, frame), &format!("round {round}, frame {index}"));
        }
    }
}

#[test]
fn host_threads_do_not_change_a_picture() {
    let textured = pipeline(TEXTURED, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    let bindings = Bindings::new().with(0, 0, &picture(Format::A8R8G8B8, 32, 32)).with(0, 1, Sampler::TRILINEAR);
    let frame = room(|vertices| draw(&textured, vertices).with_bindings(bindings.clone()));
    let mut pictures = [1, 2, 5].map(|threads| {
        let mut device = device(GpuConfig::wide(5, 2, 8));
        let threads = NonZeroUsize::new(threads).expect("not zero");
        device.gpu_mut().set_host_threads(threads).expect("the host has threads");
        device.render(&frame).unwrap_or_else(|error| panic!("{error}"))
    });
    let first = pictures[0].clone();
    assert!(pictures.iter_mut().all(|picture| *picture == first));
}

/// Builtins that transcendental instructions carry out, over arguments of every size.
const LIT: &str = "
    @fragment fn main(@builtin(position) p: vec4<f32>, @location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
        let angle = uv.x * exp2(uv.y * 4.0);
        let n = normalize(vec3(sin(angle), cos(angle), tanh(uv.y)));
        let l = normalize(vec3(uv, 1.0 + atan2(uv.y, uv.x)));
        let light = max(dot(n, l), 0.0);
        let glare = pow(light, 20.0) + inverseSqrt(1.0 + p.x) + log2(p.y + 1.0) * 0.05;
        return vec4(light, glare, fract(tan(angle) + acos(light)), exp(-light));
    }
";

/// With the groups and without: each machine draws what the reference for its extensions draws, and the two are not one.
#[test]
fn machines_with_transcendental_instructions_draw_what_their_reference_draws() {
    let pipeline = pipeline(LIT, State { depth: DepthState::LESS_WRITE, ..State::FLAT });
    let frame = room(|vertices| draw(&pipeline, vertices));
    let plain = render(&mut Reference::new(), &frame);
    for base in [GpuConfig::vortex(1, 4, 4), GpuConfig::wide(2, 8, 16)] {
        let groups = ExtensionSet::TRANSCENDENTAL;
        for groups in [groups, groups.without(Extension::ZftransAdv), groups.intersection(ExtensionSet::NONE)] {
            let config = GpuConfig { extensions: base.extensions.union(groups), ..base };
            let expected = render(&mut Reference::for_machine(config.extensions), &frame);
            let actual = render(&mut device(config), &frame);
            assert_equal(&expected, &actual, &format!("{} with {groups:?}", config.shape()));
            assert_eq!(expected == plain, groups == ExtensionSet::NONE, "instructions are rounded otherwise");
        }
    }
}
