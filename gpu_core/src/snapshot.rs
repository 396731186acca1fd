//! The whole state of a machine as bytes, and back: memory, cores, program, and where the run loop stands.
//!
//! Format: the four bytes `WPGS`, the version as a little-endian word, then an `Image` in postcard's encoding. The
//! version is raised whenever the image's shape changes; other versions are refused by number.

use crate::config::{ConfigError, GpuConfig};
use crate::gpu::{Gpu, Loaded, Mode};
use crate::memory::{Access, Memory, MemoryError, Reservation};
use crate::program::Program;
use crate::semantics::CoreState;
use crate::semantics::warp::WarpState;
use crate::timed::Timed;
use crate::trap::BarrierScope;
use crate::units::{Address, ThreadMask};
use crate::untimed::Run;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use texture::Stage;

/// First bytes of every snapshot.
const MAGIC: &[u8; 4] = b"WPGS";
/// The version that is written and read.
pub const VERSION: u32 = 4;
/// Words of a page; pages of zeros are left out.
const PAGE_WORDS: usize = 1024;

/// Why bytes are not a snapshot that can be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The first bytes are others.
    #[error("this is no snapshot of a machine: it does not begin with `WPGS` and a version")]
    NotASnapshot,
    /// Another version wrote it.
    #[error("the snapshot has version {found}, this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It cannot be decoded.
    #[error("the snapshot is damaged")]
    Damaged(#[source] postcard::Error),
    /// Its parts do not fit together.
    #[error("the snapshot is damaged: {what}")]
    Inconsistent {
        /// What does not fit.
        what: &'static str,
    },
    /// Its configuration is none of this machine's.
    #[error("the snapshot's configuration is refused")]
    Config(#[source] ConfigError),
    /// Its memory cannot be made.
    #[error("the snapshot's memory cannot be made")]
    Memory(#[source] MemoryError),
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
struct Image {
    config: GpuConfig,
    regions: Vec<RegionImage>,
    reservations: Vec<Reservation>,
    cores: Vec<CoreState>,
    stages: Vec<Stage>,
    program: Option<(Program, Vec<Address>)>,
    next_warps: Vec<usize>,
    instructions: u64,
    timed: Option<Timed>,
}

#[derive(Serialize, Deserialize)]
struct RegionImage {
    name: String,
    start: Address,
    bytes: u32,
    is_writable: bool,
    /// Number and words of each page that is not all zero; the last page may be short.
    pages: Vec<(u32, Vec<u32>)>,
}

impl Gpu {
    /// The whole state as bytes. A program that has been started goes on from here after [`Gpu::restore`].
    pub fn snapshot(&self) -> Vec<u8> {
        let regions = self.memory.regions().iter().map(|region| {
            let pages = region.words().chunks(PAGE_WORDS).enumerate().filter_map(|(number, page)| {
                let words: Vec<u32> = page.iter().map(|word| word.load(Relaxed)).collect();
                words.iter().any(|&word| word != 0).then_some((number as u32, words))
            });
            RegionImage {
                name: region.name.clone(),
                start: region.start,
                bytes: region.bytes,
                is_writable: region.is_writable,
                pages: pages.collect(),
            }
        });
        let image = Image {
            config: self.config,
            regions: regions.collect(),
            reservations: self.memory.reservations(),
            cores: self.cores.clone(),
            stages: self.stages.clone(),
            program: self.loaded.as_ref().map(|loaded| ((*loaded.program).clone(), loaded.regions.clone())),
            next_warps: self.run.next_warps(),
            instructions: self.run.instructions,
            timed: self.timed.clone(),
        };
        let head = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        postcard::to_extend(&image, head).expect("an image holds nothing that cannot be encoded")
    }

    /// A machine in the state of a snapshot.
    ///
    /// # Errors
    /// The bytes are no snapshot, of another version, or damaged.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let (magic, rest) = bytes.split_first_chunk::<4>().ok_or(RestoreError::NotASnapshot)?;
        let (version, rest) = rest.split_first_chunk::<4>().ok_or(RestoreError::NotASnapshot)?;
        if magic != MAGIC {
            return Err(RestoreError::NotASnapshot);
        }
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(RestoreError::Version { found });
        }
        let image: Image = postcard::from_bytes(rest).map_err(RestoreError::Damaged)?;
        let mut gpu = Self::new(image.config).map_err(RestoreError::Config)?;
        image.check().map_err(|what| RestoreError::Inconsistent { what })?;
        gpu.memory = image.memory()?;
        gpu.loaded = image.program.map(|(program, regions)| Loaded { program: Arc::new(program), regions });
        gpu.cores = image.cores;
        gpu.stages = image.stages;
        gpu.run = Run::restored(&image.next_warps, image.instructions);
        gpu.timed = image.timed;
        if let Some(timed) = &mut gpu.timed {
            gpu.mode = Mode::Timed;
            timed.restore(&mut gpu.cores, &gpu.memory);
        }
        Ok(gpu)
    }
}

impl Image {
    /// Whether the parts fit together, so that nothing the machine believes of its state is false.
    fn check(&self) -> Result<(), &'static str> {
        let holds = |is_so: bool, what| if is_so { Ok(()) } else { Err(what) };
        let config = &self.config;
        let warps = config.warps as usize;
        holds(self.cores.len() == config.cores as usize, "it has another number of cores")?;
        holds(self.stages.len() == config.texture_stages as usize, "it has another number of texture stages")?;
        holds(self.next_warps.len() == self.cores.len(), "turns are not those of its cores")?;
        holds(self.next_warps.iter().all(|&next| next < warps), "the next warp does not exist")?;
        let starts = |start: &Address| self.regions.iter().any(|region| region.start == *start);
        let has_regions = self.program.iter().all(|(_, regions)| regions.iter().all(starts));
        holds(has_regions, "a region of the program is missing")?;
        for (index, core) in self.cores.iter().enumerate() {
            holds(core.id.index() == index && core.config == *config, "a core is not of this machine")?;
            holds(core.local.len() == config.local_bytes as usize / 4, "local memory has another size")?;
            holds(core.stages.len() == self.stages.len(), "a core has another number of texture stages")?;
            holds(core.barriers.len() == config.barriers as usize, "a core has another number of barriers")?;
            let has_all = core.global_barriers.len() == config.global_barriers as usize;
            holds(has_all, "the machine has another number of global barriers")?;
            holds(core.warps.len() == warps, "a core has another number of warps")?;
            for barrier in core.barriers.iter().chain(&core.global_barriers) {
                holds(ThreadMask(barrier.arrived.into()).fits(config.warps), "a warp that does not exist waits")?;
            }
            for warp in &core.warps {
                let stride = config.lanes.next_power_of_two() as usize;
                holds(warp.registers.stride() == stride, "a warp has another number of lanes")?;
                holds(warp.registers.row(0).iter().all(|&zero| zero == 0), "x0 is not zero")?;
                let masks = [warp.mask, warp.last_mask].into_iter();
                let stacked = warp.divergences.iter().flat_map(|entry| [entry.full, entry.pending]);
                holds(masks.chain(stacked).all(|mask| mask.fits(config.lanes)), "a lane does not exist")?;
                let is_requesting = warp.state == WarpState::Requesting;
                holds(!is_requesting || self.timed.is_some(), "a request is under way")?;
                let exists = warp.state.barrier().is_none_or(|(scope, id)| match scope {
                    BarrierScope::Local => id < config.barriers,
                    BarrierScope::Global => id < config.global_barriers,
                });
                holds(exists, "a warp waits at a barrier that does not exist")?;
            }
        }
        match &self.timed {
            Some(timed) => timed.check(config, &self.cores),
            None => Ok(()),
        }
    }

    fn memory(&self) -> Result<Memory, RestoreError> {
        let mut memory = Memory::new();
        for region in &self.regions {
            let access = if region.is_writable { Access::ReadWrite } else { Access::ReadOnly };
            memory.map(&region.name, region.start, region.bytes, access).map_err(RestoreError::Memory)?;
            let made = memory.region_at(region.start).expect("the region was just made");
            for (number, words) in &region.pages {
                let outside = RestoreError::Inconsistent { what: "a page lies outside its region" };
                let first = (*number as usize).checked_mul(PAGE_WORDS).ok_or(outside.clone())?;
                let last = first.checked_add(words.len()).ok_or(outside.clone())?;
                let page = made.words().get(first..last).ok_or(outside)?;
                for (to, &word) in page.iter().zip(words) {
                    to.store(word, Relaxed);
                }
            }
        }
        for reservation in &self.reservations {
            memory.reserve(*reservation);
        }
        Ok(memory)
    }
}
