//! Step 1 for a whole warp: the same addresses and weights as `footprint`, as passes over arrays of lanes.
//!
//! Everything is 32-bit arithmetic without a branch inside a pass, so that the passes vectorise with the CPU features of
//! the function they are inlined into. `footprint` is the meaning; a test holds the two equal.

use crate::coordinate::COORDINATE_FRACTION_BITS;
use crate::stage::{Filter, LevelGeometry, Stage, Wrap};

/// 1.0 as a coordinate.
const ONE: i32 = 1 << COORDINATE_FRACTION_BITS;
/// Positions below are in 1/256 texel.
const TEXEL: i32 = 256;

/// The footprints of a warp, laid out for loops over lanes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WarpFootprint<const LANES: usize> {
    /// Byte addresses, `addresses[tap][lane]`, taps in the order of [`crate::Footprint::taps`]. A border tap's has no meaning.
    pub addresses: [[u32; LANES]; 4],
    /// Lanes whose tap lies outside the texture, bit by lane.
    pub border: [u64; 4],
    /// Leading taps that are fetched: 1 for point, 4 for bilinear.
    pub tap_count: usize,
    /// Weight of x1 against x0, of 255.
    pub alpha: [u32; LANES],
    /// Weight of y1 against y0, of 255.
    pub beta: [u32; LANES],
}

/// [`crate::footprint()`] for every lane at once; at most 64 lanes. Lanes that are not active may hold anything. Where all four
/// taps are border taps the weights may differ: they weigh equal colours.
#[inline(always)]
pub fn footprint_warp<const LANES: usize>(
    stage: &Stage,
    u: &[i32; LANES],
    v: &[i32; LANES],
    lod: &[u32; LANES],
) -> WarpFootprint<LANES> {
    footprint_warp_at(stage, stage.filter, u, v, lod, |lod| stage.level(lod))
}

/// The same with a filter for all lanes, and a level that follows from each lane's third operand.
#[inline(always)]
pub(crate) fn footprint_warp_at<const LANES: usize>(
    stage: &Stage,
    filter: Filter,
    u: &[i32; LANES],
    v: &[i32; LANES],
    operands: &[u32; LANES],
    level_of: impl Fn(u32) -> LevelGeometry,
) -> WarpFootprint<LANES> {
    const { assert!(LANES >= 1 && LANES <= 64, "a lane has one bit of a 64-bit mask") };
    let shared = level_of(operands[0]);
    let (mut width, mut height, mut base) = ([shared.width; LANES], [shared.height; LANES], [shared.address; LANES]);
    if operands.iter().any(|&other| other != operands[0]) {
        for lane in 0..LANES {
            let level = level_of(operands[lane]);
            (width[lane], height[lane], base[lane]) = (level.width, level.height, level.address);
        }
    }
    let x = axis_warp(stage.wrap_u, filter, u, &width);
    let y = axis_warp(stage.wrap_v, filter, v, &height);
    let bytes = stage.format.bytes();
    let address = |x: &[u32; LANES], y: &[u32; LANES]| -> [u32; LANES] {
        let mut addresses = [0; LANES];
        for lane in 0..LANES {
            let texel = y[lane].wrapping_mul(width[lane]).wrapping_add(x[lane]);
            addresses[lane] = base[lane].wrapping_add(texel.wrapping_mul(bytes));
        }
        addresses
    };
    let first = address(&x.first, &y.first);
    match filter {
        Filter::Point => WarpFootprint {
            addresses: [first; 4],
            border: [x.first_outside | y.first_outside; 4],
            tap_count: Filter::Point.tap_count(),
            alpha: [0; LANES],
            beta: [0; LANES],
        },
        Filter::Bilinear => WarpFootprint {
            addresses: [
                first,
                address(&x.second, &y.first),
                address(&x.first, &y.second),
                address(&x.second, &y.second),
            ],
            border: [
                x.first_outside | y.first_outside,
                x.second_outside | y.first_outside,
                x.first_outside | y.second_outside,
                x.second_outside | y.second_outside,
            ],
            tap_count: Filter::Bilinear.tap_count(),
            alpha: x.weight,
            beta: y.weight,
        },
    }
}

