//! One draw: primitives with a pipeline, its resources, and a vertex stage.
//!
//! Before: a scene. After: `frame` and `pass`, which list draws, and `geometry`, which runs their host stages.

use std::sync::Arc;

use shaders::interface::{BufferBinding, StageBinding};

use crate::dynamic::Dynamic;
use crate::indices::Indices;
use crate::pipeline::Pipeline;
use crate::resources::Bindings;
use crate::vertex::Vertex;
use crate::vertex_program::VertexCall;

/// Makes a vertex from its number and that of the instance; called once for each vertex that a primitive names and each
/// instance, from several threads, in no fixed order.
pub type VertexShader = Arc<dyn Fn(u32, u32) -> Vertex + Send + Sync>;

/// What makes a draw's vertices.
#[derive(Clone)]
pub enum VertexStage {
    /// A closure on the host.
    Closure(VertexShader),
    /// A WGSL entry point with its buffers, which the backend runs: the device as a kernel, the reference in the evaluator.
    /// Both make the same vertices, bit for bit.
    Program(VertexCall),
}

/// Primitives drawn with one pipeline and one set of resources: triangles, lines or points, as the pipeline's
/// [`Topology`](crate::state::Topology) says.
#[derive(Clone)]
pub struct Draw {
    /// Shader and state.
    pub pipeline: Pipeline,
    /// What the shaders read.
    pub bindings: Bindings,
    /// The vertex stage.
    pub vertex_stage: VertexStage,
    /// What is added to every vertex's number (and index): the number of the first vertex.
    pub first_vertex: u32,
    /// How many vertices there are; every index must be below it.
    pub vertex_count: u32,
    /// The order of the vertices.
    pub indices: Indices,
    /// The number of the first instance.
    pub first_instance: u32,
    /// How often the primitives are drawn, all of one instance before those of the next.
    pub instance_count: u32,
    /// Viewport, scissor, and other values that need no other pipeline.
    pub dynamic: Dynamic,
}

impl Draw {
    /// Vertices in the order of `indices`, which may have 8, 16 or 32 bits.
    pub fn indexed(
        pipeline: &Pipeline,
        vertex_count: u32,
        indices: impl Into<Indices>,
        vertex_shader: impl Fn(u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        let closure = VertexStage::Closure(Arc::new(move |vertex, _| vertex_shader(vertex)));
        Self { indices: indices.into(), ..Self::staged(pipeline, closure, vertex_count) }
    }

    /// Vertices that a WGSL vertex shader makes, in order.
    pub fn from_vertices(pipeline: &Pipeline, call: &VertexCall, vertex_count: u32) -> Self {
        Self::staged(pipeline, VertexStage::Program(call.clone()), vertex_count)
    }

    fn staged(pipeline: &Pipeline, vertex_stage: VertexStage, vertex_count: u32) -> Self {
        Self {
            pipeline: pipeline.clone(),
            bindings: Bindings::new(),
            vertex_stage,
            first_vertex: 0,
            vertex_count,
            indices: Indices::None,
            first_instance: 0,
            instance_count: 1,
            dynamic: Dynamic::DEFAULT,
        }
    }

    /// The same draw with its vertices in the order of `indices`, which may have 8, 16 or 32 bits.
    pub fn with_indices(mut self, indices: impl Into<Indices>) -> Self {
        self.indices = indices.into();
        self
    }

    /// The same draw, `first` added to every vertex's number.
    pub fn with_first_vertex(mut self, first: u32) -> Self {
        self.first_vertex = first;
        self
    }

    /// The same primitives, once for each of `count` instances from `first` on; the vertex stage stays as it is.
    pub fn with_instance_range(mut self, first: u32, count: u32) -> Self {
        self.first_instance = first;
        self.instance_count = count;
        self
    }

    /// Vertices as they come: 0, 1, 2, and so on.
    pub fn list(
        pipeline: &Pipeline,
        vertex_count: u32,
        vertex_shader: impl Fn(u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        Self::indexed(pipeline, vertex_count, Indices::None, vertex_shader)
    }

    /// The same primitives, once for each of `count` instances from `first` on, whose shader gets vertex and instance.
    pub fn with_instances(
        self,
        first: u32,
        count: u32,
        vertex_shader: impl Fn(u32, u32) -> Vertex + Send + Sync + 'static,
    ) -> Self {
        let vertex_stage = VertexStage::Closure(Arc::new(vertex_shader));
        Self { vertex_stage, ..self }.with_instance_range(first, count)
    }

    /// The buffers that a vertex shader reads beside its vertex buffers.
    pub(crate) fn vertex_buffers(&self) -> &[BufferBinding] {
        match &self.vertex_stage {
            VertexStage::Closure(_) => &[],
            VertexStage::Program(call) => &call.program.interface().buffers,
        }
    }

    /// The textures that its shaders read.
    pub(crate) fn texture_stages(&self) -> impl Iterator<Item = &StageBinding> {
        let of_vertices = match &self.vertex_stage {
            VertexStage::Closure(_) => &[],
            VertexStage::Program(call) => call.program.stages(),
        };
        self.pipeline.stages().iter().chain(of_vertices)
    }

    /// Primitives of all instances, before clipping and culling.
    pub fn primitive_count(&self) -> usize {
        let state = self.pipeline.state();
        let restart = if state.primitive_restart { self.indices.restart() } else { None };
        let count = match restart {
            None => state.topology.primitives(self.indices.count(self.vertex_count)),
            Some(restart) => {
                let mut indices = Vec::new();
                self.indices.append_to(self.vertex_count, &mut indices);
                indices.split(|&index| index == restart).map(|piece| state.topology.primitives(piece.len())).sum()
            }
        };
        count * self.instance_count as usize
    }

    /// The same draw with these resources.
    pub fn with_bindings(mut self, bindings: Bindings) -> Self {
        self.bindings = bindings;
        self
    }

    /// The same draw with these values.
    pub fn with_dynamic(mut self, dynamic: Dynamic) -> Self {
        self.dynamic = dynamic;
        self
    }
}

impl std::fmt::Debug for Draw {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Draw")
            .field("pipeline", &self.pipeline)
            .field("bindings", &self.bindings)
            .field("first_vertex", &self.first_vertex)
            .field("vertex_count", &self.vertex_count)
            .field("indices", &self.indices.count(self.vertex_count))
            .field("instances", &self.instance_count)
            .field("dynamic", &self.dynamic)
            .finish_non_exhaustive()
    }
}
