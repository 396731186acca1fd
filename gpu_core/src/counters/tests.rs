//! The table as data, and the functions over it.

use super::*;
use std::collections::BTreeSet;

/// Counters of which each has another value, from 1.
fn numbered() -> CoreCounters {
    let (mut core, mut next) = (CoreCounters::default(), 0);
    core.each_mut(&mut |value| {
        next += 1;
        *value = next;
    });
    core
}

/// Every number of a JSON value with its dotted path.
fn flatten(prefix: &str, value: &serde_json::Value, paths: &mut Vec<(String, u64)>) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| flatten(&format!("{prefix}.{name}"), value, paths));
        }
        number => paths.push((prefix.to_owned(), number.as_u64().expect("counters are whole numbers"))),
    }
}

#[test]
fn a_counters_path_is_its_place_in_json() {
    let core = numbered();
    let mut found = Vec::new();
    flatten("core", &serde_json::to_value(&core).unwrap(), &mut found);
    let mut told: Vec<(String, u64)> = core_rows().into_iter().map(|row| row.path).zip(core.values()).collect();
    assert_eq!(told.iter().map(|(path, _)| path).collect::<BTreeSet<_>>().len(), told.len(), "paths are unique");
    found.sort();
    told.sort();
    assert_eq!(found, told);
    assert!(told.iter().any(|(path, _)| path == "core.issue.stall.scoreboard"));
}

#[test]
fn sums_and_differences_are_by_counter() {
    let core = numbered();
    let counters = Counters { cores: vec![core.clone(), core.clone(), core.clone()], ..Counters::default() };
    let sum = counters.sum();
    assert_eq!(sum.values(), core.values().iter().map(|value| value * 3).collect::<Vec<_>>());
    assert_eq!(sum.since(&core).values(), core.values().iter().map(|value| value * 2).collect::<Vec<_>>());
}

/// One count too many on either side of a law is noticed, in the block where it is and nowhere else.
#[test]
fn every_law_is_watched() {
    fn watch<B: Block>(prefix: &str) -> BTreeSet<Law> {
        let mut watched = BTreeSet::new();
        assert_eq!(law::breaches("x", prefix, &B::default()), []);
        for (index, row) in rows_of::<B>(prefix).iter().enumerate() {
            let (mut block, mut at) = (B::default(), 0);
            block.each_mut(&mut |value| {
                *value += u64::from(at == index);
                at += 1;
            });
            let breaches = law::breaches("x", prefix, &block);
            assert_eq!(breaches.len(), row.roles.len(), "{}: {breaches:?}", row.path);
            for breach in breaches {
                let role = if breach.whole == 1 { Role::Whole(breach.law) } else { Role::Part(breach.law) };
                assert!(row.roles.contains(&role) && row.path.starts_with(&breach.block), "{}: {breach}", row.path);
                watched.insert(breach.law);
            }
        }
        watched
    }
    let mut watched = watch::<CoreCounters>("core");
    watched.append(&mut watch::<SharedCounters>("shared"));
    assert_eq!(watched, Law::ALL.iter().copied().collect());
}

#[test]
fn a_breach_says_where_and_by_how_much() {
    let mut core = CoreCounters::default();
    core.dcache.reads = 5;
    core.dcache.read_hits = 3;
    core.dcache.bank_cycles = 5;
    let counters = Counters { cores: vec![CoreCounters::default(), core], ..Counters::default() };
    let message = counters.breaches().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(message, ["core 1: core.dcache breaks the law Reads: 5 in all, 3 in parts"]);
}

#[test]
fn regions_add_up_to_the_core() {
    let counted = |cycles| CoreCounters { cycles, ..CoreCounters::default() };
    let mut regions = Regions::default();
    assert_eq!(regions.at(&counted(7)), [(0, counted(7))], "a core that marks nothing is in region 0");
    // Region 0 for 10 cycles, 3 for 5, 1 for 20, 3 for 100; 35 is 3 again.
    regions.enter(3, &counted(10));
    regions.enter(1, &counted(15));
    regions.enter(35, &counted(35));
    regions.enter(3, &counted(50));
    let all = regions.at(&counted(135));
    assert_eq!(all, [(0, counted(10)), (1, counted(20)), (3, counted(105))]);
    // The last one, 31, is closed too.
    regions.enter(31, &counted(135));
    assert_eq!(regions.at(&counted(140)).last(), Some(&(31, counted(5))));
}

#[test]
fn rates_are_none_where_nothing_happened() {
    let core = CoreCounters::default();
    assert_eq!((core.ipc(), core.simd_efficiency(4), core.coalescing()), (None, None, None));
    assert_eq!((core.dcache.hit_rate(), core.dcache.bank_utilisation()), (None, None));
    let mut core = CoreCounters { cycles: 200, ..core };
    (core.issue.issued, core.issue.lanes) = (100, 300);
    (core.dcache.reads, core.dcache.read_hits, core.dcache.bank_conflicts) = (12, 9, 4);
    assert_eq!((core.ipc(), core.lane_ipc(), core.simd_efficiency(4)), (Some(0.5), Some(1.5), Some(0.75)));
    // 12 requests taken; 12 + 4 asked.
    assert_eq!((core.dcache.hit_rate(), core.dcache.bank_utilisation()), (Some(0.75), Some(0.75)));
}
