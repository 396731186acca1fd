//! Whole texts: what they assemble to, and what is said about mistakes.

use super::*;
use crate::isa::disassembler::disassemble_word;
use crate::units::Address;

/// The instructions of a text, disassembled at their addresses.
fn listing(text: &str) -> Vec<String> {
    let program = assemble("test.s", text).unwrap_or_else(|error| panic!("{error}"));
    let segment = &program.segments[0];
    let words = segment.bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four")));
    words.enumerate().map(|(n, word)| disassemble_word(word, segment.address.offset(n as u32 * 4))).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(listing(text), expected, "{text}");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = assemble("test.s", text).expect_err("this is wrong");
    assert_eq!(error.to_string(), expected, "{text}");
}

/// The bytes of the segment of this name.
fn bytes_of(text: &str, name: &str) -> Vec<u8> {
    let program = assemble("test.s", text).unwrap_or_else(|error| panic!("{error}"));
    program.segments.into_iter().find(|segment| segment.name == name).expect("it is there").bytes
}

#[test]
fn labels_reach_forward_and_back() {
    check(
        "1: beqz a0, 1f\n j 1b; 1:\nbnez a0, end\nend: ret",
        &["beq a0, zero, 0x80000008", "jal zero, 0x80000000", "bne a0, zero, 0x8000000c", "jalr zero, 0(ra)"],
    );
}

#[test]
fn li_takes_the_shortest_form() {
    check("li a0, -2048", &["addi a0, zero, -2048"]);
    check("li a0, 0x12345000", &["lui a0, 0x12345"]);
    check("li a0, 0xffffffff", &["addi a0, zero, -1"]);
    check("li a0, 0x7ffff800", &["lui a0, 0x80000", "addi a0, a0, -2048"]);
    check("li a0, later\n.equ later, 5", &["lui a0, 0x0", "addi a0, a0, 5"]);
    check(".equ now, 5\nli a0, now", &["addi a0, zero, 5"]);
}

#[test]
fn addresses_are_relative_to_the_pc() {
    check(
        "la a0, data\nlw a1, data\nsw a1, data + 4, t0\n.data\ndata: .word 1, 2",
        &["auipc a0, 0x0", "addi a0, a0, 32", "auipc a1, 0x0", "lw a1, 24(a1)", "auipc t0, 0x0", "sw a1, 20(t0)"],
    );
    check(
        "far: auipc a0, %pcrel_hi(0x90001ffc)\nlw a0, %pcrel_lo(far)(a0)\nlui a1, %hi(far)\naddi a1, a1, %lo(far)",
        &["auipc a0, 0x10002", "lw a0, -4(a0)", "lui a1, 0x80000", "addi a1, a1, 0"],
    );
    check(
        "call 0x80001000\ntail 0x80000000",
        &["auipc ra, 0x1", "jalr ra, 0(ra)", "auipc t1, 0x0", "jalr zero, -8(t1)"],
    );
}

#[test]
fn pseudo_instructions_stand_for_real_ones() {
    check("csrw mscratch, a0\ncsrw frm, 1", &["csrrw zero, mscratch, a0", "csrrwi zero, frm, 1"]);
    check("csrr a0, 0xcc4\nfsrm t0", &["csrrs a0, active_threads, zero", "csrrw zero, frm, t0"]);
    check("add a0, a0, 4\nnot a1, a2", &["addi a0, a0, 4", "xori a1, a2, -1"]);
    check("bgt a0, a1, .\nfneg.s fa0, fa1", &["blt a1, a0, 0x80000000", "fsgnjn.s fa0, fa1, fa1"]);
    check(
        "jalr a0\njalr a1, a0\njalr a1, a0, 4\njalr a1, 8(a0)\njal . + 8",
        &["jalr ra, 0(a0)", "jalr a1, 0(a0)", "jalr a1, 4(a0)", "jalr a1, 8(a0)", "jal ra, 0x80000018"],
    );
}

