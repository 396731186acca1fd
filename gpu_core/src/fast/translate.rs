//! Arithmetic as host code: what the commonest instructions do to the rows of their registers.
//!
//! Before: `calls` goes through the operations of a block. After: host code that does what [`Frame::execute`] does, or
//! `false`: the instruction's handler is to be called.
//! Nothing here is told twice without a test: `differential` runs random programs on this code and on the plain engine.
//!
//! [`Frame::execute`]: super::frame::Frame::execute

use super::host_code::{HostCode, Shift, Vector, Ymm};
use super::operation::Operation;
use super::row_cache::{RowCache, Value};
use crate::isa::float_constants;
use crate::isa::table::Op;
use crate::semantics::float::{CANONICAL_NAN, Rounding, SIGN};

/// Comparisons of floats, as `vcmpps` numbers them; none of them minds a quiet NaN.
const EQUAL: u8 = 0;
const UNORDERED: u8 = 3;
const NOT_LESS: u8 = 0x15;
const LESS: u8 = 0x11;
const AT_LEAST: u8 = 0x1d;
const LESS_OR_EQUAL: u8 = 0x12;

/// A stretch of host code in the making, for full warps or for some lanes of a warp.
pub(super) struct Translator {
    pub code: HostCode,
    pub cache: RowCache,
    /// Some lanes may be inactive: results are blended into their registers.
    pub is_masked: bool,
}

impl Translator {
    pub fn new(chunks: u8) -> Self {
        Self { code: HostCode::default(), cache: RowCache::new(chunks), is_masked: false }
    }

    pub fn row(&mut self, register: u8, chunk: u8) -> Ymm {
        self.cache.get(&mut self.code, Value::Row { register, chunk })
    }

    pub fn constant(&mut self, word: u32) -> Ymm {
        self.cache.get(&mut self.code, Value::Constant(word))
    }

    pub fn fresh(&mut self) -> Ymm {
        self.cache.fresh(&mut self.code)
    }

    /// A new host register with `a ∘ b`.
    pub fn vector(&mut self, op: Vector, a: Ymm, b: Ymm) -> Ymm {
        let to = self.fresh();
        self.code.vector(op, to, a, b);
        to
    }

    fn unary(&mut self, op: Vector, a: Ymm) -> Ymm {
        let to = self.fresh();
        self.code.unary(op, to, a);
        to
    }

    fn vector_with(&mut self, op: Vector, a: Ymm, b: Ymm, more: u8) -> Ymm {
        let to = self.fresh();
        self.code.vector_with(op, to, a, b, more);
        to
    }

    fn shift(&mut self, shift: Shift, a: Ymm, count: u32) -> Ymm {
        let to = self.fresh();
        self.code.shift(shift, to, a, (count & 63) as u8);
        to
    }

    fn blend(&mut self, mask: Ymm, yes: Ymm, no: Ymm) -> Ymm {
        let to = self.fresh();
        self.code.blend(to, mask, yes, no);
        to
    }

    /// A row has been computed: it becomes the register's, in the active lanes.
    pub fn put(&mut self, register: u8, chunk: u8, new: Ymm) {
        let new = if self.is_masked {
            let old = self.row(register, chunk);
            let mask = self.cache.get(&mut self.code, Value::Mask(chunk));
            self.blend(mask, new, old)
        } else {
            new
        };
        self.cache.bind(register, chunk, new);
    }

    /// `rd = f(sources)`, row by row; once if all lanes are equal.
    fn each<const N: usize>(&mut self, rd: u8, sources: [u8; N], f: impl Fn(&mut Self, [Ymm; N]) -> Ymm) {
        let chunks = self.cache.chunks;
        if !self.is_masked && sources.iter().all(|register| self.cache.is_uniform(*register)) {
            let values = sources.map(|register| self.row(register, 0));
            let result = f(self, values);
            self.cache.set_uniform(result);
            for chunk in 0..chunks {
                self.cache.bind(rd, chunk, result);
            }
            self.cache.release();
            return;
        }
        for chunk in 0..chunks {
            let values = sources.map(|register| self.row(register, chunk));
            let result = f(self, values);
            self.put(rd, chunk, result);
            self.cache.release();
        }
    }

