//! Vertex buffers on the device: uploaded once, kept while somebody holds them, and never another's.

use gpu_core::config::GpuConfig;
use gpu_core::units::Address;
use raster::Device;

use super::*;

const GIVEN: &str = "struct Out { @builtin(position) p: vec4<f32>, @location(0) color: vec4<f32> }
    @vertex fn vertex(@location(0) p: vec2<f32>, @location(1) c: vec4<f32>, @location(2) shift: vec2<f32>) -> Out {
        return Out(vec4<f32>(p + shift, 0.5, 1.0), c); }";

fn given() -> VertexProgram {
    let place = VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Float32x2)]);
    let color = VertexBufferLayout::packed(StepMode::Vertex, &[(1, VertexFormat::Unorm8x4)]);
    let shift = VertexBufferLayout::packed(StepMode::Instance, &[(2, VertexFormat::Float32x2)]);
    program(GIVEN, &[place, color, shift])
}

/// Where the device's copies of vertex buffers begin.
fn copies(device: &Device) -> Vec<Address> {
    let regions = device.gpu().memory().regions().iter();
    regions.filter(|region| region.name == "vertex buffer").map(|region| region.start).collect()
}

#[test]
fn a_buffer_is_uploaded_once_and_freed_after_its_last_holder() {
    let (places, colors) = ([[-0.5f32, -0.5], [0.5, -0.5], [0.0, 0.5]], [[255u8, 0, 0, 255]; 3]);
    let places = Buffer::from_slice(&places);
    let call = given()
        .call()
        .with_buffer(0, &places)
        .with_buffer(1, &Buffer::from_slice(&colors))
        .with_buffer(2, &Buffer::from_slice(&[[0.0f32; 2]]));
    let pipeline = pipeline(COLOR, State::FLAT);
    let draw = Draw::from_vertices(&pipeline, &call, 3);
    let mut device = device(GpuConfig::vortex(1, 2, 4));
    let drawn = render(&mut device, &frame(8, 8, vec![draw.clone(), draw.clone()]));
    let kept = copies(&device);
    assert_eq!(kept.len(), 3, "two draws share three buffers");
    // Whoever changes the device's copy sees it drawn: nobody uploads it a second time.
    let moved = [[9.0f32, 9.0]; 3];
    let is_places = |address: &&Address| {
        let mut bytes = [0; 24];
        device.gpu().memory().read(**address, &mut bytes).is_ok() && bytes == places.bytes()
    };
    let copy = *kept.iter().find(is_places).expect("the places are on the device");
    device.gpu_mut().upload(copy, bytemuck::cast_slice(&moved)).expect("it has room");
    let unseen = render(&mut device, &frame(8, 8, vec![draw.clone()]));
    assert!(drawn.shown().any(|word| word != 0) && unseen.shown().all(|word| word == 0));
    assert_eq!(copies(&device), kept);
    drop(draw);
    drop(call);
    render(&mut device, &frame(8, 8, Vec::new()));
    assert_eq!(copies(&device), [copy], "one of them is still held here");
    drop(places);
    render(&mut device, &frame(8, 8, Vec::new()));
    assert_eq!(copies(&device), []);
}

/// Buffers that come, stay and go, some with the same bytes, some read from an offset, some by two slots.
#[test]
fn a_used_device_draws_what_a_fresh_one_draws() {
    let program = given();
    let pipeline = pipeline(COLOR, State::FLAT.blended(raster::BlendState::ADDITIVE));
    let mut chance = 0x9e37_79b9_7f4a_7c15u64;
    let mut roll = move |below: u32| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as u32 % below
    };
    let mut buffer = |words: u32, least: f32, most: f32| {
        let floats = (0..words).map(|_| least + (most - least) * roll(256) as f32 / 255.0);
        Buffer::from_slice(&floats.collect::<Vec<f32>>())
    };
    let mut held: Vec<[Buffer; 2]> = (0..3).map(|_| [buffer(2 * 9, -1.0, 1.0), buffer(2 * 3, -0.5, 0.5)]).collect();
    let mut used = device(GpuConfig::wide(2, 4, 16));
    let mut pictures = Vec::new();
    for round in 0..12usize {
        // One goes and another comes, of another size or of the same bytes.
        let next = if round % 4 == 3 {
            held[1].each_ref().map(|buffer| Buffer::from_bytes(buffer.bytes()))
        } else {
            [buffer(2 * (6 + round as u32 % 5), -1.0, 1.0), buffer(2 * 3, -0.5, 0.5)]
        };
        held[round % 3] = next;
        let draws = (0..3usize).map(|number| {
            let [places, shifts] = &held[(round + number) % 3];
            let call = program.call().with_buffer_at(0, places, 8 * (number as u32 % 2)).with_buffer_at(2, shifts, 8);
            let call = call.with_buffer(1, if number == 2 { places } else { shifts });
            Draw::from_vertices(&pipeline, &call, 3).with_instance_range(0, 2)
        });
        let frame = frame(24, 18, draws.collect());
        let wanted = render(&mut device(GpuConfig::wide(2, 4, 16)), &frame);
        assert_equal(&wanted, &render(&mut used, &frame), &format!("round {round}"));
        assert_eq!(copies(&used).len(), 6, "round {round}: what the frame does not name is gone");
        pictures.push(wanted.shown().collect::<Vec<u32>>());
    }
    let mut different = pictures.clone();
    different.sort();
    different.dedup();
    assert!(different.len() > 9, "there is something to see");
}
