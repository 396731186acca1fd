//! Subgroups: a warp's votes, ballots, broadcasts and shuffles. Here alone the results depend on the lanes of a warp.

use super::Case;
use super::numbers::words;

programs! {
    votes;
    shuffles;
    quads;
    ballot_compaction;
    absent_lanes;
    lane_order;
}

/// The lanes of a warp, 32 of the workgroup's 64 invocations or fewer.
fn warps(lanes: u32) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..64 / lanes).map(move |warp| (warp * lanes) as usize..((warp + 1) * lanes) as usize)
}

fn votes(lanes: u32) -> Case {
    let values = words(140, 64);
    let after = warps(lanes).flat_map(|warp| {
        let odd: Vec<bool> = values[warp.clone()].iter().map(|word| word % 2 == 1).collect();
        let ballot = odd.iter().rev().fold(0u32, |word, bit| word << 1 | u32::from(*bit));
        let answer = u32::from(odd.iter().any(|bit| *bit)) | u32::from(odd.iter().all(|bit| *bit)) << 1;
        // Inside a branch only the odd lanes are there, and all of them are odd.
        let inside = |lane: usize| if odd[lane] { 1 | ballot << 1 } else { 0 };
        (0..lanes as usize)
            .flat_map(|lane| [ballot, answer, inside(lane), lanes << 8 | lane as u32])
            .collect::<Vec<_>>()
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn shuffles(lanes: u32) -> Case {
    let values = words(141, 64);
    let after = warps(lanes).flat_map(|warp| {
        let own = &values[warp];
        let count = lanes as usize;
        (0..count)
            .flat_map(|lane| [own[lane ^ 3], own[count - 1 - lane], own[(lane + 1) % count], own[0], own[2]])
            .collect::<Vec<_>>()
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn quads(_: u32) -> Case {
    let values = words(142, 64);
    let after = (0..64usize).flat_map(|n| [values[n ^ 1], values[n ^ 2], values[n ^ 3], values[n & !3 | 2]]);
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn ballot_compaction(lanes: u32) -> Case {
    // Words that are multiples of four move to the front of their warp, in order; zeros fill up.
    let values = words(143, 64);
    let after = warps(lanes).flat_map(|warp| {
        let mut kept: Vec<u32> = values[warp].iter().copied().filter(|word| word.is_multiple_of(4)).collect();
        kept.resize(lanes as usize, 0);
        kept
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn absent_lanes(lanes: u32) -> Case {
    let counted = |limit: u32| limit % 5 + limit % 2 * 100;
    let after = (0..64u32).flat_map(|i| {
        let (lane, own) = (i % lanes, counted(i));
        let both = own * 1001;
        let others = if lane != 0 { own + 1000 * counted(i - lane + 1) } else { 0 };
        [own, own, both, both, others, if lane % 4 > 1 { both } else { 0 }]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn lane_order(lanes: u32) -> Case {
    let (mut counters, mut places, mut results) = (vec![0; 16], vec![0; 16], vec![0; 4 * 64]);
    for warp in 0..64 / lanes {
        let all = warp * lanes..(warp + 1) * lanes;
        let last = all.end - 1;
        let mut sum = 0;
        for i in all.clone() {
            results[4 * i as usize] = sum;
            results[4 * i as usize + 2] = last;
            sum += i + 1;
        }
        for i in all.filter(|i| i % 3 == 1) {
            results[4 * i as usize + 1] = sum;
            (sum, places[warp as usize]) = (i, i);
        }
        counters[warp as usize] = sum;
    }
    Case::new([1, 1, 1]).changed(vec![0; 16], counters).changed(vec![0; 16], places).output(results)
}
