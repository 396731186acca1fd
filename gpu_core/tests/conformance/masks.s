# tmc and wspawn: who runs. Needs four lanes or more.
.include "check.inc"
    begin
    csrr    s11, num_threads
    li      s10, -1                                 # s10 = the mask of all lanes
    li      t0, 32
    sub     t0, t0, s11
    srl     s10, s10, t0
    csrr    a0, active_threads
    expect  a0, 1

    # Lanes that are switched on find zeros; bits beyond the warp are trimmed.
    li      s2, 7
    li      s3, -1
    tmc     s3
    csrr    s0, thread_id
    seqz    a0, s0
    li      a1, 7
    mul     a0, a0, a1
    expect_lanes s2, a0
    csrr    s11, num_threads
    li      s10, -1
    li      t0, 32
    sub     t0, t0, s11
    srl     s10, s10, t0
    csrr    a0, active_threads
    expect_lanes a0, s10

    # Lanes that are off keep their registers and store nothing.
    la      s1, table
    slli    t0, s0, 2
    add     s1, s1, t0
    li      a2, 1
    li      t0, 0b101
    tmc     t0
    li      a2, 2
    sw      a2, 0(s1)
    tmc     s10
    li      a3, 0b101                               # a3 = bit of this lane in the mask
    srl     a3, a3, s0
    andi    a3, a3, 1
    addi    a4, a3, 1
    expect_lanes a2, a4
    lw      a2, 0(s1)
    slli    a3, a3, 1
    expect_lanes a2, a3

    # The highest active lane says which lanes go on.
    addi    t0, s11, -1
    sub     t0, s0, t0
    seqz    t0, t0
    slli    t0, t0, 1
    ori     t0, t0, 1                               # 1, and 3 in the highest lane
    tmc     t0
    csrr    a0, active_threads
    expect  a0, 3
    tmc     s10

    # Every warp starts with lane 0 and zeros, and leaves its mark.
    li      t0, 1
    tmc     t0
    csrr    s9, num_warps
    la      t1, worker
    wspawn  s9, t1
    j       wait
worker:
    csrr    t0, active_threads
    addi    t0, t0, -1
    or      t0, t0, s10
    or      t0, t0, s2
    frcsr   t1
    or      t0, t0, t1
    csrr    t1, warp_id
    slli    t2, t1, 2
    la      t3, marks
    add     t3, t3, t2
    addi    t1, t1, 100
    add     t1, t1, t0
    sw      t1, 0(t3)
    tmc     x0
wait:
    li      t0, 1
    wspawn  t0, x0                                  # waits until this warp is alone
    csrr    a0, active_warps
    expect  a0, 1
    la      t3, marks
    li      t1, 1
1:  bge     t1, s9, 2f
    slli    t2, t1, 2
    add     t2, t2, t3
    lw      a0, 0(t2)
    addi    a0, a0, -100
    sub     a0, a0, t1
    expect  a0, 0
    addi    t1, t1, 1
    j       1b
2:  # A count beyond the core's warps starts all of them.
    li      t0, 1000
    la      t1, ends
    wspawn  t0, t1
    li      t0, 1
    wspawn  t0, x0
    finish
ends:
    tmc     x0

    .bss
table:
    .space  4 * 32
marks:
    .space  4 * 32
