# M: products and quotients at their edges. The specification's table "Semantics for division by zero and division
# overflow".
.include "check.inc"
    begin
    binary  mul, 0x80000000, 0x80000000, 0
    binary  mul, -1, -1, 1
    binary  mul, 0x12345678, 0x9abcdef0, 0x242d2080
    binary  mulh, 0x80000000, 0x80000000, 0x40000000
    binary  mulh, -1, -1, 0
    binary  mulh, 0x7fffffff, -1, -1
    binary  mulh, 0x12345678, 0x9abcdef0, 0xf8cc93d6
    binary  mulhu, -1, -1, 0xfffffffe
    binary  mulhu, 0x80000000, 2, 1
    binary  mulhu, 0x12345678, 0x9abcdef0, 0x0b00ea4e
    binary  mulhsu, -1, -1, -1
    binary  mulhsu, 0x80000000, -1, 0x80000000
    binary  mulhsu, 1, -1, 0
    binary  div, 20, -6, -3
    binary  div, -20, 6, -3
    binary  div, -20, -6, 3
    binary  div, 7, 0, -1
    binary  div, 0x80000000, 0, -1
    binary  div, 0x80000000, -1, 0x80000000
    binary  divu, -20, 6, 715827879
    binary  divu, 7, 0, -1
    binary  divu, 0x80000000, -1, 0
    binary  rem, 20, -6, 2
    binary  rem, -20, 6, -2
    binary  rem, -20, -6, -2
    binary  rem, 7, 0, 7
    binary  rem, -7, 0, -7
    binary  rem, 0x80000000, -1, 0
    binary  remu, -20, 6, 2
    binary  remu, 7, 0, 7
    binary  remu, 0x80000000, -1, 0x80000000
    finish
