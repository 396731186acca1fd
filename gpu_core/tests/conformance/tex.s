# tex: stages set up through their registers, then sampled; the arithmetic itself is the sampler's own test.
.include "check.inc"
    begin
    # Stage 1: four texels in a row, 0xff000000, 0xff404040, 0xff808080, 0xffc0c0c0, and a level 1 of two.
    csrwi   tex_stage, 1
    la      t0, image
    csrw    tex_address, t0
    csrwi   tex_width, 4
    csrwi   tex_height, 1
    csrwi   tex_format, 0
    csrwi   tex_filter, 0
    csrwi   tex_wrap_u, 1
    csrwi   tex_wrap_v, 1
    csrwi   tex_levels, 2
    csrwi   tex_mip_offset0, 0
    csrwi   tex_mip_offset1, 16
    csrr    a0, tex_width
    expect  a0, 4

    # Point: the texel at the floor; 1.0 is 0x800000, so a texel is 0x200000 wide.
    .macro point u, level, texel
        li      a0, \u
        li      a1, 0
        li      a2, \level
        tex     a3, a0, a1, a2, 1
        expect  a3, \texel
    .endm
    point   0, 0, 0xff000000
    point   0x1fffff, 0, 0xff000000
    point   0x200000, 0, 0xff404040
    point   0x700000, 0, 0xffc0c0c0
    point   0x800000, 0, 0xff000000                # repeat
    point   -1, 0, 0xffc0c0c0
    point   0, 1, 0xff112233
    point   0x400000, 1, 0xff445566
    csrwi   tex_wrap_u, 0                           # clamp
    point   0x900000, 0, 0xffc0c0c0
    point   -0x100000, 0, 0xff000000

    # Bilinear: half way between the middles of texels 1 and 2 is u = 0.5. The weight is 128 of 255:
    # 0x40 * 127 + 0x80 * 128 + 128 = 24640; (24640 + 96) >> 8 = 96.
    csrwi   tex_filter, 1
    point   0x400000, 0, 0xff606060
    point   0x300000, 0, 0xff404040                 # the middle of texel 1

    # Stages are apart from each other; texture_bank picks another four.
    csrwi   tex_stage, 5
    la      t0, bytes
    csrw    tex_address, t0
    csrwi   tex_width, 2
    csrwi   tex_height, 2
    csrwi   tex_format, 5                           # L8
    csrwi   tex_levels, 1
    csrwi   tex_filter, 0
    csrwi   tex_stage, 1
    csrr    a0, tex_width
    expect  a0, 4
    csrwi   texture_bank, 1
    li      a0, 0x400000
    li      a1, 0x400000
    tex     a3, a0, a1, x0, 1
    expect  a3, 0xff040404
    csrwi   texture_bank, 0
    point   0x300000, 0, 0xff404040

    # Each lane has its own coordinates, and the older encoding means the same with stage 0.
    csrwi   tex_stage, 0
    csrw    tex_address, t0
    csrwi   tex_width, 2
    csrwi   tex_height, 2
    csrwi   tex_format, 5
    csrwi   tex_levels, 1
    csrwi   tex_filter, 0
    li      t0, 3
    tmc     t0
    li      gp, 100
    csrr    a0, thread_id
    slli    a0, a0, 22
    li      a1, 0
    tex     a3, a0, a1, x0, 0
    srli    a4, a0, 22
    addi    a4, a4, 1
    li      a5, 0x010101
    mul     a4, a4, a5
    li      a5, 0xff000000
    or      a4, a4, a5
    expect_lanes a3, a4
    .word   0x00b506db | 0 << 27                    # tex a3, a0, a1, x0, 0 with opcode 0x5b
    expect_lanes a3, a4
    finish

    .data
    .balign 64
image:
    .word   0xff000000, 0xff404040, 0xff808080, 0xffc0c0c0
    .word   0xff112233, 0xff445566
bytes:
    .byte   1, 2, 3, 4
