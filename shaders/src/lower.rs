//! From structured statements to machine instructions over virtual registers.
//!
//! Before: `optimize`, `legalize`, `divergence`. After: `allocate`.
//!
//! The code comes in sections: start-up, what is computed once for a warp, the loop over workgroups (and, when a
//! workgroup is larger than the core, over its warps), the kernel's body. `prologue` puts them together.
//! In a sequence of several instructions only the last one writes the destination, because the destination may be
//! the register of an operand (`plan`).

mod control;
mod cross_lane;
mod masks;
mod operation;
mod plan;
mod prologue;
mod sequences;

use std::collections::BTreeMap;

use gpu_core::isa::{Extension, Op};

use crate::accesses::{Home, homes};
use crate::divergence::Divergence;
use crate::ir::{Kernel, Kind, Location, Value, Variable};
use crate::machine_code::{Action, Code, CodeLabel, Line, MachineInstruction, Register, Remake};
use crate::options::{CompileOptions, Mutation};

use control::Context;
use plan::{Place, Plan};

/// What the lowering made.
pub struct Lowered {
    /// The whole kernel.
    pub code: Code,
    /// Warps that a workgroup occupies at once.
    pub warps_per_workgroup: u32,
    /// Words of private memory of one lane.
    pub private_words: u32,
}

/// Lowers a kernel.
pub fn run(kernel: &Kernel, divergence: &Divergence, options: &CompileOptions) -> Lowered {
    let mut code = Code::default();
    let variables = kernel.variables.iter().map(|variable| code.register(variable.kind)).collect();
    let warps = warps_of_workgroup(kernel, options.lanes);
    let mut lowering = Lowering {
        kernel,
        divergence,
        options,
        plan: plan::plan(kernel, options),
        values: vec![None; kernel.values.len()],
        variables,
        code,
        sections: Default::default(),
        section: Section::Body,
        at: Location::default(),
        constants: BTreeMap::new(),
        once: BTreeMap::new(),
        contexts: Vec::new(),
        controls: Vec::new(),
        escape: None,
        open_masks: 0,
        accumulated: None,
        warps,
        resident: warps.min(options.warps),
    };
    // The first line of what is computed once: constants may be loaded from there.
    lowering.once(Once::Arguments);
    for (index, home) in homes(kernel).into_iter().enumerate() {
        if home == Home::Kernel && lowering.is_accessed(Variable(index as u32)) {
            let variable = lowering.variables[index];
            lowering.within(Section::Item, |this| this.load_constant(variable, kernel.variables[index].kind, 0));
        }
    }
    lowering.block(&kernel.body);
    let code = lowering.assemble();
    Lowered { code, warps_per_workgroup: warps.min(options.warps), private_words: kernel.private_bytes.div_ceil(4) }
}

/// A part of the code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Section {
    /// Once for a warp, all lanes active (but those that a partial warp lacks).
    Entry,
    /// At the start of each workgroup.
    Group,
    /// At the start of each warp's turn; the same as `Group` unless the workgroup is larger than the core.
    Item,
    /// The kernel.
    Body,
}

/// Things computed once, by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Once {
    Arguments,
    Lane,
    Warp,
    Core,
    Slot,
    WarpInGroup,
    LocalIndex,
    LocalId(u8),
    GlobalId(u8),
    Group,
    GroupId(u8),
    GroupRow,
    Grid(u8),
    WorkgroupBase,
    BindingAddress(u32),
    BindingLength(u32),
}

