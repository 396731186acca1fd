# Votes and shuffles. Needs four lanes, a power of two of them.
.include "check.inc"
    begin
    li      t0, -1
    tmc     t0
    li      gp, 0
    csrr    s0, thread_id
    csrr    s10, active_threads
    csrr    s11, num_threads
    li      s9, 1

    vote.all a0, s0                                 # lane 0 has 0
    expect_lanes a0, x0
    vote.any a0, s0
    expect_lanes a0, s9
    li      t0, -3
    vote.all a0, t0
    expect_lanes a0, s9
    vote.any a0, x0
    expect_lanes a0, x0
    vote.uni a0, s0
    expect_lanes a0, x0
    vote.uni a0, s11
    expect_lanes a0, s9
    vote.ballot a0, s0
    addi    a1, s10, -1
    expect_lanes a0, a1
    vote.ballot a0, x0
    expect_lanes a0, x0

    # Lanes that are off do not vote, and get no result.
    li      a2, 77
    li      a3, 77
    li      t0, 0b1110
    tmc     t0
    vote.all a2, s0
    vote.ballot a3, s0
    li      t0, 2
    sltu    t0, t0, s0
    vote.uni a4, t0
    tmc     s10
    li      a1, 0b1110
    srl     a1, a1, s0
    andi    a1, a1, 1                               # 1 in lanes 1, 2 and 3
    addi    t0, a1, -1
    andi    t0, t0, 77
    add     a5, t0, a1
    expect_lanes a2, a5                             # 1 there, 77 elsewhere
    li      a5, 0b1110
    mul     a5, a5, a1
    add     a5, a5, t0
    expect_lanes a3, a5
    mul     a4, a4, a1
    expect_lanes a4, x0

    .equ    ALL, 63 << 6                            # clamp: any lane may be read
    # Lane l holds 100 + l.
    addi    s1, s0, 100
    li      t0, ALL | 2
    shfl.idx a0, s1, t0
    li      a1, 102
    expect_lanes a0, a1
    li      t0, ALL
    or      t0, t0, s0                              # each lane asks for itself
    shfl.idx a0, s1, t0
    expect_lanes a0, s1
    li      t0, ALL | 1
    shfl.bfly a0, s1, t0
    xori    a1, s0, 1
    addi    a1, a1, 100
    expect_lanes a0, a1
    li      t0, ALL | 1
    shfl.down a0, s1, t0                            # the last lane keeps its own
    addi    a1, s0, 1
    sltu    a2, a1, s11
    add     a1, s1, a2
    expect_lanes a0, a1
    li      t0, 1                                   # clamp 0
    shfl.up a0, s1, t0
    snez    a2, s0
    sub     a1, s1, a2
    expect_lanes a0, a1

    # Segments of four lanes: lane numbers must agree in all but two bits.
    li      t0, 0b111100 << 12 | ALL | 3
    shfl.idx a0, s1, t0
    ori     a1, s0, 3
    addi    a1, a1, 100
    expect_lanes a0, a1
    li      t0, 0b111100 << 12 | ALL | 1
    shfl.down a0, s1, t0
    andi    a2, s0, 3
    sltiu   a2, a2, 3
    add     a1, s1, a2
    expect_lanes a0, a1

    # A lane that is off is not read: the reader keeps its own.
    li      t0, 0b0011
    tmc     t0
    li      t0, ALL | 2
    shfl.bfly a0, s1, t0
    expect_lanes a0, s1
    li      t0, ALL | 1
    shfl.bfly a0, s1, t0
    xori    a1, s0, 1
    addi    a1, a1, 100
    expect_lanes a0, a1
    finish
