# imadd: ((rs1 * rs2) >> (8 * funct2)) + rs3 with the product in 64 bits, signed; low 32 bits.
.include "check.inc"
    begin
    .macro fused a, b, c, shift, value
        li      a0, \a
        li      a1, \b
        li      a2, \c
        imadd   a3, a0, a1, a2, \shift
        expect  a3, \value
    .endm
    fused   -3, 5, 7, 0, -8
    fused   0x01000000, 0x00800000, 1, 3, 0x00800001      # 1.0 * 0.5 with 24 fraction bits
    fused   -1, 1, 0, 1, -1                               # the shift rounds down
    fused   -1, 1, 0, 3, -1
    fused   0x7fffffff, 0x7fffffff, 0, 3, 0xffffff00
    fused   0x80000000, 0x80000000, 0, 2, 0
    fused   0x12345678, 0x9abcdef0, 0x11111111, 1, 0xe7353e31
    fused   0xffffffff, 0xffffffff, 0xffffffff, 0, 0
    finish
