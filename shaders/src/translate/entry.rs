//! What comes from outside: the entry point's arguments, and a place for every module-scope variable.

use std::rc::Rc;

use naga::{AddressSpace, BuiltIn, GlobalVariable, Handle, Span, StorageAccess, TypeInner};

use super::calls::{Callee, Shading};
use super::layout::round_up;
use super::places::{Length, Memory, Place};
use super::{ModuleIndex, Result, Shaded, Slot, Translator};
use crate::interface::{Interpolation, Output, Point};
use crate::ir::{self, Binding, Input, Kind, Operation, Space, Unary, Value};
use crate::texture_calls::{TextureKind, TextureUse, texture_kind};

impl<'a> Translator<'a> {
    /// Translates the compute entry point.
    pub fn entry(&mut self) -> Result<()> {
        let module = self.modules[0].module;
        let callee = self.entry_callee(0);
        self.module_variables(0)?;
        let mut arguments = Vec::new();
        for argument in &callee.function.arguments {
            let values = match &argument.binding {
                Some(naga::Binding::BuiltIn(builtin)) => self.compute_builtin(*builtin, argument.name.as_deref())?,
                _ => {
                    let TypeInner::Struct { members, .. } = &module.naga.types[argument.ty].inner else {
                        unreachable!("the validator asks for a binding")
                    };
                    let mut all = Vec::new();
                    for member in members {
                        let Some(naga::Binding::BuiltIn(builtin)) = member.binding else {
                            unreachable!("the validator lets a compute entry point take builtins only")
                        };
                        all.extend(self.compute_builtin(builtin, member.name.as_deref())?);
                    }
                    all
                }
            };
            arguments.push(Slot::Values(values.into()));
        }
        self.inline(callee, arguments)?;
        Ok(())
    }

