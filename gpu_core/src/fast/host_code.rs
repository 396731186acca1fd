//! Host code in the making: the few instructions of x86-64 with AVX2 that `translate` and `calls` write.
//!
//! Before: they know what an instruction does. After: bytes, as in AMD's "AMD64 Architecture Programmer's Manual",
//! volumes 3 and 4. What a host register holds while the code runs is agreed in `calls`:
//! rbx the frame, rbp its hints, r12 the operations, r13 the rows, r14 the frame's `Board`, r15d how many instructions may still be run.

use super::frame::REGISTERS;

/// A vector register, ymm0 to ymm15.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Ymm(pub u8);

/// A vector instruction: the map of its opcode, the number of its prefix (none, 66, F3, F2), and the opcode.
#[derive(Copy, Clone, Debug)]
pub(super) struct Vector(u8, u8, u8);

macro_rules! vectors {
    ($($name:ident = $map:literal $prefix:literal $opcode:literal)*) => {
        impl Vector {
            $(pub const $name: Self = Self($map, $prefix, $opcode);)*
        }
    };
}

vectors! {
    ADD = 1 1 0xfe
    SUB = 1 1 0xfa
    AND = 1 1 0xdb
    // Without the bits of the first.
    AND_NOT = 1 1 0xdf
    OR = 1 1 0xeb
    XOR = 1 1 0xef
    EQUAL = 1 1 0x76
    // All ones where the first is greater, signed.
    GREATER = 1 1 0x66
    MULTIPLY = 2 1 0x40
    MULTIPLY_WIDE = 2 1 0x28
    MULTIPLY_WIDE_UNSIGNED = 1 1 0xf4
    MIN = 2 1 0x39
    MIN_UNSIGNED = 2 1 0x3b
    MAX = 2 1 0x3d
    MAX_UNSIGNED = 2 1 0x3f
    SHIFT_LEFT_EACH = 2 1 0x47
    SHIFT_RIGHT_EACH = 2 1 0x45
    SHIFT_SIGNED_EACH = 2 1 0x46
    FLOAT_ADD = 1 0 0x58
    FLOAT_SUB = 1 0 0x5c
    FLOAT_MUL = 1 0 0x59
    FLOAT_DIV = 1 0 0x5e
    FLOAT_MIN = 1 0 0x5d
    FLOAT_MAX = 1 0 0x5f
    FLOAT_SQRT = 1 0 0x51
    FLOAT_COMPARE = 1 0 0xc2
    FLOAT_ROUND = 3 1 0x08
    FROM_INT = 1 0 0x5b
    TO_INT = 1 2 0x5b
    // to = b * to + c, with the signs of product and addend as RISC-V names them.
    MADD = 2 1 0xa8
    MSUB = 2 1 0xaa
    NMSUB = 2 1 0xac
    NMADD = 2 1 0xae
    BLEND_EACH = 3 1 0x4a
    BLEND = 3 1 0x02
    TEST = 2 1 0x17
    // Lanes of the second operand, chosen by the low bits of the first.
    PERMUTE = 2 1 0x36
    LOAD = 1 0 0x10
    STORE = 1 0 0x11
    STORE_MASKED = 2 1 0x8e
    BROADCAST = 2 1 0x58
}

/// A shift of every element by the same number of bits: opcode, and what stands in the place of a register.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shift(u8, u8);

impl Shift {
    pub const LEFT: Self = Self(0x72, 6);
    pub const RIGHT: Self = Self(0x72, 2);
    pub const SIGNED: Self = Self(0x72, 4);
    /// Of elements twice as wide.
    pub const LEFT_WIDE: Self = Self(0x73, 6);
    /// Of elements twice as wide.
    pub const RIGHT_WIDE: Self = Self(0x73, 2);
}

/// Where a vector lies in memory.
#[derive(Copy, Clone, Debug)]
pub(super) enum Place {
    /// So many bytes after the first row.
    Rows(u32),
    /// So many bytes after the first row and rsi.
    RowsAtRsi(u32),
    /// So many bytes into the board.
    Board(u32),
    /// So many bytes after rdx + rcx.
    Memory(u32),
    /// Eight words of the constants.
    Constant([u32; 8]),
}

