//! A program as host code: arithmetic in the host's vector registers, and calls of the handlers of everything else.
//!
//! Before: `operation` has made the program ready. After: blocks that `interpret` runs by one jump each.
//! A table of handlers costs one indirect call an instruction, from one place, to ever other targets: hosts predict only
//! short repetitions of that, and a wrong guess costs more than the instruction (Berndl, Vitale, Zaleski and Brown,
//! "Context Threading", 2005, whose remedy is a call of its own for each instruction). Straight-line code also lets values
//! stay in host registers from one instruction to the next, where `translate` knows what an instruction does.
//! Gain over a call for each instruction: a frame of the scene `knot` 66.6 → 24.6 ms of processor time, one thread, least of 3
//! runs in turn on a fully loaded host, mean of the three filters (`warpaint bench frame --scene knot`).

use super::dispatch::{Handler, LANES, Table};
use super::frame::{Board, BoardPlaces, Frame, NearHint};
use super::host_code::{Jump, When};
use super::lanes::Row;
use super::operation::{Operation, Operations, Segment, changes_mask};
use super::row_cache::RowCache;
use super::translate::Translator;
use super::translate_memory::Detour;
use crate::isa::table::Op;
use memmap2::{Mmap, MmapMut};

/// The code of a whole program for warps of `CHUNKS` rows: with all lanes active, and with some.
#[derive(Debug)]
pub(super) struct Calls {
    code: Mmap,
    /// Where an operation's code is in `code`, by its index; the first half for all lanes active, the second for some.
    places: Vec<u32>,
}

/// No code can be entered at this operation.
const NOWHERE: u32 = u32::MAX;
/// Added to the index of an operation that the plain engine must run.
const REFUSED: u32 = 1 << 31;
/// Instead of an index: the board's pc says where the warp is.
const AT_PC: u32 = u32::MAX;
/// Operations of the longest piece.
const LONGEST_PIECE: u32 = 24;

/// What a frame's operations, run from `place` on, end with: in the lower half the index of the operation before which they
/// stopped, in the upper how many of `budget` instructions are left. Only whole pieces are run.
type Enter<const CHUNKS: usize> = unsafe extern "sysv64" fn(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    operations: *const Operation,
    place: *const u8,
    rows: *mut Row<LANES>,
    board: *mut Board<LANES>,
    budget: u32,
    near_hints: *const NearHint,
) -> u64;

/// What [`Calls::run`] did.
#[derive(Copy, Clone, Debug)]
pub(super) struct Ran {
    /// How many instructions.
    pub count: u32,
    /// The plain engine must run the next one.
    pub is_refused: bool,
}

impl Calls {
    /// Writes the code; `None` if the host gives no memory for it.
    pub fn new<const CHUNKS: usize>(operations: &Operations) -> Option<Self> {
        let mut writer = Writer::new(CHUNKS as u8);
        writer.frame();
        for (handlers, is_masked) in
            [(&Table::<CHUNKS, false>::HANDLERS, false), (&Table::<CHUNKS, true>::HANDLERS, true)]
        {
            writer.translator.is_masked = is_masked;
            for segment in operations.segments() {
                writer.segment(segment, handlers);
            }
        }
        writer.translator.code.finish();
        let bytes = &writer.translator.code.bytes;
        let mut memory = MmapMut::map_anon(bytes.len()).ok()?;
        memory.copy_from_slice(bytes);
        Some(Self { code: memory.make_exec().ok()?, places: writer.places })
    }

    fn place<const MASKED: bool>(&self, number: u32) -> u32 {
        self.places[if MASKED { self.places.len() / 2 } else { 0 } + number as usize]
    }

    /// Whether code can be entered at an operation.
    #[inline(always)]
    pub fn has_place<const MASKED: bool>(&self, operation: &Operation) -> bool {
        self.place::<MASKED>(operation.index) != NOWHERE
    }

