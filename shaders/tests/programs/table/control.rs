//! Control flow: every way into and out of a loop, a switch and a function.

use super::Case;
use super::numbers::{below, words};

programs! {
    collatz;
    fall_through;
    nested_loops;
    early_returns;
    loop_with_continuing;
    short_circuit;
    state_machine;
    ackermann;
    game_of_life;
    rule_110;
    deep_ifs;
    returns_in_loops;
}

fn collatz(_: u32) -> Case {
    let after = (1..=48u32).map(|start| {
        let (mut n, mut steps) = (start, 0);
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    });
    let after: Vec<u32> = after.collect();
    Case::new([3, 1, 1]).output(after)
}

fn fall_through(_: u32) -> Case {
    let after = (0..32i32).map(|n| match n - 8 {
        -3 => 100,
        0 | 1 | 5 => 200 + n,
        2 => 300,
        // The default stands in the middle, with a label of its own beside it.
        i32::MIN..=-1 | 3 | 4 | 6..=9 | 11.. => {
            if n % 2 == 0 {
                400
            } else {
                401
            }
        }
        10 => 500,
    });
    let after: Vec<u32> = after.map(|word| word as u32).collect();
    Case::new([1, 1, 1]).output(after)
}

fn nested_loops(_: u32) -> Case {
    let limits = below(7, 60, 32);
    let after = limits.iter().map(|&limit| {
        let mut sum = 0u32;
        'outer: for i in 0..6u32 {
            let mut j = 0;
            loop {
                if j > limit {
                    break;
                }
                j += 1;
                if (i + j) % 3 == 0 {
                    continue;
                }
                if i * j > 2 * limit + 3 {
                    sum += 1000;
                    continue 'outer;
                }
                for k in 0..j {
                    if k == 4 {
                        break;
                    }
                    sum = sum * 3 + k;
                }
                if sum > 1_000_000 {
                    break 'outer;
                }
            }
            sum += i;
        }
        sum
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(limits).output(after)
}

fn early_returns(_: u32) -> Case {
    let values = below(64, 61, 32);
    let graded = |value: u32| match value {
        0..8 => 1,
        8..16 if value % 2 == 1 => 2,
        8..16 => 3,
        16..32 => (16..32).find(|n| n * n > 10 * value).unwrap_or(99),
        _ => value / 8,
    };
    let after: Vec<u32> = values.iter().map(|value| graded(*value) * 100 + graded(63 - value)).collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn loop_with_continuing(_: u32) -> Case {
    let after = (0..32u32).map(|n| {
        let (mut i, mut sum) = (0u32, 0u32);
        loop {
            // `continue` goes to the continuing block, which counts and decides.
            if (i + n) % 4 != 0 {
                sum = sum * 5 + i;
            }
            let step = n % 3 + 1;
            i += step;
            sum += step;
            if i >= 12 {
                break;
            }
        }
        sum
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn short_circuit(_: u32) -> Case {
    // How often the right sides were asked, and what came of it.
    let after = (0..32u32).flat_map(|n| {
        let mut asked = 0u32;
        let mut ask = |answer: bool| {
            asked += 1;
            answer
        };
        let both = n % 2 == 0 && ask(n % 3 == 0) && ask(n % 5 == 0);
        let either = n % 2 == 0 || ask(n % 3 == 0) || ask(n % 5 == 0);
        let mixed = (n % 2 == 0 || ask(n > 9)) && (n % 3 == 0 || ask(n < 20));
        [asked, u32::from(both) | u32::from(either) << 1 | u32::from(mixed) << 2]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

/// Words of four digits each; numbers and signs as a small language of the state machine's.
fn state_machine(_: u32) -> Case {
    let words = words(62, 32);
    let after = words.iter().map(|&word| {
        // 0 to 9 digits, 10 and 11 plus and minus, 12 and 13 end the number, the others are errors from which it recovers.
        let (mut state, mut value, mut sign, mut sum, mut errors) = (0u32, 0i32, 1i32, 0i32, 0u32);
        for n in 0..8 {
            let symbol = word >> (4 * n) & 15;
            match state {
                0 => match symbol {
                    0..10 => (value, state) = (symbol as i32, 1),
                    10 => sign = 1,
                    11 => sign = -1,
                    12 | 13 => {}
                    _ => (errors, state) = (errors + 1, 2),
                },
                1 => match symbol {
                    0..10 => value = value * 10 + symbol as i32,
                    10 | 11 => {
                        sum += sign * value;
                        (sign, value, state) = (if symbol == 10 { 1 } else { -1 }, 0, 0);
                    }
                    12 | 13 => {
                        sum += sign * value;
                        (sign, value, state) = (1, 0, 0);
                    }
                    _ => (errors, value, state) = (errors + 1, 0, 2),
                },
                _ => {
                    if symbol == 12 {
                        state = 0;
                    }
                }
            }
        }
        ((sum + sign * value) as u32) << 4 | errors
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(words).output(after)
}

fn ackermann(_: u32) -> Case {
    fn value(m: u32, n: u32) -> u32 {
        match (m, n) {
            (0, n) => n + 1,
            (m, 0) => value(m - 1, 1),
            (m, n) => value(m - 1, value(m, n - 1)),
        }
    }
    let after: Vec<u32> = (0..12).map(|n| value(n / 4, n % 4)).collect();
    Case::new([1, 1, 1]).output(after)
}

fn game_of_life(_: u32) -> Case {
    // A world of 8 × 8 cells on a torus, a bit each; five turns.
    let before = words(63, 2);
    let mut cells: Vec<bool> = (0..64).map(|n| before[n / 32] >> (n % 32) & 1 == 1).collect();
    for _ in 0..5 {
        let neighbours = |n: usize| {
            let around = [7, 0, 1].into_iter().flat_map(|y| [7, 0, 1].map(|x| (x, y)));
            let alive = |(x, y): (usize, usize)| cells[(n / 8 + y) % 8 * 8 + (n % 8 + x) % 8];
            around.filter(|&(x, y)| (x, y) != (0, 0) && alive((x, y))).count()
        };
        cells = (0..64).map(|n| neighbours(n) == 3 || cells[n] && neighbours(n) == 2).collect();
    }
    let word = |half: &[bool]| half.iter().rev().fold(0, |word, cell| word << 1 | u32::from(*cell));
    let after: Vec<u32> = cells.chunks(32).map(word).collect();
    Case::new([1, 1, 1]).changed(before, after)
}

fn rule_110(_: u32) -> Case {
    let before = words(64, 4);
    let step = |row: u32| {
        let bit = |n: u32| row >> (n % 32) & 1;
        (0..32).map(|n| (110 >> (bit(n + 1) << 2 | bit(n) << 1 | bit(n + 31)) & 1) << n).sum()
    };
    let after: Vec<u32> = before.iter().map(|row| (0..9).fold(*row, |row, _| step(row))).collect();
    Case::new([1, 1, 1]).input(before).output(after)
}

fn deep_ifs(_: u32) -> Case {
    let after = (0..64u32).map(|n| (0..6).fold(1, |word, bit| word * 3 + 1 + (n >> bit & 1)));
    let after: Vec<u32> = after.collect();
    Case::new([2, 1, 1]).output(after)
}

fn returns_in_loops(_: u32) -> Case {
    let values = below(40, 65, 64);
    // The first pair of a row of eight whose sum is the row's number times five, or where nothing was found.
    let after = (0..64usize).map(|n| {
        let row = &values[n / 8 * 8..n / 8 * 8 + 8];
        let wanted = n as u32 % 8 * 9;
        let pairs = (0..8u32).flat_map(|i| (i + 1..8).map(move |j| (i, j)));
        let found = pairs.into_iter().find(|&(i, j)| row[i as usize] + row[j as usize] == wanted);
        found.map_or(1000 + wanted, |(i, j)| i * 8 + j)
    });
    let after: Vec<u32> = after.collect();
    Case::new([2, 1, 1]).input(values).output(after)
}
