//! From naga's functions to a [`Program`].
//!
//! Before: a selected module. After: `run`. Slots are handed out here, every type is looked at for the last time here.
//! Expressions are in `expressions`, those of textures in `textures`, statements in `statements`.

mod expressions;
mod statements;
mod textures;

use naga::{AddressSpace, Arena, Binding, BuiltIn, Expression, Function, Handle, Literal, TypeInner};

use super::program::{BufferPlace, Code, Input, Intrinsic, Program, Slot, Stage};
use super::shape;
use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::{FragmentInterface, VertexInterface};
use crate::prelude;
use crate::texture_calls::texture_kind;
use gpu_core::isa::ExtensionSet;
use texture::Form;

/// Words of values that all functions together may need, for each lane; and words of their variables.
const MOST_WORDS: u32 = 1 << 18;

/// Prepares the entry point of a selected module.
pub(super) fn prepare(module: &Module, extensions: ExtensionSet) -> Result<Program, CompileError> {
    let point = module.entry_point();
    let mut preparer = Preparer {
        program: Program {
            entry: point.name.clone(),
            stage: match point.stage {
                naga::ShaderStage::Vertex => Stage::Vertex,
                naga::ShaderStage::Fragment => Stage::Fragment,
                _ => Stage::Compute,
            },
            workgroup_size: point.workgroup_size,
            stages: module
                .texture_stages()
                .iter()
                .map(|stage| (stage.texture.index() as u32, stage.sampler.map(|sampler| sampler.index() as u32)))
                .collect(),
            ..Program::default()
        },
        module,
        extensions,
        prepared: Vec::new(),
        globals: Vec::new(),
    };
    preparer.place_globals()?;
    let entry = preparer.prepare_function(module, &point.function, module.entry_info())?;
    preparer.program.functions.push(entry);
    preparer.bind_inputs()?;
    let Program { value_words, private_words, .. } = preparer.program;
    if value_words.max(private_words) > MOST_WORDS {
        let message = format!(
            "`{}` is too large for the evaluator: {value_words} words of values and {private_words} of variables, the limit is {MOST_WORDS}",
            point.name
        );
        return Err(CompileError::at(module, module.entry_span(), message));
    }
    Ok(preparer.program)
}

/// Builds a program.
struct Preparer<'m> {
    program: Program,
    /// The selected module.
    module: &'m Module,
    /// What the machine has whose results are to be had.
    extensions: ExtensionSet,
    /// Functions done so far: whether of the prelude, which, and their number in the program.
    prepared: Vec<(bool, Handle<Function>, usize)>,
    /// The value of each global variable of the selected module: a pointer, or the number of a texture or sampler.
    globals: Vec<Option<Slot>>,
}

impl<'m> Preparer<'m> {
    fn new_slot(&mut self, words: u32) -> Slot {
        let slot = Slot(self.program.value_words);
        self.program.value_words = self.program.value_words.saturating_add(words);
        slot
    }

    /// A slot that holds these words for ever.
    fn constant(&mut self, bits: &[u32]) -> Slot {
        let slot = self.new_slot(bits.len() as u32);
        self.program.constants.extend(bits.iter().zip(0..).map(|(&bits, word)| (slot.plus(word), bits)));
        slot
    }

    fn place_globals(&mut self) -> Result<(), CompileError> {
        let module = self.module;
        for (handle, variable) in module.naga.global_variables.iter() {
            let value = if module.entry_info()[handle].is_empty() {
                None
            } else {
                let words = shape::words_of(module, variable.ty);
                Some(match variable.space {
                    AddressSpace::Private => {
                        let address = self.program.private_words;
                        self.program.private_words = address.saturating_add(words);
                        if let Some(init) = variable.init {
                            let bits = constant_bits(module, &module.naga.global_expressions, init)?;
                            self.program.private_start.extend((address..).zip(bits));
                        }
                        self.constant(&[address])
                    }
                    AddressSpace::WorkGroup => {
                        let address = self.program.workgroup_words;
                        self.program.workgroup_words += words;
                        self.constant(&[address])
                    }
                    AddressSpace::Handle => {
                        let kind = texture_kind(&module.naga.types[variable.ty].inner);
                        if kind.is_some_and(|kind| kind.is_storage()) {
                            let buffer = self.add_buffer(variable);
                            self.program.texels.push((handle.index() as u32, buffer));
                        }
                        self.constant(&[handle.index() as u32])
                    }
                    _ => {
                        let index = self.add_buffer(variable);
                        self.constant(&[index, 0])
                    }
                })
            };
            self.globals.push(value);
        }
        if self.program.stage != Stage::Compute {
            self.order_buffers();
        }
        Ok(())
    }

    fn add_buffer(&mut self, variable: &naga::GlobalVariable) -> u32 {
        let place = variable.binding.expect("the validator wants a binding on every resource");
        self.program.buffers.push(BufferPlace { group: place.group, binding: place.binding });
        self.program.buffers.len() as u32 - 1
    }