/// A jump whose target is not known yet: where its four bytes of distance are.
#[derive(Copy, Clone, Debug)]
pub(super) struct Jump(usize);

/// When a jump is taken: the low byte of its opcode.
#[derive(Copy, Clone, Debug)]
pub(super) enum When {
    Below = 0x82,
    AtLeast = 0x83,
    Zero = 0x84,
    NotZero = 0x85,
}

/// Bytes of code, and what is still to be filled in.
#[derive(Debug, Default)]
pub(super) struct HostCode {
    pub bytes: Vec<u8>,
    /// Where a constant's distance is to be written, and the constant.
    constants: Vec<(usize, [u32; 8])>,
}

impl HostCode {
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Where the next instruction will be.
    pub fn here(&self) -> usize {
        self.bytes.len()
    }

    /// The first bytes of a vector instruction: prefix and opcode. `b` tells whether the last operand is in the upper half
    /// of the registers, `x` is the same for an index.
    fn vex(&mut self, Vector(map, prefix, opcode): Vector, reg: Ymm, other: Ymm, b: bool, is_wide: bool) {
        let high = |set: bool, bit: u8| if set { 0 } else { 1 << bit };
        let first = high(reg.0 >= 8, 7) | high(false, 6) | high(b, 5) | map;
        let second = (!other.0 & 15) << 3 | u8::from(is_wide) << 2 | prefix;
        self.push(&[0xc4, first, second, opcode]);
    }

    /// `to = a ∘ b`.
    pub fn vector(&mut self, op: Vector, to: Ymm, a: Ymm, b: Ymm) {
        self.vex(op, to, a, b.0 >= 8, true);
        self.push(&[0xc0 | (to.0 & 7) << 3 | b.0 & 7]);
    }

    /// `to = ∘ a`.
    pub fn unary(&mut self, op: Vector, to: Ymm, a: Ymm) {
        self.vector(op, to, Ymm(0), a);
    }

    /// The same with a last byte that says more: a comparison, a rounding, or the register of a mask.
    pub fn vector_with(&mut self, op: Vector, to: Ymm, a: Ymm, b: Ymm, more: u8) {
        self.vector(op, to, a, b);
        self.push(&[more]);
    }

    /// `to = mask ? yes : no`, by the top bits of the mask's elements.
    pub fn blend(&mut self, to: Ymm, mask: Ymm, yes: Ymm, no: Ymm) {
        self.vector_with(Vector::BLEND_EACH, to, no, yes, mask.0 << 4);
    }

    /// `to = a` shifted by `count`.
    pub fn shift(&mut self, Shift(opcode, number): Shift, to: Ymm, a: Ymm, count: u8) {
        self.vex(Vector(1, 1, opcode), Ymm(0), to, a.0 >= 8, true);
        self.push(&[0xc0 | number << 3 | a.0 & 7, count]);
    }

    /// The first lane's word in eax.
    pub fn first_word(&mut self, from: Ymm) {
        self.vex(Vector(1, 1, 0x7e), from, Ymm(0), false, false);
        self.push(&[0xc0 | (from.0 & 7) << 3]);
    }

    /// The top bits of the lanes in a general register: eax is 0, ecx 1.
    pub fn signs(&mut self, from: Ymm, to: u8) {
        self.vector(Vector(1, 0, 0x50), Ymm(to), Ymm(0), from);
    }

    /// eax in the first lane.
    pub fn set_first_word(&mut self, to: Ymm) {
        self.vex(Vector(1, 1, 0x6e), to, Ymm(0), false, false);
        self.push(&[0xc0 | (to.0 & 7) << 3]);
    }

