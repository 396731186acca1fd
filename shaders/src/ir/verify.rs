//! The rules a kernel keeps between passes; every pass may call [`verify`] on what it made.
//!
//! A value is written once, before its uses, in the same block or one around it; operands and results are of the right
//! register file; a label is unique and left only from inside its scope; nothing follows a `Leave`.

use super::{Block, Kernel, Kind, Label, Operation, Space, Statement, Value, Variable};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A use that no definition reaches.
    #[error("{value} is read but not written in its block or one around it")]
    NotDefined {
        /// The value.
        value: Value,
    },
    /// Two definitions of one value.
    #[error("{value} is written twice")]
    WrittenTwice {
        /// The value.
        value: Value,
    },
    /// A value beyond the table.
    #[error("{value} is not in the kernel's table of values")]
    UnknownValue {
        /// The value.
        value: Value,
    },
    /// A variable beyond the table.
    #[error("{variable} is not in the kernel's table of variables")]
    UnknownVariable {
        /// The variable.
        variable: Variable,
    },
    /// An operand or result of the wrong register file.
    #[error("{value} is {found:?} where {wanted:?} is needed, in {place}")]
    WrongKind {
        /// The value.
        value: Value,
        /// Its kind.
        found: Kind,
        /// The kind needed.
        wanted: Kind,
        /// The statement or operation.
        place: String,
    },
    /// A leave that nothing encloses.
    #[error("leave {label} stands outside of its scope")]
    NotInScope {
        /// The label.
        label: Label,
    },
    /// A label that is not unique.
    #[error("two scopes are called {label}")]
    LabelTwice {
        /// The label.
        label: Label,
    },
    /// Statements that nothing reaches.
    #[error("statements follow `leave {label}` in its block")]
    AfterLeave {
        /// The label.
        label: Label,
    },
    /// A binding beyond the kernel's list.
    #[error("binding {index} does not exist, the kernel has {count}")]
    UnknownBinding {
        /// The binding named.
        index: u32,
        /// Bindings of the kernel.
        count: usize,
    },
    /// Memory that the operation cannot reach.
    #[error("{what} is not allowed in {space} memory")]
    WrongSpace {
        /// The operation.
        what: &'static str,
        /// The memory.
        space: Space,
    },
    /// A number that the instruction's field cannot hold.
    #[error("texture stage {stage} is above 3, or a shift {shift} is above 3")]
    OutOfRange {
        /// The stage, 0 to 3.
        stage: u8,
        /// The shift, 0 to 3.
        shift: u8,
    },
}

/// Checks the rules in this module's header.
pub fn verify(kernel: &Kernel) -> Result<(), VerifyError> {
    let mut verifier = Verifier {
        kernel,
        written: vec![false; kernel.values.len()],
        visible: vec![false; kernel.values.len()],
        labels: Vec::new(),
        open: Vec::new(),
    };
    verifier.block(&kernel.body)
}

struct Verifier<'a> {
    kernel: &'a Kernel,
    written: Vec<bool>,
    visible: Vec<bool>,
    labels: Vec<Label>,
    open: Vec<Label>,
}

