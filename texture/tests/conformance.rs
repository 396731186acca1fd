//! Does the sampler agree with what others wrote: Vortex's formulas, and the rules of Vulkan and OpenGL?

#[path = "../src/seeded.rs"]
mod seeded;

use proptest::prelude::*;
use seeded::seeded;
use texture::{
    Filter, Format, Image, LevelOfDetail, Sampling, Stage, Wrap, coordinate_from_f32, footprint, sample,
    sample_trilinear,
};

/// The texture unit of Vortex and Skybox (2024) as its formulas stand, with its shifts and 32-bit words: sides are `1 << log`.
mod vortex {
    const MASK: i32 = (1 << 23) - 1;

    pub struct Taps {
        pub x: [u32; 2],
        pub y: [u32; 2],
        pub alpha: u32,
        pub beta: u32,
    }

    fn wrap(code: u32, x: i32) -> u32 {
        let wrapped = match code {
            0 if x < 0 => 0,
            0 if x > MASK => MASK,
            0 => x,
            1 => x & MASK,
            2 if x >> 23 & 1 == 1 => !x & MASK,
            2 => x & MASK,
            _ => unreachable!("Vortex has three wraps"),
        };
        wrapped as u32
    }

    pub fn point(wrap_u: u32, wrap_v: u32, u: i32, v: i32, log_width: u32, log_height: u32) -> Taps {
        let x = wrap(wrap_u, u) >> (23 - log_width);
        let y = wrap(wrap_v, v) >> (23 - log_height);
        Taps { x: [x; 2], y: [y; 2], alpha: 0, beta: 0 }
    }

    pub fn bilinear(wrap_u: u32, wrap_v: u32, u: i32, v: i32, log_width: u32, log_height: u32) -> Taps {
        let axis = |code, coordinate: i32, log: u32| {
            let half = (1 << 22) >> log;
            let low = wrap(code, coordinate - half);
            let high = wrap(code, coordinate + half);
            let scaled = (low << 8) >> (23 - log);
            ([scaled >> 8, high >> (23 - log)], scaled & 255)
        };
        let (x, alpha) = axis(wrap_u, u, log_width);
        let (y, beta) = axis(wrap_v, v, log_height);
        Taps { x, y, alpha, beta }
    }

    pub fn lerp(a: u32, b: u32, f: u32) -> u32 {
        let s = a * (255 - f) + b * f + 128;
        (s + (s >> 8)) >> 8
    }
}

/// Coordinates whose half-texel neighbours still fit in 32 bits: what the original defines.
fn coordinate() -> impl Strategy<Value = i32> {
    let limit = i32::MAX - (1 << 22);
    prop_oneof![
        -limit..limit,
        -(3 << 23)..(3 << 23),
        -(1 << 10)..(1 << 10),
        (1 << 23) - (1 << 10)..(1 << 23) + (1 << 10)
    ]
}

