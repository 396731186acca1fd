//! Rates of counters: what people compare. Each is `None` where nothing was counted to divide by.

use super::{CacheCounters, CoreCounters, DramCounters, SharedCounters, TextureCounters};

/// `part / whole`, unless the whole is nothing.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole != 0).then(|| part as f64 / whole as f64)
}

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
