//! Step 1 of a sample: coordinates and level become up to four addresses and two weights.
//!
//! Before: `coordinate` and `stage`. After: the caller fetches, then `filter`.
//! Source: the texture unit of Vortex and Skybox (2024), which works on sizes 2^k; the formulas here work on every size
//! from 1 to 32768 and give the same addresses and weights for 2^k (the tests hold a transcription of the original
//! against them). Two things are ours: border, and mirror, where the original mirrors the coordinate after adding half a
//! texel and so picks the neighbour from the wrong side; here the *index* is mirrored, as Vulkan's "Wrapping Operation" says.
//! And where the original's 32-bit addition of half a texel overflows (within half a texel of ±256), this one does not.

use crate::coordinate::COORDINATE_FRACTION_BITS;
use crate::lookup::Lookup;
use crate::stage::{Filter, LevelGeometry, Stage, Wrap};

/// Half a texel, in texels with 23 fraction bits.
const HALF_TEXEL: i64 = 1 << (COORDINATE_FRACTION_BITS - 1);
/// The largest coordinate inside the texture.
const LAST_COORDINATE: i64 = (1 << COORDINATE_FRACTION_BITS) - 1;
/// Bits between two texels that become the weight.
const WEIGHT_BITS: u32 = 8;

/// One texel of a footprint.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// Byte address of the texel; meaningless for a border tap.
    pub address: u32,
    /// Outside the texture: takes the stage's border colour and is not fetched.
    pub is_border: bool,
}

/// What one sample reads and how it is weighed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Texels (x0, y0), (x1, y0), (x0, y1), (x1, y1). A point sample has the first one four times.
    pub taps: [Tap; 4],
    /// Leading taps that are fetched: 1 for point, 4 for bilinear.
    pub tap_count: usize,
    /// Weight of x1 against x0, of 255.
    pub alpha: u8,
    /// Weight of y1 against y0, of 255.
    pub beta: u8,
}

/// Addresses and weights of one sample at (u, v), signed Q9.23, in the level `lod` (see [`Stage::level`]).
///
/// Total: any coordinates, any stage. For a stage that validates every address that is not a border tap lies inside the level.
pub fn footprint(stage: &Stage, u: i32, v: i32, lod: u32) -> Footprint {
    footprint_at(stage, u, v, &Lookup { level: lod, ..Lookup::default() })
}

/// The same with a layer and a filter of its own. Addresses are those of whole texels.
pub fn footprint_at(stage: &Stage, u: i32, v: i32, lookup: &Lookup) -> Footprint {
    let level = stage.level_of_layer(lookup.level, lookup.layer);
    let filter = lookup.filter.unwrap_or(stage.filter);
    let x = axis(stage.wrap_u, filter, u, level.width);
    let y = axis(stage.wrap_v, filter, v, level.height);
    let tap = |x: Option<u32>, y: Option<u32>| match (x, y) {
        (Some(x), Some(y)) => Tap { address: texel_address(stage, &level, x, y), is_border: false },
        _ => Tap { address: 0, is_border: true },
    };
    Footprint {
        taps: [tap(x.first, y.first), tap(x.second, y.first), tap(x.first, y.second), tap(x.second, y.second)],
        tap_count: filter.tap_count(),
        alpha: x.weight,
        beta: y.weight,
    }
}

fn texel_address(stage: &Stage, level: &LevelGeometry, x: u32, y: u32) -> u32 {
    // Below 2^30 texels; times four may wrap for a stage that does not validate.
    let texel = y * level.width + x;
    level.address.wrapping_add(texel.wrapping_mul(stage.format.bytes()))
}

/// The two texels along one axis, `None` outside, and the weight of the second.
struct Axis {
    first: Option<u32>,
    second: Option<u32>,
    weight: u8,
}

fn axis(wrap: Wrap, filter: Filter, coordinate: i32, size: u32) -> Axis {
    // In texels, 23 fraction bits; at most 31 + 15 bits.
    let position = i64::from(coordinate) * i64::from(size);
    let shifted = match filter {
        Filter::Point => position,
        Filter::Bilinear => position - HALF_TEXEL,
    };
    // Clamp holds the position, and with it the weight, at the edges; the others wrap indices only.
    let held = match wrap {
        Wrap::Clamp => shifted.clamp(0, LAST_COORDINATE * i64::from(size)),
        Wrap::Repeat | Wrap::Mirror | Wrap::Border => shifted,
    };
    let first = wrap_index(wrap, held >> COORDINATE_FRACTION_BITS, size);
    match filter {
        Filter::Point => Axis { first, second: first, weight: 0 },
        Filter::Bilinear => Axis {
            first,
            second: wrap_index(wrap, (shifted >> COORDINATE_FRACTION_BITS) + 1, size),
            weight: (held >> (COORDINATE_FRACTION_BITS - WEIGHT_BITS)) as u8,
        },
    }
}

/// An index anywhere to one of 0 to `size - 1`, or `None` in the border.
fn wrap_index(wrap: Wrap, index: i64, size: u32) -> Option<u32> {
    let size = i64::from(size);
    let wrapped = match wrap {
        Wrap::Clamp => index.clamp(0, size - 1),
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::Mirror => {
            let phase = index.rem_euclid(2 * size);
            phase.min(2 * size - 1 - phase)
        }
        Wrap::Border if (0..size).contains(&index) => index,
        Wrap::Border => return None,
    };
    Some(wrapped as u32)
}
