//! The shared level alone, and two cores that meet at it.

use super::*;
use crate::config::GpuConfig;
use crate::timing::line_request::FillToken;
use crate::timing::memory_timing::WritePolicy;

fn timing(l2_bytes: u32, l2_write_policy: WritePolicy) -> MemoryTiming {
    let mut timing = GpuConfig::vortex(1, 4, 4).timing.memory;
    (timing.l2.bytes, timing.l2.write_policy) = (l2_bytes, l2_write_policy);
    timing
}

/// Serves requests (core, cycle, line, operation) of one window and gives the fills' cycles in the order of requests.
fn serve(shared: &mut SharedLevel, requests: &[(u8, u64, u32, LineOperation)]) -> Vec<u64> {
    for core in 0..2 {
        for (name, &(of, cycle, line, operation)) in requests.iter().enumerate() {
            if of == core {
                let request = LineRequest { cycle, line, operation, token: FillToken(name as u32) };
                shared.collected.push(Collected { core: CoreId(core), request });
            }
        }
    }
    shared.serve();
    let mut cycles = vec![0; requests.len()];
    for fill in shared.fills.iter_mut().flat_map(|fills| fills.drain(..)) {
        cycles[fill.token.0 as usize] = fill.cycle;
    }
    cycles
}

use LineOperation::{Atomic, Read, Write};

#[test]
fn requests_are_served_by_cycle_and_then_by_core() {
    let mut shared = SharedLevel::new(&timing(0, WritePolicy::Back), 2);
    // Turns: core 0 in 3; in cycle 4 core 0 before core 1: 5 and 7; core 1's in 6: 9. Then 100, and 8 for the way.
    let fills = serve(&mut shared, &[(1, 4, 40, Read), (1, 6, 41, Read), (0, 3, 42, Read), (0, 4, 43, Read)]);
    assert_eq!(fills, [115, 117, 111, 113]);
    assert_eq!(shared.drained(), 109);
}

#[test]
fn an_l2_hit_does_not_go_to_dram() {
    let mut shared = SharedLevel::new(&timing(4096, WritePolicy::Back), 2);
    // Looked up for 4 cycles, then DRAM 100, then 8 for the way.
    assert_eq!(serve(&mut shared, &[(0, 0, 5, Read)]), [112]);
    // There since 104: 4 and 8.
    assert_eq!(serve(&mut shared, &[(1, 200, 5, Read)]), [212]);
    assert_eq!(shared.dram().counters().reads, 1);
}

#[test]
fn cores_that_miss_the_same_line_share_its_fill() {
    let mut shared = SharedLevel::new(&timing(4096, WritePolicy::Back), 2);
    // The line is there in 104; the second core asked in 3 and waits for it, not for a fill of its own.
    assert_eq!(serve(&mut shared, &[(0, 0, 5, Read), (1, 3, 5, Read)]), [112, 112]);
    let counters = shared.l2().expect("it has one").counters();
    assert_eq!((counters.read_misses, counters.read_merged, counters.fills), (1, 1, 1));
}

#[test]
fn l2_takes_a_request_each_cycle() {
    let mut shared = SharedLevel::new(&timing(4096, WritePolicy::Back), 2);
    serve(&mut shared, &[(0, 0, 5, Read)]);
    // In 200, 201, 202; four cycles and 8.
    assert_eq!(serve(&mut shared, &[(0, 200, 5, Read), (0, 200, 5, Read), (1, 200, 5, Read)]), [212, 213, 214]);
}

#[test]
fn a_dirty_line_goes_to_dram_when_it_is_replaced() {
    let mut shared = SharedLevel::new(&timing(128, WritePolicy::Back), 2); // One set of two lines.
    assert_eq!(serve(&mut shared, &[(0, 0, 1, Write)]), [12], "a store does not wait for its line");
    serve(&mut shared, &[(0, 200, 2, Read)]);
    // Line 1 is the oldest. The new line is asked for in 404, then the old one goes; the next read waits for both turns.
    assert_eq!(serve(&mut shared, &[(0, 400, 3, Read), (0, 400, 4, Read)]), [512, 516]);
    let counters = shared.l2().expect("it has one").counters();
    assert_eq!((counters.write_backs, counters.fills), (1, 4));
    assert_eq!((shared.dram().counters().reads, shared.dram().counters().writes), (4, 1));
    assert_eq!(shared.broken_law([3, 1, 0]), None);
}

#[test]
fn a_write_through_l2_sends_every_store_on() {
    let mut shared = SharedLevel::new(&timing(4096, WritePolicy::Through), 2);
    // Looked up 4, the channel for 2, the way 8.
    assert_eq!(serve(&mut shared, &[(0, 0, 1, Write)]), [14]);
    serve(&mut shared, &[(0, 200, 1, Read)]);
    serve(&mut shared, &[(0, 400, 1, Write)]);
    let counters = shared.l2().expect("it has one").counters();
    assert_eq!((counters.write_misses, counters.write_hits, counters.writes_below, counters.fills), (1, 1, 2, 1));
    assert_eq!(shared.broken_law([1, 2, 0]), None);
}

#[test]
fn an_atomic_waits_for_its_line() {
    let mut shared = SharedLevel::new(&timing(4096, WritePolicy::Back), 2);
    assert_eq!(serve(&mut shared, &[(0, 0, 1, Atomic), (1, 0, 1, Atomic)]), [112, 112]);
    assert_eq!(shared.broken_law([0, 0, 2]), None);
}

#[test]
fn a_law_that_does_not_hold_is_named() {
    let mut shared = SharedLevel::new(&timing(0, WritePolicy::Back), 2);
    serve(&mut shared, &[(0, 0, 1, Read)]);
    assert_eq!(shared.broken_law([1, 0, 0]), None);
    assert_eq!(shared.broken_law([2, 0, 0]).map(|(block, _)| block), Some("shared"));
}
