//! The end of assembling: sections get addresses, symbols get values, fixups become words.

use std::collections::BTreeMap;

use super::error::{AssembleError, AssembleErrorKind, Hint};
use super::expression::{Environment, Expression, Part, Step, Value, number};
use super::sections::Pending;
use super::{Assembler, Definition, Origin, instruction};
use crate::isa::encoding::encode;
use crate::program::{CODE_BASE, LineEntry, Program, ProgramKind, Segment, Symbol};
use crate::units::Address;

/// Where stacks and local memory begin to be in the way.
const PROGRAM_END: u64 = 0xf000_0000;

/// What is known at the end: everything.
struct Final<'a> {
    /// Address of each section.
    bases: &'a [u32],
    /// Values of all symbols.
    values: &'a BTreeMap<String, i64>,
    /// What each `%pcrel_hi` took, by the address of its instruction.
    distances: &'a BTreeMap<i64, i64>,
    /// Address of the instruction.
    pc: i64,
}

impl Environment for Final<'_> {
    fn symbol(&self, name: &str) -> Result<Value, AssembleErrorKind> {
        if let Some(&value) = self.values.get(name) {
            return Ok(Value::Number(value));
        }
        Err(match name.split_once('#') {
            Some((number, _)) => AssembleErrorKind::UnknownSymbol { name: format!("{number}f"), hint: Hint::default() },
            None => AssembleErrorKind::UnknownSymbol {
                name: name.to_owned(),
                hint: Hint::nearest(name, self.values.keys().map(String::as_str).filter(|name| !name.contains('#'))),
            },
        })
    }
    fn place(&self, section: usize, offset: i64) -> Value {
        Value::Number(i64::from(self.bases[section]).wrapping_add(offset))
    }
    fn pc(&self) -> Result<i64, AssembleErrorKind> {
        Ok(self.pc)
    }
    fn distance_at(&self, address: i64) -> Result<i64, AssembleErrorKind> {
        self.distances.get(&address).copied().ok_or(AssembleErrorKind::NoPcrelHi(address as u32))
    }
}