#[test]
fn our_own_instructions_are_rows_like_others() {
    check(
        "tmc a0\nsplit t0, a1\nsplit.n t0, a1\njoin t0\nbar a0, a1\ntex a0, a1, a2, a3, 2\nimadd a0, a1, a2, a3, 3\nshfl.idx a0, a1, a2",
        &[
            "tmc a0",
            "split t0, a1",
            "split.n t0, a1",
            "join t0",
            "bar a0, a1",
            "tex a0, a1, a2, a3, 2",
            "imadd a0, a1, a2, a3, 3",
            "shfl.idx a0, a1, a2",
        ],
    );
}

#[test]
fn data_directives_lay_out_bytes() {
    let text = ".data\n.byte 1, -1, 'a'\n.balign 4\n.half 0x1234\n.p2align 2\n.word 0xdeadbeef, after - 4\n.float 1.5, -inf\n\
        after: .ascii \"a\\n\" \n.asciz \"b\"\n.space 2, 7\n.zero 1\n.org 0x20\n.dword -2\n.fill 2, 2, 3";
    let expected: Vec<u8> = [
        &[1, 255, 97, 0, 0x34, 0x12, 0, 0][..],
        &0xdead_beef_u32.to_le_bytes(),
        &0x8000_0014_u32.to_le_bytes(),
        &1.5_f32.to_le_bytes(),
        &f32::NEG_INFINITY.to_le_bytes(),
        b"a\nb\0\x07\x07\0\0",
        &(-2_i64).to_le_bytes(),
        &[3, 0, 3, 0],
    ]
    .concat();
    assert_eq!(bytes_of(text, ".data"), expected);
}

#[test]
fn sections_follow_each_other() {
    let program = assemble(
        "test.s",
        ".bss\nroom: .space 100\n.data\nvalue: .word room\n.rodata\n.byte 1\n.text\n nop\n_start: nop\n.section .extra, \"aw\"\n.word 0",
    )
    .unwrap();
    let found: Vec<_> = program.segments.iter().map(|s| (s.name.as_str(), s.address.0, s.is_writable)).collect();
    assert_eq!(
        found,
        [
            (".text", 0x8000_0000, false),
            (".rodata", 0x8000_0010, false),
            (".data", 0x8000_0020, true),
            (".extra", 0x8000_0030, true),
            (".bss", 0x8000_0040, true)
        ]
    );
    assert_eq!(program.entry, Address(0x8000_0004));
    assert_eq!(program.symbol("room"), Some(Address(0x8000_0040)));
    assert_eq!(program.word_at(Address(0x8000_0020)), Some(0x8000_0040));
    assert_eq!(program.word_at(Address(0x8000_0040)), Some(0));
    assert_eq!(
        program.symbol_at(Address(0x8000_0022)).map(|(symbol, past)| (symbol.name.as_str(), past)),
        Some(("value", 2))
    );
}

#[test]
fn every_instruction_knows_its_line() {
    let program = assemble("test.s", "nop\n\n  li a0, 0x12345678 # two words\nret").unwrap();
    let place = |pc| program.location(Address(pc)).map(|location| (location.line, location.column, location.text));
    assert_eq!(place(0x8000_0000), Some((1, 1, "nop")));
    assert_eq!(place(0x8000_0004), Some((3, 3, "  li a0, 0x12345678 # two words")));
    assert_eq!(place(0x8000_0008), place(0x8000_0004));
    assert_eq!(place(0x8000_000c), Some((4, 1, "ret")));
    assert_eq!(place(0x8000_0010), None);
}

