//! One core's memory side above a shared level. Default figures: look-ahead 8, DRAM latency 100 with a line every two
//! cycles, caches of four stages, 4 lanes, 4 data banks with one port.

use super::*;
use crate::config::GpuConfig;
use crate::counters::Counters;
use crate::retired::Retired;
use crate::timing::memory_timing::{CacheTiming, MemoryModel};
use crate::timing::shared_level::SharedLevel;
use crate::trap::AccessKind;
use crate::units::{CoreId, MAX_LANES};

/// A core, its shared level, and the answers it gave.
struct Bench {
    core: CoreMemory,
    shared: SharedLevel,
    now: u64,
    responses: Vec<Response>,
}

impl Bench {
    fn new(timing: &MemoryTiming) -> Self {
        let mut core = CoreMemory::new(timing);
        core.tick(0);
        Self { core, shared: SharedLevel::new(timing, 1), now: 0, responses: vec![] }
    }

    /// Goes on to `cycle`, which has been ticked then.
    fn run_to(&mut self, cycle: u64) {
        while self.now < cycle {
            self.now += 1;
            if self.now.is_multiple_of(self.shared.look_ahead()) {
                self.shared.collect(CoreId(0), &mut self.core);
                self.shared.serve();
                self.shared.deliver(CoreId(0), &mut self.core);
            }
            self.core.tick(self.now);
            self.responses.append(self.core.responses());
        }
    }

    fn access(&mut self, kind: AccessKind, token: u32, access: MemoryAccess) {
        assert!(self.core.can_access(self.now));
        let access = MemoryAccess { kind, bytes: 4, ..access };
        self.core.access(self.now, token, ThreadMask::first(4), &access);
    }

    fn load(&mut self, token: u32, addresses: [u32; 4]) {
        self.access(AccessKind::Load, token, lanes(addresses));
    }

    /// When the access with this token was answered, relative to `since`, after running until all is quiet.
    #[track_caller]
    fn answered(&mut self, requester: Requester, token: u32, since: u64) -> u64 {
        let mut limit = 2000;
        while !self.core.is_quiet() {
            self.run_to(self.now + 1);
            limit -= 1;
            assert!(limit > 0, "never quiet");
        }
        self.responses.append(self.core.responses());
        check_laws(&self.core);
        let mut found = self.responses.iter().filter(|r| r.requester == requester && r.token == token);
        let cycle = found.next().expect("every access is answered").cycle;
        assert_eq!(found.next(), None, "once");
        cycle - since
    }

    /// Brings the lines of some addresses into the data cache and goes on to a cycle when all is quiet.
    fn warm(timing: &MemoryTiming, addresses: &[[u32; 4]]) -> Self {
        let mut bench = Self::new(timing);
        for &address in addresses {
            bench.load(0, address);
            bench.answered(Requester::Access, 0, 0);
            bench.responses.clear();
            bench.run_to(bench.now + 10);
        }
        bench
    }
}

/// All laws of a quiet core, those of its counters and those between blocks.
#[track_caller]
fn check_laws(core: &CoreMemory) {
    assert_eq!(core.broken_law(), None);
    let mut counters = Counters { cores: vec![CoreCounters::default()], ..Counters::default() };
    core.count(&mut counters.cores[0]);
    assert_eq!(counters.breaches(), []);
}

fn lanes(addresses: [u32; 4]) -> MemoryAccess {
    let mut access = Retired::default().access;
    access.addresses[..4].copy_from_slice(&addresses);
    access
}

fn default_timing() -> MemoryTiming {
    GpuConfig::vortex(1, 4, 4).timing.memory
}

const UNIT_STRIDE: [u32; 4] = [0x1000, 0x1004, 0x1008, 0x100c];

#[track_caller]
fn check_load(timing: &MemoryTiming, warm: &[[u32; 4]], addresses: [u32; 4], expected: u64) {
    let mut bench = Bench::warm(timing, warm);
    let start = bench.now;
    bench.load(1, addresses);
    assert_eq!(bench.answered(Requester::Access, 1, start), expected);
}

#[test]
fn a_cold_load_goes_to_dram_and_back() {
    // Accepted in 0; offered in 1, misses; DRAM 100; the way 8: the line comes in 109 and takes the bank; replay in 110;
    // four stages: 114.
    check_load(&default_timing(), &[], UNIT_STRIDE, 114);
}

