//! Random structured kernels: nested branches, scopes, loops, leaves, variables, memory, votes.

use shaders::compile::{DivergenceMechanism, Mutation, Optimization};
use shaders::ir::*;

use crate::build::Build;
use crate::run::{Setting, check, interpreted, simulated};

/// splitmix64 (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn word(&mut self) -> u32 {
        match self.below(5) {
            0 => self.next() as u32,
            1 => self.pick(&[0, 1, 2, 3, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff]),
            2 => ((self.below(2000) as f32 - 1000.0) / 16.0).to_bits(),
            _ => self.below(40) as u32,
        }
    }
}

const INPUT_WORDS: u32 = 64;
const PRIVATE_WORDS: u32 = 8;
const RESULTS: u32 = 16;

struct Generator {
    random: Random,
    build: Build,
    values: Vec<Value>,
    /// Conditions that lanes have voted on: voting again under another mask must give another result.
    voted: Vec<Value>,
    variables: Vec<Variable>,
    labels: Vec<Label>,
    fuel: Variable,
    index: Value,
    output: Value,
    /// Statements that may still be made.
    budget: usize,
}

/// A kernel, its buffers and its grid.
pub fn random_kernel(seed: u64) -> (Kernel, Vec<Vec<u32>>, [u32; 3]) {
    let mut random = Random(seed);
    let size = random.pick(&[[8, 1, 1], [32, 1, 1], [13, 1, 1], [6, 3, 1], [64, 1, 1]]);
    let mut build = Build::new("random", size);
    build.kernel.private_bytes = PRIVATE_WORDS * 4;
    build.kernel.workgroup_bytes = size.iter().product::<u32>() * 4;
    let local = build.input(Input::LocalInvocationIndex);
    let group = build.input(Input::WorkgroupId(0));
    let first = build.with(Binary::Multiply, group, size.iter().product());
    let index = build.binary(Binary::Add, first, local);
    let scaled = build.with(Binary::Multiply, index, RESULTS * 4);
    let base = build.value(Kind::Int, Operation::BindingAddress(1));
    let output = build.binary(Binary::Add, base, scaled);
    let fuel = build.variable(Kind::Int);
    let start = build.with(Binary::And, local, 3);
    let start = build.with(Binary::Add, start, 20);
    build.set(fuel, start);
    let mut variables = Vec::new();
    for turn in 0..8 {
        let kind = if turn % 3 == 2 { Kind::Float } else { Kind::Int };
        variables.push(build.variable(kind));
    }
    let budget = 40 + random.below(120);
    let values = vec![local, group, index];
    let mut generator = Generator {
        random,
        build,
        values,
        voted: Vec::new(),
        variables,
        labels: Vec::new(),
        fuel,
        index,
        output,
        budget,
    };
    for word in 0..PRIVATE_WORDS {
        let address = generator.build.int(word * 4);
        generator.build.store(Space::Private, address, 0, index);
    }
    for _ in 0..4 {
        generator.load_input();
    }
    generator.build.scope(|_, _| {});
    generator.whole();
    for (place, variable) in generator.variables.clone().into_iter().enumerate() {
        let value = generator.build.get(variable);
        generator.build.store(Space::Global, output, place as i32 * 4, value);
    }
    let input = (0..INPUT_WORDS).map(|_| generator.random.word()).collect();
    let grid = [1 + generator.random.below(5) as u32, 1, 1];
    let invocations = size.iter().product::<u32>() * grid[0];
    let output = vec![0xabab_abab; (invocations * RESULTS) as usize + 1];
    (generator.build.finish(), vec![input, output], grid)
}

impl Generator {
    /// The body: a block in a scope that `return` leaves.
    fn whole(&mut self) {
        // The builder's closures cannot borrow the generator too, so blocks are opened by hand.
        let label = Label(1000);
        let body = self.block(Some(label), 0);
        self.build.push(Statement::Scope { label, body });
    }

