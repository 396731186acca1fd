//! `tex`: the texture crate's sampler model, fed from the core's texture stages and from memory.
//!
//! Before: stage registers, filled by the host or by CSR writes. The stage is bank · 4 + funct2, the bank a CSR of the
//! warp. A texel outside every region, or off its alignment, is a fault.

use super::Fault;
use super::addresses::check_texel;
use super::core_state::CoreState;
use super::memory_access::read;
use super::retired::{Effect, Retired};
use crate::isa::encoding::Instruction;
use crate::memory::Memory;
use crate::trap::{AccessKind, TrapKind};
use crate::units::{MAX_LANES, ThreadMask, WarpId};

/// rd = A8R8G8B8 colour at u = rs1, v = rs2 (Q9.23), level rs3.
pub(super) fn sample(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    out: &mut Retired,
) -> Result<(), Fault> {
    let state = &core.warps[warp.index()];
    let mask = state.mask;
    let index = state.texture_bank.saturating_mul(4).saturating_add(i.funct2.into());
    let Some(stage) = core.stages.get(index as usize) else {
        let available = core.config.texture_stages;
        return Err(Fault { lanes: mask, kind: TrapKind::NoSuchTextureStage { stage: index, available } });
    };
    let (u, v, level) = (state.integer(i.rs1), state.integer(i.rs2), state.integer(i.rs3));
    let bytes = stage.format.bytes();
    let mut fault: Option<Fault> = None;
    out.texels.border = [ThreadMask::EMPTY; 4];
    for lane in mask.lanes() {
        let footprint = texture::footprint(stage, u[lane] as i32, v[lane] as i32, level[lane]);
        for (tap, texel) in footprint.taps.iter().enumerate().take(footprint.tap_count) {
            out.texels.addresses[tap][lane] = texel.address;
            if texel.is_border {
                out.texels.border[tap].insert(lane);
            } else if let Err(reason) = check_texel(core, memory, texel.address, bytes) {
                let kind = reason.trap(AccessKind::Texel, lane, texel.address, bytes);
                fault.get_or_insert(Fault { lanes: ThreadMask::EMPTY, kind }).lanes.insert(lane);
            }
        }
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    let mut result = [0; MAX_LANES];
    for lane in mask.lanes() {
        let fetch = |address, bytes| read(core, memory, address, bytes);
        result[lane] = texture::sample(stage, u[lane] as i32, v[lane] as i32, level[lane], fetch);
    }
    out.effect = Effect::Texture;
    out.texels.stage = index;
    out.texels.bytes = bytes as u8;
    out.texels.tap_count = stage.filter.tap_count() as u8;
    core.warps[warp.index()].set_integer(i.rd, &result, mask);
    Ok(())
}
