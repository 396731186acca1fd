//! Time changes no result: random race-free programs on random machines leave the same registers and memory in both modes, and
//! take the same cycles on any number of host threads, in pieces, and from a copy or a snapshot taken on the way.

use crate::support::{OUT, machine, out_words, program};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, Mode, RunState};
use gpu_core::program::Program;
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// A piece of a program. Every lane stores to words of its own, and adds to shared words without looking at them.
#[derive(Clone, Debug)]
enum Piece {
    Operation(usize, [u8; 3]),
    Load(u8, u8),
    Store(u8, u8),
    /// For the lanes whose register is odd.
    If(u8, Vec<Piece>),
    Loop(u8, Vec<Piece>),
    /// Of all warps of the core, or of all cores.
    Barrier(bool),
    Add(u8, u8),
    Fence,
}

const OPERATIONS: [&str; 16] = [
    "add a{d}, a{s}, a{t}",
    "sub a{d}, a{s}, a{t}",
    "mul a{d}, a{s}, a{t}",
    "divu a{d}, a{s}, a{t}",
    "rem a{d}, a{s}, a{t}",
    "xor a{d}, a{s}, a{t}",
    "sltu a{d}, a{s}, a{t}",
    "addi a{d}, a{s}, 77",
    "srli a{d}, a{s}, 3",
    "fcvt.s.w fa{d}, a{s}",
    "fmadd.s fa{d}, fa{s}, fa{t}, fa{d}",
    "fadd.s fa{d}, fa{s}, fa{t}",
    "fsqrt.s fa{d}, fa{s}",
    "fdiv.s fa{d}, fa{s}, fa{t}",
    "fmv.x.w a{d}, fa{s}",
    "csrr a{d}, active_threads",
];

fn piece() -> impl Strategy<Value = Piece> {
    let register = || 0..8u8;
    let leaf = prop_oneof![
        6 => (0..OPERATIONS.len(), [register(), register(), register()]).prop_map(|(o, r)| Piece::Operation(o, r)),
        2 => (register(), 0..12u8).prop_map(|(r, word)| Piece::Load(r, word)),
        2 => (register(), 0..12u8).prop_map(|(r, word)| Piece::Store(r, word)),
        1 => (register(), 0..4u8).prop_map(|(r, word)| Piece::Add(r, word)),
        1 => Just(Piece::Fence),
    ];
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            (register(), prop::collection::vec(inner.clone(), 0..5)).prop_map(|(r, body)| Piece::If(r, body)),
            (1..4u8, prop::collection::vec(inner, 1..5)).prop_map(|(n, body)| Piece::Loop(n, body)),
        ]
    })
}

/// Writes pieces as text. `depth` numbers the registers that hold stack pointers and counters.
fn write(pieces: &[Piece], depth: usize, labels: &mut u32, text: &mut String) {
    for piece in pieces {
        *labels += 1;
        let label = *labels;
        match piece {
            Piece::Operation(which, [d, s, t]) => {
                let line = OPERATIONS[*which].replace("{d}", &d.to_string()).replace("{s}", &s.to_string());
                *text += &format!("{}\n", line.replace("{t}", &t.to_string()));
            }
            // Words 0 to 7 of the lane in device memory, 8 to 11 in local memory.
            Piece::Load(register, word @ 0..8) => *text += &format!("lw a{register}, {}(s0)\n", 4 * word),
            Piece::Load(register, word) => *text += &format!("flw fa{register}, {}(s1)\n", 4 * (word - 8)),
            Piece::Store(register, word @ 0..8) => *text += &format!("fsw fa{register}, {}(s0)\n", 4 * word),
            Piece::Store(register, word) => *text += &format!("sw a{register}, {}(s1)\n", 4 * (word - 8)),
            Piece::Add(register, word) => {
                *text += &format!("li t0, OUT + 4096 - 64 + {}\namoadd.w x0, a{register}, (t0)\n", 4 * word);
            }
            Piece::Fence => *text += "fence\n",
            Piece::Barrier(is_global) => {
                let (id, count) = if *is_global { ("0x80000000", "num_cores") } else { ("0", "num_warps") };
                *text += &format!("li t0, {id}\ncsrr t1, {count}\nbar t0, t1\n");
            }
            Piece::If(register, body) => {
                *text += &format!("andi t0, a{register}, 1\nsplit s{}, t0\nbeqz t0, over{label}\n", depth + 2);
                write(body, depth + 1, labels, text);
                *text += &format!("over{label}: join s{}\n", depth + 2);
            }
            Piece::Loop(count, body) => {
                *text += &format!("li s{}, {count}\nagain{label}:\n", depth + 2);
                write(body, depth + 1, labels, text);
                *text += &format!("addi s{0}, s{0}, -1\nbnez s{0}, again{label}\n", depth + 2);
            }
        }
    }
}

fn text_of(pieces: &[Piece]) -> String {
    let mut text = "
        csrr t1, num_warps
        la t0, work
        wspawn t1, t0
    work:
        all_lanes
        csrr t0, mhartid
        slli s0, t0, 5
        li t1, OUT
        add s0, s0, t1
        csrr t1, core_id
        csrr t2, num_warps
        csrr t3, num_threads
        mul t1, t1, t2
        mul t1, t1, t3
        sub t1, t0, t1
        slli t1, t1, 4
        li s1, 0xffff0000
        add s1, s1, t1
        mv a0, t0
        addi a1, t0, 5
        slli a2, t0, 9
        fcvt.s.w fa0, t0
        fcvt.s.w fa1, a2
    "
    .to_owned();
    write(pieces, 0, &mut 0, &mut text);
    text + "tmc x0\n"
}

