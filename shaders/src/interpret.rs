//! A plain interpreter of the intermediate form, for tests and differential checks; slow and obvious.
//!
//! Before: `translate` or any pass after it. All invocations of a workgroup advance in lock-step under one mask, so a
//! barrier is a no-op; votes, shuffles and quads stay within a warp of `lanes`. Lanes act in ascending order
//! (MACHINE: several lanes storing to one address, the highest wins; an atomic lane sees its predecessors).

mod memory;

use crate::ir::arithmetic::{binary, fused_multiply_add, multiply_shift_add, unary};
use crate::ir::{Atomic, Binary, Block, ControlRegister, Input, Kernel, Label, Location, Operation, Shuffle, Space};
use crate::ir::{Statement, Value};
use texture::{Form, Lookup};

pub use memory::{Buffer, Memory};

/// One texture request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TextureRequest {
    /// Bank · 4 + stage.
    pub stage: u32,
    /// Q9.23.
    pub u: i32,
    /// Q9.23.
    pub v: i32,
    /// What the third operand says.
    pub form: Form,
    /// Level or lookup word.
    pub operand: u32,
}

impl TextureRequest {
    /// The answer, from a stage and its memory.
    pub fn answer(&self, stage: &texture::Stage, fetch: impl FnMut(u32, u32) -> u32) -> u32 {
        texture::answer(self.form, stage, self.u, self.v, &Lookup::of(self.form, self.operand), fetch)
    }
}

/// Answers a texture request with packed A8R8G8B8, or the bits of a channel.
pub type Sampler<'a> = dyn Fn(&Memory, TextureRequest) -> u32 + 'a;

/// Answers requests as the machine does: `stages[n]` is stage n, its texels lie in memory. A stage that is not there gives 0.
pub fn stage_sampler(stages: &[texture::Stage]) -> impl Fn(&Memory, TextureRequest) -> u32 + '_ {
    move |memory, request| {
        let Some(stage) = stages.get(request.stage as usize) else { return 0 };
        let fetch = |address: u32, bytes: u32| {
            let word = memory.word(address & !3).unwrap_or(0) >> (8 * (address & 3));
            word & (u32::MAX >> (32 - 8 * bytes))
        };
        request.answer(stage, fetch)
    }
}

/// How a kernel is run.
pub struct Launch<'a> {
    /// Lanes of a warp, 1 to 64.
    pub lanes: u32,
    /// The grid, in workgroups.
    pub workgroups: [u32; 3],
    /// One for each of the kernel's bindings.
    pub bindings: &'a [Buffer],
    /// Answers texture requests; a kernel without any may have none.
    pub sampler: Option<&'a Sampler<'a>>,
    /// Statements a workgroup may run before it counts as endless.
    pub statement_limit: u64,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpretError {
    /// Not one buffer for each binding.
    #[error("the kernel has {wanted} bindings, {given} were given")]
    BindingCount {
        /// Bindings of the kernel.
        wanted: usize,
        /// Buffers of the launch.
        given: usize,
    },
    /// An access that no buffer holds.
    #[error(
        "{space} access at {address:#010x} by invocation {invocation} lies outside of every buffer \
         (line {}, column {})", at.line, at.column
    )]
    OutOfBounds {
        /// The memory.
        space: Space,
        /// The first byte.
        address: u32,
        /// Which invocation of its workgroup.
        invocation: usize,
        /// Where in the WGSL.
        at: Location,
    },
    /// More statements than the launch allows.
    #[error("no end after {limit} statements; raise the limit if the kernel is only long")]
    Endless {
        /// The limit.
        limit: u64,
    },
    /// A texture request that nobody answers.
    #[error("the kernel samples a texture, but the launch has no sampler")]
    NoSampler,
}

/// Runs every workgroup, x fastest.
pub fn run(kernel: &Kernel, memory: &mut Memory, launch: &Launch) -> Result<(), InterpretError> {
    if kernel.bindings.len() != launch.bindings.len() {
        return Err(InterpretError::BindingCount { wanted: kernel.bindings.len(), given: launch.bindings.len() });
    }
    let [width, height, depth] = launch.workgroups;
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                Group::new(kernel, memory, launch, [x, y, z]).run()?;
            }
        }
    }
    Ok(())
}

