//! One channel of a texel as `f32`: what the wide form of a sample filters, and the way back for images on the host.
//!
//! Before: `format`. After: `sampler`, for the wide form; `image` and `mipmap`. Channels are numbered red 0, green 1, blue 2,
//! alpha 3. A channel that a format lacks is 0, alpha 1 (1 as an integer for integer formats).
//!
//! A texel of up to 4 bytes is fetched whole, of a larger one only the channel.
//! Source: Khronos Data Format specification for the 10- and 11-bit floats, Vulkan ("Conversion from Normalized Fixed-Point to
//! Floating-Point") for `b / 255` and `max(b / 127, -1)`, each rounded once to `f32`. A NaN becomes the canonical one, as in every
//! result of the machine's arithmetic.

use crate::format::{Format, Sampled};
use crate::srgb;

/// RISC-V's canonical NaN.
const CANONICAL_NAN: u32 = 0x7fc0_0000;

impl Format {
    /// Channels that are stored: red, then green, and so on; 4 for formats that give red, green, blue and alpha one way or other.
    pub const fn channels(self) -> u32 {
        match self {
            Self::R8 | Self::R8Snorm | Self::R16Float | Self::R32Float => 1,
            Self::R8Uint | Self::R8Sint | Self::R16Uint | Self::R16Sint | Self::R32Uint | Self::R32Sint => 1,
            Self::Rg8 | Self::Rg8Snorm | Self::Rg16Float | Self::Rg32Float => 2,
            Self::Rg8Uint | Self::Rg8Sint | Self::Rg16Uint | Self::Rg16Sint | Self::Rg32Uint | Self::Rg32Sint => 2,
            Self::Rg11B10Float => 3,
            _ => 4,
        }
    }

    /// Byte within the texel at which the wide form reads for a channel that is stored, and how many bytes: 1, 2 or 4.
    pub const fn piece(self, channel: u32) -> (u32, u32) {
        match self.bytes() {
            bytes @ ..=4 => (0, bytes),
            bytes => {
                let piece = bytes / self.channels();
                (channel * piece, piece)
            }
        }
    }

    /// What a channel is where nothing is stored of it.
    pub const fn absent(self, channel: u32) -> u32 {
        match (channel, self.sampled()) {
            (3, Sampled::Float) => 1.0f32.to_bits(),
            (3, _) => 1,
            _ => 0,
        }
    }

    /// Bits of a channel, `f32` or integer, from its [`Format::piece`]. Bits of `raw` above the piece are ignored.
    pub fn channel(self, channel: u32, raw: u32) -> u32 {
        if channel >= self.channels() {
            return self.absent(channel);
        }
        // The channel's own bits, of formats with bytes or halves one after the other.
        let byte = || raw >> (8 * channel) & 255;
        let half = || if self.bytes() > 4 { raw & 0xffff } else { raw >> (16 * channel) & 0xffff };
        let unorm = |value: u32, largest: f32| (value as f32 / largest).to_bits();
        match self {
            Self::Rgba8Srgb | Self::A8R8G8B8Srgb => {
                let value = packed_channel(self.expand(raw), channel);
                if channel == 3 { unorm(value, 255.0) } else { srgb::to_linear(value as u8).to_bits() }
            }
            Self::R8Snorm | Self::Rg8Snorm | Self::Rgba8Snorm => {
                (f32::from(byte() as u8 as i8) / 127.0).max(-1.0).to_bits()
            }
            Self::R16Float | Self::Rg16Float | Self::Rgba16Float => canonical(half_to_f32(half())),
            Self::R32Float | Self::Rg32Float | Self::Rgba32Float => canonical(f32::from_bits(raw)),
            Self::Rgb10A2 if channel == 3 => unorm(raw >> 30, 3.0),
            Self::Rgb10A2 => unorm(raw >> (10 * channel) & 1023, 1023.0),
            // As halves without their sign and last bits.
            Self::Rg11B10Float if channel == 2 => canonical(half_to_f32(raw >> 22 << 5)),
            Self::Rg11B10Float => canonical(half_to_f32((raw >> (11 * channel) & 0x7ff) << 4)),
            Self::R8Uint | Self::Rg8Uint | Self::Rgba8Uint => byte(),
            Self::R8Sint | Self::Rg8Sint | Self::Rgba8Sint => i32::from(byte() as u8 as i8) as u32,
            Self::R16Uint | Self::Rg16Uint | Self::Rgba16Uint => half(),
            Self::R16Sint | Self::Rg16Sint | Self::Rgba16Sint => i32::from(half() as u16 as i16) as u32,
            Self::R32Uint | Self::Rg32Uint | Self::Rgba32Uint => raw,
            Self::R32Sint | Self::Rg32Sint | Self::Rgba32Sint => raw,
            _ => unorm(packed_channel(self.expand(raw), channel), 255.0),
        }
    }

