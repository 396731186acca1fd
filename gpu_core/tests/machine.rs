//! The machine runs assembled programs.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::isa::assembler::assemble;
use gpu_core::units::Address;

#[test]
fn lanes_store_their_numbers() {
    let program = assemble(
        "test.s",
        "
        _start:
            csrr t0, mscratch
            li t1, -1
            tmc t1
            csrr t0, mscratch
            csrr t1, thread_id
            slli t2, t1, 2
            add t0, t0, t2
            addi t1, t1, 100
            sw t1, 0(t0)
            tmc x0
        ",
    )
    .unwrap();
    let mut gpu = Gpu::new(GpuConfig::vortex(1, 1, 4)).unwrap();
    let out = gpu.allocate(64, "out").unwrap();
    let report = gpu.launch(&program, out).unwrap();
    assert_eq!(report.warp_instructions, 10);
    let words: Vec<u32> = bytemuck::cast_slice(&gpu.read_back(out, 20).unwrap()).to_vec();
    assert_eq!(words, [100, 101, 102, 103, 0]);
    let _ = Address(0);
}
