//! How an attribute of a vertex lies in a buffer: WebGPU's vertex formats, a row each.
//!
//! Before: a scene's buffers. After: the evaluator gets what [`VertexFormat::fetch`] gives; the vertex kernel
//! (`shaders/kernels/vertex/attributes.wgsl`) is made for [`VertexFormat::code`] and must fetch the same bits.

use shaders::interface::NumericKind;
use texture::channel::half_to_f32;

/// What becomes of the bits of a component. The numbers are those of `attributes.wgsl`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Kept.
    Uint = 0,
    /// Sign-extended.
    Sint = 1,
    /// Divided by the largest: in [0, 1].
    Unorm = 2,
    /// Divided by the largest, at least −1.
    Snorm = 3,
    /// IEEE binary16.
    Half = 4,
    /// Ten bits each, alpha two, red lowest; in [0, 1].
    Packed = 5,
    /// As `Unorm`; blue comes first.
    Bgra = 6,
    /// Kept.
    Float = 7,
}

macro_rules! formats {
    ($($name:ident, $kind:ident, $bits:literal, $components:literal;)*) => {
        /// How an attribute lies in a vertex buffer; named as in WebGPU: kind and bits of a component, then how many.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names say it all")]
        pub enum VertexFormat { $($name),* }

        impl VertexFormat {
            /// Every format.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            const fn row(self) -> (Kind, u32, u32) {
                match self { $(Self::$name => (Kind::$kind, $bits, $components)),* }
            }
        }
    };
}

formats! {
    Uint8, Uint, 8, 1;
    Uint8x2, Uint, 8, 2;
    Uint8x4, Uint, 8, 4;
    Uint16, Uint, 16, 1;
    Uint16x2, Uint, 16, 2;
    Uint16x4, Uint, 16, 4;
    Sint8, Sint, 8, 1;
    Sint8x2, Sint, 8, 2;
    Sint8x4, Sint, 8, 4;
    Sint16, Sint, 16, 1;
    Sint16x2, Sint, 16, 2;
    Sint16x4, Sint, 16, 4;
    Unorm8, Unorm, 8, 1;
    Unorm8x2, Unorm, 8, 2;
    Unorm8x4, Unorm, 8, 4;
    Unorm16, Unorm, 16, 1;
    Unorm16x2, Unorm, 16, 2;
    Unorm16x4, Unorm, 16, 4;
    Snorm8, Snorm, 8, 1;
    Snorm8x2, Snorm, 8, 2;
    Snorm8x4, Snorm, 8, 4;
    Snorm16, Snorm, 16, 1;
    Snorm16x2, Snorm, 16, 2;
    Snorm16x4, Snorm, 16, 4;
    Float16, Half, 16, 1;
    Float16x2, Half, 16, 2;
    Float16x4, Half, 16, 4;
    Float32, Float, 32, 1;
    Float32x2, Float, 32, 2;
    Float32x3, Float, 32, 3;
    Float32x4, Float, 32, 4;
    Uint32, Uint, 32, 1;
    Uint32x2, Uint, 32, 2;
    Uint32x3, Uint, 32, 3;
    Uint32x4, Uint, 32, 4;
    Sint32, Sint, 32, 1;
    Sint32x2, Sint, 32, 2;
    Sint32x3, Sint, 32, 3;
    Sint32x4, Sint, 32, 4;
    Unorm10x3Unorm2, Packed, 8, 4;
    Unorm8x4Bgra, Bgra, 8, 4;
}

impl VertexFormat {
    /// Bytes of an attribute.
    pub const fn bytes(self) -> u32 {
        let (_, bits, components) = self.row();
        bits / 8 * components
    }

    /// What offsets are multiples of: the size, or 4 if that is less.
    pub const fn alignment(self) -> u32 {
        if self.bytes() < 4 { self.bytes() } else { 4 }
    }

    /// What a shader must declare its components as.
    pub const fn numeric(self) -> NumericKind {
        match self.row().0 {
            Kind::Uint => NumericKind::Uint,
            Kind::Sint => NumericKind::Sint,
            _ => NumericKind::Float,
        }
    }

    /// The value of the vertex kernel's override `FORMAT_n`.
    pub const fn code(self) -> u32 {
        let (kind, bits, components) = self.row();
        kind as u32 | bits << 8 | components << 16
    }

