//! The values that operations and statements read, told once for all passes.

use crate::ir::{Operation, Statement, Value};

/// Calls `visit` with each operand of an operation, in order.
pub fn for_each_operand(operation: &Operation, mut visit: impl FnMut(Value)) {
    let mut copy = *operation;
    map_operands(&mut copy, |value| {
        visit(value);
        value
    });
}

/// Replaces each operand of an operation.
pub fn map_operands(operation: &mut Operation, mut with: impl FnMut(Value) -> Value) {
    match operation {
        Operation::Constant(_) | Operation::Get(_) | Operation::Input(_) => {}
        Operation::BindingAddress(_) | Operation::BindingLength(_) => {}
        Operation::Unary(_, a)
        | Operation::Ballot(a)
        | Operation::Any(a)
        | Operation::All(a)
        | Operation::BroadcastFirst(a) => *a = with(*a),
        Operation::Binary(_, a, b) | Operation::Shuffle(_, a, b) => {
            *a = with(*a);
            *b = with(*b);
        }
        Operation::FusedMultiplyAdd(a, b, c) => {
            *a = with(*a);
            *b = with(*b);
            *c = with(*c);
        }
        Operation::MultiplyShiftAdd { operands, .. } | Operation::Texture { operands, .. } => {
            operands.iter_mut().for_each(|operand| *operand = with(*operand));
        }
        Operation::Select { condition, accept, reject } => {
            *condition = with(*condition);
            *accept = with(*accept);
            *reject = with(*reject);
        }
        Operation::Load { address, .. } => *address = with(*address),
        Operation::Atomic { address, value, .. } => {
            *address = with(*address);
            *value = with(*value);
        }
        Operation::CompareExchange { address, compare, value, .. } => {
            *address = with(*address);
            *compare = with(*compare);
            *value = with(*value);
        }
    }
}

/// Calls `visit` with each value that a statement itself reads, not the blocks in it; a `Let`'s operation included.
pub fn for_each_statement_operand(statement: &Statement, mut visit: impl FnMut(Value)) {
    match statement {
        Statement::Let { operation, .. } => for_each_operand(operation, visit),
        Statement::Set { value, .. } => visit(*value),
        Statement::Store { address, value, .. } => {
            visit(*address);
            visit(*value);
        }
        Statement::WriteControl { value, .. } => visit(*value),
        Statement::If { condition, .. } => visit(*condition),
        Statement::Scope { .. } | Statement::Loop { .. } | Statement::Leave { .. } | Statement::Barrier { .. } => {}
    }
}

/// Whether the operation only computes: it may go when nobody reads its result.
pub fn is_removable(operation: &Operation) -> bool {
    !matches!(operation, Operation::Atomic { .. } | Operation::CompareExchange { .. })
}

/// Whether the result depends on the operands alone: not on when, or by which lanes, it is computed.
pub fn is_timeless(operation: &Operation) -> bool {
    match operation {
        Operation::Constant(_) | Operation::Input(_) | Operation::BindingAddress(_) | Operation::BindingLength(_) => {
            true
        }
        Operation::Unary(..) | Operation::Binary(..) | Operation::FusedMultiplyAdd(..) => true,
        Operation::MultiplyShiftAdd { .. } | Operation::Select { .. } => true,
        Operation::Load { space, .. } => *space == crate::ir::Space::GlobalReadOnly,
        // The texture bank and the active lanes change.
        Operation::Texture { .. } | Operation::Get(_) => false,
        Operation::Ballot(_) | Operation::Any(_) | Operation::All(_) | Operation::BroadcastFirst(_) => false,
        Operation::Shuffle(..) | Operation::Atomic { .. } | Operation::CompareExchange { .. } => false,
    }
}