#[test]
fn the_latency_of_dram_can_be_swept() {
    for (latency, expected) in [(0, 14), (20, 34), (60, 74), (100, 114), (200, 214)] {
        let mut timing = default_timing();
        timing.dram.latency = latency;
        check_load(&timing, &[], UNIT_STRIDE, expected);
    }
}

#[test]
fn a_load_that_hits_takes_coalescer_and_cache() {
    // Accepted in 0, offered in 1, four stages: 5.
    check_load(&default_timing(), &[UNIT_STRIDE], UNIT_STRIDE, 5);
}

#[test]
fn a_perfect_memory_hits_at_once() {
    let timing = MemoryTiming { model: MemoryModel::Perfect, ..default_timing() };
    check_load(&timing, &[], UNIT_STRIDE, 5);
}

#[test]
fn lanes_in_lines_of_one_bank_wait_for_each_other() {
    let one_bank = [0x1000, 0x1100, 0x1200, 0x1300]; // Lines 0x40, 0x44, 0x48, 0x4c: bank 0.
    let four_banks = [0x1000, 0x1040, 0x1080, 0x10c0];
    // Taken in 1, 2, 3, 4; the last is ready in 8.
    check_load(&default_timing(), &[one_bank], one_bank, 8);
    check_load(&default_timing(), &[four_banks], four_banks, 5);
}

#[test]
fn ports_help_lanes_that_are_not_coalesced() {
    // Four requests for one line. Ports 1: taken in 1 to 4, so 8. Ports 2: two in each of 1 and 2, so 6. Ports 4: 5.
    for (ports, expected) in [(1, 8), (2, 6), (4, 5)] {
        let mut timing = default_timing();
        timing.lsu.coalesce_bytes = 0;
        timing.dcache.ports = ports;
        check_load(&timing, &[UNIT_STRIDE], UNIT_STRIDE, expected);
    }
}

#[test]
fn channels_bound_the_requests_of_a_cycle() {
    let four_banks = [0x1000, 0x1040, 0x1080, 0x10c0];
    let mut timing = default_timing();
    timing.lsu.channels = 1;
    check_load(&timing, &[four_banks], four_banks, 8);
}

#[test]
fn a_store_is_done_when_it_is_taken() {
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Store, 1, lanes(UNIT_STRIDE));
    // Offered and taken in 1, done in 2, whatever memory does.
    assert_eq!(bench.answered(Requester::Access, 1, 0), 2);
    // It left in 1, took the channel for two cycles, and the core heard of it 8 later: quiet from 11 on.
    assert_eq!(bench.now, 11);
    assert_eq!(bench.core.sent_below(), [0, 1, 0]);
}

#[test]
fn a_load_after_a_store_that_missed_misses_too() {
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Store, 1, lanes(UNIT_STRIDE));
    bench.run_to(1);
    bench.load(2, UNIT_STRIDE);
    // Accepted in 1, offered in 2. The store has the channel in 1 and 2, so the line's turn is in 3: 103, 111 at the core,
    // replay 112, ready 116.
    assert_eq!(bench.answered(Requester::Access, 2, 0), 116);
}

#[test]
fn the_queue_is_full_until_a_load_is_answered() {
    let mut bench = Bench::new(&default_timing());
    for token in 0..4 {
        bench.load(token, [0x1000 * (token + 1); 4]);
        bench.run_to(bench.now + 1);
    }
    assert!(!bench.core.can_access(bench.now));
    while !bench.core.can_access(bench.now) {
        bench.run_to(bench.now + 1);
    }
    // The first load is a cold one of cycle 0: answered in 114.
    assert_eq!(bench.now, 114);
}

#[test]
fn a_slow_access_does_not_hold_up_hits_behind_it() {
    let mut bench = Bench::warm(&default_timing(), &[UNIT_STRIDE]);
    let start = bench.now;
    bench.load(1, [0x2000; 4]);
    bench.run_to(start + 1);
    bench.load(2, UNIT_STRIDE);
    assert_eq!(bench.answered(Requester::Access, 2, start), 6);
    assert_eq!(bench.answered(Requester::Access, 1, start), 114);
}

fn in_local(words: [u32; 4]) -> MemoryAccess {
    MemoryAccess { local: ThreadMask::first(4), ..lanes(words.map(|word| 0xffff_0000 + 4 * word)) }
}