    /// A vector instruction between a register and memory: load, store, broadcast of a word, or an operation whose last
    /// operand is there.
    pub fn memory(&mut self, op: Vector, register: Ymm, other: Ymm, place: Place) {
        let b = matches!(place, Place::Rows(_) | Place::RowsAtRsi(_) | Place::Board(_));
        self.vex(op, register, other, b, true);
        let register = (register.0 & 7) << 3;
        match place {
            Place::Rows(distance) => {
                self.push(&[0x85 | register]); // [r13 + …]
                self.word(distance);
            }
            Place::RowsAtRsi(distance) => {
                self.push(&[0x84 | register, 0x35]); // [r13 + rsi + …]
                self.word(distance);
            }
            Place::Board(distance) => {
                self.push(&[0x86 | register]); // [r14 + …]
                self.word(distance);
            }
            Place::Memory(distance) => {
                self.push(&[0x84 | register, 0x0a]); // [rdx + rcx + …]
                self.word(distance);
            }
            Place::Constant(constant) => {
                self.push(&[0x05 | register]); // [rip + …]
                self.constants.push((self.here(), constant));
                self.word(0);
            }
        }
    }

    /// A call of the function whose address lies at this place of the code.
    pub fn call_from(&mut self, place: usize) {
        self.push(&[0xff, 0x15]); // call [rip + …]
        self.word(0);
        self.land_at(Jump(self.here() - 4), place);
    }

    /// A jump to a place that `land` will name.
    pub fn jump_if(&mut self, when: When) -> Jump {
        self.push(&[0x0f, when as u8]);
        self.word(0);
        Jump(self.here() - 4)
    }

    pub fn jump(&mut self) -> Jump {
        self.push(&[0xe9]);
        self.word(0);
        Jump(self.here() - 4)
    }

    /// A jump back to a place that is known.
    pub fn jump_to(&mut self, place: usize) {
        let jump = self.jump();
        self.land_at(jump, place);
    }

    /// The jump comes out here.
    pub fn land(&mut self, jump: Jump) {
        self.land_at(jump, self.here());
    }

    pub fn land_at(&mut self, Jump(at): Jump, place: usize) {
        let distance = place.wrapping_sub(at + 4) as u32;
        self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
    }

    /// Writes the constants behind the code.
    pub fn finish(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(32), 0xcc);
        let mut written: std::collections::HashMap<[u32; 8], usize> = std::collections::HashMap::new();
        for (at, constant) in std::mem::take(&mut self.constants) {
            let place = *written.entry(constant).or_insert_with(|| {
                let place = self.bytes.len();
                self.bytes.extend(constant.iter().flat_map(|word| word.to_le_bytes()));
                place
            });
            self.land_at(Jump(at), place);
        }
    }
}

