//! One launch of a compute shader: bindings checked, buffers and textures filled, launched, read back.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use gpu_core::gpu::{Gpu, LaunchReport, TextureStageError};
use gpu_core::launcher::Launcher;
use gpu_core::memory::MemoryError;
use shaders::compile::CompiledKernel;
use shaders::front_end::EntryStage;
use shaders::interface::stage_bindings;
use shaders::launch::{BoundBuffer, KernelLaunchError, launch_by};
use shaders::module::resources::{BufferUse, Words};
use shaders::texture_calls::ScalarKind;
use shaders::translate::SAMPLING_STATES;
use texture::{Image, StageError};

use super::bind::{BindError, Given, PlacedTexture, Stages};
use super::contents::{Contents, Element, Filled, LARGEST_BYTES, Place};
use super::file::Selected;
use super::images::each_texel;

/// Why a shader cannot be launched with these buffers.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Not a compute shader.
    #[error(
        "`{entry}` is not a compute shader, and nothing else can be run by itself; `warpaint disasm` shows its code"
    )]
    NotCompute {
        /// The entry point.
        entry: String,
    },
    /// A binding without a buffer.
    #[error(
        "`{entry}` uses `{name}` at @group({}) @binding({}), which has no buffer; give it one with --buffer {place}=zero:{bytes} or --buffer {place}=@FILE", place.group, place.binding
    )]
    Missing {
        /// The entry point.
        entry: String,
        /// The variable.
        name: String,
        /// Where it is.
        place: Place,
        /// The least that it needs.
        bytes: u32,
    },
    /// Something without a binding.
    #[error("`{entry}` uses no {what} {place}; it uses: {known}")]
    Unknown {
        /// The entry point.
        entry: String,
        /// A buffer, a texture or a sampler.
        what: &'static str,
        /// What was named.
        place: Place,
        /// Which there are.
        known: String,
    },
    /// Two things for one binding.
    #[error("{what} {place} is given twice")]
    Twice {
        /// A buffer, a texture or a sampler.
        what: &'static str,
        /// Which.
        place: Place,
    },
    /// Less than the type needs.
    #[error("buffer {place} has {given} bytes, `{name}` needs at least {wanted}")]
    Short {
        /// Which.
        place: Place,
        /// The variable.
        name: String,
        /// Bytes given.
        given: u64,
        /// Bytes of the type, with one element of an array at its end.
        wanted: u32,
    },
    /// A file that is no buffer.
    #[error("`{}` has {bytes} bytes, a buffer is whole words of 4 bytes, at least one and at most {LARGEST_BYTES} bytes", file.display())]
    Size {
        /// The file.
        file: PathBuf,
        /// Its length.
        bytes: u64,
    },
    /// The system refuses.
    #[error("cannot read buffer `{}`", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// Textures and samplers that do not fit.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A texture that no stage can describe.
    #[error("texture {place}")]
    Stage {
        /// Which.
        place: Place,
        /// Why.
        #[source]
        cause: StageError,
    },
    /// A machine with fewer stages.
    #[error(
        "the shader's pairs of texture and sampler need more stages than the machine has; --set texture_stages=N gives it more"
    )]
    StageCount(#[from] TextureStageError),
    /// No room on the machine.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// It did not run to its end.
    #[error(transparent)]
    Launch(#[from] KernelLaunchError),
}

/// A buffer of a job, or a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Where it is bound.
    pub place: Place,
    /// The variable's name.
    pub name: String,
    /// Whether the shader writes it.
    pub is_written: bool,
    /// How its words are best shown.
    pub element: Element,
    /// What it holds: at first what was given, after the run what is left. Of a texture the components of its first level, texel by texel.
    pub words: Vec<u32>,
    /// Of a texture its texels.
    pub image: Option<Arc<Image>>,
}

impl Bound {
    fn of_texture(placed: &PlacedTexture) -> Self {
        let element = match placed.kind.component {
            ScalarKind::Sint => Element::I32,
            ScalarKind::Uint => Element::U32,
            _ => Element::F32,
        };
        let (place, name, is_written) = (placed.place, placed.name.clone(), placed.is_written());
        let mut bound = Self { place, name, is_written, element, words: Vec::new(), image: None };
        bound.take_texels(placed.texture.image());
        bound
    }

    fn take_texels(&mut self, image: Arc<Image>) {
        self.words.clear();
        let channels = image.format.channels() as usize;
        each_texel(&image, 0, |layer, y, x| self.words.extend(&image.channels(layer, 0, x, y)[..channels]));
        self.image = Some(image);
    }

