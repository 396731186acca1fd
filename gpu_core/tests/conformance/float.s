# F: results, flags (NV 16, DZ 8, OF 4, UF 2, NX 1) and rounding modes. Values by hand from the specification and
# IEEE 754; they were run on QEMU too.
.include "check.inc"
    begin

    .macro float2 op, mode, a, b, bits, flags
        load_float fa0, \a
        load_float fa1, \b
        fsflagsi 0
        \op     fa2, fa0, fa1, \mode
        expect_float fa2, \bits, \flags
    .endm
    .macro float3 op, mode, a, b, c, bits, flags
        load_float fa0, \a
        load_float fa1, \b
        load_float fa2, \c
        fsflagsi 0
        \op     fa3, fa0, fa1, fa2, \mode
        expect_float fa3, \bits, \flags
    .endm
    .macro float1 op, mode, a, bits, flags
        load_float fa0, \a
        fsflagsi 0
        \op     fa2, fa0, \mode
        expect_float fa2, \bits, \flags
    .endm
    .macro plain2 op, a, b, bits, flags             # without a rounding mode
        load_float fa0, \a
        load_float fa1, \b
        fsflagsi 0
        \op     fa2, fa0, fa1
        expect_float fa2, \bits, \flags
    .endm
    .macro compare op, a, b, value, flags
        load_float fa0, \a
        load_float fa1, \b
        fsflagsi 0
        \op     a0, fa0, fa1
        expect  a0, \value
        frflags a0
        expect  a0, \flags
    .endm
    .macro to_integer op, mode, a, value, flags
        load_float fa0, \a
        fsflagsi 0
        \op     a0, fa0, \mode
        expect  a0, \value
        frflags a0
        expect  a0, \flags
    .endm
    .macro from_integer op, mode, a, bits, flags
        li      a0, \a
        fsflagsi 0
        \op     fa0, a0, \mode
        expect_float fa0, \bits, \flags
    .endm

    # 1 + 2^-24 lies half way between two floats.
    float2  fadd.s, rne, 0x3f800000, 0x33800000, 0x3f800000, 1
    float2  fadd.s, rtz, 0x3f800000, 0x33800000, 0x3f800000, 1
    float2  fadd.s, rdn, 0x3f800000, 0x33800000, 0x3f800000, 1
    float2  fadd.s, rup, 0x3f800000, 0x33800000, 0x3f800001, 1
    float2  fadd.s, rmm, 0x3f800000, 0x33800000, 0x3f800001, 1
    float2  fsub.s, rdn, 0xbf800000, 0x33800000, 0xbf800001, 1
    float2  fsub.s, rup, 0xbf800000, 0x33800000, 0xbf800000, 1
    float2  fsub.s, rne, 0x3f800000, 0x3f800000, 0x00000000, 0
    float2  fsub.s, rdn, 0x3f800000, 0x3f800000, 0x80000000, 0
    float2  fadd.s, rne, 0x80000000, 0x80000000, 0x80000000, 0
    float2  fadd.s, rne, 0x7f800000, 0xff800000, 0x7fc00000, 16
    float2  fadd.s, rne, 0x7fc12345, 0x3f800000, 0x7fc00000, 0
    float2  fadd.s, rne, 0x7f800001, 0x3f800000, 0x7fc00000, 16
    float2  fadd.s, rne, 0x7f7fffff, 0x7f7fffff, 0x7f800000, 5
    float2  fadd.s, rtz, 0x7f7fffff, 0x7f7fffff, 0x7f7fffff, 5
    float2  fadd.s, rdn, 0xff7fffff, 0xff7fffff, 0xff800000, 5
    float2  fadd.s, rne, 0x00000001, 0x007fffff, 0x00800000, 0
    float2  fmul.s, rne, 0x40400000, 0xc0000000, 0xc0c00000, 0
    float2  fmul.s, rne, 0x00800000, 0x3f000000, 0x00400000, 0   # exact, so no underflow
    float2  fmul.s, rne, 0x00000001, 0x3f000000, 0x00000000, 3
    float2  fmul.s, rup, 0x00000001, 0x3f000000, 0x00000001, 3
    float2  fmul.s, rne, 0x00ffffff, 0x3f000000, 0x00800000, 3   # tiny before the exponent is bounded
    float2  fmul.s, rne, 0x00000000, 0x7f800000, 0x7fc00000, 16
    float2  fmul.s, rne, 0x7f000000, 0x40800000, 0x7f800000, 5
    float2  fdiv.s, rne, 0x3f800000, 0x40400000, 0x3eaaaaab, 1
    float2  fdiv.s, rtz, 0x3f800000, 0x40400000, 0x3eaaaaaa, 1
    float2  fdiv.s, rne, 0xbf800000, 0x00000000, 0xff800000, 8
    float2  fdiv.s, rne, 0x00000000, 0x00000000, 0x7fc00000, 16
    float2  fdiv.s, rne, 0x7f800000, 0x7f800000, 0x7fc00000, 16
    float2  fdiv.s, rne, 0x3f800000, 0x7f800000, 0x00000000, 0
    float1  fsqrt.s, rne, 0x40000000, 0x3fb504f3, 1
    float1  fsqrt.s, rup, 0x40000000, 0x3fb504f4, 1
    float1  fsqrt.s, rne, 0x40800000, 0x40000000, 0
    float1  fsqrt.s, rne, 0x80000000, 0x80000000, 0
    float1  fsqrt.s, rne, 0xbf800000, 0x7fc00000, 16

    # One rounding at the end; signs of the four forms.
    float3  fmadd.s, rne, 0x40000000, 0x40400000, 0x3f800000, 0x40e00000, 0
    float3  fmsub.s, rne, 0x40000000, 0x40400000, 0x3f800000, 0x40a00000, 0
    float3  fnmsub.s, rne, 0x40000000, 0x40400000, 0x3f800000, 0xc0a00000, 0
    float3  fnmadd.s, rne, 0x40000000, 0x40400000, 0x3f800000, 0xc0e00000, 0
    float3  fmadd.s, rne, 0x7f800000, 0x00000000, 0x7fc00000, 0x7fc00000, 16
    float3  fmadd.s, rne, 0x7f800000, 0x3f800000, 0xff800000, 0x7fc00000, 16
    float3  fnmadd.s, rne, 0x3f800000, 0x3f800000, 0xbf800000, 0x00000000, 0   # the product is negated, not the sum

    # Bits are moved and signs copied without a look at them.
    plain2  fsgnj.s, 0x7f800001, 0x80000000, 0xff800001, 0
    plain2  fsgnjn.s, 0x7f800001, 0x00000000, 0xff800001, 0
    plain2  fsgnjx.s, 0xbf800000, 0xbf800000, 0x3f800000, 0
    plain2  fmax.s, 0x7fc00000, 0x7f800001, 0x7fc00000, 16
    plain2  fmin.s, 0x7fc12345, 0x7fc54321, 0x7fc00000, 0
    plain2  fmin.s, 0x3f800000, 0xbf800000, 0xbf800000, 0
    la      a0, scratch
    load_float fa0, 0x7f812345
    fsw     fa0, 4(a0)
    flw     fa1, 4(a0)
    expect_float fa1, 0x7f812345, 0

    compare feq.s, 0x00000000, 0x80000000, 1, 0
    compare feq.s, 0x7fc00000, 0x3f800000, 0, 0
    compare feq.s, 0x7f800001, 0x3f800000, 0, 16
    compare flt.s, 0xbf800000, 0x3f800000, 1, 0
    compare flt.s, 0x80000000, 0x00000000, 0, 0
    compare flt.s, 0x7fc00000, 0x3f800000, 0, 16
    compare fle.s, 0x3f800000, 0x3f800000, 1, 0
    compare fle.s, 0x3f800000, 0x7fc00000, 0, 16
    compare fgt.s, 0x40000000, 0x3f800000, 1, 0
    compare fge.s, 0x3f800000, 0x40000000, 0, 0

    .macro class bits, value
        load_float fa0, \bits
        fclass.s a0, fa0
        expect  a0, \value
    .endm
    class   0xff800000, 1 << 0
    class   0xbf800000, 1 << 1
    class   0x807fffff, 1 << 2
    class   0x80000000, 1 << 3
    class   0x00000000, 1 << 4
    class   0x00000001, 1 << 5
    class   0x00800000, 1 << 6
    class   0x7f800000, 1 << 7
    class   0x7f800001, 1 << 8
    class   0x7fc00000, 1 << 9

    to_integer fcvt.w.s, rne, 0x40200000, 2, 1         # 2.5
    to_integer fcvt.w.s, rtz, 0xbfc00000, -1, 1        # -1.5
    to_integer fcvt.w.s, rdn, 0xbfc00000, -2, 1
    to_integer fcvt.w.s, rup, 0xbfc00000, -1, 1
    to_integer fcvt.w.s, rmm, 0x40200000, 3, 1
    to_integer fcvt.w.s, rne, 0xcf000000, 0x80000000, 0
    to_integer fcvt.w.s, rne, 0xcf000001, 0x80000000, 16
    to_integer fcvt.w.s, rne, 0x00000001, 0, 1
    to_integer fcvt.w.s, rup, 0x00000001, 1, 1
    to_integer fcvt.wu.s, rtz, 0x4f7fffff, 0xffffff00, 0
    to_integer fcvt.wu.s, rne, 0x7f800000, -1, 16
    to_integer fcvt.wu.s, rne, 0x80000000, 0, 0
    from_integer fcvt.s.w, rne, -1, 0xbf800000, 0
    from_integer fcvt.s.w, rne, 0x7fffffff, 0x4f000000, 1
    from_integer fcvt.s.w, rtz, 0x7fffffff, 0x4effffff, 1
    from_integer fcvt.s.w, rne, 0x80000000, 0xcf000000, 0
    from_integer fcvt.s.wu, rne, 0xffffffff, 0x4f800000, 1
    from_integer fcvt.s.wu, rdn, 0xffffffff, 0x4f7fffff, 1
    from_integer fcvt.s.wu, rne, 0x01000001, 0x4b800000, 1

    # Without a mode of its own an instruction takes the one of frm; a mode of its own wins.
    load_float fa0, 0x3f800000
    load_float fa1, 0x33800000
    fsrmi   3
    fadd.s  fa2, fa0, fa1
    expect_float fa2, 0x3f800001, 1
    fadd.s  fa2, fa0, fa1, rne
    expect_float fa2, 0x3f800000, 1
    fsrmi   0
    # Flags add up.
    fsflagsi 8
    fadd.s  fa2, fa0, fa1
    expect_float fa2, 0x3f800000, 9
    finish

    .bss
scratch:
    .space  8