/// What workgroup memory holds when the kernel asked not to zero it: a pattern that tests notice.
const UNSET_WORD: u32 = 0xa5a5_a5a5;

type Mask = Vec<bool>;

struct Group<'a> {
    kernel: &'a Kernel,
    memory: &'a mut Memory,
    launch: &'a Launch<'a>,
    id: [u32; 3],
    size: usize,
    lanes: usize,
    /// Word `value · size + invocation`.
    values: Vec<u32>,
    variables: Vec<u32>,
    workgroup: Vec<u32>,
    private: Vec<u32>,
    bank: Vec<u32>,
    /// Lanes on their way to the end of each open scope.
    leaving: Vec<(Label, Mask)>,
    statements: u64,
}

fn is_empty(mask: &[bool]) -> bool {
    !mask.iter().any(|lane| *lane)
}

fn join(into: &mut [bool], other: &[bool]) {
    for (a, b) in into.iter_mut().zip(other) {
        *a |= b;
    }
}

impl<'a> Group<'a> {
    fn new(kernel: &'a Kernel, memory: &'a mut Memory, launch: &'a Launch<'a>, id: [u32; 3]) -> Self {
        let size = kernel.workgroup_size.iter().product::<u32>() as usize;
        let fill = if kernel.zero_workgroup_memory { 0 } else { UNSET_WORD };
        Self {
            kernel,
            memory,
            launch,
            id,
            size,
            lanes: launch.lanes as usize,
            values: vec![0; kernel.values.len() * size],
            variables: vec![0; kernel.variables.len() * size],
            workgroup: vec![fill; kernel.workgroup_bytes.div_ceil(4) as usize],
            private: vec![0; kernel.private_bytes.div_ceil(4) as usize * size],
            bank: vec![0; size],
            leaving: Vec::new(),
            statements: 0,
        }
    }

    fn run(mut self) -> Result<(), InterpretError> {
        let kernel = self.kernel;
        self.block(&kernel.body, vec![true; self.size]).map(|_| ())
    }

    fn get(&self, value: Value, lane: usize) -> u32 {
        self.values[value.0 as usize * self.size + lane]
    }

    /// Runs a block for the lanes of `mask`; returns those that reach its end.
    fn block(&mut self, block: &Block, mut mask: Mask) -> Result<Mask, InterpretError> {
        for statement in block {
            if is_empty(&mask) {
                break;
            }
            self.statements += 1;
            if self.statements > self.launch.statement_limit {
                return Err(InterpretError::Endless { limit: self.launch.statement_limit });
            }
            mask = self.statement(statement, mask)?;
        }
        Ok(mask)
    }

    fn statement(&mut self, statement: &Statement, mask: Mask) -> Result<Mask, InterpretError> {
        let active = |mask: &Mask| (0..mask.len()).filter(|i| mask[*i]).collect::<Vec<_>>();
        match statement {
            Statement::Let { value, operation, at } => {
                let results = self.operation(operation, &mask, *at)?;
                for lane in active(&mask) {
                    self.values[value.0 as usize * self.size + lane] = results[lane];
                }
            }
            Statement::Set { variable, value, .. } => {
                for lane in active(&mask) {
                    self.variables[variable.0 as usize * self.size + lane] = self.get(*value, lane);
                }
            }
            Statement::Store { space, address, offset, value, at } => {
                for lane in active(&mask) {
                    let word = self.get(*value, lane);
                    *self.word(*space, *address, *offset, lane, *at)? = word;
                }
            }
            Statement::WriteControl { register: ControlRegister::TextureBank, value, .. } => {
                for lane in active(&mask) {
                    self.bank[lane] = self.get(*value, lane);
                }
            }
            Statement::WriteControl { register: ControlRegister::Region, .. } => {}
            Statement::If { condition, accept, reject, .. } => {
                let taken = |wanted: bool| -> Mask {
                    (0..mask.len()).map(|lane| mask[lane] && (self.get(*condition, lane) != 0) == wanted).collect()
                };
                let (accepting, rejecting) = (taken(true), taken(false));
                let mut after = self.block(accept, accepting)?;
                join(&mut after, &self.block(reject, rejecting)?);
                return Ok(after);
            }
            Statement::Scope { label, body } => {
                self.leaving.push((*label, vec![false; self.size]));
                let mut after = self.block(body, mask)?;
                let (_, left) = self.leaving.pop().expect("scopes are popped as pushed");
                join(&mut after, &left);
                return Ok(after);
            }
            Statement::Loop { body, .. } => {
                let mut mask = mask;
                while !is_empty(&mask) {
                    self.statements += 1;
                    mask = self.block(body, mask)?;
                }
                return Ok(mask);
            }
            Statement::Leave { label, .. } => {
                let scope = self.leaving.iter_mut().rev().find(|(l, _)| l == label);
                let (_, left) = scope.expect("a verified kernel leaves only scopes around it");
                join(left, &mask);
                return Ok(vec![false; self.size]);
            }
            Statement::Barrier { .. } => {}
        }
        Ok(mask)
    }

