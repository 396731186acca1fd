//! Order: blocks, branches, loops, switches and every way out of them.
//!
//! `break`, `continue` and `return` leave scopes. A divergent escape costs the machine several mask operations, so two
//! things avoid it: a jump to where control would go anyway (the *tail* of what is around it) is no escape, and
//! `if c { jump to the tail } rest` is read as `if c {} else { rest }`. A scope nobody leaves is not made.

use std::collections::BTreeSet;

use naga::{Expression, Handle, Span, Statement, SwitchCase, SwitchValue};

use super::places::{Memory, Place};
use super::statements::{expression_operands, statement_operands};
use super::{Exit, Frame, Result, Slot, Translator};
use crate::ir::{self, Binary, Label, Value};

/// What encloses a statement and can be left.
pub(super) struct Targets {
    break_: (Label, bool),
    /// Loops only.
    continue_: Option<(Label, bool)>,
}

/// Jumps that only go where control goes by itself at the end of this block.
#[derive(Copy, Clone, Default)]
pub(super) struct Tail {
    pub returns: bool,
    breaks: bool,
    continues: bool,
}

/// Whether control reaches the end of what was written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continues,
    Ends,
}

/// Depth from which the rest of a block stays where it is: a hundred early returns in a row must not nest.
const DEEPEST_MOVE: usize = 40;

/// Cases up to which a switch is a chain of `else if`; beyond, each case leaves the switch.
const LONGEST_CHAIN: usize = 24;

type Statements<'a> = Vec<(&'a Statement, Span)>;

fn list(block: &naga::Block) -> Statements<'_> {
    block.span_iter().map(|(statement, span)| (statement, *span)).collect()
}

impl Tail {
    /// Whether a block ends by a jump that is natural here.
    fn takes(self, block: &naga::Block) -> bool {
        match block.last() {
            Some(Statement::Return { .. }) => self.returns,
            Some(Statement::Break) => self.breaks,
            Some(Statement::Continue) => self.continues,
            Some(Statement::Block(inner)) => self.takes(inner),
            _ => false,
        }
    }
}

impl<'a> Translator<'a> {
    pub fn block(&mut self, frame: &mut Frame<'a>, block: &'a naga::Block, tail: Tail) -> Result<Flow> {
        self.run(frame, list(block), tail)
    }

