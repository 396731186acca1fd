//! Removes writes to variables that are overwritten on every way before they are read.
//!
//! One walk against the order of statements, with the set of variables that are still read afterwards. A loop is
//! walked until its top asks for nothing new.

use crate::ir::{Block, Kernel, Label, Operation, Statement};
use crate::options::Mutation;

/// For each variable whether it is read later.
type Live = Vec<bool>;

/// Removes dead writes.
pub fn run(kernel: &mut Kernel, mutation: Option<Mutation>) {
    let mut body = std::mem::take(&mut kernel.body);
    let mut walk = Walk { ends: Vec::new(), removes: true, depth: 0, mutation };
    let mut live = vec![false; kernel.variables.len()];
    walk.block(&mut body, &mut live);
    kernel.body = body;
}

struct Walk {
    /// What is read after each open scope.
    ends: Vec<(Label, Live)>,
    /// False while a loop is only looked at.
    removes: bool,
    /// Loops that are being looked at.
    depth: usize,
    mutation: Option<Mutation>,
}

/// Loops in loops that are walked exactly.
const DEEPEST: usize = 4;

impl Walk {
    fn block(&mut self, block: &mut Block, live: &mut Live) {
        for index in (0..block.len()).rev() {
            if !self.statement(&mut block[index], live) && self.removes {
                block.remove(index);
            }
        }
    }

    /// Returns whether the statement stays.
    fn statement(&mut self, statement: &mut Statement, live: &mut Live) -> bool {
        match statement {
            Statement::Let { operation: Operation::Get(variable), .. } => live[variable.0 as usize] = true,
            Statement::Set { variable, .. } => return std::mem::replace(&mut live[variable.0 as usize], false),
            Statement::If { accept, reject, .. } => {
                let mut other = live.clone();
                self.block(accept, live);
                self.block(reject, &mut other);
                join(live, &other);
            }
            Statement::Scope { label, body } => {
                self.ends.push((*label, live.clone()));
                self.block(body, live);
                self.ends.pop();
            }
            Statement::Loop { body, .. } => {
                let removes = std::mem::replace(&mut self.removes, false);
                self.depth += 1;
                // The loop's end is its top: nothing else comes after it.
                let mut top = vec![false; live.len()];
                if self.depth > DEEPEST {
                    // Walks multiply with the depth, so here everything that is read anywhere is taken to be read.
                    reads(body, &mut top);
                    for (_, end) in &self.ends {
                        join(&mut top, end);
                    }
                }
                while self.depth <= DEEPEST {
                    let mut again = top.clone();
                    self.block(body, &mut again);
                    if self.mutation == Some(Mutation::ForgetNextTurn) || !join(&mut top, &again) {
                        break;
                    }
                }
                self.removes = removes;
                self.depth -= 1;
                live.clone_from(&top);
                if removes {
                    self.block(body, live);
                }
                live.clone_from(&top);
            }
            Statement::Leave { label, .. } => {
                let end = self.ends.iter().rev().find(|(other, _)| other == label);
                live.clone_from(&end.expect("a leave lies inside its scope").1);
            }
            _ => {}
        }
        true
    }
}

/// Variables that a block reads.
fn reads(block: &Block, live: &mut Live) {
    for statement in block {
        match statement {
            Statement::Let { operation: Operation::Get(variable), .. } => live[variable.0 as usize] = true,
            Statement::If { accept, reject, .. } => {
                reads(accept, live);
                reads(reject, live);
            }
            Statement::Scope { body, .. } | Statement::Loop { body, .. } => reads(body, live),
            _ => {}
        }
    }
}

/// Adds to a set; returns whether it grew.
fn join(into: &mut Live, other: &Live) -> bool {
    let mut grew = false;
    for (a, b) in into.iter_mut().zip(other) {
        grew |= *b && !*a;
        *a |= b;
    }
    grew
}
