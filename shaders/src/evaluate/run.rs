//! Carries a program out: control flow under masks.
//!
//! Before: `prepare`, and the inputs that `Evaluator` has put into their slots. After: the results in theirs.
//! What a step does to values is in `steps`.

mod steps;

use std::cell::Cell;

use gpu_core::semantics::transcendental;

use super::fragment::{BoundTexture, SamplingState};
use super::mask::Mask;
use super::program::{Case, Input, Intrinsic, Program, Slot, Step};

/// A buffer as a run sees it.
#[derive(Debug)]
pub(super) enum Buffer<'a> {
    Read(&'a [u8]),
    Write(&'a mut [u8]),
    /// Written by fragments, and by whoever else holds it.
    Shared(&'a [Cell<u8>]),
}

impl Buffer<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Read(bytes) => bytes.len(),
            Self::Write(bytes) => bytes.len(),
            Self::Shared(bytes) => bytes.len(),
        }
    }

    /// The word at a byte offset; none if it is not all inside.
    fn word(&self, offset: usize) -> Option<u32> {
        let bytes = match self {
            Self::Read(bytes) => *bytes.get(offset..)?.first_chunk::<4>()?,
            Self::Write(bytes) => *bytes.get(offset..)?.first_chunk::<4>()?,
            Self::Shared(bytes) => bytes.get(offset..)?.first_chunk::<4>()?.each_ref().map(Cell::get),
        };
        Some(u32::from_le_bytes(bytes))
    }

    /// Stores a word; outside, or where nobody may write, it is dropped.
    fn set_word(&mut self, offset: usize, bits: u32) {
        match self {
            Self::Read(_) => {}
            Self::Write(bytes) => {
                if let Some(place) = bytes.get_mut(offset..).and_then(|rest| rest.first_chunk_mut::<4>()) {
                    *place = bits.to_le_bytes();
                }
            }
            Self::Shared(bytes) => {
                if let Some(place) = bytes.get(offset..).and_then(|rest| rest.first_chunk::<4>()) {
                    place.iter().zip(bits.to_le_bytes()).for_each(|(byte, value)| byte.set(value));
                }
            }
        }
    }
}

/// Why a run stops early; `Evaluator` makes the message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    StepLimit,
    DivergentBarrier { arrived: u32, expected: u32 },
}

/// Everything that changes during a run. A value's word `w` of lane `l` is `values[w · lanes + l]`.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    pub program: &'a Program,
    /// Lanes of the workgroup, or fragments of the batch.
    pub lanes: usize,
    /// Lanes of a warp.
    pub subgroup: usize,
    pub values: &'a mut [u32],
    pub private: &'a mut [u32],
    pub workgroup: &'a mut [u32],
    pub buffers: Vec<Buffer<'a>>,
    pub textures: &'a [BoundTexture<'a>],
    /// Lanes whose stores count: no helpers, none discarded.
    pub covered: Mask,
    pub discarded: Mask,
    /// Lanes whose entry point has returned.
    pub ended: Mask,
    pub steps_left: u64,
}

/// Where a block's lanes can go beside its end.
struct Exits {
    broken: Mask,
    continued: Mask,
}

impl Exits {
    fn none() -> Self {
        Self { broken: Mask::EMPTY, continued: Mask::EMPTY }
    }
}

impl<'a> Machine<'a> {
    /// Runs the entry point in `active` lanes.
    pub(super) fn run(&mut self, active: Mask) -> Result<(), Stop> {
        let entry = self.program.functions.len() - 1;
        self.call(entry, active)
    }

    /// Gives every private variable its start value.
    pub(super) fn start_private(&mut self) {
        self.private.fill(0);
        for &(address, bits) in &self.program.private_start {
            let start = address as usize * self.lanes;
            self.private[start..start + self.lanes].fill(bits);
        }
    }

    /// Fills the entry point's arguments.
    pub(super) fn set_inputs(&mut self, bits: impl Fn(Input, usize) -> u32) {
        for &(slot, input) in &self.program.inputs {
            let start = slot.0 as usize * self.lanes;
            for lane in 0..self.lanes {
                self.values[start + lane] = bits(input, lane);
            }
        }
    }

