//! A program as host code that calls the handler of one instruction after the other.
//!
//! Before: `operation` has made the program ready. After: blocks that `interpret` runs by one jump each.
//! A table of handlers costs one indirect call an instruction, from one place, to ever other targets: hosts predict only
//! short repetitions of that, and a wrong guess costs more than the instruction (Berndl, Vitale, Zaleski and Brown,
//! "Context Threading", 2005, who found this remedy). Here each instruction has a call of its own, which always has the
//! same target. Nothing else is translated: the calls are straight-line code, and what an instruction means is told in
//! `interpret` alone.
//! Gain over the table: 24 % of the time of a frame of the scene `knot` (10.5 → 7.9 ns a warp-instruction of processor time,
//! least of 4 runs in turn on a fully loaded host, one thread: `warpaint bench frame --scene knot`), whose kernel runs some
//! 600 instructions a block; 5 % of the arithmetic kernel, a loop of 32 that hosts predict.

use super::dispatch::{Handler, LANES, Table};
use super::frame::Frame;
use super::operation::{Operation, Operations, Segment};
use memmap2::{Mmap, MmapMut};

/// The calls of a whole program for warps of `CHUNKS` rows: with all lanes active, and with some.
#[derive(Debug)]
pub(super) struct Calls {
    code: Mmap,
    /// Where an operation's call is in `code`, by its index; the first half for all lanes active, the second for some.
    places: Vec<u32>,
}

/// What a frame's operations, called from `place`, end with: the index of the operation before which they stopped.
type Enter<const CHUNKS: usize> = unsafe extern "sysv64" fn(
    frame: &mut Frame<'_, LANES, CHUNKS>,
    operations: *const Operation,
    place: *const u8,
) -> u32;

impl Calls {
    /// Writes the calls; `None` if the host gives no memory for code.
    pub fn new<const CHUNKS: usize>(operations: &Operations) -> Option<Self> {
        let mut writer = Writer::default();
        writer.frame();
        for handlers in [&Table::<CHUNKS, false>::HANDLERS, &Table::<CHUNKS, true>::HANDLERS] {
            for segment in operations.segments() {
                writer.segment(segment, handlers);
            }
        }
        let mut memory = MmapMut::map_anon(writer.bytes.len()).ok()?;
        memory.copy_from_slice(&writer.bytes);
        Some(Self { code: memory.make_exec().ok()?, places: writer.places })
    }

    /// Runs the block that begins with operation `index` of `segment`; gives how many of its instructions were run.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn run<const CHUNKS: usize, const MASKED: bool>(
        &self,
        frame: &mut Frame<'_, LANES, CHUNKS>,
        segment: &Segment,
        index: usize,
    ) -> usize {
        let number = segment.operations[index].index as usize;
        let place = self.places[if MASKED { self.places.len() / 2 } else { 0 } + number] as usize;
        // SAFETY: the code begins with a function of this type (`Writer::frame`), `place` is one of its inner places, and
        // the operations are those that it was written for: `mod.rs` keeps them together. The host has the handlers'
        // features, since `mod.rs` makes calls for no other.
        let stopped = unsafe {
            let enter: Enter<CHUNKS> = std::mem::transmute(self.code.as_ptr());
            enter(frame, segment.operations.as_ptr(), self.code.as_ptr().add(place))
        };
        stopped as usize - number
    }
}

/// Host code in the making. Bytes as in AMD's "AMD64 Architecture Programmer's Manual", volume 3.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    places: Vec<u32>,
    /// Where `frame` leaves.
    leave: usize,
}

impl Writer {
    /// The function that goes to a place and comes back from it: frame in rdi, operations in rsi, place in rdx.
    fn frame(&mut self) {
        self.bytes.extend([0x53]); // push rbx
        self.bytes.extend([0x41, 0x54]); // push r12
        self.bytes.extend([0x50]); // push rax: calls want the stack at a multiple of 16
        self.bytes.extend([0x48, 0x89, 0xfb]); // mov rbx, rdi
        self.bytes.extend([0x49, 0x89, 0xf4]); // mov r12, rsi
        self.bytes.extend([0xff, 0xe2]); // jmp rdx
        self.leave = self.bytes.len();
        self.bytes.extend([0x59]); // pop rcx
        self.bytes.extend([0x41, 0x5c]); // pop r12
        self.bytes.extend([0x5b]); // pop rbx
        self.bytes.extend([0xc3]); // ret
    }

    /// The calls of a segment, each going on with the next but at the end of a block.
    fn segment<const CHUNKS: usize>(&mut self, segment: &Segment, handlers: &[Handler<CHUNKS>; 256]) {
        // The handlers' addresses lie before the calls.
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0xcc);
        let table = self.bytes.len();
        for handler in handlers {
            self.bytes.extend((*handler as usize as u64).to_le_bytes());
        }
        let mut refusals = Vec::new();
        for (position, o) in segment.operations.iter().enumerate() {
            self.places.push(self.bytes.len() as u32);
            self.bytes.extend([0x48, 0x89, 0xdf]); // mov rdi, rbx
            self.bytes.extend([0x49, 0x8d, 0xb4, 0x24]); // lea rsi, [r12 + …]
            self.bytes.extend(((position * size_of::<Operation>()) as u32).to_le_bytes());
            self.bytes.extend([0xff, 0x15]); // call [rip + …]
            self.distance_to(table + 8 * usize::from(o.op as u8));
            if o.may_be_refused() {
                self.bytes.extend([0x84, 0xc0]); // test al, al
                self.bytes.extend([0x0f, 0x84]); // jz …
                refusals.push((self.bytes.len(), o.index));
                self.bytes.extend([0; 4]);
            }
            if o.block_length <= 1 {
                self.stop(o.index + 1);
            }
        }
        for (at, index) in refusals {
            let here = self.bytes.len();
            self.bytes[at..at + 4].copy_from_slice(&((here - at - 4) as u32).to_le_bytes());
            self.stop(index);
        }
    }

    /// Leaves with the index of the operation that comes next.
    fn stop(&mut self, index: u32) {
        self.bytes.push(0xb8); // mov eax, …
        self.bytes.extend(index.to_le_bytes());
        self.bytes.push(0xe9); // jmp …
        self.distance_to(self.leave);
    }

    /// Where a place is, as seen from behind these four bytes.
    fn distance_to(&mut self, place: usize) {
        let here = self.bytes.len() + 4;
        self.bytes.extend((place.wrapping_sub(here) as u32).to_le_bytes());
    }
}
