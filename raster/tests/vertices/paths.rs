//! Closure and shader make the same vertices and pictures; numbers, steps, indices and resources reach the shader.

use super::*;
use gpu_core::config::GpuConfig;
use raster::{Sampler, Texture};
use texture::{Format, Image};

const PLAIN: &str = "
    struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
    @vertex fn vertex(@location(0) at: vec2<f32>, @location(1) color: vec3<f32>, @location(2) shift: vec2<f32>,
                      @builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Out {
        let w = 1.0 + 0.5 * f32(v & 1u);
        return Out(vec4<f32>((at + shift) * w, 0.25 * w, w), vec4<f32>(color, f32(i) * 0.25)); }";

const PLACES: [[f32; 2]; 5] = [[-0.9, -0.8], [0.1, -0.7], [-0.3, 0.4], [0.6, 0.5], [9.0, 9.0]];
const COLORS: [[u8; 4]; 5] = [[255, 0, 0, 0], [0, 255, 51, 0], [0, 102, 255, 0], [255, 255, 255, 0], [1, 2, 3, 4]];
const SHIFTS: [[f32; 2]; 5] = [[5.0, 5.0], [0.0, 0.0], [0.25, -0.125], [-0.1, 0.3], [7.0, 7.0]];

/// The draw as a shader makes it, and as a closure does.
pub fn both(indices: impl Into<Indices>) -> [Draw; 2] {
    let places = VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x2)]);
    let colors = VertexBufferLayout::packed(StepMode::Vertex, &[(1, VertexFormat::Unorm8x4)]);
    let shifts = VertexBufferLayout::packed(StepMode::Instance, &[(2, VertexFormat::Float32x2)]);
    let call = program(PLAIN, &[places, colors, shifts])
        .call()
        .with_buffer(0, &Buffer::from_slice(&PLACES))
        .with_buffer(1, &Buffer::from_slice(&COLORS))
        .with_buffer(2, &Buffer::from_slice(&SHIFTS));
    let pipeline = pipeline(COLOR, State::FLAT);
    let indices = indices.into();
    let shader = Draw::from_vertices(&pipeline, &call, 4).with_indices(indices.clone()).with_instance_range(1, 3);
    let closure = Draw::indexed(&pipeline, 4, indices, |_| Vertex::at(Vec4::ZERO)).with_instances(1, 3, |v, i| {
        let ([x, y], [dx, dy]) = (PLACES[v as usize], SHIFTS[i as usize]);
        let w = 1.0 + 0.5 * (v & 1) as f32;
        let [red, green, blue, _] = COLORS[v as usize].map(|channel| f32::from(channel) / 255.0);
        Vertex::at(Vec4::new((x + dx) * w, (y + dy) * w, 0.25 * w, w))
            .with(0, Vec4::new(red, green, blue, i as f32 * 0.25))
    });
    [shader, closure]
}

#[test]
fn closure_and_shader_make_the_same_vertices_and_pictures() {
    let [shader, closure] = both(vec![0u16, 1, 2, 2, 1, 3]);
    let expected = Reference::new().vertices(&closure).expect("a closure's vertices");
    assert_eq!(expected.len(), 4 * 3, "each once for each instance");
    check_vertices(&shader, &expected);
    let wanted = render(&mut Reference::new(), &frame(40, 30, vec![closure]));
    for mut backend in backends() {
        assert_equal(&wanted, &render(&mut *backend, &frame(40, 30, vec![shader.clone()])), "shader");
    }
    assert!(wanted.shown().filter(|word| *word != 0).count() > 300, "there is something to see");
}