#[test]
fn macros_and_repetitions_expand() {
    check(
        ".macro put register, value\nlocal\\@: li \\register, \\value\nbeqz \\register, local\\@\n.endm\n\
         put a0, 1\nput a1, (2 + 3)\n.rept 2\n nop\n.endr",
        &[
            "addi a0, zero, 1",
            "beq a0, zero, 0x80000000",
            "addi a1, zero, 5",
            "beq a1, zero, 0x80000008",
            "addi zero, zero, 0",
            "addi zero, zero, 0",
        ],
    );
    check_error(
        ".macro m\nm\n.endm\nm",
        "test.s:4:1: macros, repetitions and inclusions nest deeper than 32: does one contain itself? in `m`",
    );
    check_error(".macro m a\n.endm\nm", "test.s:3:1: macro `m` takes 1 arguments, 0 are given in `m`");
    check_error(".macro m", "test.s:1:1: a macro (.macro) is opened and never closed in `.macro m`");
    check_error(".endr", "test.s:1:1: `.endr` without its beginning in `.endr`");
    let error = assemble("test.s", ".rept 200000\n.rept 200000\n nop\n.endr\n.endr").unwrap_err();
    assert_eq!(*error.kind, AssembleErrorKind::MacroLines(200_000));
}

#[test]
fn set_takes_effect_from_there_on() {
    check(
        ".set n, 1\nli a0, n\n.set n, n + 1\nli a1, n\nm = 4\nli a2, m",
        &["addi a0, zero, 1", "addi a1, zero, 2", "addi a2, zero, 4"],
    );
}

#[test]
fn mistakes_name_their_place_and_the_way_out() {
    check_error(
        "nop\n  adid a0, a0, 1",
        "test.s:2:3: unknown instruction `adid`; near: `add`, `addi` in `adid a0, a0, 1`",
    );
    check_error(
        "addi a0, a0, 4096",
        "test.s:1:14: `addi` takes an immediate from -2048 to 2047, not 4096 in `addi a0, a0, 4096`",
    );
    check_error("addi a0, a0", "test.s:1:1: `addi` is written `addi rd, rs1, imm` in `addi a0, a0`");
    check_error("addi a0, f0, 1", "test.s:1:10: `f0` is no integer register in `addi a0, f0, 1`");
    check_error(
        "beqz a0, far\n.space 5000\nfar:",
        "test.s:1:10: `beq` reaches -4096 to 4094 bytes, its target 0x8000138c is 5004 bytes away; branch round a `j` to it \
         in `beqz a0, far`",
    );
    check_error("j nowhere\nno_where:", "test.s:1:3: unknown symbol `nowhere`; near: `no_where` in `j nowhere`");
    check_error("j 1f", "test.s:1:3: unknown symbol `1f` in `j 1f`");
    check_error("j 1b", "test.s:1:3: no label `1:` lies before this line in `j 1b`");
    check_error("x: nop\nx: nop", "test.s:2:1: `x` is defined twice in `x: nop`");
    check_error(
        "csrr a0, mhart",
        "test.s:1:10: unknown CSR `mhart`; near: `mhartid`; a number from 0 to 0xfff works too in `csrr a0, mhart`",
    );
    check_error(
        "fadd.s f0, f1, f2, up",
        "test.s:1:20: `up` is no rounding mode: use rne, rtz, rdn, rup, rmm or dyn in `fadd.s f0, f1, f2, up`",
    );
    check_error(
        "fli.s f0, 0.1",
        "test.s:1:11: `0.1` is none of the 32 constants of fli.s, see docs/isa.md; load it from memory or through fmv.w.x in `fli.s f0, 0.1`",
    );
    check_error(".wrod 1", "test.s:1:1: unknown directive `.wrod`; near: `.word` in `.wrod 1`");
    check_error(
        ".data\nnop",
        "test.s:2:1: instructions go to executable sections such as .text, this is .data in `nop`",
    );
    check_error(
        ".byte 1\nnop",
        "test.s:2:1: an instruction lies at offset 1, instructions lie at multiples of 4: put `.balign 4` before it in `nop`",
    );
    check_error(
        ".bss\n.word 1",
        "test.s:2:1: .bss has no contents, only room: use .space or .zero here, or .data for values in `.word 1`",
    );
    check_error(
        "nop\n.org 0",
        "test.s:2:1: .org goes forward only: the section is at offset 4, not before 0 in `.org 0`",
    );
    check_error(
        "a = b\nb = a\nli a0, a",
        "test.s:1:5: `a` is defined through itself or through symbols that are not defined in `a = b`",
    );
    check_error(".byte 256", "test.s:1:7: this directive takes -128 to 255, not 256 in `.byte 256`");
    check_error(
        "addi a0, a0, %pcrel_lo(.)",
        "test.s:1:14: no `auipc` with %pcrel_hi lies at 0x80000000: %pcrel_lo takes the label of that instruction in `addi a0, a0, %pcrel_lo(.)`",
    );
    check_error(
        ".space 0xffffffff",
        "test.s:1:8: a size in bytes takes 0 to 67108864, not 4294967295 in `.space 0xffffffff`",
    );
    check_error("/* open", "test.s:1:1: a comment is opened and never closed in `/* open`");
    check_error("mv a0, 1", "test.s:1:1: `mv` is written `mv r0, r1` in `mv a0, 1`");
    check_error(
        "jal a0, . + 1",
        "test.s:1:9: `jal` takes a jump offset in bytes in multiples of 2, 1 is none in `jal a0, . + 1`",
    );
}