    /// Bits of the four channels of a texel.
    ///
    /// # Panics
    /// When there are not as many bytes as a texel has.
    pub fn decode(self, texel: &[u8]) -> [u32; 4] {
        assert_eq!(texel.len(), self.bytes() as usize, "the bytes of one texel");
        std::array::from_fn(|channel| {
            let channel = channel as u32;
            if channel >= self.channels() {
                return self.absent(channel);
            }
            let (start, bytes) = self.piece(channel);
            let mut raw = [0; 4];
            raw[..bytes as usize].copy_from_slice(&texel[start as usize..(start + bytes) as usize]);
            self.channel(channel, u32::from_le_bytes(raw))
        })
    }

    /// The texel nearest to four channels, `f32` or integers as [`Format::sampled`] says: clamped to what the format holds, rounded to
    /// nearest, ties to even. The first [`Format::bytes`] bytes count. A NaN becomes 0 where there is none.
    pub fn encode(self, channels: [u32; 4]) -> [u8; 16] {
        let real = channels.map(f32::from_bits);
        let unorm = |value: f32, largest: f32| (value.clamp(0.0, 1.0) * largest).round_ties_even() as u32;
        let mut texel = [0; 16];
        let mut put = |bytes: usize, values: [u32; 4]| {
            for (piece, value) in texel.chunks_exact_mut(bytes).zip(values).take(self.channels() as usize) {
                piece.copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
        };
        let signed = |least: i32, most: i32| channels.map(|value| (value as i32).clamp(least, most) as u32);
        match self {
            Self::R8Snorm | Self::Rg8Snorm | Self::Rgba8Snorm => {
                put(1, real.map(|value| (value.clamp(-1.0, 1.0) * 127.0).round_ties_even() as i32 as u32));
            }
            Self::R16Float | Self::Rg16Float | Self::Rgba16Float => put(2, real.map(f32_to_half)),
            Self::R32Float | Self::Rg32Float | Self::Rgba32Float => put(4, channels),
            Self::R8Uint | Self::Rg8Uint | Self::Rgba8Uint => put(1, channels.map(|value| value.min(255))),
            Self::R8Sint | Self::Rg8Sint | Self::Rgba8Sint => put(1, signed(-128, 127)),
            Self::R16Uint | Self::Rg16Uint | Self::Rgba16Uint => put(2, channels.map(|value| value.min(0xffff))),
            Self::R16Sint | Self::Rg16Sint | Self::Rgba16Sint => put(2, signed(-0x8000, 0x7fff)),
            Self::R32Uint | Self::Rg32Uint | Self::Rgba32Uint => put(4, channels),
            Self::R32Sint | Self::Rg32Sint | Self::Rgba32Sint => put(4, channels),
            _ => {
                let raw = match self {
                    Self::Rgb10A2 => {
                        let [r, g, b] = [real[0], real[1], real[2]].map(|value| unorm(value, 1023.0));
                        r | g << 10 | b << 20 | unorm(real[3], 3.0) << 30
                    }
                    Self::Rg11B10Float => {
                        let [r, g, b] =
                            [(real[0], 4), (real[1], 4), (real[2], 5)].map(|(v, cut)| unsigned_float(v, cut));
                        r | g << 11 | b << 22
                    }
                    Self::Rgba8Srgb | Self::A8R8G8B8Srgb => {
                        let [r, g, b] = [real[0], real[1], real[2]].map(|value| u32::from(srgb::from_linear(value)));
                        self.pack(unorm(real[3], 255.0) << 24 | r << 16 | g << 8 | b)
                    }
                    _ => {
                        let [r, g, b, a] = real.map(|value| unorm(value, 255.0));
                        self.pack(a << 24 | r << 16 | g << 8 | b)
                    }
                };
                texel[..4].copy_from_slice(&raw.to_le_bytes());
            }
        }
        texel
    }
}

/// A byte of a colour `0xAARRGGBB` by the number of its channel.
pub(crate) const fn packed_channel(color: u32, channel: u32) -> u32 {
    match channel {
        0 => color >> 16 & 255,
        1 => color >> 8 & 255,
        2 => color & 255,
        _ => color >> 24,
    }
}

fn canonical(value: f32) -> u32 {
    if value.is_nan() { CANONICAL_NAN } else { value.to_bits() }
}

/// The value of an IEEE binary16, exactly.
pub fn half_to_f32(half: u32) -> f32 {
    let magnitude = half & 0x7fff;
    let value = match magnitude {
        // Subnormal: a count of 2^-24.
        ..0x400 => magnitude as f32 / 16_777_216.0,
        0x400..0x7c00 => f32::from_bits((magnitude << 13) + (112 << 23)),
        0x7c00 => f32::INFINITY,
        _ => f32::NAN,
    };
    if half & 0x8000 == 0 { value } else { -value }
}

/// The IEEE binary16 nearest to a number, ties to even; beyond the range infinity.
fn f32_to_half(value: f32) -> u32 {
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let half = match magnitude {
        // Subnormal, or the smallest normal one: a count of 2^-24. The product is exact.
        ..0x3880_0000 => (f32::from_bits(magnitude) * 16_777_216.0).round_ties_even() as u32,
        0x3880_0000..=0x7f80_0000 => {
            let rebased = magnitude - (112 << 23);
            ((rebased + 0xfff + (rebased >> 13 & 1)) >> 13).min(0x7c00)
        }
        _ => 0x7e00,
    };
    half | bits >> 16 & 0x8000
}

/// A binary16 without sign and its last `cut` bits, nearest, ties to even. Below zero is zero; beyond the range the largest number
/// (infinity stays).
fn unsigned_float(value: f32, cut: u32) -> u32 {
    if value.is_nan() {
        return 0x7e00 >> cut;
    }
    if value <= 0.0 {
        return 0;
    }
    if value == f32::INFINITY {
        return 0x7c00 >> cut;
    }
    // Rounded once, from f32: `step` is the last place kept.
    let bits = value.to_bits();
    let shift = 13 + cut;
    let rounded = if bits >= 0x3880_0000 {
        let rebased = bits - (112 << 23);
        (rebased + (1 << (shift - 1)) - 1 + (rebased >> shift & 1)) >> shift
    } else {
        (value * (16_777_216.0 / (1u32 << cut) as f32)).round_ties_even() as u32
    };
    rounded.min((0x7c00 >> cut) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, texel: &[u8], expected: [f32; 4]) {
        assert_eq!(format.decode(texel).map(f32::from_bits), expected, "{format:?}");
    }

    /// Worked out by hand from the layouts.
    #[test]
    fn each_layout_is_read_as_it_says() {
        check(Format::Rgba8Srgb, &[255, 0, 188, 51], [1.0, 0.0, srgb::to_linear(188), 0.2]);
        check(Format::A8R8G8B8Srgb, &[188, 0, 255, 51], [1.0, 0.0, srgb::to_linear(188), 0.2]);
        check(Format::R8Snorm, &[0x81], [-1.0, 0.0, 0.0, 1.0]);
        check(Format::Rg8Snorm, &[0x80, 127], [-1.0, 1.0, 0.0, 1.0]);
        check(Format::Rgba8Snorm, &[0, 64, 192, 1], [0.0, 64.0 / 127.0, -64.0 / 127.0, 1.0 / 127.0]);
        check(Format::R16Float, &[0x00, 0x3c], [1.0, 0.0, 0.0, 1.0]);
        check(Format::Rg16Float, &[0x01, 0x80, 0xff, 0x7b], [-1.0 / 16_777_216.0, 65504.0, 0.0, 1.0]);
        check(Format::Rgba16Float, &[0, 0x40, 0, 0xc0, 0, 0x7c, 0, 0x38], [2.0, -2.0, f32::INFINITY, 0.5]);
        check(Format::Rg32Float, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0], [1.0, -2.0, 0.0, 1.0]);
        check(Format::Rgb10A2, &(1023u32 | 512 << 10 | 1 << 30).to_le_bytes(), [1.0, 512.0 / 1023.0, 0.0, 1.0 / 3.0]);
        // 1.0 has exponent 15; the half of 6 or 5 fraction bits is 2^5 or 2^4.
        let packed: u32 = (15 << 6) | ((16 << 6) | 32) << 11 | ((14 << 5) | 16) << 22;
        check(Format::Rg11B10Float, &packed.to_le_bytes(), [1.0, 3.0, 0.75, 1.0]);
        check(Format::R5G6B5, &[0x01, 0x84], [0x84 as f32 / 255.0, 0x82 as f32 / 255.0, 8.0 / 255.0, 1.0]);
        check(Format::R8, &[51], [0.2, 0.0, 0.0, 1.0]);
        assert_eq!(Format::Rg8Sint.decode(&[255, 127]), [u32::MAX, 127, 0, 1]);
        assert_eq!(Format::Rgba16Uint.decode(&[1, 0, 0, 1, 255, 255, 0, 0x80]), [1, 256, 65535, 0x8000]);
        assert_eq!(Format::R32Sint.decode(&[0, 0, 0, 0x80]), [1 << 31, 0, 0, 1]);
    }

