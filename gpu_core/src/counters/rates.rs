//! Rates of counters: what people compare. Each is `None` where nothing was counted to divide by.

use super::{CacheCounters, CoreCounters, DramCounters, SharedCounters, TextureCounters};

/// `part / whole`, unless the whole is nothing.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole != 0).then(|| part as f64 / whole as f64)
}

/// A rate of a whole machine, by name.
#[derive(Copy, Clone, Debug)]
pub struct Rate {
    /// Its name in reports.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The rate, of a core (or of all together), of what cores share, and of the lanes of a warp.
    pub of: fn(&CoreCounters, &SharedCounters, u32) -> Option<f64>,
}

/// Every rate that reports show.
#[rustfmt::skip]
pub const RATES: &[Rate] = &[
    Rate { name: "ipc", doc: "instructions of warps per cycle", of: |core, _, _| core.ipc() },
    Rate { name: "lane_ipc", doc: "instructions of lanes per cycle", of: |core, _, _| core.lane_ipc() },
    Rate { name: "simd_efficiency", doc: "lanes active in an instruction, as a share of the warp's", of: |core, _, lanes| core.simd_efficiency(lanes) },
    Rate { name: "divergence", doc: "`split`s with lanes on both sides, as a share of all", of: |core, _, _| core.divergence() },
    Rate { name: "coalescing", doc: "lane accesses that one request serves", of: |core, _, _| core.coalescing() },
    Rate { name: "load_latency", doc: "cycles from a load's arrival at the unit to its data, on average", of: |core, _, _| core.load_latency() },
    Rate { name: "icache_hit_rate", doc: "accesses of the instruction cache that found their line, as a share of all", of: |core, _, _| core.icache.hit_rate() },
    Rate { name: "dcache_hit_rate", doc: "accesses of the data cache that found their line, as a share of all", of: |core, _, _| core.dcache.hit_rate() },
    Rate { name: "dcache_bank_utilisation", doc: "requests to the data cache, as a share of them and the cycles they waited behind a bank", of: |core, _, _| core.dcache.bank_utilisation() },
    Rate { name: "tcache_hit_rate", doc: "accesses of the texture cache that found their line, as a share of all", of: |core, _, _| core.tcache.hit_rate() },
    Rate { name: "texture_latency", doc: "cycles from a sample's arrival at the unit to its colour, on average", of: |core, _, _| core.texture.mean_latency() },
    Rate { name: "texel_sharing", doc: "texel addresses that one fetch serves", of: |core, _, _| core.texture.sharing() },
    Rate { name: "l2_hit_rate", doc: "accesses of the second-level cache that found their line, as a share of all", of: |_, shared, _| shared.l2.hit_rate() },
    Rate { name: "shared_read_latency", doc: "cycles from a read's leaving its core to its return, on average", of: |_, shared, _| shared.mean_read_latency() },
    Rate { name: "dram_row_hit_rate", doc: "accesses of main memory that found their row open, as a share of all", of: |_, shared, _| shared.dram.row_hit_rate() },
];

impl CoreCounters {
    /// Instructions of warps per cycle.
    pub fn ipc(&self) -> Option<f64> {
        ratio(self.issue.issued, self.cycles)
    }

    /// Instructions of lanes per cycle.
    pub fn lane_ipc(&self) -> Option<f64> {
        ratio(self.issue.lanes, self.cycles)
    }

    /// Active lanes of an instruction, as a share of the `lanes` of a warp.
    pub fn simd_efficiency(&self, lanes: u32) -> Option<f64> {
        ratio(self.issue.lanes, self.issue.issued * u64::from(lanes))
    }

    /// Lane accesses that one request serves.
    pub fn coalescing(&self) -> Option<f64> {
        ratio(self.lsu.lanes, self.lsu.requests)
    }

    /// Cycles from a load's issue to its data, on average.
    pub fn load_latency(&self) -> Option<f64> {
        ratio(self.lsu.load_latency, self.lsu.loads)
    }

    /// Splits with lanes on both sides, as a share of all.
    pub fn divergence(&self) -> Option<f64> {
        ratio(self.control.divergences, self.control.splits)
    }
}

impl CacheCounters {
    /// Requests accepted.
    pub fn accesses(&self) -> u64 {
        self.reads + self.writes
    }

    /// Reads and writes that found their line, as a share of all.
    pub fn hit_rate(&self) -> Option<f64> {
        ratio(self.read_hits + self.write_hits, self.accesses())
    }

    /// Requests accepted at the first try: what a bank took, of that and the waits behind a bank.
    pub fn bank_utilisation(&self) -> Option<f64> {
        ratio(self.accesses(), self.accesses() + self.bank_conflicts)
    }
}

impl TextureCounters {
    /// Cycles from a sample's issue to its colour, on average.
    pub fn mean_latency(&self) -> Option<f64> {
        ratio(self.latency, self.instructions)
    }

    /// Texel addresses that one fetch serves.
    pub fn sharing(&self) -> Option<f64> {
        ratio(self.texels, self.fetched)
    }
}

impl SharedCounters {
    /// Cycles from a read's leaving its core to its return, on average.
    pub fn mean_read_latency(&self) -> Option<f64> {
        ratio(self.read_latency, self.reads)
    }
}

impl DramCounters {
    /// Accesses that found their row open, as a share of all.
    pub fn row_hit_rate(&self) -> Option<f64> {
        ratio(self.row_hits, self.row_hits + self.row_misses)
    }

    /// Cycles from a read's arrival to its line, on average.
    pub fn mean_read_latency(&self) -> Option<f64> {
        ratio(self.read_latency, self.reads)
    }
}
