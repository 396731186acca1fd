//! Textures: a (texture, sampler) pair is a stage of the sampler hardware, and the prelude does the rest.
//!
//! Stages are numbered as `front_end::Module::texture_stages` lists them. `accepted` lets a draw (or compute kernel) have
//! four, because `tex` names one of four within the warp's bank.

use naga::{Expression, GlobalVariable, Handle, ImageQuery, Span};

use super::{Frame, Result, SAMPLING_STATES, Slot, Translator};
use crate::ir::{Binary, Binding, Kind, Operation, Space, Value};
use crate::prelude;

/// Kinds of the members of the prelude's `SamplingState`.
const SAMPLING_STATE: [Kind; 7] = [Kind::Int, Kind::Int, Kind::Int, Kind::Int, Kind::Float, Kind::Float, Kind::Float];

impl<'a> Translator<'a> {
    pub fn texture_expression(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Vec<Value>> {
        let span = frame.span(expression);
        let function = frame.function;
        match &function.expressions[expression] {
            Expression::ImageSample {
                image,
                sampler,
                coordinate,
                level,
                clamp_to_edge,
                gather: None,
                array_index: None,
                offset: None,
                depth_ref: None,
            } => {
                let stage = self.stage(frame, *image, Some(*sampler))?;
                let (name, operands) = prelude::texture_sample(*level, *clamp_to_edge);
                let mut arguments = vec![vec![stage], self.values(frame, *coordinate)?.to_vec()];
                for operand in operands {
                    arguments.push(self.values(frame, operand)?.to_vec());
                }
                self.call_prelude(name, arguments)
            }
            Expression::ImageLoad { image, coordinate, array_index: None, sample: None, level: Some(level) } => {
                let stage = self.stage(frame, *image, None)?;
                let coordinate = self.values(frame, *coordinate)?;
                let level = self.value(frame, *level)?;
                let &[x, y] = &coordinate[..] else {
                    return self.refuse(frame.module, span, "only two-dimensional textures are supported");
                };
                self.call_prelude("texture_load", vec![vec![stage], vec![x], vec![y], vec![level]])
            }
            Expression::ImageQuery { image, query } => {
                let stage = self.queried_stage(frame, *image)?;
                match query {
                    ImageQuery::Size { level } => {
                        let level = match level {
                            Some(level) => self.value(frame, *level)?,
                            None => self.build.int(0),
                        };
                        self.call_prelude("texture_dimensions", vec![vec![stage], vec![level]])
                    }
                    ImageQuery::NumLevels => self.call_prelude("texture_levels", vec![vec![stage]]),
                    ImageQuery::NumLayers | ImageQuery::NumSamples => {
                        self.refuse(frame.module, span, "array and multisampled textures are not supported")
                    }
                }
            }
            _ => self.refuse(
                frame.module,
                span,
                "only plain two-dimensional textures are supported (no gather, array, offset, depth comparison)",
            ),
        }
    }

    fn handle(&mut self, frame: &mut Frame<'a>, expression: Handle<Expression>) -> Result<Handle<GlobalVariable>> {
        match self.slot(frame, expression)? {
            Slot::Handle(handle) => Ok(handle),
            Slot::Values(_) | Slot::Place(_) => unreachable!("the validator keeps textures apart"),
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
        if let Some(shading) = &self.shading {
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
