//! Puts the two halves of a pair that fuses next to each other, in the order in which they fuse: `fsin.s` and `fcos.s` of one
//! argument (`gpu_core::isa::fusion`). Both are pure, so the later one may come sooner.

use gpu_core::isa::Op;
use gpu_core::isa::fusion::FUSED_PAIRS;

use crate::ir::{Block, Kernel, Operation, Statement, Unary, Value};
use crate::options::Mutation;

/// Brings together the pairs of every block.
pub fn run(kernel: &mut Kernel, mutation: Option<Mutation>) {
    block(&mut kernel.body, mutation == Some(Mutation::FuseBackwards));
}

fn block(statements: &mut Block, is_backwards: bool) {
    for statement in &mut *statements {
        match statement {
            Statement::If { accept, reject, .. } => {
                block(accept, is_backwards);
                block(reject, is_backwards);
            }
            Statement::Scope { body, .. } | Statement::Loop { body, .. } => block(body, is_backwards),
            _ => {}
        }
    }
    for (first, second) in FUSED_PAIRS {
        for argument in arguments(statements, first) {
            let place = |op| statements.iter().position(|statement| function(statement) == Some((op, argument)));
            let (Some(at_first), Some(at_second)) = (place(first), place(second)) else { continue };
            let (at_first, at_second) = if is_backwards { (at_second, at_first) } else { (at_first, at_second) };
            if at_first < at_second {
                statements[at_first + 1..=at_second].rotate_right(1);
            } else {
                statements[at_second..=at_first].rotate_right(1);
            }
        }
    }
}

/// The arguments of an operation in this block.
fn arguments(statements: &Block, op: Op) -> Vec<Value> {
    statements.iter().filter_map(function).filter(|found| found.0 == op).map(|found| found.1).collect()
}

/// The transcendental operation of a statement, and its argument.
fn function(statement: &Statement) -> Option<(Op, Value)> {
    match statement {
        Statement::Let { operation: Operation::Unary(Unary::Transcendental(op), argument), .. } => {
            Some((*op, *argument))
        }
        _ => None,
    }
}
