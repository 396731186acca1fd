//! One core: its warps, local memory, barriers, CSRs and texture stages, and the code it fetches.
//!
//! Everything a core owns alone, so that cores can run on different host threads.

use super::code::Code;
use super::warp::{Warp, WarpState};
use crate::config::{GpuConfig, LOCAL_MEMORY_BASE, MisalignedPolicy};
use crate::isa::csr::SHOWN_COUNTERS;
use crate::memory::Memory;
use crate::program::ProgramKind;
use crate::units::{Address, CoreId, LaneId, ThreadMask, WarpId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use texture::Stage;

/// First address of the I/O page of bare programs: the console's 64 bytes.
pub const IO_BASE: Address = Address(0x40);
/// Address past the console.
pub const CONSOLE_END: Address = Address(0x80);
/// A bare program stores its exit code here.
pub const EXIT_ADDRESS: Address = Address(0x88);
/// Address past the I/O page: the counter dumps of 32 cores. Loads there give 0, other stores do nothing.
pub const IO_END: Address = Address(0x2080);

/// A barrier with its arrivals.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Barrier {
    /// A bit for each warp that has arrived and waits.
    pub arrived: u32,
    /// Arrivals that the last one of them wants: warps for a local barrier, cores for a global one.
    pub expected: u32,
}

/// What the counter CSRs read as; the engine fills it before each step, so that meaning knows no cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterView {
    /// `mcycle`. Untimed: instructions issued by the core.
    pub cycles: u64,
    /// `minstret`: instructions, each counted once for every active lane.
    pub lane_instructions: u64,
    /// How often a program has read a counter CSR: what it does then may depend on time.
    pub reads: u64,
}

/// One core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreState {
    /// Which one.
    pub id: CoreId,
    /// The machine's figures.
    pub config: GpuConfig,
    /// Who wrote the program, which decides what it may touch.
    pub program_kind: ProgramKind,
    /// What it fetches.
    pub code: Arc<Code>,
    /// Its warps.
    pub warps: Vec<Warp>,
    /// Its local memory, word by word from `LOCAL_MEMORY_BASE`.
    pub local: Vec<u32>,
    /// Its local barriers.
    pub barriers: Vec<Barrier>,
    /// Its warps' arrivals at the machine's barriers.
    pub global_barriers: Vec<Barrier>,
    /// Machine-mode CSRs that were written, by number: storage without effect.
    pub machine_csrs: BTreeMap<u16, u32>,
    /// The texture stage that CSRs above it stand for.
    pub selected_stage: u32,
    /// Texture stages, four to a bank.
    pub stages: Vec<Stage>,
    /// What it wrote to the console.
    pub console: Vec<u8>,
    /// The word it stored to the exit address, or gave to the `exit` environment call.
    pub exit_code: Option<u32>,
    /// What counter CSRs read as.
    pub counters: CounterView,
    /// The region that the program says it is in.
    pub region: u32,
    /// The class of counters that the program has chosen to see.
    pub counter_class: u32,
    /// The counters of that class, as far as the engine counts them: it fills them before an instruction that reads one.
    pub shown_counters: [u64; SHOWN_COUNTERS],
}

/// Number of `mscratch`, which holds the argument block's address at a launch.
pub const MSCRATCH: u16 = 0x340;

impl CoreState {
    /// A core without a program; nothing runs.
    pub fn new(id: CoreId, config: &GpuConfig) -> Self {
        let barrier = Barrier::default();
        Self {
            id,
            config: *config,
            program_kind: ProgramKind::Kernel,
            code: Arc::new(Code::empty(config.extensions)),
            warps: (0..config.warps).map(|_| Warp::new(config.lanes)).collect(),
            local: vec![0; config.local_bytes as usize / 4],
            barriers: vec![barrier; config.barriers as usize],
            global_barriers: vec![barrier; config.global_barriers as usize],
            machine_csrs: BTreeMap::new(),
            selected_stage: 0,
            stages: vec![Stage::default(); config.texture_stages as usize],
            console: Vec::new(),
            exit_code: None,
            counters: CounterView::default(),
            region: 0,
            counter_class: 0,
            shown_counters: [0; SHOWN_COUNTERS],
        }
    }

