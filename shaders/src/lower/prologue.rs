//! How a kernel starts, takes workgroup after workgroup, and ends (MACHINE: each core starts warp 0, lane 0).
//!
//! ```text
//! start:   wspawn the warps that the argument block says         (warp 0, lane 0)
//! warp:    tmc all lanes; slot, warp within the group             (every warp)
//!          tmc of the invocations that exist, if the last warp is partial
//!          what is computed once
//! group:   while group < count:                                   (slot s of core c: c + C·s, then + C·slots)
//!              zero the workgroup's memory, wait
//!              [for each of its warps in turn, if it has more than the core]
//!              the kernel
//!              wait, if workgroup memory is used again
//! end:     tmc 0
//! ```
//!
//! Earlier values than `tmc` exist in lane 0 only, so every warp loads its arguments after it.

use gpu_core::isa::Op;
use gpu_core::isa::csr::Csr;

use crate::abi::ArgumentLayout;
use crate::ir::{Input, Kind, Operation};
use crate::legalize;
use crate::machine_code::{Action, Code, Line, Register, Remake};

use super::{Lowering, Once, Section};

impl Lowering<'_> {
    fn arguments(&self) -> ArgumentLayout {
        ArgumentLayout { binding_count: self.kernel.bindings.len() as u32 }
    }

    fn workgroup_invocations(&self) -> u32 {
        self.kernel.workgroup_size.iter().product()
    }

    /// Whether the warps of a workgroup take turns.
    fn takes_turns(&self) -> bool {
        self.warps > self.resident
    }

    /// The register of an input or a binding.
    pub fn once_of(&mut self, operation: &Operation) -> Register {
        match *operation {
            Operation::BindingAddress(legalize::WORKGROUP) => self.once(Once::WorkgroupBase),
            Operation::BindingAddress(legalize::FRAME) => Register::Frame,
            Operation::BindingAddress(index) => self.once(Once::BindingAddress(index)),
            Operation::BindingLength(index) => self.once(Once::BindingLength(index)),
            Operation::Input(input) => match input {
                Input::LocalInvocationId(axis) => self.once(Once::LocalId(axis)),
                Input::LocalInvocationIndex => self.once(Once::LocalIndex),
                Input::WorkgroupId(axis) => self.once(Once::GroupId(axis)),
                Input::GlobalInvocationId(axis) => self.once(Once::GlobalId(axis)),
                Input::NumWorkgroups(axis) => self.once(Once::Grid(axis)),
                Input::SubgroupInvocationId => self.once(Once::Lane),
                Input::SubgroupSize => self.constant(Kind::Int, self.options.lanes),
                Input::SubgroupId => self.once(Once::WarpInGroup),
                Input::NumSubgroups => self.constant(Kind::Int, self.warps),
            },
            _ => unreachable!("only inputs and bindings are computed once"),
        }
    }

    /// Where a thing is computed.
    fn section_of(&self, once: Once) -> Section {
        let local = if self.takes_turns() { Section::Item } else { Section::Entry };
        match once {
            Once::GroupId(_) | Once::Group | Once::GroupRow => Section::Group,
            Once::GlobalId(_) => Section::Item,
            Once::WarpInGroup | Once::LocalIndex | Once::LocalId(_) => local,
            _ => Section::Entry,
        }
    }

    /// The register of a thing, computed when first asked for.
    pub fn once(&mut self, once: Once) -> Register {
        if let Some(&register) = self.once.get(&once) {
            return register;
        }
        let section = self.section_of(once);
        let register = self.within(section, |this| this.compute_once(once));
        self.once.insert(once, register);
        register
    }

    fn load_argument(&mut self, offset: u32) -> Register {
        let arguments = self.once(Once::Arguments);
        let register = self.load_far(arguments, offset as i32);
        if offset < 2048 {
            self.remake(register, Remake::Load { base: arguments, offset: offset as i32 });
        }
        register
    }

    fn csr(&mut self, csr: Csr) -> Register {
        let register = self.read_csr(csr);
        self.remake(register, Remake::Csr(i32::from(csr.spec().number)));
        register
    }

    fn compute_once(&mut self, once: Once) -> Register {
        let [width, height, _] = self.kernel.workgroup_size;
        match once {
            Once::Arguments => {
                let arguments = self.csr(Csr::Mscratch);
                self.code.arguments = Some(arguments);
                arguments
            }
            Once::Lane => self.csr(Csr::ThreadId),
            Once::Warp => self.csr(Csr::WarpId),
            Once::Core => self.csr(Csr::CoreId),
            Once::Slot => {
                let warp = self.once(Once::Warp);
                self.divide(warp, self.resident)
            }
            Once::WarpInGroup if self.resident == 1 && !self.takes_turns() => Register::Zero,
            Once::WarpInGroup => {
                let warp = self.once(Once::Warp);
                let first = self.within(Section::Entry, |this| this.remainder(warp, this.resident));
                if !self.takes_turns() {
                    return first;
                }
                // Counted up by `assemble`.
                let turn = self.new_int();
                self.within(Section::Group, |this| this.move_register(Kind::Int, turn, first));
                turn
            }
            Once::LocalIndex => {
                let lane = self.once(Once::Lane);
                match self.once(Once::WarpInGroup) {
                    Register::Zero => lane,
                    warp => {
                        let first = self.times(warp, self.options.lanes);
                        self.int(Op::Add, &[first, lane], 0)
                    }
                }
            }
            Once::LocalId(axis) if self.kernel.workgroup_size[axis as usize] == 1 => Register::Zero,
            Once::LocalId(axis) => {
                let index = self.once(Once::LocalIndex);
                let row = match axis {
                    0 => index,
                    1 => self.divide(index, width),
                    _ => self.divide(index, width * height),
                };
                match axis {
                    0 if self.workgroup_invocations() > width => self.remainder(row, width),
                    1 if self.workgroup_invocations() > width * height => self.remainder(row, height),
                    _ => row,
                }
            }
            Once::GlobalId(axis) => {
                let group = self.once(Once::GroupId(axis));
                let local = self.once(Once::LocalId(axis));
                let first = self.times(group, self.kernel.workgroup_size[axis as usize]);
                if local == Register::Zero { first } else { self.int(Op::Add, &[first, local], 0) }
            }
            Once::Group => {
                // Counted up by `assemble`.
                let group = self.new_int();
                self.within(Section::Entry, |this| {
                    let (core, slot) = (this.once(Once::Core), this.once(Once::Slot));
                    let cores = this.read_csr(Csr::NumCores);
                    let first = this.int(Op::Mul, &[cores, slot], 0);
                    this.instruction(Op::Add, group, &[first, core], 0);
                });
                group
            }
            Once::GroupRow => {
                let (group, width) = (self.once(Once::Group), self.once(Once::Grid(0)));
                self.int(Op::Divu, &[group, width], 0)
            }
            Once::GroupId(axis) => {
                let (op, index, size) = match axis {
                    0 => (Op::Remu, self.once(Once::Group), Once::Grid(0)),
                    1 => (Op::Remu, self.once(Once::GroupRow), Once::Grid(1)),
                    _ => (Op::Divu, self.once(Once::GroupRow), Once::Grid(1)),
                };
                let size = self.once(size);
                self.int(op, &[index, size], 0)
            }
            Once::Grid(axis) => self.load_argument(self.arguments().grid(u32::from(axis))),
            Once::WorkgroupBase => {
                let base = self.read_csr(Csr::LocalMemBase);
                let slot = self.once(Once::Slot);
                let bytes = self.kernel.workgroup_bytes.next_multiple_of(4);
                let offset = self.times(slot, bytes);
                self.int(Op::Add, &[base, offset], 0)
            }
            Once::BindingAddress(index) => self.load_argument(self.arguments().binding_address(index)),
            Once::BindingLength(index) => self.load_argument(self.arguments().binding_length(index)),
        }
    }

    fn times(&mut self, a: Register, factor: u32) -> Register {
        match factor {
            1 => a,
            _ if factor.is_power_of_two() => self.int(Op::Slli, &[a], factor.trailing_zeros() as i32),
            _ => {
                let factor = self.constant(Kind::Int, factor);
                self.int(Op::Mul, &[a, factor], 0)
            }
        }
    }

    fn divide(&mut self, a: Register, by: u32) -> Register {
        match by {
            1 => a,
            _ if by.is_power_of_two() => self.int(Op::Srli, &[a], by.trailing_zeros() as i32),
            _ => {
                let by = self.constant(Kind::Int, by);
                self.int(Op::Divu, &[a, by], 0)
            }
        }
    }

    fn remainder(&mut self, a: Register, by: u32) -> Register {
        match by {
            1 => Register::Zero,
            _ if by.is_power_of_two() && by <= 2048 => self.int(Op::Andi, &[a], by as i32 - 1),
            _ => {
                let by = self.constant(Kind::Int, by);
                self.int(Op::Remu, &[a, by], 0)
            }
        }
    }

    /// All lanes of the machine's warps.
    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.options.lanes)
    }

    /// Narrows the mask to the invocations that exist.
    fn mask_partial_warp(&mut self) {
        if !self.workgroup_invocations().is_multiple_of(self.options.lanes) {
            let index = self.once(Once::LocalIndex);
            let count = self.constant(Kind::Int, self.workgroup_invocations());
            let exists = self.int(Op::Sltu, &[index, count], 0);
            let mask = self.int(Op::VoteBallot, &[exists], 0);
            self.instruction(Op::Tmc, Register::Zero, &[mask], 0);
        }
    }

    fn uses_workgroup_memory(&self) -> bool {
        self.kernel.workgroup_bytes > 0
    }

    /// Fills the workgroup's memory with zeros, `workers` lanes side by side.
    fn zero_workgroup_memory(&mut self) {
        let words = self.kernel.workgroup_bytes.div_ceil(4);
        let invocations = self.workgroup_invocations();
        let workers = if self.takes_turns() { self.resident * self.options.lanes } else { invocations };
        let base = self.once(Once::WorkgroupBase);
        let worker = if self.takes_turns() {
            let (lane, warp) = (self.once(Once::Lane), self.once(Once::Warp));
            let warp = self.remainder(warp, self.resident);
            let first = self.times(warp, self.options.lanes);
            self.int(Op::Add, &[first, lane], 0)
        } else {
            self.once(Once::LocalIndex)
        };
        let offset = self.int(Op::Slli, &[worker], 2);
        let mut address = self.int(Op::Add, &[base, offset], 0);
        let (rounds, rest) = (words / workers, words % workers);
        let step = workers * 4;
        if rounds * step < 2048 {
            for round in 0..rounds {
                self.instruction(Op::Sw, Register::Zero, &[address, Register::Zero], (round * step) as i32);
            }
            if rest > 0 && rounds > 0 {
                address = self.int(Op::Addi, &[address], (rounds * step) as i32);
            }
        } else {
            let step = self.constant(Kind::Int, step);
            let end = self.constant(Kind::Int, rounds * workers * 4);
            let end = self.int(Op::Add, &[address, end], 0);
            let moving = self.new_int();
            self.move_register(Kind::Int, moving, address);
            self.push(Action::LoopBegin);
            let top = self.code.label();
            self.label(top);
            self.instruction(Op::Sw, Register::Zero, &[moving, Register::Zero], 0);
            self.instruction(Op::Add, moving, &[moving, step], 0);
            self.branch(Op::Bne, [moving, end], top);
            self.push(Action::LoopEnd);
            address = moving;
        }
        if rest > 0 {
            let rest = self.constant(Kind::Int, rest);
            let has_one = self.int(Op::Sltu, &[worker, rest], 0);
            let skip = self.code.label();
            if self.has_masks() {
                let all = self.read_csr(Csr::ActiveThreads);
                let lanes = self.int(Op::VoteBallot, &[has_one], 0);
                self.branch(Op::Beq, [lanes, Register::Zero], skip);
                self.narrow(lanes);
                self.instruction(Op::Sw, Register::Zero, &[address, Register::Zero], 0);
                self.widen(all);
                self.label(skip);
            } else {
                let depth = self.int(Op::Split, &[has_one], 0);
                self.branch(Op::Beq, [has_one, Register::Zero], skip);
                self.instruction(Op::Sw, Register::Zero, &[address, Register::Zero], 0);
                self.label(skip);
                self.instruction(Op::Join, Register::Zero, &[depth], 0);
            }
        }
    }

    /// Puts the sections together.
    pub fn assemble(mut self) -> Code {
        let [warp_start, group_top, item_top, end] = [(); 4].map(|()| self.code.label());
        self.at = Default::default();

        // What the loops need, and the sections' last lines.
        let group = self.once(Once::Group);
        let (count_offset, stride_offset) = (self.arguments().group_count(), self.arguments().group_stride());
        let (count, stride) =
            self.within(Section::Entry, |this| (this.load_argument(count_offset), this.load_argument(stride_offset)));
        let needs_zeros = self.uses_workgroup_memory() && self.kernel.zero_workgroup_memory;
        if needs_zeros {
            self.within(Section::Group, |this| {
                this.zero_workgroup_memory();
                this.barrier();
            });
        }
        let turn = self.takes_turns().then(|| self.once(Once::WarpInGroup));
        let turns = self.warps;
        let latch = {
            let body = std::mem::take(&mut self.sections[Section::Body as usize]);
            self.section = Section::Body;
            if self.uses_workgroup_memory() {
                self.barrier();
            }
            self.instruction(Op::Add, group, &[group, stride], 0);
            self.push(Action::Jump(group_top));
            self.push(Action::LoopEnd);
            self.label(end);
            self.instruction(Op::Tmc, Register::Zero, &[Register::Zero], 0);
            std::mem::replace(&mut self.sections[Section::Body as usize], body)
        };
        let (turn_top, turn_latch) = match turn {
            None => (Vec::new(), Vec::new()),
            Some(turn) => {
                let top = self.written(|this| {
                    this.push(Action::LoopBegin);
                    this.label(item_top);
                });
                let latch = self.written(|this| {
                    let all = this.constant(Kind::Int, this.all_lanes());
                    this.instruction(Op::Tmc, Register::Zero, &[all], 0);
                    this.instruction(Op::Addi, turn, &[turn], this.resident as i32);
                    let turns = this.constant(Kind::Int, turns);
                    this.branch(Op::Bltu, [turn, turns], item_top);
                    this.push(Action::LoopEnd);
                });
                (top, latch)
            }
        };
        let partial = self.written(Self::mask_partial_warp);
        let start = self.start(warp_start);
        let group_head = self.written(|this| {
            this.push(Action::LoopBegin);
            this.label(group_top);
            this.branch(Op::Bgeu, [group, count], end);
        });

        let [entry, group_lines, item, body] = std::mem::take(&mut self.sections);
        let (entry_partial, item_partial) = if turn.is_some() { (Vec::new(), partial) } else { (partial, Vec::new()) };
        let mut code = self.code;
        code.lines = [
            start,
            entry,
            entry_partial,
            group_head,
            group_lines,
            turn_top,
            item,
            item_partial,
            body,
            turn_latch,
            latch,
        ]
        .concat();
        code
    }

    /// Lines on their own.
    fn written(&mut self, write: impl FnOnce(&mut Self)) -> Vec<Line> {
        let section = self.section as usize;
        let old = std::mem::take(&mut self.sections[section]);
        write(self);
        std::mem::replace(&mut self.sections[section], old)
    }

    /// From the first instruction to all lanes of all warps.
    fn start(&mut self, warp_start: crate::machine_code::CodeLabel) -> Vec<Line> {
        let layout = self.arguments();
        let frames = layout.frames() as i32;
        let lanes = self.all_lanes();
        self.written(|this| {
            let arguments = this.read_csr(Csr::Mscratch);
            let warps = this.load_far(arguments, layout.warps_to_start() as i32);
            let start = this.new_int();
            this.push(Action::LoadAddress { rd: start, label: warp_start });
            this.instruction(Op::Wspawn, Register::Zero, &[warps, start], 0);
            this.label(warp_start);
            let all = this.new_int();
            this.push(Action::LoadConstant { rd: all, bits: lanes });
            this.instruction(Op::Tmc, Register::Zero, &[all], 0);
            this.push(Action::FrameSetUp { frames });
        })
    }

    fn load_far(&mut self, base: Register, offset: i32) -> Register {
        if offset < 2048 {
            return self.int(Op::Lw, &[base], offset);
        }
        let far = self.new_int();
        self.push(Action::LoadConstant { rd: far, bits: offset as u32 });
        let address = self.int(Op::Add, &[base, far], 0);
        self.int(Op::Lw, &[address], 0)
    }
}
