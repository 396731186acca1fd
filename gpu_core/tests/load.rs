//! The loaders: what they make of good files, and that no file, however damaged, makes them panic.

mod elf_file;
mod seeded;

use elf_file::{Part, executable};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::load::{LoadError, load, load_elf, load_file, load_raw};
use gpu_core::program::{CODE_BASE, ProgramKind};
use gpu_core::units::Address;
use proptest::prelude::*;
use seeded::seeded;

const NOP: [u8; 4] = 0x0000_0013_u32.to_le_bytes();
const CODE: Part = Part { address: 0x8000_0000, bytes: &NOP, memory_bytes: 4, flags: 5 };

fn good() -> Vec<u8> {
    let data = Part { address: 0x8000_1004, bytes: b"data", memory_bytes: 64, flags: 6 };
    executable(0x8000_0000, &[data, CODE], &[("tohost", 0x8000_1004), ("_start", 0x8000_0000), ("$x", 0)])
}

/// The good file with one field of its header (`at`, little-endian half word) replaced.
fn with_half(at: usize, value: u16) -> Vec<u8> {
    let mut file = good();
    file[at..at + 2].copy_from_slice(&value.to_le_bytes());
    file
}

#[track_caller]
fn check_error(file: &[u8], expected: &str) {
    let error = load_elf(file).expect_err("this file is wrong");
    assert!(error.to_string().contains(expected), "`{error}` does not say `{expected}`");
}

#[test]
fn an_executable_becomes_segments_and_symbols() {
    let program = load("a.out", &good()).unwrap();
    assert_eq!(program.kind, ProgramKind::Bare);
    assert_eq!(program.entry, CODE_BASE);
    let found: Vec<_> = program
        .segments
        .iter()
        .map(|s| (s.address.0, s.bytes.len(), s.size_bytes, s.is_writable, s.is_executable))
        .collect();
    assert_eq!(found, [(0x8000_0000, 4, 4, false, true), (0x8000_1004, 4, 64, true, false)]);
    let names: Vec<_> = program.symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.address.0)).collect();
    assert_eq!(names, [("_start", 0x8000_0000), ("tohost", 0x8000_1004)]);
    assert_eq!(program.word_at(Address(0x8000_1004)), Some(u32::from_le_bytes(*b"data")));
    assert_eq!(program.word_at(Address(0x8000_1008)), Some(0));
}

#[test]
fn a_file_of_gnu_ld_runs() {
    // as 2.40 -march=rv32imaf -mabi=ilp32f, ld -n -Ttext=0x80000000 -Tdata=0x80000100: exits with a word of its data.
    let program = load_elf(include_bytes!("elf_file/exit42.elf")).unwrap();
    assert_eq!(program.symbol("answer"), Some(Address(0x8000_0100)));
    assert_eq!(program.symbol("tohost"), Some(Address(0x8000_0104)));
    let mut gpu = Gpu::new(GpuConfig::vortex(1, 1, 1)).unwrap();
    assert_eq!(gpu.launch(&program, Address(0)).unwrap().exit_status, 42);
}

#[test]
fn other_machines_and_kinds_are_refused_by_name() {
    let byte = |at: usize, value: u8| {
        let mut file = good();
        file[at] = value;
        file
    };
    check_error(&byte(4, 2), "64-bit");
    check_error(&byte(5, 2), "big-endian");
    check_error(&with_half(18, 62), "other (number 62)");
    check_error(&with_half(16, 1), "an object file");
    check_error(&with_half(16, 3), "a shared object");
    check_error(&byte(36, 3), "compressed instructions");
    check_error(&byte(36, 4), "floats wider than 32 bits");
    check_error(&good()[..40], "damaged");
    check_error(&with_half(44, 0), "nothing to load");
}

