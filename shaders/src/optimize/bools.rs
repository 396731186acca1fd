//! Finds the variables that only ever hold 0 and 1.
//!
//! WGSL's bools are integers here. All integer variables are believed to be bools until one is set to something else;
//! then those that it is copied to are doubted as well, until nothing changes.

use crate::ir::{Binary, Block, Kernel, Kind, Operation, Statement, Unary, Value, Variable};

/// Which variables hold only 0 and 1.
pub fn variables(kernel: &Kernel) -> Vec<bool> {
    let mut is_bool: Vec<bool> = kernel.variables.iter().map(|variable| variable.kind == Kind::Int).collect();
    let mut operations = vec![None; kernel.values.len()];
    let mut sets = Vec::new();
    gather(&kernel.body, &mut operations, &mut sets);
    loop {
        let mut changed = false;
        for &(Variable(variable), value) in &sets {
            if is_bool[variable as usize] && !is_bool_value(value, &operations, &is_bool, 8) {
                is_bool[variable as usize] = false;
                changed = true;
            }
        }
        if !changed {
            return is_bool;
        }
    }
}

fn gather(block: &Block, operations: &mut [Option<Operation>], sets: &mut Vec<(Variable, Value)>) {
    for statement in block {
        match statement {
            Statement::Let { value, operation, .. } => operations[value.0 as usize] = Some(*operation),
            Statement::Set { variable, value, .. } => sets.push((*variable, *value)),
            Statement::If { accept, reject, .. } => {
                gather(accept, operations, sets);
                gather(reject, operations, sets);
            }
            Statement::Scope { body, .. } | Statement::Loop { body, .. } => gather(body, operations, sets),
            _ => {}
        }
    }
}

fn is_bool_value(value: Value, operations: &[Option<Operation>], is_bool: &[bool], depth: u32) -> bool {
    let is = |value| depth > 0 && is_bool_value(value, operations, is_bool, depth - 1);
    match operations[value.0 as usize] {
        Some(Operation::Constant(bits)) => bits <= 1,
        Some(Operation::Get(variable)) => is_bool[variable.0 as usize],
        Some(Operation::Unary(operation, _)) => operation == Unary::LogicalNot,
        Some(Operation::Any(_) | Operation::All(_)) => true,
        Some(Operation::Select { accept, reject, .. }) => is(accept) && is(reject),
        Some(Operation::Binary(operation, a, b)) => match operation {
            Binary::And => is(a) || is(b),
            Binary::Or | Binary::Xor => is(a) && is(b),
            _ => operation.is_comparison(),
        },
        _ => false,
    }
}
