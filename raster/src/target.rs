//! What a frame is drawn into: a colour word and a depth for each pixel.
//!
//! Before: `frame`, which names the size and the clear values. After: whoever shows or saves the picture.
//! A colour word is 0xAARRGGBB, as the `tex` instruction returns it. Depth words are what the format says
//! (`depth_value`). Rows go down from the top left corner. Pitch and height are
//! padded to whole tiles, so that the tile kernel needs no test whether a pixel lies inside.

use shaders::texture_calls::ScalarKind;

use crate::depth_value::DEPTH24_BITS;
use crate::format::{ColorFormat, DepthFormat};
use crate::srgb;
use crate::unit_range::saturate;

/// The largest width and height of a target, in pixels: with it, edge values fit in the kernel's 32 bits.
pub const LARGEST_SIDE: u32 = 8192;

/// Pitch and padded height are a multiple of this, the largest tile side.
pub const PADDING: u32 = 32;

/// A size no target can have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// A side is zero.
    #[error("a target of {width} x {height} pixels has no pixels; both sides must be at least 1")]
    Empty {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// A side is above [`LARGEST_SIDE`].
    #[error("a target of {width} x {height} pixels is too large; the limit is {LARGEST_SIDE} x {LARGEST_SIDE}")]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
}

/// Refuses a size no target can have.
pub const fn check_size(width: u32, height: u32) -> Result<(), TargetError> {
    if width == 0 || height == 0 {
        return Err(TargetError::Empty { width, height });
    }
    if width > LARGEST_SIDE || height > LARGEST_SIDE {
        return Err(TargetError::TooLarge { width, height });
    }
    Ok(())
}

/// A finished picture with its depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Pixels in a row that are shown.
    pub width: u32,
    /// Rows that are shown.
    pub height: u32,
    /// Words from one row to the next.
    pub pitch: u32,
    /// 0xAARRGGBB, `pitch` words a row; what lies past `width` or `height` has no meaning.
    pub color: Vec<u32>,
    /// What `depth` means.
    pub depth_format: DepthFormat,
    /// Words of depth and stencil, laid out like `color`; where a sample has two, the second ones follow the first ones.
    pub depth: Vec<u32>,
}

impl Target {
    /// A target of this size with plain formats, every word being the given one.
    pub fn new(width: u32, height: u32, color: u32, depth: u32) -> Result<Self, TargetError> {
        Self::with_format(width, height, DepthFormat::Depth32Float, color, [depth, 0])
    }

    /// A target of this size, every word being the given one; the second depth word only where there is one.
    pub fn with_format(
        width: u32,
        height: u32,
        depth_format: DepthFormat,
        color: u32,
        depth: [u32; 2],
    ) -> Result<Self, TargetError> {
        check_size(width, height)?;
        let pitch = width.next_multiple_of(PADDING);
        let words = pitch as usize * height.next_multiple_of(PADDING) as usize;
        let planes = &depth[..depth_format.words_per_sample() as usize];
        let mut depth = vec![planes[0]; words * planes.len()];
        for (plane, word) in depth.chunks_mut(words).zip(planes).skip(1) {
            plane.fill(*word);
        }
        Ok(Self { width, height, pitch, color: vec![color; words], depth_format, depth })
    }

    /// Where the pixel's words lie.
    pub const fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.pitch as usize + x as usize
    }

    /// The 0xAARRGGBB word of a pixel.
    pub fn color_at(&self, x: u32, y: u32) -> u32 {
        self.color[self.index(x, y)]
    }

    /// The depth of a pixel, 0 near to 1 far.
    pub fn depth_at(&self, x: u32, y: u32) -> f32 {
        self.depth_format.depth_of(self.depth[self.index(x, y)])
    }

    /// The stencil value of a pixel; 0 where the format has none.
    pub fn stencil_at(&self, x: u32, y: u32) -> u8 {
        let at = self.index(x, y);
        match self.depth_format {
            DepthFormat::Depth24Stencil8 => (self.depth[at] >> DEPTH24_BITS) as u8,
            DepthFormat::Depth32FloatStencil8 => self.depth[self.color.len() + at] as u8,
            _ => 0,
        }
    }

    /// The shown colour words, row after row from the top, without padding.
    pub fn shown(&self) -> impl Iterator<Item = u32> + '_ {
        self.shown_of(&self.color)
    }

    /// The shown depths as first words of the format, row after row from the top, without padding.
    pub fn shown_depth(&self) -> impl Iterator<Item = u32> + '_ {
        self.shown_of(&self.depth)
    }

    /// Red, green, blue, alpha bytes of the shown pixels, as picture files want them.
    pub fn to_rgba8(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.width as usize * self.height as usize * 4);
        for word in self.shown() {
            let [blue, green, red, alpha] = word.to_le_bytes();
            bytes.extend([red, green, blue, alpha]);
        }
        bytes
    }

    fn shown_of<'a>(&self, words: &'a [u32]) -> impl Iterator<Item = u32> + use<'a> {
        let width = self.width as usize;
        words.chunks_exact(self.pitch as usize).take(self.height as usize).flat_map(move |row| &row[..width]).copied()
    }
}

