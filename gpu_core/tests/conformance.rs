//! Self-checking programs, written from the specifications, on machines of several shapes.
//!
//! Each `conformance/*.s` ends with `exit`: 0, or check << 1 | 1 for the first check that failed.

use std::path::Path;

use gpu_core::config::{FirstSide, GpuConfig};
use gpu_core::gpu::{Gpu, Mode};
use gpu_core::load::load_file;
use gpu_core::program::Program;
use gpu_core::units::Address;

/// Runs a program on a machine and says which check failed.
#[track_caller]
fn check_on(name: &str, machine: &str, config: GpuConfig) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance").join(name);
    let program = load_file(&path).unwrap_or_else(|error| panic!("{error}"));
    for mode in [Mode::Untimed, Mode::Timed] {
        check_in(mode, name, machine, config, &program);
    }
}

#[track_caller]
fn check_in(mode: Mode, name: &str, machine: &str, config: GpuConfig, program: &Program) {
    let machine = format!("{machine}, {mode:?}");
    let mut gpu = Gpu::new(config).expect("the shape is one the machine supports");
    gpu.set_mode(mode);
    let report = gpu.launch(program, Address(0)).unwrap_or_else(|error| panic!("{name} on {machine}: {error}"));
    for (core, code) in report.exit_codes.iter().enumerate() {
        let code = code.unwrap_or_else(|| panic!("{name} on {machine}: core {core} ended without a word"));
        assert_eq!(code, 0, "{name} on {machine}: check {} failed on core {core}", code >> 1);
    }
}

/// Machines of one core, of many, with few lanes and with all; either side of a `split` first.
#[track_caller]
fn check(name: &str) {
    for machine in ["1c2w4t", "1c4w16t", "3c8w8t", "2c32w32t"] {
        check_on(name, machine, GpuConfig::from_name(machine).expect("it is a shape"));
    }
    for first_side in [FirstSide::False, FirstSide::Larger, FirstSide::Smaller] {
        let config = GpuConfig { first_side, ..GpuConfig::wide(1, 4, 8) };
        check_on(name, &format!("1c4w8t, {first_side:?}"), config);
    }
}

/// The same on one lane and one warp as well: the program needs no others.
#[track_caller]
fn check_scalar(name: &str) {
    for machine in ["1c1w1t", "wide"] {
        check_on(name, machine, GpuConfig::from_name(machine).expect("it is a shape"));
    }
}

#[test]
fn integers() {
    check_scalar("integer.s");
    check_on("integer.s", "vortex-4w4t", GpuConfig::vortex(1, 4, 4));
}

#[test]
fn loads_and_stores() {
    check_scalar("memory.s");
}

#[test]
fn products_and_quotients() {
    check_scalar("multiply.s");
}

#[test]
fn atomics() {
    check("atomics.s");
}

#[test]
fn floats() {
    check_scalar("float.s");
}

#[test]
fn more_of_floats() {
    check_scalar("float_more.s");
}

#[test]
fn bits_and_selection() {
    check_scalar("bits.s");
}

#[test]
fn control_registers() {
    check_scalar("csr.s");
}

#[test]
fn code_that_changes() {
    check_scalar("fence_i.s");
}

#[test]
fn masks_and_warps() {
    check("masks.s");
}

#[test]
fn divergence() {
    check("divergence.s");
}

#[test]
fn loops() {
    check("loops.s");
}

#[test]
fn votes_and_shuffles() {
    check("votes.s");
}

#[test]
fn barriers_of_a_core() {
    check("barriers.s");
}

#[test]
fn barriers_of_the_machine() {
    check("global_barriers.s");
}

#[test]
fn multiply_add_of_integers() {
    check_scalar("imadd.s");
}

#[test]
fn textures() {
    check_scalar("tex.s");
}
