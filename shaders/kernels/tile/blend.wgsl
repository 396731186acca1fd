// What becomes of a pixel's colour word: blending or a logic operation, the encoding, and the colour mask.
//
// `raster/src/reference/blend.rs` does the same in plain Rust. Blending works in steps of the stored bytes, 0 to 255, for
// linear channels, and in [0, 1] for encoded ones.

/// `BlendState::code` of each target: four bits each for the factors of source and destination and for the operation,
/// for the colour in the lower half, for alpha in the upper.
override BLEND_0: u32 = 0x00010001u;
override BLEND_1: u32 = 0x00010001u;
override BLEND_2: u32 = 0x00010001u;
override BLEND_3: u32 = 0x00010001u;
override BLEND_4: u32 = 0x00010001u;
override BLEND_5: u32 = 0x00010001u;
override BLEND_6: u32 = 0x00010001u;
override BLEND_7: u32 = 0x00010001u;
/// The bits of each target that are written.
override COLOR_MASK_0: u32 = 0xffffffffu;
override COLOR_MASK_1: u32 = 0xffffffffu;
override COLOR_MASK_2: u32 = 0xffffffffu;
override COLOR_MASK_3: u32 = 0xffffffffu;
override COLOR_MASK_4: u32 = 0xffffffffu;
override COLOR_MASK_5: u32 = 0xffffffffu;
override COLOR_MASK_6: u32 = 0xffffffffu;
override COLOR_MASK_7: u32 = 0xffffffffu;
/// A bit for each target whose red, green and blue are encoded.
override SRGB_TARGETS: u32 = 0u;
/// A bit for each target of integers, of those the ones whose channels are bytes, and of all the ones with signs.
override INTEGER_TARGETS: u32 = 0u;
override BYTE_TARGETS: u32 = 0u;
override SIGNED_TARGETS: u32 = 0u;
/// `LogicOperation`; 16 is none.
override LOGIC: u32 = 16u;

const BLEND_OFF: u32 = 0x00010001u;
const NO_LOGIC: u32 = 16u;

const FACTOR_ZERO: u32 = 0u;
const FACTOR_ONE: u32 = 1u;

const BLEND_ADD: u32 = 0u;
const BLEND_SUBTRACT: u32 = 1u;
const BLEND_REVERSE_SUBTRACT: u32 = 2u;
const BLEND_MIN: u32 = 3u;
const BLEND_MAX: u32 = 4u;

/// Words of `srgb` that encode; those that decode follow. (raster/src/srgb.rs)
const SRGB_INTERVALS: u32 = 1665u;

fn blend_code(color_target: u32) -> u32 {
    switch color_target {
        case 0u: { return BLEND_0; }
        case 1u: { return BLEND_1; }
        case 2u: { return BLEND_2; }
        case 3u: { return BLEND_3; }
        case 4u: { return BLEND_4; }
        case 5u: { return BLEND_5; }
        case 6u: { return BLEND_6; }
        default: { return BLEND_7; }
    }
}

fn color_mask(color_target: u32) -> u32 {
    switch color_target {
        case 0u: { return COLOR_MASK_0; }
        case 1u: { return COLOR_MASK_1; }
        case 2u: { return COLOR_MASK_2; }
        case 3u: { return COLOR_MASK_3; }
        case 4u: { return COLOR_MASK_4; }
        case 5u: { return COLOR_MASK_5; }
        case 6u: { return COLOR_MASK_6; }
        default: { return COLOR_MASK_7; }
    }
}

/// The byte of a linear value; what is above 1 counts as 1 as long as it is below 1 + 2^-7.
fn srgb_encode(linear: f32) -> u32 {
    let bits = bitcast<u32>(max(linear, 0.0001220703125));
    return (srgb[(bits >> 16u) - 0x3900u] + (bits & 0xffffu)) >> 16u;
}

fn srgb_decode(byte: u32) -> f32 {
    return bitcast<f32>(srgb[SRGB_INTERVALS + byte]);
}

