//! Random numbers that are the same every time.

/// Knuth's LCG, upper half.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// Below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.word()) * limit as u64) >> 32) as usize
    }

    pub fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }

    /// One chance in `count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
