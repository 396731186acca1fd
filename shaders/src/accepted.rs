//! What of WGSL this product takes: the one list for evaluator and compiler.
//!
//! Before: `front_end::Module::select` (valid for naga). After: `translate` and `evaluate`, which may rely on everything
//! here. What is refused gets an error with its place in the source, before anything runs.
//!
//! Taken: compute, vertex and fragment entry points; bool, i32, u32, f32, their vectors, matrices of f32, arrays, structures, atomics;
//! function, private, workgroup, uniform and storage memory; textures of every shape, of floats, integers and depths, with
//! filtering and comparing samplers, and storage textures; all control flow;
//! barriers, atomics, all subgroup and quad operations. The interfaces of vertex and fragment shaders are what `interface` takes.

use std::collections::{BTreeMap, BTreeSet};

use gpu_core::isa::ExtensionSet;
use naga::{
    AddressSpace, Binding, BuiltIn, Expression, Function, Handle, ImageClass, ScalarKind, ShaderStage, Span, Statement,
    TypeInner,
};

use crate::builtins::{self, IntrinsicSignature, Resolution};
use crate::diagnostic::CompileError;
use crate::interface::{FragmentInterface, VertexInterface};
use crate::module::Module;
use crate::texture_calls;

/// Invocations of a workgroup: 32 warps of 32 lanes.
pub const MOST_INVOCATIONS: u32 = 1024;

/// Bytes of one variable outside buffers, and of one value.
pub const LARGEST_VALUE_BYTES: u32 = 1 << 16;

/// Scalars of a value that becomes as many registers; larger ones are stored, indexed and passed on in memory.
pub const MOST_LOADED_SCALARS: u64 = 1024;

/// Sampler stages of a shader (a lookup word reaches 64 banks of four), one for each pair of texture and sampler, or texture read by `textureLoad`.
pub const MOST_TEXTURE_STAGES: usize = 256;

/// Structures and arrays inside each other.
const DEEPEST_TYPE: u32 = 32;

/// Blocks and calls inside each other, on the deepest way through the entry point. Passes recurse along it.
const DEEPEST_WAY: u32 = 250;

/// Expressions and statements of the entry point once every call is inlined.
const MOST_INLINED: u64 = 100_000;

/// Refuses what evaluator and compiler cannot run in the entry point of a selected module.
pub fn check(module: &Module) -> Result<(), CompileError> {
    let checker = Checker { module, stage: module.stage() };
    checker.check_entry()?;
    checker.check_globals()?;
    let functions = reachable_functions(module);
    checker.check_extent(&functions)?;
    for function in functions.iter().map(|&handle| &module.naga.functions[handle]) {
        checker.check_function(function, module.naga.functions.get_span(handle_of(module, function)))?;
    }
    checker.check_function(&module.entry_point().function, Span::UNDEFINED)?;
    let stages = module.texture_stages().iter().filter(|stage| stage.needs_hardware).count();
    if stages > MOST_TEXTURE_STAGES {
        let message = format!(
            "`{}` uses {stages} pairs of texture and sampler (or textures read by textureLoad), the limit is {MOST_TEXTURE_STAGES}",
            module.entry_point().name
        );
        return checker.refuse(module.entry_span(), message);
    }
    Ok(())
}

/// Functions the entry point of a selected module calls, directly or not; callees come before callers.
pub fn reachable_functions(module: &Module) -> BTreeSet<Handle<Function>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![&module.entry_point().function];
    while let Some(function) = waiting.pop() {
        let mut calls = Vec::new();
        each_statement(&function.body, &mut |statement, _| {
            if let Statement::Call { function, .. } = statement {
                calls.push(*function);
            }
        });
        waiting.extend(calls.into_iter().filter(|&c| found.insert(c)).map(|callee| &module.naga.functions[callee]));
    }
    found
}

/// Visits every statement, outer ones first.
fn each_statement<'a>(block: &'a naga::Block, visit: &mut impl FnMut(&'a Statement, Span)) {
    for (statement, span) in block.span_iter() {
        visit(statement, *span);
        match statement {
            Statement::Block(block) => each_statement(block, visit),
            Statement::If { accept, reject, .. } => {
                each_statement(accept, visit);
                each_statement(reject, visit);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| each_statement(&case.body, visit)),
            Statement::Loop { body, continuing, .. } => {
                each_statement(body, visit);
                each_statement(continuing, visit);
            }
            _ => {}
        }
    }
}

