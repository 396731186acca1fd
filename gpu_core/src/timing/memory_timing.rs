//! The figures of the memory side of the cycle model, as the table of the configuration tells them.

pub use crate::config::{
    CacheTiming, Deduplication, DramTiming, L2Timing, LocalTiming, LsuTiming, MemoryModel, MemoryTiming, SharedTiming,
    TexelCache, TextureTiming, WritePolicy,
};
