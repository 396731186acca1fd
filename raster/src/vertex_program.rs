//! A vertex shader in WGSL with the layouts of the buffers that feed it; and the buffers of one draw.
//!
//! Before: WGSL source and a scene's buffers. After: [`Draw::from_vertices`](crate::Draw::from_vertices). Rules of layouts are
//! WebGPU's (`GPUVertexState`).

use std::sync::{Arc, Weak};

use shaders::diagnostic::CompileError;
use shaders::evaluate::MOST_ATTRIBUTES;
use shaders::front_end::Module;
use shaders::interface::{InterfaceError, NumericKind, StageBinding, VertexInterface, VertexOutput, stage_bindings};

use crate::pipeline::{TEXTURE_STAGES, hardware_stages};
use crate::resources::Buffer;
use crate::vertex::LOCATIONS;
use crate::vertex_format::VertexFormat;

/// Vertex buffers that a program can have.
pub const MOST_VERTEX_BUFFERS: usize = 8;

/// Bytes from one vertex to the next, at most.
pub const LARGEST_STRIDE: u32 = 2048;

/// What a vertex buffer has one element for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StepMode {
    /// Each vertex, by `@builtin(vertex_index)`.
    #[default]
    Vertex,
    /// Each instance, by `@builtin(instance_index)`.
    Instance,
}

/// One attribute in the elements of a vertex buffer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct VertexAttribute {
    /// How it lies there.
    pub format: VertexFormat,
    /// Where in the element, in bytes.
    pub offset: u32,
    /// The shader's `@location`.
    pub location: u32,
}

/// What the elements of a vertex buffer are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexBufferLayout {
    /// Bytes from one element to the next: a multiple of 4. With 0 every vertex (or instance) reads the same element.
    pub stride: u32,
    /// What there is an element for.
    pub step: StepMode,
    /// What is in one.
    pub attributes: Vec<VertexAttribute>,
}

impl VertexBufferLayout {
    /// Attributes (location, format) one after the other, each at the next offset that its format takes.
    pub fn packed(step: StepMode, attributes: &[(u32, VertexFormat)]) -> Self {
        let mut end = 0u32;
        let place = |&(location, format): &(u32, VertexFormat)| {
            let offset = end.next_multiple_of(format.alignment());
            end = offset + format.bytes();
            VertexAttribute { format, offset, location }
        };
        let attributes = attributes.iter().map(place).collect();
        Self { stride: end.next_multiple_of(4), step, attributes }
    }

    /// Bytes that a buffer of so many elements has at least: the last one need not be padded.
    pub fn bytes_of(&self, elements: u64) -> u64 {
        let ends = self.attributes.iter().map(|attribute| u64::from(attribute.offset + attribute.format.bytes()));
        match elements.checked_sub(1) {
            Some(before) => before * u64::from(self.stride) + ends.max().unwrap_or(0),
            None => 0,
        }
    }
}

/// Why a vertex program could not be made.
#[derive(Debug, thiserror::Error)]
pub enum VertexProgramError {
    /// The shader does not compile; the message shows the place.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The shader and its buffers do not fit.
    #[error("`{file}`, vertex shader `{entry}`: {cause}")]
    Layout {
        /// The shader's file.
        file: String,
        /// The entry point.
        entry: String,
        /// What is wrong.
        #[source]
        cause: VertexLayoutError,
    },
}

/// What is wrong with layouts, or with a shader for them. Buffers count from 0.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VertexLayoutError {
    /// The entry point takes or gives what the rasterizer does not have.
    #[error(transparent)]
    Interface(#[from] InterfaceError),
    /// More buffers than there can be.
    #[error("{count} vertex buffers; the limit is {MOST_VERTEX_BUFFERS}")]
    Buffers {
        /// How many.
        count: usize,
    },
    /// More attributes than there can be.
    #[error("{count} attributes; the limit is {MOST_ATTRIBUTES}")]
    Attributes {
        /// How many.
        count: usize,
    },
    /// A stride without meaning.
    #[error(
        "vertex buffer {buffer} has a stride of {stride} bytes; it must be a multiple of 4 from 0 to {LARGEST_STRIDE}"
    )]
    Stride {
        /// Which buffer.
        buffer: usize,
        /// Its stride.
        stride: u32,
    },
    /// An attribute that lies across words.
    #[error("vertex buffer {buffer}: location {location} ({format:?}) is at offset {offset}, which is no multiple of {}", format.alignment())]
    Offset {
        /// Which buffer.
        buffer: usize,
        /// `@location`.
        location: u32,
        /// Its format.
        format: VertexFormat,
        /// Where it is.
        offset: u32,
    },
    /// An attribute that reaches into the next element.
    #[error(
        "vertex buffer {buffer}: location {location} ({format:?}) at offset {offset} ends beyond the {} of {} bytes",
        if *.stride == 0 { "largest element" } else { "stride" },
        most_bytes(*.stride)
    )]
    BeyondStride {
        /// Which buffer.
        buffer: usize,
        /// `@location`.
        location: u32,
        /// Its format.
        format: VertexFormat,
        /// Where it is.
        offset: u32,
        /// The stride.
        stride: u32,
    },
    /// Two attributes for one input.
    #[error("location {location} is in the layouts twice")]
    Twice {
        /// `@location`.
        location: u32,
    },
    /// An input that no buffer feeds.
    #[error("location {location} is read as {read}, and no vertex buffer has it")]
    Missing {
        /// `@location`.
        location: u32,
        /// What the shader declares.
        read: String,
    },
    /// An input of another kind than its format.
    #[error("location {location} is read as {read}, which {format:?} does not give")]
    Type {
        /// `@location`.
        location: u32,
        /// What the shader declares.
        read: String,
        /// What the buffer has.
        format: VertexFormat,
    },
    /// An output that no vertex has room for.
    #[error("location {location} is written; vertices have locations 0 to {}", LOCATIONS - 1)]
    Output {
        /// `@location`.
        location: u32,
    },
    /// More textures than a shader can reach.
    #[error("{count} pairs of texture and sampler; the limit is {TEXTURE_STAGES}")]
    TextureStages {
        /// Pairs it uses.
        count: usize,
    },
}