#[test]
fn segments_must_fit_and_not_overlap() {
    let part = |address, memory_bytes| Part { address, bytes: b"1234", memory_bytes, flags: 5 };
    check_error(&executable(0x1000, &[part(0x1000, 64), part(0x1020, 4)], &[]), "both claim 0x00001020");
    check_error(&executable(0xffff_fff0, &[part(0xffff_fff0, 64)], &[]), "beyond the 32-bit address space");
    check_error(&executable(0x1000, &[part(0x1000, 0x4000_0000)], &[]), "268435456 at most");
    check_error(&executable(0x1000, &[part(0x1000, 2)], &[]), "4 bytes for a room of 2");
    check_error(&executable(0x2000, &[part(0x1000, 4)], &[]), "starts at 0x00002000");
    check_error(&executable(0x1002, &[part(0x1000, 4)], &[]), "starts at 0x00001002");
    // A segment that ends with the address space is fine.
    assert!(load_elf(&executable(0xffff_fff0, &[part(0xffff_fff0, 16)], &[])).is_ok());
    let mut cut = executable(0x1000, &[part(0x1000, 4)], &[]);
    cut[52 + 16..52 + 20].copy_from_slice(&0x10_0000_u32.to_le_bytes());
    cut[52 + 20..52 + 24].copy_from_slice(&0x10_0000_u32.to_le_bytes());
    check_error(&cut, "of a file of");
}

#[test]
fn raw_images_lie_at_the_code_base() {
    let program = load("image.bin", &NOP).unwrap();
    assert_eq!((program.entry, program.segments[0].address, program.segments[0].size_bytes), (CODE_BASE, CODE_BASE, 4));
    assert!(matches!(load_raw(&[]), Err(LoadError::Empty)));
}

#[test]
fn text_goes_through_the_assembler() {
    assert_eq!(load("a.s", b"nop").unwrap().word_at(CODE_BASE), Some(0x13));
    assert_eq!(
        load("a.s", b"no\xff").unwrap_err().to_string(),
        "the file is neither ELF nor UTF-8 assembly text: byte 2 is 0xff"
    );
    assert!(
        load("a.S", b"nope").unwrap_err().to_string().starts_with("a.S:1:1: unknown instruction `nope`; near: `nop`")
    );
}

#[test]
fn files_are_found_from_the_folder_of_the_text() {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("outer.s"), ".include \"inner.inc\"").expect("it can be written");
    std::fs::write(path("inner.inc"), "nop").expect("it can be written");
    std::fs::write(path("bad.s"), ".include \"bad.inc\"").expect("it can be written");
    std::fs::write(path("bad.inc"), [0xff]).expect("it can be written");
    assert_eq!(load_file(&path("outer.s")).unwrap().word_at(CODE_BASE), Some(0x13));
    let error = load_file(&path("bad.s")).unwrap_err().to_string();
    assert!(error.contains("`bad.inc` cannot be included: it is not UTF-8 text"), "{error}");
    assert!(matches!(load_file(&path("none.s")), Err(LoadError::Read { .. })));
    assert!(matches!(load_file(folder.path()), Err(LoadError::Read { .. })));
}

proptest! {
    #![proptest_config(seeded(400))]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), name in "[a-z]{1,3}\\.(s|bin)") {
        let _ = load(&name, &bytes);
        let _ = load_elf(&[b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xf3\0\x01\0\0\0".as_slice(), &bytes].concat());
    }

    #[test]
    fn a_damaged_executable_never_panics(
        // Headers lie in the first 200 bytes and in the last 300; contents hold nothing to read.
        changes in proptest::collection::vec((any::<bool>(), 0_usize..300, any::<u8>()), 1..12),
        cut in proptest::option::of(0_usize..9000),
    ) {
        let mut file = good();
        for (is_front, at, value) in changes {
            let at = if is_front { at % 200 } else { file.len() - 1 - at };
            file[at] = value;
        }
        if let Some(cut) = cut {
            file.truncate(cut);
        }
        if let Ok(program) = load_elf(&file) {
            prop_assert!(program.segments.windows(2).all(|pair| pair[0].end() <= u64::from(pair[1].address.0)));
            prop_assert!(program.segments.iter().all(|segment| segment.end() <= 1 << 32));
        }
    }
}
