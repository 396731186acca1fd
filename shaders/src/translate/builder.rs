//! Writes the intermediate form: numbers values, variables and labels, keeps the current block and source location.
//!
//! It folds what is known (constants through every pure operation) and gives an operation already computed in this block
//! or one around it the same value again. Both matter here because inlining, address arithmetic and overrides make many
//! of them; a branch whose condition folds is never translated at all.

use std::collections::{BTreeSet, HashMap};

use crate::ir::arithmetic;
use crate::ir::{Binary, Block, Kind, Label, Location, Operation, Space, Statement, Unary, Value, ValueInfo};
use crate::ir::{Variable, VariableInfo};

/// One open block and what was computed in it.
#[derive(Default)]
struct Open {
    statements: Block,
    known: HashMap<(Operation, Kind), Value>,
    /// What variables hold now.
    held: HashMap<Variable, Value>,
    /// Variables written here or inside: what the block around knew of them is past.
    written: BTreeSet<Variable>,
    /// Whether it may run again, so that what was known outside may not hold.
    repeats: bool,
}

/// The kernel under construction.
pub(super) struct Builder {
    pub values: Vec<ValueInfo>,
    pub variables: Vec<VariableInfo>,
    /// How each value was made.
    definitions: Vec<Operation>,
    labels: u32,
    open: Vec<Open>,
    /// Given to every statement.
    pub at: Location,
}

/// What [`Builder::begin`] gave and [`Builder::end`] wants back.
#[must_use]
pub(super) struct Begun(usize);

impl Builder {
    pub fn new() -> Self {
        Self {
            values: Vec::new(),
            variables: Vec::new(),
            definitions: Vec::new(),
            labels: 0,
            open: vec![Open::default()],
            at: Location::default(),
        }
    }

