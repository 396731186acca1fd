# pred: lanes leave a loop one by one, the mask comes back at its end. Needs four lanes.
.include "check.inc"
    begin
    li      t0, -1
    tmc     t0
    li      gp, 0
    csrr    s0, thread_id
    csrr    s10, active_threads

    # Lane i goes round i times (lane 0 not at all) and adds 3 each time.
    mv      a0, s0
    li      a1, 0
1:  snez    t0, a0
    pred    t0, s10
    beqz    t0, 2f
    addi    a1, a1, 3
    addi    a0, a0, -1
    j       1b
2:  li      a2, 3
    mul     a2, a2, s0
    expect_lanes a1, a2
    csrr    a0, active_threads
    expect_lanes a0, s10

    # pred.n: the condition says who leaves.
    mv      a0, s0
    li      a1, 0
1:  sltiu   t0, a0, 1
    pred.n  t0, s10
    bnez    t0, 2f
    addi    a1, a1, 1
    addi    a0, a0, -1
    j       1b
2:  expect_lanes a1, s0

    # A loop in a loop, inside a divergent side: only odd lanes, i rounds of (i & 3) + 1 each.
    andi    s1, s0, 1
    li      a1, 0
    split   s2, s1
    beqz    s1, 5f
    csrr    s3, active_threads
    mv      a0, s0
1:  snez    t0, a0
    pred    t0, s3
    beqz    t0, 4f
    csrr    s4, active_threads
    andi    a2, s0, 3
    addi    a2, a2, 1
2:  snez    t0, a2
    pred    t0, s4
    beqz    t0, 3f
    addi    a1, a1, 1
    addi    a2, a2, -1
    j       2b
3:  addi    a0, a0, -1
    j       1b
4:
5:  join    s2
    andi    a2, s0, 3
    addi    a2, a2, 1
    mul     a2, a2, s0
    mul     a2, a2, s1
    expect_lanes a1, a2
    csrr    a0, active_threads
    expect_lanes a0, s10

    # Only bit 0 counts.
    li      t0, 2
    li      t1, 1
    pred    t0, t1
    csrr    a0, active_threads
    expect  a0, 1
    finish
