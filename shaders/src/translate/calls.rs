//! Calls: every one is inlined. Some names stand for what WGSL cannot say (intrinsics) or what the linker replaces.
//!
//! naga's functions call earlier ones only, so inlining ends; `accepted` limits how deep it goes, and
//! [`LARGEST_KERNEL_VALUES`] how much it may write.

use std::collections::BTreeMap;
use std::rc::Rc;

use naga::{Expression, Function, Handle, Span, Statement};

use super::indexing::Indexed;
use super::large::LARGEST_IN_REGISTERS;
use super::layout::Types;
use super::places::{Memory, Place, Variables};
use super::{Exit, Frame, ModuleIndex, Result, Slot, Source, Translator};
use crate::ir::{Binary, ControlRegister, Kind, Label, Operation, Unary, Value, Variable};
use crate::prelude;
use gpu_core::isa::Op;
use texture::{Form, Lookup};

/// Values above which inlining has got out of hand (the machine's code and the host's time grow with them).
const LARGEST_KERNEL_VALUES: usize = 1 << 17;

/// Scalars above which a variable lives in memory though nobody indexes it dynamically.
const LARGEST_IN_VARIABLES: usize = LARGEST_IN_REGISTERS;

/// Private memory of one invocation; a launch needs it for every lane of the machine.
pub(super) const LARGEST_PRIVATE_BYTES: u32 = 1 << 16;

/// What is known while the linked shader is being inlined.
pub(super) struct Shading {
    /// 1 where `discard` was met.
    pub killed: Variable,
    /// The scalars of the kernel's `Fragment` (or `Vertex`), which hooks get.
    pub fragment: Rc<[Value]>,
    /// The scope a discarded lane leaves, under the planted fault.
    pub peeled: Option<Label>,
}

/// A function to inline, with what is known of it.
#[derive(Clone)]
pub(super) struct Callee<'a> {
    pub module: ModuleIndex,
    pub function: &'a Function,
    pub info: &'a naga::valid::FunctionInfo,
    pub indexed: Indexed,
}

impl<'a> Translator<'a> {
    pub fn call(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Function>,
        arguments: &[Handle<Expression>],
        span: Span,
    ) -> Result<Option<Slot>> {
        if self.build.values.len() > LARGEST_KERNEL_VALUES {
            let message = format!("inlining this call makes more than {LARGEST_KERNEL_VALUES} operations");
            return self.refuse(frame.module, span, message);
        }
        let mut slots = Vec::new();
        for argument in arguments {
            slots.push(self.slot(frame, *argument)?);
        }
        self.go_to(frame.module, span);
        let callee = self.callee(frame.module, handle);
        let name = callee.function.name.clone().unwrap_or_default();
        if let Some(values) = self.intrinsic(frame.module, span, &name, &slots)? {
            return Ok(Some(Slot::Values(values.into())));
        }
        if name == "shade" && frame.module == 0 && self.fragment.is_some() {
            let Some(Slot::Values(fragment)) = slots.into_iter().next() else {
                return self.refuse(frame.module, span, "`shade` takes one `Fragment`");
            };
            return Ok(Some(Slot::Values(self.shade(fragment, span)?)));
        }
        if name == "shade_vertex" && frame.module == 0 && self.vertex.is_some() {
            let Some(Slot::Values(vertex)) = slots.into_iter().next() else {
                return self.refuse(frame.module, span, "`shade_vertex` takes one `Vertex`");
            };
            self.shade_vertex(vertex, span)?;
            return Ok(None);
        }
        let types = self.types(callee.module);
        if let Some(result) = &callee.function.result
            && types.count(types.inner(result.ty)) > LARGEST_IN_REGISTERS
        {
            let memory = self.memory_for(frame.module, span, types.inner(result.ty))?;
            self.inline_into(callee, slots, Some(memory.clone()))?;
            return Ok(Some(Slot::Large(memory)));
        }
        Ok(self.inline(callee, slots)?.map(Slot::Values))
    }

