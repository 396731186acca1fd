//! A warp can live with an empty thread mask: what each family of instructions does then. (`gpu_core/tests/machine/thread_masks.rs`
//! has the instructions that make one.)

use super::retired::Retired;
use super::warp::WarpState;
use super::{Code, CoreState, complete, step};
use crate::config::GpuConfig;
use crate::isa::assemble;
use crate::memory::{Access, Memory};
use crate::program::CODE_BASE;
use crate::trap::TrapKind;
use crate::units::{Address, CoreId, ThreadMask, WarpId};
use std::sync::Arc;

const WARP: WarpId = WarpId(0);
const DATA: Address = Address(0x1_0000);

/// Runs `text` under an empty mask; the last mask was lanes 1 and 2 of four, and x1 is 10 times the lane.
fn run(text: &str) -> (CoreState, Memory, Result<(), TrapKind>) {
    let config = GpuConfig::vortex(1, 2, 4);
    let program = assemble("test.s", text).unwrap();
    let count = program.segments[0].bytes.len() / 4;
    let mut memory = Memory::new();
    memory.map("data", DATA, 64, Access::ReadWrite).unwrap();
    let mut core = CoreState::new(CoreId(0), &config);
    core.start(program.kind, Arc::new(Code::new(&program, config.extensions)), CODE_BASE, Address(0));
    let warp = &mut core.warps[0];
    let values = std::array::from_fn(|lane| 10 * lane as u32);
    warp.set_integer(1, &values, ThreadMask(0xf));
    warp.set_integer(2, &[DATA.0; 32], ThreadMask(0xf));
    // A lookup word with 63 banks ahead: more than there are.
    warp.set_integer(4, &[0xf0c0; 32], ThreadMask(0xf));
    warp.set_mask(ThreadMask(0b0110));
    warp.set_mask(ThreadMask::EMPTY);
    let mut out = Retired::default();
    for _ in 0..count {
        if core.warps[0].state != WarpState::Ready {
            break;
        }
        if let Err(trap) = step(&mut core, WARP, &memory, &mut out) {
            return (core, memory, Err(trap.kind));
        }
        complete(&mut core, WARP, &memory, &mut out);
    }
    (core, memory, Ok(()))
}

#[test]
fn a_lookup_of_nobody_needs_no_stage() {
    let (core, _, result) = run("texl x1, x1, x1, x4, 3");
    assert_eq!(result, Ok(()));
    assert_eq!(core.warps[0].integer(1), [0, 10, 20, 30]);
}

#[test]
fn registers_memory_and_csrs_stay_as_they_are() {
    let (core, memory, result) = run("
        addi x1, x1, 1
        sw x1, 0(x2)
        lw x1, 0(x2)
        lw x1, 0(x0)
        amoadd.w x1, x1, (x2)
        csrw mtvec, x2
        csrwi frm, 3
        vote.any x1, x2
        fadd.s f1, f1, f1
        fence");
    assert_eq!(result, Ok(()));
    assert_eq!(core.warps[0].integer(1), [0, 10, 20, 30]);
    assert_eq!(memory.load(DATA, 4), Some(0));
    assert_eq!(core.machine_csrs.get(&0x305), None);
    assert_eq!(core.warps[0].rounding_mode, 0);
    assert_eq!(core.warps[0].state, WarpState::Ready);
    // "An instruction under an empty mask costs its slot."
    assert_eq!(core.warps[0].pc, CODE_BASE.offset(4 * 10));
}

/// "With an empty mask, from the highest lane of the last non-empty one."
#[test]
fn scalar_operands_come_from_the_last_mask() {
    // x1 is 20 in lane 2: the mask it gives is lanes 2 and 4, trimmed to lane 2.
    let (core, _, result) = run("tmc x1");
    assert_eq!((core.warps[0].mask, result), (ThreadMask(0b0100), Ok(())));
    let (core, _, _) = run("pred x1, x1");
    assert_eq!(core.warps[0].mask, ThreadMask(0b0100));
    let (core, _, _) = run("jalr x3, 44(x1)");
    assert_eq!((core.warps[0].pc, core.warps[0].integer(3)[2]), (Address(64), 0));
    let (core, _, _) = run("bnez x1, . + 16");
    assert_eq!(core.warps[0].pc, CODE_BASE.offset(16));
}

#[test]
fn split_and_join_do_nothing_and_barriers_count_the_warp() {
    let (core, _, result) = run("split x3, x1; join x3");
    assert_eq!((core.warps[0].mask, result), (ThreadMask::EMPTY, Ok(())));
    assert!(core.warps[0].divergences.is_empty());
    let (core, _, _) = run("bar x0, x1");
    assert_eq!((core.warps[0].state, core.barriers[0].arrived), (WarpState::LocalBarrier(0), 1));
}

/// "Only `tmc 0` (and `pred` restoring 0) ends a warp."
#[test]
fn tmc_0_ends_the_warp() {
    let (core, _, _) = run("nop; tmc x0");
    assert_eq!(core.warps[0].state, WarpState::Ended);
}