    /// Buffers of vertex and fragment shaders come by position in the interface, which is the order by (group, binding).
    fn order_buffers(&mut self) {
        let old = self.program.buffers.clone();
        self.program.buffers.sort_by_key(|place| (place.group, place.binding));
        let buffers = &self.program.buffers;
        let moved = |index: u32| {
            let place = old[index as usize];
            buffers.iter().position(|other| *other == place).expect("sorting loses nothing") as u32
        };
        self.program.texels.iter_mut().for_each(|(_, buffer)| *buffer = moved(*buffer));
        for (value, (_, variable)) in self.globals.iter().zip(self.module.naga.global_variables.iter()) {
            let (Some(slot), true) = (value, shape::is_buffer(variable.space)) else { continue };
            for (constant_slot, bits) in &mut self.program.constants {
                if constant_slot == slot {
                    *bits = moved(*bits);
                }
            }
        }
    }

    /// The number of a function of the selected module or of the prelude, preparing it at its first use.
    fn function(&mut self, module: &'m Module, handle: Handle<Function>) -> Result<usize, CompileError> {
        let is_prelude = std::ptr::eq(module, prelude::module());
        if let Some(done) = self.prepared.iter().find(|done| done.0 == is_prelude && done.1 == handle) {
            return Ok(done.2);
        }
        let code = self.prepare_function(module, &module.naga.functions[handle], &module.info[handle])?;
        let number = self.program.functions.len();
        self.program.functions.push(code);
        self.prepared.push((is_prelude, handle, number));
        Ok(number)
    }

    /// The number of a prelude function.
    fn prelude_function(&mut self, name: &str) -> Result<usize, CompileError> {
        self.function(prelude::module(), prelude::function(name).0)
    }

    fn prepare_function(
        &mut self,
        module: &'m Module,
        function: &'m Function,
        info: &'m naga::valid::FunctionInfo,
    ) -> Result<Code, CompileError> {
        let arguments: Vec<_> = function
            .arguments
            .iter()
            .map(|argument| {
                let words = shape::words_of(module, argument.ty);
                (self.new_slot(words), words)
            })
            .collect();
        let result_words = function.result.as_ref().map_or(0, |result| shape::words_of(module, result.ty));
        let result = self.new_slot(result_words);
        let is_prelude = std::ptr::eq(module, prelude::module());
        let intrinsic = function.name.as_deref().and_then(|name| match prelude::instruction(name, self.extensions) {
            Some(op) if is_prelude => Some(Intrinsic::Transcendental(op)),
            _ => intrinsic(name),
        });
        let mut code = Code { arguments, result, result_words, locals: vec![], body: vec![], intrinsic };
        if intrinsic.is_some() {
            return Ok(code);
        }
        let mut locals = Vec::new();
        for (_, local) in function.local_variables.iter() {
            let words = shape::words_of(module, local.ty);
            let address = self.program.private_words;
            self.program.private_words = address.saturating_add(words);
            let bits = match local.init {
                Some(init) => constant_bits(module, &function.expressions, init)?,
                None => vec![0; words as usize],
            };
            code.locals.extend((address..).zip(bits));
            locals.push(self.constant(&[address]));
        }
        let mut context = FunctionContext {
            preparer: self,
            module,
            function,
            info,
            slots: vec![None; function.expressions.len()],
            arguments: code.arguments.iter().map(|argument| argument.0).collect(),
            locals,
        };
        code.body = context.block(&function.body)?;
        Ok(code)
    }

