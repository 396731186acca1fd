# RV32I: computation, branches, jumps. Values by hand from the unprivileged specification, chapter "RV32I".
.include "check.inc"
    begin

    binary  add, 0x7fffffff, 1, 0x80000000
    binary  add, 0xffffffff, 0xffffffff, 0xfffffffe
    binary  sub, 0, 1, 0xffffffff
    binary  sub, 0x80000000, 1, 0x7fffffff
    binary  sll, 1, 31, 0x80000000
    binary  sll, 0x12345678, 36, 0x23456780       # only five bits of the amount count
    binary  srl, 0x80000000, 31, 1
    binary  srl, 0x80000000, 0xffffffe4, 0x08000000
    binary  sra, 0x80000000, 31, 0xffffffff
    binary  sra, 0x7fffffff, 30, 1
    binary  slt, -1, 0, 1
    binary  slt, 0x7fffffff, 0x80000000, 0
    binary  slt, 5, 5, 0
    binary  sltu, -1, 0, 0
    binary  sltu, 0, -1, 1
    binary  xor, 0xff00ff00, 0x0f0f0f0f, 0xf00ff00f
    binary  or, 0xff00ff00, 0x0f0f0f0f, 0xff0fff0f
    binary  and, 0xff00ff00, 0x0f0f0f0f, 0x0f000f00

    immediate addi, 0, -2048, 0xfffff800
    immediate addi, 0x7fffffff, 2047, 0x800007fe
    immediate slti, -5, -4, 1
    immediate slti, 0, -1, 0
    immediate sltiu, 0, -1, 1                       # the immediate is sign-extended, then taken as unsigned
    immediate sltiu, 0xffffffff, -1, 0
    immediate xori, 0x00ff00ff, -1, 0xff00ff00
    immediate ori, 0x00ff00ff, -256, 0xffffffff
    immediate andi, 0x12345678, 0x7f0, 0x670
    immediate slli, 3, 31, 0x80000000
    immediate srli, 0xffffffff, 4, 0x0fffffff
    immediate srai, 0x80000000, 4, 0xf8000000

    # Operands and result in one register; x0 stays zero and is zero.
    li      a0, 3
    add     a0, a0, a0
    expect  a0, 6
    li      a1, 7
    sub     a1, a0, a1
    expect  a1, -1
    addi    x0, a0, 1
    expect  x0, 0
    lui     x0, 0xfffff
    add     a2, x0, x0
    expect  a2, 0

    # Upper immediates.
    lui     a0, 0xfffff
    expect  a0, 0xfffff000
here:
    auipc   a0, 0x1
    la      a1, here
    sub     a2, a0, a1
    expect  a2, 0x1000
    j       1f
1:

    # Branches: taken and not, forward and back, signed and unsigned.
    .macro branch op, a, b, taken
        li      a0, \a
        li      a1, \b
        li      a2, 0
        \op     a0, a1, over\@
        j       done\@
    over\@:
        li      a2, 1
    done\@:
        expect  a2, \taken
    .endm
    branch  beq, 5, 5, 1
    branch  beq, 5, 6, 0
    branch  bne, 5, 6, 1
    branch  bne, -1, -1, 0
    branch  blt, -1, 0, 1
    branch  blt, 0, -1, 0
    branch  blt, 3, 3, 0
    branch  bge, 3, 3, 1
    branch  bge, 0x80000000, 0x7fffffff, 0
    branch  bge, 0x7fffffff, 0x80000000, 1
    branch  bltu, -1, 0, 0
    branch  bltu, 0, -1, 1
    branch  bgeu, -1, 0, 1
    branch  bgeu, 0, 0, 1
    branch  bgeu, 0, 1, 0

    li      a0, 5                                   # a loop: 5 + 4 + 3 + 2 + 1
    li      a1, 0
1:  add     a1, a1, a0
    addi    a0, a0, -1
    bnez    a0, 1b
    expect  a1, 15

    # Jumps link the next instruction; jalr clears the lowest bit of its target, and may use its link as base.
    jal     a0, 1f
after_jal:
    j       fail
1:  la      a1, after_jal
    sub     a2, a0, a1
    expect  a2, 0
    la      a0, 1f + 1
    jalr    a0, 0(a0)
after_jalr:
    j       fail
1:  la      a1, after_jalr
    sub     a2, a0, a1
    expect  a2, 0
    la      a0, 1f + 2048
    jalr    x0, -2048(a0)
    j       fail
1:  call    double
    expect  a0, 84
    call    double
    expect  a0, 168
    j       pass
double:
    beqz    s0, 1f
    slli    a0, a0, 1
    ret
1:  li      s0, 1
    li      a0, 84
    ret

    finish
