//! Do two ways agree: the whole warp and the single lane; and does neither ever leave the texture or panic?

#[path = "../src/seeded.rs"]
mod seeded;

use proptest::prelude::*;
use seeded::seeded;
use texture::{
    Filter, Form, Format, Lookup, MAX_LEVELS, MAX_SIZE, Stage, Wrap, answer, answer_warp, footprint, footprint_warp,
    level_count, level_extent, sample, sample_warp, taps,
};

/// Any coordinate, with the edges of textures and of the number range made likely.
fn coordinate() -> impl Strategy<Value = i32> {
    prop_oneof![
        any::<i32>(),
        -(3i32 << 23)..(3 << 23),
        (-3i32..=3, -600i32..600).prop_map(|(whole, near)| (whole << 23) + near),
        Just(i32::MIN),
        Just(i32::MAX),
    ]
}

fn lod() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0u32), 0u32..18, any::<u32>()]
}

/// Registers as a program may leave them.
fn any_stage() -> impl Strategy<Value = Stage> {
    let size = || prop_oneof![Just(0u32), 1u32..70, 1..=MAX_SIZE, any::<u32>()];
    (
        (any::<u32>(), size(), size(), prop_oneof![0u32..18, any::<u32>()]),
        (0u32..41, 0u32..2, 0u32..4, 0u32..4),
        (any::<u32>(), proptest::array::uniform16(any::<u32>())),
    )
        .prop_map(|((address, width, height, levels), (format, filter, wrap_u, wrap_v), (border, mip_offsets))| {
            Stage {
                address,
                width,
                height,
                levels,
                format: Format::from_code(format).expect("a code below 41"),
                filter: Filter::from_code(filter).expect("a code below 2"),
                wrap_u: Wrap::from_code(wrap_u).expect("a code below 4"),
                wrap_v: Wrap::from_code(wrap_v).expect("a code below 4"),
                border,
                mip_offsets,
                layers: border % 5,
                layer_stride: (border >> 8) & 0xff_fff0,
            }
        })
}

/// A stage that validates: any sizes, a dense chain somewhere.
fn valid_stage() -> impl Strategy<Value = Stage> {
    let size = || prop_oneof![1u32..70, 1u32..5000];
    (any_stage(), size(), size(), 0u32..1 << 24).prop_map(|(stage, width, height, address)| {
        let levels = stage.levels.clamp(1, level_count(width, height));
        let mut mip_offsets = [0; MAX_LEVELS];
        for level in 1..levels as usize {
            let above = level as u32 - 1;
            let bytes = level_extent(width, above) * level_extent(height, above) * stage.format.bytes();
            mip_offsets[level] = (mip_offsets[level - 1] + bytes).next_multiple_of(16);
        }
        // The chain ends within the stride, which ends at a multiple of the largest texel.
        let last = levels - 1;
        let bytes = level_extent(width, last) * level_extent(height, last) * stage.format.bytes();
        let layer_stride = (mip_offsets[last as usize] + bytes).next_multiple_of(16);
        let layers = stage.layers.clamp(1, 3);
        Stage { address: address & !15, width, height, levels, mip_offsets, layers, layer_stride, ..stage }
    })
}

/// Memory without memory: a mixed function of the address.
fn texel(address: u32, bytes: u32) -> u32 {
    let mixed = (address ^ address >> 15).wrapping_mul(0x2c1b_3c6d);
    (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39) >> (32 - 8 * bytes)
}

fn check_warp<const LANES: usize>(
    stage: &Stage,
    u: &[i32],
    v: &[i32],
    lod: &[u32],
    active: u64,
) -> Result<(), TestCaseError> {
    let u: [i32; LANES] = u[..LANES].try_into().expect("enough lanes");
    let v: [i32; LANES] = v[..LANES].try_into().expect("enough lanes");
    let lod: [u32; LANES] = lod[..LANES].try_into().expect("enough lanes");
    let together = footprint_warp(stage, &u, &v, &lod);
    for lane in 0..LANES {
        let alone = footprint(stage, u[lane], v[lane], lod[lane]);
        prop_assert_eq!(together.tap_count, alone.tap_count);
        // With nothing but border the weights are free.
        if alone.taps.iter().any(|tap| !tap.is_border) {
            prop_assert_eq!(
                (together.alpha[lane], together.beta[lane]),
                (u32::from(alone.alpha), u32::from(alone.beta))
            );
        }
        for (tap, expected) in alone.taps.iter().enumerate() {
            prop_assert_eq!(together.border[tap] >> lane & 1 == 1, expected.is_border, "lane {} tap {}", lane, tap);
            if !expected.is_border {
                prop_assert_eq!(together.addresses[tap][lane], expected.address, "lane {} tap {}", lane, tap);
            }
        }
    }
    let mut to_fetch =
        together.border[..together.tap_count].iter().map(|border| active & !border).filter(|lanes| *lanes != 0);
    let got = sample_warp(stage, &u, &v, &lod, active, |addresses, lanes, bytes| {
        assert_eq!(Some(lanes), to_fetch.next(), "active lanes inside the texture are fetched, and no others");
        std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { texel(addresses[lane], bytes) } else { 0xdead_beef })
    });
    prop_assert_eq!(to_fetch.next(), None);
    for lane in 0..LANES {
        let is_active = active >> lane & 1 == 1;
        let expected = if is_active { sample(stage, u[lane], v[lane], lod[lane], texel) } else { 0 };
        prop_assert_eq!(got[lane], expected, "lane {}", lane);
    }
    Ok(())
}