    pub(super) fn entry_callee(&self, index: ModuleIndex) -> Callee<'a> {
        let source = &self.modules[index];
        let module = source.module;
        Callee {
            module: index,
            function: &module.entry_point().function,
            info: module.entry_info(),
            indexed: source.indexing.entry_points[0].clone(),
        }
    }

    fn compute_builtin(&mut self, builtin: BuiltIn, name: Option<&str>) -> Result<Vec<Value>> {
        let size = self.modules[0].module.entry_point().workgroup_size;
        let axes: fn(u8) -> Input = match builtin {
            BuiltIn::GlobalInvocationId => Input::GlobalInvocationId,
            BuiltIn::LocalInvocationId => Input::LocalInvocationId,
            BuiltIn::WorkGroupId => Input::WorkgroupId,
            BuiltIn::NumWorkGroups => Input::NumWorkgroups,
            BuiltIn::WorkGroupSize => return Ok(size.map(|axis| self.build.int(axis)).to_vec()),
            _ => {
                let input = match builtin {
                    BuiltIn::LocalInvocationIndex => Input::LocalInvocationIndex,
                    BuiltIn::NumSubgroups => Input::NumSubgroups,
                    BuiltIn::SubgroupId => Input::SubgroupId,
                    BuiltIn::SubgroupSize => Input::SubgroupSize,
                    BuiltIn::SubgroupInvocationId => Input::SubgroupInvocationId,
                    _ => {
                        let message = format!("the builtin input `{}` is not supported", name.unwrap_or("?"));
                        return self.refuse(0, Span::UNDEFINED, message);
                    }
                };
                return Ok(vec![self.build.pure(Operation::Input(input), Kind::Int)]);
            }
        };
        let component = |axis: u8| match (builtin, size[axis as usize]) {
            (BuiltIn::LocalInvocationId, 1) => self.build.int(0),
            (BuiltIn::GlobalInvocationId, 1) => self.build.pure(Operation::Input(Input::WorkgroupId(axis)), Kind::Int),
            _ => self.build.pure(Operation::Input(axes(axis)), Kind::Int),
        };
        Ok((0..3).map(component).collect())
    }

    /// Gives every variable the entry point uses a place, private ones their initial value. Buffers of the kernel's own
    /// module become bindings; those of a linked shader come from the kernel's `resource_range`.
    pub(super) fn module_variables(&mut self, index: ModuleIndex) -> Result<()> {
        let module = self.modules[index].module;
        let types = self.types(index);
        let info = module.entry_info();
        let mut used: Vec<(Handle<GlobalVariable>, &'a GlobalVariable)> =
            module.naga.global_variables.iter().filter(|(handle, _)| !info[*handle].is_empty()).collect();
        used.sort_by_key(|(_, variable)| variable.binding.map(|b| (b.group, b.binding)));
        let mut buffer_count = 0;
        for (handle, variable) in used {
            let inner = types.inner(variable.ty);
            let name = variable.name.as_deref().unwrap_or("unnamed");
            let span = module.naga.global_variables.get_span(handle);
            let slot = match variable.space {
                AddressSpace::Private => {
                    let in_memory = self.modules[index].indexing.globals.contains(&handle);
                    let place = self.variable_place((index, span), inner, name, in_memory)?;
                    match variable.init {
                        Some(init) => {
                            let values = self.global_value(index, init)?;
                            self.store(types, &place, inner, &values);
                        }
                        None => self.fill_with_zero(types, &place, inner),
                    }
                    Slot::Place(place)
                }
                AddressSpace::WorkGroup => {
                    let (bytes, align) = types.size(inner);
                    let offset = round_up(self.workgroup_bytes, align);
                    self.workgroup_bytes = offset + round_up(bytes, 4);
                    let address = self.build.int(0);
                    Slot::Place(Place::Memory(Memory {
                        space: Space::Workgroup,
                        address,
                        offset: offset as i32,
                        length: None,
                    }))
                }
                AddressSpace::Uniform | AddressSpace::Storage { .. } => {
                    let is_written =
                        matches!(variable.space, AddressSpace::Storage { access } if access != StorageAccess::LOAD);
                    buffer_count += 1;
                    let memory = self.buffer_memory(index, handle, buffer_count - 1, is_written)?;
                    Slot::Place(Place::Memory(memory))
                }
                AddressSpace::Handle => {
                    if let Some(TextureKind { usage: TextureUse::Storage { is_written, .. }, .. }) = texture_kind(inner)
                    {
                        buffer_count += 1;
                        let memory = self.buffer_memory(index, handle, buffer_count - 1, is_written)?;
                        self.modules[index].texels.insert(handle, memory);
                    }
                    Slot::Handle(handle)
                }
                other => return self.refuse(index, span, format!("variables in {other:?} memory are not supported")),
            };
            self.modules[index].globals.insert(handle, slot);
        }
        Ok(())
    }

    /// Where a buffer, or the texels of a storage texture, lie: a binding of the kernel's own, or buffer `number` of a fragment shader.
    fn buffer_memory(
        &mut self,
        index: ModuleIndex,
        handle: Handle<GlobalVariable>,
        number: u32,
        is_written: bool,
    ) -> Result<Memory> {
        let module = self.modules[index].module;
        let variable = &module.naga.global_variables[handle];
        let space = if is_written { Space::Global } else { Space::GlobalReadOnly };
        if index == 0 {
            let place = variable.binding.expect("buffers have bindings");
            let name = variable.name.clone().unwrap_or_else(|| "unnamed".to_owned());
            let (group, binding) = (place.group, place.binding);
            self.bindings.push(Binding { module: 0, group, binding, name, is_written });
            let binding = self.bindings.len() as u32 - 1;
            let address = self.build.pure(Operation::BindingAddress(binding), Kind::Int);
            return Ok(Memory { space, address, offset: 0, length: Some(Length::Binding(binding)) });
        }
        let number = self.build.int(number);
        let fragment = self.shading.as_ref().expect("a fragment shader is inlined").fragment.to_vec();
        let span = module.naga.global_variables.get_span(handle);
        let range = self.call_hook("resource_range", vec![vec![number], fragment], span)?;
        let &[address, length] = &range[..] else {
            return self.refuse(0, span, "`resource_range` must return a vec2<u32>");
        };
        Ok(Memory { space, address, offset: 0, length: Some(Length::Value(length)) })
    }

    /// The linked fragment shader in place of `shade`: the scalars of the kernel's `Shaded`.
    pub fn shade(&mut self, fragment: Rc<[Value]>, span: Span) -> Result<Rc<[Value]>> {
        const MODULE: ModuleIndex = 1;
        if self.shading.is_some() {
            return self.refuse(0, span, "`shade` is called inside `shade`");
        }
        let at = self.build.at;
        let killed = self.build.variable(Kind::Int, "killed".into());
        let zero = self.build.int(0);
        self.build.set(killed, zero);
        let peels = self.fragment.as_ref().is_some_and(|shader| shader.discard_peels);
        let peeled = if peels { Some(self.build.label()) } else { None };
        self.shading = Some(Shading { killed, fragment: fragment.clone(), peeled });
        // Private variables start afresh at every call.
        let private_start = self.private_end;
        self.module_variables(MODULE)?;

        let inputs = self.fragment.as_ref().expect("a shader is linked").interface.inputs.clone();
        let mut slots = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let hook = match (input.interpolation, input.point) {
                (Interpolation::Perspective, Point::Center) => "smooth_input",
                (Interpolation::Perspective, _) => "smooth_input_at",
                (Interpolation::Linear, Point::Center) => "linear_input",
                (Interpolation::Linear, _) => "linear_input_at",
                (Interpolation::Flat, _) => "flat_input",
            };
            let number = self.build.int(number as u32);
            slots.push(self.call_hook(hook, vec![vec![number], fragment.to_vec()], span)?[0]);
        }
        let callee = self.entry_callee(MODULE);
        let mut arguments = Vec::new();
        for argument in &callee.function.arguments {
            let mut values = Vec::new();
            self.fragment_argument(argument.ty, argument.binding.as_ref(), &slots, &fragment, &mut values)?;
            arguments.push(Slot::Values(values.into()));
        }
        let outputs = self.fragment.as_ref().expect("a shader is linked").interface.outputs.clone();
        let results: Rc<[Value]> = match peeled {
            None => self.inline(callee, arguments)?.unwrap_or_default(),
            Some(label) => {
                let kind = |output: &Output| if *output == Output::Mask { Kind::Int } else { Kind::Float };
                let variables: Vec<_> =
                    outputs.iter().map(|output| self.build.variable(kind(output), "peeled".into())).collect();
                let begun = self.build.begin();
                let results = self.inline(callee, arguments)?.unwrap_or_default();
                for (variable, value) in variables.iter().zip(results.iter()) {
                    self.build.set(*variable, *value);
                }
                let body = self.build.end(begun);
                self.build.push(ir::Statement::Scope { label, body });
                variables.into_iter().map(|variable| self.build.get(variable)).collect()
            }
        };
        self.private_end = private_start;
        self.shading = None;
        self.build.at = at;

        let contract = self.fragment.as_ref().expect("a shader is linked");
        let (depth, may_discard) = (fragment[contract.position[2]], contract.interface.may_discard);
        let (shaded, interface) = (contract.shaded.clone(), contract.interface.clone());
        let scalars = shaded.into_iter().map(|scalar| match scalar {
            Shaded::Keep if may_discard => {
                let killed = self.build.get(killed);
                self.build.unary(Unary::LogicalNot, killed)
            }
            Shaded::Keep => self.build.int(1),
            Shaded::Output(output) => match (outputs.iter().position(|written| *written == output), output) {
                (Some(position), Output::Color { target, .. }) if interface.is_integer(target) => {
                    self.build.unary(Unary::BitsToFloat, results[position])
                }
                (Some(position), _) => results[position],
                // What the shader does not write.
                (None, Output::Color { target, component }) => {
                    self.build.constant(interface.missing_component(target, component), Kind::Float)
                }
                (None, Output::Depth) => depth,
                (None, Output::Mask) => self.build.int(u32::MAX),
            },
        });
        Ok(scalars.collect())
    }

    /// Whether a store there is a fragment shader's, and can be seen from outside.
    pub fn is_store_of_fragment(&self, place: &Place) -> bool {
        self.shading.is_some() && matches!(place, Place::Memory(Memory { space: Space::Global, .. }))
    }

    /// Whether the fragment being shaded still counts: it is no helper, and nothing was discarded.
    pub fn fragment_counts(&mut self) -> Value {
        let shading = self.shading.as_ref().expect("a fragment shader is inlined");
        let contract = self.fragment.as_ref().expect("a shader is linked");
        let live = shading.fragment[contract.live.expect("the linker asks for it")];
        let killed = self.build.get(shading.killed);
        let alive = self.build.unary(Unary::LogicalNot, killed);
        self.build.binary(ir::Binary::And, live, alive)
    }

    /// Writes what `write` does; of a fragment shader's stores into buffers only those of fragments that count.
    pub fn store_of_fragment(&mut self, place: &Place, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if !self.is_store_of_fragment(place) {
            return write(self);
        }
        let condition = self.fragment_counts();
        let at = self.build.at;
        let begun = self.build.begin();
        write(self)?;
        let accept = self.build.end(begun);
        self.build.push(ir::Statement::If { condition, accept, reject: Vec::new(), at });
        Ok(())
    }

    /// Appends the scalars of a fragment entry point's argument, member by member.
    fn fragment_argument(
        &mut self,
        ty: Handle<naga::Type>,
        binding: Option<&naga::Binding>,
        slots: &[Value],
        fragment: &[Value],
        values: &mut Vec<Value>,
    ) -> Result<()> {
        let types = self.types(1);
        let contract = self.fragment.as_ref().expect("a shader is linked");
        match binding {
            Some(naga::Binding::BuiltIn(BuiltIn::Position { .. })) => {
                values.extend(contract.position.map(|field| fragment[field]));
            }
            Some(naga::Binding::BuiltIn(BuiltIn::FrontFacing)) => values.push(fragment[contract.front]),
            Some(naga::Binding::BuiltIn(BuiltIn::SubgroupSize)) => values.push(self.build.int(4)),
            Some(naga::Binding::BuiltIn(BuiltIn::SubgroupInvocationId)) => {
                let lane = self.lane_in_quad();
                values.push(lane);
            }
            Some(naga::Binding::BuiltIn(BuiltIn::SampleIndex)) => {
                values.push(fragment[contract.sample_index.expect("the linker asks for it")]);
            }
            Some(naga::Binding::BuiltIn(BuiltIn::SampleMask)) => {
                values.push(fragment[contract.sample_mask.expect("the linker asks for it")]);
            }
            Some(naga::Binding::BuiltIn(_)) => unreachable!("the interface was checked"),
            Some(naga::Binding::Location { location, .. }) => {
                for (component, leaf) in types.leaves(types.inner(ty)).iter().enumerate() {
                    let slot = contract.interface.slot(*location, component as u32);
                    let value = slots[slot.expect("the interface lists every input") as usize];
                    // `flat_input` gives bits; what is interpolated is a float already.
                    let value = match (self.build.kind(value), leaf.kind) {
                        (ir::Kind::Int, ir::Kind::Float) => self.build.unary(Unary::BitsToFloat, value),
                        _ => value,
                    };
                    values.push(value);
                }
            }
            None => {
                if let TypeInner::Struct { members, .. } = types.inner(ty) {
                    for member in members {
                        self.fragment_argument(member.ty, member.binding.as_ref(), slots, fragment, values)?;
                    }
                }
            }
        }
        Ok(())
    }
}
