//! Which place of the texture a pixel shows: an affine mapping in integers, the same for host and kernel.
//!
//! The centre of the picture shows the centre of the texture. Coordinates are Q9.23 with 7 further bits while they are
//! added up: u = (u_x·x + u_y·y + u_0) >> 7.

use serde::Serialize;

use crate::experiments::error::ExperimentError;

/// Bits below Q9.23 that coordinates are added up in.
const FURTHER_BITS: u32 = 7;
/// One texture, with the further bits.
const ONE: f64 = (1u32 << (23 + FURTHER_BITS)) as f64;

/// How pixels lie on texels.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// Pixel centres on texel centres, as in the published experiment. All weights are zero: nothing is filtered.
    Identity,
    /// Moved by (0.37, 0.61) texel: the same texels, and weights that matter.
    Shift,
    /// 4/3 texels a pixel along both axes: the texture at 0.75 of its size.
    Scale,
    /// The same, turned by 30°. The corners of the picture lie outside the texture.
    Rotate,
}

impl Mapping {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Identity, Self::Shift, Self::Scale, Self::Rotate];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Shift => "shift",
            Self::Scale => "scale",
            Self::Rotate => "rotate",
        }
    }

    /// Texels a pixel, as a fraction.
    const fn texels_per_pixel(self) -> (u32, u32) {
        match self {
            Self::Identity | Self::Shift => (1, 1),
            Self::Scale | Self::Rotate => (4, 3),
        }
    }

    /// The size of the texture that this mapping shows whole (but for the corners of `Rotate`) in a picture.
    pub fn source_size(self, target: [u32; 2]) -> [u32; 2] {
        let (texels, pixels) = self.texels_per_pixel();
        target.map(|side| (u64::from(side) * u64::from(texels)).div_ceil(u64::from(pixels)) as u32)
    }

    /// The level of detail as the published experiment's kernel computes it: the whole part, and the fraction of 255
    /// (for 4/3 texels a pixel 0 and 85: linear between powers of two, where the logarithm would give 106).
    pub const fn level_of_detail(self) -> (u32, u32) {
        let (texels, pixels) = self.texels_per_pixel();
        (0, (texels - pixels) * 256 / pixels)
    }

    /// The mapping as integers for a texture and a picture of these sizes.
    pub fn coordinates(self, source: [u32; 2], target: [u32; 2]) -> Result<Coordinates, ExperimentError> {
        let (texels, pixels) = self.texels_per_pixel();
        let scale = f64::from(texels) / f64::from(pixels);
        let (cosine, sine) = match self {
            Self::Rotate => (0.75f64.sqrt(), 0.5),
            _ => (1.0, 0.0),
        };
        let shift = match self {
            Self::Shift => [0.37, 0.61],
            _ => [0.0, 0.0],
        };
        let step = |texels: f64, side: u32| (texels * scale / f64::from(side) * ONE).round_ties_even() as i64;
        let x = [step(cosine, source[0]), step(sine, source[1])];
        let y = [step(-sine, source[0]), step(cosine, source[1])];
        let origin = [0, 1].map(|axis| {
            // Half of a step between two weights (1/256 texel) is added, so that rounding changes no weight.
            let centre = f64::from(source[axis]) / 2.0 + shift[axis] + 1.0 / 512.0;
            let centre = (centre / f64::from(source[axis]) * ONE).round_ties_even() as i64;
            centre - (x[axis] * i64::from(target[0] - 1) + y[axis] * i64::from(target[1] - 1)).div_euclid(2)
        });
        // An affine function is largest in a corner; the parts are kept in range too, though their sum would wrap back.
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
            let (right, down) = (right * i64::from(target[0] - 1), down * i64::from(target[1] - 1));
            [0, 1].map(|axis| origin[axis] + x[axis] * right + y[axis] * down)
        });
        let farthest = corners.as_flattened().iter().map(|value| value.abs()).max().expect("there are four corners");
        if farthest > i64::from(i32::MAX) {
            return Err(ExperimentError::Mapping { mapping: self.name(), textures: farthest as f64 / ONE });
        }
        // The origin is a corner, and a step is at most the difference of two.
        Ok(Coordinates { x: x.map(|v| v as i32), y: y.map(|v| v as i32), origin: origin.map(|v| v as i32) })
    }
}

