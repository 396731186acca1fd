//! `tex`, `texl`, `texf`: the texture crate's sampler model, fed from the core's texture stages and from memory.
//!
//! Before: stage registers, filled by the host or by CSR writes. The stage is (bank + banks ahead) · 4 + funct2, the bank a CSR of
//! the warp. Banks ahead and channel of a lookup word are scalar operands: those of the highest active lane; without an active
//! lane any stage will do. A texel outside every region, or off its alignment, is a fault.

use super::Fault;
use super::addresses::check_texel;
use super::core_state::CoreState;
use super::memory_access::read;
use super::retired::{Effect, Retired};
use crate::isa::encoding::Instruction;
use crate::memory::Memory;
use crate::trap::{AccessKind, TrapKind};
use crate::units::{MAX_LANES, ThreadMask, WarpId};
use texture::{Form, Lookup, Taps};

/// rd = colour or channel at u = rs1, v = rs2 (Q9.23); what rs3 says depends on the form.
pub(super) fn sample(
    core: &mut CoreState,
    warp: WarpId,
    memory: &Memory,
    i: &Instruction,
    form: Form,
    out: &mut Retired,
) -> Result<(), Fault> {
    let state = &core.warps[warp.index()];
    let mask = state.mask;
    let (u, v, operands) = (state.integer(i.rs1), state.integer(i.rs2), state.integer(i.rs3));
    let scalar = Lookup::of(form, operands[state.scalar_lane()]);
    let bank = state.texture_bank.saturating_add(scalar.banks_ahead);
    let mut index = bank.saturating_mul(4).saturating_add(i.funct2.into());
    if mask.is_empty() {
        // Nobody asks, and what a stale word says is no stage.
        index = index.min(core.config.texture_stages.saturating_sub(1));
    }
    let Some(stage) = core.stages.get(index as usize) else {
        let available = core.config.texture_stages;
        return Err(Fault { lanes: mask, kind: TrapKind::NoSuchTextureStage { stage: index, available } });
    };
    let lookup = |lane: usize| Lookup { channel: scalar.channel, ..Lookup::of(form, operands[lane]) };
    let mut fault: Option<Fault> = None;
    let (mut tap_count, mut piece) = (0, 0);
    out.texels.border = [mask; 4];
    for lane in mask.lanes() {
        let Taps { footprint, bytes } = texture::taps(form, stage, u[lane] as i32, v[lane] as i32, &lookup(lane));
        tap_count = footprint.tap_count.max(tap_count);
        piece = bytes;
        for (tap, texel) in footprint.taps.iter().enumerate().take(footprint.tap_count) {
            out.texels.addresses[tap][lane] = texel.address;
            if texel.is_border {
                continue;
            }
            out.texels.border[tap] = out.texels.border[tap].without(ThreadMask(1 << lane));
            if let Err(reason) = check_texel(core, memory, texel.address, bytes) {
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
        result[lane] = texture::answer(form, stage, u[lane] as i32, v[lane] as i32, &lookup(lane), fetch);
    }
    out.effect = Effect::Texture;
    out.texels.stage = index;
    out.texels.bytes = piece as u8;
    out.texels.tap_count = tap_count as u8;
    let state = &mut core.warps[warp.index()];
    match form {
        Form::Level | Form::Lookup => state.set_integer(i.rd, &result, mask),
        Form::Channel => state.set_float(i.rd, &result, mask),
    }
    Ok(())
}