/// Every kind of interpolation on its way from a vertex shader to a fragment shader, in strips that begin anew.
#[test]
fn varyings_and_restarted_strips_are_those_of_closures() {
    const KINDS: [(&str, &str); 6] = [
        ("@interpolate(flat)", "u32"),
        ("@interpolate(linear)", "vec2<f32>"),
        ("@interpolate(perspective, centroid)", "f32"),
        ("@interpolate(linear, centroid)", "f32"),
        ("@interpolate(perspective, sample)", "f32"),
        ("", "vec3<f32>"),
    ];
    let members = |up_to: usize| -> String {
        let member = |(n, (how, ty)): (usize, &(&str, &str))| format!("@location({n}) {how} v{n}: {ty}, ");
        KINDS.iter().take(up_to).enumerate().map(member).collect()
    };
    let source = format!(
        "struct Out {{ @builtin(position) p: vec4<f32>, {} }}
         @vertex fn vertex(@location(0) at: vec4<f32>, @location(1) a: vec4<f32>) -> Out {{
             return Out(at, u32(a.x * 200.0), a.xy, a.z, a.w, a.x, a.yzw); }}",
        members(6)
    );
    // A shader that reads none at samples runs once a pixel.
    let fragments = [
        (4, "vec4<f32>(f32(v.v0) / 255.0, v.v1.x, v.v2, v.v3)"),
        (6, "vec4<f32>(f32(v.v0) / 255.0, v.v4, v.v5.x * v.v1.y, v.v5.z)"),
    ];
    let corners: [([f32; 4], [f32; 4]); 7] = [
        ([9.0; 4], [0.0; 4]),
        ([-0.9, -0.8, 0.5, 1.0], [0.1, 0.9, 0.3, 1.0]),
        ([0.2, -1.1, 0.8, 2.0], [0.8, 0.2, 0.9, 0.4]),
        ([-1.2, 1.4, 0.9, 1.8], [0.5, 0.6, 0.2, 0.7]),
        ([0.5, 0.45, 0.3, 0.6], [1.0, 0.1, 0.7, 0.2]),
        ([0.93, -0.6, 0.5, 1.0], [0.3, 0.8, 0.0, 0.9]),
        ([0.9, 0.95, 0.5, 1.0], [0.9, 0.4, 1.0, 0.5]),
    ];
    let layout =
        VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x4), (1, VertexFormat::Float32x4)]);
    let words: Vec<[[f32; 4]; 2]> = corners.iter().map(|&(at, values)| [at, values]).collect();
    let call = program(&source, &[layout]).call().with_buffer(0, &Buffer::from_slice(&words));
    let indices = vec![0u16, 1, 2, 3, u16::MAX, 4, 3, 5];
    let state =
        State { topology: Topology::TriangleStrip, primitive_restart: true, cull: raster::Cull::None, ..State::FLAT };
    for (count, color) in fragments {
        let source = format!(
            "struct In {{ {} }} @fragment fn main(v: In) -> @location(0) vec4<f32> {{ return {color}; }}",
            members(count)
        );
        let pipeline = pipeline(&source, state);
        let shader = Draw::from_vertices(&pipeline, &call, 6).with_indices(indices.clone()).with_first_vertex(1);
        let closure = Draw::indexed(&pipeline, 6, indices.clone(), move |number| {
            let (at, [x, y, z, w]) = corners[number as usize];
            Vertex::at(Vec4::from_array(at))
                .with(0, f32::from_bits((x * 200.0) as u32))
                .with(1, glam::Vec2::new(x, y))
                .with(2, z)
                .with(3, w)
                .with(4, x)
                .with(5, glam::Vec3::new(y, z, w))
        })
        .with_first_vertex(1);
        for samples in [raster::Samples::One, raster::Samples::Four] {
            let picture = |draw: &Draw| frame(26, 20, vec![draw.clone()]).with_samples(samples);
            let wanted = render(&mut Reference::new(), &picture(&closure));
            assert!(wanted.shown().filter(|word| *word != 0).count() > 150, "there is something to see");
            // The interpreted kernel draws one sample a pixel.
            let is_asked =
                |backend: &dyn Backend| samples == raster::Samples::One || backend.name() != "interpreted kernel";
            for mut backend in backends().into_iter().filter(|backend| is_asked(&**backend)) {
                let name = format!("{}, {samples:?}, {count} varyings", backend.name());
                assert_equal(&wanted, &render(&mut *backend, &picture(&shader)), &name);
            }
        }
    }
}

#[test]
fn only_named_vertices_are_made_each_once_and_numbers_count_from_the_first() {
    // Vertex 0 of the draw is vertex 1 of the buffers; the last index and the fourth vertex are not named.
    let [shader, _] = both(vec![2u8, 0, 2]);
    let draw = shader.with_first_vertex(1).with_instance_range(2, 1);
    let color = |v: usize, alpha: f32| {
        let [red, green, blue, _] = COLORS[v].map(|channel| f32::from(channel) / 255.0);
        Vec4::new(red, green, blue, alpha)
    };
    // (0.1 + 0.25, −0.7 − 0.125) · 1.5 and (0.6 + 0.25, 0.5 − 0.125) · 1.5.
    let expected = [
        Vertex::at(Vec4::new((0.1 + 0.25) * 1.5, (-0.7 - 0.125) * 1.5, 0.375, 1.5)).with(0, color(1, 0.5)),
        Vertex::at(Vec4::new((0.6 + 0.25) * 1.5, (0.5 - 0.125) * 1.5, 0.375, 1.5)).with(0, color(3, 0.5)),
    ];
    check_vertices(&draw, &expected);
    let mut device = device(gpu_core::config::GpuConfig::vortex(1, 2, 4));
    render(&mut device, &frame(8, 8, vec![draw.clone(), draw.with_instance_range(0, 0)]));
    assert_eq!((device.report().vertices, device.report().launches), (2, 1 + u64::from(device.report().tiles > 0)));
}