impl Verifier<'_> {
    fn block(&mut self, block: &Block) -> Result<(), VerifyError> {
        let mut mine = Vec::new();
        for (position, statement) in block.iter().enumerate() {
            match statement {
                Statement::Let { value, operation, .. } => {
                    self.operation(*value, operation)?;
                    let index = value.0 as usize;
                    if std::mem::replace(&mut self.written[index], true) {
                        return Err(VerifyError::WrittenTwice { value: *value });
                    }
                    self.visible[index] = true;
                    mine.push(index);
                }
                Statement::Set { variable, value, .. } => {
                    let wanted = self.variable(*variable)?;
                    self.is_kind(*value, wanted, "set")?;
                }
                Statement::Store { space, address, value, .. } => {
                    if *space == Space::GlobalReadOnly {
                        let what = "a store";
                        return Err(VerifyError::WrongSpace { what, space: *space });
                    }
                    self.is_kind(*address, Kind::Int, "store address")?;
                    self.is_defined(*value)?;
                }
                Statement::WriteControl { value, .. } => self.is_kind(*value, Kind::Int, "control register")?,
                Statement::If { condition, accept, reject, .. } => {
                    self.is_kind(*condition, Kind::Int, "if")?;
                    self.block(accept)?;
                    self.block(reject)?;
                }
                Statement::Scope { label, body } => {
                    if self.labels.contains(label) {
                        return Err(VerifyError::LabelTwice { label: *label });
                    }
                    self.labels.push(*label);
                    self.open.push(*label);
                    self.block(body)?;
                    self.open.pop();
                }
                Statement::Loop { body, .. } => self.block(body)?,
                Statement::Leave { label, .. } => {
                    if !self.open.contains(label) {
                        return Err(VerifyError::NotInScope { label: *label });
                    }
                    if position + 1 != block.len() {
                        return Err(VerifyError::AfterLeave { label: *label });
                    }
                }
                Statement::Barrier { .. } => {}
            }
        }
        for index in mine {
            self.visible[index] = false;
        }
        Ok(())
    }

    fn kind(&self, value: Value) -> Result<Kind, VerifyError> {
        match self.kernel.values.get(value.0 as usize) {
            Some(info) => Ok(info.kind),
            None => Err(VerifyError::UnknownValue { value }),
        }
    }

    fn variable(&self, variable: Variable) -> Result<Kind, VerifyError> {
        match self.kernel.variables.get(variable.0 as usize) {
            Some(info) => Ok(info.kind),
            None => Err(VerifyError::UnknownVariable { variable }),
        }
    }

    fn is_defined(&self, value: Value) -> Result<Kind, VerifyError> {
        let kind = self.kind(value)?;
        if !self.visible[value.0 as usize] {
            return Err(VerifyError::NotDefined { value });
        }
        Ok(kind)
    }

    fn is_kind(&self, value: Value, wanted: Kind, place: &str) -> Result<(), VerifyError> {
        let found = self.is_defined(value)?;
        is_equal(value, found, wanted, place)
    }

    fn operation(&self, value: Value, operation: &Operation) -> Result<(), VerifyError> {
        let result = self.kind(value)?;
        let place = || format!("{operation:?}");
        let gives = |wanted: Kind| is_equal(value, result, wanted, &place());
        let takes = |operand: Value, wanted: Kind| self.is_kind(operand, wanted, &place());
        match operation {
            Operation::Constant(_) => Ok(()),
            Operation::Get(variable) => gives(self.variable(*variable)?),
            Operation::Input(_) => gives(Kind::Int),
            Operation::BindingAddress(index) | Operation::BindingLength(index) => {
                let count = self.kernel.bindings.len();
                if *index as usize >= count {
                    return Err(VerifyError::UnknownBinding { index: *index, count });
                }
                gives(Kind::Int)
            }
            Operation::Unary(unary, a) => {
                let (operand, wanted) = unary.kinds();
                takes(*a, operand)?;
                gives(wanted)
            }
            Operation::Binary(binary, a, b) => {
                let (operand, wanted) = binary.kinds();
                takes(*a, operand)?;
                takes(*b, operand)?;
                gives(wanted)
            }
            Operation::FusedMultiplyAdd(a, b, c) => {
                for operand in [a, b, c] {
                    takes(*operand, Kind::Float)?;
                }
                gives(Kind::Float)
            }
            Operation::MultiplyShiftAdd { operands, shift } => {
                if *shift > 3 {
                    return Err(VerifyError::OutOfRange { stage: 0, shift: *shift });
                }
                for operand in operands {
                    takes(*operand, Kind::Int)?;
                }
                gives(Kind::Int)
            }
            Operation::Select { condition, accept, reject } => {
                takes(*condition, Kind::Int)?;
                takes(*accept, result)?;
                takes(*reject, result)
            }
            Operation::Load { address, .. } => takes(*address, Kind::Int),
            Operation::Atomic { space, address, value: operand, .. } => {
                is_shared(*space)?;
                takes(*address, Kind::Int)?;
                takes(*operand, Kind::Int)?;
                gives(Kind::Int)
            }
            Operation::CompareExchange { space, address, compare, value: operand, .. } => {
                is_shared(*space)?;
                for operand in [address, compare, operand] {
                    takes(*operand, Kind::Int)?;
                }
                gives(Kind::Int)
            }
            Operation::Ballot(a) | Operation::Any(a) | Operation::All(a) => {
                takes(*a, Kind::Int)?;
                gives(Kind::Int)
            }
            Operation::BroadcastFirst(a) => takes(*a, result),
            Operation::Shuffle(_, a, lane) => {
                takes(*lane, Kind::Int)?;
                takes(*a, result)
            }
            Operation::Texture { form, stage, operands } => {
                if *stage > 3 {
                    return Err(VerifyError::OutOfRange { stage: *stage, shift: 0 });
                }
                for operand in operands {
                    takes(*operand, Kind::Int)?;
                }
                gives(if *form == texture::Form::Channel { Kind::Float } else { Kind::Int })
            }
        }
    }
}