    /// The bytes of a buffer, or of the texels of a texture's first level, one after the other.
    pub fn bytes(&self) -> Vec<u8> {
        let Some(image) = &self.image else { return bytes_of(&self.words) };
        let size = image.width() as usize * image.height() as usize * image.format.bytes() as usize;
        let first = |layer: u32| layer as usize * image.layer_stride as usize + image.levels[0].offset as usize;
        (0..image.layers).flat_map(|layer| image.bytes[first(layer)..first(layer) + size].to_vec()).collect()
    }

    /// A texture as a picture, layers below each other: width, height and RGBA. Floats are limited to 0 to 1, integers to 0 to 255.
    pub fn picture(&self) -> Option<(u32, u32, Vec<u8>)> {
        let image = self.image.as_ref()?;
        let mut bytes = Vec::new();
        let byte = |word: u32| match self.element {
            // A NaN is black.
            Element::F32 => (f32::from_bits(word).clamp(0.0, 1.0) * 255.0).round_ties_even() as u8,
            Element::I32 => (word as i32).clamp(0, 255) as u8,
            _ => word.min(255) as u8,
        };
        each_texel(image, 0, |layer, y, x| {
            let mut texel = image.channels(layer, 0, x, y).map(byte);
            // What the format lacks is opaque, also where 1 is an integer.
            if image.format.channels() < 4 {
                texel[3] = 255;
            }
            bytes.extend(texel);
        });
        Some((image.width(), image.height() * image.layers, bytes))
    }
}

/// What a binding of a kernel stands for.
#[derive(Copy, Clone, Debug)]
enum Slot {
    /// One of the buffers or textures.
    Bound(usize),
    /// The states of the texture stages.
    States,
}

/// A compute shader with its code, what is bound to it, and its grid.
#[derive(Debug)]
pub struct Job {
    /// The code.
    pub kernel: CompiledKernel,
    /// Buffers in the order of the kernel's bindings, then textures.
    pub buffers: Vec<Bound>,
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
    /// For each of the kernel's bindings.
    slots: Vec<Slot>,
    stages: Stages,
    /// Where the textures begin in `buffers`.
    first_texture: usize,
}

impl Job {
    /// Gives a kernel what it reads and writes.
    pub fn new(
        selected: &Selected,
        kernel: CompiledKernel,
        given: &Given<'_>,
        grid: [u32; 3],
    ) -> Result<Self, JobError> {
        let stages = Stages::of(selected, given)?;
        let uses = selected.module.buffers();
        let mut buffers = Vec::new();
        for used in &uses {
            buffers.push(buffer(&kernel.name, used, given.buffers)?);
        }
        let first_texture = buffers.len();
        buffers.extend(stages.textures.iter().map(Bound::of_texture));
        let mut slots = Vec::new();
        for binding in &kernel.bindings {
            if binding.name == SAMPLING_STATES {
                slots.push(Slot::States);
                continue;
            }
            let place = Place { group: binding.group, binding: binding.binding };
            let index = buffers.iter().position(|bound| bound.place == place);
            let index = index.expect("a kernel binds what its module uses");
            buffers[index].is_written = binding.is_written;
            slots.push(Slot::Bound(index));
        }
        let job = Self { kernel, buffers, grid, slots, stages, first_texture };
        job.check_given(selected, given)?;
        Ok(job)
    }

