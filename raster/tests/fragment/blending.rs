//! Blending, logic operations and the colour mask (OpenGL ES 1.1 `glBlendFunc`, `glLogicOp`; ES 2.0
//! `glBlendFuncSeparate`, `glColorMask`), and the rounding of what is stored.

use super::*;
use raster::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, ColorFormat, ColorMask, DepthFormat, LogicOperation,
};

/// The colour of pixel (x, y) is (x, x, x, y) in bytes.
const PAIRS: &str = "
    @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
        let step = floor(p.xy) / 255.0;
        return vec4<f32>(step.xxx, step.y);
    }";

/// n / 255 to the nearest; there are no ties, since 255 is odd.
fn nearest(n: u32) -> u32 {
    (2 * n + 255) / 510
}

fn check_pairs(backend: &mut dyn Backend, stored: u8) {
    let pipeline = pipeline(PAIRS, State::FLAT.blended(BlendState::ALPHA));
    let corners = [[0.0, 0.0], [256.0, 0.0], [256.0, 256.0], [0.0, 256.0]];
    let corners = corners.map(|[x, y]: [f32; 2]| Vertex::at(position_of_pixel(x, y, 0.5, 256, 256)));
    let draws = vec![draw(&pipeline, [0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]).to_vec())];
    let frame = Frame::new(256, 256, Clear::to(bytes([stored; 4])), draws);
    let target = render(backend, &frame);
    let mut wrong = 0;
    for (source, alpha) in (0..256).flat_map(|source| (0..256).map(move |alpha| (source, alpha))) {
        let exact = |source: u32| nearest(source * alpha + u32::from(stored) * (255 - alpha));
        let expected = (exact(alpha) << 24) | (exact(source) * 0x01_0101);
        wrong += u32::from(target.color_at(source, alpha) != expected);
    }
    assert_eq!(wrong, 0, "of 65536 pairs of source and alpha over {stored}, on {}", backend.name());
}

/// All pairs of a source byte and an alpha, over three stored bytes, against exact rounding.
#[test]
fn a25_blending_is_correctly_rounded_for_all_pairs() {
    for mut backend in [backends().swap_remove(0), backends().swap_remove(3)] {
        [0, 30, 255].into_iter().for_each(|stored| check_pairs(&mut *backend, stored));
    }
    // What this fault looks like: dividing by 256 is wrong for most pairs.
    let pairs = (0..256u32).flat_map(|s| (0..256).map(move |a| s * a));
    assert_eq!(pairs.filter(|&product| product >> 8 != nearest(product)).count(), 47056);
}

#[test]
fn a25_the_ends_of_alpha_are_exact() {
    let blend = |alpha, stored| {
        let state = State::FLAT.blended(BlendState::ALPHA);
        one_pixel(stored, bytes([200, 100, 50, alpha]), state, Constants::DEFAULT)
    };
    let stored = [10, 20, 30, 255];
    assert_eq!(blend(128, stored), [105, 60, 40, 191]);
    assert_eq!(blend(255, stored), [200, 100, 50, 255], "a factor of 1 keeps, and one of 0 leaves nothing");
    assert_eq!(blend(0, stored), stored);
    for alpha in [0, 1, 77, 128, 254, 255] {
        let state = State::FLAT.blended(BlendState::ALPHA);
        let white = one_pixel([255; 4], bytes([255, 255, 255, alpha]), state, Constants::DEFAULT);
        assert_eq!(white[..3], [255; 3], "255 over 255 stays 255 at alpha {alpha}");
    }
}

/// What each factor makes of a source, with nothing of the stored colour; worked out by hand.
#[test]
fn every_blend_factor_has_its_value() {
    let (source, stored) = ([255, 102, 51, 204], [51, 102, 204, 102]);
    let constant = bytes([0, 51, 255, 153]);
    let expected: [[u8; 4]; 15] = [
        [0, 0, 0, 0],
        [255, 102, 51, 204],
        [255, 41, 10, 163], // · (1, 0.4, 0.2, 0.8)
        [0, 61, 41, 41],    // · (0, 0.6, 0.8, 0.2)
        [204, 82, 41, 163], // · 0.8
        [51, 20, 10, 41],   // · 0.2
        [51, 41, 41, 82],   // · (0.2, 0.4, 0.8, 0.4)
        [204, 61, 10, 122], // · (0.8, 0.6, 0.2, 0.6)
        [102, 41, 20, 82],  // · 0.4
        [153, 61, 31, 122], // · 0.6
        [0, 20, 51, 122],   // · (0, 0.2, 1, 0.6)
        [255, 82, 0, 82],   // · (1, 0.8, 0, 0.4)
        [153, 61, 31, 122], // · 0.6
        [102, 41, 20, 82],  // · 0.4
        [153, 61, 31, 204], // · min(0.8, 1 − 0.4) = 0.6, alpha · 1
    ];
    for (factor, expected) in BlendFactor::ALL.into_iter().zip(expected) {
        let blend = BlendState::both(BlendComponent::add(factor, BlendFactor::Zero));
        let constants = Constants { blend: constant, ..Constants::DEFAULT };
        let found = one_pixel(stored, bytes(source), State::FLAT.blended(blend), constants);
        assert_eq!(found, expected, "{factor:?}");
    }
}