fn is_shared(space: Space) -> Result<(), VerifyError> {
    match space {
        Space::Global | Space::Workgroup => Ok(()),
        Space::GlobalReadOnly | Space::Private => Err(VerifyError::WrongSpace { what: "an atomic", space }),
    }
}

fn is_equal(value: Value, found: Kind, wanted: Kind, place: &str) -> Result<(), VerifyError> {
    if found == wanted {
        return Ok(());
    }
    Err(VerifyError::WrongKind { value, found, wanted, place: place.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Location, ValueInfo, VariableInfo};

    const NOWHERE: Location = Location { file: 0, line: 0, column: 0 };

    fn kernel(values: &[Kind], body: Block) -> Kernel {
        Kernel {
            name: "test".into(),
            workgroup_size: [1; 3],
            workgroup_bytes: 0,
            zero_workgroup_memory: true,
            private_bytes: 0,
            files: vec![],
            bindings: vec![],
            values: values.iter().map(|kind| ValueInfo { kind: *kind }).collect(),
            variables: vec![VariableInfo { kind: Kind::Float, name: "x".into() }],
            body,
        }
    }

    fn let_(value: u32, operation: Operation) -> Statement {
        Statement::Let { value: Value(value), operation, at: NOWHERE }
    }

    fn leave(label: u32) -> Statement {
        Statement::Leave { label: Label(label), at: NOWHERE }
    }

    #[test]
    fn a_value_of_an_inner_block_is_not_visible_outside() {
        let body = vec![
            let_(0, Operation::Constant(1)),
            Statement::If {
                condition: Value(0),
                accept: vec![let_(1, Operation::Constant(2))],
                reject: vec![],
                at: NOWHERE,
            },
            let_(2, Operation::Binary(Binary::Add, Value(0), Value(1))),
        ];
        assert_eq!(verify(&kernel(&[Kind::Int; 3], body)), Err(VerifyError::NotDefined { value: Value(1) }));
    }

    #[test]
    fn kinds_are_checked() {
        let body = vec![
            let_(0, Operation::Constant(1)),
            Statement::Set { variable: Variable(0), value: Value(0), at: NOWHERE },
        ];
        assert!(matches!(verify(&kernel(&[Kind::Int], body.clone())), Err(VerifyError::WrongKind { .. })));
        assert_eq!(verify(&kernel(&[Kind::Float], body)), Ok(()));
    }

    #[test]
    fn leave_is_last_and_inside_its_scope() {
        let scope = |body| Statement::Scope { label: Label(7), body };
        assert_eq!(verify(&kernel(&[], vec![scope(vec![leave(7)])])), Ok(()));
        assert_eq!(
            verify(&kernel(&[], vec![scope(vec![]), leave(7)])),
            Err(VerifyError::NotInScope { label: Label(7) })
        );
        assert_eq!(
            verify(&kernel(&[], vec![scope(vec![leave(7), leave(7)])])),
            Err(VerifyError::AfterLeave { label: Label(7) })
        );
        assert_eq!(
            verify(&kernel(&[], vec![scope(vec![]), scope(vec![])])),
            Err(VerifyError::LabelTwice { label: Label(7) })
        );
    }

    #[test]
    fn the_dump_is_readable() {
        let body = vec![
            let_(0, Operation::Constant(0x3f80_0000)),
            Statement::Set { variable: Variable(0), value: Value(0), at: Location { file: 0, line: 3, column: 5 } },
        ];
        assert_eq!(
            kernel(&[Kind::Float], body).to_string(),
            "kernel test workgroup 1x1x1, 0 bytes shared, 0 bytes private\n\
             %0:f = 1.0\n\
             $0 x := %0  @3:5\n"
        );
    }
}
