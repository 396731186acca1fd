//! Textures: calls of the prelude, and texels of storage textures as words of a buffer.

use naga::{Expression, Handle};

use super::FunctionContext;
use super::expressions::Steps;
use crate::diagnostic::CompileError;
use crate::evaluate::program::{Memory, Slot, Step};
use crate::texture_calls::{self, StageOf, TextureArgument, TextureCall};

impl FunctionContext<'_, '_> {
    pub(super) fn texture(&mut self, handle: Handle<Expression>, steps: &mut Steps) -> Result<Slot, CompileError> {
        let expression = &self.function.expressions[handle];
        let image = texture_calls::image_of(expression).expect("a texture expression has a texture");
        let kind = |expression| self.scalar_kind(expression);
        let image_type = self.type_of(image);
        if let Some(load) = texture_calls::storage_load(expression, image_type, kind) {
            let pointer = self.texel_pointer(image, load.offset, steps)?;
            let texel = self.new_slot(load.words);
            steps.push(Step::Load { pointer, memory: texel_memory(load.words), to: texel, words: load.words });
            let words: Vec<_> = (0..load.words).map(|word| (texel.plus(word), 1)).collect();
            return self.call_prelude(&load.convert, &words, steps);
        }
        match texture_calls::texture_call(expression, image_type, kind) {
            Some(call) => self.texture_call(call, steps),
            None => self.not_supported(handle),
        }
    }

    /// `textureStore`.
    pub(super) fn texture_store(
        &mut self,
        statement: &naga::Statement,
        span: naga::Span,
        steps: &mut Steps,
    ) -> Result<(), CompileError> {
        let naga::Statement::ImageStore { image, value, .. } = *statement else {
            unreachable!("the caller sends stores only")
        };
        let kind = |expression| self.scalar_kind(expression);
        let Some(store) = texture_calls::storage_store(statement, self.type_of(image), kind) else {
            return Err(CompileError::at(self.module, span, "the evaluator cannot run this store"));
        };
        let pointer = self.texel_pointer(image, store.offset, steps)?;
        let value = (self.slot(value)?, self.words(value));
        let value = self.call_prelude(&store.convert, &[value], steps)?;
        // Where there is no texel the pointer leads into no buffer, and the words are dropped.
        steps.push(Step::Store { pointer, memory: texel_memory(store.words), value, words: store.words });
        Ok(())
    }

    fn texel_pointer(
        &mut self,
        image: Handle<Expression>,
        offset: TextureCall,
        steps: &mut Steps,
    ) -> Result<Slot, CompileError> {
        let offset = self.texture_call(offset, steps)?;
        let (texture, to) = (self.slot(image)?, self.new_slot(2));
        steps.push(Step::TexelPointer { texture, offset, to });
        Ok(to)
    }

    fn texture_call(&mut self, call: TextureCall, steps: &mut Steps) -> Result<Slot, CompileError> {
        let stage = self.new_slot(1);
        let (sampler, is_query) = match call.stage {
            StageOf::Sampler(sampler) => (Some(self.slot(sampler)?), false),
            StageOf::Load => (None, false),
            StageOf::Any => (None, true),
        };
        let texture = self.slot(call.image)?;
        steps.push(Step::Stage { texture, sampler, is_query, to: stage });
        let mut arguments = vec![(stage, 1)];
        for argument in call.arguments {
            arguments.push(match argument {
                TextureArgument::Value(value) => (self.slot(value)?, self.words(value)),
                TextureArgument::Through(value, function) => {
                    let value = self.slot(value)?;
                    (self.call_prelude(function, &[(value, 1)], steps)?, 1)
                }
                TextureArgument::Integers(integers) => (self.preparer.constant(&integers), integers.len() as u32),
                TextureArgument::LevelZero => (self.preparer.constant(&[0]), 1),
            });
        }
        self.call_prelude(&call.function, &arguments, steps)
    }
}

/// The words of a texel, one after the other.
fn texel_memory(words: u32) -> Memory {
    Memory::Buffer((0..words).map(|word| 4 * word).collect())
}