proptest! {
    #![proptest_config(seeded(4096))]

    #[test]
    fn powers_of_two_give_vortex_taps_and_weights(
        u in coordinate(), v in coordinate(), log_width in 0u32..=15, log_height in 0u32..=15,
        lod in 0u32..=15, wrap_u in 0u32..=2, wrap_v in 0u32..=2, filter in 0u32..=1, format in 0u32..=6,
    ) {
        // Mirror under bilinear is our documented departure.
        let (wrap_u, wrap_v) = if filter == 1 { (wrap_u % 2, wrap_v % 2) } else { (wrap_u, wrap_v) };
        let lod = lod.min(log_width.max(log_height));
        let mut stage = Stage {
            address: 0x40_0000,
            width: 1 << log_width,
            height: 1 << log_height,
            levels: log_width.max(log_height) + 1,
            format: Format::from_code(format).expect("seven formats are Vortex's"),
            filter: Filter::from_code(filter).expect("0 or 1"),
            wrap_u: Wrap::from_code(wrap_u).expect("0 to 2"),
            wrap_v: Wrap::from_code(wrap_v).expect("0 to 2"),
            ..Stage::default()
        };
        stage.mip_offsets[lod as usize] = 0x1000;
        let (log_width, log_height) = (log_width.saturating_sub(lod), log_height.saturating_sub(lod));
        let original = match stage.filter {
            Filter::Point => vortex::point,
            Filter::Bilinear => vortex::bilinear,
        };
        let expected = original(wrap_u, wrap_v, u, v, log_width, log_height);
        let stride = stage.format.bytes();
        let address = |x: u32, y: u32| 0x40_1000u32.wrapping_add((x + (y << log_width)).wrapping_mul(stride));
        let got = footprint(&stage, u, v, lod);
        prop_assert_eq!(got.taps.map(|tap| tap.address), [
            address(expected.x[0], expected.y[0]), address(expected.x[1], expected.y[0]),
            address(expected.x[0], expected.y[1]), address(expected.x[1], expected.y[1]),
        ]);
        prop_assert!(got.taps.iter().all(|tap| !tap.is_border));
        prop_assert_eq!((u32::from(got.alpha), u32::from(got.beta)), (expected.alpha, expected.beta));
    }

    #[test]
    fn powers_of_two_give_vortex_colors(
        u in coordinate(), v in coordinate(), texels in proptest::array::uniform16(any::<u32>()),
        wrap_u in 0u32..=1, wrap_v in 0u32..=1, log_width in 0u32..=4,
    ) {
        let log_height = 4 - log_width;
        let stage = Stage {
            width: 1 << log_width, height: 1 << log_height, levels: 1, filter: Filter::Bilinear,
            wrap_u: Wrap::from_code(wrap_u).expect("0 or 1"), wrap_v: Wrap::from_code(wrap_v).expect("0 or 1"),
            ..Stage::default()
        };
        let got = sample(&stage, u, v, 0, |address, _| texels[address as usize / 4]);
        let taps = vortex::bilinear(wrap_u, wrap_v, u, v, log_width, log_height);
        let texel = |x: usize, y: usize| texels[(taps.x[x] + (taps.y[y] << log_width)) as usize];
        for shift in [0, 8, 16, 24] {
            let channel = |x, y| texel(x, y) >> shift & 255;
            let upper = vortex::lerp(channel(0, 0), channel(1, 0), taps.alpha);
            let lower = vortex::lerp(channel(0, 1), channel(1, 1), taps.alpha);
            prop_assert_eq!(got >> shift & 255, vortex::lerp(upper, lower, taps.beta));
        }
    }

    /// Vulkan, "Wrapping Operation" and "Texel Filtering", in f64 on sizes of every kind. Away from texel edges (where the last
    /// bit decides) the indices agree, and the weight is the fraction cut to 8 bits.
    #[test]
    fn every_size_and_wrap_gives_vulkan_indices(
        u in -(5i32 << 23)..(5 << 23), size in prop_oneof![1u32..=40, 1u32..=32768], wrap in 0u32..=3, filter in 0u32..=1,
    ) {
        let stage = Stage {
            width: size, height: 1, levels: 1, format: Format::L8,
            filter: Filter::from_code(filter).expect("0 or 1"), wrap_u: Wrap::from_code(wrap).expect("0 to 3"),
            ..Stage::default()
        };
        let shift = if filter == 1 { 0.5 } else { 0.0 };
        // Exact in f64: 26 bits times 15 bits.
        let position = f64::from(u) / f64::from(1 << 23) * f64::from(size) - shift;
        let n = i64::from(size);
        let wrapped = |index: i64| match stage.wrap_u {
            Wrap::Clamp => Some(index.clamp(0, n - 1)),
            Wrap::Repeat => Some(index.rem_euclid(n)),
            Wrap::Mirror => {
                let mirror = |a: i64| if a >= 0 { a } else { -(1 + a) };
                Some((n - 1) - mirror(index.rem_euclid(2 * n) - n))
            }
            Wrap::Border => (0..n).contains(&index).then_some(index),
        };
        let first = position.floor() as i64;
        let got = footprint(&stage, u, 0, 0);
        let index = |tap: usize| (!got.taps[tap].is_border).then_some(i64::from(got.taps[tap].address));
        prop_assert_eq!(index(0), wrapped(first));
        if filter == 1 {
            prop_assert_eq!(index(1), wrapped(first + 1));
            let fraction = ((position - position.floor()) * 256.0) as u8;
            if wrap != 0 || (position >= 0.0 && position < (n - 1) as f64) {
                prop_assert_eq!(got.alpha, fraction);
            } else {
                // Beyond the edges both taps are the edge texel and the weight is free.
                prop_assert_eq!(index(0), index(1));
            }
        }
    }
}

const RED: u32 = 0xffff_0000;
const GREEN: u32 = 0xff00_ff00;
const BLUE: u32 = 0xff00_00ff;
const WHITE: u32 = 0xffff_ffff;

fn row(colors: &[u32], filter: Filter, wrap_u: Wrap) -> (Image, Stage) {
    let image = Image::from_fn(Format::Rgba8, colors.len() as u32, 1, |x, _| colors[x as usize]).expect("a small row");
    let stage = image.stage(0, Sampling { filter, wrap_u, ..Sampling::default() }).expect("it fits");
    (image, stage)
}