    /// The state at a launch: warp 0, lane 0 at `entry`, `argument` in `mscratch`, everything else zero.
    /// Texture stages stay as the host filled them.
    pub fn start(&mut self, kind: ProgramKind, code: Arc<Code>, entry: Address, argument: Address) {
        self.program_kind = kind;
        self.code = code;
        for warp in &mut self.warps {
            warp.start(entry);
            warp.state = WarpState::Ended;
            warp.set_mask(ThreadMask::EMPTY);
        }
        self.warps[0].state = WarpState::Ready;
        self.warps[0].set_mask(ThreadMask::lane(0));
        self.local.fill(0);
        self.barriers.fill(Barrier::default());
        self.global_barriers.fill(Barrier::default());
        self.machine_csrs = BTreeMap::from([(MSCRATCH, argument.0)]);
        self.selected_stage = 0;
        self.console.clear();
        self.exit_code = None;
        self.counters = CounterView::default();
        self.region = 0;
        self.counter_class = 0;
        self.shown_counters.fill(0);
    }

    /// Whether it would behave like `other`: all of it is equal but how much it has run. Console and exit code are
    /// outputs, and local memory is memory.
    pub(crate) fn behaves_like(&self, other: &Self) -> bool {
        self.counters.reads == other.counters.reads
            && self.warps == other.warps
            && self.barriers == other.barriers
            && self.global_barriers == other.global_barriers
            && self.machine_csrs == other.machine_csrs
            && self.selected_stage == other.selected_stage
            && (self.region, self.counter_class) == (other.region, other.counter_class)
            && self.stages == other.stages
            && self.code == other.code
    }

    /// Names one of its lanes.
    pub fn lane_id(&self, warp: WarpId, lane: usize) -> LaneId {
        LaneId { core: self.id, warp, lane: lane as u8 }
    }

    /// A bit for each warp that has started and not ended.
    pub fn active_warps(&self) -> u32 {
        let alive = self.warps.iter().enumerate().filter(|(_, warp)| warp.is_alive());
        alive.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    /// Whether misaligned loads and stores trap.
    pub fn traps_misaligned(&self) -> bool {
        match self.config.misaligned {
            MisalignedPolicy::Trap => true,
            MisalignedPolicy::Split => false,
            MisalignedPolicy::ByProgram => self.program_kind == ProgramKind::Kernel,
        }
    }

    /// Byte offset in local memory, if all `bytes` bytes from `address` lie inside.
    #[inline]
    pub fn local_offset(&self, address: u32, bytes: u32) -> Option<u32> {
        let offset = address.wrapping_sub(LOCAL_MEMORY_BASE.0);
        let size = self.config.local_bytes;
        (offset < size && bytes <= size - offset).then_some(offset)
    }

    /// Whether all `bytes` bytes from `address` lie in the I/O page of this program.
    #[inline]
    pub fn is_io(&self, address: u32, bytes: u32) -> bool {
        self.program_kind == ProgramKind::Bare
            && (IO_BASE.0..IO_END.0).contains(&address)
            && address + bytes <= IO_END.0
    }

    /// Ends a warp; if that leaves warp 0 alone in a `wspawn`, the new warps start.
    pub(crate) fn end_warp(&mut self, warp: WarpId, memory: &Memory) {
        let ended = &mut self.warps[warp.index()];
        ended.state = WarpState::Ended;
        ended.set_mask(ThreadMask::EMPTY);
        memory.drop_reservations(self.id, warp);
        self.spawn_if_alone();
    }

    /// Ends all warps: the program has ended on this core.
    pub(crate) fn end_all_warps(&mut self, memory: &Memory) {
        for index in 0..self.warps.len() {
            self.warps[index].state = WarpState::Ended;
            self.warps[index].set_mask(ThreadMask::EMPTY);
            memory.drop_reservations(self.id, WarpId(index as u8));
        }
    }

    /// Lets the warps of a set of bits go on.
    pub(crate) fn wake(&mut self, warps: u32) {
        for (index, warp) in self.warps.iter_mut().enumerate() {
            if warps >> index & 1 != 0 {
                warp.state = WarpState::Ready;
            }
        }
    }

    /// Serves a waiting `wspawn` if warp 0 is the only warp left; gives whether it did.
    pub(crate) fn spawn_if_alone(&mut self) -> bool {
        let WarpState::Spawning { count, target } = self.warps[0].state else { return false };
        if self.active_warps() != 1 {
            return false;
        }
        self.warps[0].state = WarpState::Ready;
        let count = (count as usize).min(self.warps.len());
        for warp in self.warps.iter_mut().take(count).skip(1) {
            warp.start(target);
        }
        true
    }
}
