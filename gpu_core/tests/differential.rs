//! Random instruction sequences on the machine and on QEMU: the same registers, memory and flags.
//!
//! A case is a dozen random instructions over random registers, with an area of memory of its own. The machine runs
//! each case in several lanes at once with other values in each; QEMU runs the lanes one after another.

mod elf_file;
#[path = "float_cases/mod.rs"]
mod float_cases;
mod qemu;

use float_cases::{Random, triple};
use gpu_core::config::GpuConfig;
use gpu_core::gpu::Gpu;
use gpu_core::isa::assembler::assemble_with;
use gpu_core::isa::disassembler::disassemble;
use gpu_core::isa::{Extension, Instruction, Op, Operand, SPECS, assemble, encode};
use gpu_core::load::load_elf;
use gpu_core::program::{CODE_BASE, Program};
use gpu_core::units::Address;

/// Instructions of a case.
const LENGTH: usize = 12;
/// Bytes of a lane's area: registers before, registers after, memory to play with.
const AREA_BYTES: u32 = 1024;
/// Where in an area the registers after the case lie.
const AFTER: i32 = 256;
/// Where in an area the memory for loads and stores lies, and how much it is.
const PLAY: i32 = 768;
const PLAY_BYTES: u32 = 64;
/// Words that a case leaves: 29 integer registers, 32 float registers, fcsr, and 16 of memory.
const RESULT_WORDS: usize = 29 + 32 + 1 + 16;

/// What cases may contain.
#[derive(Copy, Clone, PartialEq)]
enum Kind {
    /// One lane: branches, jumps and control registers too.
    Scalar,
    /// Many lanes with different values: nothing that must be uniform.
    Lanes,
}

/// A random instruction. x29 is an address for atomics, x30 the lane's offset, x31 the middle of the area.
fn random_instruction(random: &mut Random, rows: &[Op]) -> Instruction {
    let op = rows[random.below(rows.len() as u32) as usize];
    let mut instruction = Instruction::new(op);
    let bits = random.bits() as u32;
    for operand in op.spec().operands {
        match operand {
            Operand::Rd => instruction.rd = random.below(29) as u8,
            Operand::Rs1 => instruction.rs1 = random.below(29) as u8,
            Operand::Rs2 => instruction.rs2 = random.below(29) as u8,
            Operand::Fd => instruction.rd = random.below(32) as u8,
            Operand::Fs1 => instruction.rs1 = random.below(32) as u8,
            Operand::Fs2 => instruction.rs2 = random.below(32) as u8,
            Operand::Fs3 => instruction.rs3 = random.below(32) as u8,
            Operand::Zimm | Operand::FliIndex => instruction.rs1 = random.below(32) as u8,
            Operand::ImmI => instruction.imm = (bits as i32) >> 20,
            Operand::ImmU => instruction.imm = (bits & !0xfff) as i32,
            Operand::Shamt => instruction.imm = random.below(32) as i32,
            Operand::MemI | Operand::MemS => {
                instruction.rs1 = 31;
                instruction.imm = PLAY - (AREA_BYTES / 2) as i32 + random.below(PLAY_BYTES - 3) as i32;
            }
            Operand::Addr => {
                instruction.rs1 = 29;
                instruction.imm = random.below(4) as i32;
            }
            // Over the next instruction.
            Operand::ImmB | Operand::ImmJ => instruction.imm = 8,
            Operand::Csr => instruction.imm = 1,
            Operand::Rm => instruction.rm = [0, 1, 2, 3, 4, 7][random.below(6) as usize],
            Operand::Rs3 | Operand::Funct2 | Operand::Fence => unreachable!("rows with these are not taken"),
        }
    }
    instruction
}

/// The rows that cases are made of.
fn rows(kind: Kind, extensions: &[Extension]) -> Vec<Op> {
    let uniform = |op: Op| {
        let branches = [Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu, Op::Jal];
        branches.contains(&op) || op.spec().extension == Extension::Zicsr
    };
    // sc.w without lr.w may or may not succeed; the others need a program of their own.
    let excluded = [Op::LrW, Op::ScW, Op::Jalr, Op::Fence, Op::Ecall, Op::Ebreak, Op::Mret, Op::Wfi];
    let is_wanted = |op: &Op| {
        extensions.contains(&op.spec().extension) && !excluded.contains(op) && (kind == Kind::Scalar || !uniform(*op))
    };
    SPECS.iter().map(|spec| spec.op).filter(is_wanted).collect()
}

