//! Tidies control flow: what is never left, never repeated or never reached.

use crate::ir::{Block, Kernel, Label, Statement};

/// Whether control can reach the end of a block.
pub fn falls_through(block: &Block) -> bool {
    block.iter().all(goes_on)
}

/// Whether control can go on after a statement.
fn goes_on(statement: &Statement) -> bool {
    match statement {
        Statement::Leave { .. } | Statement::Loop { .. } => false,
        Statement::If { accept, reject, .. } => falls_through(accept) || falls_through(reject),
        Statement::Scope { label, body } => falls_through(body) || is_left(body, *label),
        _ => true,
    }
}

/// Whether a `Leave` of the label is in the block.
pub fn is_left(block: &Block, label: Label) -> bool {
    block.iter().any(|statement| leaves(statement, label))
}

/// Whether a `Leave` of the label is in the statement.
fn leaves(statement: &Statement, label: Label) -> bool {
    match statement {
        Statement::Leave { label: other, .. } => *other == label,
        Statement::If { accept, reject, .. } => is_left(accept, label) || is_left(reject, label),
        Statement::Scope { body, .. } | Statement::Loop { body, .. } => is_left(body, label),
        _ => false,
    }
}

/// Whether a `Leave` in the block goes to a scope outside it.
pub fn leaves_outward(block: &Block) -> bool {
    fn walk(block: &Block, inner: &mut Vec<Label>) -> bool {
        block.iter().any(|statement| match statement {
            Statement::Leave { label, .. } => !inner.contains(label),
            Statement::If { accept, reject, .. } => walk(accept, inner) || walk(reject, inner),
            Statement::Scope { label, body } => {
                inner.push(*label);
                let leaves = walk(body, inner);
                inner.pop();
                leaves
            }
            Statement::Loop { body, .. } => walk(body, inner),
            _ => false,
        })
    }
    walk(block, &mut Vec::new())
}

/// Tidies a kernel.
pub fn run(kernel: &mut Kernel) {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = tidy(body);
}

fn tidy(block: Block) -> Block {
    let mut out = Block::with_capacity(block.len());
    for statement in block {
        match statement {
            Statement::If { condition, accept, reject, at } => {
                let (accept, reject) = (tidy(accept), tidy(reject));
                if !accept.is_empty() || !reject.is_empty() {
                    out.push(Statement::If { condition, accept, reject, at });
                }
            }
            Statement::Scope { label, body } => scope(label, tidy(body), &mut out),
            Statement::Loop { body, at } => {
                let body = tidy(body);
                if falls_through(&body) {
                    out.push(Statement::Loop { body, at });
                } else {
                    // It runs once.
                    out.extend(body);
                }
            }
            other => out.push(other),
        }
        if out.last().is_some_and(|last| !goes_on(last)) {
            // What follows is never reached.
            break;
        }
    }
    out
}

fn scope(label: Label, mut body: Block, out: &mut Block) {
    drop_last_leave(&mut body, label);
    if !is_left(&body, label) {
        out.extend(body);
        return;
    }
    // What comes before the first leave need not be inside: a `continue` then has less to restore.
    let first = body.iter().position(|statement| leaves(statement, label)).expect("it is left");
    let rest = body.split_off(first);
    out.extend(body);
    out.push(Statement::Scope { label, body: rest });
}

/// Leaving at the very end is reaching the end.
fn drop_last_leave(block: &mut Block, label: Label) {
    match block.last_mut() {
        Some(Statement::Leave { label: other, .. }) if *other == label => {
            block.pop();
        }
        Some(Statement::If { accept, reject, .. }) => {
            drop_last_leave(accept, label);
            drop_last_leave(reject, label);
        }
        Some(Statement::Scope { body, .. }) => drop_last_leave(body, label),
        _ => {}
    }
}
