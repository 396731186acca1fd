//! The linked vertex shader in place of `shade_vertex`: inputs from the kernel's hooks, results to one.

use std::rc::Rc;

use naga::{BuiltIn, Span, TypeInner};

use super::calls::Shading;
use super::{ModuleIndex, Result, Slot, Translator};
use crate::front_end::Module;
use crate::interface::VertexInterface;
use crate::ir::{Kind, Unary, Value};

/// A vertex shader and where the kernel's `Vertex` keeps what it may ask for.
pub(crate) struct Vertex<'a> {
    pub module: &'a Module,
    pub interface: VertexInterface,
    /// Scalar `index` of `Vertex`.
    pub index: usize,
    /// Scalar `instance` of `Vertex`.
    pub instance: usize,
}

/// Where the words of the shader's arguments come from.
struct Inputs {
    index: Value,
    instance: Value,
    /// Bits of each attribute's components.
    attributes: Vec<Vec<Value>>,
}

impl Translator<'_> {
    /// Inlines the vertex shader for the kernel's `Vertex`, given by its scalars.
    pub fn shade_vertex(&mut self, vertex: Rc<[Value]>, span: Span) -> Result<()> {
        const MODULE: ModuleIndex = 1;
        if self.shading.is_some() {
            return self.refuse(0, span, "`shade_vertex` is called inside `shade_vertex`");
        }
        let at = self.build.at;
        let killed = self.build.variable(Kind::Int, "killed".into());
        self.shading = Some(Shading { killed, fragment: vertex.clone(), peeled: None });
        // Private variables start afresh at every call.
        let private_start = self.private_end;
        self.module_variables(MODULE)?;

        let shader = self.vertex.as_ref().expect("a shader is linked");
        let (index, instance) = (vertex[shader.index], vertex[shader.instance]);
        let mut inputs = Inputs { index, instance, attributes: Vec::new() };
        for number in 0..shader.interface.attributes.len() {
            let number = self.build.int(number as u32);
            inputs.attributes.push(self.call_hook("fetch_attribute", vec![vec![number], vertex.to_vec()], span)?);
        }
        let callee = self.entry_callee(MODULE);
        let mut arguments = Vec::new();
        for argument in &callee.function.arguments {
            let mut values = Vec::new();
            self.vertex_argument(argument.ty, argument.binding.as_ref(), &inputs, &mut values);
            arguments.push(Slot::Values(values.into()));
        }
        let results = self.inline(callee, arguments)?.unwrap_or_default();
        self.private_end = private_start;
        self.shading = None;
        self.build.at = at;
        for (word, &value) in (0..).zip(results.iter()) {
            let bits = match self.build.kind(value) {
                Kind::Float => self.build.unary(Unary::FloatToBits, value),
                Kind::Int => value,
            };
            let word = self.build.int(word);
            self.call_effect("vertex_output", vec![vec![word], vec![bits], vertex.to_vec()], span)?;
        }
        Ok(())
    }

    /// Appends the scalars of an argument, member by member.
    fn vertex_argument(
        &mut self,
        ty: naga::Handle<naga::Type>,
        binding: Option<&naga::Binding>,
        inputs: &Inputs,
        values: &mut Vec<Value>,
    ) {
        let types = self.types(1);
        match binding {
            Some(naga::Binding::BuiltIn(BuiltIn::VertexIndex)) => values.push(inputs.index),
            Some(naga::Binding::BuiltIn(BuiltIn::InstanceIndex)) => values.push(inputs.instance),
            Some(naga::Binding::BuiltIn(_)) => unreachable!("the interface was checked"),
            Some(naga::Binding::Location { location, .. }) => {
                let shader = self.vertex.as_ref().expect("a shader is linked");
                let number = shader.interface.attribute(*location).expect("the interface lists every input");
                for (leaf, &bits) in types.leaves(types.inner(ty)).iter().zip(&inputs.attributes[number]) {
                    values.push(match leaf.kind {
                        Kind::Float => self.build.unary(Unary::BitsToFloat, bits),
                        Kind::Int => bits,
                    });
                }
            }
            None => {
                if let TypeInner::Struct { members, .. } = types.inner(ty) {
                    for member in members {
                        self.vertex_argument(member.ty, member.binding.as_ref(), inputs, values);
                    }
                }
            }
        }
    }
}