    fn run(&mut self, frame: &mut Frame<'a>, mut statements: Statements<'a>, tail: Tail) -> Result<Flow> {
        statements.reverse();
        while let Some((statement, span)) = statements.pop() {
            self.go_to(frame.module, span);
            match statement {
                Statement::Block(block) => statements.extend(list(block).into_iter().rev()),
                Statement::If { condition, accept, reject } => {
                    let condition = self.value(frame, *condition)?;
                    if let Some(known) = self.build.known(condition) {
                        let taken = if known != 0 { accept } else { reject };
                        statements.extend(list(taken).into_iter().rev());
                        continue;
                    }
                    let (mut yes, mut no) = (list(accept), list(reject));
                    let mut inner = if statements.is_empty() { tail } else { Tail::default() };
                    let is_shallow = self.build.depth() < DEEPEST_MOVE;
                    let moves = is_shallow && !statements.is_empty() && (tail.takes(accept) || tail.takes(reject));
                    if moves {
                        let rest = std::mem::take(&mut statements).into_iter().rev();
                        if tail.takes(accept) {
                            no.extend(rest)
                        } else {
                            yes.extend(rest)
                        }
                        inner = tail;
                    }
                    if self.branch(frame, condition, yes, no, inner)? == Flow::Ends {
                        return Ok(Flow::Ends);
                    }
                }
                Statement::Switch { selector, cases } => {
                    let inner = if statements.is_empty() { tail } else { Tail::default() };
                    if self.switch(frame, *selector, cases, inner)? == Flow::Ends {
                        return Ok(Flow::Ends);
                    }
                }
                Statement::Loop { body, continuing, break_if } => {
                    if self.loop_(frame, body, continuing, *break_if)? == Flow::Ends {
                        return Ok(Flow::Ends);
                    }
                }
                Statement::Break => {
                    let target = frame.targets.last_mut().expect("the validator knows what a break leaves");
                    if tail.breaks {
                        return Ok(Flow::Continues);
                    }
                    target.break_.1 = true;
                    let label = target.break_.0;
                    self.build.leave(label);
                    return Ok(Flow::Ends);
                }
                Statement::Continue => {
                    if tail.continues {
                        return Ok(Flow::Continues);
                    }
                    let targets = frame.targets.iter_mut().rev();
                    let mut continues = targets.filter_map(|target| target.continue_.as_mut());
                    let (label, is_left) = continues.next().expect("the validator knows the loop of a continue");
                    *is_left = true;
                    self.build.leave(*label);
                    return Ok(Flow::Ends);
                }
                Statement::Return { value } => return self.return_(frame, *value, tail),
                other => {
                    frame.stored_next = match statements.last() {
                        Some((Statement::Store { value, .. } | Statement::Return { value: Some(value) }, _)) => {
                            Some(*value)
                        }
                        _ => None,
                    };
                    self.simple_statement(frame, other, span)?;
                }
            }
        }
        Ok(Flow::Continues)
    }

    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Value,
        yes: Statements<'a>,
        no: Statements<'a>,
        tail: Tail,
    ) -> Result<Flow> {
        let at = self.build.at;
        let begun = self.build.begin();
        let first = self.run(frame, yes, tail)?;
        let accept = self.build.end(begun);
        let begun = self.build.begin();
        let second = self.run(frame, no, tail)?;
        let reject = self.build.end(begun);
        if !accept.is_empty() || !reject.is_empty() {
            self.build.push(ir::Statement::If { condition, accept, reject, at });
        }
        Ok(if first == Flow::Ends && second == Flow::Ends { Flow::Ends } else { Flow::Continues })
    }

    fn return_(&mut self, frame: &mut Frame<'a>, value: Option<Handle<Expression>>, tail: Tail) -> Result<Flow> {
        let values = match (value, &frame.exit) {
            (Some(value), Exit::Memory { memory, .. }) => {
                let place = Place::Memory(memory.clone());
                let inner = frame.inner(self.modules[frame.module].module, value).clone();
                let value = self.stored(frame, &place, value)?;
                self.put(self.types(frame.module), &place, &inner, &value);
                None
            }
            (Some(value), _) => Some(self.values(frame, value)?),
            (None, _) => None,
        };
        if let Exit::Variables { variables, .. } = &frame.exit {
            for (variable, value) in variables.iter().zip(values.iter().flat_map(|values| values.iter())) {
                self.build.set(*variable, *value);
            }
        }
        match &mut frame.exit {
            Exit::Direct(result) => *result = values,
            Exit::Variables { label, is_left, .. } | Exit::Memory { label, is_left, .. } => {
                if !tail.returns {
                    *is_left = true;
                    self.build.leave(*label);
                    return Ok(Flow::Ends);
                }
            }
        }
        Ok(Flow::Continues)
    }

    /// Closes a block that is a scope if somebody left it.
    fn close_scope(&mut self, begun: super::builder::Begun, (label, is_left): (Label, bool)) {
        if is_left {
            let body = self.build.end(begun);
            self.build.push(ir::Statement::Scope { label, body });
        } else {
            self.build.end_into_parent(begun);
        }
    }

    /// A switch is a chain of branches; `break` is its end. WGSL's cases do not fall through: naga writes `case 1, 2` as
    /// an empty body that does.
    fn switch(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Handle<Expression>,
        cases: &'a [SwitchCase],
        tail: Tail,
    ) -> Result<Flow> {
        let selector = self.value(frame, selector)?;
        let mut groups: Vec<(Vec<u32>, &naga::Block)> = Vec::new();
        let mut default = None;
        let (mut values, mut is_default) = (Vec::new(), false);
        for case in cases {
            match case.value {
                SwitchValue::I32(value) => values.push(value as u32),
                SwitchValue::U32(value) => values.push(value),
                SwitchValue::Default => is_default = true,
            }
            if case.fall_through {
                if !case.body.is_empty() {
                    let span = case.body.span_iter().next().map_or(Span::UNDEFINED, |(_, span)| *span);
                    return self.refuse(frame.module, span, "a case that falls through into the next is not supported");
                }
                continue;
            }
            let selected = std::mem::take(&mut values);
            if std::mem::take(&mut is_default) {
                default = Some(&case.body);
            } else {
                groups.push((selected, &case.body));
            }
        }
        let label = self.build.label();
        frame.targets.push(Targets { break_: (label, false), continue_: None });
        let begun = self.build.begin();
        let flow = if groups.len() <= LONGEST_CHAIN {
            self.case(frame, selector, &groups, default, Tail { breaks: true, ..tail })?
        } else {
            self.flat_cases(frame, selector, &groups, default)?
        };
        let target = frame.targets.pop().expect("it was pushed above");
        self.close_scope(begun, target.break_);
        Ok(if target.break_.1 { Flow::Continues } else { flow })
    }

    fn case(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Value,
        groups: &[(Vec<u32>, &'a naga::Block)],
        default: Option<&'a naga::Block>,
        tail: Tail,
    ) -> Result<Flow> {
        let Some(((values, body), others)) = groups.split_first() else {
            return default.map_or(Ok(Flow::Continues), |body| self.block(frame, body, tail));
        };
        let condition = self.is_one_of(selector, values);
        match self.build.known(condition) {
            Some(0) => return self.case(frame, selector, others, default, tail),
            Some(_) => return self.block(frame, body, tail),
            None => {}
        }
        let at = self.build.at;
        let begun = self.build.begin();
        let first = self.block(frame, body, tail)?;
        let accept = self.build.end(begun);
        let begun = self.build.begin();
        let second = self.case(frame, selector, others, default, tail)?;
        let reject = self.build.end(begun);
        self.build.push(ir::Statement::If { condition, accept, reject, at });
        Ok(if first == Flow::Ends && second == Flow::Ends { Flow::Ends } else { Flow::Continues })
    }

    fn is_one_of(&mut self, selector: Value, values: &[u32]) -> Value {
        let mut condition = self.build.int(0);
        for value in values {
            let value = self.build.int(*value);
            let is_equal = self.build.binary(Binary::Equal, selector, value);
            condition = self.build.binary(Binary::Or, condition, is_equal);
        }
        condition
    }

    /// Cases one after the other, each of which leaves the switch.
    fn flat_cases(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Value,
        groups: &[(Vec<u32>, &'a naga::Block)],
        default: Option<&'a naga::Block>,
    ) -> Result<Flow> {
        for (values, body) in groups {
            let condition = self.is_one_of(selector, values);
            if self.build.known(condition) == Some(0) {
                continue;
            }
            let at = self.build.at;
            let begun = self.build.begin();
            if self.block(frame, body, Tail::default())? == Flow::Continues {
                let target = frame.targets.last_mut().expect("the caller pushed it");
                target.break_.1 = true;
                self.build.leave(target.break_.0);
            }
            let accept = self.build.end(begun);
            self.build.push(ir::Statement::If { condition, accept, reject: Vec::new(), at });
        }
        default.map_or(Ok(Flow::Continues), |body| self.block(frame, body, Tail::default()))
    }

    /// `scope BREAK { loop { scope CONTINUE { body } continuing; if break_if { leave BREAK } } }`.
    fn loop_(
        &mut self,
        frame: &mut Frame<'a>,
        body: &'a naga::Block,
        continuing: &'a naga::Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<Flow> {
        let at = self.build.at;
        let exports = self.export(frame, body, continuing, break_if);
        let (break_label, continue_label) = (self.build.label(), self.build.label());
        frame.targets.push(Targets { break_: (break_label, false), continue_: Some((continue_label, false)) });

        let whole = self.build.begin();
        let iteration = self.build.begin_loop();
        let first = self.build.begin();
        let flow = self.block(frame, body, Tail { continues: true, ..Tail::default() })?;
        let continue_ = frame.targets.last().and_then(|target| target.continue_).expect("it was pushed above");
        self.close_scope(first, continue_);
        if continue_.1 || flow == Flow::Continues {
            self.import(frame, &exports);
            let flow = self.block(frame, continuing, Tail::default())?;
            if let (Some(condition), Flow::Continues) = (break_if, flow) {
                let condition = self.value(frame, condition)?;
                let begun = self.build.begin();
                self.build.leave(break_label);
                let accept = self.build.end(begun);
                frame.targets.last_mut().expect("it was pushed above").break_.1 = true;
                self.build.push(ir::Statement::If { condition, accept, reject: Vec::new(), at });
            }
        }
        let body = self.build.end(iteration);
        self.build.push(ir::Statement::Loop { body, at });
        let target = frame.targets.pop().expect("it was pushed above");
        self.close_scope(whole, target.break_);
        for (expression, _) in &exports {
            frame.exported.remove(expression);
        }
        Ok(if target.break_.1 { Flow::Continues } else { Flow::Ends })
    }

    /// Expressions of the body that `continuing` reads, when a `continue` can part the two: they go through variables.
    /// A pointer is made again from its operands, which go through variables instead.
    fn export(
        &mut self,
        frame: &mut Frame<'a>,
        body: &naga::Block,
        continuing: &naga::Block,
        break_if: Option<Handle<Expression>>,
    ) -> Vec<(Handle<Expression>, bool)> {
        if !has_continue(body) {
            return Vec::new();
        }
        let (mut made, mut read) = (BTreeSet::new(), BTreeSet::new());
        results_of(body, &mut made);
        read_by(frame, continuing, &mut read);
        read.extend(break_if);
        let module = self.modules[frame.module].module;
        let mut exports = Vec::new();
        let mut pending: Vec<_> = read.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(expression) = pending.pop() {
            if !made.contains(&expression) || !seen.insert(expression) {
                continue;
            }
            let is_pointer = super::pointee(self.types(frame.module), frame.inner(module, expression)).is_some();
            if is_pointer {
                pending.extend(expression_operands(&frame.function.expressions[expression]));
            } else {
                // What is larger stays in memory.
                let mut kinds = self.kinds(frame, expression);
                kinds.truncate(crate::accepted::MOST_LOADED_SCALARS as usize);
                let variables = kinds.iter().map(|kind| self.build.variable(*kind, "carried".into())).collect();
                frame.exported.insert(expression, variables);
            }
            exports.push((expression, is_pointer));
        }
        exports
    }

    fn import(&mut self, frame: &mut Frame<'a>, exports: &[(Handle<Expression>, bool)]) {
        for (expression, is_pointer) in exports {
            let slot = if *is_pointer {
                None
            } else if let Some(Slot::Large(memory)) = &frame.evaluated[expression.index()] {
                // Snapshots lie at an offset from address 0, which is made again here.
                Some(Slot::Large(Memory { address: self.build.int(0), ..memory.clone() }))
            } else {
                let variables = frame.exported[expression].clone();
                Some(Slot::Values(variables.iter().map(|variable| self.build.get(*variable)).collect()))
            };
            frame.evaluated[expression.index()] = slot;
        }
    }

    /// Runs `body` with the counter at 0, step, 2·step, … below the limit.
    pub fn count_to(&mut self, counter: ir::Variable, limit: u32, step: u32, body: impl FnOnce(&mut Self, Value)) {
        let at = self.build.at;
        let label = self.build.label();
        let iteration = self.build.begin_loop();
        let now = self.build.get(counter);
        let limit = self.build.int(limit);
        let condition = self.build.binary(Binary::LessEqualUnsigned, limit, now);
        let accept = vec![ir::Statement::Leave { label, at }];
        self.build.push(ir::Statement::If { condition, accept, reject: Vec::new(), at });
        body(self, now);
        let step = self.build.int(step);
        let next = self.build.binary(Binary::Add, now, step);
        self.build.set(counter, next);
        let body = self.build.end(iteration);
        self.build.push(ir::Statement::Scope { label, body: vec![ir::Statement::Loop { body, at }] });
    }

    /// Runs `body` of an inlined function and closes the scope its early returns leave.
    pub fn function_body(&mut self, frame: &mut Frame<'a>, body: &'a naga::Block) -> Result<()> {
        let begun = self.build.begin();
        self.block(frame, body, Tail { returns: true, ..Tail::default() })?;
        let scope = match &frame.exit {
            Exit::Direct(_) => (Label(0), false),
            Exit::Variables { label, is_left, .. } | Exit::Memory { label, is_left, .. } => (*label, *is_left),
        };
        self.close_scope(begun, scope);
        Ok(())
    }
}

/// Whether the block continues the loop it is the body of.
fn has_continue(block: &naga::Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Block(block) => has_continue(block),
        Statement::If { accept, reject, .. } => has_continue(accept) || has_continue(reject),
        Statement::Switch { cases, .. } => cases.iter().any(|case| has_continue(&case.body)),
        _ => false,
    })
}

/// Expressions a block gives values to.
fn results_of(block: &naga::Block, made: &mut BTreeSet<Handle<Expression>>) {
    for statement in block.iter() {
        match statement {
            Statement::Emit(range) => made.extend(range.clone()),
            Statement::Block(block) => results_of(block, made),
            Statement::Call { result, .. } | Statement::Atomic { result, .. } => made.extend(*result),
            Statement::WorkGroupUniformLoad { result, .. }
            | Statement::SubgroupBallot { result, .. }
            | Statement::SubgroupGather { result, .. }
            | Statement::SubgroupCollectiveOperation { result, .. } => drop(made.insert(*result)),
            _ => {}
        }
    }
}

/// Expressions a block reads, at any depth.
fn read_by(frame: &Frame, block: &naga::Block, read: &mut BTreeSet<Handle<Expression>>) {
    for statement in block.iter() {
        read.extend(statement_operands(statement));
        match statement {
            Statement::Emit(range) => {
                for expression in range.clone() {
                    read.extend(expression_operands(&frame.function.expressions[expression]));
                }
            }
            Statement::Block(block) => read_by(frame, block, read),
            Statement::If { accept, reject, .. } => {
                read_by(frame, accept, read);
                read_by(frame, reject, read);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| read_by(frame, &case.body, read)),
            Statement::Loop { body, continuing, break_if } => {
                read_by(frame, body, read);
                read_by(frame, continuing, read);
                read.extend(*break_if);
            }
            _ => {}
        }
    }
}
