//! Which variables are indexed in a way that needs memory: a computed index into an array above `LARGEST_CHOICE`.
//!
//! Pointers travel into calls, so a function also tells which of its pointer arguments it indexes so; functions only call
//! earlier ones, which makes one pass over the arena enough.

use crate::module::texture_stages::collect_calls;
use std::collections::BTreeSet;

use naga::{Expression, Function, GlobalVariable, Handle, LocalVariable};

use super::layout::Types;
use super::places::LARGEST_CHOICE;
use crate::front_end::Module;

/// What one function indexes dynamically.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexed {
    pub locals: BTreeSet<Handle<LocalVariable>>,
    pub arguments: BTreeSet<u32>,
}

/// What a module indexes dynamically.
#[derive(Debug, Default)]
pub(super) struct Indexing {
    /// By function, in arena order.
    pub functions: Vec<Indexed>,
    /// By entry point.
    pub entry_points: Vec<Indexed>,
    pub globals: BTreeSet<Handle<GlobalVariable>>,
}

enum Root {
    Local(Handle<LocalVariable>),
    Argument(u32),
    Global(Handle<GlobalVariable>),
    None,
}

impl Indexing {
    pub fn of(module: &Module) -> Self {
        let mut indexing = Self::default();
        for (handle, function) in module.naga.functions.iter() {
            let indexed = indexing.function(module, function, &module.info[handle]);
            indexing.functions.push(indexed);
        }
        for (index, entry) in module.naga.entry_points.iter().enumerate() {
            let indexed = indexing.function(module, &entry.function, module.info.get_entry_point(index));
            indexing.entry_points.push(indexed);
        }
        indexing
    }

    fn function(&mut self, module: &Module, function: &Function, info: &naga::valid::FunctionInfo) -> Indexed {
        let mut indexed = Indexed::default();
        let types = Types(module);
        for (_, expression) in function.expressions.iter() {
            let Expression::Access { base, index } = *expression else { continue };
            if matches!(function.expressions[index], Expression::Literal(_)) {
                continue;
            }
            let inner = info[base].ty.inner_with(&module.naga.types);
            let Some(pointee) = super::pointee(types, inner) else { continue };
            let count = types.elements(&pointee).and_then(|elements| elements.count);
            if count.is_some_and(|count| count > LARGEST_CHOICE) {
                self.add(root(function, base), &mut indexed);
            }
        }
        let mut calls = Vec::new();
        collect_calls(&function.body, &mut calls);
        for (callee, arguments) in calls {
            for index in self.functions[callee.index()].arguments.clone() {
                self.add(root(function, arguments[index as usize]), &mut indexed);
            }
        }
        indexed
    }

    fn add(&mut self, root: Root, indexed: &mut Indexed) {
        match root {
            Root::Local(local) => drop(indexed.locals.insert(local)),
            Root::Argument(index) => drop(indexed.arguments.insert(index)),
            Root::Global(global) => drop(self.globals.insert(global)),
            Root::None => {}
        }
    }
}

fn root(function: &Function, mut expression: Handle<Expression>) -> Root {
    loop {
        match function.expressions[expression] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => expression = base,
            Expression::LocalVariable(local) => return Root::Local(local),
            Expression::FunctionArgument(index) => return Root::Argument(index),
            Expression::GlobalVariable(global) => return Root::Global(global),
            _ => return Root::None,
        }
    }
}