    fn block(&mut self, label: Option<Label>, depth: usize) -> Block {
        let (visible, voted) = (self.values.len(), self.voted.len());
        self.labels.extend(label);
        let mut statements = std::mem::replace(&mut self.build, Build::new("", [1, 1, 1]));
        let block = statements.block(|build| {
            std::mem::swap(build, &mut self.build);
            self.statements(depth);
            std::mem::swap(build, &mut self.build);
        });
        self.build = statements;
        self.values.truncate(visible);
        self.voted.truncate(voted);
        if label.is_some() {
            self.labels.pop();
        }
        block
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.random.below(8) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match self.random.below(100) {
                0..34 => self.compute(),
                34..54 => self.set(),
                54..60 => self.swap(),
                60..68 => self.store(),
                68..72 => self.exchange(),
                _ if depth >= 6 => self.compute(),
                72..86 => self.branch(depth),
                86..92 => self.scope(depth),
                _ => self.counted_loop(depth),
            }
        }
        if depth > 0 && self.random.chance(18) && !self.labels.is_empty() {
            let label = self.random.pick(&self.labels);
            self.build.leave(label);
        }
    }

    fn any(&mut self, kind: Kind) -> Value {
        if self.random.chance(25) {
            let of_kind: Vec<_> = (self.variables.iter().copied())
                .filter(|variable| self.build.kernel.variables[variable.0 as usize].kind == kind)
                .collect();
            let variable = self.random.pick(&of_kind);
            let value = self.build.get(variable);
            self.values.push(value);
            return value;
        }
        let of_kind: Vec<_> = self.values.iter().copied().filter(|&value| self.build.kind(value) == kind).collect();
        if of_kind.is_empty() || self.random.chance(20) {
            let word = self.random.word();
            return self.build.value(kind, Operation::Constant(word));
        }
        // What was made last is read most.
        let recent = if self.random.chance(60) { of_kind.len().saturating_sub(6) } else { 0 };
        self.random.pick(&of_kind[recent..])
    }

    fn condition(&mut self) -> Value {
        let (a, b) = (self.any(Kind::Int), self.any(Kind::Int));
        match self.random.below(5) {
            0 => {
                let bits = self.random.pick(&[1, 2, 4]);
                let bit = self.build.with(Binary::And, a, bits);
                self.build.with(Binary::NotEqual, bit, 0)
            }
            1 => {
                let lane = self.index;
                let few = self.random.below(12) as u32;
                self.build.with(Binary::LessUnsigned, lane, few)
            }
            2 => {
                let (a, b) = (self.any(Kind::Float), self.any(Kind::Float));
                self.build.binary(Binary::FloatLess, a, b)
            }
            3 => {
                let equal = self.build.binary(Binary::LessEqualSigned, a, b);
                self.build.unary(Unary::LogicalNot, equal)
            }
            _ => self.build.binary(Binary::LessSigned, a, b),
        }
    }

    fn load_input(&mut self) {
        let kind = self.random.pick(&[Kind::Int, Kind::Float]);
        let index = self.any(Kind::Int);
        let index = self.build.with(Binary::And, index, INPUT_WORDS - 1);
        let value = self.build.load_input(index, kind);
        self.values.push(value);
    }

    fn compute(&mut self) {
        let value = match self.random.below(14) {
            0..4 => {
                use Binary::*;
                let operation = self.random.pick(&[
                    Add,
                    Subtract,
                    Multiply,
                    And,
                    Or,
                    Xor,
                    ShiftLeft,
                    ShiftRightSigned,
                    MinSigned,
                    MaxUnsigned,
                    LessSigned,
                    LessEqualUnsigned,
                    Equal,
                    RemainderUnsigned,
                ]);
                let (a, b) = (self.any(Kind::Int), self.any(Kind::Int));
                self.build.binary(operation, a, b)
            }
            4..6 => {
                use Binary::*;
                let operation =
                    self.random.pick(&[FloatAdd, FloatSubtract, FloatMultiply, FloatMin, FloatMax, FloatCopySign]);
                let (a, b) = (self.any(Kind::Float), self.any(Kind::Float));
                self.build.binary(operation, a, b)
            }
            6 => {
                use Unary::*;
                let operation = self.random.pick(&[
                    Negate,
                    Not,
                    CountOneBits,
                    CountLeadingZeros,
                    FloatNegate,
                    FloatAbs,
                    FloatFloor,
                    FloatRound,
                    FloatToSigned,
                    SignedToFloat,
                    FloatToBits,
                    BitsToFloat,
                ]);
                let a = self.any(operation.kinds().0);
                self.build.unary(operation, a)
            }
            7 => {
                let [a, b, c] = [(); 3].map(|()| self.any(Kind::Float));
                let a = if self.random.chance(30) { self.build.unary(Unary::FloatNegate, a) } else { a };
                self.build.value(Kind::Float, Operation::FusedMultiplyAdd(a, b, c))
            }
            8 => {
                let condition = self.condition();
                let kind = self.random.pick(&[Kind::Int, Kind::Float]);
                let (accept, reject) = (self.any(kind), self.any(kind));
                self.build.value(kind, Operation::Select { condition, accept, reject })
            }
            9 => {
                let operands = [(); 3].map(|()| self.any(Kind::Int));
                let shift = self.random.below(4) as u8;
                self.build.value(Kind::Int, Operation::MultiplyShiftAdd { operands, shift })
            }
            10 => {
                let index = self.any(Kind::Int);
                let index = self.build.with(Binary::And, index, PRIVATE_WORDS - 1);
                let address = self.build.with(Binary::ShiftLeft, index, 2);
                let operation = Operation::Load { space: Space::Private, address, offset: 0 };
                self.build.value(Kind::Int, operation)
            }
            11 => {
                let condition = match self.voted.last() {
                    Some(&condition) if self.random.chance(60) => condition,
                    _ => self.condition(),
                };
                self.voted.push(condition);
                let operation = match self.random.below(3) {
                    0 => Operation::Ballot(condition),
                    1 => Operation::Any(condition),
                    _ => Operation::All(condition),
                };
                self.build.value(Kind::Int, operation)
            }
            12 => {
                let kind = self.random.pick(&[Kind::Int, Kind::Float]);
                let (a, lane) = (self.any(kind), self.any(Kind::Int));
                let operation = match self.random.below(3) {
                    0 => Operation::BroadcastFirst(a),
                    _ => {
                        use Shuffle::*;
                        let shuffle = self.random.pick(&[Index, Xor, Down, Up, Quad]);
                        Operation::Shuffle(shuffle, a, lane)
                    }
                };
                self.build.value(kind, operation)
            }
            _ => return self.load_input(),
        };
        self.values.push(value);
    }

    fn set(&mut self) {
        let variable = self.random.pick(&self.variables);
        let kind = self.build.kernel.variables[variable.0 as usize].kind;
        if self.random.chance(40) {
            self.compute();
        }
        let value = self.any(kind);
        self.build.set(variable, value);
    }

    /// Two variables change places.
    fn swap(&mut self) {
        let (a, b) = (self.random.pick(&self.variables), self.random.pick(&self.variables));
        let kind = |this: &Self, variable: Variable| this.build.kernel.variables[variable.0 as usize].kind;
        if kind(self, a) == kind(self, b) {
            let (old_a, old_b) = (self.build.get(a), self.build.get(b));
            self.build.set(a, old_b);
            self.build.set(b, old_a);
        }
    }

    fn store(&mut self) {
        let value = self.any(Kind::Int);
        match self.random.below(3) {
            0 => {
                let place = 8 + self.random.below(8) as i32;
                self.build.store(Space::Global, self.output, place * 4, value);
            }
            1 => {
                let index = self.any(Kind::Int);
                let index = self.build.with(Binary::And, index, PRIVATE_WORDS - 1);
                let address = self.build.with(Binary::ShiftLeft, index, 2);
                self.build.store(Space::Private, address, 0, value);
            }
            _ => {
                let local = self.build.input(Input::LocalInvocationIndex);
                let address = self.build.with(Binary::ShiftLeft, local, 2);
                let operation = Operation::Load { space: Space::Workgroup, address, offset: 0 };
                let old = self.build.value(Kind::Int, operation);
                self.values.push(old);
                self.build.store(Space::Workgroup, address, 0, value);
            }
        }
    }

    fn exchange(&mut self) {
        let value = self.any(Kind::Int);
        let place = 8 + self.random.below(8) as i32;
        let operation = self.random.pick(&[Atomic::Add, Atomic::MaxSigned, Atomic::Exchange, Atomic::Xor]);
        let atomic =
            Operation::Atomic { operation, space: Space::Global, address: self.output, offset: place * 4, value };
        let old = self.build.value(Kind::Int, atomic);
        self.values.push(old);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        let accept = if self.random.chance(85) { self.block(None, depth + 1) } else { Vec::new() };
        let reject = if self.random.chance(50) { self.block(None, depth + 1) } else { Vec::new() };
        self.build.push(Statement::If { condition, accept, reject, at: Location::default() });
    }

    fn fresh_label(&mut self) -> Label {
        Label(1001 + self.random.next() as u32 % 1_000_000_000)
    }

    fn scope(&mut self, depth: usize) {
        let label = self.fresh_label();
        let body = self.block(Some(label), depth + 1);
        self.build.push(Statement::Scope { label, body });
    }

    /// scope { loop { if fuel == 0 leave; fuel -= 1; body } }
    fn counted_loop(&mut self, depth: usize) {
        let (label, fuel) = (self.fresh_label(), self.fuel);
        let mut outer = std::mem::replace(&mut self.build, Build::new("", [1, 1, 1]));
        let at = Location::default();
        let body = outer.block(|build| {
            std::mem::swap(build, &mut self.build);
            let left = self.build.get(fuel);
            let empty = self.build.with(Binary::Equal, left, 0);
            self.build.push(Statement::If {
                condition: empty,
                accept: vec![Statement::Leave { label, at }],
                reject: Vec::new(),
                at,
            });
            let less = self.build.with(Binary::Subtract, left, 1);
            self.build.set(fuel, less);
            let inner = self.block(Some(label), depth + 1);
            // A scope around the turn, so that nothing follows a leave.
            let turn = Label(label.0.wrapping_add(1_000_000_001));
            self.build.push(Statement::Scope { label: turn, body: inner });
            std::mem::swap(build, &mut self.build);
        });
        self.build = outer;
        self.build.push(Statement::Scope { label, body: vec![Statement::Loop { body, at }] });
    }
}

