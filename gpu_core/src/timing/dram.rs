//! DRAM: latency, bandwidth, and rows that are open or not. First come, first served.
//!
//! Before: `shared_level` brings lines in the order (cycle, core). After: it knows when each is done. Lines interleave over
//! channels; in a channel, rows interleave over banks, each of which keeps its last row open. A channel moves one line in
//! `interval` cycles, and in order: a line that waits for its row holds up those behind it. No refresh.

use super::memory_timing::DramTiming;
use crate::counters::DramCounters;
use serde::{Deserialize, Serialize};

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Bank {
    /// The open row, `u32::MAX` at first.
    row: u32,
    /// From when on the row can be changed.
    free_from: u64,
}

/// The state of DRAM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dram {
    latency: u64,
    interval: u64,
    row_miss: u64,
    channel_shift: u32,
    row_shift: u32,
    bank_shift: u32,
    /// From when on each channel can move a line.
    channels: Vec<u64>,
    banks: Vec<Bank>,
    counters: DramCounters,
}

impl Dram {
    /// All rows closed.
    pub fn new(timing: &DramTiming, line_bytes: u32) -> Self {
        Self {
            latency: timing.latency.into(),
            interval: timing.interval.into(),
            row_miss: timing.row_miss.into(),
            channel_shift: timing.channels.trailing_zeros(),
            row_shift: timing.row_bytes.trailing_zeros() - line_bytes.trailing_zeros(),
            bank_shift: timing.banks.trailing_zeros(),
            channels: vec![0; timing.channels as usize],
            banks: vec![Bank { row: u32::MAX, free_from: 0 }; (timing.channels * timing.banks) as usize],
            counters: DramCounters::default(),
        }
    }

    /// Events so far.
    pub fn counters(&self) -> &DramCounters {
        &self.counters
    }

    /// Sets all counters to zero, closes all rows, and lets cycles begin at 0 again.
    pub(super) fn restart(&mut self) {
        self.counters = DramCounters::default();
        self.channels.fill(0);
        self.banks.fill(Bank { row: u32::MAX, free_from: 0 });
    }

    /// A line that is asked for in `cycle`: when its data is there.
    pub fn read(&mut self, cycle: u64, line: u32) -> u64 {
        self.counters.reads += 1;
        let done = self.turn(cycle, line) + self.latency;
        self.counters.read_latency += done - cycle;
        done
    }

    /// A line, or a part of one, that comes in `cycle`: when it has been taken.
    pub fn write(&mut self, cycle: u64, line: u32) -> u64 {
        self.counters.writes += 1;
        self.turn(cycle, line) + self.interval
    }

    /// When the line has its turn on its channel.
    fn turn(&mut self, cycle: u64, line: u32) -> u64 {
        let channel = (line & (self.channels.len() as u32 - 1)) as usize;
        let row = line >> self.channel_shift >> self.row_shift;
        let bank = (channel << self.bank_shift) + (row & ((1 << self.bank_shift) - 1)) as usize;
        let bank = &mut self.banks[bank];
        self.counters.busy += self.interval;
        let mut turn = cycle.max(bank.free_from);
        if bank.row == row {
            self.counters.row_hits += 1;
        } else {
            self.counters.row_misses += 1;
            bank.row = row;
            turn += self.row_miss;
        }
        turn = turn.max(self.channels[channel]);
        self.channels[channel] = turn + self.interval;
        bank.free_from = turn;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    fn default_timing() -> DramTiming {
        GpuConfig::vortex(1, 4, 4).timing.memory.dram
    }

    /// Latency 100, a line every two cycles, 16 banks, rows of 2048 bytes (32 lines), 6 cycles for a row that is not open.
    fn dram() -> Dram {
        Dram::new(&DramTiming { row_miss: 6, ..default_timing() }, 64)
    }

    #[test]
    fn an_open_row_saves_the_time_of_opening_it() {
        let mut dram = dram();
        assert_eq!(dram.read(0, 0), 106); // Row 0 opens: 6, then 100.
        assert_eq!(dram.read(50, 31), 150); // Still row 0.
        assert_eq!(dram.read(60, 32), 166); // Row 1, in bank 1, opens.
        assert_eq!(dram.read(70, 0), 170); // Row 0 is open yet.
        assert_eq!(dram.read(80, 16 * 32), 186); // Row 16 lies in bank 0 and takes the place of row 0.
        assert_eq!(dram.read(90, 0), 196);
        // Four times 6 and six times 100; a line takes the channel for 2.
        let expected = DramCounters { reads: 6, writes: 0, row_hits: 2, row_misses: 4, read_latency: 624, busy: 12 };
        assert_eq!(*dram.counters(), expected);
    }

    #[test]
    fn rows_of_one_bank_open_one_after_the_other() {
        let mut dram = dram();
        // Rows 0 and 16 lie in bank 0: the second can be opened only after the first one's turn in 6, and has its own in 12.
        assert_eq!([0, 16 * 32].map(|line| dram.read(0, line)), [106, 112]);
        // Row 1 lies in bank 1 and opens meanwhile, but lines keep their order: its turn is in 14.
        assert_eq!(dram.read(0, 32), 114);
    }

    #[test]
    fn a_channel_moves_a_line_every_two_cycles() {
        let mut dram = dram();
        dram.read(0, 0);
        // Three lines of the open row at once, from cycle 10 on: turns in 10, 12, 14.
        assert_eq!([1, 2, 3].map(|line| dram.read(10, line)), [110, 112, 114]);
        // A write takes a turn as well: 16, done when it has been moved.
        assert_eq!(dram.write(10, 4), 18);
        assert_eq!(dram.read(11, 5), 118);
    }

    #[test]
    fn channels_move_lines_side_by_side() {
        let mut dram = Dram::new(&DramTiming { channels: 2, ..default_timing() }, 64);
        assert_eq!([0, 1, 2, 3].map(|line| dram.read(10, line)), [110, 110, 112, 112]);
    }

    #[test]
    fn latency_zero_leaves_bandwidth() {
        let mut dram = Dram::new(&DramTiming { latency: 0, ..default_timing() }, 64);
        assert_eq!([0, 1, 2].map(|line| dram.read(10, line)), [10, 12, 14]);
    }
}