/// Where one of the shader's attributes comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Which vertex buffer.
    pub buffer: usize,
    /// How it lies in an element.
    pub attribute: VertexAttribute,
}

/// A vertex shader with the layouts of its buffers; a handle, whose clones are the same program.
#[derive(Clone, Debug)]
pub struct VertexProgram {
    inner: Arc<Inner>,
}

/// What all clones share.
#[derive(Debug)]
struct Inner {
    module: Module,
    interface: VertexInterface,
    stages: Vec<StageBinding>,
    layouts: Vec<VertexBufferLayout>,
    fetches: Vec<Fetch>,
}

impl VertexProgram {
    /// Compiles the vertex entry point `entry` of a WGSL file; `name` is the file's name in messages. `layouts` are those of
    /// the vertex buffers, in order.
    ///
    /// The entry point takes attributes at `@location`s and the builtins `vertex_index` and `instance_index`; it reads uniform
    /// buffers, read-only storage buffers and textures (at explicit levels); it gives `position` and `@location`s below
    /// [`LOCATIONS`]. Types and interpolation of what the fragment shader reads must be the same there, which each draw checks.
    pub fn new(
        name: &str,
        source: &str,
        entry: &str,
        layouts: &[VertexBufferLayout],
    ) -> Result<Self, VertexProgramError> {
        Self::of_module(Module::parse(name, source)?.select(entry, &[])?, layouts)
    }

    /// The same of a module whose vertex entry point has been selected.
    ///
    /// # Errors
    /// As [`VertexProgram::new`], but for what the front end refuses.
    pub fn of_module(module: Module, layouts: &[VertexBufferLayout]) -> Result<Self, VertexProgramError> {
        let (file, entry) = (module.name.clone(), module.entry_point().name.clone());
        let refused = |cause| VertexProgramError::Layout { file: file.clone(), entry: entry.clone(), cause };
        let interface =
            VertexInterface::of(&module.naga, &module.info, &entry).map_err(|error| refused(error.into()))?;
        check_layouts(layouts).map_err(refused)?;
        let fetches = fetches(&interface, layouts).map_err(refused)?;
        if let Some(varying) = interface.varyings.iter().find(|varying| varying.location as usize >= LOCATIONS) {
            return Err(refused(VertexLayoutError::Output { location: varying.location }));
        }
        let stages = stage_bindings(&module);
        if hardware_stages(&stages) > TEXTURE_STAGES {
            return Err(refused(VertexLayoutError::TextureStages { count: hardware_stages(&stages) }));
        }
        Ok(Self { inner: Arc::new(Inner { module, interface, stages, layouts: layouts.to_vec(), fetches }) })
    }

    /// The shader.
    pub fn module(&self) -> &Module {
        &self.inner.module
    }

    /// What the shader takes and gives.
    pub fn interface(&self) -> &VertexInterface {
        &self.inner.interface
    }

    /// The textures it reads, in the order of the machine's stages.
    pub fn stages(&self) -> &[StageBinding] {
        &self.inner.stages
    }

    /// The layouts of its vertex buffers.
    pub fn layouts(&self) -> &[VertexBufferLayout] {
        &self.inner.layouts
    }

    /// Where its attributes come from, in the order of [`VertexInterface::attributes`].
    pub fn fetches(&self) -> &[Fetch] {
        &self.inner.fetches
    }