/// A machine whose lanes have 32 bytes of the output buffer each, with some of its figures changed.
fn any_machine() -> impl Strategy<Value = GpuConfig> {
    let shape = (1..5u32, 1..5u32, 1..7u32);
    (shape, 1..4u32, 1..6u32, 0..3u32, 8..40u32, any::<[bool; 4]>()).prop_map(
        |((cores, warps, lanes), width, buffer, latency, window, flags)| {
            let mut config = GpuConfig::wide(cores, warps, lanes);
            config.ipdom_capacity = 8;
            let timing = &mut config.timing;
            timing.issue.width = width.min(warps);
            timing.front_end.buffer_entries = buffer;
            timing.front_end.fetch_latency = latency;
            timing.units.fma.interval = 1 + latency;
            timing.memory.shared.latency = window;
            timing.memory.dram.latency = 10 * latency;
            timing.memory.lsu.queue = buffer;
            if flags[0] {
                timing.memory.dcache.bytes = 256;
                timing.memory.dcache.mshr = 1;
            }
            if flags[1] {
                timing.memory.icache.bytes = 256;
            }
            if flags[2] {
                timing.memory.l2.bytes = 1 << 12;
            }
            if flags[3] {
                timing.scheduler.policy = gpu_core::config::WarpPolicy::RoundRobin;
            }
            config
        },
    )
}

fn timed(config: GpuConfig, program: &Program, host_threads: usize) -> Gpu {
    let mut gpu = machine(config);
    gpu.set_mode(Mode::Timed);
    gpu.set_host_threads(NonZeroUsize::new(host_threads).unwrap()).unwrap();
    gpu.start(program, OUT).unwrap();
    gpu
}

/// All that a program leaves, but for its counters.
#[track_caller]
fn assert_same_results(gpu: &Gpu, untimed: &Gpu) {
    assert_eq!(out_words(gpu), out_words(untimed));
    for (core, untimed) in gpu.cores().iter().zip(untimed.cores()) {
        assert!(core.warps == untimed.warps, "registers of core {} differ", core.id);
        assert_eq!(core.local, untimed.local);
        assert_eq!((&core.console, core.exit_code), (&untimed.console, untimed.exit_code));
    }
    assert_eq!(gpu.report().warp_instructions, untimed.report().warp_instructions);
    assert_eq!(gpu.report().lane_instructions, untimed.report().lane_instructions);
}

fn check(config: GpuConfig, pieces: &[Piece]) {
    let program = program(&text_of(pieces));
    let mut untimed = machine(config);
    untimed.launch(&program, OUT).unwrap_or_else(|error| panic!("{error}"));
    let mut first = timed(config, &program, 1);
    assert_eq!(first.resume(u64::MAX).unwrap(), RunState::Ended);
    assert_same_results(&first, &untimed);
    let report = first.report();
    let cycles = first.cycle();
    for host_threads in [1, 2, 4] {
        let mut again = timed(config, &program, host_threads);
        again.resume(u64::MAX).unwrap();
        assert_eq!(again.report(), report, "{host_threads} host threads");
        assert_same_results(&again, &untimed);
    }
    // In pieces; the rest from a copy, and from a snapshot.
    let mut pieces = timed(config, &program, 1);
    for length in [1, 2, cycles / 3, 1, cycles / 5] {
        let before = pieces.cycle();
        assert_eq!(pieces.resume_cycles(length).unwrap(), RunState::Paused);
        assert_eq!(pieces.cycle(), before + length);
    }
    let mut copy = pieces.clone();
    let mut restored = Gpu::restore(&pieces.snapshot()).unwrap();
    for (name, gpu) in [("pieces", &mut pieces), ("copy", &mut copy), ("restored", &mut restored)] {
        assert_eq!(gpu.resume(u64::MAX).unwrap(), RunState::Ended, "{name}");
        assert_eq!(gpu.report(), report, "{name}");
        assert_same_results(gpu, &untimed);
    }
}

proptest! {
    #![proptest_config(crate::seeded::seeded(40))]

    #[test]
    fn random_programs_on_random_machines(
        config in any_machine(),
        parts in prop::collection::vec((prop::collection::vec(piece(), 0..6), any::<bool>()), 1..4),
    ) {
        let mut pieces = Vec::new();
        for (part, is_global) in parts {
            pieces.extend(part);
            pieces.push(Piece::Barrier(is_global));
        }
        check(config, &pieces);
    }
}

/// Enough cores that two threads share them, with atomics and global barriers in between.
#[test]
fn host_threads_share_the_cores_of_a_large_machine() {
    let body = vec![
        Piece::Operation(2, [3, 1, 2]),
        Piece::Store(3, 2),
        Piece::Add(3, 1),
        Piece::Load(4, 9),
        Piece::If(0, vec![Piece::Operation(10, [1, 0, 2]), Piece::Store(1, 5), Piece::Fence]),
        Piece::Barrier(true),
    ];
    check(GpuConfig::vortex(16, 4, 2), &[Piece::Loop(40, body)]);
}
