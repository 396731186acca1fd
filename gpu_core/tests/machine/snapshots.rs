//! The machine's whole state can be cloned and saved.

use crate::support::{OUT, machine, one_warp, out_words, program};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, RunState};
use gpu_core::snapshot::{RestoreError, VERSION};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Warps that diverge, wait at barriers, hold reservations and have local memory, console output and flags.
const TEXT: &str = "
        start_warps 3, work
    work:
        all_lanes
        lane_out a0
        csrr s1, warp_id
        slli t0, s1, 6
        add a0, a0, t0
        li s0, 0xffff0000
        li s2, 30
        fcvt.s.w f1, s2
    loop:
        csrr t0, thread_id
        andi t0, t0, 1
        split s3, t0
        beqz t0, even
        lr.w t1, (a0)
        addi t1, t1, 3
        sc.w t2, t1, (a0)
        j end
    even:
        fdiv.s f2, f1, f1
        frflags t3
        addi t1, t1, 1
    end:
        join s3
        sw t1, 32(s0)
        li t4, 'x'
        li t5, 0x40
        sb t4, 0(t5)
        li t4, 0
        li t5, 3
        bar t4, t5
        addi s2, s2, -1
        bnez s2, loop
        sw t1, 1024(a0)
        tmc x0";

#[test]
fn a_restored_machine_goes_on_as_the_saved_one() {
    let program = program(TEXT);
    let mut whole = machine(GpuConfig::vortex(2, 4, 4));
    let report = whole.launch(&program, OUT).unwrap();
    assert!(report.console.len() > 100);
    for pause in [1, 7, 100, 333, 1001] {
        let mut gpu = machine(GpuConfig::vortex(2, 4, 4));
        gpu.start(&program, OUT).unwrap();
        assert_eq!(gpu.resume(pause).unwrap(), RunState::Paused);
        let bytes = gpu.snapshot();
        let mut restored = Gpu::restore(&bytes).unwrap();
        assert_eq!(restored.snapshot(), bytes);
        assert_eq!(restored.resume(u64::MAX).unwrap(), RunState::Ended);
        assert_eq!(restored.report(), report, "paused after {pause}");
        assert_eq!(out_words(&restored), out_words(&whole), "paused after {pause}");
        // The one that was saved has not changed.
        assert_eq!(gpu.snapshot(), bytes);
    }
}

#[test]
fn a_restored_machine_can_be_used_like_any_other() {
    let mut gpu = machine(one_warp(4));
    let buffer = gpu.allocate(100_000, "buffer").unwrap();
    gpu.upload(buffer.offset(50_001), b"saved").unwrap();
    gpu.launch(&program("ebreak"), OUT).unwrap_err();
    let bytes = gpu.snapshot();
    assert!(bytes.len() < 200_000, "zeros are not saved: {} bytes", bytes.len());
    let mut restored = Gpu::restore(&bytes).unwrap();
    assert_eq!(restored.read_back(buffer.offset(50_001), 5).unwrap(), b"saved");
    restored.launch(&program("li t0, 5; csrr a0, mscratch; sw t0, 0(a0); tmc x0"), OUT).unwrap();
    assert_eq!(out_words(&restored)[0], 5);
    restored.free(buffer).unwrap();
    assert_eq!(restored.allocate(64, "next").unwrap(), buffer);
    assert_ne!(restored.snapshot(), bytes);
}

#[test]
fn what_is_no_snapshot_is_refused() {
    assert_eq!(Gpu::restore(b"").unwrap_err(), RestoreError::NotASnapshot);
    assert_eq!(Gpu::restore(b"WPGX\x01\0\0\0").unwrap_err(), RestoreError::NotASnapshot);
    let error = Gpu::restore(b"WPGS\x09\0\0\0rest").unwrap_err();
    assert_eq!(error.to_string(), format!("the snapshot has version 9, this program reads version {VERSION}"));
    assert!(matches!(
        Gpu::restore(&[&b"WPGS"[..], &VERSION.to_le_bytes()].concat()).unwrap_err(),
        RestoreError::Damaged(_)
    ));
}

/// A small machine in the middle of the program.
static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut gpu = machine(GpuConfig { local_bytes: 64, texture_stages: 4, ..GpuConfig::vortex(1, 4, 2) });
    gpu.start(&program(TEXT), OUT).unwrap();
    gpu.resume(200).unwrap();
    gpu.snapshot()
});

proptest! {
    #![proptest_config(crate::seeded::seeded(200))]

    /// A damaged snapshot is refused, or is another machine that works; the host does not panic.
    #[test]
    fn damage_does_no_harm(at in any::<prop::sample::Index>(), value: u8, cut in any::<prop::sample::Index>(), is_cut: bool) {
        let mut bytes = SAVED.clone();
        let at = at.index(bytes.len());
        bytes[at] = value;
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mut restored) = Gpu::restore(&bytes) {
            let _ = restored.resume(10_000);
            restored.snapshot();
        }
    }
}
