//! Finds accesses of different cores that nothing orders: programs with such races promise no results.
//!
//! Before: `observe` shows every executed instruction. After: a list of races, each pair of instructions once.
//!
//! Every core has a vector clock. A core's own component rises whenever it lets others see what it did: with an atomic (which
//! also takes over what the word's earlier atomics let go), and on arrival at a global barrier (whose clock it takes
//! over when it goes on). Two accesses to one word, one of them a store, race if neither core knew of the other's.
//! Source: Flanagan and Freund, "FastTrack: efficient and precise dynamic race detection", 2009, with cores as threads; here
//! reads of all cores are kept. Warps of one core take turns in a fixed order, so their races repeat exactly and are
//! not reported. A barrier's clock is never cleared, so a race across two of its uses may be missed; none is invented.

use crate::observe::Observer;
use crate::retired::{Effect, Request, Retired};
use crate::trap::{AccessKind, BarrierScope};
use crate::units::{Address, CoreId, WarpId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One access of a race.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// The core.
    pub core: CoreId,
    /// The warp in it.
    pub warp: WarpId,
    /// The instruction.
    pub pc: Address,
    /// Whether it is a store or atomic.
    pub is_write: bool,
}

/// Two accesses to one word that nothing orders.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// The one that was executed first in this run.
    pub first: Access,
    /// The other.
    pub second: Access,
    /// The first word found.
    pub word: Address,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.is_write { "writes" } else { "reads" };
        write!(f, "core {} warp {} at {} {verb}", self.core, self.warp, self.pc)
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} it, and nothing orders them", self.first, self.word, self.second)
    }
}

/// When something happened, as far as each core knows: a time for each core.
type Clock = Vec<u64>;

fn join(into: &mut Clock, from: &Clock) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into = (*into).max(*from));
}

/// The last accesses of a word.
#[derive(Clone, Debug, Default)]
struct Word {
    write: Option<(u64, Access)>,
    /// By core.
    reads: Vec<Option<(u64, Access)>>,
    /// What its atomics let go.
    released: Option<Clock>,
}

/// An observer that finds races.
#[derive(Clone, Debug)]
pub struct Races {
    clocks: Vec<Clock>,
    words: BTreeMap<u32, Word>,
    /// By barrier.
    barriers: BTreeMap<u32, Clock>,
    /// The global barrier that a warp has arrived at last, until its next instruction.
    waiting: BTreeMap<(CoreId, WarpId), u32>,
    found: Vec<Race>,
    seen: BTreeSet<(Address, Address)>,
}