/// Any word of the forms of our own; the channel and the banks are one for a warp.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let word = || {
        (0u32..18, 0u32..4, prop_oneof![0u32..6, any::<u32>()])
            .prop_map(|(level, filter, layer)| level | filter << 10 | layer << 16)
    };
    let words = prop_oneof![proptest::collection::vec(word(), 64), word().prop_map(|word| vec![word; 64])];
    (words, 0u32..4).prop_map(|(words, channel)| words.into_iter().map(|word| word | channel << 8).collect())
}

fn check_forms<const LANES: usize>(
    stage: &Stage,
    u: &[i32],
    v: &[i32],
    words: &[u32],
    active: u64,
) -> Result<(), TestCaseError> {
    let u: [i32; LANES] = u[..LANES].try_into().expect("enough lanes");
    let v: [i32; LANES] = v[..LANES].try_into().expect("enough lanes");
    let words: [u32; LANES] = words[..LANES].try_into().expect("enough lanes");
    let channel = words[0] >> 8 & 3;
    for form in [Form::Lookup, Form::Channel] {
        let mut fetched = [0; LANES];
        let got = answer_warp(form, stage, channel, [&u, &v], &words, active, |addresses, lanes, bytes| {
            assert_eq!(lanes & !active, 0, "only active lanes fetch");
            (0..LANES).filter(|lane| lanes >> lane & 1 == 1).for_each(|lane| fetched[lane] += 1);
            std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { texel(addresses[lane], bytes) } else { 0xdead_beef })
        });
        for lane in 0..LANES {
            let lookup = Lookup::of(form, words[lane]);
            let (mut expected, mut expected_fetches) = (0, 0);
            if active >> lane & 1 == 1 {
                expected = answer(form, stage, u[lane], v[lane], &lookup, texel);
                let footprint = taps(form, stage, u[lane], v[lane], &lookup).footprint;
                expected_fetches = footprint.taps[..footprint.tap_count].iter().filter(|tap| !tap.is_border).count();
            }
            prop_assert_eq!(got[lane], expected, "{:?} lane {}", form, lane);
            prop_assert_eq!(fetched[lane], expected_fetches, "{:?} lane {}", form, lane);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(seeded(1500))]

    #[test]
    fn a_warp_answers_every_form_as_its_lanes_do(
        stage in prop_oneof![any_stage(), valid_stage()],
        u in proptest::collection::vec(coordinate(), 64), v in proptest::collection::vec(coordinate(), 64),
        words in words(), active in prop_oneof![Just(u64::MAX), any::<u64>()],
    ) {
        check_forms::<1>(&stage, &u, &v, &words, active & 1)?;
        check_forms::<8>(&stage, &u, &v, &words, active & 0xff)?;
        check_forms::<64>(&stage, &u, &v, &words, active)?;
    }

    /// Whatever a lookup says, its texels lie inside one level of one layer, on their alignment.
    #[test]
    fn a_valid_stage_is_looked_up_only_inside_itself(
        stage in valid_stage(), u in coordinate(), v in coordinate(), words in words(),
    ) {
        let end = stage.address + stage.layers * stage.layer_stride;
        for form in [Form::Lookup, Form::Channel] {
            answer(form, &stage, u, v, &Lookup::of(form, words[0]), |address, bytes| {
                assert!(address >= stage.address && address + bytes <= end, "{address:#x}");
                assert!(matches!(bytes, 1 | 2 | 4) && address % bytes == 0);
                0
            });
        }
    }

    #[test]
    fn a_warp_samples_as_its_lanes_do(
        stage in prop_oneof![any_stage(), valid_stage()],
        u in proptest::collection::vec(coordinate(), 64), v in proptest::collection::vec(coordinate(), 64),
        lod in prop_oneof![proptest::collection::vec(lod(), 64), lod().prop_map(|lod| vec![lod; 64])],
        active in prop_oneof![Just(u64::MAX), any::<u64>()],
    ) {
        check_warp::<1>(&stage, &u, &v, &lod, active & 1)?;
        check_warp::<4>(&stage, &u, &v, &lod, active & 0xf)?;
        check_warp::<16>(&stage, &u, &v, &lod, active & 0xffff)?;
        check_warp::<64>(&stage, &u, &v, &lod, active)?;
    }

    #[test]
    fn a_valid_stage_is_read_only_inside_its_level(
        stage in valid_stage(), u in coordinate(), v in coordinate(), lod in lod(),
    ) {
        prop_assert_eq!(stage.validate(), Ok(()));
        let level = (lod as i32).clamp(0, stage.levels as i32 - 1) as usize;
        let start = stage.address + stage.mip_offsets[level];
        let texels = level_extent(stage.width, level as u32) * level_extent(stage.height, level as u32);
        let mut calls = 0;
        sample(&stage, u, v, lod, |address, bytes| {
            calls += 1;
            assert_eq!(bytes, stage.format.packed_bytes());
            assert!(address >= start && address + bytes <= start + texels * stage.format.bytes(), "{address:#x}");
            assert_eq!(address % bytes, 0);
            0
        });
        prop_assert!(calls <= stage.filter.tap_count());
    }

    #[test]
    fn any_registers_sample_without_a_panic(stage in any_stage(), u in coordinate(), v in coordinate(), lod in lod()) {
        let _ = stage.validate();
        sample(&stage, u, v, lod, texel);
    }

    /// Weights sum to one: a picture of one colour shows that colour.
    #[test]
    fn one_color_stays_that_color(stage in any_stage(), u in coordinate(), v in coordinate(), lod in lod(), raw: u32) {
        let raw = raw >> (32 - 8 * stage.format.packed_bytes());
        let stage = Stage { border: stage.format.expand(raw), ..stage };
        prop_assert_eq!(sample(&stage, u, v, lod, |_, _| raw), stage.format.expand(raw));
    }
}
