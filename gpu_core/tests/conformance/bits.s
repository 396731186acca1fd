# Zba, Zbb and Zicond.
.include "check.inc"
    begin
    binary  sh1add, 3, 5, 11
    binary  sh2add, 3, 5, 17
    binary  sh3add, 3, 5, 29
    binary  sh1add, 0x80000001, 1, 3
    binary  andn, 0xff00ff00, 0x0f0f0f0f, 0xf000f000
    binary  orn, 0xff00ff00, 0x0f0f0f0f, 0xfff0fff0
    binary  xnor, 0xff00ff00, 0x0f0f0f0f, 0x0ff00ff0
    binary  min, -1, 1, -1
    binary  minu, -1, 1, 1
    binary  max, -1, 1, 1
    binary  maxu, -1, 1, -1
    binary  rol, 0x80000001, 1, 3
    binary  rol, 0x12345678, 36, 0x23456781
    binary  ror, 1, 1, 0x80000000
    binary  ror, 0x12345678, 8, 0x78123456
    binary  ror, 0x12345678, 0, 0x12345678
    immediate rori, 0x12345678, 4, 0x81234567
    immediate rori, 0x12345678, 0, 0x12345678
    unary   clz, 0, 32
    unary   clz, 1, 31
    unary   clz, 0x80000000, 0
    unary   ctz, 0, 32
    unary   ctz, 0x80000000, 31
    unary   ctz, 1, 0
    unary   cpop, 0xf0f0f0f1, 17
    unary   cpop, 0, 0
    unary   cpop, -1, 32
    unary   sext.b, 0x180, 0xffffff80
    unary   sext.b, 0x17f, 0x7f
    unary   sext.h, 0x18000, 0xffff8000
    unary   zext.h, 0xffff8000, 0x8000
    unary   orc.b, 0x00100080, 0x00ff00ff
    unary   orc.b, 0x01000200, 0xff00ff00
    unary   rev8, 0x12345678, 0x78563412
    binary  czero.eqz, 5, 0, 0
    binary  czero.eqz, 5, 0x100, 5
    binary  czero.nez, 5, 0, 5
    binary  czero.nez, 5, 0x100, 0
    finish