impl Races {
    /// For a machine of this many cores; one launch.
    pub fn new(cores: u32) -> Self {
        // A component of 1: what nobody knows of yet.
        let clocks = (0..cores).map(|core| (0..cores).map(|other| u64::from(core == other)).collect());
        Self {
            clocks: clocks.collect(),
            words: BTreeMap::new(),
            barriers: BTreeMap::new(),
            waiting: BTreeMap::new(),
            found: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// The races found, in the order in which they were met; two instructions are named together once.
    pub fn found(&self) -> &[Race] {
        &self.found
    }

    fn touch(&mut self, address: u32, access: Access) {
        let core = access.core.index();
        let word = self.words.entry(address & !3).or_default();
        word.reads.resize(self.clocks.len(), None);
        let clock = &self.clocks[core];
        let is_unknown = |entry: &&(u64, Access)| entry.1.core != access.core && entry.0 > clock[entry.1.core.index()];
        let reads = word.reads.iter().flatten().filter(|_| access.is_write);
        let unordered: Vec<Access> = word.write.iter().chain(reads).filter(is_unknown).map(|entry| entry.1).collect();
        let now = clock[core];
        if access.is_write {
            word.write = Some((now, access));
        } else {
            word.reads[core] = Some((now, access));
        }
        for first in unordered {
            if self.seen.insert((first.pc, access.pc)) {
                self.found.push(Race { first, second: access, word: Address(address & !3) });
            }
        }
    }

    /// An atomic: takes over what earlier ones of the word let go, and lets go what the core knows.
    fn synchronise(&mut self, address: u32, access: Access) {
        let core = access.core.index();
        let word = self.words.entry(address & !3).or_default();
        let released = word.released.get_or_insert_with(|| vec![0; self.clocks.len()]);
        join(&mut self.clocks[core], released);
        join(released, &self.clocks[core]);
        self.touch(address, access);
        self.clocks[core][core] += 1;
    }
}

impl Observer for Races {
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired) {
        if let Some(id) = self.waiting.remove(&(core, warp)) {
            join(&mut self.clocks[core.index()], &self.barriers[&id]);
        }
        match retired.effect {
            Effect::Barrier { scope: BarrierScope::Global, id, .. } => {
                let clock = &mut self.clocks[core.index()];
                join(self.barriers.entry(id).or_insert_with(|| vec![0; clock.len()]), clock);
                clock[core.index()] += 1;
                self.waiting.insert((core, warp), id);
            }
            Effect::Memory => {
                let shown = &retired.access;
                let is_write = shown.kind != AccessKind::Load;
                let access = Access { core, warp, pc: retired.pc, is_write };
                let is_atomic = matches!(retired.request, Some(Request::Atomic(_))) || shown.kind == AccessKind::Atomic;
                for lane in retired.mask.without(shown.local).without(shown.io).lanes() {
                    let first = shown.addresses[lane];
                    if is_atomic {
                        self.synchronise(first, access);
                        continue;
                    }
                    self.touch(first, access);
                    if shown.crossing.contains(lane) {
                        self.touch(first.wrapping_add(u32::from(shown.bytes) - 1), access);
                    }
                }
            }
            Effect::Texture => {
                let access = Access { core, warp, pc: retired.pc, is_write: false };
                let texels = &retired.texels;
                for (tap, addresses) in texels.addresses.iter().enumerate().take(texels.tap_count.into()) {
                    for lane in retired.mask.without(texels.border[tap]).lanes() {
                        self.touch(addresses[lane], access);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;
    use crate::gpu::{Gpu, Mode};
    use crate::isa::assembler::assemble;

    /// The races of a program on two cores, each of which runs it with one lane, untimed; timed there are as many.
    fn races(text: &str) -> Vec<Race> {
        let program = assemble("race.s", text).expect("it is sound");
        let [untimed, timed] = [Mode::Untimed, Mode::Timed].map(|mode| {
            let mut gpu = Gpu::new(GpuConfig::vortex(2, 1, 1)).expect("a valid machine");
            gpu.set_mode(mode);
            let mut races = Races::new(2);
            gpu.launch_observed(&program, Address(0), &mut races).expect("it ends");
            races.found().to_vec()
        });
        assert_eq!(untimed.len(), timed.len());
        untimed
    }

    const DATA: &str = "  tmc zero\n .data\nword: .zero 8\nflag: .zero 4\n";

    #[test]
    fn two_cores_that_store_to_one_word_race() {
        let found = races(&format!("la a0, word\nstore: sw zero, 0(a0)\n{DATA}"));
        assert_eq!(found.len(), 1, "{found:?}");
        let race = found[0];
        assert_eq!((race.first.core, race.second.core), (CoreId(0), CoreId(1)));
        assert_eq!(race.first.pc, race.second.pc);
        assert!(race.first.is_write && race.second.is_write);
        assert!(race.to_string().contains("core 1 warp 0") && race.to_string().ends_with("nothing orders them"));
    }

    #[test]
    fn loads_and_words_of_ones_own_do_not_race() {
        assert_eq!(races(&format!("la a0, word\nlw a1, 0(a0)\n{DATA}")), []);
        let own = "la a0, word\ncsrr a1, core_id\nslli a1, a1, 2\nadd a0, a0, a1\nsw zero, 0(a0)\nlw a2, 0(a0)\n";
        assert_eq!(races(&format!("{own}{DATA}")), []);
    }

    /// Core 0 stores; both meet; core 1 loads. Without the barrier that is a race.
    #[test]
    fn a_global_barrier_orders_and_its_absence_does_not() {
        let before = "la a0, word\ncsrr a1, core_id\nbnez a1, other\nsw a0, 0(a0)\nother:\n";
        let after = "beqz a1, done\nlw a2, 0(a0)\ndone:\n";
        let barrier = "lui a3, 0x80000\nli a4, 2\nbar a3, a4\n";
        assert_eq!(races(&format!("{before}{barrier}{after}{DATA}")), []);
        let found = races(&format!("{before}{after}{DATA}"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].first.is_write != found[0].second.is_write);
    }

    /// Core 0 stores and then raises a flag by an atomic; core 1 asks for it by atomics, then loads.
    #[test]
    fn atomics_of_one_word_order_what_was_done_before_and_after() {
        let text = |flag: &str| {
            format!(
                "la a0, word\nla a5, {flag}\nla a6, flag\nli a7, 1\ncsrr a1, core_id\nbnez a1, other\n\
                 sw a7, 0(a0)\namoswap.w zero, a7, (a6)\nj done\n\
                 other: amoadd.w a2, zero, (a6)\nbeqz a2, other\namoadd.w a2, zero, (a5)\nlw a3, 0(a0)\ndone:\n{DATA}"
            )
        };
        assert_eq!(races(&text("flag")), []);
        // The flag read by a plain load: that load races with the atomic, and the data's load with the store.
        let plain = text("flag").replace("amoadd.w a2, zero, (a6)", "lw a2, 0(a6)").replace("beqz a2, other", "nop");
        let plain = plain.replace("amoadd.w a2, zero, (a5)\n", "");
        assert!(!races(&plain).is_empty());
    }
}
