//! The readable dump of a kernel: `println!("{kernel}")`.
//!
//! One line a statement; a value is `%3`, an int by default and marked `:f` where it is written as a float; a variable
//! is `$5 name`; `@12:7` is the line and column it came from (with the file's name when there are several).

use std::fmt::{Display, Formatter, Result, Write};

use super::{Barrier, Block, ControlRegister, Kernel, Kind, Label, Location, Operation, Space, Statement};
use super::{Value, Variable};

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "${}", self.0)
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "'{}", self.0)
    }
}

impl Display for Space {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::GlobalReadOnly => "read_only",
            Space::Workgroup => "workgroup",
            Space::Private => "private",
        })
    }
}

struct Address(Space, Value, i32);

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.2 {
            0 => write!(f, "{}[{}]", self.0, self.1),
            offset => write!(f, "{}[{} {offset:+}]", self.0, self.1),
        }
    }
}

/// An operation with its operands, without the value it is written to.
pub struct OperationText<'a> {
    /// The kernel it belongs to, for names and kinds.
    pub kernel: &'a Kernel,
    /// The operation.
    pub operation: &'a Operation,
    /// What it is written to, if known (a constant is printed by its kind).
    pub kind: Kind,
}

impl Display for OperationText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.operation {
            Operation::Constant(bits) => match self.kind {
                Kind::Int if *bits >= 0x1_0000 => write!(f, "{bits:#x}"),
                Kind::Int => write!(f, "{bits}"),
                Kind::Float => write!(f, "{:?}", f32::from_bits(*bits)),
            },
            Operation::Get(variable) => write!(f, "{}", name(self.kernel, *variable)),
            Operation::Input(input) => write!(f, "{input:?}"),
            Operation::BindingAddress(index) => write!(f, "address {}", self.binding(*index)),
            Operation::BindingLength(index) => write!(f, "length {}", self.binding(*index)),
            Operation::Unary(operation, a) => write!(f, "{operation:?} {a}"),
            Operation::Binary(operation, a, b) => write!(f, "{operation:?} {a} {b}"),
            Operation::FusedMultiplyAdd(a, b, c) => write!(f, "FusedMultiplyAdd {a} {b} {c}"),
            Operation::MultiplyShiftAdd { operands: [a, b, c], shift } => {
                write!(f, "MultiplyShiftAdd {a} {b} {c} shift {shift}")
            }
            Operation::Select { condition, accept, reject } => write!(f, "Select {condition} ? {accept} : {reject}"),
            Operation::Load { space, address, offset } => write!(f, "{}", Address(*space, *address, *offset)),
            Operation::Atomic { operation, space, address, offset, value } => {
                write!(f, "Atomic{operation:?} {} {value}", Address(*space, *address, *offset))
            }
            Operation::CompareExchange { space, address, offset, compare, value } => {
                write!(f, "CompareExchange {} {compare} => {value}", Address(*space, *address, *offset))
            }
            Operation::Ballot(a) => write!(f, "Ballot {a}"),
            Operation::Any(a) => write!(f, "Any {a}"),
            Operation::All(a) => write!(f, "All {a}"),
            Operation::BroadcastFirst(a) => write!(f, "BroadcastFirst {a}"),
            Operation::Shuffle(shuffle, a, lane) => write!(f, "Shuffle{shuffle:?} {a} {lane}"),
            Operation::Texture { form, stage, operands: [u, v, third] } => {
                write!(f, "Texture {form:?} stage {stage} {u} {v} {third}")
            }
        }
    }
}

impl OperationText<'_> {
    fn binding(&self, index: u32) -> String {
        match self.kernel.bindings.get(index as usize) {
            Some(binding) => format!("#{index} {}", binding.name),
            None => format!("#{index}"),
        }
    }
}

fn name(kernel: &Kernel, variable: Variable) -> String {
    match kernel.variables.get(variable.0 as usize) {
        Some(info) if !info.name.is_empty() => format!("{variable} {}", info.name),
        _ => variable.to_string(),
    }
}

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let [x, y, z] = self.workgroup_size;
        writeln!(
            f,
            "kernel {} workgroup {x}x{y}x{z}, {} bytes shared{}, {} bytes private",
            self.name,
            self.workgroup_bytes,
            if self.zero_workgroup_memory { "" } else { " (not zeroed)" },
            self.private_bytes
        )?;
        for (index, binding) in self.bindings.iter().enumerate() {
            writeln!(
                f,
                "binding #{index} {} = module {} group {} binding {}{}",
                binding.name,
                binding.module,
                binding.group,
                binding.binding,
                if binding.is_written { ", written" } else { "" }
            )?;
        }
        write_block(self, &self.body, 0, f)
    }
}

fn write_block(kernel: &Kernel, block: &Block, depth: usize, f: &mut Formatter<'_>) -> Result {
    for statement in block {
        write_statement(kernel, statement, depth, f)?;
    }
    Ok(())
}

fn write_statement(kernel: &Kernel, statement: &Statement, depth: usize, f: &mut Formatter<'_>) -> Result {
    let indent = "  ".repeat(depth);
    let place = |at: &Location| match (at.line, kernel.files.len()) {
        (0, _) => String::new(),
        (_, 0 | 1) => format!("  @{}:{}", at.line, at.column),
        (_, _) => {
            let file = kernel.files.get(at.file as usize).map_or("?", |s| s);
            format!("  @{file}:{}:{}", at.line, at.column)
        }
    };
    match statement {
        Statement::Let { value, operation, at } => {
            let kind = kernel.values.get(value.0 as usize).map_or(Kind::Int, |info| info.kind);
            let mark = match kind {
                Kind::Int => "",
                Kind::Float => ":f",
            };
            let text = OperationText { kernel, operation, kind };
            writeln!(f, "{indent}{value}{mark} = {text}{}", place(at))
        }
        Statement::Set { variable, value, at } => {
            writeln!(f, "{indent}{} := {value}{}", name(kernel, *variable), place(at))
        }
        Statement::Store { space, address, offset, value, at } => {
            writeln!(f, "{indent}{} := {value}{}", Address(*space, *address, *offset), place(at))
        }
        Statement::WriteControl { register, value, at } => {
            let register = match register {
                ControlRegister::TextureBank => "texture bank",
                ControlRegister::Region => "region",
            };
            writeln!(f, "{indent}{register} := {value}{}", place(at))
        }
        Statement::If { condition, accept, reject, at } => {
            writeln!(f, "{indent}if {condition} {{{}", place(at))?;
            write_block(kernel, accept, depth + 1, f)?;
            if !reject.is_empty() {
                writeln!(f, "{indent}}} else {{")?;
                write_block(kernel, reject, depth + 1, f)?;
            }
            writeln!(f, "{indent}}}")
        }
        Statement::Scope { label, body } => {
            writeln!(f, "{indent}scope {label} {{")?;
            write_block(kernel, body, depth + 1, f)?;
            writeln!(f, "{indent}}}")
        }
        Statement::Loop { body, at } => {
            writeln!(f, "{indent}loop {{{}", place(at))?;
            write_block(kernel, body, depth + 1, f)?;
            writeln!(f, "{indent}}}")
        }
        Statement::Leave { label, at } => writeln!(f, "{indent}leave {label}{}", place(at)),
        Statement::Barrier { barrier, at } => {
            f.write_str(&indent)?;
            f.write_str(match barrier {
                Barrier::Workgroup => "workgroup barrier",
                Barrier::Storage => "storage barrier",
            })?;
            f.write_str(&place(at))?;
            f.write_char('\n')
        }
    }
}