    /// The word a lane addresses, in any space.
    fn word(
        &mut self,
        space: Space,
        address: Value,
        offset: i32,
        lane: usize,
        at: Location,
    ) -> Result<&mut u32, InterpretError> {
        let address = self.get(address, lane).wrapping_add(offset as u32);
        let word = address as usize / 4;
        let found = match space {
            _ if !address.is_multiple_of(4) => None,
            Space::Global | Space::GlobalReadOnly => self.memory.word_mut(address),
            Space::Workgroup => self.workgroup.get_mut(word),
            Space::Private if word >= self.kernel.private_bytes.div_ceil(4) as usize => None,
            Space::Private => self.private.get_mut(word * self.size + lane),
        };
        found.ok_or(InterpretError::OutOfBounds { space, address, invocation: lane, at })
    }

    /// The results of an operation for all lanes (those that are off get zero).
    fn operation(&mut self, operation: &Operation, mask: &Mask, at: Location) -> Result<Vec<u32>, InterpretError> {
        let mut results = vec![0; self.size];
        for lane in (0..self.size).filter(|lane| mask[*lane]) {
            let get = |value: &Value| self.get(*value, lane);
            results[lane] = match operation {
                Operation::Constant(bits) => *bits,
                Operation::Get(variable) => self.variables[variable.0 as usize * self.size + lane],
                Operation::Input(input) => self.input(*input, lane),
                Operation::BindingAddress(index) => self.launch.bindings[*index as usize].address,
                Operation::BindingLength(index) => self.launch.bindings[*index as usize].bytes,
                Operation::Unary(operation, a) => unary(*operation, get(a)),
                Operation::Binary(operation, a, b) => binary(*operation, get(a), get(b)),
                Operation::FusedMultiplyAdd(a, b, c) => fused_multiply_add(get(a), get(b), get(c)),
                Operation::MultiplyShiftAdd { operands: [a, b, c], shift } => {
                    multiply_shift_add(get(a), get(b), get(c), *shift)
                }
                Operation::Select { condition, accept, reject } => {
                    get(if get(condition) != 0 { accept } else { reject })
                }
                Operation::Load { space, address, offset } => *self.word(*space, *address, *offset, lane, at)?,
                Operation::Atomic { operation, space, address, offset, value } => {
                    let operand = get(value);
                    let word = self.word(*space, *address, *offset, lane, at)?;
                    let old = *word;
                    *word = combine(*operation, old, operand);
                    old
                }
                Operation::CompareExchange { space, address, offset, compare, value } => {
                    let (compare, new) = (get(compare), get(value));
                    let word = self.word(*space, *address, *offset, lane, at)?;
                    let old = *word;
                    if old == compare {
                        *word = new;
                    }
                    old
                }
                Operation::Ballot(a) => {
                    let first = lane / self.lanes * self.lanes;
                    self.warp(lane, mask)
                        .filter(|other| self.get(*a, *other) != 0)
                        .map(|other| 1u64 << (other - first))
                        .sum::<u64>() as u32
                }
                Operation::Any(a) => u32::from(self.warp(lane, mask).any(|other| self.get(*a, other) != 0)),
                Operation::All(a) => u32::from(self.warp(lane, mask).all(|other| self.get(*a, other) != 0)),
                Operation::BroadcastFirst(a) => {
                    let first = self.warp(lane, mask).next().expect("the lane itself is on");
                    self.get(*a, first)
                }
                Operation::Shuffle(shuffle, a, operand) => {
                    let source = self.source_lane(*shuffle, lane, get(operand));
                    // MACHINE "Votes and shuffles": an inactive source yields the reader's own value.
                    let source = source.filter(|source| *source < self.size && mask[*source]);
                    self.get(*a, source.unwrap_or(lane))
                }
                Operation::Texture { form, stage, operands } => {
                    let sampler = self.launch.sampler.ok_or(InterpretError::NoSampler)?;
                    let [u, v, operand] = operands.map(|operand| self.get(operand, lane));
                    let ahead = Lookup::of(*form, operand).banks_ahead;
                    let request = TextureRequest {
                        stage: (self.bank[lane] + ahead) * 4 + u32::from(*stage),
                        u: u as i32,
                        v: v as i32,
                        form: *form,
                        operand,
                    };
                    sampler(self.memory, request)
                }
            };
        }
        Ok(results)
    }