    /// Says where the words of the entry point's arguments come from.
    fn bind_inputs(&mut self) -> Result<(), CompileError> {
        let module = self.module;
        let point = module.entry_point();
        let refused =
            |error: crate::interface::InterfaceError| CompileError::at(module, module.entry_span(), error.to_string());
        let mut interface = Interface { fragment: FragmentInterface::default(), vertex: VertexInterface::default() };
        match self.program.stage {
            Stage::Compute => {}
            Stage::Vertex => {
                interface.vertex = VertexInterface::of(&module.naga, &module.info, &point.name).map_err(refused)?;
            }
            Stage::Fragment => {
                interface.fragment = FragmentInterface::of(&module.naga, &module.info, &point.name).map_err(refused)?;
            }
        }
        self.program.outputs.clone_from(&interface.fragment.outputs);
        self.program.missing_colors = std::array::from_fn(|target| {
            let missing = |component| interface.fragment.missing_component(target as u32, component);
            [0, 1, 2, 3].map(|component| f32::from_bits(missing(component)))
        });
        let slots = self.program.functions.last().expect("the entry point has been pushed").arguments.clone();
        for (argument, (slot, _)) in point.function.arguments.iter().zip(slots) {
            match (&argument.binding, &module.naga.types[argument.ty].inner) {
                (Some(binding), inner) => self.bind_input(&interface, binding, shape::words(module, inner), slot),
                (None, TypeInner::Struct { members, .. }) => {
                    let mut slot = slot;
                    for member in members {
                        let words = shape::words_of(module, member.ty);
                        if let Some(binding) = &member.binding {
                            self.bind_input(&interface, binding, words, slot);
                        }
                        slot = slot.plus(words);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn bind_input(&mut self, interface: &Interface, binding: &Binding, words: u32, slot: Slot) {
        for word in 0..words {
            let axis = word as u8;
            let input = match *binding {
                Binding::Location { location, .. } => {
                    const LISTED: &str = "the interface lists every location";
                    match self.program.stage {
                        Stage::Vertex => {
                            Input::Attribute(interface.vertex.attribute(location).expect(LISTED) as u8, axis)
                        }
                        _ => Input::Varying(interface.fragment.slot(location, word).expect(LISTED)),
                    }
                }
                Binding::BuiltIn(builtin) => match builtin {
                    BuiltIn::Position { .. } => Input::Position(axis),
                    BuiltIn::VertexIndex => Input::VertexIndex,
                    BuiltIn::InstanceIndex => Input::InstanceIndex,
                    BuiltIn::FrontFacing => Input::FrontFacing,
                    BuiltIn::SampleIndex => Input::SampleIndex,
                    BuiltIn::SampleMask => Input::SampleMask,
                    BuiltIn::LocalInvocationId => Input::LocalInvocationId(axis),
                    BuiltIn::LocalInvocationIndex => Input::LocalInvocationIndex,
                    BuiltIn::WorkGroupId => Input::WorkgroupId(axis),
                    BuiltIn::GlobalInvocationId => Input::GlobalInvocationId(axis),
                    BuiltIn::NumWorkGroups => Input::NumWorkgroups(axis),
                    BuiltIn::SubgroupInvocationId => Input::SubgroupInvocationId,
                    BuiltIn::SubgroupSize => Input::SubgroupSize,
                    BuiltIn::SubgroupId => Input::SubgroupId,
                    BuiltIn::NumSubgroups => Input::NumSubgroups,
                    other => unreachable!("`accepted` has refused {other:?}"),
                },
            };
            self.program.inputs.push((slot.plus(word), input));
        }
    }
}

/// What the entry point takes; empty but for its stage.
struct Interface {
    fragment: FragmentInterface,
    vertex: VertexInterface,
}

/// One function on its way to [`Code`].
struct FunctionContext<'p, 'm> {
    preparer: &'p mut Preparer<'m>,
    module: &'m Module,
    function: &'m Function,
    info: &'m naga::valid::FunctionInfo,
    /// Where each expression's value is, once it is known.
    slots: Vec<Option<Slot>>,
    arguments: Vec<Slot>,
    /// Pointers to the local variables.
    locals: Vec<Slot>,
}

/// Functions whose body is not WGSL's to give.
fn intrinsic(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "intrinsic_tex" => Intrinsic::Tex(Form::Level),
        "intrinsic_texl" => Intrinsic::Tex(Form::Lookup),
        "intrinsic_texf" => Intrinsic::Tex(Form::Channel),
        "intrinsic_sampling_state" => Intrinsic::SamplingState,
        "intrinsic_multiply_high_unsigned" => Intrinsic::MultiplyHighUnsigned,
        "intrinsic_multiply_high_signed" => Intrinsic::MultiplyHighSigned,
        "intrinsic_copysign" => Intrinsic::CopySign,
        "intrinsic_imadd" => Intrinsic::MultiplyShiftAdd,
        "intrinsic_texture_bank" | "intrinsic_region" => Intrinsic::Nothing,
        _ => return None,
    })
}

/// The words of a constant expression; naga has evaluated them as far as literals, zeros and compositions.
fn constant_bits(
    module: &Module,
    arena: &Arena<Expression>,
    handle: Handle<Expression>,
) -> Result<Vec<u32>, CompileError> {
    Ok(match arena[handle] {
        Expression::Literal(literal) => vec![literal_bits(literal)],
        Expression::ZeroValue(ty) => vec![0; shape::words_of(module, ty) as usize],
        Expression::Constant(constant) => {
            constant_bits(module, &module.naga.global_expressions, module.naga.constants[constant].init)?
        }
        Expression::Splat { size, value } => constant_bits(module, arena, value)?.repeat(size as usize),
        Expression::Compose { ref components, .. } => {
            let mut bits = Vec::new();
            for &component in components {
                bits.extend(constant_bits(module, arena, component)?);
            }
            bits
        }
        ref other => {
            let message = format!("this constant is not evaluated: {other:?}");
            return Err(CompileError::at(module, arena.get_span(handle), message));
        }
    })
}

/// The bits of a 32-bit literal.
fn literal_bits(literal: Literal) -> u32 {
    match literal {
        Literal::F32(value) => value.to_bits(),
        Literal::U32(value) => value,
        Literal::I32(value) => value as u32,
        Literal::Bool(value) => u32::from(value),
        other => unreachable!("the validator has refused {other:?}"),
    }
}
