//! Pseudo-instructions: names for common forms of the real ones, each told once as one row.
//!
//! Readers: `statement`, which puts the operands in for `$0`, `$1`, …, and the generated `docs/isa.md`.
//! Source: the RISC-V assembly programmer's manual, "pseudoinstructions"; `li` is sized in `statement`.

/// One row: a mnemonic with operands of these kinds stands for these instructions.
#[derive(Copy, Clone, Debug)]
pub struct Pseudo {
    /// The name.
    pub mnemonic: &'static str,
    /// A letter for each operand: r integer register, f float register, e expression (symbol, number or CSR).
    pub operands: &'static str,
    /// What it stands for; `$n` is operand n, `.` the address of the instruction it stands in.
    pub expansion: &'static [&'static str],
}

/// Shorthand for a row.
const fn row(mnemonic: &'static str, operands: &'static str, expansion: &'static [&'static str]) -> Pseudo {
    Pseudo { mnemonic, operands, expansion }
}

/// `li` with a number of 12 signed bits, with one whose low 12 bits are zero, and with any other value or symbol.
pub const LOAD_IMMEDIATE: [&[&str]; 3] =
    [&["addi $0, x0, $1"], &["lui $0, %hi($1)"], &["lui $0, %hi($1)", "addi $0, $0, %lo($1)"]];

