//! Values and memory: structures, pointers, layouts, dynamic indices, zeroed memory, accesses out of range.

use super::Case;
use super::numbers::{below, bits, hash, signed, words};

programs! {
    whole_arrays;
    large_results;
    structs_by_value;
    pointers;
    uniform_layouts;
    storage_layouts;
    matrix_kinds;
    dynamic_components;
    constant_tables;
    runtime_arrays;
    linked_lists;
    bump_allocator;
    zeroed_memory;
    out_of_range;
    robust_spaces;
    pointer_spaces;
    private_globals;
}

fn structs_by_value(_: u32) -> Case {
    // A small fraction type: a/b + c/d, compared, swapped, kept in an array of structures.
    let after = (0..32i32).flat_map(|n| {
        let fractions = [[n + 1, 3], [2, n + 2], [n - 7, 5]];
        let sum = fractions.iter().fold([0, 1], |[a, b], [c, d]| {
            let (top, bottom) = (a * d + c * b, b * d);
            let (mut x, mut y) = (top.abs(), bottom.abs());
            while y != 0 {
                (x, y) = (y, x % y);
            }
            [top / x.max(1), bottom / x.max(1)]
        });
        let largest = fractions.iter().fold(fractions[0], |m, f| if f[0] * m[1] > m[0] * f[1] { *f } else { m });
        [sum[0], sum[1], largest[0], largest[1]]
    });
    let after: Vec<i32> = after.collect();
    Case::new([1, 1, 1]).output(signed(&after))
}

