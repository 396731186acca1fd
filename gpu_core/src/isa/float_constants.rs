//! The 32 constants of `fli.s`, told once for semantics, assembler and disassembler.
//!
//! Source: the RISC-V unprivileged specification, Zfa, "Load-Immediate Instructions".

/// (Bits, text) by index; the text is what the assembler takes and the disassembler writes.
pub const CONSTANTS: [(u32, &str); 32] = [
    (0xbf80_0000, "-1.0"),
    (0x0080_0000, "min"),
    (0x3780_0000, "1.52587890625e-5"),
    (0x3800_0000, "3.0517578125e-5"),
    (0x3b80_0000, "0.00390625"),
    (0x3c00_0000, "0.0078125"),
    (0x3d80_0000, "0.0625"),
    (0x3e00_0000, "0.125"),
    (0x3e80_0000, "0.25"),
    (0x3ea0_0000, "0.3125"),
    (0x3ec0_0000, "0.375"),
    (0x3ee0_0000, "0.4375"),
    (0x3f00_0000, "0.5"),
    (0x3f20_0000, "0.625"),
    (0x3f40_0000, "0.75"),
    (0x3f60_0000, "0.875"),
    (0x3f80_0000, "1.0"),
    (0x3fa0_0000, "1.25"),
    (0x3fc0_0000, "1.5"),
    (0x3fe0_0000, "1.75"),
    (0x4000_0000, "2.0"),
    (0x4020_0000, "2.5"),
    (0x4040_0000, "3.0"),
    (0x4080_0000, "4.0"),
    (0x4100_0000, "8.0"),
    (0x4180_0000, "16.0"),
    (0x4300_0000, "128.0"),
    (0x4380_0000, "256.0"),
    (0x4700_0000, "32768.0"),
    (0x4780_0000, "65536.0"),
    (0x7f80_0000, "inf"),
    (0x7fc0_0000, "nan"),
];

/// The index of a constant's bits, if it is one of the 32.
pub fn index_of(bits: u32) -> Option<u8> {
    CONSTANTS.iter().position(|&(known, _)| known == bits).map(|index| index as u8)
}

/// The bits that a number's text means: a decimal number, `inf`, `nan`, or `min` for the smallest normal one.
pub fn bits_of_text(text: &str) -> Option<u32> {
    match text {
        "min" => Some(f32::MIN_POSITIVE.to_bits()),
        "nan" => Some(0x7fc0_0000),
        _ => text.parse::<f32>().ok().filter(|value| !value.is_nan()).map(f32::to_bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_the_bits() {
        for (index, &(bits, text)) in CONSTANTS.iter().enumerate() {
            assert_eq!(bits_of_text(text), Some(bits), "{text}");
            assert_eq!(index_of(bits), Some(index as u8), "{text}");
        }
        assert_eq!(index_of(0.1_f32.to_bits()), None);
    }

    #[test]
    fn powers_of_two_are_the_specified_ones() {
        for (index, exponent) in [(2, -16), (3, -15), (4, -8), (5, -7), (6, -4), (7, -3), (26, 7), (27, 8), (28, 15)] {
            assert_eq!(f32::from_bits(CONSTANTS[index].0), 2.0_f32.powi(exponent), "index {index}");
        }
    }
}