    #[test]
    fn a_nan_is_the_canonical_one() {
        assert_eq!(Format::R32Float.decode(&[1, 0, 0x80, 0xff])[0], CANONICAL_NAN);
        assert_eq!(Format::R16Float.decode(&[1, 0xfc])[0], CANONICAL_NAN);
        assert_eq!(Format::Rg11B10Float.decode(&0x7ff_u32.to_le_bytes())[0], CANONICAL_NAN);
    }

    /// Every texel of 1 and 2 bytes, and many larger ones, come back from their channels.
    #[test]
    fn encoding_undoes_decoding() {
        for format in Format::ALL {
            let bytes = format.bytes() as usize;
            for raw in 0..=0xffff_u32 {
                let mixed = raw.wrapping_mul(0x9e37_79b1);
                let words = [if bytes <= 2 { raw } else { mixed ^ raw }, mixed.rotate_left(7), !mixed, raw];
                let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let texel = &all[..bytes];
                let channels = format.decode(texel);
                let back = format.encode(channels);
                // −128 and −127 are one number, and so are all NaNs.
                assert_eq!(format.decode(&back[..bytes]), channels, "{format:?} {texel:?}");
            }
        }
    }

    /// Every half, and the midpoints between neighbours: ties go to the even one.
    #[test]
    fn halves_are_rounded_to_nearest_even() {
        for half in 0..0x7bff_u32 {
            let (a, b) = (half_to_f32(half), half_to_f32(half + 1));
            assert_eq!(f32_to_half(a), half);
            assert_eq!(f32_to_half((a + b) * 0.5), half + (half & 1), "{half:#x}");
            assert_eq!(f32_to_half(-a), half | 0x8000);
        }
        assert_eq!([65519.9, 65520.0, f32::INFINITY].map(f32_to_half), [0x7bff, 0x7c00, 0x7c00]);
        // One and a half units of red's last place above 1, and a blue beyond the range.
        assert_eq!(unsigned_float(1.0 + 1.5 / 64.0, 4), (15 << 6) + 2);
        assert_eq!((unsigned_float(1e9, 5), unsigned_float(-1.0, 4)), ((31 << 5) - 1, 0));
    }
}