fn handle_of(module: &Module, function: &Function) -> Handle<Function> {
    let is_same = |(_, other): &(Handle<Function>, &Function)| std::ptr::eq(*other, function);
    module.naga.functions.iter().find(is_same).expect("the function is of this module").0
}

/// How deep and how large a block is, callees included.
#[derive(Copy, Clone, Debug, Default)]
struct Extent {
    depth: u32,
    size: u64,
}

impl Extent {
    /// `callees` holds every function the block calls.
    fn of(block: &naga::Block, callees: &BTreeMap<Handle<Function>, Self>) -> Self {
        let mut all = Self::default();
        let mut add = |part: Self| {
            all.depth = all.depth.max(part.depth.saturating_add(1));
            all.size = all.size.saturating_add(part.size);
        };
        for statement in block.iter() {
            add(Self { depth: 0, size: 1 });
            match statement {
                Statement::Emit(range) => add(Self { depth: 0, size: range.index_range().len() as u64 }),
                Statement::Call { function, .. } => add(callees[function]),
                Statement::Block(block) => add(Self::of(block, callees)),
                Statement::If { accept, reject, .. } => {
                    add(Self::of(accept, callees));
                    add(Self::of(reject, callees));
                }
                Statement::Switch { cases, .. } => cases.iter().for_each(|case| add(Self::of(&case.body, callees))),
                Statement::Loop { body, continuing, .. } => {
                    add(Self::of(body, callees));
                    add(Self::of(continuing, callees));
                }
                _ => {}
            }
        }
        all
    }
}

struct Checker<'a> {
    module: &'a Module,
    stage: ShaderStage,
}

