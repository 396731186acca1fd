//! How long the host takes for texture samples, for whoever measures this engine (`warpaint bench frame`).
//!
//! Before: `load_store` comes to a sample. After: the time of one in `EVERY`, from which that of all is estimated: reading the
//! host's clock takes a quarter of the time of a sample. No result of a program depends on it.

use std::time::{Duration, Instant};

/// One instruction of so many is timed. A prime, so that it falls on every place of a loop.
const EVERY: u64 = 61;

/// A sample takes less than a microsecond; one that took so long had to wait while the host's core did something else.
const INTERRUPTED: Duration = Duration::from_micros(20);

/// What the `tex` instructions took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TextureTime {
    /// How many there were, each for all lanes of a warp.
    pub instructions: u64,
    /// How many of them were timed.
    pub timed: u64,
    /// How long those took.
    pub elapsed: Duration,
    /// How long reading the clock took meanwhile.
    pub overhead: Duration,
}

impl TextureTime {
    /// How long all of them took, without the clock's own time.
    pub fn estimate(&self) -> Duration {
        let timed = self.elapsed.saturating_sub(self.overhead).as_secs_f64();
        Duration::from_secs_f64(if self.timed == 0 {
            0.0
        } else {
            timed / self.timed as f64 * self.instructions as f64
        })
    }

    /// Adds what another core did.
    pub(crate) fn add(&mut self, more: &Self) {
        self.instructions += more.instructions;
        self.timed += more.timed;
        self.elapsed += more.elapsed;
        self.overhead += more.overhead;
    }

    /// A sample begins: the clock, if this one is timed.
    pub(super) fn begin(&mut self) -> Option<[Instant; 2]> {
        self.instructions += 1;
        self.instructions.is_multiple_of(EVERY).then(|| [Instant::now(), Instant::now()])
    }

    /// It is done.
    pub(super) fn end(&mut self, begun: Option<[Instant; 2]>) {
        if let Some([start, begun]) = begun {
            self.add_one(begun - start, begun.elapsed());
        }
    }

    fn add_one(&mut self, overhead: Duration, elapsed: Duration) {
        if overhead.max(elapsed) < INTERRUPTED {
            self.overhead += overhead;
            self.elapsed += elapsed;
            self.timed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sixty_first_is_timed_and_stands_for_all() {
        let mut time = TextureTime::default();
        let begun = (0..2 * EVERY).filter(|_| time.begin().is_some()).count();
        assert_eq!((time.instructions, begun), (122, 2));
        let micros = Duration::from_micros;
        time.add_one(micros(1), micros(4));
        time.add_one(micros(0), micros(3));
        time.add_one(micros(0), micros(5000));
        time.add_one(micros(5000), micros(3));
        assert_eq!(time.timed, 2, "others waited for a core");
        assert_eq!(time.estimate(), micros(366), "3 µs for each of 122");
        let mut sum = time;
        sum.add(&time);
        assert_eq!((sum.instructions, sum.timed, sum.estimate()), (244, 4, micros(732)));
        assert_eq!(TextureTime::default().estimate(), Duration::ZERO);
    }
}
