//! Counters as a running program sees them: classes of `mpm` registers, numbered as in Skybox.
//!
//! Before: the program chooses a class by `counter_class` (in Skybox the host does). After: the engine shows the values
//! just before an instruction that may read them. Source of the numbers: Skybox's `VX_types.vh`; where that machine counts
//! something ours does not have, the place is empty and reads 0.

use super::row::Block;
use super::{CoreCounters, SharedCounters, core_rows, shared_rows};
use crate::isa::csr::SHOWN_COUNTERS;
use std::sync::LazyLock;

/// One class.
#[derive(Copy, Clone, Debug)]
pub struct Class {
    /// What is written to `counter_class`.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// For each register from `mpm0`: what Skybox calls it, and the counters that are added up for it.
    pub counters: &'static [(&'static str, &'static [&'static str])],
}

/// The classes.
pub const CLASSES: &[Class] = &[
    Class {
        number: 1,
        name: "core",
        counters: &[
            ("scheduler idle", &["core.fetch.idle"]),
            ("scheduler stalls", &["core.issue.stall.control", "core.issue.stall.synchronize"]),
            ("instruction buffer stalls", &["core.fetch.buffer_full"]),
            ("scoreboard stalls", &["core.issue.stall.scoreboard"]),
            ("stalls on ALU", &["core.issue.stall.alu"]),
            ("stalls on FPU", &["core.issue.stall.fpu"]),
            ("stalls on LSU", &["core.issue.stall.lsu"]),
            ("stalls on SFU", &["core.issue.stall.sfu", "core.issue.stall.texture"]),
            ("operand stalls", &["core.issue.stall.operands"]),
            ("fetches", &["core.fetch.fetches"]),
            ("loads", &["core.lsu.loads"]),
            ("stores", &["core.lsu.stores"]),
            // Skybox gives the latency of fetches the last number, and that of loads this one.
            ("", &[]),
            ("load latency", &["core.lsu.load_latency"]),
            ("warp control", &["core.issue.unit.warp_control"]),
            ("control registers", &["core.issue.unit.csr"]),
            ("texture", &["core.issue.unit.texture"]),
            ("output merger", &[]),
            ("raster", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("", &[]),
            ("fetch latency", &["core.fetch.latency"]),
        ],
    },
    Class {
        number: 2,
        name: "memory",
        counters: &[
            ("instruction cache reads", &["core.icache.reads"]),
            ("instruction cache misses", &["core.icache.read_misses", "core.icache.read_merged"]),
            ("instruction cache MSHR stalls", &["core.icache.mshr_stalls"]),
            ("data cache reads", &["core.dcache.reads"]),
            ("data cache writes", &["core.dcache.writes"]),
            ("data cache read misses", &["core.dcache.read_misses", "core.dcache.read_merged"]),
            ("data cache write misses", &["core.dcache.write_misses", "core.dcache.write_merged"]),
            ("data cache bank stalls", &["core.dcache.bank_conflicts"]),
            ("data cache MSHR stalls", &["core.dcache.mshr_stalls"]),
            ("L2 reads", &["shared.l2.reads"]),
            ("L2 writes", &["shared.l2.writes"]),
            ("L2 read misses", &["shared.l2.read_misses", "shared.l2.read_merged"]),
            ("L2 write misses", &["shared.l2.write_misses", "shared.l2.write_merged"]),
            ("L2 bank stalls", &["shared.l2.bank_conflicts"]),
            ("L2 MSHR stalls", &["shared.l2.mshr_stalls"]),
            ("L3 reads", &[]),
            ("L3 writes", &[]),
            ("L3 read misses", &[]),
            ("L3 write misses", &[]),
            ("L3 bank stalls", &[]),
            ("L3 MSHR stalls", &[]),
            ("memory reads", &["shared.dram.reads"]),
            ("memory writes", &["shared.dram.writes"]),
            ("memory latency", &["shared.dram.read_latency"]),
            ("local memory reads", &["core.local.reads"]),
            ("local memory writes", &["core.local.writes"]),
            ("local memory bank stalls", &["core.local.conflicts"]),
        ],
    },
    Class {
        number: 3,
        name: "texture",
        counters: &[
            ("texel reads", &["core.texture.fetched"]),
            ("latency", &["core.texture.latency"]),
            ("stalls", &["core.texture.stalls"]),
            ("texture cache reads", &["core.tcache.reads"]),
            ("texture cache misses", &["core.tcache.read_misses", "core.tcache.read_merged"]),
            ("texture cache bank stalls", &["core.tcache.bank_conflicts"]),
            ("texture cache MSHR stalls", &["core.tcache.mshr_stalls"]),
        ],
    },
];

/// What the `mpm` registers show of a class: zeros for a class that does not exist.
pub fn shown(class: u32, core: &CoreCounters, shared: &SharedCounters) -> [u64; SHOWN_COUNTERS] {
    /// For each class and register the places of its counters among those of a core followed by the shared ones.
    static PLACES: LazyLock<Vec<Vec<Vec<usize>>>> = LazyLock::new(|| {
        let paths: Vec<String> = core_rows().into_iter().chain(shared_rows()).map(|row| row.path).collect();
        let place = |name: &&str| paths.iter().position(|path| path == name).expect("classes name counters that exist");
        let of_class = |class: &Class| class.counters.iter().map(|(_, names)| names.iter().map(place).collect());
        CLASSES.iter().map(|class| of_class(class).collect()).collect()
    });
    let mut values = [0; SHOWN_COUNTERS];
    if let Some(index) = CLASSES.iter().position(|known| known.number == class) {
        let counts = [core.values(), shared.values()].concat();
        for (value, places) in values.iter_mut().zip(&PLACES[index]) {
            *value = places.iter().map(|&place| counts[place]).sum();
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from the published list: 0xB03 + place.
    #[test]
    fn registers_show_what_skybox_shows_there() {
        let mut core = CoreCounters::default();
        let mut shared = SharedCounters::default();
        core.issue.stall.scoreboard = 6;
        core.lsu.load_latency = 16;
        core.fetch.latency = 31;
        (core.dcache.read_misses, core.dcache.read_merged) = (5, 3);
        core.local.conflicts = 29;
        shared.dram.writes = 25;
        core.tcache.mshr_stalls = 9;
        let value = |class, number: usize| shown(class, &core, &shared)[number - 0xb03];
        assert_eq!((value(1, 0xb06), value(1, 0xb10), value(1, 0xb1f)), (6, 16, 31));
        assert_eq!((value(2, 0xb08), value(2, 0xb1d), value(2, 0xb19)), (8, 29, 25));
        assert_eq!(value(3, 0xb09), 9);
        assert_eq!(shown(0, &core, &shared), [0; SHOWN_COUNTERS]);
        assert_eq!(shown(u32::MAX, &core, &shared), [0; SHOWN_COUNTERS]);
    }

    #[test]
    fn a_class_fits_its_registers() {
        for class in CLASSES {
            assert!(class.counters.len() <= SHOWN_COUNTERS, "{}", class.name);
            assert!(shown(class.number, &CoreCounters::default(), &SharedCounters::default()) == [0; SHOWN_COUNTERS]);
        }
    }
}