    /// Opens a block inside the current one.
    pub fn begin(&mut self) -> Begun {
        self.open.push(Open::default());
        Begun(self.open.len())
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens the body of a loop.
    pub fn begin_loop(&mut self) -> Begun {
        let begun = self.begin();
        self.open.last_mut().expect("a block is open").repeats = true;
        begun
    }

    /// Closes it.
    pub fn end(&mut self, begun: Begun) -> Block {
        assert_eq!(begun.0, self.open.len(), "blocks close in the order opposite to opening");
        let inner = self.open.pop().expect("a block is open");
        let outer = self.open.last_mut().expect("a block is open");
        for variable in &inner.written {
            outer.held.remove(variable);
        }
        outer.written.extend(inner.written);
        inner.statements
    }

    /// Closes it as if it had not been opened: what it holds becomes part of the block around it.
    pub fn end_into_parent(&mut self, begun: Begun) {
        assert_eq!(begun.0, self.open.len(), "blocks close in the order opposite to opening");
        let inner = self.open.pop().expect("a block is open");
        let outer = self.open.last_mut().expect("a block is open");
        outer.statements.extend(inner.statements);
        outer.known.extend(inner.known);
        outer.held.retain(|variable, _| !inner.written.contains(variable));
        outer.held.extend(inner.held);
        outer.written.extend(inner.written);
    }

    /// The whole body.
    pub fn take_body(&mut self) -> Block {
        assert_eq!(self.open.len(), 1, "every block was closed");
        std::mem::take(&mut self.open[0].statements)
    }

    pub fn push(&mut self, statement: Statement) {
        self.open.last_mut().expect("a block is open").statements.push(statement);
    }

    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    pub fn variable(&mut self, kind: Kind, name: String) -> Variable {
        self.variables.push(VariableInfo { kind, name });
        Variable(self.variables.len() as u32 - 1)
    }

    /// Computes an operation that must run here and now: loads, reads of variables, exchanges.
    pub fn emit(&mut self, operation: Operation, kind: Kind) -> Value {
        let value = self.number(operation, kind);
        let at = self.at;
        self.push(Statement::Let { value, operation, at });
        value
    }

    /// A fresh value whose statement the caller places.
    pub fn number(&mut self, operation: Operation, kind: Kind) -> Value {
        self.values.push(ValueInfo { kind });
        self.definitions.push(operation);
        Value(self.values.len() as u32 - 1)
    }

    /// Computes an operation whose result depends on its operands only.
    pub fn pure(&mut self, operation: Operation, kind: Kind) -> Value {
        for open in self.open.iter().rev() {
            if let Some(value) = open.known.get(&(operation, kind)) {
                return *value;
            }
        }
        let value = self.emit(operation, kind);
        self.open.last_mut().expect("a block is open").known.insert((operation, kind), value);
        value
    }

    pub fn kind(&self, value: Value) -> Kind {
        self.values[value.0 as usize].kind
    }

    /// The bits of a value known now.
    pub fn known(&self, value: Value) -> Option<u32> {
        match self.definitions[value.0 as usize] {
            Operation::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn constant(&mut self, bits: u32, kind: Kind) -> Value {
        self.pure(Operation::Constant(bits), kind)
    }

    pub fn int(&mut self, value: u32) -> Value {
        self.constant(value, Kind::Int)
    }

    pub fn unary(&mut self, operation: Unary, a: Value) -> Value {
        let kind = operation.kinds().1;
        if let Some(bits) = self.known(a) {
            return self.constant(arithmetic::unary(operation, bits), kind);
        }
        match (operation, self.definitions[a.0 as usize]) {
            (Unary::FloatToBits, Operation::Unary(Unary::BitsToFloat, inner))
            | (Unary::BitsToFloat, Operation::Unary(Unary::FloatToBits, inner)) => inner,
            _ => self.pure(Operation::Unary(operation, a), kind),
        }
    }

    pub fn binary(&mut self, operation: Binary, a: Value, b: Value) -> Value {
        let kind = operation.kinds().1;
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => return self.constant(arithmetic::binary(operation, x, y), kind),
            (known, None) if operation.is_commutative() && known.is_some() => return self.binary(operation, b, a),
            (None, Some(y)) => {
                if let Some(result) = self.with_constant(operation, a, y) {
                    return result;
                }
            }
            _ => {}
        }
        self.pure(Operation::Binary(operation, a, b), kind)
    }

    /// `a operation y` where that is simply `a`, zero or one.
    fn with_constant(&mut self, operation: Binary, a: Value, y: u32) -> Option<Value> {
        use Binary::*;
        match (operation, y) {
            (Add | Subtract | Or | Xor | ShiftLeft | ShiftRightSigned | ShiftRightUnsigned | MaxUnsigned, 0) => Some(a),
            (Multiply | DivideSigned | DivideUnsigned, 1) | (And | MinUnsigned, u32::MAX) => Some(a),
            (And | Multiply | MinUnsigned | LessUnsigned, 0) => Some(self.int(0)),
            (LessEqualUnsigned, u32::MAX) => Some(self.int(1)),
            (And, 1) if self.is_bool(a) => Some(a),
            (Multiply, _) if y.is_power_of_two() => {
                let count = self.int(y.trailing_zeros());
                Some(self.binary(ShiftLeft, a, count))
            }
            (DivideUnsigned, _) if y.is_power_of_two() => {
                let count = self.int(y.trailing_zeros());
                Some(self.binary(ShiftRightUnsigned, a, count))
            }
            (RemainderUnsigned, _) if y.is_power_of_two() => {
                let mask = self.int(y - 1);
                Some(self.binary(And, a, mask))
            }
            (NotEqual, 0) if self.is_bool(a) => Some(a),
            (Equal, 1) if self.is_bool(a) => Some(a),
            _ => None,
        }
    }

    /// Whether a value can only be 0 or 1, as far as its own operation tells.
    fn is_bool(&self, value: Value) -> bool {
        use Binary::*;
        match self.definitions[value.0 as usize] {
            Operation::Constant(bits) => bits <= 1,
            Operation::Unary(Unary::LogicalNot, _) | Operation::Any(_) | Operation::All(_) => true,
            Operation::Binary(And, a, b) => self.is_bool(a) || self.is_bool(b),
            Operation::Binary(Or | Xor, a, b) => self.is_bool(a) && self.is_bool(b),
            Operation::Binary(operation, _, _) => matches!(
                operation,
                Equal
                    | NotEqual
                    | LessSigned
                    | LessUnsigned
                    | LessEqualSigned
                    | LessEqualUnsigned
                    | FloatEqual
                    | FloatNotEqual
                    | FloatLess
                    | FloatLessEqual
            ),
            _ => false,
        }
    }

    pub fn fused_multiply_add(&mut self, a: Value, b: Value, c: Value) -> Value {
        match (self.known(a), self.known(b), self.known(c)) {
            (Some(a), Some(b), Some(c)) => self.constant(arithmetic::fused_multiply_add(a, b, c), Kind::Float),
            _ => self.pure(Operation::FusedMultiplyAdd(a, b, c), Kind::Float),
        }
    }

    pub fn select(&mut self, condition: Value, accept: Value, reject: Value) -> Value {
        match self.known(condition) {
            _ if accept == reject => accept,
            Some(0) => reject,
            Some(_) => accept,
            None => {
                let kind = self.kind(accept);
                self.pure(Operation::Select { condition, accept, reject }, kind)
            }
        }
    }

    /// What a variable holds: the value last written in straight-line code, or a read of it.
    pub fn get(&mut self, variable: Variable) -> Value {
        for open in self.open.iter().rev() {
            if let Some(value) = open.held.get(&variable) {
                return *value;
            }
            if open.repeats || open.written.contains(&variable) {
                break;
            }
        }
        let kind = self.variables[variable.0 as usize].kind;
        let value = self.emit(Operation::Get(variable), kind);
        self.open.last_mut().expect("a block is open").held.insert(variable, value);
        value
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        let at = self.at;
        self.push(Statement::Set { variable, value, at });
        let open = self.open.last_mut().expect("a block is open");
        open.held.insert(variable, value);
        open.written.insert(variable);
    }

    pub fn load(&mut self, space: Space, address: Value, offset: i32, kind: Kind) -> Value {
        let operation = Operation::Load { space, address, offset };
        match space {
            // Nobody writes there during the launch: the same word is the same value.
            Space::GlobalReadOnly => self.pure(operation, kind),
            Space::Global | Space::Workgroup | Space::Private => self.emit(operation, kind),
        }
    }

    pub fn store(&mut self, space: Space, address: Value, offset: i32, value: Value) {
        let at = self.at;
        self.push(Statement::Store { space, address, offset, value, at });
    }

    pub fn leave(&mut self, label: Label) {
        let at = self.at;
        self.push(Statement::Leave { label, at });
    }

    /// A number that the value, taken as unsigned, does not exceed.
    pub fn most(&self, value: Value) -> u32 {
        match self.definitions[value.0 as usize] {
            Operation::Constant(bits) => bits,
            Operation::Binary(Binary::And | Binary::MinUnsigned, a, b) => self.most(a).min(self.most(b)),
            Operation::Binary(Binary::ShiftRightUnsigned, a, b) => match self.known(b) {
                Some(count) => self.most(a) >> (count & 31),
                None => self.most(a),
            },
            Operation::Binary(Binary::RemainderUnsigned, _, b) => match self.known(b) {
                Some(0) | None => u32::MAX,
                Some(divisor) => divisor - 1,
            },
            Operation::Select { accept, reject, .. } => self.most(accept).max(self.most(reject)),
            _ if self.is_bool(value) => 1,
            _ => u32::MAX,
        }
    }

    /// A value as `x + constant`.
    pub fn split_offset(&self, value: Value) -> (Value, u32) {
        match self.definitions[value.0 as usize] {
            Operation::Binary(Binary::Add, a, b) => match self.known(b) {
                Some(constant) => (a, constant),
                None => (value, 0),
            },
            _ => (value, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_operands_leave_no_statement_but_the_constant() {
        let mut b = Builder::new();
        let (six, seven) = (b.int(6), b.int(7));
        let product = b.binary(Binary::Multiply, six, seven);
        assert_eq!(b.known(product), Some(42));
        assert_eq!(b.take_body().len(), 3);
    }

    #[test]
    fn a_value_of_a_closed_block_is_not_used_again() {
        let mut b = Builder::new();
        let begun = b.begin();
        let inside = b.int(5);
        let _ = b.end(begun);
        assert_ne!(b.int(5), inside);
    }

    #[test]
    fn a_variable_is_read_again_after_a_branch_or_in_a_loop() {
        let mut b = Builder::new();
        let variable = b.variable(Kind::Int, String::new());
        let five = b.int(5);
        b.set(variable, five);
        assert_eq!(b.get(variable), five);
        let begun = b.begin_loop();
        assert_ne!(b.get(variable), five, "the loop may have changed it");
        let _ = b.end(begun);
        let begun = b.begin();
        assert_eq!(b.get(variable), five);
        let six = b.int(6);
        b.set(variable, six);
        assert_eq!(b.get(variable), six);
        let _ = b.end(begun);
        assert_ne!(b.get(variable), five, "a branch has written it");
        b.set(variable, five);
        let begun = b.begin();
        let branch = b.begin();
        b.set(variable, six);
        let _ = b.end(branch);
        b.end_into_parent(begun);
        assert_ne!(b.get(variable), five, "a branch in a block that was dissolved has written it");
    }

    #[test]
    fn an_operation_known_outside_is_not_repeated_inside() {
        let mut b = Builder::new();
        let outside = b.int(5);
        let begun = b.begin();
        assert_eq!(b.int(5), outside);
        assert!(b.end(begun).is_empty());
    }
}
