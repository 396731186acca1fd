//! From where to where each virtual register lives, and what it costs to spill it.

use crate::lower::is_one_instruction;
use crate::machine_code::{Action, Code, Register, Remake};

/// The life of one virtual register. Line n reads at 2·n and writes at 2·n + 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// Which one.
    pub register: u32,
    /// First write.
    pub start: usize,
    /// Last read, or end of a loop.
    pub end: usize,
    /// Cost of spilling for the room it takes; infinite for what a spill made.
    pub weight: f64,
    /// A register whose copy this one is.
    pub hint: Option<u32>,
}

/// How much more often a loop's body is taken to run than what is around it.
const LOOP_FACTOR: f64 = 8.0;

/// What a load or store costs in instructions of arithmetic.
const MEMORY: f64 = 2.0;

/// The intervals of a kernel, by start.
///
/// A mask instruction writes its register in lanes that wait, too. With `keeps_waiting_lanes` what lanes carry out of a loop
/// lives from the loop's beginning, so that the others, still going round, do not write over it.
pub fn compute(code: &Code, extends_over_loops: bool, keeps_waiting_lanes: bool) -> Vec<Interval> {
    let mut intervals: Vec<Option<Interval>> = vec![None; code.registers.len()];
    let mut reads = vec![0.0; code.registers.len()];
    let mut writes = vec![0.0; code.registers.len()];
    let mut open = Vec::new();
    let mut loops = Vec::new();
    let mut frequency = 1.0f64;
    for (index, line) in code.lines.iter().enumerate() {
        match line.action {
            Action::LoopBegin => {
                open.push(index);
                frequency *= LOOP_FACTOR;
            }
            Action::LoopEnd => {
                loops.push((2 * open.pop().expect("loops are nested"), 2 * index));
                frequency /= LOOP_FACTOR;
            }
            _ => {}
        }
        let mut touch = |register: Register, position: usize| {
            if let Register::Virtual(register) = register {
                let costs = if position.is_multiple_of(2) { &mut reads } else { &mut writes };
                costs[register as usize] += frequency;
                let interval = intervals[register as usize].get_or_insert(Interval {
                    register,
                    start: position,
                    end: position,
                    weight: 0.0,
                    hint: None,
                });
                interval.end = position.max(interval.end);
            }
        };
        for register in line.action.uses() {
            touch(register, 2 * index);
        }
        touch(line.action.defines(), 2 * index + 1);
        if let (Register::Virtual(to), Some(Register::Virtual(from))) = (line.action.defines(), line.action.copied()) {
            let interval = intervals[to as usize].as_mut().expect("it was just touched");
            interval.hint.get_or_insert(from);
        }
    }
    if extends_over_loops {
        // Inner loops come before outer ones, so one walk is enough.
        for interval in intervals.iter_mut().flatten() {
            for &(begin, end) in &loops {
                if interval.start < begin && interval.end > begin && interval.end < end {
                    interval.end = end;
                }
            }
        }
    }
    if keeps_waiting_lanes {
        for interval in intervals.iter_mut().flatten() {
            for &(begin, end) in &loops {
                if interval.start > begin && interval.start < end && interval.end > end {
                    interval.start = begin;
                }
            }
        }
    }
    // What has words that may be loaded again is worth their reads: it must not be gone when they are wanted.
    for (register, info) in code.registers.iter().enumerate().rev() {
        let base = match info.remake {
            Some(Remake::Load { base, .. }) => Some(base),
            Some(Remake::Constant(bits)) if !is_one_instruction(info.kind, bits, true) => code.arguments,
            _ => None,
        };
        if let Some(Register::Virtual(base)) = base {
            reads[base as usize] += reads[register];
        }
    }
    let mut intervals: Vec<_> = intervals.into_iter().flatten().collect();
    for interval in &mut intervals {
        let info = code.registers[interval.register as usize];
        interval.weight = if info.is_fleeting {
            f64::INFINITY
        } else {
            let (reads, writes) = (reads[interval.register as usize], writes[interval.register as usize]);
            // What is made anew is not made before.
            let cost = match info.remake {
                Some(Remake::Load { .. }) => MEMORY * (reads - writes),
                Some(Remake::Constant(_) | Remake::Csr(_)) => reads - writes,
                None => MEMORY * (reads + writes),
            };
            cost / (interval.end - interval.start + 1) as f64
        };
    }
    intervals.sort_by_key(|interval| (interval.start, interval.register));
    intervals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Kind, Location};
    use crate::machine_code::{Line, MachineInstruction};
    use gpu_core::isa::Op;

    #[test]
    fn what_a_loop_reads_lives_to_its_end() {
        let mut code = Code::default();
        let [a, b] = [(); 2].map(|()| code.register(Kind::Int));
        let line = |action| Line { action, at: Location::default() };
        let add = |rd, a, b| {
            let rs = [a, b, Register::Zero];
            line(Action::Machine(MachineInstruction { rd, rs, ..MachineInstruction::new(Op::Add) }))
        };
        code.lines = vec![
            line(Action::LoadConstant { rd: a, bits: 1 }),
            line(Action::LoopBegin),
            add(b, a, a),
            add(Register::Zero, b, b),
            line(Action::LoopEnd),
        ];
        let ends = |extends| compute(&code, extends, false).iter().map(|i| (i.start, i.end)).collect::<Vec<_>>();
        assert_eq!(ends(true), [(1, 8), (5, 6)]);
        assert_eq!(ends(false), [(1, 4), (5, 6)]);
    }

    #[test]
    fn what_waiting_lanes_carry_out_of_a_loop_lives_from_its_beginning() {
        let mut code = Code::default();
        let a = code.register(Kind::Int);
        let line = |action| Line { action, at: Location::default() };
        let end = MachineInstruction { rs: [a, Register::Zero, Register::Zero], ..MachineInstruction::new(Op::Tmc) };
        code.lines = [
            Action::LoopBegin,
            Action::LoopBegin,
            Action::LoadConstant { rd: a, bits: 1 },
            Action::LoopEnd,
            Action::LoopEnd,
            Action::Machine(end),
        ]
        .map(line)
        .to_vec();
        let lives = |keeps| compute(&code, true, keeps).iter().map(|i| (i.start, i.end)).collect::<Vec<_>>();
        assert_eq!(lives(false), [(5, 10)]);
        assert_eq!(lives(true), [(0, 10)]);
    }
}
