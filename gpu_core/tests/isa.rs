//! The instruction set as a whole: the table as data, and its readers against each other and against other assemblers.

mod seeded;

use gpu_core::isa::disassembler::{disassemble, disassemble_word};
use gpu_core::isa::encoding::decode_for;
use gpu_core::isa::{
    Extension, ExtensionSet, Instruction, Op, Operand, SPECS, assemble, decode, encode, float_constants,
};
use gpu_core::program::CODE_BASE;
use proptest::prelude::*;
use seeded::seeded;

/// The words of a text's first segment.
fn words_of(text: &str) -> Vec<u32> {
    let program = assemble("test.s", text).unwrap_or_else(|error| panic!("{error}"));
    let bytes = &program.segments[0].bytes;
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

#[test]
fn no_word_belongs_to_two_rows() {
    for (n, a) in SPECS.iter().enumerate() {
        for b in &SPECS[n..] {
            for (i, (a_value, a_mask)) in a.encodings().enumerate() {
                for (j, (b_value, b_mask)) in b.encodings().enumerate() {
                    let is_same = a.op == b.op && i == j;
                    let both = a_mask & b_mask;
                    assert!(is_same || (a_value ^ b_value) & both != 0, "{} and {}", a.mnemonic, b.mnemonic);
                }
            }
        }
    }
}

#[test]
fn rows_are_well_formed() {
    for (n, spec) in SPECS.iter().enumerate() {
        assert_eq!(spec.op as usize, n, "{} stands where its Op says", spec.mnemonic);
        let count = SPECS.iter().filter(|other| other.mnemonic == spec.mnemonic).count();
        assert_eq!(count, 1, "{} is the name of one row", spec.mnemonic);
        for (value, mask) in spec.encodings() {
            assert_eq!(value & !mask, 0, "{} fixes only bits of its mask", spec.mnemonic);
            assert_eq!(mask & 3, 3, "{} fixes the length", spec.mnemonic);
        }
        // A word with every operand bit set keeps the fixed bits: operands and mask do not overlap.
        let bits = operand_bits(spec.op);
        assert_eq!(bits & spec.mask, 0, "{} has an operand in its fixed bits", spec.mnemonic);
    }
}

/// The bits of a word that the operands of a row can reach.
fn operand_bits(op: Op) -> u32 {
    (0..2000_u32).fold(0, |bits, seed| {
        let random = |n: u32| (seed.wrapping_add(1)).wrapping_mul(0x9e37_79b9).rotate_left(n * 7) >> 3;
        bits | (encode(&any_instruction(op, random)).expect("it is in range") ^ op.spec().value)
    })
}

/// An instruction of a row with operands from random numbers.
fn any_instruction(op: Op, random: impl Fn(u32) -> u32) -> Instruction {
    let register = |n: u32| (random(n) & 31) as u8;
    let mut instruction = Instruction { rm: 0, ..Instruction::new(op) };
    for operand in op.spec().operands {
        match operand {
            Operand::Rd | Operand::Fd => instruction.rd = register(0),
            Operand::Rs1 | Operand::Fs1 | Operand::Zimm | Operand::FliIndex => instruction.rs1 = register(1),
            Operand::Rs2 | Operand::Fs2 => instruction.rs2 = register(2),
            Operand::Rs3 | Operand::Fs3 => instruction.rs3 = register(3),
            Operand::ImmI => instruction.imm = (random(4) as i32) << 20 >> 20,
            Operand::MemI | Operand::MemS => {
                instruction.rs1 = register(1);
                instruction.imm = (random(4) as i32) << 20 >> 20;
            }
            Operand::ImmB => instruction.imm = ((random(4) as i32) << 19 >> 19) & !1,
            Operand::ImmJ => instruction.imm = ((random(4) as i32) << 11 >> 11) & !1,
            Operand::ImmU => instruction.imm = (random(4) << 12) as i32,
            Operand::Shamt => instruction.imm = i32::from(register(4)),
            Operand::Addr => {
                instruction.rs1 = register(1);
                instruction.imm = (random(4) & 3) as i32;
            }
            Operand::Csr => instruction.imm = (random(4) & 0xfff) as i32,
            Operand::Rm => instruction.rm = (random(5) & 7) as u8,
            Operand::Funct2 => instruction.funct2 = (random(6) & 3) as u8,
            Operand::Fence => instruction.imm = (random(4) & 0xff) as i32,
        }
    }
    instruction
}

#[test]
fn words_and_texts_agree_with_other_assemblers() {
    let mut seen = std::collections::BTreeSet::new();
    for line in include_str!("encodings.txt").lines().filter(|line| !line.starts_with('#')) {
        let (word, text) = line.split_once(' ').expect("a word and a text");
        let word = u32::from_str_radix(word, 16).expect("a hexadecimal word");
        assert_eq!(words_of(text), [word], "{text}");
        let instruction = decode(word).unwrap_or_else(|| panic!("{text} decodes"));
        assert_eq!(encode(&instruction), Ok(word), "{text}");
        let ours = disassemble(&instruction, CODE_BASE);
        assert_eq!(words_of(&ours), [word], "{text} is disassembled as {ours}");
        // Other assemblers' pseudo-instructions, numbers of CSRs and defaults are written in another way by us.
        let shape = |text: &str| (text.split(' ').next().map(str::to_owned), text.matches(',').count());
        if shape(text) == shape(&ours) && !text.contains("0xcc4") && !text.contains("0x801") {
            assert_eq!(ours, text);
        }
        seen.insert(instruction.op);
    }
    let missing: Vec<_> = SPECS.iter().filter(|spec| !seen.contains(&spec.op)).map(|spec| spec.mnemonic).collect();
    assert!(missing.is_empty(), "no vector for {missing:?}");
}

#[test]
fn the_older_word_of_tex_means_the_same() {
    // Opcode 0x5b, R4, funct2 0: rd a0, u a1, v a2, level a3.
    let old = decode(0x68c5_855b).expect("it is told in `also`");
    assert_eq!(Some(old), decode(0x68c5_852b));
    assert_eq!(disassemble(&old, CODE_BASE), "tex a0, a1, a2, a3, 0");
    assert_eq!(decode(0x6ac5_855b), None, "only funct2 0 has an older word");
}

#[test]
fn a_machine_decodes_what_it_declares() {
    let word = encode(&Instruction { rd: 1, rs1: 2, ..Instruction::new(Op::Clz) }).unwrap();
    assert!(decode_for(ExtensionSet::ALL, word).is_some());
    assert!(decode_for(ExtensionSet::VORTEX, word).is_none());
    for spec in SPECS {
        let without = ExtensionSet::ALL.without(spec.extension);
        assert!(decode_for(without, spec.value).is_none_or(|found| found.op != spec.op), "{}", spec.mnemonic);
        assert_eq!(decode_for(ExtensionSet::ALL, spec.value).map(|found| found.op), Some(spec.op), "{}", spec.mnemonic);
    }
    assert!(decode_for(ExtensionSet::NONE.with(Extension::I), 0x0000_0013).is_some());
}

#[test]
fn words_that_mean_nothing_do_not_decode() {
    // All zeros, all ones, a compressed word, opcode 0x6b (reserved), tmc with rd, mul with another funct7.
    for word in [0, u32::MAX, 0x0000_4501, 0x0000_006b, 0x0005_008b, 0x0455_0533] {
        assert_eq!(decode(word), None, "{word:#010x}");
        assert_eq!(disassemble_word(word, CODE_BASE), format!(".word {word:#010x}"));
    }
}

#[test]
fn operands_out_of_range_have_no_word() {
    let check = |instruction: Instruction, expected: &str| {
        assert_eq!(encode(&instruction).expect_err("it does not fit").to_string(), expected);
    };
    let new = Instruction::new;
    check(Instruction { rd: 32, ..new(Op::Add) }, "`add` names register 32, registers are 0 to 31");
    check(Instruction { imm: 2048, ..new(Op::Addi) }, "`addi` takes an immediate from -2048 to 2047, not 2048");
    check(
        Instruction { imm: 4096, ..new(Op::Beq) },
        "`beq` takes a branch offset in bytes from -4096 to 4094, not 4096",
    );
    check(Instruction { imm: 3, ..new(Op::Jal) }, "`jal` takes a jump offset in bytes in multiples of 2, 3 is none");
    check(Instruction { imm: 1, ..new(Op::Lui) }, "`lui` takes an upper immediate in multiples of 4096, 1 is none");
    check(Instruction { funct2: 4, ..new(Op::Tex) }, "`tex` takes a selector from 0 to 3, not 4");
    check(Instruction { rm: 8, ..new(Op::Fadd) }, "`fadd.s` takes a rounding mode from 0 to 7, not 8");
}

#[test]
fn registers_read_and_written_follow_the_operands() {
    let x = |n: u32| 1_u64 << n;
    let f = |n: u32| 1_u64 << (32 + n);
    let all = |op| Instruction { rd: 1, rs1: 2, rs2: 3, rs3: 4, ..Instruction::new(op) };
    let check = |op, uses, defines| assert_eq!((all(op).uses(), all(op).defines()), (uses, defines), "{op:?}");
    check(Op::Add, x(2) | x(3), x(1));
    check(Op::Sw, x(2) | x(3), 0);
    check(Op::Fsw, x(2) | f(3), 0);
    check(Op::Flw, x(2), f(1));
    check(Op::Fmadd, f(2) | f(3) | f(4), f(1));
    check(Op::FcvtWS, f(2), x(1));
    check(Op::Csrrwi, 0, x(1));
    check(Op::Fli, 0, f(1));
    check(Op::AmoAdd, x(2) | x(3), x(1));
    check(Op::Tex, x(2) | x(3) | x(4), x(1));
    check(Op::Split, x(2), x(1));
    check(Op::Pred, x(2) | x(3), 0);
    check(Op::Jal, 0, x(1));
    let zeros = Instruction::new(Op::Add);
    assert_eq!((zeros.uses(), zeros.defines()), (0, 0), "x0 holds nothing");
    assert_eq!(Instruction::new(Op::Fadd).uses(), f(0), "f0 does");
}

#[test]
fn constants_of_fli_are_written_by_value() {
    for (index, (_, text)) in float_constants::CONSTANTS.iter().enumerate() {
        let instruction = Instruction { rs1: index as u8, ..Instruction::new(Op::Fli) };
        assert_eq!(disassemble(&instruction, CODE_BASE), format!("fli.s ft0, {text}"));
    }
}

proptest! {
    #![proptest_config(seeded(64))]

    #[test]
    fn decode_inverts_encode_and_the_assembler_the_disassembler(numbers in proptest::array::uniform7(any::<u32>())) {
        let mut text = String::new();
        let mut expected = Vec::new();
        for spec in SPECS {
            let instruction = any_instruction(spec.op, |n| numbers[n as usize].rotate_left(spec.op as u32));
            let word = encode(&instruction).expect("it is in range");
            prop_assert_eq!(decode(word), Some(instruction));
            text.push_str(&disassemble(&instruction, CODE_BASE.offset(expected.len() as u32 * 4)));
            text.push('\n');
            expected.push(word);
        }
        prop_assert_eq!(words_of(&text), expected);
    }

    #[test]
    fn every_word_that_decodes_is_text_that_means_the_same(words in proptest::collection::vec(any::<u32>(), 100)) {
        for random in words {
            // A random word seldom means something: put it into the free bits of a row.
            let spec = &SPECS[random as usize % SPECS.len()];
            let word = spec.value | random.rotate_left(13) & !spec.mask;
            let instruction = decode(word).expect("it is of this row");
            let canonical = encode(&instruction).expect("it was decoded");
            prop_assert_eq!(decode(canonical), Some(instruction));
            prop_assert_eq!(words_of(&disassemble(&instruction, CODE_BASE)), vec![canonical]);
        }
    }

    #[test]
    fn random_text_gives_an_error_or_a_program(text in "[ -~\n\t\u{e9}\u{1f600}]{0,200}") {
        let _ = assemble("random.s", &text);
    }

    #[test]
    fn random_sentences_give_an_error_or_a_program(words in proptest::collection::vec(word(), 0..40)) {
        let text = words.concat();
        if let Err(error) = assemble("random.s", &text) {
            prop_assert!(error.line >= 1 && error.line as usize <= text.lines().count().max(1));
            prop_assert!(error.column >= 1 && !error.to_string().is_empty());
        }
    }
}

/// A word that assembly text may contain, so that random texts get past the first mistake.
fn word() -> impl Strategy<Value = String> {
    let fixed = [
        "\n",
        "\n",
        "\n",
        " ",
        " ",
        ", ",
        ", ",
        ":",
        "(",
        ")",
        "+",
        "-",
        "~",
        "*",
        "/",
        "%",
        "<<",
        ">>",
        ";",
        "=",
        "1:",
        "1f",
        "1b",
        "0b",
        ".",
        "a0",
        "t0",
        "fa0",
        "%hi(",
        "%lo(",
        "%pcrel_hi(",
        "%pcrel_lo(",
        "addi ",
        "lw ",
        "sw ",
        "li ",
        "la ",
        "j ",
        "beqz ",
        "fadd.s ",
        "fli.s ",
        "csrr ",
        "mstatus",
        "split ",
        "tex ",
        ".word ",
        ".byte ",
        ".space ",
        ".org ",
        ".align ",
        ".text\n",
        ".data\n",
        ".bss\n",
        ".section ",
        ".equ ",
        ".macro m x\n",
        ".endm\n",
        "m ",
        "\\x",
        "\\@",
        ".rept 3\n",
        ".endr\n",
        "\"a\\n\"",
        "'a'",
        "1.5",
        "inf",
        "0x7fffffffffffffff",
        "-9223372036854775808",
        "4294967295",
        "/* ",
        "*/",
        "# x\n",
        "fence ",
        "rw",
        "amoadd.w.aq ",
        ".float ",
        ".fill ",
        ".balign ",
        ".asciz ",
        "sym",
        "sym:",
    ];
    prop_oneof![
        8 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        1 => (0_u32..70).prop_map(|number| number.to_string()),
        2 => (0..SPECS.len()).prop_map(|n| format!("{} ", SPECS[n].mnemonic)),
    ]
}
