//! Miss status holding registers: the requests of one cache bank that wait for lines, in chains, a chain for each line.
//!
//! Before: `cache` found no such line among its tags. After: when the line has come, its chain is replayed in the order in
//! which the requests came. Each waiting request takes a register, also one that joins a line already asked for.

use serde::{Deserialize, Serialize};

/// No register.
const NONE: u8 = u8::MAX;

/// The requester of a request that nobody waits for.
pub(super) const NOBODY: u32 = u32::MAX;

/// One waiting request.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// Its line.
    pub line: u32,
    /// Who is answered, or [`NOBODY`].
    pub requester: u32,
    /// Requests of one cycle that share the register through the bank's ports.
    pub count: u32,
    /// Whether it makes the line dirty.
    pub is_write: bool,
    next: u8,
    /// Last of the chain; kept in its first register.
    tail: u8,
    next_fill: u8,
}

/// The registers of one bank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mshr {
    registers: Vec<Waiting>,
    /// Registers in no chain.
    free: u64,
    /// First registers of chains whose line has not come.
    first: u64,
    /// The next register to replay.
    replay: u8,
    /// First and last of the lines that have come and wait for their turn.
    fill_head: u8,
    fill_tail: u8,
}

/// What became of a new request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Reserved {
    /// The register it took.
    pub register: u8,
    /// Whether the line is new and must be asked for.
    pub is_first: bool,
}

impl Mshr {
    /// `count` registers, 1 to 64.
    pub fn new(count: u32) -> Self {
        let empty =
            Waiting { line: 0, requester: NOBODY, count: 0, is_write: false, next: NONE, tail: NONE, next_fill: NONE };
        Self {
            registers: vec![empty; count as usize],
            free: u64::MAX >> (64 - count),
            first: 0,
            replay: NONE,
            fill_head: NONE,
            fill_tail: NONE,
        }
    }

    /// Whether no register is free.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.free == 0
    }

    /// Whether no request waits.
    pub fn is_empty(&self) -> bool {
        self.free.count_ones() as usize == self.registers.len()
    }

    /// Whether a replay or a fill wants the bank.
    #[inline]
    pub fn wants_bank(&self) -> bool {
        self.replay != NONE || self.fill_head != NONE
    }

    /// Takes a register for a missing line. Only when not full.
    pub fn reserve(&mut self, line: u32, requester: u32, is_write: bool) -> Reserved {
        let register = self.free.trailing_zeros() as u8;
        self.free &= self.free - 1;
        let tail = register;
        self.registers[usize::from(register)] =
            Waiting { line, requester, count: 1, is_write, next: NONE, tail, next_fill: NONE };
        let mut chains = self.first;
        while chains != 0 {
            let first = chains.trailing_zeros() as usize;
            chains &= chains - 1;
            if self.registers[first].line == line {
                let tail = std::mem::replace(&mut self.registers[first].tail, register);
                self.registers[usize::from(tail)].next = register;
                return Reserved { register, is_first: false };
            }
        }
        self.first |= 1 << register;
        Reserved { register, is_first: true }
    }

    /// A further request shares a register of this cycle.
    pub fn share(&mut self, register: u8) {
        self.registers[usize::from(register)].count += 1;
    }

    /// The line that the chain beginning at `register` waits for has come; it queues for the bank.
    pub fn arrive(&mut self, register: u8) {
        debug_assert!(self.first >> register & 1 != 0, "a line comes once, for a chain that waits");
        self.registers[usize::from(register)].next_fill = NONE;
        if self.fill_head == NONE {
            self.fill_head = register;
        } else {
            self.registers[usize::from(self.fill_tail)].next_fill = register;
        }
        self.fill_tail = register;
    }

    /// The next request to replay; its register is free again.
    #[inline]
    pub fn next_replay(&mut self) -> Option<Waiting> {
        if self.replay == NONE {
            return None;
        }
        let waiting = self.registers[usize::from(self.replay)];
        self.free |= 1 << self.replay;
        self.replay = waiting.next;
        Some(waiting)
    }

    /// The next line that has come; from now on its chain is replayed. Only when there is nothing to replay.
    pub fn next_fill(&mut self) -> Option<u32> {
        debug_assert_eq!(self.replay, NONE, "replays go before fills");
        if self.fill_head == NONE {
            return None;
        }
        let register = self.fill_head;
        let first = self.registers[usize::from(register)];
        self.fill_head = first.next_fill;
        self.first &= !(1 << register);
        self.replay = register;
        Some(first.line)
    }
}