#[track_caller]
fn check_row(colors: &[u32], filter: Filter, wrap: Wrap, s: f32, expected: u32) {
    let (image, stage) = row(colors, filter, wrap);
    let got = sample(&stage, coordinate_from_f32(s), 0, 0, |address, bytes| image.fetch(address, bytes));
    for (got, expected) in got.to_le_bytes().into_iter().zip(expected.to_le_bytes()) {
        // Weights have 8 bits.
        assert!(got.abs_diff(expected) <= 1, "{filter:?} {wrap:?} s = {s}: {got} instead of {expected}");
    }
}

/// A20: the remainder of a negative coordinate counts from the left.
#[test]
fn repeat_wraps_negative_coordinates() {
    let colors = [RED, GREEN, BLUE, WHITE];
    for (s, expected) in [(-0.125, WHITE), (-1.0, RED), (-1.0 / 1024.0, WHITE), (1.0, RED), (1.125, RED)] {
        check_row(&colors, Filter::Point, Wrap::Repeat, s, expected);
    }
    // Three quarters white, one quarter red: green and blue lose a quarter.
    check_row(&colors, Filter::Bilinear, Wrap::Repeat, -1.0 / 16.0, 0xffff_bfbf);
}

/// A20: nothing panics or leaves the texture, whatever the coordinate.
#[test]
fn wild_coordinates_stay_inside() {
    for s in [1e9, -1e9, 3e38, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE] {
        for filter in Filter::ALL {
            for wrap in Wrap::ALL {
                let (image, stage) = row(&[RED, GREEN, BLUE, WHITE], filter, wrap);
                let u = coordinate_from_f32(s);
                sample(&stage, u, u, 0, |address, bytes| {
                    assert!(address + bytes <= 16, "{s} {filter:?} {wrap:?}");
                    image.fetch(address, bytes)
                });
            }
        }
    }
    // Far outside is still on its own side.
    for s in [130.5, 1e9, f32::INFINITY] {
        check_row(&[RED, GREEN, BLUE, WHITE], Filter::Bilinear, Wrap::Clamp, s, WHITE);
        check_row(&[RED, GREEN, BLUE, WHITE], Filter::Bilinear, Wrap::Clamp, -s, RED);
        check_row(&[RED, GREEN, BLUE, WHITE], Filter::Bilinear, Wrap::Border, s, 0);
    }
    check_row(&[RED, GREEN, BLUE, WHITE], Filter::Point, Wrap::Repeat, 1000.625, BLUE);
    check_row(&[RED, GREEN, BLUE, WHITE], Filter::Point, Wrap::Mirror, 1001.625, GREEN);
}

/// A21: at the edge repeat mixes with the other side and clamp does not; texel centres are exact.
#[test]
fn edges_bleed_only_under_repeat() {
    let colors = [RED, GREEN, BLUE, WHITE];
    check_row(&colors, Filter::Bilinear, Wrap::Repeat, 0.0, 0xffff_8080);
    check_row(&colors, Filter::Bilinear, Wrap::Clamp, 0.0, RED);
    check_row(&colors, Filter::Bilinear, Wrap::Clamp, 1.0, WHITE);
    for wrap in [Wrap::Repeat, Wrap::Clamp] {
        let (image, stage) = row(&colors, Filter::Bilinear, wrap);
        let exact = sample(&stage, coordinate_from_f32(0.125), 0, 0, |address, bytes| image.fetch(address, bytes));
        assert_eq!(exact, RED);
    }
    let (image, stage) = row(&colors, Filter::Bilinear, Wrap::Clamp);
    assert_eq!(sample(&stage, 0, 0, 0, |address, bytes| image.fetch(address, bytes)), RED);
    assert_eq!(sample(&stage, 1 << 23, 0, 0, |address, bytes| image.fetch(address, bytes)), WHITE);
}

/// Where the original picks the neighbour from the wrong side: right is 240, the original gives 160.
#[test]
fn mirror_finds_the_neighbour_on_the_right_side() {
    let greys = [0u32, 80, 160, 240].map(|grey| 0xff00_0000 | (grey * 0x0001_0101));
    let (image, stage) = row(&greys, Filter::Bilinear, Wrap::Mirror);
    let at = |s: f32| sample(&stage, coordinate_from_f32(s), 0, 0, |address, bytes| image.fetch(address, bytes)) & 255;
    assert_eq!(at(1.125), 240);
    assert_eq!(at(1.0), 240);
    assert_eq!(at(-0.125), 0);
    assert_eq!(at(0.0), 0);
    assert_eq!(at(2.0), 0);
    // Symmetric about 0 and 1 up to the 8-bit weight.
    for step in 0..64 {
        let s = step as f32 / 64.0;
        assert!(at(s).abs_diff(at(-s)) <= 1 && at(s).abs_diff(at(2.0 - s)) <= 1, "s = {s}");
    }
}

