//! The same results for any number of host threads.

use crate::support::{OUT, machine, out_words, program};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use std::num::NonZeroUsize;

/// Every core works on its own words for some rounds, meets the others by atomics, LR/SC and global barriers, and goes
/// on with what they left.
const TEXT: &str = "
        csrr t1, num_warps
        la t0, work
        wspawn t1, t0
    work:
        all_lanes
        csrr s0, mhartid
        slli s1, s0, 2
        li a0, OUT
        add s1, s1, a0
        li s2, 5
        li s3, 12345
        add s3, s3, s0
    round:
        li s4, 700
    compute:
        slli t0, s3, 13
        xor s3, s3, t0
        srli t0, s3, 17
        xor s3, s3, t0
        slli t0, s3, 5
        xor s3, s3, t0
        addi s4, s4, -1
        bnez s4, compute
        sw s3, 1024(s1)
        li t0, 2047
        add t1, a0, t0
        addi t1, t1, 1
        amoadd.w t2, s3, (t1)
        addi t1, t1, 4
        amoxor.w t2, s3, (t1)
        fence
        li t0, 0x80000000
        csrr t2, num_cores
        bar t0, t2
        li t0, 2047
        add t1, a0, t0
        lw t2, 1(t1)
        add s3, s3, t2
        li t0, 0x80000001
        csrr t2, num_cores
        bar t0, t2
        addi s2, s2, -1
        bnez s2, round
        sw s3, 0(s1)
        tmc x0";

fn run(config: GpuConfig, host_threads: Option<usize>) -> Gpu {
    let mut gpu = machine(config);
    if let Some(count) = host_threads {
        gpu.set_host_threads(NonZeroUsize::new(count).unwrap()).unwrap();
    }
    gpu.launch(&program(TEXT), OUT).unwrap();
    gpu
}

#[test]
fn any_number_of_host_threads_gives_the_same_machine() {
    let config = GpuConfig::vortex(4, 4, 8);
    let alone = run(config, Some(1));
    assert!(out_words(&alone)[..128].iter().all(|&word| word != 0));
    for count in [Some(2), Some(3), Some(8), None] {
        let shared = run(config, count);
        assert_eq!(out_words(&shared), out_words(&alone), "{count:?} host threads");
        assert_eq!(shared.report(), alone.report(), "{count:?} host threads");
        assert!(shared.cores() == alone.cores(), "{count:?} host threads");
    }
}

#[test]
fn every_run_repeats_exactly() {
    let config = GpuConfig::vortex(3, 2, 4);
    let (first, second) = (run(config, None), run(config, None));
    assert_eq!(out_words(&first), out_words(&second));
    assert!(first.cores() == second.cores());
}