/// The word of a colour in steps of what is stored: nearest, ties to even (Vulkan, "Conversion From Floating-Point to
/// Normalized Fixed-Point"). Channels that `mask` hides are not worked out.
fn pack_steps(color: vec4<f32>, is_srgb: bool, mask: u32) -> u32 {
    var red = 0u;
    var green = 0u;
    var blue = 0u;
    var alpha = 0u;
    if is_srgb {
        if (mask & 0xff0000u) != 0u { red = srgb_encode(color.r); }
        if (mask & 0xff00u) != 0u { green = srgb_encode(color.g); }
        if (mask & 0xffu) != 0u { blue = srgb_encode(color.b); }
    } else {
        if (mask & 0xff0000u) != 0u { red = u32(round(color.r)); }
        if (mask & 0xff00u) != 0u { green = u32(round(color.g)); }
        if (mask & 0xffu) != 0u { blue = u32(round(color.b)); }
    }
    if (mask & 0xff000000u) != 0u { alpha = u32(round(color.a)); }
    return (alpha << 24u) | (red << 16u) | (green << 8u) | blue;
}

/// What a colour is multiplied by, from source, stored colour and constant in [0, 1].
fn blend_factor(code: u32, source: vec4<f32>, stored: vec4<f32>, constant: vec4<f32>) -> vec4<f32> {
    switch code {
        case 0u: { return vec4<f32>(0.0); }
        case 1u: { return vec4<f32>(1.0); }
        case 2u: { return source; }
        case 3u: { return vec4<f32>(1.0) - source; }
        case 4u: { return vec4<f32>(source.a); }
        case 5u: { return vec4<f32>(1.0 - source.a); }
        case 6u: { return stored; }
        case 7u: { return vec4<f32>(1.0) - stored; }
        case 8u: { return vec4<f32>(stored.a); }
        case 9u: { return vec4<f32>(1.0 - stored.a); }
        case 10u: { return constant; }
        case 11u: { return vec4<f32>(1.0) - constant; }
        case 12u: { return vec4<f32>(constant.a); }
        case 13u: { return vec4<f32>(1.0 - constant.a); }
        default: {
            let least = min(source.a, 1.0 - stored.a);
            return vec4<f32>(least, least, least, 1.0);
        }
    }
}

/// One channel: `code` is that of colour or alpha, `most` the largest step. The reference has no special cases for the
/// factors 0 and 1 and always clamps; the results are the same.
fn blend_channel(code: u32, source: f32, stored: f32, source_factor: f32, stored_factor: f32, most: f32) -> f32 {
    let from_source = code & 15u;
    let from_stored = (code >> 4u) & 15u;
    let operation = (code >> 8u) & 15u;
    if operation == BLEND_MIN {
        return min(source, stored);
    }
    if operation == BLEND_MAX {
        return max(source, stored);
    }
    var product = source;
    if from_source != FACTOR_ONE {
        product = source * source_factor;
    }
    if operation == BLEND_SUBTRACT {
        var difference = product - stored;
        if from_stored == FACTOR_ZERO {
            difference = product;
        } else if from_stored != FACTOR_ONE {
            difference = fma(-stored, stored_factor, product);
        }
        return max(difference, 0.0);
    }
    if operation == BLEND_REVERSE_SUBTRACT {
        var difference = stored - product;
        if from_stored == FACTOR_ZERO {
            difference = -product;
        } else if from_stored != FACTOR_ONE {
            difference = fma(stored, stored_factor, -product);
        }
        return max(difference, 0.0);
    }
    if from_stored == FACTOR_ZERO {
        return product;
    }
    if from_source == FACTOR_ZERO {
        if from_stored == FACTOR_ONE {
            return stored;
        }
        return stored * stored_factor;
    }
    var sum = product + stored;
    if from_stored != FACTOR_ONE {
        sum = fma(stored, stored_factor, product);
    }
    // Factors x and 1 - x: at most a rounding error above the largest step.
    if ((from_source ^ 1u) == from_stored) & (from_source >= 2u) & (from_source < 14u) {
        return sum;
    }
    return min(sum, most);
}

