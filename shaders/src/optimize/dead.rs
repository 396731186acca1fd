//! Removes values, variables and writes that nobody reads.

use crate::ir::{Block, Kernel, Operation, Statement, Value};

use super::operands::{for_each_operand, for_each_statement_operand, is_removable};

/// Removes what is dead.
pub fn run(kernel: &mut Kernel) {
    let mut marks = Marks {
        operations: vec![None; kernel.values.len()],
        sets: vec![Vec::new(); kernel.variables.len()],
        is_live: vec![false; kernel.values.len()],
        is_read: vec![false; kernel.variables.len()],
        work: Vec::new(),
    };
    marks.gather(&kernel.body);
    marks.spread();
    let body = std::mem::take(&mut kernel.body);
    kernel.body = marks.sweep(body);
}

struct Marks {
    operations: Vec<Option<Operation>>,
    /// Values that are put into each variable.
    sets: Vec<Vec<Value>>,
    is_live: Vec<bool>,
    is_read: Vec<bool>,
    work: Vec<Value>,
}

impl Marks {
    fn gather(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Let { value, operation, .. } => {
                    self.operations[value.0 as usize] = Some(*operation);
                    if !is_removable(operation) {
                        self.mark(*value);
                    }
                }
                Statement::Set { variable, value, .. } => self.sets[variable.0 as usize].push(*value),
                other => for_each_statement_operand(other, |operand| self.mark(operand)),
            }
            match statement {
                Statement::If { accept, reject, .. } => {
                    self.gather(accept);
                    self.gather(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.gather(body),
                _ => {}
            }
        }
    }

    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.is_live[value.0 as usize], true) {
            self.work.push(value);
        }
    }

    fn spread(&mut self) {
        while let Some(value) = self.work.pop() {
            let operation = self.operations[value.0 as usize].expect("values are written before they are read");
            for_each_operand(&operation, |operand| self.mark(operand));
            if let Operation::Get(variable) = operation
                && !std::mem::replace(&mut self.is_read[variable.0 as usize], true)
            {
                for value in std::mem::take(&mut self.sets[variable.0 as usize]) {
                    self.mark(value);
                }
            }
        }
    }

    fn sweep(&self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for statement in block {
            match statement {
                Statement::Let { value, .. } if !self.is_live[value.0 as usize] => {}
                Statement::Set { variable, .. } if !self.is_read[variable.0 as usize] => {}
                Statement::If { condition, accept, reject, at } => {
                    let (accept, reject) = (self.sweep(accept), self.sweep(reject));
                    out.push(Statement::If { condition, accept, reject, at });
                }
                Statement::Scope { label, body } => out.push(Statement::Scope { label, body: self.sweep(body) }),
                Statement::Loop { body, at } => out.push(Statement::Loop { body: self.sweep(body), at }),
                other => out.push(other),
            }
        }
        out
    }
}