/// The text that runs all cases; `lanes` areas lie one after another for each.
fn text_of(cases: &[Vec<Instruction>], lanes: u32, modes: &[u32], start: &str, end: &str) -> String {
    let mut text = format!("_start:\n{start}\n");
    for (number, case) in cases.iter().enumerate() {
        let middle = number as u32 * lanes * AREA_BYTES + AREA_BYTES / 2;
        text += &format!("la x31, areas + {middle}\nadd x31, x31, x30\nfsrmi {}\nfsflagsi 0\n", modes[number]);
        text += &format!("addi x29, x31, {}\n", PLAY - 512);
        let offset = |word: usize, base: i32| base - 512 + word as i32 * 4;
        for register in 0..32 {
            text += &format!("flw f{register}, {}(x31)\n", offset(29 + register, 0));
        }
        for register in 1..29 {
            text += &format!("lw x{register}, {}(x31)\n", offset(register, 0));
        }
        for instruction in case {
            text += &format!(".word {:#x}\n", encode(instruction).expect("it is in range"));
        }
        text += "nop\n";
        for register in 0..29 {
            text += &format!("sw x{register}, {}(x31)\n", offset(register, AFTER));
        }
        for register in 0..32 {
            text += &format!("fsw f{register}, {}(x31)\n", offset(29 + register, AFTER));
        }
        text += &format!("frcsr x1\nsw x1, {}(x31)\n", offset(61, AFTER));
    }
    let bytes = cases.len() as u32 * lanes * AREA_BYTES;
    text + &format!("{end}\n.data\n.balign 4096\nareas: .space {bytes}\n")
}

/// Assembles a text and fills its areas.
fn program_of(text: &str, areas: &[u8]) -> Program {
    let mut program = assemble("cases.s", text).unwrap_or_else(|error| panic!("{error}"));
    let data = program.segments.iter_mut().find(|segment| segment.name == ".data").expect("the areas are there");
    data.bytes.copy_from_slice(areas);
    program
}