impl Assembler<'_> {
    /// Makes the program.
    pub(super) fn link(mut self) -> Result<Program, AssembleError> {
        let mut order: Vec<usize> = (0..self.sections.len()).collect();
        order.sort_by_key(|&index| self.sections[index].rank());
        let bases = self.place_sections(&order)?;
        let values = self.symbol_values(&bases)?;
        let distances = self.distances(&bases, &values);
        let mut lines = Vec::new();
        for &index in &order {
            self.fill_in(index, &bases, &values, &distances, &mut lines)?;
        }
        let mut symbols: Vec<Symbol> = Vec::new();
        for (name, definition) in &self.symbols {
            if let &Definition::Label { section, offset } = definition
                && !name.contains('#')
                && !name.starts_with(".L")
            {
                let address = Address(bases[section].wrapping_add(offset));
                symbols.push(Symbol { name: name.clone(), address, size_bytes: 0 });
            }
        }
        symbols.sort_by_key(|symbol| symbol.address);
        let start = symbols.iter().find(|symbol| symbol.name == "_start").map(|symbol| symbol.address);
        let mut segments = Vec::new();
        for &index in &order {
            let section = &mut self.sections[index];
            if section.size_bytes > 0 {
                segments.push(Segment {
                    name: section.name.clone(),
                    address: Address(bases[index]),
                    bytes: std::mem::take(&mut section.bytes),
                    size_bytes: section.size_bytes,
                    is_writable: section.is_writable,
                    is_executable: section.is_executable,
                });
            }
        }
        Ok(Program {
            kind: ProgramKind::Bare,
            segments,
            entry: start.unwrap_or(CODE_BASE),
            symbols,
            lines,
            files: self.files,
        })
    }

    /// The address of each section, in the order of their indices.
    fn place_sections(&self, order: &[usize]) -> Result<Vec<u32>, AssembleError> {
        let mut bases = vec![0; self.sections.len()];
        let mut next = u64::from(CODE_BASE.0);
        for &index in order {
            let section = &self.sections[index];
            next = next.next_multiple_of(u64::from(section.alignment_bytes));
            bases[index] = next as u32;
            next += u64::from(section.size_bytes);
            if next > PROGRAM_END {
                let origin = self.origins.len() - 1;
                return Err(self.error_at(origin, 0, AssembleErrorKind::ProgramSize(PROGRAM_END)));
            }
        }
        Ok(bases)
    }

    /// The value of each symbol. Those defined by later ones are settled round by round, without recursion.
    fn symbol_values(&self, bases: &[u32]) -> Result<BTreeMap<String, i64>, AssembleError> {
        let mut values = BTreeMap::new();
        let mut open: Vec<(&String, &Expression, usize)> = Vec::new();
        for (name, definition) in &self.symbols {
            let value = match definition {
                &Definition::Label { section, offset } => i64::from(bases[section]) + i64::from(offset),
                &Definition::Value(Value::Number(number)) => number,
                &Definition::Value(Value::Place { section, offset }) => i64::from(bases[section]).wrapping_add(offset),
                Definition::Later(expression, origin) => {
                    open.push((name, expression, *origin));
                    continue;
                }
            };
            values.insert(name.clone(), value);
        }
        let distances = BTreeMap::new();
        while !open.is_empty() {
            let before = open.len();
            let mut still_open = Vec::new();
            for (name, expression, origin) in open {
                let names = Final { bases, values: &values, distances: &distances, pc: 0 };
                match expression.evaluate(&names).and_then(number) {
                    Ok(value) => {
                        values.insert(name.clone(), value);
                    }
                    Err(AssembleErrorKind::UnknownSymbol { .. }) => still_open.push((name, expression, origin)),
                    Err(kind) => return Err(self.error_at(origin, expression.start, kind)),
                }
            }
            open = still_open;
            if let Some(&(name, expression, origin)) = open.first().filter(|_| open.len() == before) {
                return Err(self.error_at(origin, expression.start, AssembleErrorKind::Circular(name.clone())));
            }
        }
        Ok(values)
    }

    /// What each `%pcrel_hi` takes. Mistakes are left to `fill_in`, which meets them again.
    fn distances(&self, bases: &[u32], values: &BTreeMap<String, i64>) -> BTreeMap<i64, i64> {
        let mut distances = BTreeMap::new();
        let none = BTreeMap::new();
        for (section, &base) in self.sections.iter().zip(bases) {
            for fixup in &section.fixups {
                let Pending::Instruction(_, pending) = &fixup.what else { continue };
                let pc = i64::from(base) + i64::from(fixup.offset);
                for (_, expression) in pending {
                    let [target @ .., Step::Part(Part::RelativeHigh)] = &expression.steps[..] else { continue };
                    let target = Expression { steps: target.to_vec(), start: expression.start };
                    let names = Final { bases, values, distances: &none, pc };
                    if let Ok(target) = target.evaluate(&names).and_then(number) {
                        distances.insert(pc, target.wrapping_sub(pc));
                    }
                }
            }
        }
        distances
    }

    /// Writes the fixups of one section into its bytes and notes the lines of its instructions.
    fn fill_in(
        &mut self,
        index: usize,
        bases: &[u32],
        values: &BTreeMap<String, i64>,
        distances: &BTreeMap<i64, i64>,
        lines: &mut Vec<LineEntry>,
    ) -> Result<(), AssembleError> {
        for fixup in std::mem::take(&mut self.sections[index].fixups) {
            let pc = bases[index].wrapping_add(fixup.offset);
            let names = Final { bases, values, distances, pc: i64::from(pc) };
            let value = |expression: &Expression| {
                let value = expression.evaluate(&names).and_then(number);
                value.map_err(|kind| self.error_at(fixup.origin, expression.start, kind))
            };
            let (bytes, size_bytes) = match fixup.what {
                Pending::Instruction(mut instruction, pending) => {
                    for (operand, expression) in &pending {
                        instruction::set(&mut instruction, *operand, value(expression)?, pc)
                            .map_err(|kind| self.error_at(fixup.origin, expression.start, kind))?;
                    }
                    // A value that does not fit lies where its expression does.
                    let start = pending.last().map_or(fixup.start, |(_, expression)| expression.start);
                    let word = encode(&instruction)
                        .map_err(|error| self.error_at(fixup.origin, start, AssembleErrorKind::Encode(error)))?;
                    let Origin { file, line, .. } = self.origins[fixup.origin];
                    let file = file as u16;
                    if lines.last().is_none_or(|entry: &LineEntry| (entry.file, entry.line) != (file, line)) {
                        let column = self.column_of(fixup.origin, fixup.start);
                        lines.push(LineEntry { address: Address(pc), file, line, column });
                    }
                    (u64::from(word).to_le_bytes(), 4)
                }
                Pending::Data(size_bytes, expression) => {
                    let data = value(&expression)?;
                    let bits = u32::from(size_bytes) * 8;
                    let (minimum, maximum) =
                        if bits == 64 { (i64::MIN, i64::MAX) } else { (-1 << (bits - 1), (1 << bits) - 1) };
                    if !(minimum..=maximum).contains(&data) {
                        let kind = AssembleErrorKind::Range { what: "this directive", value: data, minimum, maximum };
                        return Err(self.error_at(fixup.origin, expression.start, kind));
                    }
                    (data.to_le_bytes(), usize::from(size_bytes))
                }
            };
            let at = fixup.offset as usize;
            self.sections[index].bytes[at..at + size_bytes].copy_from_slice(&bytes[..size_bytes]);
        }
        Ok(())
    }
}
