//! How random tests choose their inputs; for tests only.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Repeatable runs; `SEED=n` tries other inputs. Prints the seed, since a failing test shows its output.
pub fn seeded(cases: u32) -> ProptestConfig {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("SEED={seed}");
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..ProptestConfig::default() }
}
