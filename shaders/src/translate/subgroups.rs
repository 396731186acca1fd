//! Exchange between the lanes of a subgroup: votes, ballots, shuffles, quads, sums.
//!
//! In a compute shader a subgroup is a warp. In a fragment shader it is a quad of 2 × 2 fragments, on every machine, since how
//! fragments are packed into warps is the machine's business. Only lanes that are active take part. Sums, products and the other
//! joins take the lanes one after the other, ascending, from the left: that order is the same on every machine and under every
//! mask, and it is what `evaluate` does.

use naga::{
    CollectiveOperation, Direction, Expression, GatherMode, Handle, ScalarKind, Span, Statement, SubgroupOperation,
};

use super::{Frame, Result, Slot, Translator};
use crate::ir::{self, Binary, Input, Kind, Operation, Shuffle, Unary, Value};

/// The lane or distance a gather reads from.
pub(super) fn gather_operand(mode: &GatherMode) -> Option<Handle<Expression>> {
    match *mode {
        GatherMode::Broadcast(operand)
        | GatherMode::Shuffle(operand)
        | GatherMode::ShuffleDown(operand)
        | GatherMode::ShuffleUp(operand)
        | GatherMode::ShuffleXor(operand)
        | GatherMode::QuadBroadcast(operand) => Some(operand),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

impl<'a> Translator<'a> {
    pub fn subgroup(&mut self, frame: &mut Frame<'a>, statement: &Statement, span: Span) -> Result<()> {
        let (result, values) = match statement {
            Statement::SubgroupBallot { result, predicate } => {
                let predicate = match predicate {
                    Some(predicate) => self.value(frame, *predicate)?,
                    None => self.build.int(1),
                };
                let ballot = self.subgroup_ballot(predicate);
                let zero = self.build.int(0);
                (*result, vec![ballot, zero, zero, zero])
            }
            Statement::SubgroupGather { mode, argument, result } => {
                let arguments = self.values(frame, *argument)?;
                let operand = match gather_operand(mode) {
                    Some(operand) => Some(self.value(frame, operand)?),
                    None => None,
                };
                let mut values = self.gathered(mode, &arguments, operand);
                if let (GatherMode::Shuffle(_) | GatherMode::Broadcast(_), Some(lane)) = (mode, operand)
                    && self.shading.is_none()
                    && self.is_clamped(frame.module)
                {
                    self.unless_absent(lane, &arguments, &mut values);
                }
                (*result, values)
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                let arguments = self.values(frame, *argument)?;
                let module = self.modules[frame.module].module;
                let kind = frame.inner(module, *argument).scalar_kind().unwrap_or(ScalarKind::Uint);
                let values = match (op, joined_by(*op, kind)) {
                    (SubgroupOperation::All | SubgroupOperation::Any, _) => {
                        vec![self.vote(*op == SubgroupOperation::All, arguments[0])]
                    }
                    (_, None) => return self.refuse(frame.module, span, format!("{op:?} of these is not supported")),
                    (_, Some(join)) if self.shading.is_some() => self.joined_in_quad(join, *collective_op, &arguments),
                    (_, Some(join)) => self.joined_in_warp(join, *collective_op, &arguments),
                };
                (*result, values)
            }
            _ => unreachable!("the caller sends subgroup statements only"),
        };
        self.remember(frame, result, Slot::Values(values.into()));
        Ok(())
    }

    fn lane(&mut self) -> Value {
        self.build.pure(Operation::Input(Input::SubgroupInvocationId), Kind::Int)
    }

    /// The number of the lane in its quad.
    pub fn lane_in_quad(&mut self) -> Value {
        let (lane, three) = (self.lane(), self.build.int(3));
        self.build.binary(Binary::And, lane, three)
    }

    /// A bit for each active lane of the subgroup whose predicate holds.
    fn subgroup_ballot(&mut self, predicate: Value) -> Value {
        let ballot = self.build.emit(Operation::Ballot(predicate), Kind::Int);
        if self.shading.is_none() {
            return ballot;
        }
        let (lane, first, four) = (self.lane(), self.build.int(!3), self.build.int(15));
        let first = self.build.binary(Binary::And, lane, first);
        let quad = self.build.binary(Binary::ShiftRightUnsigned, ballot, first);
        self.build.binary(Binary::And, quad, four)
    }

    fn vote(&mut self, is_all: bool, predicate: Value) -> Value {
        if self.shading.is_none() {
            let operation = if is_all { Operation::All(predicate) } else { Operation::Any(predicate) };
            return self.build.emit(operation, Kind::Int);
        }
        let zero = self.build.int(0);
        if is_all {
            let fails = self.build.unary(Unary::LogicalNot, predicate);
            let failing = self.subgroup_ballot(fails);
            return self.build.binary(Binary::Equal, failing, zero);
        }
        let holding = self.subgroup_ballot(predicate);
        self.build.binary(Binary::NotEqual, holding, zero)
    }

    fn gathered(&mut self, mode: &GatherMode, arguments: &[Value], operand: Option<Value>) -> Vec<Value> {
        let (shuffle, operand) = match (mode, operand) {
            (GatherMode::QuadSwap(direction), _) => {
                let distance = match direction {
                    Direction::X => 1,
                    Direction::Y => 2,
                    Direction::Diagonal => 3,
                };
                (Shuffle::Xor, self.build.int(distance))
            }
            (GatherMode::QuadBroadcast(_), Some(operand)) => (Shuffle::Quad, operand),
            (_, None) if self.shading.is_some() => {
                let one = self.build.int(1);
                let members = self.subgroup_ballot(one);
                (Shuffle::Quad, self.build.unary(Unary::CountTrailingZeros, members))
            }
            (_, None) => {
                let first = |value: &Value| {
                    let kind = self.build.kind(*value);
                    self.build.emit(Operation::BroadcastFirst(*value), kind)
                };
                return arguments.iter().map(first).collect();
            }
            (mode, Some(operand)) if self.shading.is_some() => return self.gathered_in_quad(mode, arguments, operand),
            (GatherMode::ShuffleDown(_), Some(operand)) => (Shuffle::Down, operand),
            (GatherMode::ShuffleUp(_), Some(operand)) => (Shuffle::Up, operand),
            (GatherMode::ShuffleXor(_), Some(operand)) => (Shuffle::Xor, operand),
            (_, Some(operand)) => (Shuffle::Index, operand),
        };
        arguments.iter().map(|value| self.shuffled(shuffle, *value, operand)).collect()
    }

    /// Shuffles keep the own value where a number is no lane's. Said here once more for numbers found at run time: the analysis
    /// believes that one lane's value, given to all, is the same for all, which is so for lanes that are there.
    fn unless_absent(&mut self, lane: Value, own: &[Value], values: &mut [Value]) {
        if self.build.known(lane).is_some() {
            // The analysis looks at these itself.
            return;
        }
        let lanes = self.build.pure(Operation::Input(Input::SubgroupSize), Kind::Int);
        let is_there = self.build.binary(Binary::LessUnsigned, lane, lanes);
        for (value, own) in values.iter_mut().zip(own) {
            *value = self.build.select(is_there, *value, *own);
        }
    }

    fn shuffled(&mut self, shuffle: Shuffle, value: Value, operand: Value) -> Value {
        let kind = self.build.kind(value);
        self.build.emit(Operation::Shuffle(shuffle, value, operand), kind)
    }

    /// A shuffle whose source must lie in the quad; else the lane keeps its own value.
    fn gathered_in_quad(&mut self, mode: &GatherMode, arguments: &[Value], operand: Value) -> Vec<Value> {
        let own = self.lane_in_quad();
        let (one, three, four) = (self.build.int(1), self.build.int(3), self.build.int(4));
        let (source, is_inside) = match mode {
            GatherMode::ShuffleDown(_) => {
                let left = self.build.binary(Binary::Subtract, four, own);
                let source = self.build.binary(Binary::Add, own, operand);
                (source, self.build.binary(Binary::LessUnsigned, operand, left))
            }
            GatherMode::ShuffleUp(_) => {
                let most = self.build.binary(Binary::Add, own, one);
                let source = self.build.binary(Binary::Subtract, own, operand);
                (source, self.build.binary(Binary::LessUnsigned, operand, most))
            }
            GatherMode::ShuffleXor(_) => {
                let source = self.build.binary(Binary::Xor, own, operand);
                (source, self.build.binary(Binary::LessUnsigned, source, four))
            }
            _ => (operand, self.build.binary(Binary::LessUnsigned, operand, four)),
        };
        let source = self.build.binary(Binary::And, source, three);
        let source = self.build.select(is_inside, source, own);
        arguments.iter().map(|value| self.shuffled(Shuffle::Quad, *value, source)).collect()
    }

    /// What a scan that leaves the lane itself out starts from.
    fn neutral(&mut self, join: Binary) -> Value {
        match join {
            Binary::FloatAdd => self.build.constant(0, Kind::Float),
            Binary::FloatMultiply => self.build.constant(1.0f32.to_bits(), Kind::Float),
            Binary::Multiply => self.build.int(1),
            _ => self.build.int(0),
        }
    }

    /// Active lanes one after the other, by a loop that all of them run.
    fn joined_in_warp(&mut self, join: Binary, how: CollectiveOperation, arguments: &[Value]) -> Vec<Value> {
        let at = self.build.at;
        let (zero, one) = (self.build.int(0), self.build.int(1));
        let members = self.build.emit(Operation::Ballot(one), Kind::Int);
        let rest = self.build.variable(Kind::Int, "lanes to come".into());
        let without_lowest = |this: &mut Self, lanes: Value| {
            let minus_one = this.build.int(u32::MAX);
            let below = this.build.binary(Binary::Add, lanes, minus_one);
            this.build.binary(Binary::And, lanes, below)
        };
        let skips_first = how != CollectiveOperation::ExclusiveScan;
        let start = if skips_first { without_lowest(self, members) } else { members };
        self.build.set(rest, start);
        let mut sums = Vec::new();
        for value in arguments {
            let kind = self.build.kind(*value);
            let sum = self.build.variable(kind, "joined".into());
            let start = match skips_first {
                true => self.build.emit(Operation::BroadcastFirst(*value), kind),
                false => self.neutral(join),
            };
            self.build.set(sum, start);
            sums.push(sum);
        }
        let own = self.lane();
        let label = self.build.label();
        let iteration = self.build.begin_loop();
        let now = self.build.get(rest);
        let condition = self.build.binary(Binary::Equal, now, zero);
        let accept = vec![ir::Statement::Leave { label, at }];
        self.build.push(ir::Statement::If { condition, accept, reject: Vec::new(), at });
        let source = self.build.unary(Unary::CountTrailingZeros, now);
        for (sum, value) in sums.iter().zip(arguments) {
            let other = self.shuffled(Shuffle::Index, *value, source);
            let before = self.build.get(*sum);
            let after = self.build.binary(join, before, other);
            let counts = match how {
                CollectiveOperation::Reduce => one,
                CollectiveOperation::InclusiveScan => self.build.binary(Binary::LessEqualUnsigned, source, own),
                CollectiveOperation::ExclusiveScan => self.build.binary(Binary::LessUnsigned, source, own),
            };
            let after = self.build.select(counts, after, before);
            self.build.set(*sum, after);
        }
        let next = without_lowest(self, now);
        self.build.set(rest, next);
        let body = self.build.end(iteration);
        self.build.push(ir::Statement::Scope { label, body: vec![ir::Statement::Loop { body, at }] });
        let results = sums.into_iter().map(|sum| {
            let value = self.build.get(sum);
            let kind = self.build.kind(value);
            // All lanes have the same, which the divergence analysis need not find out.
            let is_same = how == CollectiveOperation::Reduce;
            if is_same { self.build.emit(Operation::BroadcastFirst(value), kind) } else { value }
        });
        results.collect()
    }

    /// The active lanes of the quad one after the other.
    fn joined_in_quad(&mut self, join: Binary, how: CollectiveOperation, arguments: &[Value]) -> Vec<Value> {
        let one = self.build.int(1);
        let members = self.subgroup_ballot(one);
        let first = self.build.unary(Unary::CountTrailingZeros, members);
        let own = self.lane_in_quad();
        let mut results = Vec::new();
        for value in arguments {
            let is_exclusive = how == CollectiveOperation::ExclusiveScan;
            let mut sum = match is_exclusive {
                true => self.neutral(join),
                false => self.shuffled(Shuffle::Quad, *value, first),
            };
            for number in 0..4 {
                let lane = self.build.int(number);
                let bit = self.build.int(1 << number);
                let bit = self.build.binary(Binary::And, members, bit);
                let zero = self.build.int(0);
                let mut counts = self.build.binary(Binary::NotEqual, bit, zero);
                if !is_exclusive {
                    let is_later = self.build.binary(Binary::LessUnsigned, first, lane);
                    counts = self.build.binary(Binary::And, counts, is_later);
                }
                let is_before = match how {
                    CollectiveOperation::Reduce => one,
                    CollectiveOperation::InclusiveScan => self.build.binary(Binary::LessEqualUnsigned, lane, own),
                    CollectiveOperation::ExclusiveScan => self.build.binary(Binary::LessUnsigned, lane, own),
                };
                counts = self.build.binary(Binary::And, counts, is_before);
                let other = self.shuffled(Shuffle::Quad, *value, lane);
                let joined = self.build.binary(join, sum, other);
                sum = self.build.select(counts, joined, sum);
            }
            results.push(sum);
        }
        results
    }
}

/// The operation between two lanes' values.
fn joined_by(operation: SubgroupOperation, kind: ScalarKind) -> Option<Binary> {
    use SubgroupOperation as S;
    let pick = |float, signed, unsigned| match kind {
        ScalarKind::Float => float,
        ScalarKind::Sint => Some(signed),
        _ => Some(unsigned),
    };
    match operation {
        S::All | S::Any => None,
        S::Add => pick(Some(Binary::FloatAdd), Binary::Add, Binary::Add),
        S::Mul => pick(Some(Binary::FloatMultiply), Binary::Multiply, Binary::Multiply),
        S::Min => pick(Some(Binary::FloatMin), Binary::MinSigned, Binary::MinUnsigned),
        S::Max => pick(Some(Binary::FloatMax), Binary::MaxSigned, Binary::MaxUnsigned),
        S::And => pick(None, Binary::And, Binary::And),
        S::Or => pick(None, Binary::Or, Binary::Or),
        S::Xor => pick(None, Binary::Xor, Binary::Xor),
    }
}
