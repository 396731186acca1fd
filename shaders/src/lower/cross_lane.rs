//! What lanes and warps do together: shuffles, atomics, barriers.
//!
//! Numbers and packing of the shuffles: Vortex 3 (2026), as `gpu_core::semantics::vote` has them.

use gpu_core::isa::csr::Csr;
use gpu_core::isa::{Extension, Op};

use crate::ir::{Atomic, Binary, Input, Kind, Operation, Shuffle, Unary, Value};
use crate::machine_code::{Action, Register};

use super::{Lowering, Once};

/// Clamp field that lets a shuffle reach every lane.
const EVERY_LANE: u32 = 63 << 6;
/// Segment and clamp fields for segments of four lanes.
const QUAD: u32 = 60 << 12 | EVERY_LANE;

impl Lowering<'_> {
    pub fn shuffle(&mut self, rd: Register, shuffle: Shuffle, a: Value, lane: Value) {
        let (op, fields) = match shuffle {
            Shuffle::Index => (Op::ShflIdx, EVERY_LANE),
            Shuffle::Xor => (Op::ShflBfly, EVERY_LANE),
            Shuffle::Down => (Op::ShflDown, EVERY_LANE),
            Shuffle::Up => (Op::ShflUp, 0),
            Shuffle::Quad => (Op::ShflIdx, QUAD),
        };
        let control = match self.constant_of(lane) {
            Some(lane) if shuffle == Shuffle::Quad => self.constant(Kind::Int, fields | lane & 3),
            // Lane 63 is on no machine, so a number above it means the same.
            Some(lane) => self.constant(Kind::Int, fields | lane.min(63)),
            None if self.known_control(lane, fields).is_some() => {
                self.known_control(lane, fields).expect("it was just found")
            }
            None => {
                let value = lane;
                let is_small = self.is_below_64(lane);
                let register = self.read(lane);
                let lane = match shuffle {
                    _ if is_small => register,
                    Shuffle::Quad => self.int(Op::Andi, &[register], 3),
                    _ => self.at_most_63(register),
                };
                if fields == 0 {
                    lane
                } else {
                    let bits = self.constant(Kind::Int, fields);
                    let control = self.int(Op::Or, &[lane, bits], 0);
                    self.controls.push((value, fields, control));
                    control
                }
            }
        };
        let a = self.read(a);
        self.instruction(op, rd, &[a, control], 0);
    }

    /// The control word of an earlier shuffle, if it was made where it can still be read.
    fn known_control(&self, lane: Value, fields: u32) -> Option<Register> {
        let found = self.controls.iter().find(|&&(value, other, _)| (value, other) == (lane, fields));
        found.map(|&(_, _, control)| control)
    }

    fn at_most_63(&mut self, lane: Register) -> Register {
        let most = self.constant(Kind::Int, 63);
        if self.has(Extension::Zbb) {
            return self.int(Op::Minu, &[lane, most], 0);
        }
        let is_less = self.int(Op::Sltiu, &[lane], 63);
        let rd = self.new_int();
        self.select_register(rd, is_less, lane, most);
        rd
    }

    /// Whether a value is surely less than 64.
    fn is_below_64(&self, value: Value) -> bool {
        match self.plan.operations[value.0 as usize] {
            Some(Operation::Constant(bits)) => bits < 64,
            Some(Operation::Input(Input::SubgroupInvocationId)) => true,
            Some(Operation::Unary(operation, _)) => matches!(
                operation,
                Unary::CountLeadingZeros | Unary::CountTrailingZeros | Unary::CountOneBits | Unary::LogicalNot
            ),
            Some(Operation::Binary(Binary::And | Binary::MinUnsigned, a, b)) => {
                self.is_below_64(a) || self.is_below_64(b)
            }
            Some(Operation::Binary(Binary::Xor | Binary::Or, a, b)) => self.is_below_64(a) && self.is_below_64(b),
            _ => false,
        }
    }

    pub fn broadcast_first(&mut self, rd: Register, a: Value) {
        let a = self.read(a);
        let active = self.read_csr(Csr::ActiveThreads);
        let first = self.new_int();
        if self.has(Extension::Zbb) {
            self.instruction(Op::Ctz, first, &[active], 0);
        } else {
            self.count_trailing_zeros(first, active);
        }
        let fields = self.constant(Kind::Int, EVERY_LANE);
        let control = self.int(Op::Or, &[first, fields], 0);
        self.instruction(Op::ShflIdx, rd, &[a, control], 0);
    }

    pub fn atomic(&mut self, rd: Register, operation: Atomic, address: Value, offset: i32, value: Value) {
        let op = match operation {
            Atomic::Add => Op::AmoAdd,
            Atomic::And => Op::AmoAnd,
            Atomic::Or => Op::AmoOr,
            Atomic::Xor => Op::AmoXor,
            Atomic::MinSigned => Op::AmoMin,
            Atomic::MinUnsigned => Op::AmoMinu,
            Atomic::MaxSigned => Op::AmoMax,
            Atomic::MaxUnsigned => Op::AmoMaxu,
            Atomic::Exchange => Op::AmoSwap,
        };
        let address = self.exact_address(address, offset);
        let value = self.read(value);
        self.instruction(op, rd, &[address, value], 0);
    }

    /// Lanes whose word does not match, or whose store came through, are done; the others try again. Of lanes at one
    /// word the lowest comes through in each round, because its store breaks only the others' reservations: so the
    /// loop ends.
    pub fn compare_exchange(&mut self, rd: Register, address: Value, offset: i32, compare: Value, value: Value) {
        let address = self.exact_address(address, offset);
        let (compare, value) = (self.read(compare), self.read(value));
        let all = self.read_csr(Csr::ActiveThreads);
        let old = self.new_int();
        self.push(Action::LoopBegin);
        let (top, end) = (self.code.label(), self.code.label());
        self.label(top);
        self.instruction(Op::LrW, old, &[address], 0);
        let difference = self.int(Op::Xor, &[old, compare], 0);
        let matches = self.int(Op::Sltiu, &[difference], 1);
        let storing = self.int(Op::VoteBallot, &[matches], 0);
        self.branch(Op::Beq, [storing, Register::Zero], end);
        self.narrow(storing);
        let failed = self.int(Op::ScW, &[address, value], 0);
        let again = self.int(Op::VoteBallot, &[failed], 0);
        self.branch(Op::Beq, [again, Register::Zero], end);
        self.narrow(again);
        self.push(Action::Jump(top));
        self.push(Action::LoopEnd);
        self.label(end);
        self.widen(all);
        self.move_register(Kind::Int, rd, old);
    }

    /// A workgroup of one warp has nothing to wait for.
    pub fn barrier(&mut self) {
        if self.resident > 1 {
            let slot = self.once(Once::Slot);
            let count = self.constant(Kind::Int, self.resident);
            self.instruction(Op::Bar, Register::Zero, &[slot, count], 0);
        }
    }
}