impl Checker<'_> {
    fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Result<T, CompileError> {
        Err(CompileError::at(self.module, span, message))
    }

    fn check_entry(&self) -> Result<(), CompileError> {
        let point = self.module.entry_point();
        let name = &point.name;
        match self.stage {
            ShaderStage::Compute => {
                let [x, y, z] = point.workgroup_size.map(u64::from);
                let size = x.saturating_mul(y).saturating_mul(z);
                if size == 0 || size > u64::from(MOST_INVOCATIONS) {
                    let message = format!(
                        "`{name}` has a workgroup of {x} × {y} × {z} invocations, a workgroup has 1 to {MOST_INVOCATIONS}"
                    );
                    return self.refuse(self.module.entry_span(), message);
                }
                for argument in &point.function.arguments {
                    self.check_compute_input(argument.ty, argument.binding.as_ref(), argument.name.as_deref())?;
                }
                Ok(())
            }
            ShaderStage::Fragment => match FragmentInterface::of(&self.module.naga, &self.module.info, name) {
                Ok(_) => Ok(()),
                Err(error) => self.refuse(self.module.entry_span(), format!("`{name}`: {error}")),
            },
            ShaderStage::Vertex => self.check_vertex(name),
            other => self.refuse(
                self.module.entry_span(),
                format!("`{name}` is for the {other:?} stage, which is not supported here"),
            ),
        }
    }

    fn check_vertex(&self, name: &str) -> Result<(), CompileError> {
        let interface = VertexInterface::of(&self.module.naga, &self.module.info, name);
        let refused = |error| self.refuse(self.module.entry_span(), format!("`{name}`: {error}"));
        interface.map_or_else(refused, |_| Ok(()))
    }

    /// Calls are inlined: a short source of calls to calls can be endless code.
    fn check_extent(&self, functions: &BTreeSet<Handle<Function>>) -> Result<(), CompileError> {
        let mut extents = BTreeMap::new();
        for &handle in functions {
            let extent = Extent::of(&self.module.naga.functions[handle].body, &extents);
            extents.insert(handle, extent);
        }
        let Extent { depth, size } = Extent::of(&self.module.entry_point().function.body, &extents);
        let name = &self.module.entry_point().name;
        if depth > DEEPEST_WAY {
            let message = format!("`{name}` nests {depth} blocks and calls, the limit is {DEEPEST_WAY}");
            return self.refuse(self.module.entry_span(), message);
        }
        if size > MOST_INLINED {
            let message =
                format!("`{name}` has {size} operations once its calls are inlined, the limit is {MOST_INLINED}");
            return self.refuse(self.module.entry_span(), message);
        }
        Ok(())
    }

    fn check_compute_input(
        &self,
        ty: Handle<naga::Type>,
        binding: Option<&Binding>,
        name: Option<&str>,
    ) -> Result<(), CompileError> {
        match binding {
            Some(Binding::BuiltIn(
                BuiltIn::GlobalInvocationId
                | BuiltIn::LocalInvocationId
                | BuiltIn::LocalInvocationIndex
                | BuiltIn::WorkGroupId
                | BuiltIn::NumWorkGroups
                | BuiltIn::SubgroupId
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupSize
                | BuiltIn::SubgroupInvocationId,
            )) => Ok(()),
            Some(_) => self.refuse(
                self.module.naga.types.get_span(ty),
                format!("input `{}` is not supported", name.unwrap_or("?")),
            ),
            None => {
                let TypeInner::Struct { members, .. } = &self.module.naga.types[ty].inner else { return Ok(()) };
                members.iter().try_for_each(|m| self.check_compute_input(m.ty, m.binding.as_ref(), m.name.as_deref()))
            }
        }
    }

    fn check_globals(&self) -> Result<(), CompileError> {
        for (handle, variable) in self.module.naga.global_variables.iter() {
            if self.module.entry_info()[handle].is_empty() {
                continue;
            }
            let span = self.module.naga.global_variables.get_span(handle);
            match variable.space {
                AddressSpace::Private | AddressSpace::WorkGroup => self.check_value_type(variable.ty, span)?,
                AddressSpace::Uniform | AddressSpace::Storage { .. } => self.check_depth(variable.ty, span)?,
                AddressSpace::Handle => self.check_handle(variable.ty, span)?,
                other => return self.refuse(span, format!("address space {other:?} is not supported")),
            }
        }
        Ok(())
    }

    fn check_handle(&self, ty: Handle<naga::Type>, span: Span) -> Result<(), CompileError> {
        match self.module.naga.types[ty].inner {
            ref image @ TypeInner::Image { class, .. } => match (texture_calls::texture_kind(image), class) {
                (Some(_), _) => Ok(()),
                (None, ImageClass::Storage { format, .. }) => {
                    self.refuse(span, format!("{format:?} is not a storage format of WebGPU's core"))
                }
                (None, _) => self.refuse(span, "this kind of texture is not supported"),
            },
            TypeInner::Sampler { .. } => Ok(()),
            _ => self.refuse(span, "this kind of resource is not supported, only textures and samplers are"),
        }
    }

    /// Evaluator and compiler put their own meaning behind these names.
    fn check_intrinsic(&self, function: &Function, span: Span) -> Result<(), CompileError> {
        let is_named = |intrinsic: &&IntrinsicSignature| function.name.as_deref() == Some(intrinsic.name);
        let Some(intrinsic) = builtins::INTRINSICS.iter().find(is_named) else { return Ok(()) };
        let scalars_of = |ty: Handle<naga::Type>| match &self.module.naga.types[ty].inner {
            TypeInner::Struct { members, .. } => {
                members.iter().map(|m| self.module.naga.types[m.ty].inner.clone()).collect()
            }
            other => vec![other.clone()],
        };
        let expected =
            |scalars: &[naga::Scalar]| scalars.iter().map(|&scalar| TypeInner::Scalar(scalar)).collect::<Vec<_>>();
        let arguments: Vec<_> = function.arguments.iter().map(|a| self.module.naga.types[a.ty].inner.clone()).collect();
        let result = function.result.as_ref().map_or(vec![], |result| scalars_of(result.ty));
        if arguments != expected(intrinsic.arguments) || result != expected(intrinsic.result) {
            let name = intrinsic.name;
            return self.refuse(span, format!("`{name}` is an intrinsic, and this is not its signature; rename it, or declare it as prelude.wgsl or the documentation does"));
        }
        Ok(())
    }

    fn check_function(&self, function: &Function, span: Span) -> Result<(), CompileError> {
        self.check_intrinsic(function, span)?;
        for argument in &function.arguments {
            match self.module.naga.types[argument.ty].inner {
                TypeInner::Image { .. } | TypeInner::Sampler { .. } => self.check_handle(argument.ty, span)?,
                TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => {}
                _ => self.check_value_type(argument.ty, span)?,
            }
        }
        for (handle, local) in function.local_variables.iter() {
            self.check_value_type(local.ty, function.local_variables.get_span(handle))?;
        }
        for (handle, expression) in function.expressions.iter() {
            self.check_size(function, handle)?;
            self.check_expression(function, expression, function.expressions.get_span(handle))?;
        }
        let mut result = Ok(());
        each_statement(&function.body, &mut |statement, span| {
            if result.is_ok() {
                result = self.check_statement(statement, span);
            }
        });
        result
    }

    fn check_value_type(&self, ty: Handle<naga::Type>, span: Span) -> Result<(), CompileError> {
        self.check_depth(ty, span)?;
        let bytes = self.module.layouts[ty].size;
        if bytes > LARGEST_VALUE_BYTES {
            return self.refuse(
                span,
                format!("this takes {bytes} bytes, outside buffers the limit is {LARGEST_VALUE_BYTES} bytes"),
            );
        }
        Ok(())
    }

    fn check_depth(&self, ty: Handle<naga::Type>, span: Span) -> Result<(), CompileError> {
        if self.is_deeper(ty, DEEPEST_TYPE) {
            return self.refuse(span, format!("arrays and structures are nested deeper than {DEEPEST_TYPE}"));
        }
        Ok(())
    }

    fn is_deeper(&self, ty: Handle<naga::Type>, left: u32) -> bool {
        match &self.module.naga.types[ty].inner {
            TypeInner::Array { base, .. } => left == 0 || self.is_deeper(*base, left - 1),
            TypeInner::Struct { members, .. } => left == 0 || members.iter().any(|m| self.is_deeper(m.ty, left - 1)),
            _ => false,
        }
    }

    /// A value is spelled out scalar by scalar, so `array<f32, 100000000>()` would be endless code.
    fn check_size(&self, function: &Function, expression: Handle<Expression>) -> Result<(), CompileError> {
        let Some(ty) = self.info_of(function)[expression].ty.handle() else { return Ok(()) };
        let span = function.expressions.get_span(expression);
        self.check_depth(ty, span)?;
        let (scalars, limit) = (self.scalars(ty), u64::from(LARGEST_VALUE_BYTES / 4));
        if scalars > limit {
            return self.refuse(span, format!("a value of {scalars} scalars, the limit is {limit}"));
        }
        Ok(())
    }

    /// Scalars of a type that has passed `check_depth`.
    fn scalars(&self, ty: Handle<naga::Type>) -> u64 {
        match self.module.naga.types[ty].inner {
            TypeInner::Vector { size, .. } => size as u64,
            TypeInner::Matrix { columns, rows, .. } => columns as u64 * rows as u64,
            TypeInner::Array { base, size, .. } => {
                self.scalars(base).saturating_mul(self.module.array_length(size).unwrap_or(0).into())
            }
            TypeInner::Struct { ref members, .. } => {
                members.iter().fold(0, |sum, member| self.scalars(member.ty).saturating_add(sum))
            }
            _ => 1,
        }
    }

    fn check_expression(&self, function: &Function, expression: &Expression, span: Span) -> Result<(), CompileError> {
        match *expression {
            Expression::ImageSample { image, .. }
            | Expression::ImageLoad { image, .. }
            | Expression::ImageQuery { image, .. } => {
                let kind = |value| {
                    let scalar = self.type_of(function, value).and_then(TypeInner::scalar);
                    scalar.map_or(ScalarKind::Uint, |scalar| scalar.kind)
                };
                let image = self.type_of(function, image);
                let is_call = image.is_some_and(|image| {
                    texture_calls::texture_call(expression, image, kind).is_some()
                        || texture_calls::storage_load(expression, image, kind).is_some()
                });
                if is_call { Ok(()) } else { self.refuse(span, "this texture expression is not supported") }
            }
            Expression::Math { fun, arg, .. } => {
                let argument = self.type_of(function, arg);
                match argument.map(|inner| builtins::resolve(fun, inner, ExtensionSet::NONE)) {
                    Some(Resolution::Unsupported) => self.refuse(span, format!("the builtin {fun:?} is not supported")),
                    _ => Ok(()),
                }
            }
            Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => self.refuse(span, "this expression is not supported"),
            _ => Ok(()),
        }
    }

    /// Type of an expression of a reachable function.
    fn type_of(&self, function: &Function, expression: Handle<Expression>) -> Option<&TypeInner> {
        Some(self.info_of(function)[expression].ty.inner_with(&self.module.naga.types))
    }

    fn info_of(&self, function: &Function) -> &naga::valid::FunctionInfo {
        let is_entry = std::ptr::eq(function, &self.module.entry_point().function);
        if is_entry { self.module.entry_info() } else { &self.module.info[handle_of(self.module, function)] }
    }

    fn check_statement(&self, statement: &Statement, span: Span) -> Result<(), CompileError> {
        match statement {
            Statement::ImageAtomic { .. } => {
                self.refuse(span, "atomic operations on textures are not in WebGPU's core")
            }
            Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) | Statement::CooperativeStore { .. } => {
                self.refuse(span, "this statement is not supported")
            }
            _ => Ok(()),
        }
    }
}