    /// Runs operations from `index` of `segment` on, where code can be entered, `budget` at most; sets the pc.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn run<const CHUNKS: usize, const MASKED: bool>(
        &self,
        frame: &mut Frame<'_, LANES, CHUNKS>,
        segment: &Segment,
        index: usize,
        budget: u64,
    ) -> Ran {
        let place = self.place::<MASKED>(segment.operations[index].index);
        assert_ne!(place, NOWHERE, "code can be entered here");
        let budget = u32::try_from(budget).unwrap_or(u32::MAX);
        let (rows, board, hints) = (frame.rows.as_mut_ptr(), &raw mut frame.board, frame.near_hints.as_ptr());
        // SAFETY: the code begins with a function of this type (`Writer::frame`), `place` is one of its inner places, and
        // the operations are those that it was written for: `mod.rs` keeps them together. The code reads and writes rows
        // below `REGISTERS`, of which the frame has `CHUNKS` each, the board and the hints, all being the frame's, to which nothing
        // else has access meanwhile but the handlers that it calls; and words that `Near` vouches for. The host has the
        // features of code and handlers, since `mod.rs` makes this for no other.
        let result = unsafe {
            let enter: Enter<CHUNKS> = std::mem::transmute(self.code.as_ptr());
            let operations = segment.operations.as_ptr();
            enter(frame, operations, self.code.as_ptr().add(place as usize), rows, board, budget, hints)
        };
        let (stopped, left) = (result as u32, (result >> 32) as u32);
        if stopped != AT_PC {
            frame.board.pc = segment.pc_of(stopped & !REFUSED);
        }
        Ran { count: budget - left, is_refused: stopped != AT_PC && stopped & REFUSED != 0 }
    }
}

/// The code of a program in the making.
struct Writer {
    translator: Translator,
    places: Vec<u32>,
    /// Where `frame` leaves.
    leave: usize,
    exits: Vec<Exit>,
    detours: Vec<(Detour, usize)>,
    /// Jumps to operations, by number, that may not have been written yet.
    branches: Vec<(Jump, u32)>,
    /// Where jumps of this segment come to, by operation.
    targets: Vec<usize>,
    pieces: Vec<Piece>,
}

/// A jump that leaves.
struct Exit {
    jump: Jump,
    /// What with.
    number: u32,
    /// The piece that was being run.
    piece: usize,
    /// What is in host registers and has to be stored.
    held: RowCache,
}

/// Operations that are run together or not at all: the budget is lowered for all of them at their beginning.
struct Piece {
    first: u32,
    /// The operation after it; known when it ends.
    end: u32,
    /// Where its length is to be written.
    length_at: usize,
    /// What is in host registers at its beginning.
    held: RowCache,
    /// Where its code begins.
    place: usize,
}

