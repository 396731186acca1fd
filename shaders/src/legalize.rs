//! Rewrites what the machine does not have into what it has, while there is still structure to optimise.
//!
//! Before: `optimize`. After: `optimize` again, then `divergence` and `lower`.
//!
//! * Addresses of workgroup and private memory become absolute. Their bases are two inner bindings, [`WORKGROUP`] and
//!   [`FRAME`]; private words are lane-interleaved (word w of lane l lies at `frame + (w · lanes + l) · 4`, and the
//!   lane's part is in the frame address already), because a fixed stride per lane thrashes a direct-mapped cache.
//! * A select of floats becomes a select of their bits, and so does a shuffle: the float file has neither.

use crate::ir::{Binary, Block, Kernel, Kind, Location, Operation, Space, Statement, Unary, Value, ValueInfo};
use crate::options::CompileOptions;

/// Inner binding: address of the workgroup's memory.
pub const WORKGROUP: u32 = u32::MAX;
/// Inner binding: address of the lane's first private word.
pub const FRAME: u32 = u32::MAX - 1;

/// Rewrites the kernel.
pub fn run(kernel: &mut Kernel, options: &CompileOptions) {
    let body = std::mem::take(&mut kernel.body);
    let mut constants = vec![None; kernel.values.len()];
    gather_constants(&body, &mut constants);
    let mut pass = Pass { kernel, constants, lanes: options.lanes };
    let body = pass.block(body);
    kernel.body = body;
}

fn gather_constants(block: &Block, constants: &mut Vec<Option<u32>>) {
    for statement in block {
        match statement {
            Statement::Let { value, operation: Operation::Constant(bits), .. } => {
                constants[value.0 as usize] = Some(*bits);
            }
            Statement::If { accept, reject, .. } => {
                gather_constants(accept, constants);
                gather_constants(reject, constants);
            }
            Statement::Scope { body, .. } | Statement::Loop { body, .. } => gather_constants(body, constants),
            _ => {}
        }
    }
}

struct Pass<'kernel> {
    kernel: &'kernel mut Kernel,
    constants: Vec<Option<u32>>,
    lanes: u32,
}

impl Pass<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for statement in block {
            self.statement(statement, &mut out);
        }
        out
    }

    fn statement(&mut self, statement: Statement, out: &mut Block) {
        let new = match statement {
            Statement::Let { value, operation, at } => {
                let operation = self.operation(value, operation, at, out);
                Statement::Let { value, operation, at }
            }
            Statement::Store { space, address, offset, value, at } => {
                let (address, offset) = self.address(space, address, offset, at, out);
                Statement::Store { space, address, offset, value, at }
            }
            Statement::If { condition, accept, reject, at } => {
                let (accept, reject) = (self.block(accept), self.block(reject));
                Statement::If { condition, accept, reject, at }
            }
            Statement::Scope { label, body } => Statement::Scope { label, body: self.block(body) },
            Statement::Loop { body, at } => Statement::Loop { body: self.block(body), at },
            other => other,
        };
        out.push(new);
    }

    fn operation(&mut self, value: Value, operation: Operation, at: Location, out: &mut Block) -> Operation {
        match operation {
            Operation::Load { space, address, offset } => {
                let (address, offset) = self.address(space, address, offset, at, out);
                Operation::Load { space, address, offset }
            }
            Operation::Atomic { operation, space, address, offset, value } => {
                let (address, offset) = self.address(space, address, offset, at, out);
                Operation::Atomic { operation, space, address, offset, value }
            }
            Operation::CompareExchange { space, address, offset, compare, value } => {
                let (address, offset) = self.address(space, address, offset, at, out);
                Operation::CompareExchange { space, address, offset, compare, value }
            }
            Operation::Select { condition, accept, reject }
                if self.kernel.values[value.0 as usize].kind == Kind::Float =>
            {
                let accept = self.bits(accept, at, out);
                let reject = self.bits(reject, at, out);
                let bits = self.emit(Operation::Select { condition, accept, reject }, at, out);
                Operation::Unary(Unary::BitsToFloat, bits)
            }
            Operation::Shuffle(shuffle, a, lane) if self.kernel.values[value.0 as usize].kind == Kind::Float => {
                let a = self.bits(a, at, out);
                let bits = self.emit(Operation::Shuffle(shuffle, a, lane), at, out);
                Operation::Unary(Unary::BitsToFloat, bits)
            }
            Operation::BroadcastFirst(a) if self.kernel.values[value.0 as usize].kind == Kind::Float => {
                let a = self.bits(a, at, out);
                let bits = self.emit(Operation::BroadcastFirst(a), at, out);
                Operation::Unary(Unary::BitsToFloat, bits)
            }
            other => other,
        }
    }

    /// The bits of a float.
    fn bits(&mut self, value: Value, at: Location, out: &mut Block) -> Value {
        match self.constants[value.0 as usize] {
            Some(bits) => self.emit(Operation::Constant(bits), at, out),
            None => self.emit(Operation::Unary(Unary::FloatToBits, value), at, out),
        }
    }

    /// The absolute address of an access, and the offset to add to it.
    fn address(&mut self, space: Space, address: Value, offset: i32, at: Location, out: &mut Block) -> (Value, i32) {
        let constant = self.constants[address.0 as usize];
        match space {
            Space::Global | Space::GlobalReadOnly => (address, offset),
            Space::Workgroup => {
                let base = self.emit(Operation::BindingAddress(WORKGROUP), at, out);
                match constant {
                    Some(bytes) => (base, offset.wrapping_add(bytes as i32)),
                    None => (self.emit(Operation::Binary(Binary::Add, base, address), at, out), offset),
                }
            }
            Space::Private => {
                let base = self.emit(Operation::BindingAddress(FRAME), at, out);
                let lanes = self.lanes as i32;
                let offset = offset.wrapping_mul(lanes);
                if let Some(bytes) = constant {
                    return (base, offset.wrapping_add((bytes as i32).wrapping_mul(lanes)));
                }
                let lanes = self.emit(Operation::Constant(lanes as u32), at, out);
                let scaled = self.emit(Operation::Binary(Binary::Multiply, address, lanes), at, out);
                (self.emit(Operation::Binary(Binary::Add, base, scaled), at, out), offset)
            }
        }
    }

    fn emit(&mut self, operation: Operation, at: Location, out: &mut Block) -> Value {
        let kind = match operation {
            Operation::Unary(Unary::BitsToFloat, _) => Kind::Float,
            _ => Kind::Int,
        };
        self.kernel.values.push(ValueInfo { kind });
        let value = Value(self.kernel.values.len() as u32 - 1);
        self.constants.push(match operation {
            Operation::Constant(bits) => Some(bits),
            _ => None,
        });
        out.push(Statement::Let { value, operation, at });
        value
    }
}
