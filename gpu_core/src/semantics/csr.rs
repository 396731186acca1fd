//! Control and status registers: what a read gives and what a write does.
//!
//! fcsr and the texture bank belong to a warp; texture stages and the machine-mode registers, which are storage without
//! effect, to a core. A write takes the operand of the highest active lane, and none under an empty mask. Counters
//! ignore writes: the engine fills them.

use super::Fault;
use super::core_state::CoreState;
use crate::config::LOCAL_MEMORY_BASE;
use crate::isa::csr::{Csr, REGIONS, is_read_only};
use crate::isa::encoding::Instruction;
use crate::trap::TrapKind;
use crate::units::{MAX_LANES, WarpId};

/// First number of the registers of a texture stage.
const STAGE_BASE: u16 = 0x800;

/// How an instruction makes the new value out of the old one and its operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// csrrw: the operand.
    Write,
    /// csrrs: the operand's bits set.
    Set,
    /// csrrc: the operand's bits cleared.
    Clear,
}

/// Where the operand comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Integer register rs1.
    Register,
    /// The 5-bit immediate in rs1's place.
    Immediate,
}

/// rd = csr; csr = change(csr, operand).
pub(super) fn access(
    core: &mut CoreState,
    warp: WarpId,
    i: &Instruction,
    change: Change,
    source: Source,
) -> Result<(), Fault> {
    let state = &core.warps[warp.index()];
    let (mask, number) = (state.mask, i.imm as u16);
    let fault = |kind| Fault { lanes: mask, kind };
    let operand = match source {
        Source::Register => state.scalar(i.rs1),
        Source::Immediate => i.rs1.into(),
    };
    // RISC-V: csrrs and csrrc with x0 or 0 do not write at all.
    let is_write = change == Change::Write || i.rs1 != 0;
    let (csr, place) = Csr::of_number(number).ok_or(fault(TrapKind::UnknownCsr { number }))?;
    let home = home(csr);
    if is_write && is_read_only(number) {
        return Err(fault(TrapKind::ReadOnlyCsr { number }));
    }
    let old = read(core, warp, home, number, place).map_err(fault)?;
    core.counters.reads += u64::from(matches!(home, Home::Counter(..)));
    if is_write && !mask.is_empty() {
        let old = old[core.warps[warp.index()].scalar_lane()];
        let new = match change {
            Change::Write => operand,
            Change::Set => old | operand,
            Change::Clear => old & !operand,
        };
        write(core, warp, home, number, new);
    }
    core.warps[warp.index()].set_integer(i.rd, &old, mask);
    Ok(())
}

/// Which half of a 64-bit count a register is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

/// Where a register's contents are.
#[derive(Copy, Clone)]
enum Home {
    FloatFlags,
    RoundingMode,
    /// Both of these.
    FloatControl,
    /// Under its number, without effect.
    Storage,
    SelectedStage,
    /// In the texture stage that is selected.
    Stage,
    TextureBank,
    Region,
    CounterClass,
    /// Half of a count, of the register's place in its row; writes do nothing.
    Counter(Half, fn(&CoreState, u16) -> u64),
    /// It follows from the state of core and warp; writes do nothing.
    Shown(fn(&CoreState, WarpId) -> u32),
    /// The same, lane by lane.
    OfLane(fn(&CoreState, WarpId, u32) -> u32),
}