impl Writer {
    fn new(chunks: u8) -> Self {
        Self {
            translator: Translator::new(chunks),
            places: Vec::new(),
            leave: 0,
            exits: Vec::new(),
            detours: Vec::new(),
            branches: Vec::new(),
            targets: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// The function that goes to a place and comes back from it; its arguments are in rdi, rsi, rdx, rcx, r8, r9 and
    /// on the stack.
    fn frame(&mut self) {
        let code = &mut self.translator.code;
        code.push(&[0x55]); // push rbp
        code.push(&[0x53]); // push rbx
        code.push(&[0x41, 0x54]); // push r12
        code.push(&[0x41, 0x55]); // push r13
        code.push(&[0x41, 0x56]); // push r14
        code.push(&[0x41, 0x57]); // push r15
        code.push(&[0x50]); // push rax: calls want the stack at a multiple of 16
        code.push(&[0x48, 0x8b, 0x6c, 0x24, 0x40]); // mov rbp, [rsp + 64]: the seventh argument
        code.push(&[0x48, 0x89, 0xfb]); // mov rbx, rdi
        code.push(&[0x49, 0x89, 0xf4]); // mov r12, rsi
        code.push(&[0x49, 0x89, 0xcd]); // mov r13, rcx
        code.push(&[0x4d, 0x89, 0xc6]); // mov r14, r8
        code.push(&[0x45, 0x89, 0xcf]); // mov r15d, r9d
        code.push(&[0xff, 0xe2]); // jmp rdx
        self.leave = code.here();
        code.push(&[0x49, 0xc1, 0xe7, 32]); // shl r15, 32
        code.push(&[0x4c, 0x09, 0xf8]); // or rax, r15
        code.push(&[0xc5, 0xf8, 0x77]); // vzeroupper
        code.push(&[0x59]); // pop rcx
        code.push(&[0x41, 0x5f]); // pop r15
        code.push(&[0x41, 0x5e]); // pop r14
        code.push(&[0x41, 0x5d]); // pop r13
        code.push(&[0x41, 0x5c]); // pop r12
        code.push(&[0x5b]); // pop rbx
        code.push(&[0x5d]); // pop rbp
        code.push(&[0xc3]); // ret
    }

    /// The code of a segment, blocks going on with one another.
    fn segment<const CHUNKS: usize>(&mut self, segment: &Segment, handlers: &[Handler<CHUNKS>; 256]) {
        // The handlers' addresses lie before the code.
        let code = &mut self.translator.code;
        code.bytes.resize(code.bytes.len().next_multiple_of(8), 0xcc);
        let table = code.here();
        for handler in handlers {
            code.push(&(*handler as usize as u64).to_le_bytes());
        }
        let first = segment.operations.first().map_or(0, |o| o.index);
        let first_place = self.places.len();
        self.places.resize(first_place + segment.operations.len(), NOWHERE);
        self.targets = vec![0; segment.operations.len()];
        let is_target = targets(segment);
        let mut is_in_piece = false;
        for (position, o) in segment.operations.iter().enumerate() {
            if is_target[position] {
                self.write_back_and_forget();
                self.end_piece(&mut is_in_piece, o.index);
                self.targets[position] = self.translator.code.here();
            }
            if o.block_length == 0 {
                self.end_piece(&mut is_in_piece, o.index);
                self.leave_with(o.index);
                continue;
            }
            if !is_in_piece || o.index - self.pieces[self.pieces.len() - 1].first >= LONGEST_PIECE {
                self.end_piece(&mut is_in_piece, o.index);
                self.begin_piece(o.index);
                is_in_piece = true;
            }
            self.operation(o, position, segment, table);
        }
        let end = first + segment.operations.len() as u32;
        self.end_piece(&mut is_in_piece, end);
        self.leave_with(end);
        self.finish(first, first_place, table);
    }

    /// What lies off the usual way.
    fn finish(&mut self, first: u32, first_place: usize, table: usize) {
        for (mut detour, piece) in std::mem::take(&mut self.detours) {
            for jump in detour.jumps {
                self.translator.code.land(jump);
            }
            detour.before.write_back(&mut self.translator.code);
            self.call(&detour.operation, detour.position, piece, table);
            detour.after.reload(&mut self.translator.code);
            self.translator.code.jump_to(detour.back);
        }
        for mut exit in std::mem::take(&mut self.exits) {
            let code = &mut self.translator.code;
            code.land(exit.jump);
            exit.held.write_back(code);
            // What was taken for the rest of the piece is given back.
            let unused = self.pieces[exit.piece].end - (exit.number & !REFUSED);
            code.push(&[0x41, 0x81, 0xc7]); // add r15d, …
            code.word(unused);
            self.leave_with(exit.number);
        }
        for piece in std::mem::take(&mut self.pieces) {
            let code = &mut self.translator.code;
            code.bytes[piece.length_at..piece.length_at + 4].copy_from_slice(&(piece.end - piece.first).to_le_bytes());
            let place = &mut self.places[first_place + (piece.first - first) as usize];
            *place = piece.place as u32;
            if !piece.held.is_empty() {
                // Who comes from outside has nothing in host registers.
                *place = code.here() as u32;
                piece.held.reload(code);
                code.jump_to(piece.place);
            }
        }
        for (jump, number) in std::mem::take(&mut self.branches) {
            self.translator.code.land_at(jump, self.targets[(number - first) as usize]);
        }
    }

    fn write_back_and_forget(&mut self) {
        self.translator.cache.write_back(&mut self.translator.code);
        self.translator.cache.forget();
    }

    fn begin_piece(&mut self, first: u32) {
        let held = self.translator.cache.clone();
        let code = &mut self.translator.code;
        let place = code.here();
        code.push(&[0x41, 0x81, 0xef]); // sub r15d, …
        let length_at = code.here();
        code.word(0);
        let jump = code.jump_if(When::Below);
        self.exits.push(Exit { jump, number: first, piece: self.pieces.len(), held: held.clone() });
        self.pieces.push(Piece { first, end: first, length_at, held, place });
    }

    fn end_piece(&mut self, is_in_piece: &mut bool, number: u32) {
        if std::mem::take(is_in_piece) {
            self.pieces.last_mut().expect("one has begun").end = number;
        }
    }

    /// The code of one operation.
    fn operation(&mut self, o: &Operation, position: usize, segment: &Segment, table: usize) {
        let piece = self.pieces.len() - 1;
        match o.op {
            Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu => return self.branch(o, segment),
            Op::Jal => {
                self.translator.link(o);
                self.write_back_and_forget();
                return self.go_to(o.immediate, segment);
            }
            op if op == Op::Jalr || changes_mask(op) => {
                self.write_back_and_forget();
                let code = &mut self.translator.code;
                code.push(&[0x41, 0xc7, 0x86]); // mov dword [r14 + …], …
                code.word(BoardPlaces::PC);
                code.word(o.pc.wrapping_add(4));
                self.call(o, position, piece, table);
                return self.leave_with(AT_PC);
            }
            _ => {}
        }
        if self.translator.arithmetic(o) || self.translator.across(o) {
            // Nothing is left to do.
        } else if let Some(detour) = self.translator.access(o, position) {
            self.detours.push((detour, piece));
        } else {
            self.write_back_and_forget();
            self.call(o, position, piece, table);
        }
        if o.block_length == 1 {
            self.write_back_and_forget();
            self.leave_with(o.index + 1);
        }
    }

    fn branch(&mut self, o: &Operation, segment: &Segment) {
        self.translator.cache.write_back(&mut self.translator.code);
        let condition = self.translator.condition(o);
        let (none, some) = self.translator.decide(condition);
        let held = RowCache::new(self.translator.cache.chunks);
        if let Some(jump) = some {
            // Lanes disagree.
            self.exits.push(Exit { jump, number: o.index | REFUSED, piece: self.pieces.len() - 1, held });
        }
        self.translator.cache.forget();
        let target = o.pc.wrapping_add(o.immediate);
        if condition.is_inverted {
            let on = self.translator.code.jump();
            self.translator.code.land(none);
            self.go_to(target, segment);
            self.translator.code.land(on);
        } else {
            self.go_to(target, segment);
            self.translator.code.land(none);
        }
    }

    /// Goes on at an address.
    fn go_to(&mut self, pc: u32, segment: &Segment) {
        let code = &mut self.translator.code;
        if let Some(index) = segment.index_of(pc) {
            let jump = code.jump();
            self.branches.push((jump, segment.operations[index].index));
            return;
        }
        code.push(&[0x41, 0xc7, 0x86]); // mov dword [r14 + …], …
        code.word(BoardPlaces::PC);
        code.word(pc);
        self.leave_with(AT_PC);
    }

    /// A call of an operation's handler, whose address is in the table at `handlers`.
    fn call(&mut self, o: &Operation, position: usize, piece: usize, handlers: usize) {
        let code = &mut self.translator.code;
        code.push(&[0x48, 0x89, 0xdf]); // mov rdi, rbx
        code.push(&[0x49, 0x8d, 0xb4, 0x24]); // lea rsi, [r12 + …]
        code.word((position * size_of::<Operation>()) as u32);
        code.call_from(handlers + 8 * usize::from(o.op as u8));
        if o.may_be_refused() {
            code.push(&[0x84, 0xc0]); // test al, al
            let jump = code.jump_if(When::Zero);
            let held = RowCache::new(self.translator.cache.chunks);
            self.exits.push(Exit { jump, number: o.index | REFUSED, piece, held });
        }
    }

    /// Leaves with a number.
    fn leave_with(&mut self, number: u32) {
        let code = &mut self.translator.code;
        code.push(&[0xb8]); // mov eax, …
        code.word(number);
        code.jump_to(self.leave);
    }
}

/// Which operations of a segment begin a block, as far as the program text shows it.
fn targets(segment: &Segment) -> Vec<bool> {
    let mut is_target = vec![false; segment.operations.len()];
    let mut begins = true;
    for (position, o) in segment.operations.iter().enumerate() {
        is_target[position] |= begins;
        begins = o.block_length <= 1;
        if let Some(target) = o.target().and_then(|target| segment.index_of(target)) {
            is_target[target] = true;
        }
    }
    is_target
}