/// A mapping as the kernel computes it, in Q9.23 with 7 further bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// What u and v change by from a pixel to its right neighbour …
    pub x: [i32; 2],
    /// … and to the one below.
    pub y: [i32; 2],
    /// At the top left pixel.
    pub origin: [i32; 2],
}

impl Coordinates {
    /// u and v of a pixel, Q9.23.
    pub fn at(&self, x: u32, y: u32) -> [i32; 2] {
        [0, 1].map(|axis| {
            let right = self.x[axis].wrapping_mul(x as i32);
            let down = self.y[axis].wrapping_mul(y as i32);
            right.wrapping_add(down).wrapping_add(self.origin[axis]) >> FURTHER_BITS
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [1920, 1080];

    /// The nearest position in 1/256 texel below the coordinate.
    fn in_texels(coordinate: i32, side: u32) -> i64 {
        (i64::from(coordinate) * i64::from(side)) >> 15
    }

    #[test]
    fn identity_hits_every_texel_centre() {
        let coordinates = Mapping::Identity.coordinates(SIZE, SIZE).expect("it fits");
        for (x, y) in [(0, 0), (1, 1), (959, 539), (1000, 17), (1919, 1079), (1919, 0), (0, 1079)] {
            let [u, v] = coordinates.at(x, y);
            let centre = |at: u32| 256 * i64::from(at) + 128;
            assert_eq!([in_texels(u, 1920), in_texels(v, 1080)], [centre(x), centre(y)], "pixel {x}, {y}");
        }
    }

    #[test]
    fn shift_has_one_weight_everywhere() {
        // 0.37 · 256 = 94.72 and 0.61 · 256 = 156.16, and half a step: 95.22 and 156.66. Steps are rounded to 2^-30
        // texture, which over half a picture is up to 960 · 2^-31 · 1920 = 0.0009 texel, 0.22/256.
        let coordinates = Mapping::Shift.coordinates(SIZE, SIZE).expect("it fits");
        for (x, y) in [(0, 0), (959, 539), (1919, 1079), (3, 1000)] {
            let [u, v] = coordinates.at(x, y);
            let weights = [in_texels(u, 1920) - 256 * i64::from(x), in_texels(v, 1080) - 256 * i64::from(y)];
            assert!((94..=95).contains(&(weights[0] - 128)), "pixel {x}, {y}: {weights:?}");
            assert_eq!(weights[1] - 128, 156, "pixel {x}, {y}");
        }
    }

    #[test]
    fn scale_shows_the_whole_texture_at_its_level() {
        let source = Mapping::Scale.source_size(SIZE);
        assert_eq!(source, [2560, 1440]);
        assert_eq!(Mapping::Scale.level_of_detail(), (0, 85));
        assert_eq!(Mapping::Shift.level_of_detail(), (0, 0));
        let coordinates = Mapping::Scale.coordinates(source, SIZE).expect("it fits");
        // Pixel centre 0.5 lies at 2/3 texel = 170.67/256; the last one at 2560 - 2/3.
        let [first, last] = [0, 1919].map(|x| in_texels(coordinates.at(x, 0)[0], 2560));
        assert!((170..=171).contains(&first), "{first}");
        assert!((256 * 2559 + 85..=256 * 2559 + 86).contains(&last), "{last}");
    }

    #[test]
    fn rotate_keeps_the_centre() {
        let source = Mapping::Rotate.source_size(SIZE);
        let coordinates = Mapping::Rotate.coordinates(source, SIZE).expect("it fits");
        let [left, right] = [coordinates.at(959, 539), coordinates.at(960, 540)];
        for axis in [0, 1] {
            assert!(((left[axis] + right[axis]) / 2 - (1 << 22)).abs() < 40, "axis {axis}: {left:?} {right:?}");
        }
        // Half a pixel right and half a pixel down of the centre: u moves by 2/3 · (cos 30° − sin 30°) = 0.244 texel.
        let texels = f64::from(right[0] - (1 << 22)) / f64::from(1 << 23) * 2560.0;
        assert!((texels - 0.244).abs() < 0.004, "{texels}");
    }

    #[test]
    fn a_source_far_smaller_than_the_picture_is_refused() {
        let error = Mapping::Identity.coordinates([64, 64], [512, 64]).expect_err("eight textures wide");
        // From the centre 256 pixels either way: 256/64 + 1/2 = 4.5 textures, less half a pixel.
        assert!(error.to_string().contains("reaches 4.49 textures"), "{error}");
    }
}