#[test]
fn a_shader_reads_buffers_and_textures() {
    let source = "
        struct Scene { turn: mat2x2<f32>, lift: f32 }
        @group(0) @binding(1) var<uniform> scene: Scene;
        @group(1) @binding(0) var<storage, read> places: array<vec2<f32>>;
        @group(0) @binding(2) var heights: texture_2d<f32>;
        @group(0) @binding(3) var how: sampler;
        struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
        @vertex fn vertex(@builtin(vertex_index) v: u32) -> Out {
            // Beyond the end WGSL reads the last element.
            let at = scene.turn * places[v];
            let height = textureLoad(heights, vec2<i32>(i32(v) % 2, 1), 0).x;
            let between = textureSampleLevel(heights, how, vec2<f32>(0.5, 0.25), 0.0);
            return Out(vec4<f32>(at, height + scene.lift, 1.0), between); }";
    // Columns of the matrix: (0, 1), (−1, 0).
    let scene: [f32; 6] = [0.0, 1.0, -1.0, 0.0, 0.125, 0.0];
    let places = [[0.5f32, 0.25], [-0.5, 0.75], [1.0, -1.0]];
    let rows = [[0, 0, 0, 255], [255, 255, 255, 255], [51, 0, 0, 255], [102, 0, 0, 255]].concat();
    let image = Image::new(Format::Rgba8, 2, 2, rows).expect("four texels");
    let bindings = Bindings::new()
        .with(0, 1, &Buffer::from_slice(&scene))
        .with(1, 0, &Buffer::from_slice(&places))
        .with(0, 2, &Texture::new(image))
        .with(0, 3, Sampler::BILINEAR);
    let points = State { topology: Topology::PointList, ..State::FLAT };
    let call = program(source, &[]).call();
    let draw = Draw::from_vertices(&pipeline(COLOR, points), &call, 4).with_bindings(bindings);
    let made = Reference::new().vertices(&draw).expect("it runs");
    let height = |v: usize| [0.2f32, 0.4][v % 2] + 0.125;
    let turned = [[-0.25, 0.5], [-0.75, -0.5], [1.0, 1.0], [1.0, 1.0]];
    for (v, vertex) in made.iter().enumerate() {
        assert_eq!(vertex.position, Vec4::new(turned[v][0], turned[v][1], height(v), 1.0), "vertex {v}");
        // Half of black and half of white, rounded to 8 bits.
        assert!((vertex.locations[0][0] * 255.0 - 127.5).abs() <= 0.51, "{vertex:?}");
    }
    check_vertices(&draw, &made);
}

/// Each vertex looks at a pair of its own: six textures by three samplers, and a texel that is loaded.
#[test]
fn a_shader_reads_more_pairs_than_sixteen() {
    let declared: String = (0..6).map(|t| format!("@group(0) @binding({t}) var t{t}: texture_2d<f32>;\n")).collect();
    let samplers: String = (0..3).map(|s| format!("@group(1) @binding({s}) var s{s}: sampler;\n")).collect();
    let looked_at: String = (0..18)
        .map(|n| {
            let (t, s) = (n / 3, n % 3);
            format!("case {n}u: {{ seen = textureSampleLevel(t{t}, s{s}, vec2<f32>(-0.25, 0.5), 0.0).r; }}\n")
        })
        .collect();
    let source = format!(
        "{declared}{samplers}
        @vertex fn vertex(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {{
            var seen = textureLoad(t5, vec2<i32>(1, 0), 0).r;
            switch v {{ {looked_at} default: {{}} }}
            return vec4<f32>(seen, 0.0, 0.5, 1.0);
        }}"
    );
    // Two texels n and n + 100: left of them is the first by clamping, the second by repeating, the first in the mirror.
    let mut bindings = Bindings::new();
    for (s, wrap_u) in (0..).zip([texture::Wrap::Clamp, texture::Wrap::Repeat, texture::Wrap::Mirror]) {
        bindings = bindings.with(1, s, Sampler { wrap_u, ..Sampler::POINT });
    }
    for t in 0..6 {
        let texels = [t as f32, t as f32 + 100.0].map(f32::to_le_bytes).concat();
        bindings = bindings.with(0, t, &Texture::new(Image::new(Format::R32Float, 2, 1, texels).expect("two texels")));
    }
    let points = State { topology: Topology::PointList, ..State::FLAT };
    let pipeline = pipeline("@fragment fn main() {}", points);
    let draw = Draw::from_vertices(&pipeline, &program(&source, &[]).call(), 19).with_bindings(bindings);
    let seen = |v: u32| if v == 18 { 105.0 } else { (v / 3) as f32 + if v % 3 == 1 { 100.0 } else { 0.0 } };
    let expected: Vec<_> = (0..19).map(|v| Vertex::at(Vec4::new(seen(v), 0.0, 0.5, 1.0))).collect();
    check_vertices(&draw, &expected);
    // One stage more than pairs, for what is loaded.
    let small = GpuConfig { texture_stages: 16, ..GpuConfig::wide(1, 4, 8) };
    let error = Backend::vertices(&mut device(small), &draw).expect_err("it is too small");
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains("need 19 texture stages, the machine has 16 (`texture_stages`)"), "{error}: {cause}");
}