/// Random registers and memory, small and special numbers among them.
fn random_areas(random: &mut Random, count: u32) -> Vec<u8> {
    let mut areas = Vec::new();
    while areas.len() < (count * AREA_BYTES) as usize {
        let words = match random.below(4) {
            0 => [random.below(70).wrapping_sub(35), random.bits() as u32, 1 << random.below(32)],
            1 => [(); 3].map(|()| [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff, 0x8000][random.below(7) as usize]),
            _ => triple(random),
        };
        areas.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    areas.truncate((count * AREA_BYTES) as usize);
    areas
}

/// The words that each case and lane left, from the memory of all areas.
fn results(areas: &[u8]) -> Vec<[u32; RESULT_WORDS]> {
    let word = |area: &[u8], at: usize| u32::from_le_bytes(area[at..at + 4].try_into().expect("four bytes"));
    areas
        .chunks_exact(AREA_BYTES as usize)
        .map(|area| {
            std::array::from_fn(|n| match n {
                0..62 => word(area, AFTER as usize + n * 4),
                _ => word(area, PLAY as usize + (n - 62) * 4),
            })
        })
        .collect()
}

/// What a word of the result is called.
fn name_of(word: usize) -> String {
    match word {
        0..29 => format!("x{word}"),
        29..61 => format!("f{}", word - 29),
        61 => "fcsr".to_owned(),
        _ => format!("memory word {}", word - 62),
    }
}

fn check(kind: Kind, case_count: usize, lanes: u32) {
    if !qemu::is_installed() {
        return;
    }
    let optional =
        [("zba", Extension::Zba), ("zbb", Extension::Zbb), ("zicond", Extension::Zicond), ("zfa", Extension::Zfa)];
    let (processor, known) = qemu::processor_with(&optional.map(|(name, _)| name));
    println!("qemu runs {processor}");
    let mut extensions = vec![Extension::I, Extension::M, Extension::A, Extension::F, Extension::Zicsr];
    extensions.extend(optional.iter().filter(|(name, _)| known.contains(name)).map(|(_, extension)| *extension));
    let rows = rows(kind, &extensions);

    let mut random = Random::new("differential");
    let cases: Vec<Vec<Instruction>> =
        (0..case_count).map(|_| (0..LENGTH).map(|_| random_instruction(&mut random, &rows)).collect()).collect();
    let modes: Vec<u32> = cases.iter().map(|_| random.below(5)).collect();
    let before = random_areas(&mut random, case_count as u32 * lanes);

    let bytes = before.len();
    let mask = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
    let ours = text_of(
        &cases,
        lanes,
        &modes,
        &format!("li t0, {mask}\ntmc t0\ncsrr x30, thread_id\nslli x30, x30, 10"),
        "li a7, 93\nli a0, 0\necall",
    );
    let theirs = text_of(
        &cases,
        lanes,
        &modes,
        "li x30, 0\nnext_lane:",
        &format!(
            "addi x30, x30, 1024\nli t0, {}\nbeq x30, t0, 1f\nla t0, next_lane\njr t0\n\
             1: li a7, 64\nli a0, 1\nla a1, areas\nli a2, {bytes}\necall\nli a7, 93\nli a0, 0\necall",
            lanes * AREA_BYTES
        ),
    );
    // auipc and jal must give the same addresses: the cases start at the same place.
    let theirs = theirs.replacen("_start:\n", ".org 16\n_start:\n", 1);
    let ours = ours.replacen("_start:\n", ".org 4\n_start:\n", 1);

    let expected = results(&qemu::run(&program_of(&theirs, &before), &processor));
    let program = program_of(&ours, &before);
    let areas_at = program.symbol("areas").expect("the areas are there");
    let mut gpu = Gpu::new(GpuConfig::wide(1, 1, lanes)).expect("the shape is one the machine supports");
    gpu.launch(&program, Address(0)).unwrap_or_else(|error| panic!("{error}"));
    let found = results(&gpu.read_back(areas_at, bytes as u32).expect("the areas are there"));

    assert_eq!((found.len(), expected.len()), (cases.len() * lanes as usize, cases.len() * lanes as usize));
    for (number, case) in cases.iter().enumerate() {
        let first = number * lanes as usize;
        let range = first..first + lanes as usize;
        // Flags are the warp's: what any lane raised.
        let fcsr = expected[range.clone()].iter().fold(0, |fcsr, lane| fcsr | lane[61]);
        for (lane, index) in range.enumerate() {
            for word in 0..RESULT_WORDS {
                let theirs = if word == 61 { fcsr } else { expected[index][word] };
                let ours = found[index][word];
                assert!(
                    ours == theirs,
                    "case {number}, lane {lane}, frm {}: {} is {ours:#010x} here, {theirs:#010x} on QEMU, after\n{}\n\
                     from {:08x?}",
                    modes[number],
                    name_of(word),
                    listing(case),
                    words(&before[index * AREA_BYTES as usize..][..61 * 4])
                );
            }
        }
    }
}

/// A case as text.
fn listing(case: &[Instruction]) -> String {
    let lines: Vec<String> = case.iter().map(|instruction| disassemble(instruction, CODE_BASE)).collect();
    lines.join("\n")
}

/// Bytes as words.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

#[test]
fn one_lane_agrees_with_qemu() {
    check(Kind::Scalar, 1500, 1);
}

#[test]
fn many_lanes_agree_with_qemu() {
    check(Kind::Lanes, 150, 8);
}

#[test]
fn the_conformance_programs_agree_with_qemu() {
    if !qemu::is_installed() {
        return;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/");
    // QEMU has no core_id: there is only the first core.
    let read = |name: &str| {
        let text = std::fs::read_to_string(format!("{folder}{name}")).map_err(|error| error.to_string())?;
        Ok(text.replace("csrr    t0, core_id", "li      t0, 0"))
    };
    let programs = [
        ("integer.s", &[][..]),
        ("memory.s", &[]),
        ("multiply.s", &[]),
        ("float.s", &[]),
        ("fence_i.s", &[]),
        ("bits.s", &["zba", "zbb", "zicond"]),
        ("float_more.s", &["zfa"]),
    ];
    for (name, extensions) in programs {
        let (processor, known) = qemu::processor_with(extensions);
        if known.len() < extensions.len() {
            println!("skipped on QEMU: {name} needs {extensions:?}, it has {known:?}");
            continue;
        }
        let text = read(name).expect("the program is there");
        let program = assemble_with(name, &text, &read).unwrap_or_else(|error| panic!("{error}"));
        qemu::run(&program, &processor);
    }
}

#[test]
fn the_loader_and_qemu_take_the_same_file() {
    let text = "_start: la t0, word\nlw a0, 0(t0)\nli a7, 93\necall\n.data\nword: .word 7";
    let program = assemble("seven.s", text).expect("it is right");
    let file = qemu::file_of(&program);
    let mut gpu = Gpu::new(GpuConfig::vortex(1, 1, 1)).expect("the shape is one the machine supports");
    let report = gpu.launch(&load_elf(&file).expect("it is right"), Address(0)).expect("it ends");
    assert_eq!(report.exit_status, 7);
    if qemu::is_installed() {
        assert_eq!(qemu::output(&program, "rv32").status.code(), Some(7));
    }
}
