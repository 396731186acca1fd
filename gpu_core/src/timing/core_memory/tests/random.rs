//! Random traffic on random machines: every request is answered once, the laws hold, and leaving out cycles in which
//! nothing happens changes nothing.

use super::*;
use crate::retired::TexelAccess;
use crate::timing::memory_timing::{Deduplication, WritePolicy};
use proptest::prelude::*;
use proptest::sample::select;

fn any_cache() -> impl Strategy<Value = CacheTiming> {
    let policy = select(vec![WritePolicy::Through, WritePolicy::Back]);
    let sizes = (select(vec![1024u32, 4096]), 0u32..3, 0u32..3, 1u32..=4, 1u32..=6);
    (sizes, 1u32..=5, policy, 1u32..=5).prop_map(
        |((bytes, ways, banks, ports, mshr), latency, write_policy, credits)| CacheTiming {
            bytes,
            ways: 1 << ways,
            banks: 1 << banks,
            ports,
            mshr,
            latency,
            write_policy,
            write_credits: credits,
            reset_cycles: 0,
        },
    )
}

fn any_timing() -> impl Strategy<Value = MemoryTiming> {
    let caches = (any_cache(), any_cache(), any_cache());
    let lsu = (1u32..4, 1u32..=6, select(vec![0u32, 4, 16, 64]), 1u32..=4);
    let texture = (
        0u32..3,
        0u32..4,
        select(vec![Deduplication::Off, Deduplication::Uniform, Deduplication::Lanes, Deduplication::Batch]),
        select(vec![4u32, 16, 64]),
        1u32..=8,
        select(vec![TexelCache::Own, TexelCache::Data]),
    );
    let shared = (8u32..20, select(vec![0u32, 4096]), any::<bool>(), 0u32..60, 1u32..4, 0u32..2, 0u32..8);
    let model = select(vec![MemoryModel::Real, MemoryModel::Real, MemoryModel::Perfect]);
    (model, caches, lsu, texture, shared).prop_map(|(model, caches, lsu, texture, shared)| {
        let mut timing = MemoryTiming { model, ..default_timing() };
        (timing.icache, timing.dcache, timing.tcache) = caches;
        let l = &mut timing.lsu;
        (l.latency, l.queue, l.coalesce_bytes, l.channels) = lsu;
        let t = &mut timing.texture;
        (t.queue, t.address_cycles, t.deduplication, t.merge_bytes, t.channels, t.cache) = texture;
        let (is_back, channels);
        let (l2, dram) = (&mut timing.l2, &mut timing.dram);
        (timing.shared.latency, l2.bytes, is_back, dram.latency, dram.interval, channels, dram.row_miss) = shared;
        l2.write_policy = if is_back { WritePolicy::Back } else { WritePolicy::Through };
        dram.channels = 1 << channels;
        timing
    })
}

#[derive(Clone, Debug)]
enum Event {
    Access(AccessKind, MemoryAccess),
    Sample(Box<TexelAccess>),
    Fetch(u32),
}

/// Core, cycles after the event before, mask, event.
type Step = (usize, u64, u64, Event);

fn any_step() -> impl Strategy<Value = Step> {
    let address = (0u32..64, 0u32..16).prop_map(|(line, word)| 0x1000 + 64 * line + 4 * word);
    let addresses = prop_oneof![
        prop::array::uniform4(address.clone()),
        address.clone().prop_map(|first| [0, 4, 8, 12].map(|offset| first + offset)),
    ];
    let kind = select(vec![AccessKind::Load, AccessKind::Load, AccessKind::Store, AccessKind::Atomic]);
    let access =
        (kind, addresses.clone(), 0u64..16, 0u64..16, 0u64..4).prop_map(|(kind, addresses, local, io, crossing)| {
            let mut access = lanes(addresses);
            (access.local, access.io) = (ThreadMask(local & 3), ThreadMask(io & 4 & !local));
            access.crossing = if kind == AccessKind::Atomic { ThreadMask::EMPTY } else { ThreadMask(crossing) };
            Event::Access(kind, access)
        });
    let sample = (prop::array::uniform4(addresses), any::<bool>(), 0u64..16).prop_map(|(taps, is_point, border)| {
        let mut texels = Retired::default().texels;
        texels.tap_count = if is_point { 1 } else { 4 };
        texels.border[2] = ThreadMask(border);
        for (all, lanes) in texels.addresses.iter_mut().zip(taps) {
            all[..4].copy_from_slice(&lanes);
        }
        Event::Sample(Box::new(texels))
    });
    let event = prop_oneof![4 => access, 2 => sample, 3 => address.prop_map(Event::Fetch)];
    (0usize..2, prop_oneof![3 => Just(0u64), 2 => 0u64..4, 1 => 0u64..60], 0u64..16, event)
}

/// Whether cycles in which nothing happens are left out.
#[derive(Copy, Clone, PartialEq)]
enum Pace {
    Each,
    Skipping,
}

