//! Gives every virtual register a number, or a place in the warp's frame.
//!
//! Before: `lower`. After: `emit`.
//!
//! Linear scan over hole-free intervals (invariant I3): a register lives from its first line to its last, and if it is
//! used in a loop that it was written before, to that loop's end. Under masks both sides of an `If` run one after the
//! other, so a hole between them would not be one; writes of inactive lanes do not happen, so what only one side needs
//! cannot be hurt by the other. A thread-mask instruction does write in lanes that are off: see `intervals::compute`.
//!
//! When registers run short, those whose uses cost least for the room they take are *spilled*: constants, control registers
//! and what was loaded from memory that nobody writes are made anew at each use, the others live in the frame (word s of
//! lane l at `(s · lanes + l) · 4`). What several loads from one address brought is loaded again by that address: one
//! register instead of many. Constants that take several instructions wait in the argument block. Each use and
//! each write then gets a register of its own for one instruction, and the scan starts again, until everything fits.

mod intervals;
mod spill;

use crate::abi::ArgumentLayout;
use crate::ir::Kind;
use crate::machine_code::{Action, Code, Register, Remake};
use crate::options::{CompileOptions, DivergenceMechanism, Mutation, Statistics};

use intervals::Interval;
use spill::Spills;

/// Code with numbered registers.
pub struct Allocated {
    /// The lines, `FrameSetUp` gone where there is no frame.
    pub code: Code,
    /// The number of each virtual register, in its own file.
    pub numbers: Vec<u8>,
    /// Words of frame of one lane: private memory, then spilled registers.
    pub frame_words: u32,
    /// Words that the code loads from the end of the argument block.
    pub constants: Vec<u32>,
    /// How many were spilled.
    pub statistics: Statistics,
}

/// The integer registers that may hold values, in order of preference: not `x0`, the frame or the far address.
fn integer_numbers() -> impl Iterator<Item = u8> {
    std::iter::once(1).chain(4..32)
}

/// Loads from one address that make it worth a register of its own while its words have none.
const LOADS_WORTH_THEIR_BASE: u32 = 3;

/// Allocates.
pub fn run(mut code: Code, private_words: u32, layout: ArgumentLayout, options: &CompileOptions) -> Allocated {
    let mut spills = Spills::new(private_words, layout);
    let keeps_waiting_lanes = options.divergence == DivergenceMechanism::Mask;
    remove_dead(&mut code);
    keep_lonely_loads(&mut code);
    let numbers = loop {
        let mut intervals = intervals::compute(&code, !options.plants(Mutation::NoLoopExtension), keeps_waiting_lanes);
        if options.plants(Mutation::EndEarly) {
            intervals.iter_mut().for_each(|interval| interval.end = interval.start.max(interval.end.saturating_sub(2)));
        }
        match scan(&code, &intervals, options) {
            Ok(numbers) => break numbers,
            Err(spilled) => {
                spill::rewrite(&mut code, &intervals, &spilled, &mut spills, options);
                remove_dead(&mut code);
            }
        }
    };
    let Spills { frame_words, constants, statistics, .. } = spills;
    if frame_words == 0 {
        code.lines.retain(|line| !matches!(line.action, Action::FrameSetUp { .. }));
    }
    Allocated { code, numbers, frame_words, constants, statistics }
}

/// Numbers for all registers, or those to spill.
fn scan(code: &Code, intervals: &[Interval], options: &CompileOptions) -> Result<Vec<u8>, Vec<u32>> {
    let mut free = [
        integer_numbers().take(options.integer_registers as usize).collect::<Vec<u8>>(),
        (0..options.float_registers as u8).collect::<Vec<u8>>(),
    ];
    free.iter_mut().for_each(|numbers| numbers.reverse());
    let mut numbers = vec![0; code.registers.len()];
    let mut active: [Vec<&Interval>; 2] = [Vec::new(), Vec::new()];
    let mut spilled = Vec::new();
    for interval in intervals {
        let file = (code.registers[interval.register as usize].kind == Kind::Float) as usize;
        active[file].retain(|old| {
            let stays = old.end > interval.start;
            if !stays {
                free[file].push(numbers[old.register as usize]);
            }
            stays
        });
        // The register that the value comes from by a move, if it ends here, makes the move vanish.
        let hint = interval.hint.map(|register| numbers[register as usize]);
        let hinted = hint.and_then(|number| free[file].iter().rposition(|&other| other == number));
        if let (Some(number), true) = (hint, options.plants(Mutation::TakeHint)) {
            numbers[interval.register as usize] = number;
            continue;
        }
        let number = match hinted {
            Some(place) => Some(free[file].remove(place)),
            None => free[file].pop(),
        };
        if let Some(number) = number {
            numbers[interval.register as usize] = number;
            active[file].push(interval);
            continue;
        }
        let cheapest = active[file].iter().enumerate().min_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight));
        let (place, victim) = cheapest.expect("a file has registers");
        if victim.weight < interval.weight {
            numbers[interval.register as usize] = numbers[victim.register as usize];
            spilled.push(victim.register);
            active[file][place] = interval;
        } else {
            assert!(interval.weight.is_finite(), "an instruction has fewer operands than a file has registers");
            spilled.push(interval.register);
        }
    }
    if spilled.is_empty() { Ok(numbers) } else { Err(spilled) }
}

/// A base whose words are few stays in its register no longer than its words would: they go to the frame instead.
fn keep_lonely_loads(code: &mut Code) {
    let mut loads = vec![0u32; code.registers.len()];
    let base_of = |remake: Option<Remake>| match remake {
        Some(Remake::Load { base: Register::Virtual(base), .. }) => Some(base as usize),
        _ => None,
    };
    for info in &code.registers {
        if let Some(base) = base_of(info.remake) {
            loads[base] += 1;
        }
    }
    for index in 0..code.registers.len() {
        if let Some(base) = base_of(code.registers[index].remake)
            && loads[base] < LOADS_WORTH_THEIR_BASE
            && code.registers[base].remake.is_none()
        {
            code.registers[index].remake = None;
        }
    }
}

/// Removes lines whose result nobody reads, last ones first, so that what only they read goes in the same walk.
fn remove_dead(code: &mut Code) {
    let mut reads = vec![0u32; code.registers.len()];
    let virtuals = |action: &Action| {
        action.uses().into_iter().filter_map(|register| match register {
            Register::Virtual(index) => Some(index as usize),
            _ => None,
        })
    };
    for line in &code.lines {
        virtuals(&line.action).for_each(|index| reads[index] += 1);
    }
    let mut is_dead = vec![false; code.lines.len()];
    for (line, is_dead) in code.lines.iter().zip(&mut is_dead).rev() {
        if let Register::Virtual(index) = line.action.defines()
            && reads[index as usize] == 0
            && line.action.is_pure()
        {
            *is_dead = true;
            virtuals(&line.action).for_each(|index| reads[index] -= 1);
        }
    }
    let mut is_dead = is_dead.into_iter();
    code.lines.retain(|_| !is_dead.next().expect("one for each line"));
}