/// The two texels along one axis, the weight of the second, and the lanes where they lie outside (border only).
struct AxisWarp<const LANES: usize> {
    first: [u32; LANES],
    second: [u32; LANES],
    weight: [u32; LANES],
    first_outside: u64,
    second_outside: u64,
}

#[inline(always)]
fn axis_warp<const LANES: usize>(
    wrap: Wrap,
    filter: Filter,
    coordinates: &[i32; LANES],
    sizes: &[u32; LANES],
) -> AxisWarp<LANES> {
    let half = match filter {
        Filter::Point => 0,
        Filter::Bilinear => TEXEL / 2,
    };
    let mut axis =
        AxisWarp { first: [0; LANES], second: [0; LANES], weight: [0; LANES], first_outside: 0, second_outside: 0 };
    // Every pass first brings the coordinate into a short interval in which the wrap gives the same answer, because
    // `sub_texels` takes non-negative coordinates below 4.0.
    match wrap {
        Wrap::Clamp => {
            for lane in 0..LANES {
                let size = sizes[lane] as i32;
                let position = sub_texels(coordinates[lane].clamp(0, 2 * ONE), sizes[lane]);
                // Not `clamp`: the check that its bounds are in order would keep the pass from vectorising.
                let held = (position - half).max(0).min(size * TEXEL - 1);
                axis.first[lane] = (held >> 8) as u32;
                axis.second[lane] = ((position + half) >> 8).min(size - 1) as u32;
                axis.weight[lane] = (held & (TEXEL - 1)) as u32;
            }
        }
        Wrap::Repeat => {
            for lane in 0..LANES {
                let size = sizes[lane] as i32;
                let position = sub_texels(coordinates[lane] & (ONE - 1), sizes[lane]) - half;
                // From -1 to size.
                let (first, second) = (position >> 8, (position >> 8) + 1);
                axis.first[lane] = if first < 0 { size - 1 } else { first } as u32;
                axis.second[lane] = if second >= size { 0 } else { second } as u32;
                axis.weight[lane] = (position & (TEXEL - 1)) as u32;
            }
        }
        Wrap::Mirror => {
            for lane in 0..LANES {
                let size = sizes[lane] as i32;
                let position = sub_texels(coordinates[lane] & (2 * ONE - 1), sizes[lane]) - half;
                // From -1 to 2 size; both ends mirror to 0.
                let mirror = |index: i32| index.max(0).min((2 * size - 1 - index).max(0)) as u32;
                axis.first[lane] = mirror(position >> 8);
                axis.second[lane] = mirror((position >> 8) + 1);
                axis.weight[lane] = (position & (TEXEL - 1)) as u32;
            }
        }
        Wrap::Border => {
            for lane in 0..LANES {
                let size = sizes[lane] as i32;
                // From -1.0 to 2.0, moved up by 1.0 and back by as many texels: both ends are still outside.
                let moved = coordinates[lane].clamp(-ONE, 2 * ONE) + ONE;
                let position = sub_texels(moved, sizes[lane]) - size * TEXEL - half;
                let (first, second) = (position >> 8, (position >> 8) + 1);
                axis.first[lane] = first as u32;
                axis.second[lane] = second as u32;
                axis.weight[lane] = (position & (TEXEL - 1)) as u32;
            }
            // Bits are gathered in a pass of their own, which the one above need not wait for.
            for (lane, &size) in sizes.iter().enumerate() {
                axis.first_outside |= u64::from(axis.first[lane] >= size) << lane;
                axis.second_outside |= u64::from(axis.second[lane] >= size) << lane;
            }
        }
    }
    axis
}

/// `coordinate * size` in 1/256 texel, rounded down, for a coordinate from 0 to below 4.0 and a size up to 32768.
///
/// The product has 41 bits, so it is made of two halves: with `high = c >> 8` and `low = c & 255`,
/// `floor(c·size / 2^15) = floor((high·size + floor(low·size / 2^8)) / 2^7)`, and `high·size` is below 2^32.
#[inline(always)]
fn sub_texels(coordinate: i32, size: u32) -> i32 {
    let coordinate = coordinate as u32;
    let (high, low) = (coordinate >> 8, coordinate & 255);
    (high.wrapping_mul(size).wrapping_add(low.wrapping_mul(size) >> 8) >> 7) as i32
}