    /// Everything given is used, and given once.
    fn check_given(&self, selected: &Selected, given: &Given<'_>) -> Result<(), JobError> {
        let samplers: Vec<_> = stage_bindings(&selected.module).into_iter().filter_map(|stage| stage.sampler).collect();
        let samplers: Vec<_> = samplers
            .into_iter()
            .map(|sampler| (Place { group: sampler.group, binding: sampler.binding }, sampler.name))
            .collect();
        let named = |bound: &[Bound]| bound.iter().map(|bound| (bound.place, bound.name.clone())).collect::<Vec<_>>();
        let (buffers, textures) = self.buffers.split_at(self.first_texture);
        let check = |what: &'static str, known: Vec<(Place, String)>, places: Vec<Place>| {
            for (index, place) in places.iter().enumerate() {
                if places[..index].contains(place) {
                    return Err(JobError::Twice { what, place: *place });
                }
                if !known.iter().any(|(known, _)| known == place) {
                    return Err(unknown(&self.kernel.name, what, *place, known));
                }
            }
            Ok(())
        };
        check("buffer", named(buffers), given.buffers.iter().map(|given| given.place).collect())?;
        check("texture", named(textures), given.textures.iter().map(|given| given.place).collect())?;
        check("sampler", samplers, given.samplers.iter().map(|given| given.place).collect())
    }

    /// Refuses what is no compute shader.
    pub fn check(selected: &Selected) -> Result<(), JobError> {
        let entry = selected.module.entry_point().name.clone();
        if selected.stage == EntryStage::Compute { Ok(()) } else { Err(JobError::NotCompute { entry }) }
    }

    /// The buffer or texture at a place.
    pub fn buffer(&self, place: Place) -> Result<&Bound, JobError> {
        let known = || self.buffers.iter().map(|bound| (bound.place, bound.name.clone())).collect();
        let found = self.buffers.iter().find(|bound| bound.place == place);
        found.ok_or_else(|| unknown(&self.kernel.name, "buffer or texture", place, known()))
    }

    /// Launches, and reads back what is bound, also when the launch failed.
    pub fn run_by(&mut self, gpu: &mut Gpu, launcher: &mut dyn Launcher) -> Result<LaunchReport, JobError> {
        let mut memory = Vec::new();
        for bound in &self.buffers {
            let bytes = match &bound.image {
                Some(image) => image.bytes.clone(),
                None => bytes_of(&bound.words),
            };
            memory.push(put(gpu, &bytes, &bound.name)?);
        }
        let mut states = Vec::new();
        for (number, (texture, stage)) in (0..).zip(self.stages.bound()) {
            let bound = &self.buffers[self.first_texture + texture];
            let address = memory[self.first_texture + texture].address.0;
            if (number as usize) < self.stages.held {
                let registers = stage.image.stage(address, stage.sampling());
                let registers = registers.map_err(|cause| JobError::Stage { place: bound.place, cause })?;
                gpu.set_texture_stage(number, &registers)?;
            }
            states.extend(stage.state().words());
        }
        let mut bindings = Vec::new();
        for slot in &self.slots {
            bindings.push(match slot {
                Slot::Bound(index) => memory[*index],
                Slot::States => put(gpu, &bytes_of(&states), SAMPLING_STATES)?,
            });
        }
        let outcome = launch_by(gpu, &self.kernel, &bindings, self.grid, launcher);
        for (bound, BoundBuffer { address, bytes }) in self.buffers.iter_mut().zip(memory) {
            match &bound.image {
                None => bound.words = to_words(&gpu.read_back(address, bytes)?),
                Some(image) if bound.is_written => {
                    let mut image = (**image).clone();
                    image.bytes = gpu.read_back(address, bytes)?;
                    bound.take_texels(Arc::new(image));
                }
                Some(_) => {}
            }
        }
        Ok(outcome?)
    }
}

/// Copies bytes to the device.
fn put(gpu: &mut Gpu, bytes: &[u8], name: &str) -> Result<BoundBuffer, MemoryError> {
    let address = gpu.allocate(bytes.len() as u32, name)?;
    gpu.upload(address, bytes)?;
    Ok(BoundBuffer { address, bytes: bytes.len() as u32 })
}

/// The buffer that was given for one that the shader uses.
fn buffer(entry: &str, used: &BufferUse, filled: &[Filled]) -> Result<Bound, JobError> {
    let place = Place { group: used.group, binding: used.binding };
    let (name, wanted) = (used.name.clone(), used.least_bytes);
    let Some(given) = filled.iter().find(|filled| filled.place == place) else {
        return Err(JobError::Missing { entry: entry.to_owned(), name, place, bytes: wanted });
    };
    let element = match used.words {
        Words::Float => Element::F32,
        Words::Signed => Element::I32,
        Words::Unsigned => Element::U32,
        Words::Mixed => Element::Hex,
    };
    let words = words_of(&given.contents)?;
    let bytes = words.len() as u64 * 4;
    if bytes < u64::from(wanted) {
        return Err(JobError::Short { place, name, given: bytes, wanted });
    }
    Ok(Bound { place, name, is_written: false, element, words, image: None })
}

fn unknown(entry: &str, what: &'static str, place: Place, known: Vec<(Place, String)>) -> JobError {
    let known: Vec<_> = known.iter().map(|(place, name)| format!("{place} (`{name}`)")).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    JobError::Unknown { entry: entry.to_owned(), what, place, known }
}

fn words_of(contents: &Contents) -> Result<Vec<u32>, JobError> {
    let file = match contents {
        Contents::Words(words) => return Ok(words.clone()),
        Contents::File(file) => file,
    };
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|opened| opened.take(LARGEST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|source| JobError::Read { file: file.clone(), source })?;
    let length = bytes.len() as u64;
    if length == 0 || length > LARGEST_BYTES || !length.is_multiple_of(4) {
        return Err(JobError::Size { file: file.clone(), bytes: length });
    }
    Ok(to_words(&bytes))
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