    /// Active lanes of the warp that `lane` belongs to, ascending.
    fn warp<'m>(&self, lane: usize, mask: &'m Mask) -> impl Iterator<Item = usize> + use<'m> {
        let first = lane / self.lanes * self.lanes;
        (first..(first + self.lanes).min(mask.len())).filter(|other| mask[*other])
    }

    fn source_lane(&self, shuffle: Shuffle, lane: usize, operand: u32) -> Option<usize> {
        let (warp, own) = (lane / self.lanes, (lane % self.lanes) as u32);
        let source = match shuffle {
            Shuffle::Index => operand,
            Shuffle::Xor => own ^ operand,
            Shuffle::Down => own.checked_add(operand)?,
            Shuffle::Up => own.checked_sub(operand)?,
            Shuffle::Quad => (own & !3) | (operand & 3),
        };
        ((source as usize) < self.lanes).then_some(warp * self.lanes + source as usize)
    }

    fn input(&self, input: Input, lane: usize) -> u32 {
        let [width, height, _] = self.kernel.workgroup_size;
        let index = lane as u32;
        let local = [index % width, index / width % height, index / width / height];
        match input {
            Input::LocalInvocationId(axis) => local[axis as usize],
            Input::LocalInvocationIndex => index,
            Input::WorkgroupId(axis) => self.id[axis as usize],
            Input::GlobalInvocationId(axis) => {
                let axis = axis as usize;
                self.id[axis] * self.kernel.workgroup_size[axis] + local[axis]
            }
            Input::NumWorkgroups(axis) => self.launch.workgroups[axis as usize],
            Input::SubgroupInvocationId => index % self.launch.lanes,
            Input::SubgroupSize => self.launch.lanes,
            Input::SubgroupId => index / self.launch.lanes,
            Input::NumSubgroups => (self.size as u32).div_ceil(self.launch.lanes),
        }
    }
}

fn combine(operation: Atomic, old: u32, operand: u32) -> u32 {
    match operation {
        Atomic::Add => binary(Binary::Add, old, operand),
        Atomic::And => binary(Binary::And, old, operand),
        Atomic::Or => binary(Binary::Or, old, operand),
        Atomic::Xor => binary(Binary::Xor, old, operand),
        Atomic::MinSigned => binary(Binary::MinSigned, old, operand),
        Atomic::MinUnsigned => binary(Binary::MinUnsigned, old, operand),
        Atomic::MaxSigned => binary(Binary::MaxSigned, old, operand),
        Atomic::MaxUnsigned => binary(Binary::MaxUnsigned, old, operand),
        Atomic::Exchange => operand,
    }
}

#[cfg(test)]
mod tests;