    fn take_step(&mut self) -> Result<(), Stop> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Stop::StepLimit)?;
        Ok(())
    }

    /// Runs a function whose arguments are in place; its result is where the function keeps it.
    fn call(&mut self, function: usize, active: Mask) -> Result<(), Stop> {
        self.take_step()?;
        let program: &'a Program = self.program;
        let code = &program.functions[function];
        if let Some(intrinsic) = code.intrinsic {
            self.intrinsic(intrinsic, function);
            return Ok(());
        }
        for &(address, bits) in &code.locals {
            let start = address as usize * self.lanes;
            self.private[start..start + self.lanes].fill(bits);
        }
        self.block(&code.body, active, function, &mut Exits::none()).map(|_| ())
    }

    /// Runs a block; the result is the lanes that reach its end.
    fn block(&mut self, steps: &'a [Step], mut active: Mask, function: usize, exits: &mut Exits) -> Result<Mask, Stop> {
        for step in steps {
            if active.is_empty() {
                return Ok(active);
            }
            match step {
                Step::If { condition, accept, reject } => {
                    let yes = active.and(&self.mask_of(*condition));
                    let no = active.without(&yes);
                    active = self.block(accept, yes, function, exits)?;
                    active.add(&self.block(reject, no, function, exits)?);
                }
                Step::Switch { selector, cases } => active = self.switch(*selector, cases, active, function, exits)?,
                Step::Loop { body, continuing, break_if } => {
                    let mut inner = Exits::none();
                    while !active.is_empty() {
                        self.take_step()?;
                        active = self.block(body, active, function, &mut inner)?;
                        active.add(&inner.continued);
                        inner.continued = Mask::EMPTY;
                        active = self.block(continuing, active, function, &mut inner)?;
                        if let Some(condition) = break_if {
                            let leaving = active.and(&self.mask_of(*condition));
                            inner.broken.add(&leaving);
                            active = active.without(&leaving);
                        }
                    }
                    active = inner.broken;
                }
                Step::Break => {
                    exits.broken.add(&active);
                    active = Mask::EMPTY;
                }
                Step::Continue => {
                    exits.continued.add(&active);
                    active = Mask::EMPTY;
                }
                Step::Return { value } => {
                    if let Some((from, words)) = *value {
                        self.copy_where(from, self.program.functions[function].result, words, &active);
                    }
                    if function + 1 == self.program.functions.len() {
                        self.ended.add(&active);
                    }
                    active = Mask::EMPTY;
                }
                Step::Kill => {
                    self.discarded.add(&active);
                    self.covered = self.covered.without(&active);
                }
                Step::Barrier => {
                    let expected = Mask::first(self.lanes).without(&self.ended);
                    if active != expected {
                        return Err(Stop::DivergentBarrier { arrived: active.count(), expected: expected.count() });
                    }
                }
                Step::Call { function: callee, arguments, result } => {
                    for &(from, to, words) in arguments {
                        self.copy(from, to, words);
                    }
                    self.call(*callee, active)?;
                    if let Some(to) = *result {
                        let code = &self.program.functions[*callee];
                        self.copy(code.result, to, code.result_words);
                    }
                }
                other => self.plain_step(other, &active),
            }
        }
        Ok(active)
    }

    /// Lanes enter at the case of their value and fall through; a break goes to the end, a continue further out.
    fn switch(
        &mut self,
        selector: Slot,
        cases: &'a [Case],
        active: Mask,
        function: usize,
        exits: &mut Exits,
    ) -> Result<Mask, Stop> {
        let matching = |machine: &Self, value: u32| {
            let start = selector.0 as usize * machine.lanes;
            active.and(&Mask::from_fn(machine.lanes, |lane| machine.values[start + lane] == value))
        };
        let mut others = active;
        for value in cases.iter().filter_map(|case| case.value) {
            others = others.without(&matching(self, value));
        }
        let mut inner = Exits::none();
        let mut falling = Mask::EMPTY;
        let mut done = Mask::EMPTY;
        for case in cases {
            let mut entering = case.value.map_or(others, |value| matching(self, value));
            entering.add(&falling);
            let end = self.block(&case.body, entering, function, &mut inner)?;
            falling = if case.falls_through { end } else { Mask::EMPTY };
            if !case.falls_through {
                done.add(&end);
            }
        }
        exits.continued.add(&inner.continued);
        done.add(&falling);
        done.add(&inner.broken);
        Ok(done)
    }

    /// Lanes whose bool is true.
    fn mask_of(&self, condition: Slot) -> Mask {
        let start = condition.0 as usize * self.lanes;
        let values = &self.values[start..start + self.lanes];
        Mask::from_fn(self.lanes, |lane| values[lane] != 0)
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, function: usize) {
        let code = &self.program.functions[function];
        let argument = |index: usize| code.arguments[index].0.0 as usize * self.lanes;
        let result = code.result.0 as usize * self.lanes;
        for lane in 0..self.lanes {
            let read = |index: usize| self.values[argument(index) + lane];
            let bits = match intrinsic {
                Intrinsic::Nothing => return,
                Intrinsic::Tex(form) => self.textures.get(read(0) as usize).map_or(0, |bound| {
                    let fetch = |address, bytes| bound.image.fetch(address, bytes);
                    let lookup = texture::Lookup::of(form, read(3));
                    texture::answer(form, &bound.stage, read(1) as i32, read(2) as i32, &lookup, fetch)
                }),
                Intrinsic::SamplingState => {
                    let state = self.textures.get(read(0) as usize).map_or(SamplingState::DEFAULT, |bound| bound.state);
                    for (word, bits) in state.words().into_iter().enumerate() {
                        self.values[result + word * self.lanes + lane] = bits;
                    }
                    continue;
                }
                Intrinsic::MultiplyHighUnsigned => ((u64::from(read(0)) * u64::from(read(1))) >> 32) as u32,
                Intrinsic::MultiplyHighSigned => ((i64::from(read(0) as i32) * i64::from(read(1) as i32)) >> 32) as u32,
                Intrinsic::Transcendental(op) => {
                    let second = if transcendental::is_binary(op) { read(1) } else { 0 };
                    transcendental::quick(op, read(0), second)
                }
                Intrinsic::CopySign => read(0) & 0x7fff_ffff | read(1) & 0x8000_0000,
                Intrinsic::MultiplyShiftAdd => {
                    let product = i64::from(read(0) as i32) * i64::from(read(1) as i32);
                    ((product >> (8 * (read(3) & 3))) as u32).wrapping_add(read(2))
                }
            };
            self.values[result + lane] = bits;
        }
    }
}
