//! What a region is, and what it is not.

use super::*;
use crate::units::{CoreId, LaneId, WarpId};

fn memory(regions: &[(u32, u32)]) -> Memory {
    let mut memory = Memory::new();
    for &(start, bytes) in regions {
        memory.map("test", Address(start), bytes, Access::ReadWrite).unwrap();
    }
    memory
}

#[test]
fn bounds_are_exact_to_the_byte() {
    let memory = memory(&[(0x1000, 5)]);
    assert_eq!(memory.load(Address(0x1004), 1), Some(0));
    for (address, bytes) in [(0xfff, 1), (0x1005, 1), (0x1004, 2), (0x1004, 4), (0xffc, 4), (0, 4)] {
        assert_eq!(memory.load(Address(address), bytes), None, "{address:#x}, {bytes} bytes");
        assert_eq!(memory.store(Address(address), bytes, 0), None, "{address:#x}, {bytes} bytes");
    }
    assert_eq!(memory.update(Address(0x1004), |word| word + 1), None);
}

#[test]
fn regions_that_share_a_page_are_told_apart() {
    let memory = memory(&[(0x2040, 64), (0x2000, 64), (0x2100, 0x2_0000), (0x2_2100, 4)]);
    memory.store(Address(0x203c), 4, 1).unwrap();
    memory.store(Address(0x2040), 4, 2).unwrap();
    memory.store(Address(0x3000), 4, 3).unwrap();
    memory.store(Address(0x1_0000), 4, 5).unwrap();
    memory.store(Address(0x2_2100), 4, 4).unwrap();
    for (address, expected) in [
        (0x203c, Some(1)),
        (0x2040, Some(2)),
        (0x2080, None),
        (0x3000, Some(3)),
        (0x2_2100, Some(4)),
        (0x1_0000, Some(5)),
        (0x2_2104, None),
    ] {
        assert_eq!(memory.load(Address(address), 4), expected, "{address:#x}");
    }
}

#[test]
fn a_region_can_end_the_address_space() {
    let memory = memory(&[(0xffff_0000, 0x1_0000)]);
    assert_eq!(memory.store(Address(0xffff_fffc), 4, 7), Some(true));
    assert_eq!(memory.load(Address(0xffff_ffff), 1), Some(0));
    assert_eq!(memory.load(Address(0), 1), None);
}

#[test]
fn overlaps_and_impossible_regions_are_refused_by_name() {
    let mut memory = memory(&[(0x1000, 0x100)]);
    let mut refuse = |start, bytes| {
        memory.map("new", Address(start), bytes, Access::ReadWrite).expect_err("must not fit").to_string()
    };
    let overlap = "overlaps region `test` at 0x00001000";
    assert!(refuse(0x10fc, 4).contains(overlap));
    assert!(refuse(0xffc, 5).contains(overlap));
    assert!(refuse(0x800, 0x2000).contains(overlap));
    assert_eq!(refuse(0, 0), "region `new` has no bytes");
    assert_eq!(refuse(2, 4), "region `new` starts at 0x00000002, which is no multiple of 4");
    assert!(refuse(0xffff_fffc, 5).contains("beyond the 32-bit address space"));
}

#[test]
fn an_unmapped_region_is_gone_and_its_neighbours_stay() {
    let mut memory = memory(&[(0x1000, 64), (0x1040, 64), (0x1080, 0x2000)]);
    memory.unmap(Address(0x1040)).unwrap();
    assert_eq!(memory.load(Address(0x1040), 4), None);
    assert_eq!(memory.load(Address(0x1000), 4), Some(0));
    assert_eq!(memory.load(Address(0x2000), 4), Some(0));
    assert!(memory.unmap(Address(0x1044)).is_err());
    assert_eq!(memory.find_gap(64, Address(0x1000), Address(0x8000)), Ok(Address(0x1040)));
    assert_eq!(memory.find_gap(65, Address(0x1000), Address(0x8000)), Ok(Address(0x3080)));
    assert_eq!(memory.find_gap(0x1_0000, Address(0x1000), Address(0x8000)), Err(0x8000 - 0x3080));
}

#[test]
fn bytes_and_halves_change_only_their_part_of_the_word() {
    let memory = memory(&[(0x1000, 8)]);
    memory.store(Address(0x1000), 4, 0x4433_2211).unwrap();
    assert_eq!(memory.load(Address(0x1001), 1), Some(0x22));
    assert_eq!(memory.load(Address(0x1002), 2), Some(0x4433));
    assert_eq!(memory.store(Address(0x1002), 1, 0xffff_ffaa), Some(true));
    assert_eq!(memory.store(Address(0x1002), 1, 0xaa), Some(false));
    assert_eq!(memory.store(Address(0x1000), 2, 0x1234_5678), Some(true));
    assert_eq!(memory.load(Address(0x1000), 4), Some(0x44aa_5678));
}

#[test]
fn the_host_reads_and_writes_at_any_byte() {
    let memory = memory(&[(0x1000, 16)]);
    memory.write(Address(0x1003), &[1, 2, 3, 4, 5, 6]).unwrap();
    let mut out = [0; 16];
    memory.read(Address(0x1000), &mut out).unwrap();
    assert_eq!(out, [0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0]);
    let mut part = [0; 2];
    memory.read(Address(0x1005), &mut part).unwrap();
    assert_eq!(part, [3, 4]);
    memory.read(Address(0x9000), &mut []).unwrap();
    let message = memory.write(Address(0x100f), &[0; 2]).unwrap_err().to_string();
    assert_eq!(message, "2 bytes at 0x0000100f lie outside every region");
}

#[test]
fn a_store_breaks_the_reservations_of_others_only() {
    let memory = memory(&[(0x1000, 16)]);
    let lane = |lane| LaneId { core: CoreId(0), warp: WarpId(0), lane };
    let elsewhere = LaneId { core: CoreId(1), warp: WarpId(0), lane: 0 };
    let reserve = |owner| memory.reserve(Reservation { owner, address: Address(0x1000), is_local: false });
    reserve(lane(0));
    reserve(lane(1));
    reserve(elsewhere);
    memory.break_reservations(lane(0), Address(0x1002), false);
    assert!(!memory.take_reservation(lane(1), Address(0x1000)));
    assert!(!memory.take_reservation(elsewhere, Address(0x1000)));
    assert!(memory.has_reservations());
    assert!(memory.take_reservation(lane(0), Address(0x1000)));
    assert!(!memory.has_reservations());
}