fn blended(code: u32, is_srgb: bool, color: vec4<f32>, word: u32, draw: u32, mask: u32) -> u32 {
    let bytes = vec4<u32>((word >> 16u) & 255u, (word >> 8u) & 255u, word & 255u, word >> 24u);
    var stored = vec4<f32>(bytes);
    var source = color * 255.0;
    var most = 255.0;
    var unit = stored * (1.0 / 255.0);
    if is_srgb {
        let light = vec3<f32>(srgb_decode(bytes.r), srgb_decode(bytes.g), srgb_decode(bytes.b));
        unit = vec4<f32>(light, unit.a);
        stored = vec4<f32>(light, stored.a);
        source = vec4<f32>(color.rgb, source.a);
        most = 1.0;
    }
    let constant =
        vec4<f32>(draws[draw].blend_red, draws[draw].blend_green, draws[draw].blend_blue, draws[draw].blend_alpha);
    let of_color = code & 0xffffu;
    let of_alpha = code >> 16u;
    let s = blend_factor(of_color & 15u, color, unit, constant);
    let d = blend_factor((of_color >> 4u) & 15u, color, unit, constant);
    let s_alpha = blend_factor(of_alpha & 15u, color, unit, constant).a;
    let d_alpha = blend_factor((of_alpha >> 4u) & 15u, color, unit, constant).a;
    let result = vec4<f32>(
        blend_channel(of_color, source.r, stored.r, s.r, d.r, most),
        blend_channel(of_color, source.g, stored.g, s.g, d.g, most),
        blend_channel(of_color, source.b, stored.b, s.b, d.b, most),
        blend_channel(of_alpha, source.a, stored.a, s_alpha, d_alpha, 255.0),
    );
    return pack_steps(result, is_srgb, mask);
}

fn logic_operation(source: u32, stored: u32) -> u32 {
    switch LOGIC {
        case 0u: { return 0u; }
        case 1u: { return source & stored; }
        case 2u: { return source & ~stored; }
        case 3u: { return source; }
        case 4u: { return ~source & stored; }
        case 5u: { return stored; }
        case 6u: { return source ^ stored; }
        case 7u: { return source | stored; }
        case 8u: { return ~(source | stored); }
        case 9u: { return ~(source ^ stored); }
        case 10u: { return ~stored; }
        case 11u: { return source | ~stored; }
        case 12u: { return ~source; }
        case 13u: { return ~source | stored; }
        case 14u: { return ~(source & stored); }
        default: { return 0xffffffffu; }
    }
}

/// What is stored of a word: where nothing is masked the stored word plays no part, and need not be loaded.
fn masked(color_target: u32, stored: u32, word: u32) -> u32 {
    let mask = color_mask(color_target);
    if mask == 0xffffffffu {
        return word;
    }
    return (stored & ~mask) | (word & mask);
}

/// What a colour in [0, 1] makes of the stored word of a target; `color_target` is a constant at every call.
fn blend_color(color_target: u32, stored: u32, color: vec4<f32>, draw: u32) -> u32 {
    let mask = color_mask(color_target);
    let is_srgb = ((SRGB_TARGETS >> color_target) & 1u) != 0u;
    let code = blend_code(color_target);
    var word = 0u;
    if (code != BLEND_OFF) & (LOGIC == NO_LOGIC) {
        word = blended(code, is_srgb, color, stored, draw, mask);
    } else if is_srgb {
        // No logic operation for encoded colours (Vulkan, "Logical Operations").
        word = pack_steps(vec4<f32>(color.rgb, color.a * 255.0), true, mask);
    } else {
        word = pack_steps(color * 255.0, false, mask);
        if LOGIC != NO_LOGIC {
            word = logic_operation(word, stored);
        }
    }
    return masked(color_target, stored, word);
}

/// What integers make of the stored word of a target: one channel of 32 bits, or four of 8, each limited to its range, red
/// lowest. Neither fog nor blending.
fn integer_color(color_target: u32, stored: u32, color: vec4<u32>) -> u32 {
    var word = color.r;
    if ((BYTE_TARGETS >> color_target) & 1u) != 0u {
        var channels = min(color, vec4<u32>(255u));
        if ((SIGNED_TARGETS >> color_target) & 1u) != 0u {
            channels = bitcast<vec4<u32>>(clamp(bitcast<vec4<i32>>(color), vec4<i32>(-128), vec4<i32>(127))) & vec4<u32>(255u);
        }
        word = channels.r | (channels.g << 8u) | (channels.b << 16u) | (channels.a << 24u);
    }
    if LOGIC != NO_LOGIC {
        word = logic_operation(word, stored);
    }
    return masked(color_target, stored, word);
}
