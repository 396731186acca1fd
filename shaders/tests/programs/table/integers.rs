//! Integer arithmetic: hashes, checks, division at its edges, bits.

use super::Case;
use super::numbers::{below, hash, signed, words};

programs! {
    crc32;
    fnv_hash;
    division_edges;
    bit_counts;
    bit_fields;
    shift_edges;
    greatest_divisor;
    integer_root;
    long_multiplication;
    linear_shift_register with &[("TAPS", 2_147_483_735.0), ("STEPS", 40.0)];
    prime_sieve;
    packed_dot;
}

fn crc32(_: u32) -> Case {
    let words = words(40, 24);
    let check = |words: &[u32]| {
        let mut crc = u32::MAX;
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        !crc
    };
    // The check value of the catalogues: "123456789" gives cbf43926. Here a message of whole words: "12345678".
    assert_eq!(check(&[0x3433_3231, 0x3837_3635]), 0x9ae0_daaf);
    let checks: Vec<u32> = words.chunks(3).map(check).collect();
    Case::new([1, 1, 1]).input(words).output(checks)
}

fn fnv_hash(_: u32) -> Case {
    let words = words(41, 32);
    let hashes = words.iter().map(|word| {
        let bytes = word.to_le_bytes();
        bytes.iter().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
    });
    let hashes: Vec<u32> = hashes.collect();
    Case::new([1, 1, 1]).input(words).output(hashes)
}

/// Numbers at the edges of 32 bits.
const EDGES: [i32; 8] = [0, 1, -1, i32::MIN, i32::MAX, 7, -7, 46_341];

fn division_edges(_: u32) -> Case {
    // WGSL: x / 0 is x, the least number / -1 is itself, x % 0 is 0, and so is that remainder.
    let mut after = Vec::new();
    for a in EDGES {
        for b in EDGES {
            let quotient = if b == 0 { a } else { a.wrapping_div(b) };
            let remainder = if b == 0 { 0 } else { a.wrapping_rem(b) };
            let (c, d) = (a as u32, b as u32);
            after.extend([
                quotient as u32,
                remainder as u32,
                c.checked_div(d).unwrap_or(c),
                c.checked_rem(d).unwrap_or(0),
            ]);
        }
    }
    Case::new([2, 1, 1]).input(signed(&EDGES)).output(after)
}

fn bit_counts(_: u32) -> Case {
    let mut values = words(42, 27);
    values.extend([0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff]);
    let after = values.iter().flat_map(|&word| {
        let same_as_sign = (word ^ ((word as i32) >> 31) as u32).leading_zeros();
        [
            word.count_ones(),
            word.leading_zeros(),
            word.trailing_zeros(),
            word.reverse_bits(),
            31u32.wrapping_sub(word.leading_zeros()),
            if word == 0 { u32::MAX } else { word.trailing_zeros() },
            31u32.wrapping_sub(same_as_sign),
            !word,
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn bit_fields(_: u32) -> Case {
    let values = words(43, 32);
    let after = values.iter().zip(0u32..).flat_map(|(&word, n)| {
        // WGSL: the offset is at most 32, the count at most what is left.
        let (offset, count) = ((n * 5 % 40).min(32), n * 3 % 41);
        let count = count.min(32 - offset);
        let mask = ((1u64 << count) - 1) as u32;
        let field = (u64::from(word) >> offset) as u32 & mask;
        let sign = if count > 0 && field >> (count - 1) & 1 == 1 { !mask } else { 0 };
        let place = (u64::from(mask) << offset) as u32;
        let inserted = word & !place | (u64::from(!n) << offset) as u32 & place;
        [field, field | sign, inserted]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn shift_edges(_: u32) -> Case {
    let values = words(44, 32);
    let after = values.iter().zip(0u32..).flat_map(|(&word, n)| {
        // Counts modulo 32.
        [
            word.wrapping_shl(n + 16),
            word.wrapping_shr(n + 16),
            (word as i32).wrapping_shr(n + 16) as u32,
            word.rotate_left(n),
        ]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn greatest_divisor(_: u32) -> Case {
    let pairs = below(5000, 45, 64);
    let after = pairs.chunks(2).map(|pair| {
        let (mut a, mut b) = (pair[0], pair[1]);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(pairs).output(after)
}

fn integer_root(_: u32) -> Case {
    let mut values = words(46, 28);
    values.extend([0, 1, u32::MAX, 0xfffe_0001]);
    let after: Vec<u32> = values.iter().map(|word| word.isqrt()).collect();
    Case::new([1, 1, 1]).input(values).output(after)
}

fn long_multiplication(_: u32) -> Case {
    // 128 bits by 128 bits, the lower 128 of the product.
    let factors = words(47, 16 * 8);
    let long = |words: &[u32]| words.iter().rev().fold(0u128, |sum, word| sum << 32 | u128::from(*word));
    let after = factors.chunks(8).flat_map(|pair| {
        let product = long(&pair[..4]).wrapping_mul(long(&pair[4..]));
        (0..4).map(move |n| (product >> (32 * n)) as u32)
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(factors).output(after)
}

fn linear_shift_register(_: u32) -> Case {
    let after =
        (0..32u32).map(|n| (0..40).fold(n + 1, |word, _| word >> 1 ^ if word & 1 == 1 { 2_147_483_735 } else { 0 }));
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).output(after)
}

fn prime_sieve(_: u32) -> Case {
    let is_prime = |n: u32| n > 1 && (2..n).all(|divisor| !n.is_multiple_of(divisor));
    let bits = |word: u32| (0..32).map(|bit| u32::from(is_prime(word * 32 + bit)) << bit).sum();
    let after: Vec<u32> = (0..8).map(bits).collect();
    Case::new([1, 1, 1]).changed(vec![u32::MAX; 8], after)
}

fn packed_dot(_: u32) -> Case {
    let pairs: Vec<u32> = (0..64).map(|n| hash(n, 48)).collect();
    let after = pairs.chunks(2).flat_map(|pair| {
        let [a, b] = [pair[0].to_le_bytes(), pair[1].to_le_bytes()];
        let unsigned: u32 = a.iter().zip(b).map(|(a, b)| u32::from(*a) * u32::from(b)).sum();
        let signed: i32 = a.iter().zip(b).map(|(a, b)| i32::from(*a as i8) * i32::from(b as i8)).sum();
        // Bytes that are added, each limited to 0 to 255, and to -128 to 127.
        let sums = [0, 1, 2, 3].map(|n| (u32::from(a[n]) + u32::from(b[n])).min(255) as u8);
        let limited = [0, 1, 2, 3].map(|n| (a[n] as i8).saturating_add(b[n] as i8) as u8);
        [unsigned, signed as u32, u32::from_le_bytes(sums), u32::from_le_bytes(limited)]
    });
    let after: Vec<u32> = after.collect();
    Case::new([1, 1, 1]).input(pairs).output(after)
}