    fn callee(&self, module: ModuleIndex, handle: Handle<Function>) -> Callee<'a> {
        let source = &self.modules[module];
        Callee {
            module,
            function: &source.module.naga.functions[handle],
            info: &source.module.info[handle],
            indexed: source.indexing.functions[handle.index()].clone(),
        }
    }

    /// Calls a function of the prelude by name.
    pub fn call_prelude(&mut self, name: &str, arguments: Vec<Vec<Value>>) -> Result<Vec<Value>> {
        let module = match self.modules.iter().position(|source| source.is_prelude) {
            Some(module) => module,
            None => {
                let first_file = self.modules.iter().map(|source| source.module.files.len()).sum();
                self.modules.push(Source::new(prelude::module(), super::Bounds::Trust, first_file));
                self.modules.len() - 1
            }
        };
        let callee = self.callee(module, prelude::function(name).0);
        let slots = arguments.into_iter().map(|values| Slot::Values(values.into())).collect();
        let values = self.inline(callee, slots)?;
        Ok(values.expect("functions of the prelude give values").to_vec())
    }

    /// Calls a function of the kernel's module that the contract of `link` names.
    pub fn call_hook(&mut self, name: &str, arguments: Vec<Vec<Value>>, span: Span) -> Result<Vec<Value>> {
        match self.call_effect(name, arguments, span)? {
            Some(values) => Ok(values.to_vec()),
            None => self.refuse(0, span, format!("`{name}` must return a value")),
        }
    }

    /// The same for a function that need not return anything.
    pub fn call_effect(&mut self, name: &str, arguments: Vec<Vec<Value>>, span: Span) -> Result<Option<Rc<[Value]>>> {
        let module = self.modules[0].module;
        let named = |(_, function): &(Handle<Function>, &Function)| function.name.as_deref() == Some(name);
        let Some((handle, _)) = module.naga.functions.iter().find(named) else {
            let replaced = if self.vertex.is_some() { "shade_vertex" } else { "shade" };
            let message = format!(
                "the kernel has no function `{name}`, which the shader needs (a function nobody calls is dropped: let \
                 the default `{replaced}` call it)"
            );
            return self.refuse(0, span, message);
        };
        let callee = self.callee(0, handle);
        let slots: Vec<_> = arguments.into_iter().map(|values| Slot::Values(values.into())).collect();
        let at = self.build.at;
        let values = self.inline(callee, slots)?;
        self.build.at = at;
        Ok(values)
    }

    /// Writes a function's body here and returns its result.
    pub fn inline(&mut self, callee: Callee<'a>, arguments: Vec<Slot>) -> Result<Option<Rc<[Value]>>> {
        self.inline_into(callee, arguments, None)
    }

    /// The same; what the function returns goes into memory, if there is some for it, and nothing comes back.
    fn inline_into(
        &mut self,
        callee: Callee<'a>,
        arguments: Vec<Slot>,
        memory: Option<Memory>,
    ) -> Result<Option<Rc<[Value]>>> {
        let Callee { module, function, info, indexed } = callee;
        if self.modules[module].is_prelude
            && let Some(op) = prelude::instruction(function.name.as_deref().unwrap_or_default(), self.extensions)
        {
            return Ok(Some(Rc::from([self.transcendental(op, &arguments)])));
        }
        let types = self.types(module);
        let private_start = self.private_end;
        let at = self.build.at;
        let result = function.result.as_ref().map(|result| types.inner(result.ty));
        let exit = if let (Some(memory), Some(inner)) = (memory, result) {
            if may_end_by_discard(&function.body) {
                self.fill_with_zero(types, &Place::Memory(memory.clone()), inner);
            }
            Exit::Memory { memory, label: self.build.label(), is_left: false }
        } else if is_direct(&function.body) {
            Exit::Direct(None)
        } else {
            let leaves = result.map_or(Vec::new(), |inner| types.leaves(inner));
            let variables: Rc<[Variable]> =
                leaves.iter().map(|leaf| self.build.variable(leaf.kind, "result".into())).collect();
            if may_end_by_discard(&function.body) {
                // naga lets a function end by `discard`, without a value.
                for (variable, leaf) in variables.iter().zip(&leaves) {
                    let zero = self.build.constant(0, leaf.kind);
                    self.build.set(*variable, zero);
                }
            }
            Exit::Variables { variables, label: self.build.label(), is_left: false }
        };
        let mut frame = Frame {
            module,
            function,
            info,
            indexed,
            arguments,
            locals: Vec::new(),
            evaluated: vec![None; function.expressions.len()],
            exported: BTreeMap::new(),
            exit,
            targets: Vec::new(),
            stored_next: None,
        };
        for (handle, local) in function.local_variables.iter() {
            let inner = types.inner(local.ty);
            let name = local.name.as_deref().unwrap_or("temporary");
            let place_of_source = (module, function.local_variables.get_span(handle));
            let in_memory = frame.indexed.locals.contains(&handle);
            let place = self.variable_place(place_of_source, inner, name, in_memory)?;
            match local.init {
                Some(init) => {
                    let values = self.values(&mut frame, init)?;
                    self.store(types, &place, inner, &values);
                }
                None => self.fill_with_zero(types, &place, inner),
            }
            frame.locals.push(place);
        }
        self.function_body(&mut frame, &function.body)?;
        self.private_end = private_start;
        self.build.at = at;
        let Some(inner) = result else { return Ok(None) };
        Ok(match frame.exit {
            Exit::Direct(Some(values)) => Some(values),
            Exit::Direct(None) => Some(self.zero(module, inner).into()),
            Exit::Variables { variables, .. } => {
                Some(variables.iter().map(|variable| self.build.get(*variable)).collect())
            }
            Exit::Memory { .. } => None,
        })
    }

    /// A place for a local or private variable.
    pub fn variable_place(
        &mut self,
        (module, span): (ModuleIndex, Span),
        inner: &naga::TypeInner,
        name: &str,
        in_memory: bool,
    ) -> Result<Place> {
        let types = self.types(module);
        let (bytes, _) = types.size(inner);
        if bytes > LARGEST_PRIVATE_BYTES || self.private_end > LARGEST_PRIVATE_BYTES {
            let message = format!(
                "`{name}` takes {bytes} bytes of every invocation, which have {LARGEST_PRIVATE_BYTES} for all variables"
            );
            return self.refuse(module, span, message);
        }
        if in_memory || types.count(inner) > LARGEST_IN_VARIABLES {
            return Ok(Place::Memory(self.private_memory(bytes)));
        }
        let leaves = types.leaves(inner);
        let name_of = |n: usize| if leaves.len() == 1 { name.to_owned() } else { format!("{name}.{n}") };
        let variables = leaves.iter().enumerate().map(|(n, leaf)| self.build.variable(leaf.kind, name_of(n)));
        Ok(Place::Variables(Variables::new(variables.collect())))
    }

    /// Zeroes a variable; a large one in memory by a loop, if that leaves no padding of a buffer changed.
    pub fn fill_with_zero(&mut self, types: Types, place: &Place, inner: &naga::TypeInner) {
        const LONGEST_UNROLLED: u32 = 16;
        let words = types.size(inner).0 / 4;
        match place {
            Place::Memory(memory)
                if words > LONGEST_UNROLLED
                    && (memory.space == crate::ir::Space::Private || types.count(inner) == words as usize) =>
            {
                let counter = self.build.variable(Kind::Int, "zeroed".into());
                let (zero, start) = (self.build.int(0), self.build.int(0));
                self.build.set(counter, start);
                self.count_to(counter, words * 4, 4, |this, bytes| {
                    let address = this.build.binary(Binary::Add, memory.address, bytes);
                    this.build.store(memory.space, address, memory.offset, zero);
                });
            }
            _ => {
                let zeros: Vec<_> = types.leaves(inner).iter().map(|leaf| self.build.constant(0, leaf.kind)).collect();
                self.store(types, place, inner, &zeros);
            }
        }
    }

    /// An instruction in place of a function of scalars.
    fn transcendental(&mut self, op: Op, arguments: &[Slot]) -> Value {
        let scalar = |slot: &Slot| match slot {
            Slot::Values(values) => values[0],
            Slot::Large(_) | Slot::Place(_) | Slot::Handle(_) => {
                unreachable!("these functions of the prelude take scalars")
            }
        };
        match arguments {
            [a, b] => self.build.binary(Binary::Transcendental(op), scalar(a), scalar(b)),
            _ => self.build.unary(Unary::Transcendental(op), scalar(&arguments[0])),
        }
    }

    /// Replaces a function that says what WGSL cannot; `None` if the name is not one.
    fn intrinsic(&mut self, module: ModuleIndex, span: Span, name: &str, slots: &[Slot]) -> Result<Option<Vec<Value>>> {
        if !name.starts_with("intrinsic_") {
            return Ok(None);
        }
        let operands: Vec<Value> = slots
            .iter()
            .flat_map(|slot| match slot {
                Slot::Values(values) => values.to_vec(),
                Slot::Large(_) | Slot::Place(_) | Slot::Handle(_) => Vec::new(),
            })
            .collect();
        let result = match (name, &operands[..]) {
            ("intrinsic_tex", &[stage, u, v, level]) => {
                let Some(stage @ 0..=3) = self.build.known(stage) else {
                    return self.refuse(module, span, "the stage of `intrinsic_tex` must be a constant from 0 to 3");
                };
                let operation = Operation::Texture { form: Form::Level, stage: stage as u8, operands: [u, v, level] };
                self.build.emit(operation, Kind::Int)
            }
            ("intrinsic_texl" | "intrinsic_texf", &[stage, u, v, word]) => {
                let Some(stage @ 0..=255) = self.build.known(stage) else {
                    return self.refuse(
                        module,
                        span,
                        format!("the stage of `{name}` must be a constant from 0 to 255"),
                    );
                };
                let ahead = Lookup { banks_ahead: stage / 4, ..Lookup::default() }.to_word();
                let ahead = self.build.int(ahead);
                let word = self.build.binary(Binary::Or, word, ahead);
                let is_packed = name == "intrinsic_texl";
                let (form, kind) = if is_packed { (Form::Lookup, Kind::Int) } else { (Form::Channel, Kind::Float) };
                let stage = (stage % 4) as u8;
                self.build.emit(Operation::Texture { form, stage, operands: [u, v, word] }, kind)
            }
            ("intrinsic_imadd", &[a, b, c, shift]) => {
                let Some(shift @ 0..=3) = self.build.known(shift) else {
                    return self.refuse(module, span, "the shift of `intrinsic_imadd` must be a constant from 0 to 3");
                };
                let operation = Operation::MultiplyShiftAdd { operands: [a, b, c], shift: shift as u8 };
                self.build.pure(operation, Kind::Int)
            }
            ("intrinsic_multiply_high_unsigned", &[a, b]) => self.build.binary(Binary::MultiplyHighUnsigned, a, b),
            ("intrinsic_multiply_high_signed", &[a, b]) => self.build.binary(Binary::MultiplyHighSigned, a, b),
            ("intrinsic_copysign", &[a, b]) => self.build.binary(Binary::FloatCopySign, a, b),
            ("intrinsic_texture_bank" | "intrinsic_region", &[value]) => {
                let is_region = name == "intrinsic_region";
                let register = if is_region { ControlRegister::Region } else { ControlRegister::TextureBank };
                let at = self.build.at;
                self.build.push(crate::ir::Statement::WriteControl { register, value, at });
                return Ok(Some(Vec::new()));
            }
            ("intrinsic_sampling_state", &[stage]) => return Ok(Some(self.sampling_state(stage, span)?)),
            _ => {
                let message = format!("`{name}` with {} scalars is not an intrinsic", operands.len());
                return self.refuse(module, span, message);
            }
        };
        Ok(Some(vec![result]))
    }
}

