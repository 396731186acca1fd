//! Programs that the tests of traces and profiles share, and a machine to run them on.

use std::num::NonZero;

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, LaunchError, LaunchReport};
use gpu_core::isa::assembler::assemble;
use gpu_core::launcher::Launcher;
use gpu_core::units::Address;

use super::watch::Watch;

/// Three instructions of one lane; what each cycle of theirs does is worked out in the tests.
pub const THREE: &str = "li a0, 1\naddi a1, a0, 1\ntmc x0\n";

/// Every warp of every core with all lanes: a divergent branch, a store and a load, a barrier of the core.
pub const EVERYTHING: &str = "
    csrr    t0, num_warps
    la      t1, every
    wspawn  t0, t1
every:
    li      t0, -1
    tmc     t0
    csrr    s0, thread_id
    andi    s1, s0, 1
    split   s2, s1
    beqz    s1, 1f
    addi    a0, s0, 20
    j       2f
1:  addi    a0, s0, 10
2:  join    s2
    la      a1, data
    slli    a2, s0, 2
    add     a1, a1, a2
    sw      a0, 0(a1)
    lw      a4, 0(a1)
    csrr    s9, num_warps
    bar     x0, s9
    add     a4, a4, a0
    tmc     x0
    .data
data:
    .space  128
";

/// A machine by name, with or without caches that miss.
pub fn machine(name: &str, memory: &str) -> GpuConfig {
    let mut config = GpuConfig::from_name(name).expect("a sound machine");
    config.set_memory(memory).expect("a memory there is");
    config
}

/// Runs a program, watched, on some host threads.
pub fn launch(text: &str, config: &GpuConfig, threads: usize, watch: &mut Watch) -> Result<LaunchReport, LaunchError> {
    let program = assemble("test.s", text).expect("a sound program");
    let mut gpu = Gpu::new(*config).expect("a sound machine");
    gpu.set_host_threads(NonZero::new(threads).expect("some threads")).expect("threads can be had");
    watch.launch(&mut gpu, &program, Address(0))
}
