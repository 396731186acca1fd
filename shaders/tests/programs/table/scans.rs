//! Sums, histograms and elections: workgroup memory, barriers and atomics.

use super::Case;
use super::numbers::{below, bits, floats, signed, words};

programs! {
    prefix_sum;
    balanced_scan;
    tree_reduction;
    histogram;
    atomic_extremes;
    atomic_float_max;
    stream_compaction;
    workgroup_broadcast;
    uneven_barriers;
}

/// Sums up to each element of a group, the element included.
fn inclusive(group: &[u32]) -> Vec<u32> {
    let sum = |sum: &mut u32, word: &u32| {
        *sum = sum.wrapping_add(*word);
        Some(*sum)
    };
    group.iter().scan(0, sum).collect()
}

fn prefix_sum(_: u32) -> Case {
    let before = words(20, 64);
    let after: Vec<u32> = before.chunks(32).flat_map(inclusive).collect();
    Case::new([2, 1, 1]).input(before).output(after)
}

fn balanced_scan(_: u32) -> Case {
    let before = below(1 << 20, 21, 128);
    let exclusive = before.chunks(64).flat_map(|group| [vec![0], inclusive(&group[..63])].concat());
    let exclusive = exclusive.collect::<Vec<_>>();
    Case::new([2, 1, 1]).input(before).output(exclusive)
}

fn tree_reduction(_: u32) -> Case {
    let values = floats(22, 96);
    let results = values.chunks(32).flat_map(|group| {
        let (mut sums, mut most) = (group.to_vec(), group.to_vec());
        let mut half = 16;
        while half > 0 {
            for n in 0..half {
                sums[n] += sums[n + half];
                most[n] = most[n].max(most[n + half]);
            }
            half /= 2;
        }
        // Sums of multiples of 2^-12 below 2^5 are exact, so their order does not matter.
        [sums[0], most[0]]
    });
    let results: Vec<f32> = results.collect();
    Case::new([3, 1, 1]).input(bits(&values)).output(bits(&results))
}

fn histogram(_: u32) -> Case {
    let values = words(23, 256);
    let mut counts = vec![0; 16];
    values.iter().for_each(|value| counts[(value >> 28) as usize] += 1);
    Case::new([4, 1, 1]).input(values).output(counts)
}

fn atomic_extremes(_: u32) -> Case {
    let values = words(24, 64);
    let signed_values: Vec<i32> = values.iter().map(|word| *word as i32).collect();
    let all = |operation: fn(u32, u32) -> u32, start| values.iter().fold(start, |a, b| operation(a, *b));
    let (least, most) = (signed_values.iter().min(), signed_values.iter().max());
    let after = vec![
        values.iter().fold(5, |a: u32, b| a.wrapping_add(*b)),
        values.iter().fold(5, |a: u32, b| a.wrapping_sub(*b)),
        values.iter().fold(u32::MAX, |a, b| a.min(*b)),
        values.iter().fold(0, |a, b| a.max(*b)),
        all(|a, b| a & (b | 0xffff), u32::MAX),
        all(|a, b| a | (b & 0xff00), 1),
        all(|a, b| a ^ b, 0),
        *least.expect("there are values") as u32,
        *most.expect("there are values") as u32,
        // The number of exchanges is known, their order is not: what is left is one of the values.
        64,
    ];
    let before = vec![5, 5, u32::MAX, 0, u32::MAX, 1, 0, i32::MAX as u32, i32::MIN as u32, 0];
    Case::new([2, 1, 1]).input(values).changed(before, after)
}

fn atomic_float_max(_: u32) -> Case {
    let values = floats(25, 64);
    let most = values.iter().fold(-2.0f32, |a, b| a.max(*b));
    Case::new([2, 1, 1]).input(bits(&values)).changed(bits(&[-2.0]), bits(&[most]))
}

fn stream_compaction(_: u32) -> Case {
    let values: Vec<i32> = words(26, 64).iter().map(|word| *word as i32 >> 16).collect();
    let mut kept = Vec::new();
    let mut counts = Vec::new();
    for group in values.chunks(32) {
        let mut part: Vec<i32> = group.iter().copied().filter(|value| value % 3 == 0).collect();
        counts.push(part.len() as u32);
        part.resize(32, 0);
        kept.extend(part);
    }
    Case::new([2, 1, 1]).input(signed(&values)).output(signed(&kept)).output(counts)
}

fn workgroup_broadcast(_: u32) -> Case {
    let values = below(100, 27, 8);
    // The leader of each group reads one value; each invocation then walks as many steps as that says.
    let after = (0..128u32).map(|n| {
        let steps = values[(n / 32) as usize];
        (0..steps).fold(n % 32, |word, _| word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
    });
    let after: Vec<u32> = after.collect();
    Case::new([4, 1, 1]).input(values).output(after)
}

fn uneven_barriers(_: u32) -> Case {
    // A workgroup of 3 × 5 invocations, which fills no warp; each turn every one reads its neighbour's word.
    let after = (0..2u32).flat_map(|group| {
        let mut ring: Vec<u32> = (0..15).map(|n| n * n + group).collect();
        for turn in 0..4 {
            ring = (0..15).map(|n| ring[(n + 1) % 15] * 3 + turn).collect();
        }
        ring
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 2, 1]).output(after)
}
