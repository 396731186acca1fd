//! Sorting and searching: memory that is written where it was read, and control flow that depends on it.

use super::Case;
use super::numbers::{below, hash, signed, words};

programs! {
    bitonic_sort;
    odd_even_sort;
    insertion_sort;
    rank_sort;
    quicksort;
    binary_search;
    string_search;
    merge_paths;
}

fn bitonic_sort(_: u32) -> Case {
    let before = words(1, 128);
    let after = before.chunks(64).flat_map(|group| {
        let mut group = group.to_vec();
        group.sort_unstable();
        group
    });
    let after = after.collect();
    Case::new([2, 1, 1]).changed(before, after)
}

fn odd_even_sort(_: u32) -> Case {
    let before: Vec<i32> = words(2, 32).iter().map(|word| *word as i32 >> 20).collect();
    let mut after = before.clone();
    after.sort_unstable();
    Case::new([1, 1, 1]).changed(signed(&before), signed(&after))
}

fn insertion_sort(_: u32) -> Case {
    let before = below(20, 3, 32 * 9);
    let after = before.chunks(9).flat_map(|slice| {
        let mut slice = slice.to_vec();
        slice.sort_unstable();
        slice
    });
    let after = after.collect::<Vec<_>>();
    Case::new([1, 1, 1]).input(before).output(after)
}

fn rank_sort(_: u32) -> Case {
    // Keys repeat; the low bits tell where each was, so that an unstable sort would show.
    let before: Vec<u32> = (0..48).map(|n| (hash(n, 4) % 10) << 16 | n).collect();
    let mut after = before.clone();
    after.sort_by_key(|word| word >> 16);
    Case::new([3, 1, 1]).input(before).output(after)
}

fn quicksort(_: u32) -> Case {
    let before = below(1000, 5, 16 * 13);
    let mut after = before.clone();
    after.chunks_mut(13).for_each(|slice| slice.sort_unstable_by(|a, b| b.cmp(a)));
    Case::new([1, 1, 1]).changed(before, after)
}

fn binary_search(_: u32) -> Case {
    let mut sorted = below(300, 6, 100);
    sorted.sort_unstable();
    let wanted = below(320, 7, 64);
    let found: Vec<u32> = wanted.iter().map(|key| sorted.partition_point(|word| word < key) as u32).collect();
    Case::new([2, 1, 1]).input(sorted).input(wanted).output(found)
}

/// A text of few letters, so that there is much to compare.
fn text() -> Vec<u8> {
    (0..160).map(|n| b"abaabc"[hash(n, 8) as usize % 6]).collect()
}

fn string_search(_: u32) -> Case {
    let (text, pattern) = (text(), b"abaa");
    let packed: Vec<u32> = text.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let places: Vec<u32> = (0..text.len() as u32).filter(|at| text[*at as usize..].starts_with(pattern)).collect();
    assert!(places.len() > 2, "a search that finds nothing shows little");
    let (first, last) = (places[0], places[places.len() - 1]);
    let results = vec![places.len() as u32, first, last];
    Case::new([5, 1, 1]).input(packed).changed(vec![0, u32::MAX, 0], results)
}

fn merge_paths(_: u32) -> Case {
    let (mut a, mut b) = (below(200, 9, 40), below(200, 10, 24));
    a.sort_unstable();
    b.sort_unstable();
    let mut merged = [a.clone(), b.clone()].concat();
    merged.sort_unstable();
    Case::new([2, 1, 1]).input(a).input(b).output(merged)
}