fn pointers(_: u32) -> Case {
    let values = words(100, 32);
    let after = values.iter().zip(0u32..).flat_map(|(&word, n)| {
        // Elements of an array, a member of a structure and a private variable are raised through one function.
        let mut cells = [word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24];
        cells[n as usize % 4] += 1000;
        cells[word as usize % 4] += n;
        cells.swap(0, n as usize % 4);
        let private = n * 2 + 5 + cells[3];
        [cells[0], cells[1], cells[2] + 7, private]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

/// Whole numbers as floats, so that sums of products are exact in any order.
fn whole(seed: u32, count: u32) -> Vec<f32> {
    (0..count).map(|n| (hash(n, seed) % 17) as f32 - 8.0).collect()
}

fn uniform_layouts(_: u32) -> Case {
    // Offsets by WGSL's table of sizes and alignments, in words:
    // a f32 0 | b vec3 4..7 | c f32 7 | d mat2x2 8 (stride 2) | e vec2 12 | f mat3x3 16 (stride 4) | g mat4x2 28 (stride 2)
    // | h array<vec4,2> 36 | inner {x u32, y vec3} 44 (16-aligned: x 44, y 48..51) | z i32 52; size a multiple of 16: 56.
    let before: Vec<f32> = whole(101, 56);
    let take = |at: usize, count: usize| before[at..at + count].to_vec();
    let after = [
        take(0, 1),
        take(4, 4),
        take(8, 4),
        take(12, 2),
        take(16, 3),
        take(20, 3),
        take(24, 3),
        take(28, 8),
        take(36, 8),
        take(44, 1),
        take(48, 3),
        take(52, 1),
    ];
    Case::new([1, 1, 1]).input(bits(&before)).output(bits(&after.concat()))
}

fn storage_layouts(_: u32) -> Case {
    // Elements of 8 words: a vec3 0..3 | b u32 3 | @align(16) c u32 4 | @size(8) d u32 5..7 | e u32 7.
    let before = words(102, 32 * 8);
    let after = before.chunks(8).flat_map(|e| {
        let sum = e[0].wrapping_add(e[1]).wrapping_add(e[2]);
        // Word 6 is padding, which is nobody's.
        [e[2], e[0], e[1], e[3] ^ e[4], sum, e[5], e[6], e[7]]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).changed(before, after)
}

fn matrix_kinds(_: u32) -> Case {
    // Columns after columns. Products, transposes and determinants of whole numbers are exact.
    let input = whole(103, 48);
    let (a, b) = (&input[0..6], &input[6..12]); // mat2x3, mat3x2
    let (m, v) = (&input[12..28], &input[28..32]); // mat4x4, vec4
    let s = &input[32..41]; // mat3x3
    let mut after = Vec::new();
    // a * b: 3 columns of 3; b * a: 2 columns of 2.
    after.extend((0..9).map(|n| (0..2).map(|k| a[k * 3 + n % 3] * b[n / 3 * 2 + k]).sum::<f32>()));
    after.extend((0..4).map(|n| (0..3).map(|k| b[k * 2 + n % 2] * a[n / 2 * 3 + k]).sum::<f32>()));
    // m * v, v * m.
    after.extend((0..4).map(|row| (0..4).map(|k| m[k * 4 + row] * v[k]).sum::<f32>()));
    after.extend((0..4).map(|column| (0..4).map(|k| m[column * 4 + k] * v[k]).sum::<f32>()));
    // The transpose of a, and 2 * a - transpose(b).
    after.extend((0..6).map(|n| a[n % 2 * 3 + n / 2]));
    after.extend((0..6).map(|n| 2.0 * a[n] - b[n % 3 * 2 + n / 3]));
    let determinant =
        s[0] * (s[4] * s[8] - s[5] * s[7]) - s[3] * (s[1] * s[8] - s[2] * s[7]) + s[6] * (s[1] * s[5] - s[2] * s[4]);
    after.push(determinant);
    let minor = |m: &[f32], skip: usize| {
        let of = |row: usize, column: usize| m[if column < skip { column } else { column + 1 } * 4 + row];
        of(1, 0) * (of(2, 1) * of(3, 2) - of(3, 1) * of(2, 2)) - of(1, 1) * (of(2, 0) * of(3, 2) - of(3, 0) * of(2, 2))
            + of(1, 2) * (of(2, 0) * of(3, 1) - of(3, 0) * of(2, 1))
    };
    after.push((0..4).map(|column| [1.0, -1.0][column % 2] * m[column * 4] * minor(m, column)).sum());
    Case::new([1, 1, 1]).input(bits(&input)).output(bits(&after))
}

fn dynamic_components(_: u32) -> Case {
    let before = words(104, 128);
    let after = before.chunks(4).zip(0usize..).flat_map(|(v, n)| {
        let mut v = [v[0], v[1], v[2], v[3]];
        let (i, j) = (n % 4, n / 4 % 4);
        v[i] = v[j].wrapping_add(n as u32);
        v[3 - j] ^= v[i];
        // v.zyxw, then the middle pair of that swapped.
        [v[2], v[0], v[1], v[3].wrapping_add(v[n % 3])]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).changed(before, after)
}

fn constant_tables(_: u32) -> Case {
    // Days of months, and the weekday of a date by Zeller's congruence (0 is Saturday).
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let after = (0..48u32).flat_map(|n| {
        let (year, month) = (1897 + n * 5, n % 12);
        let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let length = days[month as usize] + u32::from(month == 1 && is_leap);
        let (m, y) = if month < 2 { (month + 13, year - 1) } else { (month + 1, year) };
        let weekday = (length + 13 * (m + 1) / 5 + y % 100 + y % 100 / 4 + y / 400 + 5 * (y / 100)) % 7;
        [length, weekday]
    });
    let after: Vec<u32> = after.collect();
    // 31 January 1897 was a Sunday.
    assert_eq!(after[..2], [31, 1]);
    Case::new([3, 1, 1]).output(after)
}

fn runtime_arrays(_: u32) -> Case {
    // A head of two words, then records of three: as many as there are.
    let before = words(105, 2 + 3 * 21);
    let records = before[2..].chunks(3);
    let heaviest = records.clone().zip(0u32..).max_by_key(|(record, n)| (record[1] % 100, u32::MAX - n));
    let (heaviest, which) = heaviest.expect("there are records");
    let after = vec![21, before[0] ^ before[1], which, heaviest[1] % 100, heaviest[2]];
    Case::new([1, 1, 1]).input(before).output(after)
}

fn linked_lists(_: u32) -> Case {
    // Each invocation builds a list of seven nodes in order of its numbers, then turns it around: descending.
    let values = words(106, 32 * 7);
    let mut after: Vec<u32> = values.iter().map(|value| value % 50).collect();
    after.chunks_mut(7).for_each(|list| list.sort_unstable_by(|a, b| b.cmp(a)));
    Case::new([1, 1, 1]).input(values).output(after)
}

fn bump_allocator(_: u32) -> Case {
    // Everybody takes 1 to 4 words of a pool and writes its number into them: where is not said, how many of each is.
    let counts: Vec<u32> = (0..64).map(|n| hash(n, 107) % 4 + 1).collect();
    let total = counts.iter().sum();
    Case::new([2, 1, 1]).input(counts.clone()).output(counts).output(vec![total])
}

fn zeroed_memory(_: u32) -> Case {
    // Every kind of variable starts as zero, also the second time round a loop and in the second workgroup.
    Case::new([3, 1, 1]).changed(vec![7; 96], vec![0; 96])
}

fn out_of_range(_: u32) -> Case {
    // Guards around what is written beyond its end stay; what is read is one of the elements or zero.
    let indices: Vec<u32> =
        (0..32).map(|n| [n, 8, u32::MAX, hash(n, 108), 0x8000_0000, 1 << 30][n as usize % 6]).collect();
    Case::new([1, 1, 1]).input(indices).output(vec![1; 32]).changed(vec![77; 12], vec![77; 12])
}

fn private_globals(_: u32) -> Case {
    let after = (0..32u32).flat_map(|n| {
        let mut seed = 12_345 ^ n;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed
        };
        let first = next();
        // As many more as the first says, in a function called from two places.
        let last = (0..first % 9).fold(0, |_, _| next());
        [first, last, next(), first % 9 + 2]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn robust_spaces(_: u32) -> Case {
    let indices = [0, 1, 2, 3, 4, 5, 11, 12, 100, -1, -2, i32::MIN, i32::MAX, 0x1000_0000, 0x4000_0000, -4];
    let table: Vec<u32> = words(81, 12).into_iter().map(|word| word % 1000).collect();
    // A header, then items of a vec3 (16 bytes with one mark behind it) aligned to 16: weights, marks, padding.
    let stride = 8;
    let mark = |item: usize, mark: usize| 4 + item * stride + 3 + mark;
    let mut before = vec![0u32; 4 + 3 * stride];
    for (item, which) in (0..3).flat_map(|item| (0..2).map(move |which| (item, which))) {
        before[mark(item, which)] = (10 * item + which) as u32 + 40;
    }
    let mut after = before.clone();
    after[0] = 3 + table[11] + before[mark(2, 0)];
    after[mark(2, 1)] = 1000;
    let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let mut results = Vec::new();
    for index in indices {
        let to = |count: usize| (index as u32 as usize).min(count - 1);
        let columns_first = if to(3) == 0 { 9 } else { 1 };
        let columns_last = if to(3) == 2 { 9 } else { 6 };
        results.extend([
            [7, 8, 9][to(3)],
            [2, 4, 6][to(3)],
            1 << to(4),
            primes[to(12)],
            table[4 * to(3) + to(4)],
            (10 * to(5) + to(3)) as u32,
            before[mark(to(3), to(2))],
            columns_first + 10 * columns_last,
        ]);
    }
    let indices = indices.map(|index| index as u32);
    Case::new([1, 1, 1]).input(indices).input(table).changed(before, after).output(results)
}

fn pointer_spaces(_: u32) -> Case {
    #[derive(Copy, Clone, Default)]
    struct Pair {
        first: [u32; 2],
        rest: [u32; 3],
    }
    let total = |pair: Pair| pair.first[0] + pair.first[1] + pair.rest[0] + 10 * pair.rest[1] + 100 * pair.rest[2];
    let input = words(82, 16);
    let shared = |i: usize| {
        let word = input[i % 16] % 100;
        let mut pair = Pair { first: [0, word], ..Pair::default() };
        pair.rest[word as usize % 3] = 5;
        pair
    };
    let mut results = Vec::new();
    for (i, word) in input.iter().enumerate() {
        let word = word % 100;
        let mut own = Pair { first: [word, word + 1], ..Pair::default() };
        for n in 0..3 {
            own.rest[(n + word) as usize % 3] = n;
        }
        let neighbour = shared(i + 1);
        let mut two = [own, neighbour];
        two[word as usize & 1].first.reverse();
        // The private pair beside the filled one is zero.
        results.extend([total(own), total(two[1]), two[word as usize & 1].first[0], neighbour.rest[2]]);
    }
    Case::new([1, 1, 1]).input(input).output(results)
}

fn large_results(_: u32) -> Case {
    let seeds = below(1000, 48, 8);
    let counted = |first: u32| (first..first + 300).collect::<Vec<_>>();
    let chosen = |a: &[u32], which: u32| match which {
        0 => a.to_vec(),
        1 => counted(1000),
        // Up to there they are doubled; at the end of them all, nothing of it is left.
        2 => a.iter().zip(0..).map(|(word, n)| if n < 200 { 2 * word } else { *word }).collect(),
        _ => vec![0; 300],
    };
    let mut found = Vec::new();
    for (i, seed) in (0..).zip(&seeds) {
        let mut sum = 0u32;
        for seed in [*seed, seed + 1] {
            let a = counted(seed);
            let mut rows = [a.clone(), chosen(&a, seed % 4), counted(2 * seed), a];
            rows[3][5] = 99;
            for (second, fourth) in rows[1].iter().zip(&rows[3]) {
                sum = sum.wrapping_mul(31).wrapping_add(second + fourth);
            }
            sum = sum.wrapping_add(seed + 1 + rows[i % 4][7 + i] + rows[1][0] + 5 + seed * 7);
        }
        found.extend([sum, chosen(&counted(i as u32), i as u32 % 5)[150 + i]]);
    }
    Case::new([1, 1, 1]).input(seeds).output(found)
}

fn whole_arrays(_: u32) -> Case {
    let numbers = words(46, 512);
    let mut found = Vec::new();
    let stored = |i: usize| {
        let mut own = numbers.clone();
        own[i] = own[i].wrapping_add(1);
        own
    };
    let tile = stored(1);
    let rows = words(47, 401);
    for i in 0..2 {
        let before = stored(i);
        let mut own = before.clone();
        own[7 + i] = 0;
        let total = own.iter().step_by(1 + i).fold(0u32, |sum, word| sum.wrapping_add(*word));
        let mut sum = 0;
        for k in 1..=6 {
            // What was set to zero before lies behind.
            sum += if own[k].is_multiple_of(2) { 1000 } else { 0 } + own[k - 1] % 10;
        }
        let row = rows[4 * (40 + i) + 2].wrapping_add(rows[400]);
        found.extend([total, before[7 + i], tile[i], tile[511], sum, row, 0, 0]);
    }
    // The fourth word of each row is padding: it stays as it was.
    let marked: Vec<u32> = (0..404).collect();
    let kept = (0..404).map(|n| if n < 400 && n % 4 < 3 || n == 400 { rows[n as usize] } else { n }).collect();
    let mut given = rows.clone();
    given.resize(404, 0);
    Case::new([1, 1, 1]).input(numbers).output(found).output(tile).input(given).changed(marked, kept)
}
