//! Public bug reports that a machine like this one could share: arithmetic at its edges, and work items left over.
//!
//! The cases about misaligned loads, barriers and odd shapes are with their rules: A6 in `machine/memory.rs`, A8 in
//! `machine/progress.rs`, A9 and A10 in `machine/barriers.rs`, A11 in `machine/launches.rs`.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::isa::assemble;
use gpu_core::units::Address;

/// Invalid, inexact: bits of fflags.
const NV: u32 = 16;
const NX: u32 = 1;

/// Runs an instruction over fa0, fa1, fa2 (and a0) in four lanes; gives its result from fa3 or a3 of the last lane,
/// and the flags if the program asks for them.
#[track_caller]
fn run(instruction: &str, inputs: &[u32], frm: u32, asks: Asks) -> (u32, u32) {
    let loads: String =
        inputs.iter().enumerate().map(|(n, bits)| format!("li t0, {bits:#x}\nfmv.w.x fa{n}, t0\n")).collect();
    let integers: String = inputs.iter().enumerate().map(|(n, bits)| format!("li a{n}, {bits:#x}\n")).collect();
    let target = instruction.split([' ', ',']).nth(1).expect("it has operands");
    let result = if target.starts_with('f') { "fmv.x.w a3, fa3" } else { "" };
    let flags = if asks == Asks::Flags { "frflags a4" } else { "li a4, 0" };
    let text = format!(
        "li t0, -1\ntmc t0\nfsrmi {frm}\n{loads}{integers}{instruction}\n{result}\n{flags}\n\
         csrr s0, mscratch\nsw a3, 0(s0)\nsw a4, 4(s0)\ntmc x0"
    );
    let program = assemble("case.s", &text).unwrap_or_else(|error| panic!("{error}"));
    let mut gpu = Gpu::new(GpuConfig::vortex(1, 1, 4)).expect("it is a preset's shape");
    let out = gpu.allocate(64, "out").expect("there is room");
    gpu.launch(&program, out).unwrap_or_else(|error| panic!("{error}"));
    let words = words_of(&gpu, out, 2);
    (words[0], words[1])
}

/// Whether the program reads the flags; the machine may compute in another way if it does not.
#[derive(Copy, Clone, PartialEq)]
enum Asks {
    Flags,
    ValueOnly,
}