/// Two cores carry out the steps, each in order. Gives all answers by core, and the machine at the end.
fn run(timing: &MemoryTiming, steps: &[Step], pace: Pace) -> (Vec<(usize, Response)>, Vec<CoreMemory>, SharedLevel) {
    let mut cores = vec![CoreMemory::new(timing); 2];
    let mut shared = SharedLevel::new(timing, 2);
    let mut todo: [Vec<(u32, &Step)>; 2] = [vec![], vec![]];
    for (token, step) in steps.iter().enumerate().rev() {
        todo[step.0].push((token as u32, step));
    }
    let mut due = todo.each_ref().map(|steps| steps.last().map_or(0, |(_, step)| step.1));
    let mut answers = vec![];
    let (mut now, mut window) = (0, 0);
    let mut idle_until = [0; 2];
    loop {
        assert!(now < 1_000_000, "never quiet");
        if now / shared.look_ahead() > window {
            window = now / shared.look_ahead();
            for core in 0..2 {
                shared.collect(CoreId(core), &mut cores[usize::from(core)]);
            }
            shared.serve();
            for core in 0..2 {
                shared.deliver(CoreId(core), &mut cores[usize::from(core)]);
                idle_until[usize::from(core)] = 0;
            }
        }
        for core in 0..2 {
            let memory = &mut cores[core];
            let wants = !todo[core].is_empty() && due[core] <= now;
            if pace == Pace::Skipping && !wants && now < idle_until[core] {
                continue;
            }
            memory.tick(now);
            if let Some(&(token, (_, _, mask, event))) = todo[core].last().filter(|_| wants) {
                let mask = ThreadMask(*mask);
                let is_taken = match event {
                    Event::Access(kind, access) if memory.can_access(now) => {
                        memory.access(now, token, mask, &MemoryAccess { kind: *kind, bytes: 4, ..access.clone() });
                        true
                    }
                    Event::Sample(texels) if memory.can_sample(now) => {
                        memory.sample(now, token, mask, texels);
                        true
                    }
                    Event::Fetch(address) => match memory.fetch(now, token, *address) {
                        Fetch::Hit(cycle) => {
                            answers.push((core, Response { cycle, requester: Requester::Fetch, token }));
                            true
                        }
                        fetch => fetch == Fetch::Miss,
                    },
                    _ => false,
                };
                if is_taken {
                    todo[core].pop();
                    due[core] = now + todo[core].last().map_or(0, |(_, step)| step.1);
                }
            }
            for response in memory.responses().drain(..) {
                assert!(response.cycle > now && response.cycle < now + 256, "{response:?} told in {now}");
                answers.push((core, response));
            }
            idle_until[core] = memory.next_event(now).unwrap_or(u64::MAX);
        }
        if todo.iter().all(Vec::is_empty) && cores.iter().all(CoreMemory::is_quiet) {
            return (answers, cores, shared);
        }
        now += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_once_and_the_laws_hold(
        timing in any_timing(),
        steps in prop::collection::vec(any_step(), 1..120),
    ) {
        let (answers, cores, shared) = run(&timing, &steps, Pace::Each);
        let mut tokens: Vec<u32> = answers.iter().map(|(_, answer)| answer.token).collect();
        tokens.sort_unstable();
        prop_assert_eq!(tokens, (0..steps.len() as u32).collect::<Vec<_>>());
        for (core, answer) in &answers {
            let (of, _, _, event) = &steps[answer.token as usize];
            prop_assert_eq!(of, core);
            let requester = match event {
                Event::Access(..) => Requester::Access,
                Event::Sample(_) => Requester::Sample,
                Event::Fetch(_) => Requester::Fetch,
            };
            prop_assert_eq!(answer.requester, requester);
        }
        let mut sent = [0; 3];
        for core in &cores {
            check_laws(core);
            for (sum, part) in sent.iter_mut().zip(core.sent_below()) {
                *sum += part;
            }
        }
        prop_assert_eq!(shared.broken_law(sent), None);
        let counters = Counters { shared: shared.counters(), ..Counters::default() };
        prop_assert_eq!(counters.breaches(), []);
        if timing.model == MemoryModel::Perfect {
            prop_assert_eq!(sent[..2].to_vec(), [0, 0]);
        }
    }

    #[test]
    fn cycles_without_events_can_be_left_out(
        timing in any_timing(),
        steps in prop::collection::vec(any_step(), 1..60),
    ) {
        let (answers, cores, shared) = run(&timing, &steps, Pace::Each);
        let skipped = run(&timing, &steps, Pace::Skipping);
        prop_assert_eq!(answers, skipped.0);
        prop_assert_eq!(shared.counters(), skipped.2.counters());
        for (core, other) in cores.iter().zip(&skipped.1) {
            prop_assert_eq!(core.dcache().counters(), other.dcache().counters());
            prop_assert_eq!(core.lsu().counters(), other.lsu().counters());
            prop_assert_eq!(core.texture().counters(), other.texture().counters());
        }
    }
}

/// Lanes beyond the mask and beyond the machine's are never looked at.
#[test]
fn inactive_lanes_ask_for_nothing() {
    let mut bench = Bench::new(&default_timing());
    let mut access = lanes([0x1000, 0x9000, 0x1004, 0xa000]);
    access.addresses[4..].copy_from_slice(&[0xdead_0000; MAX_LANES - 4]);
    (access.kind, access.bytes) = (AccessKind::Load, 4);
    bench.core.access(0, 1, ThreadMask(0b0101), &access);
    assert_eq!(bench.answered(Requester::Access, 1, 0), 114);
    assert_eq!(bench.core.dcache().counters().reads, 1);
}