    /// Writes the code of an instruction that only computes; `false`, and nothing written, if it is none of those known
    /// here.
    pub fn arithmetic(&mut self, o: &Operation) -> bool {
        if o.op == Op::Addi && o.rd == 0 {
            return true;
        }
        self.integer(o) || self.float(o)
    }

    /// A word in all lanes.
    pub fn set(&mut self, o: &Operation, word: u32) {
        self.each(o.rd, [], |t, []| t.constant(word));
    }

    fn simple(&mut self, o: &Operation, op: Vector) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| t.vector(op, a, b));
    }

    fn immediate(&mut self, o: &Operation, op: Vector) {
        self.each(o.rd, [o.rs1], |t, [a]| {
            let b = t.constant(o.immediate);
            t.vector(op, a, b)
        });
    }

    fn shift_by(&mut self, o: &Operation, shift: Shift) {
        self.each(o.rd, [o.rs1], |t, [a]| t.shift(shift, a, o.immediate & 31));
    }

    fn shift_each(&mut self, o: &Operation, op: Vector) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
            let bits = t.constant(31);
            let count = t.vector(Vector::AND, b, bits);
            t.vector(op, a, count)
        });
    }

    /// All ones where `a < b`, unsigned.
    pub fn below(&mut self, a: Ymm, b: Ymm) -> Ymm {
        let sign = self.constant(SIGN);
        let a = self.vector(Vector::XOR, a, sign);
        let b = self.vector(Vector::XOR, b, sign);
        self.vector(Vector::GREATER, b, a)
    }

    /// All ones become one.
    fn flag(&mut self, ones: Ymm) -> Ymm {
        self.shift(Shift::RIGHT, ones, 31)
    }

    fn shifted_add(&mut self, o: &Operation, count: u32) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
            let a = t.shift(Shift::LEFT, a, count);
            t.vector(Vector::ADD, a, b)
        });
    }

    /// Sign or zero extension from the low bits.
    fn extend(&mut self, o: &Operation, unused: u32, shift: Shift) {
        self.each(o.rd, [o.rs1], |t, [a]| {
            let a = t.shift(Shift::LEFT, a, unused);
            t.shift(shift, a, unused)
        });
    }

    /// Bits 32 + `low` − 32 and up of the products: those of the even lanes and of the odd ones are computed apart.
    fn product(&mut self, op: Vector, a: Ymm, b: Ymm, low: u32) -> Ymm {
        let even = self.vector(op, a, b);
        let a = self.shift(Shift::RIGHT_WIDE, a, 32);
        let b = self.shift(Shift::RIGHT_WIDE, b, 32);
        let odd = self.vector(op, a, b);
        let even = self.shift(Shift::RIGHT_WIDE, even, low);
        let odd = if low == 32 {
            odd
        } else {
            let odd = self.shift(Shift::RIGHT_WIDE, odd, low);
            self.shift(Shift::LEFT_WIDE, odd, 32)
        };
        self.vector_with(Vector::BLEND, even, odd, 0b1010_1010)
    }

    fn integer(&mut self, o: &Operation) -> bool {
        match o.op {
            Op::Lui | Op::Auipc => self.set(o, o.immediate),
            Op::Addi if o.rs1 == 0 => self.set(o, o.immediate),
            Op::Addi if o.immediate == 0 => self.each(o.rd, [o.rs1], |_, [a]| a),
            Op::Addi => self.immediate(o, Vector::ADD),
            Op::Xori => self.immediate(o, Vector::XOR),
            Op::Ori => self.immediate(o, Vector::OR),
            Op::Andi => self.immediate(o, Vector::AND),
            Op::Slli => self.shift_by(o, Shift::LEFT),
            Op::Srli => self.shift_by(o, Shift::RIGHT),
            Op::Srai => self.shift_by(o, Shift::SIGNED),
            Op::Rori => self.each(o.rd, [o.rs1], |t, [a]| {
                let count = o.immediate & 31;
                let right = t.shift(Shift::RIGHT, a, count);
                let left = t.shift(Shift::LEFT, a, 32 - count);
                t.vector(Vector::OR, left, right)
            }),
            Op::Slti => self.each(o.rd, [o.rs1], |t, [a]| {
                let b = t.constant(o.immediate);
                let ones = t.vector(Vector::GREATER, b, a);
                t.flag(ones)
            }),
            Op::Sltiu if o.immediate == 1 => self.each(o.rd, [o.rs1], |t, [a]| {
                let zero = t.constant(0);
                let ones = t.vector(Vector::EQUAL, a, zero);
                t.flag(ones)
            }),
            Op::Sltiu => self.each(o.rd, [o.rs1], |t, [a]| {
                let b = t.constant(o.immediate);
                let ones = t.below(a, b);
                t.flag(ones)
            }),
            Op::Add => self.simple(o, Vector::ADD),
            Op::Sub => self.simple(o, Vector::SUB),
            Op::Xor => self.simple(o, Vector::XOR),
            Op::Or => self.simple(o, Vector::OR),
            Op::And => self.simple(o, Vector::AND),
            Op::Andn => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| t.vector(Vector::AND_NOT, b, a)),
            Op::Mul => self.simple(o, Vector::MULTIPLY),
            Op::Min => self.simple(o, Vector::MIN),
            Op::Minu => self.simple(o, Vector::MIN_UNSIGNED),
            Op::Max => self.simple(o, Vector::MAX),
            Op::Maxu => self.simple(o, Vector::MAX_UNSIGNED),
            Op::Sll => self.shift_each(o, Vector::SHIFT_LEFT_EACH),
            Op::Srl => self.shift_each(o, Vector::SHIFT_RIGHT_EACH),
            Op::Sra => self.shift_each(o, Vector::SHIFT_SIGNED_EACH),
            Op::Slt => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let ones = t.vector(Vector::GREATER, b, a);
                t.flag(ones)
            }),
            Op::Sltu if o.rs1 == 0 => self.each(o.rd, [o.rs2], |t, [b]| {
                let (zero, one) = (t.constant(0), t.constant(1));
                let ones = t.vector(Vector::EQUAL, b, zero);
                t.vector(Vector::ADD, ones, one)
            }),
            Op::Sltu => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let ones = t.below(a, b);
                t.flag(ones)
            }),
            Op::Sh1add => self.shifted_add(o, 1),
            Op::Sh2add => self.shifted_add(o, 2),
            Op::Sh3add => self.shifted_add(o, 3),
            Op::SextB => self.extend(o, 24, Shift::SIGNED),
            Op::SextH => self.extend(o, 16, Shift::SIGNED),
            Op::ZextH => self.extend(o, 16, Shift::RIGHT),
            Op::CzeroEqz => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let zero = t.constant(0);
                let ones = t.vector(Vector::EQUAL, b, zero);
                t.vector(Vector::AND_NOT, ones, a)
            }),
            Op::CzeroNez => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let zero = t.constant(0);
                let ones = t.vector(Vector::EQUAL, b, zero);
                t.vector(Vector::AND, ones, a)
            }),
            Op::Ctz => self.each(o.rd, [o.rs1], |t, [a]| {
                // The exponent of the lowest bit, as a float: bit 31 becomes negative.
                let zero = t.constant(0);
                let low = t.vector(Vector::SUB, zero, a);
                t.code.vector(Vector::AND, low, low, a);
                t.code.unary(Vector::FROM_INT, low, low);
                t.code.shift(Shift::LEFT, low, low, 1);
                t.code.shift(Shift::RIGHT, low, low, 24);
                let bias = t.constant(127);
                t.code.vector(Vector::SUB, low, low, bias);
                let none = t.vector(Vector::EQUAL, a, zero);
                let bits = t.constant(32);
                t.blend(none, bits, low)
            }),
            Op::Mulh => {
                self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| t.product(Vector::MULTIPLY_WIDE, a, b, 32));
            }
            Op::Mulhu => {
                self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| t.product(Vector::MULTIPLY_WIDE_UNSIGNED, a, b, 32));
            }
            Op::Imadd => self.each(o.rd, [o.rs1, o.rs2, o.rs3], |t, [a, b, c]| {
                let product = t.product(Vector::MULTIPLY_WIDE, a, b, 8 * u32::from(o.funct2 & 3));
                t.vector(Vector::ADD, product, c)
            }),
            _ => return false,
        }
        true
    }

    /// Every NaN replaced by the canonical one.
    fn canonical(&mut self, a: Ymm) -> Ymm {
        let is_nan = self.vector_with(Vector::FLOAT_COMPARE, a, a, UNORDERED);
        let nan = self.constant(CANONICAL_NAN);
        self.blend(is_nan, nan, a)
    }

    fn float_simple(&mut self, o: &Operation, op: Vector) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
            let result = t.vector(op, a, b);
            t.canonical(result)
        });
    }

    fn float_fused(&mut self, o: &Operation, op: Vector) {
        self.each(o.rd, [o.rs1, o.rs2, o.rs3], |t, [a, b, c]| {
            let to = t.fresh();
            t.code.unary(Vector::LOAD, to, a);
            t.code.vector(op, to, b, c);
            t.canonical(to)
        });
    }

    fn float_flag(&mut self, o: &Operation, comparison: u8) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
            let ones = t.vector_with(Vector::FLOAT_COMPARE, a, b, comparison);
            t.flag(ones)
        });
    }

    /// Smaller or larger of two: the host gives its second operand where one is NaN or both are zeros.
    fn extreme(&mut self, o: &Operation, op: Vector, combine: Vector, nan_wins: bool) {
        self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
            let one = t.vector(op, a, b);
            let other = t.vector(op, b, a);
            let number = t.vector(combine, one, other);
            if nan_wins {
                let is_nan = t.vector_with(Vector::FLOAT_COMPARE, a, b, UNORDERED);
                let nan = t.constant(CANONICAL_NAN);
                return t.blend(is_nan, nan, number);
            }
            let nan_a = t.vector_with(Vector::FLOAT_COMPARE, a, a, UNORDERED);
            let nan_b = t.vector_with(Vector::FLOAT_COMPARE, b, b, UNORDERED);
            let number = t.blend(nan_a, b, number);
            let number = t.blend(nan_b, a, number);
            t.canonical(number)
        });
    }

    /// Rounded to integers, still floats; NaNs need not be canonical.
    fn rounded(&mut self, a: Ymm, rounding: Rounding) -> Ymm {
        let mode = match rounding {
            Rounding::NearestEven => 8,
            Rounding::Down => 9,
            Rounding::Up => 10,
            _ => 11,
        };
        let to = self.fresh();
        self.code.vector_with(Vector::FLOAT_ROUND, to, Ymm(0), a, mode);
        to
    }

    fn float(&mut self, o: &Operation) -> bool {
        match o.op {
            Op::FmvXW | Op::FmvWX => self.each(o.rd, [o.rs1], |_, [a]| a),
            Op::Fli => self.set(o, float_constants::CONSTANTS[usize::from(o.rs1) % 32].0),
            Op::Fadd => self.float_simple(o, Vector::FLOAT_ADD),
            Op::Fsub => self.float_simple(o, Vector::FLOAT_SUB),
            Op::Fmul => self.float_simple(o, Vector::FLOAT_MUL),
            Op::Fdiv => self.float_simple(o, Vector::FLOAT_DIV),
            Op::Fsqrt => self.each(o.rd, [o.rs1], |t, [a]| {
                let root = t.unary(Vector::FLOAT_SQRT, a);
                t.canonical(root)
            }),
            Op::Fmadd => self.float_fused(o, Vector::MADD),
            Op::Fmsub => self.float_fused(o, Vector::MSUB),
            Op::Fnmsub => self.float_fused(o, Vector::NMSUB),
            Op::Fnmadd => self.float_fused(o, Vector::NMADD),
            Op::Fsgnj if o.rs1 == o.rs2 => self.each(o.rd, [o.rs1], |_, [a]| a),
            Op::Fsgnj | Op::Fsgnjn => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let sign = t.constant(SIGN);
                let magnitude = t.vector(Vector::AND_NOT, sign, a);
                let taken = if o.op == Op::Fsgnj { Vector::AND } else { Vector::AND_NOT };
                let sign = t.vector(taken, b, sign);
                t.vector(Vector::OR, magnitude, sign)
            }),
            Op::Fsgnjx => self.each(o.rd, [o.rs1, o.rs2], |t, [a, b]| {
                let sign = t.constant(SIGN);
                let sign = t.vector(Vector::AND, b, sign);
                t.vector(Vector::XOR, a, sign)
            }),
            Op::Fmin => self.extreme(o, Vector::FLOAT_MIN, Vector::OR, false),
            Op::Fminm => self.extreme(o, Vector::FLOAT_MIN, Vector::OR, true),
            Op::Fmax => self.extreme(o, Vector::FLOAT_MAX, Vector::AND, false),
            Op::Fmaxm => self.extreme(o, Vector::FLOAT_MAX, Vector::AND, true),
            Op::Feq => self.float_flag(o, EQUAL),
            Op::Flt | Op::Fltq => self.float_flag(o, LESS),
            Op::Fle | Op::Fleq => self.float_flag(o, LESS_OR_EQUAL),
            Op::Fround | Op::Froundnx => self.each(o.rd, [o.rs1], |t, [a]| {
                let rounded = t.rounded(a, o.rounding);
                t.canonical(rounded)
            }),
            Op::FcvtSW => self.each(o.rd, [o.rs1], |t, [a]| t.unary(Vector::FROM_INT, a)),
            Op::FcvtSWu => self.each(o.rd, [o.rs1], |t, [a]| {
                // Both halves are exact, and so is the product: it is rounded once.
                let high = t.shift(Shift::RIGHT, a, 16);
                let high = t.unary(Vector::FROM_INT, high);
                let low = t.constant(0xffff);
                let low = t.vector(Vector::AND, a, low);
                let low = t.unary(Vector::FROM_INT, low);
                let scale = t.constant(65536.0_f32.to_bits());
                t.code.vector(Vector::MADD, high, scale, low);
                high
            }),
            Op::FcvtWS => self.each(o.rd, [o.rs1], |t, [a]| {
                let rounded = t.rounded(a, o.rounding);
                // Everything out of range becomes the smallest; what is too large, and NaN, shall be its complement.
                let converted = t.unary(Vector::TO_INT, rounded);
                let limit = t.constant(2_147_483_648.0_f32.to_bits());
                let is_large = t.vector_with(Vector::FLOAT_COMPARE, rounded, limit, NOT_LESS);
                t.vector(Vector::XOR, converted, is_large)
            }),
            Op::FcvtWuS => self.each(o.rd, [o.rs1], |t, [a]| {
                let rounded = t.rounded(a, o.rounding);
                // Negative numbers become zero, NaN as well for now.
                let zero = t.constant(0);
                let positive = t.vector(Vector::FLOAT_MAX, rounded, zero);
                // The upper half of the range is converted 2^31 lower, exactly: the last bit there weighs 256.
                let half = t.constant(2_147_483_648.0_f32.to_bits());
                let is_upper = t.vector_with(Vector::FLOAT_COMPARE, positive, half, AT_LEAST);
                // A host register each would be more than there are.
                let to = t.vector(Vector::AND, is_upper, half);
                t.code.vector(Vector::FLOAT_SUB, to, positive, to);
                t.code.unary(Vector::TO_INT, to, to);
                t.code.shift(Shift::LEFT, is_upper, is_upper, 31);
                t.code.vector(Vector::OR, to, to, is_upper);
                let limit = t.constant(4_294_967_296.0_f32.to_bits());
                let is_large = t.vector_with(Vector::FLOAT_COMPARE, rounded, limit, NOT_LESS);
                t.code.vector(Vector::OR, to, to, is_large);
                to
            }),
            _ => return false,
        }
        true
    }
}
