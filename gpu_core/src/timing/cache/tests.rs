use super::*;
use crate::timing::line_request::Fill;
use Direction::{Read, Write};
use proptest::prelude::*;

/// 16 lines of 64 bytes, one way, one bank, one port, four registers, four stages.
const SMALL: CacheTiming = CacheTiming {
    bytes: 1024,
    ways: 1,
    banks: 1,
    ports: 1,
    mshr: 4,
    latency: 4,
    write_policy: WritePolicy::Through,
    write_credits: 4,
    reset_cycles: 0,
};

/// A cache above a memory that answers each request a fixed time later.
struct Bench {
    cache: Cache,
    fill_latency: u64,
    below: Vec<LineRequest>,
    seen_below: usize,
    fills: Vec<Fill>,
    answers: Vec<Answer>,
}

impl Bench {
    fn new(timing: CacheTiming, fill_latency: u64) -> Self {
        let cache = Cache::new(&timing, 64, MemoryModel::Real, 0);
        Self { cache, fill_latency, below: vec![], seen_below: 0, fills: vec![], answers: vec![] }
    }

    fn tick(&mut self, now: u64) {
        for request in &self.below[self.seen_below..] {
            self.fills.push(Fill { cycle: request.cycle + self.fill_latency, token: request.token });
        }
        self.seen_below = self.below.len();
        let cache = &mut self.cache;
        self.fills.retain(|fill| {
            if fill.cycle == now {
                cache.arrive(fill.token);
            }
            fill.cycle != now
        });
        self.cache.tick(now, &mut self.answers, &mut self.below);
    }

    fn offer(&mut self, now: u64, line: u32, direction: Direction) -> Offer {
        self.cache.offer(now, line, direction, line, &mut self.below)
    }

    /// Ticks through the given cycles and says in which one each answer is ready.
    fn answers_within(&mut self, cycles: std::ops::RangeInclusive<u64>) -> Vec<(u32, u64)> {
        cycles.for_each(|now| self.tick(now));
        self.answers.drain(..).map(|answer| (answer.requester, answer.ready)).collect()
    }

    /// Brings lines in, from cycle 0 on, and returns a cycle in which all is quiet.
    fn warm(&mut self, lines: &[u32]) -> u64 {
        let mut now = 0;
        for &line in lines {
            self.tick(now);
            assert_eq!(self.offer(now, line, Read), Offer::Waiting);
            now += 1;
            while !self.cache.is_quiet() {
                self.tick(now);
                now += 1;
            }
        }
        self.answers.clear();
        self.cache.restart();
        now
    }
}