/// A colour with channels red, green, blue, alpha in [0, 1] as the word 0xAARRGGBB.
///
/// Clamped, then the nearest of c · 255, ties to even; a NaN is 0. This is what the tile kernel does with a fragment's
/// colour (Vulkan, "Conversion From Floating-Point to Normalized Fixed-Point").
pub fn pack_color([red, green, blue, alpha]: [f32; 4]) -> u32 {
    let byte = |channel: f32| (saturate(channel) * 255.0).round_ties_even() as u32;
    byte(alpha) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
}

/// A number of a clear colour as an integer of 32 bits: towards zero, limited to the range.
fn integer(format: ColorFormat, channel: f32) -> u32 {
    match format.kind() {
        ScalarKind::Sint => (channel as i32) as u32,
        _ => channel as u32,
    }
}

/// A linear colour, or integers, as a target of this format stores it.
pub fn color_word(format: ColorFormat, color: [f32; 4]) -> u32 {
    if format.is_integer() {
        return format.integer_word(color.map(|channel| integer(format, channel)));
    }
    let plain = pack_color(color);
    if !format.is_srgb() {
        return plain;
    }
    let [red, green, blue] = [color[0], color[1], color[2]].map(|channel| srgb::encode(saturate(channel)));
    plain & 0xff00_0000 | red << 16 | green << 8 | blue
}

/// A depth as it is stored: clamped to [0, 1], the bits of the f32. A NaN is 0, and so is −0.
pub fn pack_depth(depth: f32) -> u32 {
    saturate(depth).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_round_to_the_nearest_byte() {
        assert_eq!(pack_color([1.0, 0.0, 0.5, 1.0]), 0xffff_0080); // 127.5 is a tie: to even.
        assert_eq!(pack_color([f32::NAN, -1.0, 2.0, 0.2]), 0x3300_00ff);
        for byte in 0..=255u32 {
            let channel = byte as f32 / 255.0;
            assert_eq!(pack_color([channel; 4]), byte * 0x0101_0101);
        }
    }

    #[test]
    fn depth_bits_order_like_depths() {
        assert_eq!(pack_depth(-0.0), 0);
        assert_eq!(pack_depth(f32::NAN), 0);
        assert_eq!(pack_depth(7.0), 1.0f32.to_bits());
        assert!(pack_depth(0.25) < pack_depth(0.250_000_03));
    }

    #[test]
    fn sizes_out_of_range_are_refused_with_the_limit() {
        assert!(Target::new(1, 1, 0, 0).is_ok());
        assert_eq!(Target::new(0, 5, 0, 0), Err(TargetError::Empty { width: 0, height: 5 }));
        let message = Target::new(8193, 1, 0, 0).expect_err("8193 is above the limit").to_string();
        assert_eq!(message, "a target of 8193 x 1 pixels is too large; the limit is 8192 x 8192");
    }

    #[test]
    fn shown_pixels_leave_the_padding_out() {
        let mut target = Target::new(3, 2, 0, 0).expect("a small size");
        assert_eq!(target.pitch, 32);
        let at = target.index(2, 1);
        target.color[at] = 0x1122_3344;
        assert_eq!(target.shown().collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0x1122_3344]);
        assert_eq!(target.to_rgba8()[20..], [0x22, 0x33, 0x44, 0x11]);
    }
}