struct Lowering<'a> {
    kernel: &'a Kernel,
    divergence: &'a Divergence,
    options: &'a CompileOptions,
    plan: Plan,
    values: Vec<Option<Register>>,
    variables: Vec<Register>,
    code: Code,
    sections: [Vec<Line>; 4],
    section: Section,
    at: Location,
    constants: BTreeMap<(bool, u32), Register>,
    once: BTreeMap<Once, Register>,
    contexts: Vec<Context>,
    /// Control words of shuffles made in the open blocks: lane, fields, register.
    controls: Vec<(Value, u32, Register)>,
    /// Which scope each waiting lane has left, 0 for none; made when first needed.
    escape: Option<Register>,
    /// Masks that the open flat `If`s keep in registers.
    open_masks: u32,
    /// For the mutation of invariant I1 only.
    accumulated: Option<Register>,
    /// Warps that a workgroup's invocations fill.
    warps: u32,
    /// Warps of a workgroup that are there at once.
    resident: u32,
}

impl Lowering<'_> {
    fn has(&self, extension: Extension) -> bool {
        self.options.extensions.contains(extension)
    }

    fn is_accessed(&self, variable: Variable) -> bool {
        let is_it = |operation: &Option<crate::ir::Operation>| matches!(operation, Some(crate::ir::Operation::Get(other)) if *other == variable);
        self.plan.operations.iter().any(is_it)
    }

    /// Writes into another section for a while.
    fn within<T>(&mut self, section: Section, write: impl FnOnce(&mut Self) -> T) -> T {
        let (old, at) = (self.section, self.at);
        self.section = section;
        if section != old {
            self.at = Location::default();
        }
        let result = write(self);
        (self.section, self.at) = (old, at);
        result
    }

    fn push(&mut self, action: Action) {
        let line = Line { action, at: self.at };
        self.sections[self.section as usize].push(line);
    }

    fn new_int(&mut self) -> Register {
        self.code.register(Kind::Int)
    }

    fn new_float(&mut self) -> Register {
        self.code.register(Kind::Float)
    }

    fn instruction(&mut self, op: Op, rd: Register, rs: &[Register], imm: i32) {
        let mut instruction = MachineInstruction { rd, imm, ..MachineInstruction::new(op) };
        instruction.rs[..rs.len()].copy_from_slice(rs);
        self.push(Action::Machine(instruction));
    }

    /// As `instruction`, with a rounding mode (RISC-V F, "Rounding mode encoding").
    fn rounding(&mut self, op: Op, rd: Register, rs: &[Register], rm: u8) {
        let mut instruction = MachineInstruction { rd, rm, ..MachineInstruction::new(op) };
        instruction.rs[..rs.len()].copy_from_slice(rs);
        self.push(Action::Machine(instruction));
    }

    /// An instruction into a new integer register.
    fn int(&mut self, op: Op, rs: &[Register], imm: i32) -> Register {
        let rd = self.new_int();
        self.instruction(op, rd, rs, imm);
        rd
    }

    fn read_csr(&mut self, csr: gpu_core::isa::csr::Csr) -> Register {
        let rd = self.new_int();
        self.instruction(Op::Csrrs, rd, &[], i32::from(csr.spec().number));
        rd
    }

    fn branch(&mut self, op: Op, rs: [Register; 2], target: CodeLabel) {
        self.push(Action::Branch { op, rs, target });
    }

    fn label(&mut self, label: CodeLabel) {
        self.push(Action::Label(label));
    }

    fn move_register(&mut self, kind: Kind, rd: Register, from: Register) {
        if rd == from {
            return;
        }
        match kind {
            Kind::Int => self.instruction(Op::Addi, rd, &[from], 0),
            Kind::Float => self.instruction(Op::Fsgnj, rd, &[from, from], 0),
        }
    }

    fn kind(&self, value: Value) -> Kind {
        self.kernel.values[value.0 as usize].kind
    }

    /// The register that holds a constant, the same for all its uses: made where all lanes are active (invariant I2).
    fn constant(&mut self, kind: Kind, bits: u32) -> Register {
        if kind == Kind::Int && bits == 0 {
            return Register::Zero;
        }
        let key = (kind == Kind::Float, bits);
        if let Some(&register) = self.constants.get(&key) {
            return register;
        }
        let register = self.code.register(kind);
        let section =
            if self.options.mutation == Some(Mutation::ReuseConstants) { self.section } else { Section::Entry };
        self.within(section, |this| this.load_constant(register, kind, bits));
        if section == Section::Entry {
            self.remake(register, Remake::Constant(bits));
        }
        self.constants.insert(key, register);
        register
    }

    fn remake(&mut self, register: Register, remake: Remake) {
        if let Register::Virtual(index) = register {
            self.code.registers[index as usize].remake = Some(remake);
        }
    }

    /// Puts a constant into a register here and now.
    fn load_constant(&mut self, rd: Register, kind: Kind, bits: u32) {
        match kind {
            Kind::Int => self.push(Action::LoadConstant { rd, bits }),
            Kind::Float => {
                let zfa = self.has(Extension::Zfa);
                let code = &mut self.code;
                let lines = &mut self.sections[self.section as usize];
                load_float_constant(code, rd, bits, zfa, |action| lines.push(Line { action, at: self.at }));
            }
        }
    }

    /// The register to read a value from; computes it if it was folded.
    fn read(&mut self, value: Value) -> Register {
        match self.plan.places[value.0 as usize] {
            Place::Constant(bits) => self.constant(self.kind(value), bits),
            Place::Variable(variable) => self.variables[variable.0 as usize],
            Place::Own => self.values[value.0 as usize].expect("values are written before they are read"),
            Place::Folded => {
                let rd = self.code.register(self.kind(value));
                let operation = self.plan.operations[value.0 as usize].expect("it is folded");
                self.compute(rd, self.kind(value), &operation);
                rd
            }
        }
    }

    /// The operation of a folded value.
    fn folded(&self, value: Value) -> Option<crate::ir::Operation> {
        let is_folded = self.plan.places[value.0 as usize] == Place::Folded;
        is_folded.then(|| self.plan.operations[value.0 as usize].expect("it is folded"))
    }

    fn constant_of(&self, value: Value) -> Option<u32> {
        match self.plan.places[value.0 as usize] {
            Place::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// A constant that fits an immediate of 12 bits.
    fn immediate(&self, value: Value) -> Option<i32> {
        self.constant_of(value).map(|bits| bits as i32).filter(|bits| (-2048..2048).contains(bits))
    }
}

/// Whether one instruction makes a constant.
pub(crate) fn is_one_instruction(kind: Kind, bits: u32, has_zfa: bool) -> bool {
    match kind {
        Kind::Int => (-2048..2048).contains(&(bits as i32)) || bits & 0xfff == 0,
        Kind::Float => {
            let constants = gpu_core::isa::float_constants::CONSTANTS;
            bits == 0 || has_zfa && constants.iter().any(|&(constant, _)| constant == bits)
        }
    }
}

/// Writes the lines that put a constant into a float register; also used where a spilled one is made anew.
pub(crate) fn load_float_constant(
    code: &mut Code,
    rd: Register,
    bits: u32,
    has_zfa: bool,
    mut push: impl FnMut(Action),
) {
    let fli = gpu_core::isa::float_constants::CONSTANTS.iter().position(|&(constant, _)| constant == bits);
    if let (true, Some(index)) = (has_zfa, fli) {
        // The index takes the place of rs1; `emit` writes the immediate there.
        push(Action::Machine(MachineInstruction { rd, imm: index as i32, ..MachineInstruction::new(Op::Fli) }));
        return;
    }
    let from = if bits == 0 {
        Register::Zero
    } else {
        let temporary = code.register(Kind::Int);
        push(Action::LoadConstant { rd: temporary, bits });
        temporary
    };
    let rs = [from, Register::Zero, Register::Zero];
    push(Action::Machine(MachineInstruction { rd, rs, ..MachineInstruction::new(Op::FmvWX) }));
}

/// Warps that the invocations of a workgroup fill.
pub(crate) fn warps_of_workgroup(kernel: &Kernel, lanes: u32) -> u32 {
    kernel.workgroup_size.iter().product::<u32>().div_ceil(lanes)
}