    /// The bits of the four components a shader can ask for: those that are missing are 0, a missing fourth one is 1.
    ///
    /// # Panics
    /// If there are less than [`VertexFormat::bytes`] bytes.
    pub fn fetch(self, bytes: &[u8]) -> [u32; 4] {
        let (kind, bits, components) = self.row();
        let one = if self.numeric() == NumericKind::Float { 1f32.to_bits() } else { 1 };
        let mut fetched = [0, 0, 0, one];
        let size = bits as usize / 8;
        for (component, value) in fetched.iter_mut().enumerate().take(components as usize) {
            let mut word = [0; 4];
            word[..size].copy_from_slice(&bytes[component * size..][..size]);
            let raw = u32::from_le_bytes(word);
            let shift = 32 - bits;
            let signed = (raw << shift) as i32 >> shift;
            let most = u32::MAX >> shift;
            *value = match kind {
                Kind::Uint | Kind::Float => raw,
                Kind::Sint => signed as u32,
                Kind::Unorm | Kind::Bgra => (raw as f32 / most as f32).to_bits(),
                Kind::Snorm => (signed as f32 / (most >> 1) as f32).max(-1.0).to_bits(),
                // Of the NaNs there is one of each sign.
                Kind::Half => half_to_f32(raw).to_bits(),
                Kind::Packed => {
                    let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                    let part = if component == 3 { 3 } else { 1023 };
                    ((word >> (10 * component) & part) as f32 / part as f32).to_bits()
                }
            };
        }
        if kind == Kind::Bgra {
            fetched.swap(0, 2);
        }
        fetched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_floats(format: VertexFormat, bytes: &[u8], expected: [f32; 4]) {
        assert_eq!(bytes.len() as u32, format.bytes(), "{format:?}");
        assert_eq!(format.fetch(bytes), expected.map(f32::to_bits), "{format:?} of {bytes:x?}");
    }

    #[track_caller]
    fn check_integers(format: VertexFormat, bytes: &[u8], expected: [i32; 4]) {
        assert_eq!(bytes.len() as u32, format.bytes(), "{format:?}");
        assert_eq!(format.fetch(bytes).map(|bits| bits as i32), expected, "{format:?} of {bytes:x?}");
    }

    /// WebGPU, "Vertex Formats"; every quotient is the float nearest to it.
    #[test]
    fn every_format_has_the_values_worked_out_by_hand() {
        use VertexFormat::*;
        check_integers(Uint8, &[0xfe], [254, 0, 0, 1]);
        check_integers(Uint8x2, &[1, 0xff], [1, 255, 0, 1]);
        check_integers(Uint8x4, &[1, 2, 3, 0x80], [1, 2, 3, 128]);
        check_integers(Sint8, &[0xfe], [-2, 0, 0, 1]);
        check_integers(Sint8x2, &[0x80, 0x7f], [-128, 127, 0, 1]);
        check_integers(Sint8x4, &[0xff, 2, 0x81, 0], [-1, 2, -127, 0]);
        check_integers(Uint16, &[0x34, 0x12], [0x1234, 0, 0, 1]);
        check_integers(Uint16x2, &[0xff, 0xff, 1, 0], [65535, 1, 0, 1]);
        check_integers(Uint16x4, &[0, 1, 2, 0, 0, 0, 0, 0x80], [256, 2, 0, 32768]);
        check_integers(Sint16, &[0xfe, 0xff], [-2, 0, 0, 1]);
        check_integers(Sint16x2, &[0, 0x80, 0xff, 0x7f], [-32768, 32767, 0, 1]);
        check_integers(Sint16x4, &[1, 0, 0xff, 0xff, 2, 0, 0, 0xff], [1, -1, 2, -256]);
        check_integers(Uint32, &[4, 3, 2, 1], [0x0102_0304, 0, 0, 1]);
        check_integers(Uint32x2, &[4, 3, 2, 1, 1, 0, 0, 0], [0x0102_0304, 1, 0, 1]);
        check_integers(Uint32x3, &[[0u8; 4], [7, 0, 0, 0], [0xff; 4]].concat(), [0, 7, -1, 1]);
        check_integers(Uint32x4, &[[0u8; 4], [7, 0, 0, 0], [0xff; 4], [9, 0, 0, 0]].concat(), [0, 7, -1, 9]);
        check_integers(Sint32, &[0xfd, 0xff, 0xff, 0xff], [-3, 0, 0, 1]);
        check_integers(Sint32x2, &[[0xfe, 0xff, 0xff, 0xff], [2, 0, 0, 0]].concat(), [-2, 2, 0, 1]);
        check_integers(Sint32x3, &[[1u8, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0x80]].concat(), [1, 2, i32::MIN, 1]);
        check_integers(Sint32x4, &[[1u8, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [0xff; 4]].concat(), [1, 2, 3, -1]);
        check_floats(Unorm8, &[51], [0.2, 0.0, 0.0, 1.0]);
        check_floats(Unorm8x2, &[255, 0], [1.0, 0.0, 0.0, 1.0]);
        check_floats(Unorm8x4, &[0, 51, 102, 255], [0.0, 0.2, 0.4, 1.0]);
        check_floats(Unorm8x4Bgra, &[0, 51, 102, 255], [0.4, 0.2, 0.0, 1.0]);
        check_floats(Snorm8, &[0x81], [-1.0, 0.0, 0.0, 1.0]);
        check_floats(Snorm8x2, &[0x80, 0x7f], [-1.0, 1.0, 0.0, 1.0]);
        check_floats(Snorm8x4, &[0, 1, 0xff, 0x80], [0.0, 1.0 / 127.0, -1.0 / 127.0, -1.0]);
        check_floats(Unorm16, &[0x33, 0x33], [0.2, 0.0, 0.0, 1.0]);
        check_floats(Unorm16x2, &[0xff, 0xff, 1, 0], [1.0, 1.0 / 65535.0, 0.0, 1.0]);
        check_floats(Unorm16x4, &[0, 0, 0x33, 0x33, 0x66, 0x66, 0, 0], [0.0, 0.2, 0.4, 0.0]);
        check_floats(Snorm16, &[1, 0x80], [-1.0, 0.0, 0.0, 1.0]);
        check_floats(Snorm16x2, &[0, 0x80, 0xff, 0x7f], [-1.0, 1.0, 0.0, 1.0]);
        check_floats(Snorm16x4, &[0, 0, 1, 0, 0xff, 0xff, 0xff, 0x7f], [0.0, 1.0 / 32767.0, -1.0 / 32767.0, 1.0]);
        // 10 + 5 bits: 0x3c00 is 1, 0xc000 is −2, 1 is 2^-24, 0x7bff is 65504, 0xfc00 is −∞.
        check_floats(Float16, &[0, 0x3c], [1.0, 0.0, 0.0, 1.0]);
        check_floats(Float16x2, &[0, 0xc0, 1, 0], [-2.0, 5.960_464_5e-8, 0.0, 1.0]);
        check_floats(Float16x4, &[0xff, 0x7b, 0, 0xfc, 0, 0x80, 0, 0x38], [65504.0, f32::NEG_INFINITY, -0.0, 0.5]);
        check_floats(Float32, &1.5f32.to_le_bytes(), [1.5, 0.0, 0.0, 1.0]);
        check_floats(Float32x2, &[1.5f32, -0.0].map(f32::to_le_bytes).concat(), [1.5, -0.0, 0.0, 1.0]);
        check_floats(Float32x3, &[1.5f32, -2.0, 3.0].map(f32::to_le_bytes).concat(), [1.5, -2.0, 3.0, 1.0]);
        check_floats(Float32x4, &[1.5f32, -2.0, 3.0, 0.25].map(f32::to_le_bytes).concat(), [1.5, -2.0, 3.0, 0.25]);
        // Red 1023, green 0, blue 341 (a third), alpha 2 of 3.
        let word = 1023u32 | 341 << 20 | 2 << 30;
        check_floats(Unorm10x3Unorm2, &word.to_le_bytes(), [1.0, 0.0, 1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(VertexFormat::ALL.len(), 41, "each has a line above");
    }

    #[test]
    fn a_nan_keeps_its_bits_in_32_and_its_sign_in_16() {
        assert_eq!(VertexFormat::Float32.fetch(&0xffc1_2345u32.to_le_bytes())[0], 0xffc1_2345);
        assert_eq!(VertexFormat::Float16.fetch(&[1, 0xfe])[0], 0xffc0_0000);
    }
}
