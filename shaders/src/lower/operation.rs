//! One operation at a time: which instruction, or which few.
//!
//! Sources: RISC-V unprivileged specification (M, F, Zba, Zbb, Zicond, Zfa). What an extension would do in one
//! instruction and the machine lacks is in `sequences`.

use gpu_core::isa::{Extension, Op};
use texture::Form;

use crate::ir::{Binary, Kind, Operation, Space, Unary, Value, Variable};
use crate::machine_code::{Action, Line, MachineInstruction, Register, Remake};

use super::plan::Place;
use super::{Lowering, is_one_instruction};
use crate::options::Mutation;

/// Rounding modes (RISC-V F, "Rounding mode encoding").
pub const NEAREST: u8 = 0;
pub const TOWARD_ZERO: u8 = 1;
pub const DOWN: u8 = 2;
pub const UP: u8 = 3;

impl Lowering<'_> {
    /// Computes a value into its place.
    pub fn define(&mut self, value: Value, operation: &Operation) {
        let rd = match (self.plan.places[value.0 as usize], operation) {
            (Place::Constant(_) | Place::Folded, _) | (Place::Variable(_), Operation::Get(_)) => return,
            (Place::Variable(variable), _) => self.variables[variable.0 as usize],
            (Place::Own, Operation::Input(_) | Operation::BindingAddress(_) | Operation::BindingLength(_)) => {
                let register = self.once_of(operation);
                self.values[value.0 as usize] = Some(register);
                return;
            }
            (Place::Own, _) => {
                let rd = self.code.register(self.kind(value));
                self.values[value.0 as usize] = Some(rd);
                rd
            }
        };
        self.compute(rd, self.kind(value), operation);
        if let (Place::Own, Operation::Load { space, .. }) = (self.plan.places[value.0 as usize], operation)
            && (*space == Space::GlobalReadOnly || self.options.plants(Mutation::RemakeWritten))
        {
            self.loaded(rd);
        }
    }

    /// Notes where the last line loaded its register from, if that address is written where it is.
    fn loaded(&mut self, rd: Register) {
        if let Some(Line { action: Action::Machine(load), .. }) = self.sections[self.section as usize].last()
            && let &MachineInstruction { rs: [base @ Register::Virtual(_), ..], imm: offset, .. } = load
            && !self.variables.contains(&base)
        {
            self.remake(rd, Remake::Load { base, offset });
        }
    }

    /// Writes a variable.
    pub fn set(&mut self, variable: Variable, value: Value) {
        let rd = self.variables[variable.0 as usize];
        let kind = self.kind(value);
        match self.plan.places[value.0 as usize] {
            // It was computed there.
            Place::Variable(other) if other == variable => {}
            Place::Constant(bits) => self.set_constant(rd, kind, bits),
            _ => {
                let from = self.read(value);
                self.move_register(kind, rd, from);
            }
        }
    }

    /// The cheapest way to a constant in a register of its own.
    fn set_constant(&mut self, rd: Register, kind: Kind, bits: u32) {
        if is_one_instruction(kind, bits, self.has(Extension::Zfa)) {
            self.load_constant(rd, kind, bits);
        } else {
            let from = self.constant(kind, bits);
            self.move_register(kind, rd, from);
        }
    }

    /// Computes an operation into a register, writing it with the last instruction.
    pub fn compute(&mut self, rd: Register, kind: Kind, operation: &Operation) {
        match *operation {
            Operation::Constant(bits) => self.load_constant(rd, kind, bits),
            Operation::Get(variable) => self.move_register(kind, rd, self.variables[variable.0 as usize]),
            Operation::Input(_) | Operation::BindingAddress(_) | Operation::BindingLength(_) => {
                let from = self.once_of(operation);
                self.move_register(Kind::Int, rd, from);
            }
            Operation::Unary(operation, a) => self.unary(rd, operation, a),
            Operation::Binary(operation, a, b) => self.binary(rd, operation, a, b),
            Operation::FusedMultiplyAdd(a, b, c) => self.fused_multiply_add(rd, [a, b, c]),
            Operation::MultiplyShiftAdd { operands, shift } => {
                let rs = operands.map(|operand| self.read(operand));
                let instruction = MachineInstruction { rd, rs, funct2: shift, ..MachineInstruction::new(Op::Imadd) };
                self.push(Action::Machine(instruction));
            }
            Operation::Texture { form, stage, operands } => {
                let rs = operands.map(|operand| self.read(operand));
                let op = match form {
                    Form::Level => Op::Tex,
                    Form::Lookup => Op::Texl,
                    Form::Channel => Op::Texf,
                };
                let instruction = MachineInstruction { rd, rs, funct2: stage, ..MachineInstruction::new(op) };
                self.push(Action::Machine(instruction));
            }
            Operation::Select { condition, accept, reject } => {
                debug_assert_eq!(kind, Kind::Int, "legalize makes selects of bits");
                self.select(rd, condition, accept, reject);
            }
            Operation::Load { address, offset, .. } => {
                let (base, offset) = self.address(address, offset);
                let op = if kind == Kind::Int { Op::Lw } else { Op::Flw };
                self.instruction(op, rd, &[base], offset);
            }
            Operation::Ballot(a) => self.vote(rd, Op::VoteBallot, a),
            Operation::Any(a) => self.vote(rd, Op::VoteAny, a),
            Operation::All(a) => self.vote(rd, Op::VoteAll, a),
            Operation::Atomic { operation, address, offset, value, .. } => {
                self.atomic(rd, operation, address, offset, value);
            }
            Operation::CompareExchange { address, offset, compare, value, .. } => {
                self.compare_exchange(rd, address, offset, compare, value);
            }
            Operation::BroadcastFirst(a) => self.broadcast_first(rd, a),
            Operation::Shuffle(shuffle, a, lane) => self.shuffle(rd, shuffle, a, lane),
        }
    }

    fn vote(&mut self, rd: Register, op: Op, a: Value) {
        let a = self.read(a);
        self.instruction(op, rd, &[a], 0);
    }

    fn unary(&mut self, rd: Register, operation: Unary, a: Value) {
        let zbb = self.has(Extension::Zbb);
        let a = self.read(a);
        match operation {
            Unary::Negate => self.instruction(Op::Sub, rd, &[Register::Zero, a], 0),
            Unary::Not => self.instruction(Op::Xori, rd, &[a], -1),
            Unary::LogicalNot => self.instruction(Op::Sltiu, rd, &[a], 1),
            Unary::CountOneBits if zbb => self.instruction(Op::Cpop, rd, &[a], 0),
            Unary::CountLeadingZeros if zbb => self.instruction(Op::Clz, rd, &[a], 0),
            Unary::CountTrailingZeros if zbb => self.instruction(Op::Ctz, rd, &[a], 0),
            Unary::CountOneBits => self.count_ones(rd, a),
            Unary::CountLeadingZeros => self.count_leading_zeros(rd, a),
            Unary::CountTrailingZeros => self.count_trailing_zeros(rd, a),
            Unary::ReverseBits => self.reverse_bits(rd, a),
            Unary::FloatNegate => self.instruction(Op::Fsgnjn, rd, &[a, a], 0),
            Unary::FloatAbs => self.instruction(Op::Fsgnjx, rd, &[a, a], 0),
            Unary::FloatSqrt => self.rounding(Op::Fsqrt, rd, &[a], NEAREST),
            Unary::Transcendental(op) => self.rounding(op, rd, &[a], NEAREST),
            Unary::FloatFloor if self.options.plants(Mutation::TruncateFloor) => self.round(rd, a, TOWARD_ZERO),
            Unary::FloatFloor => self.round(rd, a, DOWN),
            Unary::FloatCeil => self.round(rd, a, UP),
            Unary::FloatTrunc => self.round(rd, a, TOWARD_ZERO),
            Unary::FloatRound => self.round(rd, a, NEAREST),
            Unary::FloatToSigned => self.rounding(Op::FcvtWS, rd, &[a], TOWARD_ZERO),
            Unary::FloatToUnsigned => self.rounding(Op::FcvtWuS, rd, &[a], TOWARD_ZERO),
            Unary::FloatToSignedNearest => self.rounding(Op::FcvtWS, rd, &[a], NEAREST),
            Unary::FloatToUnsignedNearest => self.rounding(Op::FcvtWuS, rd, &[a], NEAREST),
            Unary::SignedToFloat => self.rounding(Op::FcvtSW, rd, &[a], NEAREST),
            Unary::UnsignedToFloat => self.rounding(Op::FcvtSWu, rd, &[a], NEAREST),
            Unary::FloatToBits => self.instruction(Op::FmvXW, rd, &[a], 0),
            Unary::BitsToFloat => self.instruction(Op::FmvWX, rd, &[a], 0),
        }
    }

    fn round(&mut self, rd: Register, a: Register, rm: u8) {
        if self.has(Extension::Zfa) {
            self.rounding(Op::Fround, rd, &[a], rm);
        } else {
            self.round_by_conversion(rd, a, rm);
        }
    }

    fn fused_multiply_add(&mut self, rd: Register, operands: [Value; 3]) {
        let mut negate_product = false;
        let mut negate_addend = false;
        let mut rs = [Register::Zero; 3];
        for (index, operand) in operands.into_iter().enumerate() {
            // RISC-V F: fnmsub is -(a·b) + c, which is (-a)·b + c, as a sign is not rounded.
            rs[index] = match self.folded(operand) {
                Some(Operation::Unary(Unary::FloatNegate, inner)) => {
                    if index == 2 {
                        negate_addend = true;
                    } else {
                        negate_product = !negate_product;
                    }
                    self.read(inner)
                }
                _ => self.read(operand),
            };
        }
        let op = match (negate_product, negate_addend) {
            (false, false) => Op::Fmadd,
            (false, true) => Op::Fmsub,
            (true, false) => Op::Fnmsub,
            (true, true) => Op::Fnmadd,
        };
        self.rounding(op, rd, &rs, NEAREST);
    }

    fn binary(&mut self, rd: Register, operation: Binary, a: Value, b: Value) {
        let simple = match operation {
            Binary::Add => return self.add(rd, a, b),
            Binary::Subtract => {
                if let Some(bits) = self.constant_of(b)
                    && let negated = (bits as i32).wrapping_neg()
                    && (-2048..2048).contains(&negated)
                {
                    let a = self.read(a);
                    return self.instruction(Op::Addi, rd, &[a], negated);
                }
                Op::Sub
            }
            Binary::Multiply => {
                for (a, b) in [(a, b), (b, a)] {
                    if let Some(bits) = self.constant_of(b)
                        && bits.is_power_of_two()
                    {
                        let a = self.read(a);
                        return self.instruction(Op::Slli, rd, &[a], bits.trailing_zeros() as i32);
                    }
                }
                Op::Mul
            }
            Binary::MultiplyHighSigned => Op::Mulh,
            Binary::MultiplyHighUnsigned => Op::Mulhu,
            Binary::DivideSigned => Op::Div,
            Binary::DivideUnsigned => Op::Divu,
            Binary::RemainderSigned => Op::Rem,
            Binary::RemainderUnsigned => Op::Remu,
            Binary::And | Binary::Or | Binary::Xor => return self.logic(rd, operation, a, b),
            Binary::ShiftLeft => return self.shift(rd, Op::Slli, Op::Sll, a, b),
            Binary::ShiftRightSigned => return self.shift(rd, Op::Srai, Op::Sra, a, b),
            Binary::ShiftRightUnsigned => return self.shift(rd, Op::Srli, Op::Srl, a, b),
            Binary::MinSigned => return self.extremum(rd, Op::Min, (Op::Slt, false), a, b),
            Binary::MinUnsigned => return self.extremum(rd, Op::Minu, (Op::Sltu, false), a, b),
            Binary::MaxSigned => return self.extremum(rd, Op::Max, (Op::Slt, true), a, b),
            Binary::MaxUnsigned => return self.extremum(rd, Op::Maxu, (Op::Sltu, true), a, b),
            Binary::Equal | Binary::NotEqual => return self.equal(rd, operation == Binary::Equal, a, b),
            Binary::LessSigned | Binary::LessUnsigned => {
                let is_signed = operation == Binary::LessSigned;
                if let Some(bound) = self.immediate(b) {
                    let a = self.read(a);
                    return self.instruction(if is_signed { Op::Slti } else { Op::Sltiu }, rd, &[a], bound);
                }
                if is_signed { Op::Slt } else { Op::Sltu }
            }
            Binary::LessEqualSigned => return self.less_equal(rd, [Op::Slt, Op::Slti], a, b),
            Binary::LessEqualUnsigned => return self.less_equal(rd, [Op::Sltu, Op::Sltiu], a, b),
            Binary::FloatAdd if self.options.plants(Mutation::Contract) => return self.contracted(rd, a, b),
            Binary::FloatAdd => return self.float(rd, Op::Fadd, a, b),
            Binary::FloatSubtract => return self.float(rd, Op::Fsub, a, b),
            Binary::FloatMultiply => return self.float(rd, Op::Fmul, a, b),
            Binary::FloatDivide => return self.float(rd, Op::Fdiv, a, b),
            Binary::Transcendental(op) => return self.float(rd, op, a, b),
            Binary::FloatMin => Op::Fmin,
            Binary::FloatMax => Op::Fmax,
            Binary::FloatCopySign => Op::Fsgnj,
            Binary::FloatEqual => Op::Feq,
            Binary::FloatLess => Op::Flt,
            Binary::FloatLessEqual => Op::Fle,
            Binary::FloatNotEqual => {
                let (a, b) = (self.read(a), self.read(b));
                let equal = self.int(Op::Feq, &[a, b], 0);
                return self.instruction(Op::Xori, rd, &[equal], 1);
            }
        };
        let (a, b) = (self.read(a), self.read(b));
        self.instruction(simple, rd, &[a, b], 0);
    }

    /// A planted fault: no rounding between a multiplication and an addition.
    fn contracted(&mut self, rd: Register, a: Value, b: Value) {
        match self.plan.operations[a.0 as usize] {
            Some(Operation::Binary(Binary::FloatMultiply, x, y)) => self.fused_multiply_add(rd, [x, y, b]),
            _ => self.float(rd, Op::Fadd, a, b),
        }
    }

    fn float(&mut self, rd: Register, op: Op, a: Value, b: Value) {
        let (a, b) = (self.read(a), self.read(b));
        self.rounding(op, rd, &[a, b], NEAREST);
    }

    fn add(&mut self, rd: Register, a: Value, b: Value) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(imm) = self.immediate(b) {
                let a = self.read(a);
                return self.instruction(Op::Addi, rd, &[a], imm);
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(Operation::Binary(Binary::ShiftLeft, inner, count)) = self.folded(a) {
                let op = match self.constant_of(count) {
                    Some(1) => Op::Sh1add,
                    Some(2) if self.options.plants(Mutation::ShortShiftAdd) => Op::Sh1add,
                    Some(2) => Op::Sh2add,
                    _ => Op::Sh3add,
                };
                let (inner, b) = (self.read(inner), self.read(b));
                return self.instruction(op, rd, &[inner, b], 0);
            }
        }
        let (a, b) = (self.read(a), self.read(b));
        self.instruction(Op::Add, rd, &[a, b], 0);
    }

    fn logic(&mut self, rd: Register, operation: Binary, a: Value, b: Value) {
        let (plain, immediate, inverted) = match operation {
            Binary::And => (Op::And, Op::Andi, Op::Andn),
            Binary::Or => (Op::Or, Op::Ori, Op::Orn),
            _ => (Op::Xor, Op::Xori, Op::Xnor),
        };
        for (a, b) in [(a, b), (b, a)] {
            if let Some(imm) = self.immediate(b) {
                let a = self.read(a);
                return self.instruction(immediate, rd, &[a], imm);
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(Operation::Unary(Unary::Not, inner)) = self.folded(b) {
                let (a, inner) = (self.read(a), self.read(inner));
                let rs = if self.options.plants(Mutation::InvertOther) { [inner, a] } else { [a, inner] };
                return self.instruction(inverted, rd, &rs, 0);
            }
        }
        let (a, b) = (self.read(a), self.read(b));
        self.instruction(plain, rd, &[a, b], 0);
    }

    fn shift(&mut self, rd: Register, immediate: Op, plain: Op, a: Value, count: Value) {
        let a = self.read(a);
        match self.constant_of(count) {
            Some(count) => self.instruction(immediate, rd, &[a], (count & 31) as i32),
            None => {
                let count = self.read(count);
                self.instruction(plain, rd, &[a, count], 0);
            }
        }
    }

    fn equal(&mut self, rd: Register, sense: bool, a: Value, b: Value) {
        let (a, b) = if self.constant_of(a).is_some() { (b, a) } else { (a, b) };
        let difference = match self.constant_of(b).map(|bits| (bits as i32).wrapping_neg()) {
            Some(0) => self.read(a),
            Some(negated) if (-2048..2048).contains(&negated) => {
                let a = self.read(a);
                self.int(Op::Addi, &[a], negated)
            }
            _ => {
                let (a, b) = (self.read(a), self.read(b));
                self.int(Op::Xor, &[a, b], 0)
            }
        };
        if sense {
            self.instruction(Op::Sltiu, rd, &[difference], 1);
        } else {
            self.instruction(Op::Sltu, rd, &[Register::Zero, difference], 0);
        }
    }

    fn less_equal(&mut self, rd: Register, [less, less_immediate]: [Op; 2], a: Value, b: Value) {
        // a <= b is a < b + 1 where that does not wrap.
        if let Some(bound) = self.immediate(b)
            && bound < 2047
            && (less == Op::Slt || bound != -1)
        {
            let a = self.read(a);
            let bound = if self.options.plants(Mutation::TightBound) { bound } else { bound + 1 };
            return self.instruction(less_immediate, rd, &[a], bound);
        }
        let greater = match self.immediate(a) {
            Some(bound) => {
                let b = self.read(b);
                self.int(less_immediate, &[b], bound)
            }
            None => {
                let (a, b) = (self.read(a), self.read(b));
                self.int(less, &[b, a], 0)
            }
        };
        self.instruction(Op::Xori, rd, &[greater], 1);
    }

    fn extremum(&mut self, rd: Register, op: Op, (less, is_maximum): (Op, bool), a: Value, b: Value) {
        let (a, b) = (self.read(a), self.read(b));
        if self.has(Extension::Zbb) {
            let op = match op {
                Op::Min if self.options.plants(Mutation::UnsignedExtremum) => Op::Minu,
                Op::Max if self.options.plants(Mutation::UnsignedExtremum) => Op::Maxu,
                op => op,
            };
            return self.instruction(op, rd, &[a, b], 0);
        }
        let is_less = self.int(less, &[a, b], 0);
        let (accept, reject) = if is_maximum { (b, a) } else { (a, b) };
        self.select_register(rd, is_less, accept, reject);
    }

    fn select(&mut self, rd: Register, condition: Value, accept: Value, reject: Value) {
        let condition = self.read(condition);
        let (accept, reject) = (self.read(accept), self.read(reject));
        let swaps = self.options.plants(Mutation::SwapSelect);
        let (accept, reject) = if swaps { (reject, accept) } else { (accept, reject) };
        self.select_register(rd, condition, accept, reject);
    }

    /// The base register and the 12-bit offset of an access.
    pub fn address(&mut self, address: Value, offset: i32) -> (Register, i32) {
        if let Some(bits) = self.constant_of(address) {
            let whole = bits.wrapping_add(offset as u32) as i32;
            let low = whole << 20 >> 20;
            return (self.constant(Kind::Int, whole.wrapping_sub(low) as u32), low);
        }
        let base = self.read(address);
        if (-2048..2048).contains(&offset) {
            return (base, offset);
        }
        let low = offset << 20 >> 20;
        let high = self.constant(Kind::Int, offset.wrapping_sub(low) as u32);
        (self.int(Op::Add, &[base, high], 0), low)
    }

    /// The address of an atomic, which has no offset.
    pub fn exact_address(&mut self, address: Value, offset: i32) -> Register {
        let (base, low) = self.address(address, offset);
        if low == 0 { base } else { self.int(Op::Addi, &[base], low) }
    }

    /// Writes a word.
    pub fn store(&mut self, address: Value, offset: i32, value: Value) {
        let (base, offset) = self.address(address, offset);
        // A constant is stored from the integer file whatever it is: that file makes constants sooner.
        let (op, from) = match self.constant_of(value) {
            Some(bits) => (Op::Sw, self.constant(Kind::Int, bits)),
            None if self.kind(value) == Kind::Int => (Op::Sw, self.read(value)),
            None => (Op::Fsw, self.read(value)),
        };
        self.instruction(op, Register::Zero, &[base, from], offset);
    }
}