/// Seeds to try: `SEED=n` alone, `SEEDS=n` many, or a fixed range.
fn seeds(count: u64) -> Vec<u64> {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a seed is a number"));
    match (number("SEED"), number("SEEDS")) {
        (Some(seed), _) => vec![seed],
        (None, many) => (0..many.unwrap_or(count)).collect(),
    }
}

#[test]
fn random_kernels_agree_with_the_interpreter() {
    for seed in seeds(60) {
        println!("SEED={seed}");
        let (kernel, buffers, grid) = random_kernel(seed);
        let lanes = [1, 2, 4, 8, 16, 32][seed as usize % 6];
        for setting in Setting::variants(lanes) {
            check(&kernel, &setting, &buffers, grid);
        }
    }
}

/// A planted fault must be seen by some random kernel.
#[track_caller]
fn check_mutation_of(mutation: Mutation, divergence: DivergenceMechanism) {
    let caught = (0..60).any(|seed| {
        let (kernel, buffers, grid) = random_kernel(seed);
        let lanes = [4, 8, 16, 32][seed as usize % 4];
        let base = Setting::new(lanes).with(divergence);
        let setting = Setting { mutation: Some(mutation), registers: (10, 6), ..base };
        let expected = interpreted(&kernel, lanes, &buffers, grid);
        [Optimization::Full, Optimization::None].into_iter().any(|optimization| {
            let setting = Setting { optimization, ..setting.clone() };
            // The control: what is noticed below is the mutation, not a fault that was there before.
            let healthy = Setting { mutation: None, ..setting.clone() };
            let control = simulated(&kernel, &healthy, &buffers, grid);
            assert_eq!(control.as_ref(), Ok(&expected), "seed {seed} without {mutation:?}");
            simulated(&kernel, &setting, &buffers, grid).as_ref() != Ok(&expected)
        })
    });
    assert!(caught, "{mutation:?} was not noticed with {divergence:?}");
}

/// The same with either mechanism.
#[track_caller]
fn check_mutation(mutation: Mutation) {
    for divergence in DivergenceMechanism::EVERY {
        check_mutation_of(mutation, divergence);
    }
}

#[test]
fn accumulated_masks_are_noticed() {
    check_mutation(Mutation::AccumulateMasks);
}

#[test]
fn constants_reused_across_masks_are_noticed() {
    check_mutation(Mutation::ReuseConstants);
}

#[test]
fn intervals_with_holes_in_loops_are_noticed() {
    check_mutation(Mutation::NoLoopExtension);
}

#[test]
fn missing_snapshots_are_noticed() {
    check_mutation(Mutation::NoSnapshot);
}

#[test]
fn masks_in_a_frame_that_no_lane_reads_are_noticed() {
    check_mutation_of(Mutation::SpillMasks, DivergenceMechanism::Mask);
}
