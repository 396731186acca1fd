//! Runs programs on `qemu-riscv32` (Debian: qemu-user), as Linux programs that may write and exit.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use gpu_core::isa::assemble;
use gpu_core::program::Program;

use crate::elf_file::{Part, executable};

/// Whether QEMU is there; says so if not.
pub fn is_installed() -> bool {
    let is_there = Command::new("qemu-riscv32").arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: qemu-riscv32 is not installed (Debian package qemu-user)");
    }
    is_there
}

/// The processor with those of these extensions that this QEMU knows, and which they are.
pub fn processor_with<'a>(extensions: &[&'a str]) -> (String, Vec<&'a str>) {
    let nothing = assemble("nothing.s", "li a7, 93\nli a0, 0\necall").expect("it is right");
    let knows = |extension: &&&str| output(&nothing, &format!("rv32,{extension}=true")).status.success();
    let known: Vec<&str> = extensions.iter().filter(knows).copied().collect();
    (known.iter().fold("rv32".to_owned(), |cpu, extension| format!("{cpu},{extension}=true")), known)
}

/// What a program wrote; it must exit with 0.
pub fn run(program: &Program, processor: &str) -> Vec<u8> {
    let output = output(program, processor);
    assert!(output.status.success(), "qemu: {} {}", output.status, String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Runs a program to its end, whatever that is.
pub fn output(program: &Program, processor: &str) -> Output {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path().join("program");
    std::fs::write(&path, file_of(program)).expect("the program can be written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("the program can be made executable");
    Command::new("qemu-riscv32").args(["-cpu", processor]).arg(&path).output().expect("qemu-riscv32 was there before")
}

/// The ELF file of a program whose segments become one, so that they may share pages.
pub fn file_of(program: &Program) -> Vec<u8> {
    let start = program.segments[0].address;
    let end = program.segments.iter().map(|segment| segment.end()).max().expect("it has segments");
    let mut bytes = vec![0; (end - u64::from(start.0)) as usize];
    for segment in &program.segments {
        let at = (segment.address.0 - start.0) as usize;
        bytes[at..at + segment.bytes.len()].copy_from_slice(&segment.bytes);
    }
    let part = Part { address: start.0, bytes: &bytes, memory_bytes: bytes.len() as u32, flags: 7 };
    executable(program.entry.0, &[part], &[])
}
