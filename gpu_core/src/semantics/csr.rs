//! Control and status registers: what a read gives and what a write does.
//!
//! fcsr and the texture bank belong to a warp; texture stages and the machine-mode registers, which are storage without
//! effect, to a core. A write takes the operand of the highest active lane, and none under an empty mask. Counters
//! ignore writes: the engine fills them.

use super::Fault;
use super::core_state::CoreState;
use crate::config::LOCAL_MEMORY_BASE;
use crate::isa::csr::{Csr, is_read_only};
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
    let (csr, _) = Csr::of_number(number).ok_or(fault(TrapKind::UnknownCsr { number }))?;
    if is_write && is_read_only(number) {
        return Err(fault(TrapKind::ReadOnlyCsr { number }));
    }
    let old = read(core, warp, csr, number).map_err(fault)?;
    core.counters.reads += u64::from(is_counter(csr));
    if is_write && !mask.is_empty() {
        let old = old[core.warps[warp.index()].scalar_lane()];
        let new = match change {
            Change::Write => operand,
            Change::Set => old | operand,
            Change::Clear => old & !operand,
        };
        write(core, warp, csr, number, new);
    }
    core.warps[warp.index()].set_integer(i.rd, &old, mask);
    Ok(())
}

/// The register as each lane sees it.
fn read(core: &CoreState, warp: WarpId, csr: Csr, number: u16) -> Result<[u32; MAX_LANES], TrapKind> {
    let state = &core.warps[warp.index()];
    let config = &core.config;
    let counters = &core.counters;
    let thread = (u32::from(core.id.0) * config.warps + u32::from(warp.0)) * config.lanes;
    let value = match csr {
        Csr::Fflags => state.float_flags.into(),
        Csr::Frm => state.rounding_mode.into(),
        Csr::Fcsr => u32::from(state.rounding_mode) << 5 | u32::from(state.float_flags),
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
        | Csr::Mnstatus => core.machine_csrs.get(&number).copied().unwrap_or(0),
        Csr::TexStage => core.selected_stage,
        Csr::TexAddress
        | Csr::TexWidth
        | Csr::TexHeight
        | Csr::TexFormat
        | Csr::TexFilter
        | Csr::TexWrapU
        | Csr::TexWrapV
        | Csr::TexBorder
        | Csr::TexLevels
        | Csr::TexMipOffset => {
            let (stage, available) = (core.selected_stage, config.texture_stages);
            let selected = core.stages.get(stage as usize);
            let selected = selected.ok_or(TrapKind::NoSuchTextureStage { stage, available })?;
            selected.register((number - STAGE_BASE).into()).ok_or(TrapKind::UnknownCsr { number })?
        }
        Csr::TextureBank => state.texture_bank,
        Csr::Mcycle | Csr::Cycle | Csr::Time => counters.cycles as u32,
        Csr::Mcycleh | Csr::Cycleh | Csr::Timeh => (counters.cycles >> 32) as u32,
        Csr::Minstret | Csr::Instret => counters.lane_instructions as u32,
        Csr::Minstreth | Csr::Instreth => (counters.lane_instructions >> 32) as u32,
        Csr::ThreadId => return Ok(std::array::from_fn(|lane| lane as u32)),
        Csr::WarpId => warp.0.into(),
        Csr::CoreId => core.id.0.into(),
        Csr::ActiveWarps => core.active_warps(),
        Csr::ActiveThreads => state.mask.0 as u32,
        Csr::Mvendorid | Csr::Marchid | Csr::Mimpid => 0,
        Csr::Mhartid => return Ok(std::array::from_fn(|lane| thread + lane as u32)),
        Csr::NumThreads => config.lanes,
        Csr::NumWarps => config.warps,
        Csr::NumCores => config.cores,
        Csr::LocalMemBase => LOCAL_MEMORY_BASE.0,
        Csr::NumBarriers => config.barriers,
    };
    Ok([value; MAX_LANES])
}

/// Whether the register shows time or work done.
fn is_counter(csr: Csr) -> bool {
    use Csr::{Cycle, Cycleh, Instret, Instreth, Mcycle, Mcycleh, Minstret, Minstreth, Time, Timeh};
    matches!(csr, Mcycle | Mcycleh | Cycle | Cycleh | Time | Timeh | Minstret | Minstreth | Instret | Instreth)
}

/// `read` has made sure that the register exists, and its number that it can be written.
fn write(core: &mut CoreState, warp: WarpId, csr: Csr, number: u16, value: u32) {
    let state = &mut core.warps[warp.index()];
    match csr {
        Csr::Fflags => state.float_flags = (value & 0x1f) as u8,
        Csr::Frm => state.rounding_mode = (value & 7) as u8,
        Csr::Fcsr => {
            state.float_flags = (value & 0x1f) as u8;
            state.rounding_mode = (value >> 5 & 7) as u8;
        }
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
        | Csr::Mnstatus => {
            core.machine_csrs.insert(number, value);
        }
        Csr::TexStage => core.selected_stage = value,
        Csr::TexAddress
        | Csr::TexWidth
        | Csr::TexHeight
        | Csr::TexFormat
        | Csr::TexFilter
        | Csr::TexWrapU
        | Csr::TexWrapV
        | Csr::TexBorder
        | Csr::TexLevels
        | Csr::TexMipOffset => {
            if let Some(stage) = core.stages.get_mut(core.selected_stage as usize) {
                stage.set_register((number - STAGE_BASE).into(), value);
            }
        }
        Csr::TextureBank => state.texture_bank = value,
        Csr::Mcycle | Csr::Minstret | Csr::Mcycleh | Csr::Minstreth => {}
        Csr::Cycle
        | Csr::Time
        | Csr::Instret
        | Csr::Cycleh
        | Csr::Timeh
        | Csr::Instreth
        | Csr::ThreadId
        | Csr::WarpId
        | Csr::CoreId
        | Csr::ActiveWarps
        | Csr::ActiveThreads
        | Csr::Mvendorid
        | Csr::Marchid
        | Csr::Mimpid
        | Csr::Mhartid
        | Csr::NumThreads
        | Csr::NumWarps
        | Csr::NumCores
        | Csr::LocalMemBase
        | Csr::NumBarriers => {}
    }
}