/// The home of each register.
fn home(csr: Csr) -> Home {
    const CYCLES: fn(&CoreState, u16) -> u64 = |core, _| core.counters.cycles;
    const INSTRUCTIONS: fn(&CoreState, u16) -> u64 = |core, _| core.counters.lane_instructions;
    const SHOWN: fn(&CoreState, u16) -> u64 = |core, place| core.shown_counters[usize::from(place)];
    match csr {
        Csr::Fflags => Home::FloatFlags,
        Csr::Frm => Home::RoundingMode,
        Csr::Fcsr => Home::FloatControl,
        Csr::Satp
        | Csr::Mstatus
        | Csr::Misa
        | Csr::Medeleg
        | Csr::Mideleg
        | Csr::Mie
        | Csr::Mtvec
        | Csr::Mcounteren
        | Csr::Mstatush
        | Csr::Mscratch
        | Csr::Mepc
        | Csr::Mcause
        | Csr::Mtval
        | Csr::Mip
        | Csr::Pmpcfg
        | Csr::Pmpaddr
        | Csr::Mnstatus => Home::Storage,
        Csr::TexStage => Home::SelectedStage,
        Csr::TexAddress
        | Csr::TexWidth
        | Csr::TexHeight
        | Csr::TexFormat
        | Csr::TexFilter
        | Csr::TexWrapU
        | Csr::TexWrapV
        | Csr::TexBorder
        | Csr::TexLevels
        | Csr::TexLayers
        | Csr::TexLayerStride
        | Csr::TexMipOffset => Home::Stage,
        Csr::TextureBank => Home::TextureBank,
        Csr::Region => Home::Region,
        Csr::CounterClass => Home::CounterClass,
        Csr::Mcycle | Csr::Cycle | Csr::Time => Home::Counter(Half::Low, CYCLES),
        Csr::Mcycleh | Csr::Cycleh | Csr::Timeh => Home::Counter(Half::High, CYCLES),
        Csr::Minstret | Csr::Instret => Home::Counter(Half::Low, INSTRUCTIONS),
        Csr::Minstreth | Csr::Instreth => Home::Counter(Half::High, INSTRUCTIONS),
        Csr::Mpm => Home::Counter(Half::Low, SHOWN),
        Csr::Mpmh => Home::Counter(Half::High, SHOWN),
        Csr::ThreadId => Home::OfLane(|_, _, lane| lane),
        Csr::WarpId => Home::Shown(|_, warp| warp.0.into()),
        Csr::CoreId => Home::Shown(|core, _| core.id.0.into()),
        Csr::ActiveWarps => Home::Shown(|core, _| core.active_warps()),
        Csr::ActiveThreads => Home::Shown(|core, warp| core.warps[warp.index()].mask.0 as u32),
        Csr::Mvendorid | Csr::Marchid | Csr::Mimpid => Home::Shown(|_, _| 0),
        Csr::Mhartid => Home::OfLane(|core, warp, lane| {
            let config = &core.config;
            (u32::from(core.id.0) * config.warps + u32::from(warp.0)) * config.lanes + lane
        }),
        Csr::NumThreads => Home::Shown(|core, _| core.config.lanes),
        Csr::NumWarps => Home::Shown(|core, _| core.config.warps),
        Csr::NumCores => Home::Shown(|core, _| core.config.cores),
        Csr::LocalMemBase => Home::Shown(|_, _| LOCAL_MEMORY_BASE.0),
        Csr::NumBarriers => Home::Shown(|core, _| core.config.barriers),
    }
}

/// The register as each lane sees it; `place` is its place in its row.
fn read(core: &CoreState, warp: WarpId, home: Home, number: u16, place: u16) -> Result<[u32; MAX_LANES], TrapKind> {
    let state = &core.warps[warp.index()];
    let value = match home {
        Home::FloatFlags => state.float_flags.into(),
        Home::RoundingMode => state.rounding_mode.into(),
        Home::FloatControl => u32::from(state.rounding_mode) << 5 | u32::from(state.float_flags),
        Home::Storage => core.machine_csrs.get(&number).copied().unwrap_or(0),
        Home::SelectedStage => core.selected_stage,
        Home::Stage => {
            let (stage, available) = (core.selected_stage, core.config.texture_stages);
            let selected = core.stages.get(stage as usize);
            let selected = selected.ok_or(TrapKind::NoSuchTextureStage { stage, available })?;
            selected.register((number - STAGE_BASE).into()).ok_or(TrapKind::UnknownCsr { number })?
        }
        Home::TextureBank => state.texture_bank,
        Home::Region => core.region,
        Home::CounterClass => core.counter_class,
        Home::Counter(Half::Low, count) => count(core, place) as u32,
        Home::Counter(Half::High, count) => (count(core, place) >> 32) as u32,
        Home::Shown(value) => value(core, warp),
        Home::OfLane(value) => return Ok(std::array::from_fn(|lane| value(core, warp, lane as u32))),
    };
    Ok([value; MAX_LANES])
}

/// `read` has made sure that the register exists, and its number that it can be written.
fn write(core: &mut CoreState, warp: WarpId, home: Home, number: u16, value: u32) {
    let state = &mut core.warps[warp.index()];
    match home {
        Home::FloatFlags => state.float_flags = (value & 0x1f) as u8,
        Home::RoundingMode => state.rounding_mode = (value & 7) as u8,
        Home::FloatControl => {
            state.float_flags = (value & 0x1f) as u8;
            state.rounding_mode = (value >> 5 & 7) as u8;
        }
        Home::Storage => {
            core.machine_csrs.insert(number, value);
        }
        Home::SelectedStage => core.selected_stage = value,
        Home::Stage => {
            if let Some(stage) = core.stages.get_mut(core.selected_stage as usize) {
                stage.set_register((number - STAGE_BASE).into(), value);
            }
        }
        Home::TextureBank => state.texture_bank = value,
        Home::Region => core.region = value % REGIONS,
        Home::CounterClass => {
            core.counter_class = value;
            // Those of the class before; the engine fills in what it counts of this one.
            core.shown_counters.fill(0);
        }
        Home::Counter(..) | Home::Shown(_) | Home::OfLane(_) => {}
    }
}
