use super::*;
use crate::ir::{Kind, ValueInfo, Variable, VariableInfo};

const NOWHERE: Location = Location { file: 0, line: 0, column: 0 };

/// A kernel built by hand: every value is an int.
#[derive(Default)]
struct Builder {
    values: u32,
    variables: u32,
}

impl Builder {
    fn let_(&mut self, block: &mut Block, operation: Operation) -> Value {
        let value = Value(self.values);
        self.values += 1;
        block.push(Statement::Let { value, operation, at: NOWHERE });
        value
    }

    fn variable(&mut self) -> Variable {
        self.variables += 1;
        Variable(self.variables - 1)
    }

    fn kernel(self, size: u32, body: Block) -> Kernel {
        let info = ValueInfo { kind: Kind::Int };
        let variable = VariableInfo { kind: Kind::Int, name: String::new() };
        let kernel = Kernel {
            name: "test".into(),
            workgroup_size: [size, 1, 1],
            workgroup_bytes: 0,
            zero_workgroup_memory: true,
            private_bytes: 0,
            files: vec![],
            bindings: vec![crate::ir::Binding {
                module: 0,
                group: 0,
                binding: 0,
                name: "out".into(),
                is_written: true,
            }],
            values: vec![info; self.values as usize],
            variables: vec![variable; self.variables as usize],
            body,
        };
        crate::ir::verify::verify(&kernel).expect("the test's kernel is well formed");
        kernel
    }
}

fn set(variable: Variable, value: Value) -> Statement {
    Statement::Set { variable, value, at: NOWHERE }
}

/// Runs one workgroup whose `result` goes to `out[invocation]`.
fn run_one(
    lanes: u32,
    size: u32,
    build: impl Fn(&mut Builder, &mut Block) -> Value,
) -> Result<Vec<u32>, InterpretError> {
    let (mut builder, mut body) = (Builder::default(), Block::new());
    let result = build(&mut builder, &mut body);
    let index = builder.let_(&mut body, Operation::Input(Input::LocalInvocationIndex));
    let four = builder.let_(&mut body, Operation::Constant(4));
    let bytes = builder.let_(&mut body, Operation::Binary(Binary::Multiply, index, four));
    let base = builder.let_(&mut body, Operation::BindingAddress(0));
    let address = builder.let_(&mut body, Operation::Binary(Binary::Add, base, bytes));
    body.push(Statement::Store { space: Space::Global, address, offset: 0, value: result, at: NOWHERE });
    let kernel = builder.kernel(size, body);
    let mut memory = Memory::new();
    let out = memory.allocate(&vec![0; size as usize]);
    let launch = Launch { lanes, workgroups: [1; 3], bindings: &[out], sampler: None, statement_limit: 10_000 };
    run(&kernel, &mut memory, &launch)?;
    Ok(memory.words(out).to_vec())
}

#[test]
fn lanes_leave_a_loop_one_by_one() {
    // n = 0; loop { if n == lane { leave } n += 1 }  →  every lane counts to its own number.
    let out = run_one(4, 8, |b, body| {
        let n = b.variable();
        let lane = b.let_(body, Operation::Input(Input::LocalInvocationIndex));
        let mut inner = Block::new();
        let now = b.let_(&mut inner, Operation::Get(n));
        let done = b.let_(&mut inner, Operation::Binary(Binary::Equal, now, lane));
        inner.push(Statement::If {
            condition: done,
            accept: vec![Statement::Leave { label: Label(0), at: NOWHERE }],
            reject: vec![],
            at: NOWHERE,
        });
        let one = b.let_(&mut inner, Operation::Constant(1));
        let next = b.let_(&mut inner, Operation::Binary(Binary::Add, now, one));
        inner.push(set(n, next));
        body.push(Statement::Scope { label: Label(0), body: vec![Statement::Loop { body: inner, at: NOWHERE }] });
        b.let_(body, Operation::Get(n))
    });
    assert_eq!(out, Ok((0..8).collect()));
}

#[test]
fn votes_see_the_active_lanes_of_their_warp_only() {
    let out = run_one(4, 8, |b, body| {
        let n = b.variable();
        let lane = b.let_(body, Operation::Input(Input::LocalInvocationIndex));
        let one = b.let_(body, Operation::Constant(1));
        let odd = b.let_(body, Operation::Binary(Binary::And, lane, one));
        let mut inner = Block::new();
        let ballot = b.let_(&mut inner, Operation::Ballot(one));
        inner.push(set(n, ballot));
        body.push(Statement::If { condition: odd, accept: inner, reject: vec![], at: NOWHERE });
        b.let_(body, Operation::Get(n))
    });
    assert_eq!(out, Ok(vec![0, 0b1010, 0, 0b1010, 0, 0b1010, 0, 0b1010]));
}

#[test]
fn a_shuffle_past_the_end_reads_the_lane_itself() {
    let down = run_one(4, 8, |b, body| {
        let lane = b.let_(body, Operation::Input(Input::LocalInvocationIndex));
        let one = b.let_(body, Operation::Constant(1));
        b.let_(body, Operation::Shuffle(Shuffle::Down, lane, one))
    });
    assert_eq!(down, Ok(vec![1, 2, 3, 3, 5, 6, 7, 7]));
    let quad = run_one(8, 8, |b, body| {
        let lane = b.let_(body, Operation::Input(Input::LocalInvocationIndex));
        let two = b.let_(body, Operation::Constant(2));
        b.let_(body, Operation::Shuffle(Shuffle::Quad, lane, two))
    });
    assert_eq!(quad, Ok(vec![2, 2, 2, 2, 6, 6, 6, 6]));
}

#[test]
fn an_endless_loop_is_reported() {
    let out = run_one(4, 4, |b, body| {
        let mut inner = Block::new();
        b.let_(&mut inner, Operation::Constant(1));
        body.push(Statement::Loop { body: inner, at: NOWHERE });
        b.let_(body, Operation::Constant(1))
    });
    assert_eq!(out, Err(InterpretError::Endless { limit: 10_000 }));
}

#[test]
fn an_access_outside_is_reported_with_its_invocation() {
    let out = run_one(4, 4, |b, body| {
        let address = b.let_(body, Operation::BindingAddress(0));
        b.let_(body, Operation::Load { space: Space::Global, address, offset: 16 })
    });
    assert!(matches!(out, Err(InterpretError::OutOfBounds { invocation: 0, .. })));
}