/// Whether a body holds a `discard`, which naga takes for an end.
fn may_end_by_discard(body: &naga::Block) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Kill => true,
        Statement::Block(block) => may_end_by_discard(block),
        Statement::If { accept, reject, .. } => may_end_by_discard(accept) || may_end_by_discard(reject),
        Statement::Switch { cases, .. } => cases.iter().any(|case| may_end_by_discard(&case.body)),
        Statement::Loop { body, continuing, .. } => may_end_by_discard(body) || may_end_by_discard(continuing),
        _ => false,
    })
}

/// Whether the only `return` of a body is its last statement.
fn is_direct(body: &naga::Block) -> bool {
    fn returns(block: &naga::Block) -> usize {
        let inside = |statement: &Statement| match statement {
            Statement::Return { .. } => 1,
            Statement::Block(block) => returns(block),
            Statement::If { accept, reject, .. } => returns(accept) + returns(reject),
            Statement::Switch { cases, .. } => cases.iter().map(|case| returns(&case.body)).sum(),
            Statement::Loop { body, continuing, .. } => returns(body) + returns(continuing),
            _ => 0,
        };
        block.iter().map(inside).sum()
    }
    match returns(body) {
        0 => true,
        1 => matches!(body.last(), Some(Statement::Return { .. })),
        _ => false,
    }
}
