# RV32I: loads and stores, sign and zero extension, negative offsets, misaligned accesses (done in parts for programs
# like this one), little-endian order.
.include "check.inc"
    begin
    la      s0, data
    lb      a0, 0(s0)
    expect  a0, 0x11
    lb      a0, 3(s0)
    expect  a0, 0xffffff84
    lbu     a0, 3(s0)
    expect  a0, 0x84
    lh      a0, 2(s0)
    expect  a0, 0xffff8433
    lhu     a0, 2(s0)
    expect  a0, 0x8433
    lw      a0, 0(s0)
    expect  a0, 0x84332211
    addi    s1, s0, 8
    lw      a0, -4(s1)
    expect  a0, 0x88776655
    lw      s1, -8(s1)                              # the base is the destination
    expect  s1, 0x84332211
    lw      x0, 0(s0)
    expect  x0, 0

    # Misaligned loads of every distance.
    lh      a0, 1(s0)
    expect  a0, 0x3322
    lhu     a0, 3(s0)
    expect  a0, 0x5584
    lw      a0, 1(s0)
    expect  a0, 0x55843322
    lw      a0, 2(s0)
    expect  a0, 0x66558433
    lw      a0, 3(s0)
    expect  a0, 0x77665584

    # Stores change their bytes and no others.
    la      s1, room
    li      a1, 0xaabbccdd
    sw      a1, 0(s1)
    sw      a1, 4(s1)
    sb      x0, 1(s1)
    lw      a0, 0(s1)
    expect  a0, 0xaabb00dd
    li      a2, 0x12345678
    sh      a2, 2(s1)
    lw      a0, 0(s1)
    expect  a0, 0x567800dd
    sh      a2, 3(s1)                               # crosses into the next word
    lw      a0, 0(s1)
    expect  a0, 0x787800dd
    lw      a0, 4(s1)
    expect  a0, 0xaabbcc56
    sw      a2, 2(s1)
    lw      a0, 0(s1)
    expect  a0, 0x567800dd
    lw      a0, 4(s1)
    expect  a0, 0xaabb1234
    sw      a2, -4(s1)
    lw      a0, room - 4
    expect  a0, 0x12345678
    fence   rw, rw
    finish

    .data
data:
    .byte   0x11, 0x22, 0x33, 0x84, 0x55, 0x66, 0x77, 0x88
    .word   0
room:
    .space  16