fn words_of(gpu: &Gpu, address: Address, count: u32) -> Vec<u32> {
    let bytes = gpu.read_back(address, count * 4).expect("the buffer is there");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// Value and flags, and the same value where nobody asks for flags.
#[track_caller]
fn check(instruction: &str, inputs: &[u32], value: u32, flags: u32) {
    let found = run(instruction, inputs, 0, Asks::Flags);
    assert_eq!(found, (value, flags), "{instruction} of {inputs:08x?}: {:08x} flags {:02x}", found.0, found.1);
    let found = run(instruction, inputs, 0, Asks::ValueOnly).0;
    assert_eq!(found, value, "{instruction} of {inputs:08x?} without flags: {found:08x}");
}

#[test]
fn a1_minimum_and_maximum_keep_the_number() {
    check("fmin.s fa3, fa0, fa1", &[0x7f80_0001, 0x3f80_0000], 0x3f80_0000, NV);
    check("fmin.s fa3, fa0, fa1", &[0x7fc0_0001, 0x3f80_0000], 0x3f80_0000, 0);
    check("fmax.s fa3, fa0, fa1", &[0x3f80_0000, 0x7f80_0001], 0x3f80_0000, NV);
    check("fmin.s fa3, fa0, fa1", &[0x8000_0000, 0x0000_0000], 0x8000_0000, 0);
    check("fmin.s fa3, fa0, fa1", &[0x0000_0000, 0x8000_0000], 0x8000_0000, 0);
    check("fmax.s fa3, fa0, fa1", &[0x8000_0000, 0x0000_0000], 0x0000_0000, 0);
}

#[test]
fn a2_conversions_saturate_and_say_so() {
    check("fcvt.w.s a3, fa0, rtz", &[0x4f00_0000], 0x7fff_ffff, NV);
    check("fcvt.w.s a3, fa0, rtz", &[0x7fc0_0000], 0x7fff_ffff, NV);
    check("fcvt.wu.s a3, fa0, rtz", &[0x7fc0_0000], 0xffff_ffff, NV);
    check("fcvt.w.s a3, fa0, rtz", &[0xff80_0000], 0x8000_0000, NV);
    check("fcvt.wu.s a3, fa0, rtz", &[0xbf80_0000], 0, NV);
    check("fcvt.wu.s a3, fa0, rtz", &[0xbf66_6666], 0, NX);
    check("fcvt.wu.s a3, fa0, rtz", &[0x4f80_0000], 0xffff_ffff, NV);
    // -0.9 rounds to -1 first.
    check("fcvt.wu.s a3, fa0, rne", &[0xbf66_6666], 0, NV);
}

#[test]
fn a3_a_fused_multiply_add_rounds_once() {
    check("fmadd.s fa3, fa0, fa1, fa2, rne", &[0x3f80_0001, 0x3f80_0001, 0xbf80_0002], 0x2880_0000, 0);
}

#[test]
fn a4_static_rounding_modes_round_the_result_not_its_negative() {
    let inputs = [0x3f80_0001, 0x3f80_0001, 0];
    check("fnmadd.s fa3, fa0, fa1, fa2, rup", &inputs, 0xbf80_0002, NX);
    check("fnmadd.s fa3, fa0, fa1, fa2, rdn", &inputs, 0xbf80_0003, NX);
    check("fmadd.s fa3, fa0, fa1, fa2, rtz", &inputs, 0x3f80_0002, NX);
    // frm holds where no static mode is given, and only there.
    assert_eq!(run("fnmadd.s fa3, fa0, fa1, fa2", &inputs, 2, Asks::ValueOnly).0, 0xbf80_0003);
    assert_eq!(run("fnmadd.s fa3, fa0, fa1, fa2", &inputs, 3, Asks::Flags), (0xbf80_0002, NX));
    assert_eq!(run("fnmadd.s fa3, fa0, fa1, fa2, rup", &inputs, 2, Asks::ValueOnly).0, 0xbf80_0002);
}

#[test]
fn a5_no_division_crashes_the_host() {
    for (instruction, a, b, value) in [
        ("div", 0x8000_0000, u32::MAX, 0x8000_0000),
        ("rem", 0x8000_0000, u32::MAX, 0),
        ("div", 7, 0, u32::MAX),
        ("divu", 7, 0, u32::MAX),
        ("rem", 7, 0, 7),
        ("remu", 7, 0, 7),
    ] {
        check(&format!("{instruction} a3, a0, a1"), &[a, b], value, 0);
    }
}

/// out[i] += a[i] + b[i] for i < n, so that a work item that runs twice shows; arguments are n, a, b, out.
const VECTOR_ADD: &str = "
    csrr    t0, num_warps
    la      t1, every_warp
    wspawn  t0, t1
every_warp:
    li      t0, -1
    tmc     t0
    csrr    a0, mscratch
    lw      s0, 0(a0)
    lw      s1, 4(a0)
    lw      s2, 8(a0)
    lw      s3, 12(a0)
    csrr    s4, mhartid                 # the first work item of this lane
    csrr    s5, num_threads             # s5 = lanes of the machine
    csrr    t0, num_warps
    mul     s5, s5, t0
    csrr    t0, num_cores
    mul     s5, s5, t0
    csrr    s6, active_threads
1:  sltu    t0, s4, s0
    pred    t0, s6
    beqz    t0, 2f
    slli    t1, s4, 2
    add     t2, s1, t1
    lw      t2, 0(t2)
    add     t3, s2, t1
    lw      t3, 0(t3)
    add     t2, t2, t3
    add     t3, s3, t1
    lw      t4, 0(t3)
    add     t2, t2, t4
    sw      t2, 0(t3)
    add     s4, s4, s5
    j       1b
2:  tmc     x0
";

#[track_caller]
fn check_vector_add(cores: u32, warps: u32, lanes: u32, count: u32) {
    let program = assemble("vector_add.s", VECTOR_ADD).unwrap_or_else(|error| panic!("{error}"));
    let mut gpu = Gpu::new(GpuConfig::vortex(cores, warps, lanes)).expect("the shape is supported");
    let guard = 32;
    let mut buffer = |name: &str, words: &[u32]| {
        let address = gpu.allocate(words.len() as u32 * 4, name).expect("there is room");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        gpu.upload(address, &bytes).expect("it was just made");
        address
    };
    let a = buffer("a", &(0..count).map(|n| 1000 + n).collect::<Vec<_>>());
    let b = buffer("b", &(0..count).map(|n| 7 * n).collect::<Vec<_>>());
    let out = buffer("out", &vec![0; (count + guard) as usize]);
    let arguments = buffer("arguments", &[count, a.0, b.0, out.0]);
    gpu.launch(&program, arguments).unwrap_or_else(|error| panic!("{error}"));
    let expected: Vec<u32> = (0..count + guard).map(|n| if n < count { 1000 + 8 * n } else { 0 }).collect();
    assert_eq!(words_of(&gpu, out, count + guard), expected, "{count} items on {cores}c{warps}w{lanes}t");
}

#[test]
fn a7_left_over_work_items_run_exactly_once() {
    check_vector_add(2, 2, 4, 18);
    check_vector_add(2, 1, 4, 10);
    check_vector_add(4, 1, 4, 20);
    for count in 1..=70 {
        for (cores, warps, lanes) in [(2, 2, 4), (1, 1, 1), (3, 2, 8), (1, 4, 32)] {
            check_vector_add(cores, warps, lanes, count);
        }
    }
}