#[test]
fn a_cold_miss_waits_for_its_line_and_one_replay() {
    let mut bench = Bench::new(SMALL, 20);
    bench.tick(0);
    assert_eq!(bench.offer(0, 7, Read), Offer::Waiting);
    // Asked below in cycle 0, there in cycle 20, which the fill takes; replay in 21; four stages: 25.
    assert_eq!(bench.answers_within(1..=40), [(7, 25)]);
    assert_eq!(bench.below.len(), 1);
    assert!(bench.cache.is_quiet());
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn a_hit_takes_the_four_stages() {
    let mut bench = Bench::new(SMALL, 20);
    let now = bench.warm(&[7]);
    bench.tick(now);
    assert_eq!(bench.offer(now, 7, Read), Offer::Ready(now + 4));
    // One request a cycle: the next one is ready one cycle later.
    bench.tick(now + 1);
    assert_eq!(bench.offer(now + 1, 7, Read), Offer::Ready(now + 5));
}

#[test]
fn misses_of_one_line_share_one_fill_and_are_replayed_in_order() {
    let mut bench = Bench::new(SMALL, 20);
    for now in 0..3 {
        bench.tick(now);
        assert_eq!(bench.cache.offer(now, 7, Read, 100 + now as u32, &mut bench.below), Offer::Waiting);
    }
    // Fill in 20; replays in 21, 22, 23; each ready four cycles later.
    assert_eq!(bench.answers_within(3..=40), [(100, 25), (101, 26), (102, 27)]);
    assert_eq!(bench.below.len(), 1);
    let counters = bench.cache.counters();
    assert_eq!((counters.read_misses, counters.read_merged, counters.fills), (1, 2, 1));
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn a_hit_passes_a_miss_under_way() {
    let mut bench = Bench::new(SMALL, 20);
    let now = bench.warm(&[1]);
    bench.tick(now);
    assert_eq!(bench.offer(now, 2, Read), Offer::Waiting);
    bench.tick(now + 1);
    assert_eq!(bench.offer(now + 1, 1, Read), Offer::Ready(now + 5));
}

#[test]
fn a_full_mshr_holds_reads_until_the_first_replay() {
    let mut bench = Bench::new(SMALL, 20);
    for now in 0..4 {
        bench.tick(now);
        assert_eq!(bench.offer(now, now as u32, Read), Offer::Waiting);
    }
    // The four registers are taken from cycle 3 on. Line 0 comes in 20 (fill) and is replayed in 21, which frees one.
    // Line 1 comes in 21 but the replay goes first: fill in 22, replay in 23. In 22 and 23 the bank is therefore taken by
    // fill and replay; so it is by line 2 in 24 and 25, line 3 in 26 and 27. The first free schedule stage is in 28.
    let mut taken = None;
    for now in 4..40 {
        bench.tick(now);
        if taken.is_none() && bench.offer(now, 9, Read) == Offer::Waiting {
            taken = Some(now);
        }
    }
    assert_eq!(taken, Some(28));
    // Refused in 4 to 19 (16 cycles) for want of a register, in 20 to 27 because the bank was taken.
    assert_eq!(bench.cache.counters().mshr_stalls, 16);
    assert_eq!(bench.cache.counters().fill_stalls, 8);
}

#[test]
fn a_full_mshr_lets_stores_through() {
    let mut bench = Bench::new(SMALL, 20);
    for now in 0..4 {
        bench.tick(now);
        bench.offer(now, now as u32, Read);
    }
    bench.tick(4);
    assert_eq!(bench.offer(4, 9, Write), Offer::Ready(8));
}

#[test]
fn a_store_miss_goes_below_and_leaves_no_line() {
    let mut bench = Bench::new(SMALL, 20);
    bench.tick(0);
    assert_eq!(bench.offer(0, 7, Write), Offer::Ready(4));
    assert_eq!(bench.below[0].operation, LineOperation::Write);
    assert_eq!(bench.answers_within(1..=40), []);
    bench.tick(41);
    assert_eq!(bench.offer(41, 7, Read), Offer::Waiting);
    let counters = bench.cache.counters();
    assert_eq!((counters.write_misses, counters.fills, counters.writes_below), (1, 0, 1));
}

#[test]
fn stores_wait_for_a_credit() {
    let mut bench = Bench::new(SMALL, 20);
    for now in 0..4 {
        bench.tick(now);
        assert_eq!(bench.offer(now, 7, Write), Offer::Ready(now + 4));
    }
    // Four are under way; the first is done 20 cycles after it left in cycle 0.
    let taken = (4..40).find(|&now| {
        bench.tick(now);
        bench.offer(now, 7, Write) != Offer::Refused
    });
    assert_eq!(taken, Some(20));
    assert_eq!(bench.cache.counters().credit_stalls, 16);
}

#[test]
fn replays_go_before_fills_and_fills_before_requests() {
    let mut bench = Bench::new(SMALL, 20);
    let offers = [(0, 1, 10), (1, 2, 20), (2, 1, 11)]; // Cycle, line, requester.
    for (now, line, requester) in offers {
        bench.tick(now);
        bench.cache.offer(now, line, Read, requester, &mut bench.below);
    }
    // Line 1 fills in 20. Its chain is replayed in 21 and 22, before line 2, which comes in 21, fills in 23 (replay 24).
    // A request that stands by from 20 on gets the bank in 25.
    (3..20).for_each(|now| bench.tick(now));
    let mut taken = None;
    for now in 20..30 {
        bench.tick(now);
        if taken.is_none() && bench.offer(now, 1, Read) != Offer::Refused {
            taken = Some(now);
        }
    }
    let answers: Vec<_> = bench.answers.iter().map(|answer| (answer.requester, answer.ready)).collect();
    assert_eq!(answers, [(10, 25), (11, 26), (20, 28)]);
    assert_eq!(taken, Some(25));
}

#[test]
fn lines_interleave_over_banks() {
    let mut bench = Bench::new(CacheTiming { banks: 4, ..SMALL }, 20);
    let now = bench.warm(&[0, 1, 2, 3, 4]);
    bench.tick(now);
    for line in 0..4 {
        assert_eq!(bench.offer(now, line, Read), Offer::Ready(now + 4), "line {line} has a bank of its own");
    }
    assert_eq!(bench.offer(now, 4, Read), Offer::Refused, "line 4 shares the bank of line 0");
    assert_eq!(bench.cache.counters().bank_conflicts, 1);
    assert_eq!(bench.cache.counters().bank_utilisation(), Some(0.8));
}

/// Four requests for one line in one cycle: in which cycle after the first is the last one taken?
fn cycles_for_four_of_one_line(ports: u32) -> u64 {
    let mut bench = Bench::new(CacheTiming { ports, ..SMALL }, 20);
    let start = bench.warm(&[7]);
    let (mut now, mut left) = (start, 4);
    loop {
        bench.tick(now);
        left = (0..left).filter(|_| bench.cache.offer(now, 7, Read, 1, &mut bench.below) == Offer::Refused).count();
        if left == 0 {
            return now - start;
        }
        now += 1;
    }
}

#[test]
fn ports_let_requests_of_one_line_in_together() {
    assert_eq!(cycles_for_four_of_one_line(1), 3); // One each cycle: the last in the fourth.
    assert_eq!(cycles_for_four_of_one_line(2), 1); // Two each cycle.
    assert_eq!(cycles_for_four_of_one_line(3), 1); // Three, then one.
    assert_eq!(cycles_for_four_of_one_line(4), 0); // All at once.
}

#[test]
fn a_port_takes_only_the_same_line_and_direction() {
    let mut bench = Bench::new(CacheTiming { ports: 4, ..SMALL }, 20);
    let now = bench.warm(&[7, 8]);
    bench.tick(now);
    let mut offer = |line, direction| bench.cache.offer(now, line, direction, 1, &mut bench.below);
    assert_eq!(offer(7, Read), Offer::Ready(now + 4));
    assert_eq!(offer(8, Read), Offer::Refused);
    assert_eq!(offer(7, Write), Offer::Refused);
    assert_eq!(offer(7, Read), Offer::Ready(now + 4));
    let counters = bench.cache.counters();
    assert_eq!((counters.reads, counters.port_hits, counters.bank_conflicts), (2, 1, 2));
}

#[test]
fn requests_that_miss_together_are_answered_together() {
    let mut bench = Bench::new(CacheTiming { ports: 2, ..SMALL }, 20);
    bench.tick(0);
    for _ in 0..2 {
        assert_eq!(bench.cache.offer(0, 7, Read, 1, &mut bench.below), Offer::Waiting);
    }
    (1..30).for_each(|now| bench.tick(now));
    assert_eq!(bench.answers, [Answer { requester: 1, count: 2, ready: 25 }]);
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn two_stores_through_two_ports_go_below_as_one() {
    let mut bench = Bench::new(CacheTiming { ports: 2, ..SMALL }, 20);
    bench.tick(0);
    for _ in 0..2 {
        assert_eq!(bench.cache.offer(0, 7, Write, 1, &mut bench.below), Offer::Ready(4));
    }
    assert_eq!(bench.below.len(), 1);
    (1..30).for_each(|now| bench.tick(now));
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn write_back_keeps_a_store_until_its_line_is_replaced() {
    let mut bench = Bench::new(CacheTiming { write_policy: WritePolicy::Back, ..SMALL }, 20);
    bench.tick(0);
    assert_eq!(bench.offer(0, 7, Write), Offer::Ready(4));
    assert_eq!(bench.below[0].operation, LineOperation::Read, "a write that misses fetches its line");
    (1..30).for_each(|now| bench.tick(now));
    assert!(bench.answers.is_empty(), "nobody waits for a store");
    bench.tick(30);
    assert_eq!(bench.offer(30, 7 + 16, Read), Offer::Waiting);
    (31..80).for_each(|now| bench.tick(now));
    // Line 23 falls into the set of line 7, which is dirty, and comes in cycle 50.
    let last = bench.below.last().expect("something went below");
    assert_eq!((last.cycle, last.line, last.operation), (50, 7, LineOperation::Write));
    assert!(bench.cache.is_quiet());
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn write_back_keeps_a_store_that_hits_too() {
    let mut bench = Bench::new(CacheTiming { write_policy: WritePolicy::Back, ..SMALL }, 20);
    let now = bench.warm(&[7]);
    bench.tick(now);
    assert_eq!(bench.offer(now, 7, Write), Offer::Ready(now + 4));
    bench.tick(now + 1);
    bench.offer(now + 1, 7 + 16, Read);
    (now + 2..now + 60).for_each(|now| bench.tick(now));
    let sent: Vec<_> = bench.below[1..].iter().map(|request| (request.line, request.operation)).collect();
    assert_eq!(sent, [(23, LineOperation::Read), (7, LineOperation::Write)]);
    assert_eq!(bench.cache.broken_law(), None);
}

#[test]
fn a_perfect_cache_hits_and_sends_nothing() {
    let mut cache = Cache::new(&SMALL, 64, MemoryModel::Perfect, 0);
    let mut below = vec![];
    assert_eq!(cache.offer(0, 1, Read, 1, &mut below), Offer::Ready(4));
    assert_eq!(cache.offer(0, 1, Read, 1, &mut below), Offer::Refused, "a bank still takes one request a cycle");
    assert_eq!(cache.offer(1, 2, Write, 1, &mut below), Offer::Ready(5));
    assert!(below.is_empty() && cache.is_quiet());
    assert_eq!(cache.broken_law(), None);
}

#[test]
fn after_a_reset_the_cache_takes_nothing_for_a_while() {
    let mut bench = Bench::new(CacheTiming { reset_cycles: 16, ..SMALL }, 20);
    bench.cache.forget(0);
    let taken = (0..40).find(|&now| {
        bench.tick(now);
        bench.offer(now, 7, Read) != Offer::Refused
    });
    assert_eq!(taken, Some(16));
}

fn any_timing() -> impl Strategy<Value = CacheTiming> {
    let policy = prop_oneof![Just(WritePolicy::Through), Just(WritePolicy::Back)];
    (0u32..3, 0u32..3, 1u32..=4, 1u32..=6, 1u32..=5, policy, 1u32..=5).prop_map(
        |(ways, banks, ports, mshr, latency, write_policy, write_credits)| CacheTiming {
            bytes: 1024,
            ways: 1 << ways,
            banks: 1 << banks,
            ports,
            mshr,
            latency,
            write_policy,
            write_credits,
            reset_cycles: 0,
        },
    )
}

proptest! {
    /// Whatever is offered, every read is answered once, nothing is left over, and the laws hold.
    #[test]
    fn every_request_is_answered_once(
        timing in any_timing(),
        fill_latency in 1u64..40,
        offers in prop::collection::vec((0u32..48, any::<bool>(), 0u64..3), 1..200),
    ) {
        let mut bench = Bench::new(timing, fill_latency);
        let mut open = vec![0u32; offers.len()];
        let mut now = 0;
        bench.tick(0);
        for (index, &(line, is_write, pause)) in offers.iter().enumerate() {
            for _ in 0..pause {
                now += 1;
                bench.tick(now);
            }
            let direction = if is_write { Write } else { Read };
            // Requests of one requester, so that ports are used; which one an answer belongs to does not matter then.
            let requester = index as u32 / 4;
            loop {
                match bench.cache.offer(now, line, direction, requester, &mut bench.below) {
                    Offer::Refused => {
                        now += 1;
                        prop_assert!(now < 100_000, "refused for ever");
                        bench.tick(now);
                    }
                    Offer::Ready(ready) => {
                        prop_assert_eq!(ready, now + u64::from(timing.latency));
                        break;
                    }
                    Offer::Waiting => {
                        prop_assert!(!is_write);
                        open[requester as usize] += 1;
                        break;
                    }
                }
            }
        }
        while !bench.cache.is_quiet() {
            now += 1;
            prop_assert!(now < 100_000, "never quiet");
            bench.tick(now);
        }
        for answer in &bench.answers {
            open[answer.requester as usize] -= answer.count;
        }
        prop_assert!(open.iter().all(|&count| count == 0));
        prop_assert_eq!(bench.cache.broken_law(), None);
        let reads = bench.below.iter().filter(|request| request.operation == LineOperation::Read).count() as u64;
        prop_assert_eq!(reads, bench.cache.counters().fills);
        prop_assert_eq!(bench.cache.counters().accesses(), offers.len() as u64);
    }
}