#[test]
fn positions_that_are_no_numbers_draw_nothing_and_harm_nobody() {
    let source = "struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
        @vertex fn vertex(@location(0) p: vec4<f32>) -> Out { return Out(p, vec4<f32>(1.0)); }";
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.4e38, 0.0];
    let mut positions: Vec<[f32; 4]> = Vec::new();
    for (number, value) in odd.into_iter().enumerate() {
        for component in 0..4 {
            let mut corners = [[-0.5, -0.5, 0.5, 1.0], [0.5, -0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0]];
            corners[number % 3][component] = value;
            positions.extend(corners);
        }
    }
    let layout = VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x4)]);
    let call = program(source, &[layout]).call().with_buffer(0, &Buffer::from_slice(&positions));
    let draw = Draw::from_vertices(&pipeline(COLOR, State::FLAT), &call, positions.len() as u32);
    let frame = frame(16, 16, vec![draw]);
    let wanted = render(&mut Reference::new(), &frame);
    for mut backend in backends() {
        assert_equal(&wanted, &render(&mut *backend, &frame), backend.name().to_owned().as_str());
    }
}

/// Vertices may be a few among very many, and some of all: both are found among the results of both instances.
#[test]
fn vertices_whose_numbers_lie_far_apart_are_found_among_the_results() {
    const NUMBERS: u32 = 20_000;
    let layouts = [VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Uint32)])];
    let source = "
        struct Made { @builtin(position) position: vec4<f32>, @location(0) @interpolate(flat) number: vec2<u32> }
        @vertex fn vertex(@location(0) number: u32, @builtin(instance_index) instance: u32) -> Made {
            return Made(vec4<f32>(f32(number), f32(instance), 0.0, 1.0), vec2<u32>(number, instance));
        }";
    let fragment = "
        @fragment fn main(@location(0) @interpolate(flat) number: vec2<u32>) -> @location(0) vec4<f32> {
            return vec4<f32>(f32(number.x), f32(number.y), 0.0, 1.0);
        }";
    let words: Vec<_> = (0..NUMBERS).map(|number| 3 * number + 1).collect();
    let call = program(source, &layouts).call().with_buffer(0, &Buffer::from_slice(&words));
    let pipeline = pipeline(fragment, State::FLAT);
    // Far apart, with gaps, and without.
    for indices in [vec![17_000u32, 3, 9_000], vec![40, 20, 30, 21, 41, 25], vec![7, 5, 6]] {
        let draw = Draw::from_vertices(&pipeline, &call, NUMBERS - 2).with_indices(indices.clone());
        let draw = draw.with_first_vertex(2).with_instance_range(4, 2);
        let mut numbers: Vec<_> = indices.iter().map(|index| words[*index as usize + 2]).collect();
        numbers.sort_unstable();
        let made = |instance: u32, number: &u32| {
            let mut vertex = Vertex::at(Vec4::new(*number as f32, instance as f32, 0.0, 1.0)).with(0, *number);
            vertex.locations[0][1] = f32::from_bits(instance);
            vertex
        };
        let expected: Vec<_> =
            [4, 5].into_iter().flat_map(|instance| numbers.iter().map(move |number| made(instance, number))).collect();
        check_vertices(&draw, &expected);
    }
}