#[test]
fn every_blend_operation_has_its_value_and_is_clamped() {
    let found = BlendOperation::ALL.map(|operation| {
        let component = BlendComponent { source: BlendFactor::One, destination: BlendFactor::One, operation };
        let state = State::FLAT.blended(BlendState::both(component));
        one_pixel([100, 200, 30, 50], bytes([60, 100, 40, 50]), state, Constants::DEFAULT)
    });
    assert_eq!(found[0], [160, 255, 70, 100], "add");
    assert_eq!(found[1], [0, 0, 10, 0], "subtract");
    assert_eq!(found[2], [40, 100, 0, 0], "reverse subtract");
    assert_eq!(found[3], [60, 100, 30, 50], "min");
    assert_eq!(found[4], [100, 200, 40, 50], "max");
}

#[test]
fn color_and_alpha_blend_apart() {
    let blend = BlendState {
        color: BlendComponent::add(BlendFactor::SourceAlpha, BlendFactor::One),
        alpha: BlendComponent::add(BlendFactor::Zero, BlendFactor::One),
    };
    let found = one_pixel([10, 20, 30, 77], bytes([100, 200, 50, 51]), State::FLAT.blended(blend), Constants::DEFAULT);
    assert_eq!(found, [30, 60, 40, 77]);
}

/// A colour out of range is clamped before it is blended, a NaN is 0 (Vulkan, "Blending": fixed-point attachments).
#[test]
fn colors_are_clamped_before_they_are_blended() {
    let blend = |color| one_pixel([100; 4], color, State::FLAT.blended(BlendState::ALPHA), Constants::DEFAULT);
    assert_eq!(blend([7.0, -3.0, f32::NAN, 0.2]), [131, 80, 80, 90]);
    assert_eq!(blend([f32::INFINITY, 0.0, 0.0, 0.0]), [100, 100, 100, 100]);
}

#[test]
fn stored_colors_round_to_the_nearest_byte() {
    let stored = |value: f32| one_pixel([0; 4], [value; 4], State::FLAT, Constants::DEFAULT)[0];
    assert_eq!([0.0, 1.0, 0.001, 0.003, 0.498, 0.5, 0.503].map(stored), [0, 255, 0, 1, 127, 128, 128]);
}

#[test]
fn all_logic_operations_take_the_place_of_blending() {
    for operation in LogicOperation::ALL {
        let state = State { logic: Some(operation), ..State::FLAT.blended(BlendState::ADDITIVE) };
        let found = one_pixel([0x0f, 0x33, 0x55, 0xff], bytes([0x3c, 0x0f, 0xf0, 0x81]), state, Constants::DEFAULT);
        let expected = [(0x3c, 0x0f), (0x0f, 0x33), (0xf0, 0x55), (0x81, 0xff)];
        assert_eq!(found, expected.map(|(source, stored)| operation.apply(source, stored) as u8), "{operation:?}");
    }
}

/// The mask comes last: what it hides stays, whatever blending or logic made of it.
#[test]
fn the_color_mask_hides_channels_at_the_end() {
    let masks = [ColorMask::NONE, ColorMask::COLOR, ColorMask::ALPHA, ColorMask { green: false, ..ColorMask::ALL }];
    let plain = masks.map(|mask| one_pixel([1, 2, 3, 4], bytes([50; 4]), State::FLAT.masked(mask), Constants::DEFAULT));
    assert_eq!(plain, [[1, 2, 3, 4], [50, 50, 50, 4], [1, 2, 3, 50], [50, 2, 50, 50]]);
    let state = State::FLAT.masked(ColorMask::COLOR);
    let added = one_pixel([1, 2, 3, 4], bytes([50; 4]), state.blended(BlendState::ADDITIVE), Constants::DEFAULT);
    assert_eq!(added, [51, 52, 53, 4]);
    let inverted = State { logic: Some(LogicOperation::Invert), ..state };
    assert_eq!(one_pixel([1, 2, 3, 4], [0.0; 4], inverted, Constants::DEFAULT), [254, 253, 252, 4]);
}

/// Blending for an sRGB target is in linear light, and alpha is linear everywhere.
#[test]
fn srgb_targets_decode_blend_and_encode() {
    let state = State::FLAT.on(ColorFormat::Rgba8Srgb, DepthFormat::Depth32Float);
    let stored = |color, state| {
        let mut found = None;
        let draws = [everywhere(0.5, color, &pipeline(COLOR, state))];
        drawn(Clear::to([1.0, 1.0, 1.0, 1.0]), &draws, |target| {
            let word = pixel(target, 3, 3);
            assert_eq!(*found.get_or_insert(word), word, "the backends do not agree");
        });
        found.expect("there are backends")
    };
    // 0.5 in linear light is 188, 0.2 is 124 (255 · (1.055 · x^(1/2.4) − 0.055) = 187.5, 123.6); 0.001 · 12.92 · 255 = 3.3.
    assert_eq!(stored([0.5, 0.2, 0.001, 0.5], state), [188, 124, 3, 128]);
    assert_eq!(stored([0.0, 0.0, 0.0, 0.5], state.blended(BlendState::ALPHA)), [188, 188, 188, 191]);
    // A factor of 1 keeps every byte: nothing added to all greys.
    for byte in 0..=255u8 {
        let linear = raster::srgb::decode(byte);
        let first = everywhere(0.5, [linear, linear, linear, 1.0], &pipeline(COLOR, state));
        let frame =
            frame(1, 1, vec![first, everywhere(0.5, [0.0; 4], &pipeline(COLOR, state.blended(BlendState::ADDITIVE)))]);
        assert_eq!(pixel(&render(&mut raster::Reference::new(), &frame), 0, 0), [byte, byte, byte, 255]);
    }
}
