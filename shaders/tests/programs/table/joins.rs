//! Joins within subgroups: what they give depends on how many lanes a subgroup has, and on which of them are active.

use super::Case;
use super::numbers::{bits, floats, signed, words};

programs! {
    subgroup_joins;
    subgroup_float_order;
    subgroup_divergence;
}

fn subgroup_joins(lanes: u32) -> Case {
    let before = words(71, 40);
    let (mut unsigned, mut integers) = (Vec::new(), Vec::new());
    for (i, _) in before.iter().enumerate() {
        let first = i / lanes as usize * lanes as usize;
        let all = &before[first..(first + lanes as usize).min(40)];
        let (below, upto) = (&before[first..i], &before[first..=i]);
        let product = |of: &[u32]| of.iter().fold(1u32, |product, word| product.wrapping_mul(word | 1));
        let sum = |of: &[u32]| of.iter().fold(0u32, |sum, word| sum.wrapping_add(*word));
        let as_signed = |of: &[u32], f: fn(u32) -> u32| of.iter().map(|word| f(*word) as i32).collect::<Vec<_>>();
        unsigned.extend([
            sum(all),
            product(all),
            *all.iter().min().expect("the lane itself"),
            *all.iter().max().expect("the lane itself"),
            all.iter().fold(u32::MAX, |and, word| and & (word | 0xffff_0000)),
            all.iter().fold(0, |or, word| or | (word & 0x1111_1111)),
            all.iter().fold(0, |xor, word| xor ^ word),
            product(upto),
        ]);
        integers.extend([
            *as_signed(all, |word| word).iter().min().expect("the lane itself"),
            *as_signed(all, |word| !word).iter().max().expect("the lane itself"),
            sum(below) as i32,
            upto.iter().fold(0i32, |sum, word| sum.wrapping_add(!word as i32)),
            product(below) as i32,
        ]);
    }
    Case::new([1, 1, 1]).input(before).output(unsigned).output(signed(&integers))
}

fn subgroup_float_order(lanes: u32) -> Case {
    // Thirds, so that every sum is rounded.
    let values: Vec<f32> = floats(72, 64).into_iter().map(|value| value / 3.0).collect();
    let mut results = Vec::new();
    for (i, _) in values.iter().enumerate() {
        let first = i / lanes as usize * lanes as usize;
        let all = &values[first..first + lanes as usize];
        let (below, upto) = (&values[first..i], &values[first..=i]);
        let sum = |of: &[f32]| of[1..].iter().fold(of[0], |sum, value| sum + value);
        let factor = |value: &f32| 1.0 + value * 0.125;
        results.extend([
            sum(all),
            sum(upto),
            below.iter().fold(0.0, |sum, value| sum + value),
            all[1..].iter().fold(factor(&all[0]), |product, value| product * factor(value)),
            below.iter().fold(1.0, |product, value| product * factor(value)),
            all.iter().copied().fold(f32::MIN, f32::max) - all.iter().copied().fold(f32::MAX, f32::min),
        ]);
    }
    Case::new([2, 1, 1]).input(bits(&values)).output(bits(&results))
}

fn subgroup_divergence(lanes: u32) -> Case {
    let before = words(73, 32);
    let mut results = Vec::new();
    for (i, &word) in before.iter().enumerate() {
        let first = i / lanes as usize * lanes as usize;
        let here = |with: &dyn Fn(u32) -> bool| -> Vec<(usize, u32)> {
            let lanes = before.iter().copied().enumerate().skip(first).take(lanes as usize);
            lanes.filter(|(_, word)| with(*word)).collect()
        };
        let mut result = [0u32; 4];
        if word & 1 == 0 {
            result[0] = here(&|word| word & 1 == 0).iter().fold(0, |sum, (_, word)| sum.wrapping_add(*word));
            if word & 2 == 0 {
                let below = here(&|word| word & 3 == 0).into_iter().filter(|(lane, _)| *lane < i);
                result[1] = below.fold(0, |sum, (_, word)| sum.wrapping_add(word >> 2));
            }
        } else {
            result[0] = here(&|word| word & 1 == 1).iter().fold(0, |xor, (_, word)| xor ^ word);
            result[1] = here(&|word| word & 5 == 5).len() as u32;
        }
        // A lane takes part in the turns below its own number.
        for turn in 0..(word >> 8) % 8 {
            let members = here(&|word| (word >> 8) % 8 > turn);
            let rank = members.iter().filter(|(lane, _)| *lane <= i).count() as u32;
            result[2] += rank * (turn + 1);
            let most = members.iter().map(|(_, word)| *word).max().expect("the lane itself");
            result[3] = most.wrapping_add(1).wrapping_add(members[0].1 % 16);
        }
        results.extend(result);
    }
    Case::new([1, 1, 1]).input(before).output(results)
}
