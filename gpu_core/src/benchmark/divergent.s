# A branch that lanes take differently, around bodies of 8 instructions; the pattern changes every round.
    csrr    t0, num_warps
    la      t1, start
    wspawn  t0, t1
start:
    li      t0, -1
    tmc     t0
    csrr    a0, thread_id
    addi    a1, a0, 3
    addi    a2, a0, 5
    li      t1, ROUNDS
round:
    srli    a3, t1, 2
    xor     a3, a3, a0
    andi    a3, a3, 1
    split   s0, a3
    beqz    a3, otherwise
    add     a4, a1, a2
    xor     a5, a4, a0
    slli    a6, a5, 3
    sub     a7, a6, a4
    and     t2, a7, a5
    or      t3, t2, a6
    mul     a1, t3, a4
    addi    a1, a1, 1
    j       meet
otherwise:
    sub     a4, a2, a1
    or      a5, a4, a0
    srli    a6, a5, 3
    add     a7, a6, a4
    xor     t2, a7, a5
    and     t3, t2, a6
    mul     a2, t3, a4
    addi    a2, a2, 1
meet:
    join    s0
    addi    t1, t1, -1
    bnez    t1, round
    tmc     zero
