//! `tex` and the texture stages.

use crate::support::{OUT, kernel, machine, one_warp, out_words, program, trap_of, trap_of_program};
use gpu_core::gpu::TextureStageError;
use gpu_core::trap::{AccessKind, TrapKind};
use texture::{Filter, Format, Stage, Wrap};

/// Four texels in a row.
const TEXELS: [u32; 4] = [0xff11_2233, 0x8044_5566, 0x4077_8899, 0x00aa_bbcc];

fn stage(address: u32) -> Stage {
    let (wrap_u, wrap_v) = (Wrap::Repeat, Wrap::Clamp);
    Stage { address, width: 4, height: 1, levels: 1, format: Format::A8R8G8B8, wrap_u, wrap_v, ..Stage::default() }
}

/// Each lane samples at lane / 8.
const SAMPLE: &str = "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        slli t0, t0, 20
        tex t1, t0, x0, x0, 1
        sw t1, 0(a0)
        tmc x0";

fn expected(stage: &Stage, lanes: u32) -> Vec<u32> {
    let fetch = |address: u32, _| TEXELS[((address - stage.address) / 4) as usize];
    (0..lanes).map(|lane| texture::sample(stage, (lane << 20) as i32, 0, 0, fetch)).collect()
}

/// The host's launch fills stages; `tex` is the sampler model, lane by lane.
#[test]
fn tex_is_the_sampler_model() {
    for filter in [Filter::Point, Filter::Bilinear] {
        let mut gpu = machine(one_warp(32));
        let address = gpu.allocate(16, "texels").unwrap();
        gpu.upload(address, bytes_of(&TEXELS)).unwrap();
        let stage = Stage { filter, ..stage(address.0) };
        gpu.set_texture_stage(1, &stage).unwrap();
        gpu.launch(&kernel(SAMPLE), OUT).unwrap();
        assert_eq!(out_words(&gpu)[..32], expected(&stage, 32), "{filter:?}");
    }
}

/// "Texture state: stage registers per core, at CSRs 0x800–0x83F … stage = bank · 4 + funct2", written by a kernel.
#[test]
fn a_kernel_writes_stages_and_picks_a_bank() {
    let mut gpu = machine(one_warp(8));
    let address = gpu.allocate(16, "texels").unwrap();
    gpu.upload(address, bytes_of(&TEXELS)).unwrap();
    let text = format!(
        "li t0, 9; csrw tex_stage, t0; li t0, {}; csrw tex_address, t0; csrwi tex_width, 4; csrwi tex_height, 1
        csrwi tex_levels, 1; csrwi tex_wrap_u, 1; csrwi tex_filter, 1; csrwi texture_bank, 2
        csrr t0, tex_width; csrr t1, texture_bank; li a0, OUT; sw t0, 128(a0); sw t1, 132(a0); {SAMPLE}",
        address.0
    );
    gpu.launch(&program(&text), OUT).unwrap();
    let out = out_words(&gpu);
    assert_eq!(out[..8], expected(&Stage { filter: Filter::Bilinear, ..stage(address.0) }, 8));
    assert_eq!(out[32..34], [4, 2]);
}

#[test]
fn a_stage_past_the_table_traps_and_is_refused() {
    let trap = trap_of(one_warp(1), "csrwi texture_bank, 16; tex t1, t0, x0, x0, 3");
    assert_eq!(trap.kind, TrapKind::NoSuchTextureStage { stage: 67, available: 64 });
    assert!(trap.to_string().ends_with("texture stage 67 does not exist, there are 64"), "{trap}");
    trap_of(one_warp(1), "li t0, -1; csrw texture_bank, t0; tex t1, t0, x0, x0, 3");
    let trap = trap_of(one_warp(1), "li t0, 64; csrw tex_stage, t0; csrr t1, tex_width");
    assert_eq!(trap.kind, TrapKind::NoSuchTextureStage { stage: 64, available: 64 });
    let mut gpu = machine(one_warp(1));
    let error = gpu.set_texture_stage(64, &stage(0)).unwrap_err();
    assert_eq!(error.to_string(), "texture stage 64 does not exist, there are 64");
    assert!(matches!(gpu.set_texture_stage(0, &Stage::default()), Err(TextureStageError::Stage { index: 0, .. })));
}

#[test]
fn a_texel_outside_memory_traps() {
    let (trap, gpu) = trap_of_program(one_warp(4), &kernel("li t1, 5; tex t1, t0, x0, x0, 0; tmc x0"));
    assert!(matches!(trap.kind, TrapKind::OutsideMemory { access: AccessKind::Texel, .. }), "{trap}");
    assert!(trap.to_string().contains("texel fetch of 4 bytes at 0x00000000 (lane 0) lies outside"), "{trap}");
    assert_eq!(gpu.cores()[0].warps[0].integer(6)[0], 5);
    let trap = trap_of(one_warp(1), "li t0, OUT + 2; csrw tex_address, t0; tex t1, x0, x0, x0, 0");
    assert!(matches!(trap.kind, TrapKind::Misaligned { access: AccessKind::Texel, .. }), "{trap}");
}

fn bytes_of(words: &[u32; 4]) -> &[u8] {
    bytemuck::cast_slice(words)
}