/// Bytes from the first row to a row, where a register has `chunks` rows of 32 bytes.
pub(super) fn row_distance(register: u8, chunk: u8, chunks: u8) -> u32 {
    debug_assert!(register < REGISTERS && chunk < chunks);
    32 * (u32::from(register) * u32::from(chunks) + u32::from(chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(write: impl FnOnce(&mut HostCode)) -> Vec<u8> {
        let mut code = HostCode::default();
        write(&mut code);
        code.bytes
    }

    /// Expected bytes are those of the GNU assembler, but that it shortens a prefix of three bytes to two where it can.
    #[test]
    fn instructions_are_those_of_the_manual() {
        let blend = bytes(|code| code.blend(Ymm(1), Ymm(15), Ymm(12), Ymm(2)));
        assert_eq!(blend, [0xc4, 0xc3, 0x6d, 0x4a, 0xcc, 0xf0], "vblendvps ymm1, ymm2, ymm12, ymm15");
        let add = bytes(|code| code.vector(Vector::ADD, Ymm(9), Ymm(10), Ymm(11)));
        assert_eq!(add, [0xc4, 0x41, 0x2d, 0xfe, 0xcb], "vpaddd ymm9, ymm10, ymm11");
        let shift = bytes(|code| code.shift(Shift::RIGHT, Ymm(9), Ymm(12), 31));
        assert_eq!(shift, [0xc4, 0xc1, 0x35, 0x72, 0xd4, 0x1f], "vpsrld ymm9, ymm12, 31");
        let fused = bytes(|code| code.vector(Vector::MADD, Ymm(1), Ymm(2), Ymm(9)));
        assert_eq!(fused, [0xc4, 0xc2, 0x6d, 0xa8, 0xc9], "vfmadd213ps ymm1, ymm2, ymm9");
        let round = bytes(|code| code.vector_with(Vector::FLOAT_ROUND, Ymm(1), Ymm(0), Ymm(12), 3));
        assert_eq!(round, [0xc4, 0xc3, 0x7d, 0x08, 0xcc, 3], "vroundps ymm1, ymm12, 3");
        let convert = bytes(|code| code.unary(Vector::TO_INT, Ymm(1), Ymm(12)));
        assert_eq!(convert, [0xc4, 0xc1, 0x7e, 0x5b, 0xcc], "vcvttps2dq ymm1, ymm12");
        let compare = bytes(|code| code.vector_with(Vector::FLOAT_COMPARE, Ymm(1), Ymm(2), Ymm(9), 0x11));
        assert_eq!(compare, [0xc4, 0xc1, 0x6c, 0xc2, 0xc9, 0x11], "vcmplt_oqps ymm1, ymm2, ymm9");
        let test = bytes(|code| code.unary(Vector::TEST, Ymm(9), Ymm(9)));
        assert_eq!(test, [0xc4, 0x42, 0x7d, 0x17, 0xc9], "vptest ymm9, ymm9");
    }

    #[test]
    fn operands_in_memory_are_those_of_the_manual() {
        let memory = |op, register, place| bytes(|code| code.memory(op, Ymm(register), Ymm(0), place));
        let load = memory(Vector::LOAD, 9, Place::Rows(0x12345));
        assert_eq!(load, [0xc4, 0x41, 0x7c, 0x10, 0x8d, 0x45, 0x23, 1, 0], "vmovups ymm9, [r13 + 0x12345]");
        let store = memory(Vector::STORE, 2, Place::Board(0x100));
        assert_eq!(store, [0xc4, 0xc1, 0x7c, 0x11, 0x96, 0, 1, 0, 0], "vmovups [r14 + 0x100], ymm2");
        let lane = memory(Vector::BROADCAST, 2, Place::RowsAtRsi(0x1000));
        assert_eq!(
            lane,
            [0xc4, 0xc2, 0x7d, 0x58, 0x94, 0x35, 0, 0x10, 0, 0],
            "vpbroadcastd ymm2, [r13 + rsi + 0x1000]"
        );
        let word = memory(Vector::BROADCAST, 12, Place::Memory(0x1010));
        assert_eq!(
            word,
            [0xc4, 0x62, 0x7d, 0x58, 0xa4, 0x0a, 0x10, 0x10, 0, 0],
            "vpbroadcastd ymm12, [rdx + rcx + 0x1010]"
        );
        let masked = bytes(|code| code.memory(Vector::STORE_MASKED, Ymm(9), Ymm(1), Place::Memory(0x1020)));
        assert_eq!(
            masked,
            [0xc4, 0x62, 0x75, 0x8e, 0x8c, 0x0a, 0x20, 0x10, 0, 0],
            "vpmaskmovd [rdx + rcx + 0x1020], ymm1, ymm9"
        );
        assert_eq!(bytes(|code| code.first_word(Ymm(9))), [0xc4, 0x61, 0x79, 0x7e, 0xc8], "vmovd eax, xmm9");
        assert_eq!(bytes(|code| code.set_first_word(Ymm(3))), [0xc4, 0xe1, 0x79, 0x6e, 0xd8], "vmovd xmm3, eax");
    }

    /// A constant lies behind the code, once, and its distance counts from the end of the instruction.
    #[test]
    fn constants_are_written_once_behind_the_code() {
        let mut code = HostCode::default();
        for register in [1, 2] {
            code.memory(Vector::BROADCAST, Ymm(register), Ymm(0), Place::Constant([7; 8]));
        }
        code.finish();
        assert_eq!(code.bytes[..9], [0xc4, 0xe2, 0x7d, 0x58, 0x0d, 23, 0, 0, 0], "vpbroadcastd ymm1, [rip + 23]");
        assert_eq!(code.bytes[9..18], [0xc4, 0xe2, 0x7d, 0x58, 0x15, 14, 0, 0, 0], "vpbroadcastd ymm2, [rip + 14]");
        assert_eq!(code.bytes.len(), 64);
        assert_eq!(code.bytes[32..36], [7, 0, 0, 0]);
    }
}
