//! Choices made by a seed.

/// A stream of choices (splitmix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// From 0 to below `count`.
    pub fn below(&mut self, count: u32) -> u32 {
        (self.bits() >> 32) as u32 % count
    }

    /// Once in `times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    pub fn flag(&mut self) -> bool {
        self.once_in(2)
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    pub fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// Evenly from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.below(1 << 20) as f32 / (1 << 20) as f32)
    }

    /// Mostly in [0, 1], with the ends, exact bytes, and what lies outside.
    pub fn unit(&mut self) -> f32 {
        match self.below(8) {
            0 => 0.0,
            1 => 1.0,
            2 | 3 => self.byte() as f32 / 255.0,
            4 => self.between(-0.5, 1.5),
            _ => self.between(0.0, 1.0),
        }
    }
}
