// The colour targets of a pass, by number. Every number here is a constant where it is used, so nothing is left of a choice.
//
// Before: records.wgsl, which binds their memory. After: tile.wgsl, where a tile comes in and goes out.

/// The colour targets that the pipeline draws into, a bit each: the others are neither loaded nor stored.
override TARGETS: u32 = 1u;
/// The colour targets that keep what is drawn, a bit each: what nobody needs after the pass stays in the tile.
override KEPT_TARGETS: u32 = 255u;
override KEEPS_DEPTH: bool = true;
/// The colour targets whose samples are averaged when the tile goes out, a bit each.
override RESOLVED_TARGETS: u32 = 0u;

fn is_drawn(number: u32) -> bool {
    return ((TARGETS >> number) & 1u) != 0u;
}

fn is_kept(number: u32) -> bool {
    return (((TARGETS & KEPT_TARGETS) >> number) & 1u) != 0u;
}

fn clear_color(number: u32) -> u32 {
    switch number {
        case 0u: { return frame.clear_color_0; }
        case 1u: { return frame.clear_color_1; }
        case 2u: { return frame.clear_color_2; }
        case 3u: { return frame.clear_color_3; }
        case 4u: { return frame.clear_color_4; }
        case 5u: { return frame.clear_color_5; }
        case 6u: { return frame.clear_color_6; }
        default: { return frame.clear_color_7; }
    }
}

fn target_word(number: u32, at: u32) -> u32 {
    switch number {
        case 0u: { return color_target_0[at]; }
        case 1u: { return color_target_1[at]; }
        case 2u: { return color_target_2[at]; }
        case 3u: { return color_target_3[at]; }
        case 4u: { return color_target_4[at]; }
        case 5u: { return color_target_5[at]; }
        case 6u: { return color_target_6[at]; }
        default: { return color_target_7[at]; }
    }
}

fn set_target_word(number: u32, at: u32, word: u32) {
    switch number {
        case 0u: { color_target_0[at] = word; }
        case 1u: { color_target_1[at] = word; }
        case 2u: { color_target_2[at] = word; }
        case 3u: { color_target_3[at] = word; }
        case 4u: { color_target_4[at] = word; }
        case 5u: { color_target_5[at] = word; }
        case 6u: { color_target_6[at] = word; }
        default: { color_target_7[at] = word; }
    }
}

fn is_resolved(number: u32) -> bool {
    return (((TARGETS & RESOLVED_TARGETS) >> number) & 1u) != 0u;
}

fn set_resolved_word(number: u32, at: u32, word: u32) {
    switch number {
        case 0u: { resolved_target_0[at] = word; }
        case 1u: { resolved_target_1[at] = word; }
        case 2u: { resolved_target_2[at] = word; }
        case 3u: { resolved_target_3[at] = word; }
        case 4u: { resolved_target_4[at] = word; }
        case 5u: { resolved_target_5[at] = word; }
        case 6u: { resolved_target_6[at] = word; }
        default: { resolved_target_7[at] = word; }
    }
}
