// Fetching attributes: from the bytes of a vertex buffer to the words of a `@location` input.
//
// Before: vertex.wgsl. The rules are WebGPU's ("Vertex Formats"): what a format does not have is 0, a fourth component 1.
// Formats are constants here, so of all this a handful of instructions is left for each attribute.

/// Of attribute n: kind 3:0, bits of a component 13:8, components 18:16 (raster/src/vertex_format.rs).
override FORMAT_0: u32 = 0u;
override FORMAT_1: u32 = 0u;
override FORMAT_2: u32 = 0u;
override FORMAT_3: u32 = 0u;
override FORMAT_4: u32 = 0u;
override FORMAT_5: u32 = 0u;
override FORMAT_6: u32 = 0u;
override FORMAT_7: u32 = 0u;
override FORMAT_8: u32 = 0u;
override FORMAT_9: u32 = 0u;
override FORMAT_10: u32 = 0u;
override FORMAT_11: u32 = 0u;
override FORMAT_12: u32 = 0u;
override FORMAT_13: u32 = 0u;
override FORMAT_14: u32 = 0u;
override FORMAT_15: u32 = 0u;

/// `f32`, `u32` and `i32` of 32 bits, and unsigned integers.
const UINT = 0u;
const SINT = 1u;
const UNORM = 2u;
const SNORM = 3u;
const HALF = 4u;
/// Four unorms in a word, of 10, 10, 10 and 2 bits.
const UNORM_10_10_10_2 = 5u;
/// Four unorms of 8 bits: blue, green, red, alpha.
const UNORM_BGRA = 6u;
/// As UINT, but the fourth component is a float when it is missing.
const FLOAT = 7u;

/// As in shaders/src/vertex_records.rs.
struct Attribute {
    /// Where in `vertex_data` the attribute of vertex (or instance) 0 begins.
    first_byte: u32,
    /// Bytes from one to the next.
    stride: u32,
    /// 1 if it is the instance that steps.
    is_instance: u32,
}

@group(0) @binding(2) var<storage, read> attributes: array<Attribute>;
/// All vertex buffers: on the device all of memory, so that buffers stay where they are.
@group(0) @binding(3) var<storage, read> vertex_data: array<u32>;

fn format_of(number: u32) -> u32 {
    switch number {
        case 0u: { return FORMAT_0; }
        case 1u: { return FORMAT_1; }
        case 2u: { return FORMAT_2; }
        case 3u: { return FORMAT_3; }
        case 4u: { return FORMAT_4; }
        case 5u: { return FORMAT_5; }
        case 6u: { return FORMAT_6; }
        case 7u: { return FORMAT_7; }
        case 8u: { return FORMAT_8; }
        case 9u: { return FORMAT_9; }
        case 10u: { return FORMAT_10; }
        case 11u: { return FORMAT_11; }
        case 12u: { return FORMAT_12; }
        case 13u: { return FORMAT_13; }
        case 14u: { return FORMAT_14; }
        default: { return FORMAT_15; }
    }
}

/// The bits of attribute `number` for a vertex.
fn fetch_attribute(number: u32, v: Vertex) -> vec4<u32> {
    let place = attributes[number];
    let first = place.first_byte + place.stride * select(v.index, v.instance, place.is_instance != 0u);
    let format = format_of(number);
    return vec4<u32>(
        component(format, 0u, first),
        component(format, 1u, first),
        component(format, 2u, first),
        component(format, 3u, first),
    );
}

fn component(format: u32, number: u32, first: u32) -> u32 {
    let kind = format & 15u;
    let bits = (format >> 8u) & 63u;
    let components = (format >> 16u) & 7u;
    if number >= components {
        let is_integer = kind == UINT || kind == SINT;
        return select(0u, select(bitcast<u32>(1.0), 1u, is_integer), number == 3u);
    }
    if kind == UNORM_10_10_10_2 {
        let word = vertex_data[first >> 2u];
        let tenths = f32((word >> ((10u * number) & 31u)) & 1023u) / 1023.0;
        return bitcast<u32>(select(tenths, f32(word >> 30u) / 3.0, number == 3u));
    }
    let start_bit = select(number, 2u - number, kind == UNORM_BGRA && number < 3u) * bits;
    // A component never crosses words; attributes of four bytes and more begin with one.
    var raw: u32;
    if components * bits >= 32u {
        raw = vertex_data[(first >> 2u) + (start_bit >> 5u)] >> (start_bit & 31u);
    } else {
        raw = vertex_data[first >> 2u] >> (8u * (first & 3u) + start_bit);
    }
    let left = (32u - bits) & 31u;
    raw = (raw << left) >> left;
    let signed = bitcast<i32>(raw << left) >> left;
    let most = 0xffffffffu >> left;
    switch kind {
        case SINT: { return bitcast<u32>(signed); }
        case UNORM, UNORM_BGRA: { return bitcast<u32>(f32(raw) / f32(most)); }
        case SNORM: { return bitcast<u32>(max(f32(signed) / f32(most >> 1u), -1.0)); }
        case HALF: { return bitcast<u32>(unpack2x16float(raw).x); }
        default: { return raw; }
    }
}
