//! Inputs for the float tests: every class of number, and the neighbourhoods where rounding goes wrong.

/// Xorshift, so that a run repeats from its seed.
pub struct Random(u64);

impl Random {
    /// Takes `SEED=` from outside, else a fixed one; prints it, since a failing test shows its output.
    pub fn new(test: &str) -> Self {
        let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0x5eed_0f10a7);
        println!("{test}: SEED={seed}");
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }
}

/// One of each kind, and the limits of each kind.
pub const SPECIAL: [u32; 34] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x0080_0001,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x3f7f_ffff,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0x4020_0000,
    0x4b00_0000,
    0x4b7f_ffff,
    0x4eff_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0xcf00_0001,
    0x4f7f_ffff,
    0x4f80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    0xffbf_ffff,
    0x7e80_0000,
];

/// One operand: special, uniform bits, few significant bits, subnormal, near an integer.
pub fn operand(random: &mut Random) -> u32 {
    let bits = random.bits() as u32;
    match random.below(8) {
        0 => SPECIAL[random.below(SPECIAL.len() as u32) as usize],
        1 => bits & 0xfff8_0000,
        2 => bits & 0x807f_ffff,
        3 => bits & 0x81ff_ffff,
        // Between 2^-4 and 2^34: where conversions round and saturate.
        4 => bits & 0x807f_ffff | (123 + random.below(38)) << 23,
        5 => bits & 0x80ff_ffff | 0x3f00_0000,
        _ => bits,
    }
}

/// Three operands, often related: nearly cancelling, with a product near the subnormals or near overflow.
pub fn triple(random: &mut Random) -> [u32; 3] {
    let (mut a, mut b, mut c) = (operand(random), operand(random), operand(random));
    let wobble = random.below(5).wrapping_sub(2);
    match random.below(6) {
        0 => b = (a ^ 0x8000_0000).wrapping_add(wobble),
        1 => {
            let product = f32::from_bits(a) * f32::from_bits(b);
            c = ((-product).to_bits()).wrapping_add(wobble);
        }
        2 => {
            // The exponents of a and b add up to that of the smallest normal number, give or take.
            let first = 40 + random.below(80);
            let second = 127 - first + random.below(28);
            a = a & 0x807f_ffff | first << 23;
            b = b & 0x807f_ffff | (second.min(254)) << 23;
            c &= 0x80ff_ffff;
        }
        3 => {
            // The product is near the largest number.
            let first = 140 + random.below(80);
            a = a & 0x807f_ffff | first << 23;
            b = b & 0x807f_ffff | (380 - first + random.below(3)).min(254) << 23;
        }
        _ => {}
    }
    [a, b, c]
}
