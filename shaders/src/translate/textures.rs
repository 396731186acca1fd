//! Textures: a (texture, sampler) pair is a stage of the sampler hardware, and the prelude does the rest.
//!
//! Stages are numbered as `front_end::Module::texture_stages` lists them. `tex` names one of four within the warp's bank, a lookup word
//! one of the next 63 banks as well: 256, which is what WebGPU's core lets a shader pair.

use naga::{Expression, GlobalVariable, Handle, Span};

use super::places::{Memory, Place};
use super::{Frame, Result, SAMPLING_STATES, Slot, Translator};
use crate::ir::{Binary, Binding, Kind, Operation, Space, Value};
use crate::texture_calls::{self, StageOf, StorageCall, TextureArgument, TextureCall};

/// Kinds of the members of the prelude's `SamplingState`.
const SAMPLING_STATE: [Kind; 15] = {
    let mut kinds = [Kind::Int; 15];
    let mut member = 8;
    while member < 12 {
        kinds[member] = Kind::Float;
        member += 1;
    }
    kinds
};

impl<'a> Translator<'a> {
    pub fn texture_expression(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Vec<Value>> {
        let span = frame.span(expression);
        let module = self.modules[frame.module].module;
        let called = &frame.function.expressions[expression];
        let image = texture_calls::image_of(called).expect("a texture expression has a texture");
        let kind = |value| frame.inner(module, value).scalar().map_or(naga::ScalarKind::Uint, |scalar| scalar.kind);
        let image_type = frame.inner(module, image);
        if let Some(load) = texture_calls::storage_load(called, image_type, kind) {
            let offset = self.texture_call(frame, load.offset)?[0];
            let texels = self.texels(frame, image)?;
            let address = self.build.binary(Binary::Add, texels.address, offset);
            let words = 0..load.words as i32;
            let words = words.map(|word| vec![self.build.load(texels.space, address, 4 * word, Kind::Int)]).collect();
            return self.call_prelude(&load.convert, words);
        }
        match texture_calls::texture_call(called, image_type, kind) {
            Some(call) => self.texture_call(frame, call),
            None => self.refuse(frame.module, span, "this texture expression is not supported"),
        }
    }

    /// `textureStore`.
    pub fn texture_store(&mut self, frame: &mut Frame<'a>, statement: &naga::Statement, span: Span) -> Result<()> {
        let naga::Statement::ImageStore { image, value, .. } = *statement else {
            unreachable!("the caller sends stores only")
        };
        let module = self.modules[frame.module].module;
        let kind = |value| frame.inner(module, value).scalar().map_or(naga::ScalarKind::Uint, |scalar| scalar.kind);
        let Some(store) = texture_calls::storage_store(statement, frame.inner(module, image), kind) else {
            return self.refuse(frame.module, span, "this store is not supported");
        };
        let offset = self.texture_call(frame, store.offset)?[0];
        let value = self.values(frame, value)?.to_vec();
        let words = self.call_prelude(&store.convert, vec![value])?;
        let texels = self.texels(frame, image)?;
        self.go_to(frame.module, span);
        let at = self.build.at;
        self.store_of_fragment(&Place::Memory(texels.clone()), |this| {
            let outside = this.build.int(StorageCall::OUTSIDE);
            let condition = this.build.binary(Binary::NotEqual, offset, outside);
            let begun = this.build.begin();
            let address = this.build.binary(Binary::Add, texels.address, offset);
            for (word, value) in (0..).zip(&words) {
                this.build.store(texels.space, address, 4 * word, *value);
            }
            let accept = this.build.end(begun);
            this.build.push(crate::ir::Statement::If { condition, accept, reject: Vec::new(), at });
            Ok(())
        })
    }

    /// Where the texels of a storage texture lie.
    fn texels(&mut self, frame: &mut Frame<'a>, image: Handle<Expression>) -> Result<Memory> {
        let texture = self.handle(frame, image)?;
        let texels = self.modules[frame.module].texels.get(&texture);
        Ok(texels.expect("every storage texture was given a place").clone())
    }

    fn texture_call(&mut self, frame: &mut Frame<'a>, call: TextureCall) -> Result<Vec<Value>> {
        let stage = match call.stage {
            StageOf::Sampler(sampler) => self.stage(frame, call.image, Some(sampler))?,
            StageOf::Load => self.stage(frame, call.image, None)?,
            StageOf::Any => self.queried_stage(frame, call.image)?,
        };
        let mut arguments = vec![vec![stage]];
        for argument in call.arguments {
            arguments.push(match argument {
                TextureArgument::Value(value) => self.values(frame, value)?.to_vec(),
                TextureArgument::Through(value, function) => {
                    let value = self.value(frame, value)?;
                    self.call_prelude(function, vec![vec![value]])?
                }
                TextureArgument::Integers(integers) => integers.iter().map(|bits| self.build.int(*bits)).collect(),
                TextureArgument::LevelZero => vec![self.build.constant(0, Kind::Float)],
            });
        }
        let mut values = self.call_prelude(&call.function, arguments)?;
        if call.takes_first {
            values.truncate(1);
        }
        Ok(values)
    }

    fn handle(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Handle<GlobalVariable>> {
        match self.slot(frame, expression)? {
            Slot::Handle(handle) => Ok(handle),
            Slot::Values(_) | Slot::Large(_) | Slot::Place(_) => unreachable!("the validator keeps textures apart"),
        }
    }

    fn stage(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        sampler: Option<Handle<Expression>>,
    ) -> Result<Value> {
        let texture = self.handle(frame, image)?;
        let sampler = match sampler {
            Some(sampler) => Some(self.handle(frame, sampler)?),
            None => None,
        };
        self.numbered(frame, |stage| stage.texture == texture && stage.sampler == sampler)
    }

    /// Any stage of a texture: all know its size.
    fn queried_stage(&mut self, frame: &mut Frame<'a>, image: Handle<Expression>) -> Result<Value> {
        let texture = self.handle(frame, image)?;
        self.numbered(frame, |stage| stage.texture == texture)
    }

    fn numbered(
        &mut self,
        frame: &Frame<'a>,
        is_it: impl Fn(&crate::front_end::TextureStage) -> bool,
    ) -> Result<Value> {
        let stages = self.modules[frame.module].module.texture_stages();
        let stage = stages.iter().position(is_it).expect("the front end lists every use of a texture");
        Ok(self.build.int(stage as u32))
    }

    /// The scalars of a stage's `SamplingState`: from the kernel's `sampling_state` while a fragment shader is inlined,
    /// else from a buffer of their own.
    pub fn sampling_state(&mut self, stage: Value, span: Span) -> Result<Vec<Value>> {
        if let (Some(shading), Some(_)) = (&self.shading, &self.fragment) {
            let fragment = shading.fragment.to_vec();
            return self.call_hook("sampling_state", vec![vec![stage], fragment], span);
        }
        let index = match self.bindings.iter().position(|binding| binding.name == SAMPLING_STATES) {
            Some(index) => index,
            None => {
                self.bindings.push(Binding {
                    module: 0,
                    group: u32::MAX,
                    binding: 0,
                    name: SAMPLING_STATES.into(),
                    is_written: false,
                });
                self.bindings.len() - 1
            }
        };
        let base = self.build.pure(Operation::BindingAddress(index as u32), Kind::Int);
        let bytes = self.build.int(4 * SAMPLING_STATE.len() as u32);
        let offset = self.build.binary(Binary::Multiply, stage, bytes);
        let address = self.build.binary(Binary::Add, base, offset);
        let states = SAMPLING_STATE.iter().zip(0..);
        Ok(states.map(|(kind, n)| self.build.load(Space::GlobalReadOnly, address, 4 * n, *kind)).collect())
    }
}
