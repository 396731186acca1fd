//! Running vertex programs: a draw whose vertices a program makes becomes one whose closure looks them up.
//!
//! Before: a backend, which hands in how it runs a program. After: [`geometry`](crate::geometry), for which all draws are
//! alike. Each vertex that a primitive names is made once for each instance, like those of closures; which of them share a
//! warp is the machine's business, and there is no cache of vertices beside this list.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use shaders::evaluate::VertexInput;
use shaders::vertex_records::{Attribute, Call};

use crate::bound::Bound;
use crate::check::check_draw;
use crate::draw::{Draw, VertexShader, VertexStage};
use crate::frame::RenderError;
use crate::geometry::assemble;
use crate::geometry::vertex::Named;
use crate::geometry::viewport::Screen;
use crate::resources::Buffer;
use crate::vertex::Vertex;
use crate::vertex_program::{Fetch, StepMode, VertexCall};

/// What a backend is asked to run: a program for some vertices of some instances.
#[derive(Debug)]
pub struct VertexRun<'a> {
    /// The draw's place in its pass.
    pub draw: usize,
    /// Program and buffers.
    pub call: &'a VertexCall,
    /// The vertices: what `@builtin(vertex_index)` is.
    pub numbers: &'a [u32],
    /// What `@builtin(instance_index)` is.
    pub instances: Range<u32>,
    /// What the shader reads beside its inputs.
    pub bound: Bound<'a>,
}

impl VertexRun<'_> {
    /// How often the shader runs.
    pub fn invocations(&self) -> usize {
        self.numbers.len() * self.instances.len()
    }

    /// The vertex kernel's record of the run.
    pub fn call_record(&self) -> Call {
        Call {
            vertices: self.numbers.len() as u32,
            invocations: self.invocations() as u32,
            first_instance: self.instances.start,
        }
    }

    /// The vertex buffers, by the number of their layout.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        (0..self.call.program.layouts().len()).map(|slot| self.buffer(slot).0)
    }

    /// The vertex kernel's records of the shader's attributes; `starts` says where the buffers lie, by the number of their
    /// layout.
    pub fn attributes(&self, starts: &[u32]) -> Vec<Attribute> {
        let layouts = self.call.program.layouts();
        let attribute = |fetch: &Fetch| Attribute {
            first_byte: starts[fetch.buffer] + self.buffer(fetch.buffer).1 + fetch.attribute.offset,
            stride: layouts[fetch.buffer].stride,
            is_instance: u32::from(layouts[fetch.buffer].step == StepMode::Instance),
        };
        self.call.program.fetches().iter().map(attribute).collect()
    }

    /// What goes into the shader, fetched here: for the evaluator. In the order of the results.
    pub fn inputs(&self) -> Vec<VertexInput> {
        let program = &self.call.program;
        let input = |instance_index, vertex_index| {
            let mut input = VertexInput { vertex_index, instance_index, ..VertexInput::default() };
            for (attribute, fetch) in input.attributes.iter_mut().zip(program.fetches()) {
                let (buffer, offset) = self.buffer(fetch.buffer);
                let layout = &program.layouts()[fetch.buffer];
                let element = if layout.step == StepMode::Instance { instance_index } else { vertex_index };
                let start = offset as usize + element as usize * layout.stride as usize;
                *attribute = fetch.attribute.format.fetch(&buffer.bytes()[start + fetch.attribute.offset as usize..]);
            }
            input
        };
        let instances = self.instances.clone();
        instances.flat_map(|instance| self.numbers.iter().map(move |&number| input(instance, number))).collect()
    }

    /// A vertex buffer, and where its first element is.
    fn buffer(&self, slot: usize) -> (&Buffer, u32) {
        let (buffer, offset) = self.call.buffers[slot].as_ref().expect("the draw was checked to have every buffer");
        (buffer, *offset)
    }
}

/// The draws with every program run by `run`, which gives the words of each vertex's result, vertex after vertex, instance
/// after instance. `size` is the target's: programs of draws that cannot draw anything are not run.
pub fn with_vertices(
    draws: Cow<'_, [Draw]>,
    size: (u32, u32),
    mut run: impl FnMut(&VertexRun) -> Result<Vec<u32>, RenderError>,
) -> Result<Cow<'_, [Draw]>, RenderError> {
    if draws.iter().all(|draw| matches!(draw.vertex_stage, VertexStage::Closure(_))) {
        return Ok(draws);
    }
    let mut shaded = draws.into_owned();
    for (index, draw) in shaded.iter_mut().enumerate() {
        let screen = Screen::new(&draw.dynamic, size);
        if !screen.drawn.is_empty() && !screen.has_no_area() {
            draw.vertex_stage = VertexStage::Closure(closure(index, draw, &mut run)?);
        }
    }
    Ok(Cow::Owned(shaded))
}

/// The vertices of a draw: those that its primitives name, ascending by number, instance after instance.
pub fn vertices_of(
    draw: &Draw,
    mut run: impl FnMut(&VertexRun) -> Result<Vec<u32>, RenderError>,
) -> Result<Vec<Vertex>, RenderError> {
    check_draw(0, draw)?;
    let make = closure(0, draw, &mut run)?;
    let (numbers, instances) =
        (numbers(draw, &named(draw)), draw.first_instance..draw.first_instance + draw.instance_count);
    Ok(instances
        .flat_map(|instance| numbers.iter().map(|&number| make(number, instance)).collect::<Vec<_>>())
        .collect())
}

/// The vertices that a draw's primitives name, counted from the draw's first one.
fn named(draw: &Draw) -> Named {
    let (mut corners, mut named) = (Vec::new(), Named::default());
    if draw.instance_count > 0 {
        assemble::run(draw, &mut corners);
    }
    named.find(&mut corners);
    named
}

/// What `@builtin(vertex_index)` is in these vertices of a draw, ascending.
fn numbers(draw: &Draw, named: &Named) -> Vec<u32> {
    named.numbers().iter().map(|number| draw.first_vertex + number).collect()
}

/// A draw's vertices by number and instance; a program has been run when this returns.
fn closure(
    index: usize,
    draw: &Draw,
    run: &mut impl FnMut(&VertexRun) -> Result<Vec<u32>, RenderError>,
) -> Result<VertexShader, RenderError> {
    let call = match &draw.vertex_stage {
        VertexStage::Closure(closure) => return Ok(closure.clone()),
        VertexStage::Program(call) => call,
    };
    let bound = Bound::of_vertex(index, draw)?;
    let named = named(draw);
    let numbers = numbers(draw, &named);
    let instances = draw.first_instance..draw.first_instance + draw.instance_count;
    let words = if numbers.is_empty() {
        Vec::new()
    } else {
        run(&VertexRun { draw: index, call, numbers: &numbers, instances, bound })?
    };
    let (program, width) = (call.program.clone(), call.program.result_words());
    let (first_vertex, first_instance) = (draw.first_vertex, draw.first_instance);
    Ok(Arc::new(move |number, instance| {
        let place = named.place_of(number - first_vertex);
        let at = ((instance - first_instance) as usize * named.numbers().len() + place) * width;
        program.vertex_of(&words[at..at + width])
    }))
}