    /// Words of the shader's result.
    pub fn result_words(&self) -> usize {
        self.interface().outputs.len()
    }

    /// The program with no buffers yet.
    pub fn call(&self) -> VertexCall {
        VertexCall { program: self.clone(), buffers: vec![None; self.layouts().len()] }
    }

    /// Whether two handles are the same program.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A name for the program that does not keep it.
    pub(crate) fn key(&self) -> VertexProgramKey {
        VertexProgramKey(Arc::downgrade(&self.inner))
    }

    /// A vertex from the words of the shader's result.
    pub(crate) fn vertex_of(&self, words: &[u32]) -> crate::Vertex {
        let mut vertex = crate::Vertex::at(glam::Vec4::ZERO);
        for (output, &bits) in self.interface().outputs.iter().zip(words) {
            let value = f32::from_bits(bits);
            match *output {
                VertexOutput::Position(component) => vertex.position[component as usize] = value,
                VertexOutput::Location { location, component } => {
                    vertex.locations[location as usize][component as usize] = value;
                }
                VertexOutput::PointSize => vertex.point_size = value,
            }
        }
        vertex
    }
}

/// Names a program in a cache without keeping it.
#[derive(Clone, Debug)]
pub(crate) struct VertexProgramKey(Weak<Inner>);

impl VertexProgramKey {
    /// Whether this is the program's name.
    pub(crate) fn names(&self, program: &VertexProgram) -> bool {
        // The weak handle keeps the address from being used again.
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&program.inner))
    }

    /// Whether somebody still holds the program.
    pub(crate) fn is_held(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// A vertex program with the buffers that feed it.
#[derive(Clone, Debug)]
pub struct VertexCall {
    /// Shader and layouts.
    pub program: VertexProgram,
    /// By the number of the layout: the buffer, and where in it the first element is, in bytes.
    pub buffers: Vec<Option<(Buffer, u32)>>,
}

impl VertexCall {
    /// The same with a buffer for layout `slot`.
    pub fn with_buffer(self, slot: usize, buffer: &Buffer) -> Self {
        self.with_buffer_at(slot, buffer, 0)
    }

    /// The same with a buffer whose first element is `offset` bytes from its start, a multiple of 4. Slots without a layout
    /// may have buffers; nobody reads them.
    pub fn with_buffer_at(mut self, slot: usize, buffer: &Buffer, offset: u32) -> Self {
        if slot >= self.buffers.len() {
            self.buffers.resize(slot + 1, None);
        }
        self.buffers[slot] = Some((buffer.clone(), offset));
        self
    }
}

/// Bytes of an element, at most: none reaches into the next one, if there is a next one.
const fn most_bytes(stride: u32) -> u32 {
    if stride == 0 { LARGEST_STRIDE } else { stride }
}

/// Refuses layouts without meaning.
fn check_layouts(layouts: &[VertexBufferLayout]) -> Result<(), VertexLayoutError> {
    if layouts.len() > MOST_VERTEX_BUFFERS {
        return Err(VertexLayoutError::Buffers { count: layouts.len() });
    }
    let mut locations = Vec::new();
    for (buffer, VertexBufferLayout { stride, attributes, .. }) in layouts.iter().enumerate() {
        let stride = *stride;
        if !stride.is_multiple_of(4) || stride > LARGEST_STRIDE {
            return Err(VertexLayoutError::Stride { buffer, stride });
        }
        for &VertexAttribute { format, offset, location } in attributes {
            if !offset.is_multiple_of(format.alignment()) {
                return Err(VertexLayoutError::Offset { buffer, location, format, offset });
            }
            if u64::from(offset) + u64::from(format.bytes()) > u64::from(most_bytes(stride)) {
                return Err(VertexLayoutError::BeyondStride { buffer, location, format, offset, stride });
            }
            if locations.contains(&location) {
                return Err(VertexLayoutError::Twice { location });
            }
            locations.push(location);
        }
    }
    if locations.len() > MOST_ATTRIBUTES {
        return Err(VertexLayoutError::Attributes { count: locations.len() });
    }
    Ok(())
}

/// Finds every attribute of the shader in the layouts.
fn fetches(interface: &VertexInterface, layouts: &[VertexBufferLayout]) -> Result<Vec<Fetch>, VertexLayoutError> {
    let all = layouts.iter().enumerate();
    let all =
        all.flat_map(|(buffer, layout)| layout.attributes.iter().map(move |&attribute| Fetch { buffer, attribute }));
    let all: Vec<Fetch> = all.collect();
    let find = |read: &shaders::interface::Attribute| {
        let location = read.location;
        let Some(fetch) = all.iter().find(|fetch| fetch.attribute.location == location) else {
            return Err(VertexLayoutError::Missing { location, read: read.ty.to_string() });
        };
        let kind: NumericKind = fetch.attribute.format.numeric();
        if kind != read.ty.kind {
            let format = fetch.attribute.format;
            return Err(VertexLayoutError::Type { location, read: read.ty.to_string(), format });
        }
        Ok(*fetch)
    };
    interface.attributes.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str =
        "@vertex fn main(@location(0) p: vec3<f32>, @location(3) id: u32) -> @builtin(position) vec4<f32> {
        return vec4<f32>(p, f32(id)); }";

    fn layout(stride: u32, attributes: &[(VertexFormat, u32, u32)]) -> VertexBufferLayout {
        let attribute = |&(format, offset, location): &_| VertexAttribute { format, offset, location };
        let attributes = attributes.iter().map(attribute).collect();
        VertexBufferLayout { stride, step: StepMode::Vertex, attributes }
    }

    #[track_caller]
    fn check_refused(layouts: &[VertexBufferLayout], message: &str) {
        let error = VertexProgram::new("a.wgsl", SOURCE, "main", layouts).expect_err("it does not fit");
        assert_eq!(error.to_string(), format!("`a.wgsl`, vertex shader `main`: {message}"));
    }

    #[test]
    fn layouts_that_do_not_fit_are_refused_by_name() {
        use VertexFormat::{Float32x2, Snorm8x4, Uint16, Unorm8x2};
        let good = || layout(12, &[(Float32x2, 0, 0), (Uint16, 10, 3)]);
        let program = VertexProgram::new("a.wgsl", SOURCE, "main", &[good()]).expect("fewer components will do");
        assert_eq!(program.fetches()[1].attribute.offset, 10);
        check_refused(&[], "location 0 is read as vec3<f32>, and no vertex buffer has it");
        let halved = layout(8, &[(Float32x2, 0, 0)]);
        check_refused(&[halved], "location 3 is read as u32, and no vertex buffer has it");
        let float = layout(12, &[(Float32x2, 0, 0), (Unorm8x2, 10, 3)]);
        check_refused(&[float], "location 3 is read as u32, which Unorm8x2 does not give");
        let range = "it must be a multiple of 4 from 0 to 2048";
        for stride in [6, 2052] {
            let message = format!("vertex buffer 1 has a stride of {stride} bytes; {range}");
            check_refused(&[good(), layout(stride, &[])], &message);
        }
        let message = "vertex buffer 0: location 0 (Float32x2) is at offset 2, which is no multiple of 4";
        check_refused(&[layout(12, &[(Float32x2, 2, 0)])], message);
        let message = "vertex buffer 0: location 3 (Uint16) is at offset 5, which is no multiple of 2";
        check_refused(&[layout(12, &[(Uint16, 5, 3)])], message);
        let message = "vertex buffer 0: location 0 (Float32x2) at offset 8 ends beyond the stride of 12 bytes";
        check_refused(&[layout(12, &[(Float32x2, 8, 0)])], message);
        let message =
            "vertex buffer 0: location 0 (Float32x2) at offset 2044 ends beyond the largest element of 2048 bytes";
        check_refused(&[layout(0, &[(Float32x2, 2044, 0)])], message);
        check_refused(&[good(), layout(4, &[(Snorm8x4, 0, 3)])], "location 3 is in the layouts twice");
        check_refused(&vec![layout(4, &[]); 9], "9 vertex buffers; the limit is 8");
        let many: Vec<_> = (0..17).map(|location| (Snorm8x4, 4 * location, location)).collect();
        check_refused(&[layout(68, &many)], "17 attributes; the limit is 16");
        let written = "struct Out { @builtin(position) p: vec4<f32>, @location(16) a: f32 } @vertex fn main() -> Out { return Out(); }";
        let error = VertexProgram::new("a.wgsl", written, "main", &[]).expect_err("no vertex has location 8");
        let message = "`a.wgsl`, vertex shader `main`: location 16 is written; vertices have locations 0 to 15";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn packed_attributes_stand_at_the_next_place_they_may_have() {
        use VertexFormat::{Float32x3, Uint8, Unorm8x4};
        let packed =
            VertexBufferLayout::packed(StepMode::Instance, &[(0, Float32x3), (2, Uint8), (5, Unorm8x4), (6, Uint8)]);
        assert_eq!(packed.attributes.iter().map(|a| a.offset).collect::<Vec<_>>(), [0, 12, 16, 20]);
        assert_eq!((packed.stride, packed.step), (24, StepMode::Instance));
        // The last of three elements ends after 21 bytes.
        assert_eq!([0, 1, 3].map(|elements| packed.bytes_of(elements)), [0, 21, 69]);
        let shared = VertexBufferLayout { stride: 0, ..packed };
        assert_eq!([0, 1, 3].map(|elements| shared.bytes_of(elements)), [0, 21, 21], "of one element");
    }
}
