//! Where each variable lives: the smallest block outside which nobody can see what it holds.
//!
//! Before: `optimize`. After: `divergence` (which lanes a `Set` must reach) and `lower` (where its register begins).
//!
//! Blocks are numbered in the order in which a walk enters them: the body is 0, `accept` comes before `reject`.

use crate::ir::{Block, Kernel, Label, Operation, Statement, Variable};

/// Where a variable's values can be seen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Anywhere: it may be read before it is set, so it starts as zero with the kernel.
    Kernel,
    /// In the block of this number; each run of the block sets it before it reads it.
    Block(u32),
}

/// The home of each variable.
pub fn homes(kernel: &Kernel) -> Vec<Home> {
    let mut common = Common { parents: Vec::new(), depths: Vec::new(), blocks: vec![None; kernel.variables.len()] };
    common.walk(&kernel.body, None);
    let mut of_block = vec![Vec::new(); common.parents.len()];
    for (variable, block) in common.blocks.iter().enumerate() {
        if let Some(block) = block {
            of_block[*block as usize].push(variable);
        }
    }
    let mut assignment =
        Assignment { of_block, block_count: 0, leaves: Vec::new(), is_read_early: vec![false; kernel.variables.len()] };
    assignment.walk(&kernel.body, Some(vec![false; kernel.variables.len()]));
    (common.blocks.iter().zip(assignment.is_read_early))
        .map(|(block, is_read_early)| match block {
            Some(block) if !is_read_early => Home::Block(*block),
            _ => Home::Kernel,
        })
        .collect()
}

/// Finds the innermost block that holds all accesses of a variable.
struct Common {
    parents: Vec<Option<u32>>,
    depths: Vec<u32>,
    blocks: Vec<Option<u32>>,
}

impl Common {
    fn walk(&mut self, block: &Block, parent: Option<u32>) {
        let number = self.parents.len() as u32;
        self.depths.push(parent.map_or(0, |parent| self.depths[parent as usize] + 1));
        self.parents.push(parent);
        for statement in block {
            match statement {
                Statement::Let { operation: Operation::Get(variable), .. } | Statement::Set { variable, .. } => {
                    self.access(*variable, number);
                }
                Statement::If { accept, reject, .. } => {
                    self.walk(accept, Some(number));
                    self.walk(reject, Some(number));
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.walk(body, Some(number)),
                _ => {}
            }
        }
    }

    fn access(&mut self, variable: Variable, block: u32) {
        let mut a = block;
        if let Some(mut b) = self.blocks[variable.0 as usize] {
            while a != b {
                let deeper = if self.depths[a as usize] >= self.depths[b as usize] { &mut a } else { &mut b };
                *deeper = self.parents[*deeper as usize].expect("the body is an ancestor of every block");
            }
        }
        self.blocks[variable.0 as usize] = Some(a);
    }
}

/// Which variables are surely set; `None` where control never comes.
type Assigned = Option<Vec<bool>>;

/// Finds reads that no `Set` in the same run of the variable's block comes before.
struct Assignment {
    of_block: Vec<Vec<usize>>,
    block_count: usize,
    leaves: Vec<(Label, Assigned)>,
    is_read_early: Vec<bool>,
}

impl Assignment {
    fn walk(&mut self, block: &Block, mut state: Assigned) -> Assigned {
        if let Some(assigned) = &mut state {
            for &variable in &self.of_block[self.block_count] {
                assigned[variable] = false;
            }
        }
        self.block_count += 1;
        for statement in block {
            match statement {
                Statement::Let { operation: Operation::Get(variable), .. } => {
                    let variable = variable.0 as usize;
                    self.is_read_early[variable] |= state.as_ref().is_some_and(|assigned| !assigned[variable]);
                }
                Statement::Set { variable, .. } => {
                    if let Some(assigned) = &mut state {
                        assigned[variable.0 as usize] = true;
                    }
                }
                Statement::If { accept, reject, .. } => {
                    let before = state.clone();
                    let accepted = self.walk(accept, state);
                    state = meet(accepted, self.walk(reject, before));
                }
                Statement::Scope { label, body } => {
                    self.leaves.push((*label, None));
                    state = self.walk(body, state);
                    let (_, left) = self.leaves.pop().expect("it was pushed before the body");
                    state = meet(state, left);
                }
                Statement::Loop { body, .. } => {
                    self.walk(body, state);
                    state = None;
                }
                Statement::Leave { label, .. } => {
                    let place = self.leaves.iter().rposition(|(other, _)| other == label);
                    let left = &mut self.leaves[place.expect("a leave lies inside its scope")].1;
                    *left = meet(left.take(), state.take());
                }
                _ => {}
            }
        }
        state
    }
}

fn meet(a: Assigned, b: Assigned) -> Assigned {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}