/// Every row but `li`.
#[rustfmt::skip]
pub const PSEUDOS: &[Pseudo] = &[
    row("nop", "", &["addi x0, x0, 0"]),
    row("unimp", "", &["csrrw x0, cycle, x0"]),
    row("mv", "rr", &["addi $0, $1, 0"]),
    row("not", "rr", &["xori $0, $1, -1"]),
    row("neg", "rr", &["sub $0, x0, $1"]),
    row("zext.b", "rr", &["andi $0, $1, 255"]),
    row("seqz", "rr", &["sltiu $0, $1, 1"]),
    row("snez", "rr", &["sltu $0, x0, $1"]),
    row("sltz", "rr", &["slt $0, $1, x0"]),
    row("sgtz", "rr", &["slt $0, x0, $1"]),
    row("sgt", "rrr", &["slt $0, $2, $1"]),
    row("sgtu", "rrr", &["sltu $0, $2, $1"]),
    // GNU as takes an immediate with the register forms too.
    row("add", "rre", &["addi $0, $1, $2"]),
    row("and", "rre", &["andi $0, $1, $2"]),
    row("or", "rre", &["ori $0, $1, $2"]),
    row("xor", "rre", &["xori $0, $1, $2"]),
    row("sll", "rre", &["slli $0, $1, $2"]),
    row("srl", "rre", &["srli $0, $1, $2"]),
    row("sra", "rre", &["srai $0, $1, $2"]),
    row("slt", "rre", &["slti $0, $1, $2"]),
    row("sltu", "rre", &["sltiu $0, $1, $2"]),
    // Addresses.
    row("la", "re", &["auipc $0, %pcrel_hi($1)", "addi $0, $0, %pcrel_lo(. - 4)"]),
    row("lla", "re", &["auipc $0, %pcrel_hi($1)", "addi $0, $0, %pcrel_lo(. - 4)"]),
    row("lb", "re", &["auipc $0, %pcrel_hi($1)", "lb $0, %pcrel_lo(. - 4)($0)"]),
    row("lbu", "re", &["auipc $0, %pcrel_hi($1)", "lbu $0, %pcrel_lo(. - 4)($0)"]),
    row("lh", "re", &["auipc $0, %pcrel_hi($1)", "lh $0, %pcrel_lo(. - 4)($0)"]),
    row("lhu", "re", &["auipc $0, %pcrel_hi($1)", "lhu $0, %pcrel_lo(. - 4)($0)"]),
    row("lw", "re", &["auipc $0, %pcrel_hi($1)", "lw $0, %pcrel_lo(. - 4)($0)"]),
    row("sb", "rer", &["auipc $2, %pcrel_hi($1)", "sb $0, %pcrel_lo(. - 4)($2)"]),
    row("sh", "rer", &["auipc $2, %pcrel_hi($1)", "sh $0, %pcrel_lo(. - 4)($2)"]),
    row("sw", "rer", &["auipc $2, %pcrel_hi($1)", "sw $0, %pcrel_lo(. - 4)($2)"]),
    row("flw", "fer", &["auipc $2, %pcrel_hi($1)", "flw $0, %pcrel_lo(. - 4)($2)"]),
    row("fsw", "fer", &["auipc $2, %pcrel_hi($1)", "fsw $0, %pcrel_lo(. - 4)($2)"]),
    // Branches and jumps.
    row("beqz", "re", &["beq $0, x0, $1"]),
    row("bnez", "re", &["bne $0, x0, $1"]),
    row("blez", "re", &["bge x0, $0, $1"]),
    row("bgez", "re", &["bge $0, x0, $1"]),
    row("bltz", "re", &["blt $0, x0, $1"]),
    row("bgtz", "re", &["blt x0, $0, $1"]),
    row("bgt", "rre", &["blt $1, $0, $2"]),
    row("ble", "rre", &["bge $1, $0, $2"]),
    row("bgtu", "rre", &["bltu $1, $0, $2"]),
    row("bleu", "rre", &["bgeu $1, $0, $2"]),
    row("j", "e", &["jal x0, $0"]),
    row("jal", "e", &["jal ra, $0"]),
    row("jr", "r", &["jalr x0, 0($0)"]),
    row("jalr", "r", &["jalr ra, 0($0)"]),
    row("jalr", "rr", &["jalr $0, 0($1)"]),
    row("jalr", "rre", &["jalr $0, $2($1)"]),
    row("ret", "", &["jalr x0, 0(ra)"]),
    row("call", "e", &["auipc ra, %pcrel_hi($0)", "jalr ra, %pcrel_lo(. - 4)(ra)"]),
    row("tail", "e", &["auipc t1, %pcrel_hi($0)", "jalr x0, %pcrel_lo(. - 4)(t1)"]),
    // Control and status registers.
    row("csrr", "re", &["csrrs $0, $1, x0"]),
    row("csrw", "er", &["csrrw x0, $0, $1"]),
    row("csrs", "er", &["csrrs x0, $0, $1"]),
    row("csrc", "er", &["csrrc x0, $0, $1"]),
    row("csrw", "ee", &["csrrwi x0, $0, $1"]),
    row("csrs", "ee", &["csrrsi x0, $0, $1"]),
    row("csrc", "ee", &["csrrci x0, $0, $1"]),
    row("csrwi", "ee", &["csrrwi x0, $0, $1"]),
    row("csrsi", "ee", &["csrrsi x0, $0, $1"]),
    row("csrci", "ee", &["csrrci x0, $0, $1"]),
    row("csrrw", "ree", &["csrrwi $0, $1, $2"]),
    row("csrrs", "ree", &["csrrsi $0, $1, $2"]),
    row("csrrc", "ree", &["csrrci $0, $1, $2"]),
    row("frcsr", "r", &["csrrs $0, fcsr, x0"]),
    row("fscsr", "r", &["csrrw x0, fcsr, $0"]),
    row("fscsr", "rr", &["csrrw $0, fcsr, $1"]),
    row("frrm", "r", &["csrrs $0, frm, x0"]),
    row("fsrm", "r", &["csrrw x0, frm, $0"]),
    row("fsrm", "rr", &["csrrw $0, frm, $1"]),
    row("fsrmi", "e", &["csrrwi x0, frm, $0"]),
    row("fsrmi", "re", &["csrrwi $0, frm, $1"]),
    row("frflags", "r", &["csrrs $0, fflags, x0"]),
    row("fsflags", "r", &["csrrw x0, fflags, $0"]),
    row("fsflags", "rr", &["csrrw $0, fflags, $1"]),
    row("fsflagsi", "e", &["csrrwi x0, fflags, $0"]),
    row("fsflagsi", "re", &["csrrwi $0, fflags, $1"]),
    row("rdcycle", "r", &["csrrs $0, cycle, x0"]),
    row("rdcycleh", "r", &["csrrs $0, cycleh, x0"]),
    row("rdtime", "r", &["csrrs $0, time, x0"]),
    row("rdtimeh", "r", &["csrrs $0, timeh, x0"]),
    row("rdinstret", "r", &["csrrs $0, instret, x0"]),
    row("rdinstreth", "r", &["csrrs $0, instreth, x0"]),
    // Floats.
    row("fmv.s", "ff", &["fsgnj.s $0, $1, $1"]),
    row("fabs.s", "ff", &["fsgnjx.s $0, $1, $1"]),
    row("fneg.s", "ff", &["fsgnjn.s $0, $1, $1"]),
    row("fgt.s", "rff", &["flt.s $0, $2, $1"]),
    row("fge.s", "rff", &["fle.s $0, $2, $1"]),
    row("fgtq.s", "rff", &["fltq.s $0, $2, $1"]),
    row("fgeq.s", "rff", &["fleq.s $0, $2, $1"]),
    row("fmv.x.s", "rf", &["fmv.x.w $0, $1"]),
    row("fmv.s.x", "fr", &["fmv.w.x $0, $1"]),
];

/// Mnemonic and operands as they are written.
pub fn form(pseudo: &Pseudo) -> String {
    let mut text = pseudo.mnemonic.to_owned();
    for (number, kind) in pseudo.operands.chars().enumerate() {
        text.push_str(if number == 0 { " " } else { ", " });
        text.push_str(match kind {
            'r' => ["r0", "r1", "r2"][number],
            'f' => ["f0", "f1", "f2"][number],
            _ => ["e0", "e1", "e2"][number],
        });
    }
    text
}
