//! The draws of these tests notice a fault: each of these, planted into the vertex kernel, changes vertices.

use raster::vertex_kernel::VertexKernel;
use shaders::front_end::Module;
use shaders::vertex_records::VERTEX_KERNEL;

use super::formats::{attribute_draw, type_of};
use super::paths::both;
use super::*;
use VertexFormat::*;

/// The kernel with one place changed.
fn kernel_with(right: &str, wrong: &str) -> VertexKernel {
    let places: usize = VERTEX_KERNEL.iter().map(|(_, text)| text.matches(right).count()).sum();
    assert_eq!(places, 1, "`{right}` stands once in the kernel");
    let texts: Vec<_> = VERTEX_KERNEL.iter().map(|(name, text)| (*name, text.replace(right, wrong))).collect();
    let files: Vec<_> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    VertexKernel::of(Module::parse_files("planted", &files).unwrap_or_else(|error| panic!("{error}")))
}

#[track_caller]
fn check_noticed(right: &str, wrong: &str, draw: &Draw) {
    let of = |backend: &mut dyn Backend| -> Vec<_> {
        backend.vertices(draw).expect("they can be made").iter().map(bits).collect()
    };
    let made = of(&mut Interpreted::new(8, 3).with_vertex_kernel(kernel_with(right, wrong)));
    assert_ne!(made, of(&mut Reference::new()), "`{wrong}` for `{right}`");
}

#[test]
fn faults_in_the_fetch_of_a_format_are_noticed() {
    // A place of the kernel, what is wrong instead, and a format that shows it.
    const FAULTS: [(&str, &str, VertexFormat); 18] = [
        ("kind == UINT || kind == SINT", "kind == UINT", Sint8x2),
        ("kind == UINT || kind == SINT", "kind == SINT", Uint32x3),
        ("number == 3u);", "number == 2u);", Float32x2),
        ("& 1023u) / 1023.0", "& 1023u) / 1024.0", Unorm10x3Unorm2),
        ("((10u * number) & 31u)", "((8u * number) & 31u)", Unorm10x3Unorm2),
        ("f32(word >> 30u) / 3.0", "f32(word >> 30u) / 4.0", Unorm10x3Unorm2),
        ("kind == UNORM_BGRA && number < 3u", "false", Unorm8x4Bgra),
        ("UNORM_BGRA && number < 3u", "UNORM_BGRA && number < 2u", Unorm8x4Bgra),
        ("(start_bit >> 5u)", "(start_bit >> 6u)", Snorm16x4),
        (">> (start_bit & 31u)", "", Uint8x4),
        ("8u * (first & 3u)", "8u * (first & 2u)", Uint8),
        ("8u * (first & 3u)", "0u", Float16),
        ("8u * (first & 3u) + start_bit", "8u * (first & 3u)", Unorm8x2),
        ("raw = (raw << left) >> left;", "", Uint16x2),
        ("bitcast<i32>(raw << left) >> left", "bitcast<i32>(raw)", Sint16x4),
        ("f32(raw) / f32(most)", "f32(raw) / f32(most + 1u)", Unorm16x2),
        ("f32(most >> 1u), -1.0", "f32(most >> 1u), -2.0", Snorm8x4),
        ("unpack2x16float(raw).x", "unpack2x16snorm(raw).x", Float16x4),
    ];
    for (right, wrong, format) in FAULTS {
        // At an odd place; the lowest numbers are among the values.
        let (stride, offset) = (format.bytes().next_multiple_of(4) + 8, format.alignment());
        let bytes: Vec<u8> =
            (0..19 * stride).map(|at| [0x80, 0x35, 0xa1, 0x00, 0xff, 0x7c, 0x5b][at as usize % 7]).collect();
        check_noticed(right, wrong, &attribute_draw(type_of(format), format, stride, offset, &bytes, 19));
    }
}

#[test]
fn faults_in_strides_steps_and_numbers_are_noticed() {
    const FAULTS: [(&str, &str); 8] = [
        ("place.first_byte + place.stride", "(place.first_byte & ~31u) + place.stride"),
        ("place.stride * select", "4u * select"),
        ("select(v.index, v.instance, place", "select(v.index, v.index, place"),
        ("select(v.index, v.instance, place", "select(v.instance, v.instance, place"),
        ("numbers[id.x - instance * call.vertices]", "id.x - instance * call.vertices"),
        ("call.first_instance + instance", "instance"),
        ("word * call.invocations + v.at", "word * call.vertices + v.at"),
        ("place.is_instance != 0u", "place.is_instance == 0u"),
    ];
    // Vertices 2, 3 and 4 of the buffers, instances 1 to 3.
    let [draw, _] = both(vec![3u16, 1, 2]);
    let draw = draw.with_first_vertex(1);
    for (right, wrong) in FAULTS {
        check_noticed(right, wrong, &draw);
    }
}
