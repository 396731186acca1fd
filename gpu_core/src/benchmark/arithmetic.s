# Half float, half integer arithmetic, all lanes active: 32 instructions a round.
    csrr    t0, num_warps
    la      t1, start
    wspawn  t0, t1
start:
    li      t0, -1
    tmc     t0
    csrr    a0, thread_id
    addi    a1, a0, 3
    addi    a2, a0, 5
    fcvt.s.w fa0, a1
    fcvt.s.w fa1, a2
    fdiv.s  fa2, fa0, fa1
    fmv.s   fa3, fa2
    fmv.s   fa4, fa2
    fmv.s   fa5, fa2
    li      t1, ROUNDS
round:
    fmadd.s fa3, fa3, fa2, fa2
    add     a3, a1, a2
    fmadd.s fa4, fa4, fa2, fa2
    xor     a4, a3, a0
    fmadd.s fa5, fa5, fa2, fa2
    slli    a5, a4, 3
    fmul.s  ft0, fa3, fa4
    sltu    a6, a5, a3
    fadd.s  ft1, fa4, fa5
    sub     a7, a5, a6
    fmax.s  ft2, ft0, ft1
    and     t2, a7, a3
    fmadd.s fa3, fa3, fa2, ft2
    or      t3, t2, a6
    fmadd.s fa4, fa4, fa2, fa2
    srli    t4, t3, 5
    fmadd.s fa5, fa5, fa2, fa2
    mul     t5, t4, a1
    fmul.s  ft3, fa3, fa2
    addi    a1, t5, 7
    fadd.s  ft4, ft3, fa0
    xor     a3, a1, t4
    fmin.s  ft5, ft4, fa1
    add     a4, a3, t5
    fmadd.s fa3, fa5, fa2, ft5
    srai    a5, a4, 2
    fmul.s  fa3, fa3, fa2
    slt     a6, a5, a4
    fadd.s  fa4, fa4, fa2
    add     a2, a6, a3
    addi    t1, t1, -1
    bnez    t1, round
    tmc     zero
