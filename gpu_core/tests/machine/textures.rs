//! `tex` and the texture stages.

use crate::support::{OUT, kernel, machine, one_warp, out_words, program, trap_of, trap_of_program};
use gpu_core::gpu::{Mode, TextureStageError};
use gpu_core::trap::{AccessKind, TrapKind};
use texture::{Filter, Form, Format, Lookup, Stage, Wrap};

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

/// Each lane looks up at lane / 8 with the word `8 lane & 1: filter, lane & 3: level and layer` of its lane.
const LOOK_UP: &str = "
        all_lanes
        lane_out a0
        csrr t0, thread_id
        slli t1, t0, 20
        andi t2, t0, 3          # level
        slli t3, t2, 16         # layer
        or t2, t2, t3
        andi t3, t0, 1
        addi t3, t3, 1
        slli t3, t3, 10         # point or bilinear
        or t2, t2, t3
        li t3, 0x1200           # channel blue, one bank ahead
        or t2, t2, t3
        texl t4, t1, x0, t2, 1
        sw t4, 0(a0)
        texf ft0, t1, x0, t2, 2
        fsw ft0, 128(a0)
        tmc x0";

/// `texl` and `texf` are the sampler model too: level, filter and layer lane by lane, channel and bank for the warp.
#[test]
fn lookups_are_the_sampler_model() {
    for lanes in [1, 4, 8, 16, 32] {
        for format in [Format::A8R8G8B8, Format::Rgba8Srgb, Format::Rgba16Float, Format::R32Float, Format::Rg8Sint] {
            let mut gpu = machine(one_warp(lanes));
            let mut image = texture::Image::blank_layers(format, 4, 4, 3, 3).unwrap();
            for (index, byte) in image.bytes.iter_mut().enumerate() {
                *byte = (index * 37 % 113) as u8;
            }
            let address = gpu.allocate(image.bytes.len() as u32, "texels").unwrap();
            gpu.upload(address, &image.bytes).unwrap();
            let stage =
                image.stage(address.0, texture::Sampling { wrap_u: Wrap::Mirror, ..Default::default() }).unwrap();
            gpu.set_texture_stage(5, &stage).unwrap();
            gpu.set_texture_stage(6, &stage).unwrap();
            gpu.launch(&kernel(LOOK_UP), OUT).unwrap();
            let got = out_words(&gpu);
            for lane in 0..lanes {
                let word = lane & 3 | (lane & 3) << 16 | ((lane & 1) + 1) << 10 | 0x1200;
                for (form, start) in [(Form::Lookup, 0), (Form::Channel, 32)] {
                    let fetch = |at: u32, bytes| image.fetch(at - address.0, bytes);
                    let lookup = Lookup::of(form, word);
                    let expected = texture::answer(form, &stage, (lane << 20) as i32, 0, &lookup, fetch);
                    assert_eq!(got[start + lane as usize], expected, "{format:?} {form:?} lane {lane} of {lanes}");
                }
            }
        }
    }
}

/// The highest active lane says which stage and which channel.
#[test]
fn stage_and_channel_of_a_lookup_are_scalar() {
    let mut gpu = machine(one_warp(4));
    let address = gpu.allocate(16, "texels").unwrap();
    gpu.upload(address, bytes_of(&TEXELS)).unwrap();
    let width = |width| Stage { width, ..stage(address.0) };
    gpu.set_texture_stage(0, &width(1)).unwrap();
    gpu.set_texture_stage(4, &width(2)).unwrap();
    let text = "all_lanes; lane_out a0; csrr t0, thread_id; li t1, 0x400000; sltiu t2, t0, 3; xori t2, t2, 1
        slli t3, t2, 12; slli t4, t0, 8; or t3, t3, t4; texf ft0, t1, x0, t3, 0; fsw ft0, 0(a0); tmc x0";
    gpu.launch(&kernel(text), OUT).unwrap();
    // Lane 3 asks for alpha, one bank ahead: the second of two texels there.
    assert_eq!(out_words(&gpu)[..4], [(128.0f32 / 255.0).to_bits(); 4]);
}

/// Timed, a lane whose filter is point costs one texel, and a channel that the format lacks costs none.
#[test]
fn lookups_count_the_taps_they_take() {
    for (word, texels) in [("0x800", 32), ("0x400", 8), ("0x900", 0)] {
        let mut gpu = machine(one_warp(8));
        gpu.set_mode(Mode::Timed);
        let address = gpu.allocate(64, "texels").unwrap();
        let r32 = Stage { format: Format::R32Float, ..stage(address.0) };
        gpu.set_texture_stage(0, &r32).unwrap();
        let text = format!("all_lanes; li t0, {word}; li t1, 0x300000; texf ft0, t1, t1, t0, 0; tmc x0");
        let report = gpu.launch(&kernel(&text), OUT).unwrap();
        let counters = &report.timed.as_ref().unwrap().counters;
        assert_eq!(counters.sum().texture.texels, texels, "{word}");
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
