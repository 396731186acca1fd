//! Takes what does not change out of loops.
//!
//! Constants, inputs and bindings cost nothing and go always. Arithmetic goes when it stands in the loop's straight
//! line, also behind a leave: it cannot fail. A read-only load can, so it goes only from where the loop's first turn is
//! sure to pass, unless the options say that such loads may always run. Registers set a limit.

use crate::compile::{CompileOptions, LoadHoisting};
use crate::ir::{Block, Kernel, Kind, Operation, Statement, ValueInfo};

use super::operands::{for_each_operand, is_timeless};

/// Registers of each file that hoisting leaves for the loop itself.
const LEFT: [u32; 2] = [14, 10];

/// Hoists in all loops, inner ones first.
pub fn run(kernel: &mut Kernel, options: &CompileOptions) {
    let mut body = std::mem::take(&mut kernel.body);
    block(&mut body, &kernel.values, options);
    kernel.body = body;
}

fn block(statements: &mut Block, values: &[ValueInfo], options: &CompileOptions) {
    let mut out = Block::with_capacity(statements.len());
    for mut statement in statements.drain(..) {
        match &mut statement {
            Statement::If { accept, reject, .. } => {
                block(accept, values, options);
                block(reject, values, options);
            }
            Statement::Scope { body, .. } => block(body, values, options),
            Statement::Loop { body, .. } => {
                block(body, values, options);
                let room = [options.integer_registers, options.float_registers];
                let mut hoist = Hoist {
                    values,
                    is_inside: vec![false; values.len()],
                    room: [room[0].saturating_sub(LEFT[0]), room[1].saturating_sub(LEFT[1])],
                    loads_always: options.load_hoisting == LoadHoisting::Always,
                    out: Vec::new(),
                };
                hoist.mark(body);
                let mut is_sure = true;
                hoist.take(body, &mut is_sure);
                out.append(&mut hoist.out);
            }
            _ => {}
        }
        out.push(statement);
    }
    *statements = out;
}

struct Hoist<'a> {
    values: &'a [ValueInfo],
    /// Made in the loop.
    is_inside: Vec<bool>,
    /// Registers that may still be taken, integer and float.
    room: [u32; 2],
    loads_always: bool,
    out: Block,
}

impl Hoist<'_> {
    fn mark(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Let { value, .. } => self.is_inside[value.0 as usize] = true,
                Statement::If { accept, reject, .. } => {
                    self.mark(accept);
                    self.mark(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.mark(body),
                _ => {}
            }
        }
    }

    /// Takes from a block that the loop passes in its straight line; `is_sure` while no lane can have left.
    fn take(&mut self, block: &mut Block, is_sure: &mut bool) {
        let mut kept = Block::with_capacity(block.len());
        for mut statement in block.drain(..) {
            match &mut statement {
                Statement::Let { value, operation, .. } if self.may_go(operation, *is_sure) => {
                    let is_float = self.values[value.0 as usize].kind == Kind::Float;
                    let room = &mut self.room[usize::from(is_float)];
                    let is_free = is_free(operation);
                    if is_free || *room > 0 {
                        *room -= u32::from(!is_free);
                        self.is_inside[value.0 as usize] = false;
                        self.out.push(statement);
                        continue;
                    }
                }
                Statement::Scope { body, .. } => self.take(body, is_sure),
                Statement::If { accept, reject, .. } => {
                    self.take_free(accept);
                    self.take_free(reject);
                    *is_sure &= !super::flow::leaves_outward(accept) && !super::flow::leaves_outward(reject);
                }
                Statement::Loop { body, .. } => {
                    self.take_free(body);
                    *is_sure = false;
                }
                Statement::Leave { .. } => *is_sure = false,
                _ => {}
            }
            kept.push(statement);
        }
        *block = kept;
    }

    /// Takes what costs nothing from a block that may not be passed.
    fn take_free(&mut self, block: &mut Block) {
        let mut kept = Block::with_capacity(block.len());
        for mut statement in block.drain(..) {
            match &mut statement {
                Statement::Let { value, operation, .. } if is_free(operation) => {
                    self.is_inside[value.0 as usize] = false;
                    self.out.push(statement);
                    continue;
                }
                Statement::If { accept, reject, .. } => {
                    self.take_free(accept);
                    self.take_free(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.take_free(body),
                _ => {}
            }
            kept.push(statement);
        }
        *block = kept;
    }

    fn may_go(&self, operation: &Operation, is_sure: bool) -> bool {
        let mut is_still = true;
        for_each_operand(operation, |operand| is_still &= !self.is_inside[operand.0 as usize]);
        let is_load = matches!(operation, Operation::Load { .. });
        is_still && is_timeless(operation) && (!is_load || is_sure || self.loads_always)
    }
}

/// Whether the lowering computes it once for the whole warp anyway.
fn is_free(operation: &Operation) -> bool {
    use Operation::*;
    matches!(operation, Constant(_) | Input(_) | BindingAddress(_) | BindingLength(_))
}
