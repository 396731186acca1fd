//! Odd corners of statements: loops, switches, order of evaluation, values against places, memory that is used again.

use super::Case;
use super::numbers::{below, hash, words};

programs! {
    loop_control;
    switch_forms;
    evaluation_order;
    snapshots;
    races_by_exchange;
    atomic_structures;
    reused_workgroups;
    partial_elements;
    bool_vectors;
}

fn loop_control(_: u32) -> Case {
    let after = (0..32u32).flat_map(|i| {
        let added = [8, 1, 2, 8][i as usize % 4];
        // 0 to 4, less the one that is skipped.
        let skipped = (i % 8) ^ 2;
        [i % 7 + 1, added, 10 - if skipped < 5 { skipped } else { 0 }, i % 5]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn switch_forms(_: u32) -> Case {
    let after = (0..32u32).flat_map(|i| {
        let first = [1, 9, 1, 2, 3, 9][i as usize % 6];
        let nested = 1000 + if i % 3 != 0 { 10 } else { 1 + i % 2 * 100 };
        let mut word = 1;
        for n in 0..6 {
            match (n + i) % 4 {
                0 => continue,
                1 => {
                    word += i % 3;
                    if n <= 3 {
                        word *= 2;
                    }
                }
                _ => word += 5,
            }
            word = word * 3 + n;
            if word > 2000 {
                break;
            }
        }
        [first, nested, word, 1]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn evaluation_order(_: u32) -> Case {
    let after = (0..32u32).flat_map(|i| {
        let digits = |digits: &[u32]| digits.iter().fold(0, |word, digit| word * 10 + digit);
        let joined = digits(&[i % 3, 4, 5]);
        let cell = (i % 4 + 1) * 10 + 5;
        // The loop asks twice a turn until its first answer is 2, or the third turn would come.
        let turns = if i % 3 == 2 { vec![2] } else { [i % 3, 9].repeat(3) };
        [
            123,
            joined * 1001,
            digits(&[1, i % 2, 3]) + i % 2,
            digits(&[i % 4, 5]) * 100 + cell,
            if i % 2 == 0 { 7 } else { 6 } + 6700,
            digits(&turns),
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn snapshots(_: u32) -> Case {
    let (mut blocks, mut results) = (Vec::new(), Vec::new());
    for i in 0..16u32 {
        let at = i % 3;
        let before = 10 * at + i;
        let row = |n: u32| if n == at { [7, 8] } else { [10 * n + i, n] };
        blocks.extend((0..3).flat_map(row).chain([0, 0]));
        // The pointer names the place it was made for, whatever becomes of its index: 100, 200 or 300 is raised by five.
        let value = 100 * (at + 1) + 5;
        let mut words = [100, 200, 300];
        words[at as usize] = value;
        words.reverse();
        words[at as usize] += 1;
        let middle = row(1)[0];
        results.extend([
            before + at,
            (middle + 1000) + middle,
            middle,
            600,
            value,
            words[0] + 2 * words[1] + 3 * words[2],
        ]);
    }
    Case::new([1, 1, 1]).changed(vec![0; blocks.len()], blocks).output(results)
}

fn races_by_exchange(_: u32) -> Case {
    let values = below(100_000, 141, 96);
    let most = *values.iter().max().expect("there are values");
    let odd = values.iter().filter(|value| *value % 2 == 1).sum();
    let even = values.iter().filter(|value| *value % 2 == 0).count() as u32;
    let found = vec![32 * 10_000 + (1..=32).sum::<u32>(); 96];
    Case::new([3, 1, 1]).input(values).changed(vec![0; 3], vec![most, odd, even]).output(found)
}

fn atomic_structures(_: u32) -> Case {
    let input: Vec<i32> = (0..32).map(|n| hash(n, 142) as i32 % 1000).collect();
    // total, three words of padding; a slot: names 0..3, count 3, extremes 4 and 5, two of padding.
    let mut before = vec![0u32; 4 + 4 * 8];
    for slot in 0..4 {
        before[4 + 8 * slot..][..3].copy_from_slice(&[1, 2, 3]);
        before[4 + 8 * slot + 4] = 500;
        before[4 + 8 * slot + 5] = -500i32 as u32;
    }
    let mut after = before.clone();
    after[0] = input.iter().fold(0, |sum, value| sum.wrapping_add(*value as u32));
    for slot in 0..4 {
        let own = || input.iter().skip(slot).step_by(4);
        after[4 + 8 * slot + 3] = 8;
        after[4 + 8 * slot + 4] = (*own().min().expect("eight values")).min(500) as u32;
        after[4 + 8 * slot + 5] = (*own().max().expect("eight values")).max(-500) as u32;
    }
    let odd = input.iter().skip(1).step_by(2).fold(0, |word, value| word ^ value) as u32;
    let mut results: Vec<u32> = (0..32).flat_map(|i| [1, if i % 2 == 0 { 0xffff } else { odd }]).collect();
    // -16, then 5, then what 5 & 4 leaves.
    results[62] = results[62].wrapping_add(-16i32 as u32).wrapping_add(5 + 4);
    let input = input.into_iter().map(|value| value as u32).collect::<Vec<_>>();
    Case::new([1, 1, 1]).input(input).changed(before, after).output(results)
}

fn reused_workgroups(_: u32) -> Case {
    // 120 workgroups: more than any machine of the tests has at once.
    Case::new([12, 10, 1]).output(vec![9 + 32 * 5; 120 * 32])
}

fn partial_elements(_: u32) -> Case {
    // A head of three words and one of padding, records of four words in 8-byte steps: key 0, place 2..4, more 4, padding 5;
    // 24 bytes each. Two whole ones, and four words of a third.
    let before = words(143, 4 + 2 * 6 + 4);
    let mut after = before.clone();
    after[4 + 4] = 1;
    // All the stores beyond the last whole record go to it; the last was 6.
    after[4 + 6 + 4] = 6;
    // Triples take four words each: of 11 words two are whole.
    let triples = words(144, 11);
    Case::new([1, 1, 1]).changed(before.clone(), after).output(vec![2, 2, 5, before[4 + 6], triples[6]]).input(triples)
}

fn bool_vectors(_: u32) -> Case {
    let quarters = below(9, 145, 64);
    let values: Vec<f32> = quarters.iter().map(|quarter| *quarter as f32 * 0.25 - 1.0).collect();
    let after = values.chunks(4).zip(0usize..).flat_map(|(v, i)| {
        let bits = |test: &dyn Fn(usize) -> bool| (0..4).map(|n| u32::from(test(n)) << n).sum::<u32>();
        let (small, near) = (bits(&|n| v[n] < 0.25), bits(&|n| v[n].abs() <= 0.5));
        let both = small & near;
        let flags = (small | !near & 15) ^ 1 << (i % 4);
        let agree = !(flags ^ near) >> 2 & 3;
        [
            both,
            (0..4).map(|n| if flags >> n & 1 == 1 { 16 << n } else { 1 << n }).sum(),
            u32::from(both != 0) + 2 * u32::from(flags == 15) + 4 * u32::from(small == near),
            u32::from(small != flags),
            bits(&|n| n < 2 && v[n] != 0.0) | agree << 2,
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values.iter().map(|value| value.to_bits()).collect::<Vec<_>>()).output(after)
}
