# Zfa: constants, minimum and maximum that keep NaN, rounding to an integer, quiet comparisons.
.include "check.inc"
    begin
    .macro constant text, bits
        fli.s   fa0, \text
        fmv.x.w a0, fa0
        expect  a0, \bits
    .endm
    constant -1.0, 0xbf800000
    constant min, 0x00800000
    constant 1.52587890625e-5, 0x37800000
    constant 0.3125, 0x3ea00000
    constant 0.875, 0x3f600000
    constant 1.0, 0x3f800000
    constant 2.5, 0x40200000
    constant 65536, 0x47800000
    constant inf, 0x7f800000
    constant nan, 0x7fc00000

    .macro pair op, a, b, bits, flags
        load_float fa0, \a
        load_float fa1, \b
        fsflagsi 0
        \op     fa2, fa0, fa1
        expect_float fa2, \bits, \flags
    .endm
    pair    fminm.s, 0x3f800000, 0x7fc00000, 0x7fc00000, 0
    pair    fminm.s, 0x7f800001, 0x3f800000, 0x7fc00000, 16
    pair    fminm.s, 0x80000000, 0x00000000, 0x80000000, 0
    pair    fminm.s, 0x40000000, 0x3f800000, 0x3f800000, 0
    pair    fmaxm.s, 0x7fc12345, 0x3f800000, 0x7fc00000, 0
    pair    fmaxm.s, 0x80000000, 0x00000000, 0x00000000, 0
    pair    fmaxm.s, 0x40000000, 0xff800000, 0x40000000, 0

    .macro round op, mode, a, bits, flags
        load_float fa0, \a
        fsflagsi 0
        \op     fa2, fa0, \mode
        expect_float fa2, \bits, \flags
    .endm
    round   fround.s, rne, 0x40200000, 0x40000000, 0         # 2.5 → 2
    round   froundnx.s, rne, 0x40200000, 0x40000000, 1
    round   fround.s, rmm, 0x40200000, 0x40400000, 0
    round   fround.s, rup, 0x3e800000, 0x3f800000, 0         # 0.25 → 1
    round   fround.s, rdn, 0xbe800000, 0xbf800000, 0
    round   fround.s, rtz, 0xbf7fffff, 0x80000000, 0         # the sign of zero stays
    round   fround.s, rne, 0xbf000000, 0x80000000, 0
    round   froundnx.s, rne, 0x4b000001, 0x4b000001, 0
    round   froundnx.s, rne, 0xff800000, 0xff800000, 0
    round   fround.s, rne, 0x7fc12345, 0x7fc00000, 0
    round   fround.s, rne, 0x7f800001, 0x7fc00000, 16

    .macro quiet op, a, b, value, flags
        load_float fa0, \a
        load_float fa1, \b
        fsflagsi 0
        \op     a0, fa0, fa1
        expect  a0, \value
        frflags a0
        expect  a0, \flags
    .endm
    quiet   fleq.s, 0x3f800000, 0x3f800000, 1, 0
    quiet   fleq.s, 0x7fc00000, 0x3f800000, 0, 0
    quiet   fltq.s, 0x7fc00000, 0x3f800000, 0, 0
    quiet   fltq.s, 0x7f800001, 0x3f800000, 0, 16
    quiet   fltq.s, 0xbf800000, 0x3f800000, 1, 0
    finish