#[test]
fn templates_of_pseudo_instructions_name_rows_and_operands() {
    for row in pseudo::PSEUDOS {
        let operands: Vec<&str> = row
            .operands
            .chars()
            .map(|kind| match kind {
                'r' => "a0",
                'f' => "fa0",
                _ => "0x1",
            })
            .collect();
        // An even target for jumps and branches: the program's start.
        let is_jump = row.expansion.iter().any(|text| text.starts_with('b') || text.starts_with("jal "));
        let operands = operands.join(", ").replace("0x1", if is_jump { "0x80000000" } else { "0x1" });
        let text = format!("{} {operands}", row.mnemonic);
        assert_eq!(listing(&text).len(), row.expansion.len(), "{text}");
    }
}

#[test]
fn included_texts_keep_their_names_and_lines() {
    let include = |name: &str| match name {
        "inner.inc" => Ok("# one\n li a0, 1\n".to_owned()),
        "bad.inc" => Ok("\n nope\n".to_owned()),
        "self.inc" => Ok(".include \"self.inc\"".to_owned()),
        _ => Err("no such file".to_owned()),
    };
    let program = assemble_with("outer.s", "nop\n.include \"inner.inc\"\nret", &include).unwrap();
    let place = |pc| program.location(Address(pc)).map(|location| (location.file, location.line));
    assert_eq!(place(0x8000_0000), Some(("outer.s", 1)));
    assert_eq!(place(0x8000_0004), Some(("inner.inc", 2)));
    assert_eq!(place(0x8000_0008), Some(("outer.s", 3)));
    let error = |text: &str| assemble_with("outer.s", text, &include).expect_err("this is wrong").to_string();
    assert_eq!(error(".include \"bad.inc\""), "bad.inc:2:2: unknown instruction `nope`; near: `nop` in `nope`");
    assert!(error(".include \"self.inc\"").contains("nest deeper than 32"));
    assert_eq!(error(".include \"x\""), "outer.s:1:1: `x` cannot be included: no such file in `.include \"x\"`");
    check_error(
        ".include \"x\"",
        "test.s:1:1: `x` cannot be included: only texts in a folder can include others in `.include \"x\"`",
    );
}

#[test]
fn small_texts_cannot_ask_for_much() {
    // Each macro doubles its argument and calls the next.
    let mut text = String::new();
    for n in 0..30 {
        text += &format!(".macro m{n} x\n m{} \\x+\\x\n.endm\n", n + 1);
    }
    let error = assemble("test.s", &(text + "m0 1")).unwrap_err();
    assert_eq!(*error.kind, AssembleErrorKind::MacroBytes(64 << 10));
    let sections: String = (0..10).map(|n| format!(".section s{n}\n.space 67108864\n")).collect();
    let error = assemble("test.s", &sections).unwrap_err();
    assert!(matches!(*error.kind, AssembleErrorKind::TotalSize { .. }), "{error}");
}