#[test]
fn border_shows_its_color_and_mixes_at_the_edge() {
    let (image, stage) = row(&[RED, GREEN, BLUE, WHITE], Filter::Bilinear, Wrap::Border);
    let stage = Stage { border: 0x8000_0000, ..stage };
    let at = |s: f32| sample(&stage, coordinate_from_f32(s), 0, 0, |address, bytes| image.fetch(address, bytes));
    assert_eq!(at(-0.5), 0x8000_0000);
    assert_eq!(at(1.5), 0x8000_0000);
    assert_eq!(at(0.125), RED);
    // Half red at full alpha, half the border: 128 of 255 for the second texel, which is red.
    assert_eq!(at(0.0), 0xc080_0000);
    // v is clamped here, so only u has a border.
    assert_eq!(sample(&stage, 1 << 20, -(9 << 23), 0, |address, bytes| image.fetch(address, bytes)), RED);
}

/// A22: level sizes of other sizes than powers of two, and that each level is found.
#[test]
fn every_level_of_an_odd_chain_is_found() {
    for (width, height, sizes) in [
        (5, 3, &[(5, 3), (2, 1), (1, 1)][..]),
        (11, 11, &[(11, 11), (5, 5), (2, 2), (1, 1)]),
        (7, 1, &[(7, 1), (3, 1), (1, 1)]),
        (1, 1, &[(1, 1)]),
    ] {
        let mut image = Image::blank(Format::A8R8G8B8, width, height, u32::MAX).expect("it is small");
        let found: Vec<_> = image.levels.iter().map(|level| (level.width, level.height)).collect();
        assert_eq!(found, sizes);
        for (level, &(width, height)) in sizes.iter().enumerate() {
            for y in 0..height {
                for x in 0..width {
                    image.set_color(level, x, y, 0xff00_0000 | level as u32);
                }
            }
        }
        for filter in Filter::ALL {
            for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                let sampling = Sampling { filter, wrap_u: wrap, wrap_v: wrap, border: 0 };
                let stage = image.stage(0, sampling).expect("it fits");
                for level in 0..sizes.len() as u32 {
                    for step in -20..20 {
                        let (u, v) = (step * 700_001, step * -900_001);
                        let got = sample(&stage, u, v, level, |address, bytes| image.fetch(address, bytes));
                        assert_eq!(got, 0xff00_0000 | level, "{width} × {height} level {level} {filter:?} {wrap:?}");
                    }
                }
            }
        }
    }
}

/// A23: level selection out of range, and a filter between levels that has nothing to do with the filter within.
#[test]
fn levels_out_of_range_clamp() {
    let mut image = Image::blank(Format::A8R8G8B8, 8, 8, 4).expect("it is small");
    for level in 0..4 {
        for y in 0..8 >> level {
            for x in 0..8 >> level {
                image.set_color(level, x, y, level as u32 * 80);
            }
        }
    }
    for filter in Filter::ALL {
        let stage = image.stage(0, Sampling { filter, ..Sampling::default() }).expect("it fits");
        let fetch = |address: u32, bytes: u32| {
            assert!(((address + bytes) as usize) <= image.bytes.len());
            image.fetch(address, bytes)
        };
        let between = |lambda: f32| sample_trilinear(&stage, 99, 99, LevelOfDetail::from_f32(lambda, 4), fetch);
        let nearest = |lambda: f32| sample(&stage, 99, 99, LevelOfDetail::nearest(lambda, 4), fetch);
        for (lambda, linear, single) in [
            (-5.0, 0, 0),
            // 80 + 80 · 64/255 = 100.08.
            (1.25, 100, 80),
            // 80 + 80 · 128/255 = 120.16.
            (1.5, 120, 80),
            (1.502, 120, 160),
            (99.0, 240, 240),
            (f32::INFINITY, 240, 240),
            (f32::NAN, 0, 0),
        ] {
            assert_eq!(between(lambda), linear, "λ = {lambda} {filter:?}");
            assert_eq!(nearest(lambda), single, "λ = {lambda} {filter:?}");
        }
        // The operand of the instruction itself is a signed integer.
        assert_eq!(sample(&stage, 99, 99, -5i32 as u32, fetch), 0);
        assert_eq!(sample(&stage, 99, 99, 99, fetch), 240);
    }
}
