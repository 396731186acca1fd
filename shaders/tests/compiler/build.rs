//! A small builder of kernels in the intermediate form.

use shaders::ir::*;

/// A kernel being built: statements go into the innermost open block.
pub struct Build {
    pub kernel: Kernel,
    blocks: Vec<Block>,
    labels: u32,
    line: u32,
}

impl Build {
    /// Binding 0 is `input` (read only), binding 1 is `output`.
    pub fn new(name: &str, workgroup_size: [u32; 3]) -> Self {
        let binding = |binding: u32, name: &str, is_written| Binding {
            module: 0,
            group: 0,
            binding,
            name: name.to_owned(),
            is_written,
        };
        Self {
            kernel: Kernel {
                name: name.to_owned(),
                workgroup_size,
                workgroup_bytes: 0,
                zero_workgroup_memory: true,
                private_bytes: 0,
                files: vec!["built.rs".to_owned()],
                bindings: vec![binding(0, "input", false), binding(1, "output", true)],
                values: Vec::new(),
                variables: Vec::new(),
                body: Vec::new(),
            },
            blocks: vec![Vec::new()],
            labels: 0,
            line: 0,
        }
    }

    pub fn finish(mut self) -> Kernel {
        self.kernel.body = self.blocks.pop().expect("the body is open");
        assert!(self.blocks.is_empty(), "a block is still open");
        verify::verify(&self.kernel).expect("the builder keeps the rules");
        self.kernel
    }

    fn at(&mut self) -> Location {
        self.line += 1;
        Location { file: 0, line: self.line, column: 1 }
    }

    pub fn push(&mut self, statement: Statement) {
        self.blocks.last_mut().expect("a block is open").push(statement);
    }

    pub fn value(&mut self, kind: Kind, operation: Operation) -> Value {
        let value = Value(self.kernel.values.len() as u32);
        self.kernel.values.push(ValueInfo { kind });
        let at = self.at();
        self.push(Statement::Let { value, operation, at });
        value
    }

    pub fn kind(&self, value: Value) -> Kind {
        self.kernel.values[value.0 as usize].kind
    }

    pub fn int(&mut self, bits: u32) -> Value {
        self.value(Kind::Int, Operation::Constant(bits))
    }

    pub fn input(&mut self, input: Input) -> Value {
        self.value(Kind::Int, Operation::Input(input))
    }

    pub fn unary(&mut self, operation: Unary, a: Value) -> Value {
        self.value(operation.kinds().1, Operation::Unary(operation, a))
    }

    pub fn binary(&mut self, operation: Binary, a: Value, b: Value) -> Value {
        self.value(operation.kinds().1, Operation::Binary(operation, a, b))
    }

    /// With a constant on the right.
    pub fn with(&mut self, operation: Binary, a: Value, b: u32) -> Value {
        let b = self.int(b);
        self.binary(operation, a, b)
    }

    pub fn variable(&mut self, kind: Kind) -> Variable {
        let variable = Variable(self.kernel.variables.len() as u32);
        self.kernel.variables.push(VariableInfo { kind, name: format!("v{}", variable.0) });
        variable
    }

    pub fn get(&mut self, variable: Variable) -> Value {
        self.value(self.kernel.variables[variable.0 as usize].kind, Operation::Get(variable))
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        let at = self.at();
        self.push(Statement::Set { variable, value, at });
    }

    /// Word `index` of binding 0.
    pub fn load_input(&mut self, index: Value, kind: Kind) -> Value {
        let address = self.address(0, index);
        self.value(kind, Operation::Load { space: Space::GlobalReadOnly, address, offset: 0 })
    }

    pub fn address(&mut self, binding: u32, index: Value) -> Value {
        let base = self.value(Kind::Int, Operation::BindingAddress(binding));
        let offset = self.with(Binary::ShiftLeft, index, 2);
        self.binary(Binary::Add, base, offset)
    }

    /// Word `index` of binding 1.
    pub fn store_output(&mut self, index: Value, value: Value) {
        let address = self.address(1, index);
        self.store(Space::Global, address, 0, value);
    }

    pub fn store(&mut self, space: Space, address: Value, offset: i32, value: Value) {
        let at = self.at();
        self.push(Statement::Store { space, address, offset, value, at });
    }

    pub fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Vec::new());
        write(self);
        self.blocks.pop().expect("it was pushed")
    }

    pub fn if_else(&mut self, condition: Value, accept: impl FnOnce(&mut Self), reject: impl FnOnce(&mut Self)) {
        let at = self.at();
        let accept = self.block(accept);
        let reject = self.block(reject);
        self.push(Statement::If { condition, accept, reject, at });
    }

    pub fn if_then(&mut self, condition: Value, accept: impl FnOnce(&mut Self)) {
        self.if_else(condition, accept, |_| {});
    }

    pub fn scope(&mut self, body: impl FnOnce(&mut Self, Label)) {
        let label = Label(self.labels);
        self.labels += 1;
        let body = self.block(|this| body(this, label));
        self.push(Statement::Scope { label, body });
    }

    pub fn endless(&mut self, body: impl FnOnce(&mut Self)) {
        let at = self.at();
        let body = self.block(body);
        self.push(Statement::Loop { body, at });
    }

    pub fn leave(&mut self, label: Label) {
        let at = self.at();
        self.push(Statement::Leave { label, at });
    }

    pub fn barrier(&mut self) {
        let at = self.at();
        self.push(Statement::Barrier { barrier: Barrier::Workgroup, at });
    }
}