#[test]
fn local_memory_answers_in_a_cycle_and_later_where_banks_conflict() {
    // Begun in 1; rounds − 1 further cycles; latency 1.
    for (words, expected) in [([0, 1, 2, 3], 2), ([0, 4, 1, 2], 3), ([0, 4, 8, 12], 5)] {
        let mut bench = Bench::new(&default_timing());
        bench.access(AccessKind::Load, 1, in_local(words));
        assert_eq!(bench.answered(Requester::Access, 1, 0), expected);
        assert_eq!(bench.core.sent_below(), [0, 0, 0]);
    }
}

#[test]
fn an_access_behind_a_local_conflict_waits_for_it() {
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Load, 1, in_local([0, 4, 8, 12])); // Rounds in 1 to 4.
    bench.run_to(1);
    bench.access(AccessKind::Load, 2, in_local([0, 1, 2, 3])); // In 5, ready in 6.
    assert_eq!(bench.answered(Requester::Access, 2, 0), 6);
}

#[test]
fn lanes_in_local_and_global_memory_are_answered_together() {
    let mut bench = Bench::warm(&default_timing(), &[UNIT_STRIDE]);
    let start = bench.now;
    let mixed = MemoryAccess { local: ThreadMask(0b1100), ..lanes([0x1000, 0x1004, 0xffff_0000, 0xffff_0010]) };
    bench.access(AccessKind::Load, 1, mixed);
    // Two local rounds would be ready in 3, the cache in 5.
    assert_eq!(bench.answered(Requester::Access, 1, start), 5);
}

#[test]
fn the_io_page_costs_its_turn_only() {
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Store, 1, MemoryAccess { io: ThreadMask::first(4), ..lanes([0x40; 4]) });
    assert_eq!(bench.answered(Requester::Access, 1, 0), 2);
}

#[test]
fn atomics_meet_at_the_shared_level_lane_by_lane() {
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Atomic, 1, lanes([0x1000; 4]));
    // All leave in 1; turns in 1, 3, 5, 7; the last comes back in 7 + 100 + 8 = 115 and is ready in the next cycle.
    assert_eq!(bench.answered(Requester::Access, 1, 0), 116);
    assert_eq!(bench.core.sent_below(), [0, 0, 4]);
}

#[test]
fn a_crossing_access_costs_a_second_request() {
    let crossing = MemoryAccess { crossing: ThreadMask(1), ..lanes([0x103e, 0x1044, 0x1048, 0x104c]) };
    let mut bench = Bench::new(&default_timing());
    bench.access(AccessKind::Load, 1, crossing);
    bench.answered(Requester::Access, 1, 0);
    assert_eq!(bench.core.lsu().counters().requests, 2);
    assert_eq!(bench.core.lsu().counters().lanes, 5);
}

#[test]
fn a_fetch_hits_after_its_line_has_come() {
    let mut bench = Bench::new(&default_timing());
    assert_eq!(bench.core.fetch(0, 3, 0x8000_0000), Fetch::Miss);
    // Asked for in 0; 108 later it takes the bank; replay in 109; four stages: 113.
    assert_eq!(bench.answered(Requester::Fetch, 3, 0), 113);
    bench.run_to(bench.now + 10);
    assert_eq!(bench.core.fetch(bench.now, 3, 0x8000_003c), Fetch::Hit(bench.now + 4));
    assert_eq!(bench.core.fetch(bench.now, 3, 0x8000_0000), Fetch::Refused, "one fetch a cycle");
    bench.core.forget_instructions(bench.now);
    bench.run_to(bench.now + 1);
    assert_eq!(bench.core.fetch(bench.now, 3, 0x8000_0000), Fetch::Miss);
}

#[test]
fn a_warm_start_keeps_lines_and_a_cold_one_does_not() {
    for (start, expected) in [(Start::Warm, 5), (Start::Cold, 114)] {
        let mut bench = Bench::warm(&default_timing(), &[UNIT_STRIDE]);
        bench.core.restart(start);
        bench.shared.restart(start);
        bench.now = 0;
        bench.core.tick(0);
        bench.load(1, UNIT_STRIDE);
        assert_eq!(bench.answered(Requester::Access, 1, 0), expected);
    }
}

mod random;
mod texture;
