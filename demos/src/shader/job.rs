//! One launch of a compute shader: bindings checked, buffers filled, launched, read back.

use std::io::Read;
use std::path::PathBuf;

use gpu_core::gpu::{Gpu, LaunchReport};
use gpu_core::launcher::Launcher;
use gpu_core::memory::MemoryError;
use shaders::compile::CompiledKernel;
use shaders::front_end::EntryStage;
use shaders::launch::{BoundBuffer, KernelLaunchError, launch_by};
use shaders::module::resources::{BufferUse, Words};

use super::contents::{Contents, Element, Filled, LARGEST_BYTES, Place};
use super::file::Selected;

/// Why a shader cannot be launched with these buffers.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Not a compute shader.
    #[error(
        "`{entry}` is not a compute shader, and nothing else can be run by itself; `warpaint disasm` shows its code"
    )]
    Stage {
        /// The entry point.
        entry: String,
    },
    /// It samples or stores textures.
    #[error("`{entry}` uses texture `{name}`, and only buffers can be given to a shader that is run by itself")]
    Texture {
        /// The entry point.
        entry: String,
        /// The texture.
        name: String,
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
    /// A buffer without a binding.
    #[error("`{entry}` uses no buffer {place}; it uses: {known}")]
    Unknown {
        /// The entry point.
        entry: String,
        /// What was named.
        place: Place,
        /// Which there are.
        known: String,
    },
    /// Two buffers for one binding.
    #[error("buffer {place} is given twice")]
    Twice {
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
    /// No room on the machine.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// It did not run to its end.
    #[error(transparent)]
    Launch(#[from] KernelLaunchError),
}

/// A buffer of a job.
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
    /// What it holds: at first what was given, after the run what is left.
    pub words: Vec<u32>,
}

/// A compute shader with its code, its buffers and its grid.
#[derive(Debug)]
pub struct Job {
    /// The code.
    pub kernel: CompiledKernel,
    /// In the order of the kernel's bindings.
    pub buffers: Vec<Bound>,
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
}

impl Job {
    /// Gives a kernel its buffers.
    pub fn new(
        selected: &Selected,
        kernel: CompiledKernel,
        filled: &[Filled],
        grid: [u32; 3],
    ) -> Result<Self, JobError> {
        let uses = selected.module.buffers();
        let mut buffers = Vec::new();
        for binding in &kernel.bindings {
            let place = Place { group: binding.group, binding: binding.binding };
            let used = uses.iter().find(|used| (used.group, used.binding) == (place.group, place.binding));
            let BufferUse { name, least_bytes: wanted, words, .. } =
                used.expect("a kernel binds what its module uses").clone();
            let Some(given) = filled.iter().find(|filled| filled.place == place) else {
                return Err(JobError::Missing { entry: kernel.name.clone(), name, place, bytes: wanted });
            };
            let element = match words {
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
            buffers.push(Bound { place, name, is_written: binding.is_written, element, words });
        }
        for (index, Filled { place, .. }) in filled.iter().enumerate() {
            if filled[..index].iter().any(|other| other.place == *place) {
                return Err(JobError::Twice { place: *place });
            }
            find(&kernel.name, &buffers, *place)?;
        }
        Ok(Self { kernel, buffers, grid })
    }

    /// Refuses what is no compute shader over buffers.
    pub fn check(selected: &Selected) -> Result<(), JobError> {
        let entry = selected.module.entry_point().name.clone();
        if selected.stage != EntryStage::Compute {
            return Err(JobError::Stage { entry });
        }
        match selected.module.textures().into_iter().next() {
            Some(name) => Err(JobError::Texture { entry, name }),
            None => Ok(()),
        }
    }

    /// The buffer at a place.
    pub fn buffer(&self, place: Place) -> Result<&Bound, JobError> {
        find(&self.kernel.name, &self.buffers, place)
    }

    /// Launches, and reads the buffers back, also when the launch failed.
    pub fn run_by(&mut self, gpu: &mut Gpu, launcher: &mut dyn Launcher) -> Result<LaunchReport, JobError> {
        let mut bound = Vec::new();
        for buffer in &self.buffers {
            let bytes: Vec<u8> = buffer.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let address = gpu.allocate(bytes.len() as u32, &buffer.name)?;
            gpu.upload(address, &bytes)?;
            bound.push(BoundBuffer { address, bytes: bytes.len() as u32 });
        }
        let outcome = launch_by(gpu, &self.kernel, &bound, self.grid, launcher);
        for (buffer, BoundBuffer { address, bytes }) in self.buffers.iter_mut().zip(bound) {
            buffer.words = to_words(&gpu.read_back(address, bytes)?);
        }
        Ok(outcome?)
    }
}

fn find<'a>(entry: &str, buffers: &'a [Bound], place: Place) -> Result<&'a Bound, JobError> {
    buffers.iter().find(|buffer| buffer.place == place).ok_or_else(|| {
        let known: Vec<_> = buffers.iter().map(|buffer| format!("{} (`{}`)", buffer.place, buffer.name)).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        JobError::Unknown { entry: entry.to_owned(), place, known }
    })
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
