//! Votes and shuffles: lanes learn of each other.
//!
//! An inactive source lane, and one outside the warp or the segment, yields the reader's own value; results go to
//! active lanes. Numbers and packing of Vortex 3 (2026): rs2 = segment mask << 12 | clamp << 6 | b, each of 6 bits and
//! read in the lane that it steers.

use super::warp::Warp;
use crate::isa::encoding::Instruction;
use crate::units::{MAX_LANES, ThreadMask};

/// rd = `f(ballot, active lanes)`, the ballot being the active lanes whose rs1 is not zero.
pub(super) fn vote(warp: &mut Warp, i: &Instruction, f: impl Fn(ThreadMask, ThreadMask) -> u32) {
    let mask = warp.mask;
    let operand = warp.integer(i.rs1);
    let mut ballot = ThreadMask::EMPTY;
    for lane in mask.lanes().filter(|&lane| operand[lane] != 0) {
        ballot.insert(lane);
    }
    warp.set_integer(i.rd, &[f(ballot, mask); MAX_LANES], mask);
}

/// rd = 1 if rs1 is equal in all active lanes.
pub(super) fn vote_uniform(warp: &mut Warp, i: &Instruction) {
    let mask = warp.mask;
    let operand = warp.integer(i.rs1);
    let first = mask.lowest().map_or(0, |lane| operand[lane]);
    let is_uniform = mask.lanes().all(|lane| operand[lane] == first);
    warp.set_integer(i.rd, &[is_uniform.into(); MAX_LANES], mask);
}

/// Which way a shuffle counts its source lane.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// lane − b, if that is not below the segment's start (with the usual clamp of 0).
    Up,
    /// lane + b, if that is not past the segment's last lane.
    Down,
    /// lane ^ b, likewise.
    Butterfly,
    /// b within the lane's segment, likewise.
    Index,
}

/// rd = rs1 of the lane that `direction` and rs2 name.
pub(super) fn shuffle(warp: &mut Warp, i: &Instruction, direction: Direction, lane_count: usize) {
    let mask = warp.mask;
    let (values, controls) = (warp.integer(i.rs1), warp.integer(i.rs2));
    let mut result = [0; MAX_LANES];
    for lane in mask.lanes() {
        let source = source_lane(direction, lane, controls[lane]);
        let is_readable = source.is_some_and(|source| source < lane_count && mask.contains(source));
        result[lane] = values[source.filter(|_| is_readable).unwrap_or(lane)];
    }
    warp.set_integer(i.rd, &result, mask);
}

/// The lane that `lane` reads from; `None` outside its segment.
fn source_lane(direction: Direction, lane: usize, control: u32) -> Option<usize> {
    let (lane, b) = (lane as i32, (control & 63) as i32);
    let (clamp, segment) = ((control >> 6 & 63) as i32, (control >> 12 & 63) as i32);
    let first = lane & segment;
    let last = first | clamp & !segment;
    let (source, is_inside) = match direction {
        Direction::Up => (lane - b, lane - b >= last),
        Direction::Down => (lane + b, lane + b <= last),
        Direction::Butterfly => (lane ^ b, lane ^ b <= last),
        Direction::Index => {
            let source = first | b & !segment;
            (source, source <= last)
        }
    };
    if is_inside { usize::try_from(source).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::table::Op;

    fn control(segment: u32, clamp: u32, b: u32) -> u32 {
        segment << 12 | clamp << 6 | b
    }

    /// Lanes hold 10, 11, …; gives what each lane reads with the same control word.
    fn shuffled(lanes: u32, mask: u64, direction: Direction, control: u32) -> Vec<u32> {
        let mut warp = Warp::new(lanes);
        warp.set_mask(ThreadMask::first(lanes));
        let values: [u32; MAX_LANES] = std::array::from_fn(|lane| 10 + lane as u32);
        warp.set_integer(1, &values, ThreadMask::first(lanes));
        warp.set_integer(2, &[control; MAX_LANES], ThreadMask::first(lanes));
        warp.set_mask(ThreadMask(mask));
        shuffle(
            &mut warp,
            &Instruction { rd: 3, rs1: 1, rs2: 2, ..Instruction::new(Op::ShflIdx) },
            direction,
            lanes as usize,
        );
        warp.integer(3)[..lanes as usize].to_vec()
    }

    #[test]
    fn shuffles_move_values_between_lanes() {
        assert_eq!(shuffled(4, 0xf, Direction::Index, control(0, 63, 2)), [12; 4]);
        assert_eq!(shuffled(4, 0xf, Direction::Up, control(0, 0, 1)), [10, 10, 11, 12]);
        assert_eq!(shuffled(4, 0xf, Direction::Down, control(0, 63, 1)), [11, 12, 13, 13]);
        assert_eq!(shuffled(4, 0xf, Direction::Butterfly, control(0, 63, 1)), [11, 10, 13, 12]);
    }

    #[test]
    fn segments_and_clamps_keep_readers_inside() {
        // Segments of two lanes: mask 0b11_1110 leaves the lowest bit of the lane free.
        assert_eq!(shuffled(4, 0xf, Direction::Index, control(0b11_1110, 63, 0)), [10, 10, 12, 12]);
        assert_eq!(shuffled(4, 0xf, Direction::Down, control(0b11_1110, 63, 1)), [11, 11, 13, 13]);
        assert_eq!(shuffled(4, 0xf, Direction::Up, control(0b11_1110, 0, 1)), [10, 10, 12, 12]);
        // A clamp of 2: lane 3 is not read.
        assert_eq!(shuffled(4, 0xf, Direction::Down, control(0, 2, 1)), [11, 12, 12, 13]);
    }

    /// "Votes and shuffles: an inactive source lane yields the reader's own value; results go to active lanes."
    #[test]
    fn an_inactive_source_lane_yields_the_readers_own_value() {
        assert_eq!(shuffled(4, 0b1011, Direction::Index, control(0, 63, 2)), [10, 11, 0, 13]);
        // Lanes past the warp's end are never active.
        assert_eq!(shuffled(4, 0xf, Direction::Index, control(0, 63, 40)), [10, 11, 12, 13]);
    }

    #[test]
    fn votes_see_active_lanes_only() {
        let mut warp = Warp::new(4);
        warp.set_mask(ThreadMask(0xf));
        let values: [u32; MAX_LANES] = std::array::from_fn(|lane| [5, 0, 5, 7].get(lane).copied().unwrap_or(0));
        warp.set_integer(1, &values, ThreadMask(0xf));
        warp.set_mask(ThreadMask(0b0111));
        let i = Instruction { rd: 2, rs1: 1, ..Instruction::new(Op::VoteBallot) };
        vote(&mut warp, &i, |ballot, _| ballot.0 as u32);
        assert_eq!(warp.integer(2), [0b101, 0b101, 0b101, 0]);
        vote_uniform(&mut warp, &i);
        assert_eq!(warp.integer(2)[0], 0);
        warp.set_mask(ThreadMask(0b0101));
        vote_uniform(&mut warp, &i);
        assert_eq!(warp.integer(2)[0], 1);
    }
}
