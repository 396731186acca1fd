//! Takes what does not change out of loops.
//!
//! Constants, inputs and bindings cost nothing and go always. Arithmetic goes when it stands in the loop's straight
//! line, also behind a leave: it cannot fail. A read-only load can, so it goes only from where the loop's first turn is
//! sure to pass, unless the options say that such loads may always run. Registers set a limit: what the loop itself
//! reads of the values taken out counts, what only other such values read does not.

use crate::ir::{Block, Kernel, Kind, Operation, Statement, Value, ValueInfo};
use crate::options::{CompileOptions, LoadHoisting, Mutation};

use super::flow::leaves_outward;
use super::operands::{for_each_operand, for_each_statement_operand, is_timeless};

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
                    is_inside: vec![false; values.len()],
                    may_go: vec![false; values.len()],
                    is_free: vec![false; values.len()],
                    is_vote: vec![false; values.len()],
                    takes_written: options.plants(Mutation::HoistWritten),
                    loads_always: options.load_hoisting == LoadHoisting::Always,
                    out: Vec::new(),
                };
                hoist.mark(body);
                hoist.find(body, &mut true);
                hoist.limit(body, values, [room[0].saturating_sub(LEFT[0]), room[1].saturating_sub(LEFT[1])]);
                hoist.take(body);
                out.append(&mut hoist.out);
            }
            _ => {}
        }
        out.push(statement);
    }
    *statements = out;
}

struct Hoist {
    /// Made in the loop.
    is_inside: Vec<bool>,
    /// May be made before it.
    may_go: Vec<bool>,
    /// Costs no register.
    is_free: Vec<bool>,
    /// Whether some lane holds something.
    is_vote: Vec<bool>,
    loads_always: bool,
    /// A planted fault.
    takes_written: bool,
    out: Block,
}

impl Hoist {
    fn mark(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Let { value, operation, .. } => {
                    self.is_inside[value.0 as usize] = true;
                    self.is_free[value.0 as usize] = is_free(operation);
                    self.is_vote[value.0 as usize] = matches!(operation, Operation::Any(_));
                }
                Statement::If { accept, reject, .. } => {
                    self.mark(accept);
                    self.mark(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.mark(body),
                _ => {}
            }
        }
    }

    /// Finds what may go from a block in the loop's straight line; `is_sure` while no lane can have left.
    fn find(&mut self, block: &Block, is_sure: &mut bool) {
        for statement in block {
            match statement {
                Statement::Let { value, operation, .. } => {
                    let is_load = matches!(operation, Operation::Load { .. });
                    let is_timeless = is_timeless(operation) || self.takes_written && is_load;
                    let is_safe = !is_load || *is_sure || self.loads_always;
                    self.may_go[value.0 as usize] = is_timeless && is_safe && self.is_still(operation);
                }
                Statement::Scope { body, .. } => self.find(body, is_sure),
                // Where some lane is enough, it is taken to be likely.
                Statement::If { condition, accept, reject, .. } if self.is_vote[condition.0 as usize] => {
                    *is_sure = false;
                    self.find(accept, is_sure);
                    self.find_free(reject);
                }
                Statement::If { accept, reject, .. } => {
                    self.find_free(accept);
                    self.find_free(reject);
                    *is_sure &= !leaves_outward(accept) && !leaves_outward(reject);
                }
                Statement::Loop { body, .. } => {
                    self.find_free(body);
                    *is_sure = false;
                }
                Statement::Leave { .. } => *is_sure = false,
                _ => {}
            }
        }
    }

    /// Finds what costs nothing in a block that may not be passed.
    fn find_free(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Let { value, operation, .. } => self.may_go[value.0 as usize] = is_free(operation),
                Statement::If { accept, reject, .. } => {
                    self.find_free(accept);
                    self.find_free(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.find_free(body),
                _ => {}
            }
        }
    }

    /// Whether all operands are made before the loop, or may be.
    fn is_still(&self, operation: &Operation) -> bool {
        let mut is_still = true;
        for_each_operand(operation, |operand| {
            is_still &= !self.is_inside[operand.0 as usize] || self.may_go[operand.0 as usize];
        });
        is_still
    }

    /// Keeps the last ones in the loop until those it reads fit the registers.
    fn limit(&mut self, body: &Block, values: &[ValueInfo], room: [u32; 2]) {
        loop {
            let mut read = Vec::new();
            self.read_by_loop(body, &mut read);
            read.sort_unstable();
            read.dedup();
            let mut room = room;
            let mut is_enough = true;
            for value in read {
                let room = &mut room[usize::from(values[value.0 as usize].kind == Kind::Float)];
                match room.checked_sub(1) {
                    Some(less) => *room = less,
                    None => {
                        self.may_go[value.0 as usize] = false;
                        is_enough = false;
                    }
                }
            }
            if is_enough {
                return;
            }
            self.keep_dependents(body);
        }
    }

    /// What needs a value that stays stays too.
    fn keep_dependents(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Let { value, operation, .. } => self.may_go[value.0 as usize] &= self.is_still(operation),
                Statement::If { accept, reject, .. } => {
                    self.keep_dependents(accept);
                    self.keep_dependents(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.keep_dependents(body),
                _ => {}
            }
        }
    }

    /// Values that may go, cost a register, and are read by what stays.
    fn read_by_loop(&self, block: &Block, read: &mut Vec<Value>) {
        for statement in block {
            match statement {
                Statement::Let { value, .. } if self.may_go[value.0 as usize] => continue,
                Statement::If { accept, reject, .. } => {
                    self.read_by_loop(accept, read);
                    self.read_by_loop(reject, read);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.read_by_loop(body, read),
                _ => {}
            }
            for_each_statement_operand(statement, |operand| {
                if self.may_go[operand.0 as usize] && !self.is_free[operand.0 as usize] {
                    read.push(operand);
                }
            });
        }
    }

    fn take(&mut self, block: &mut Block) {
        let mut kept = Block::with_capacity(block.len());
        for mut statement in block.drain(..) {
            match &mut statement {
                Statement::Let { value, .. } if self.may_go[value.0 as usize] => {
                    self.out.push(statement);
                    continue;
                }
                Statement::If { accept, reject, .. } => {
                    self.take(accept);
                    self.take(reject);
                }
                Statement::Scope { body, .. } | Statement::Loop { body, .. } => self.take(body),
                _ => {}
            }
            kept.push(statement);
        }
        *block = kept;
    }
}

/// Whether the lowering computes it once for the whole warp anyway.
fn is_free(operation: &Operation) -> bool {
    use Operation::*;
    matches!(operation, Constant(_) | Input(_) | BindingAddress(_) | BindingLength(_))
}
