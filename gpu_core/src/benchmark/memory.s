# 12 loads of adjacent words, 6 stores of which 2 permute lanes, 14 others, all lanes active: 32 instructions a round.
    csrr    t0, num_warps
    la      t1, start
    wspawn  t0, t1
start:
    li      t0, -1
    tmc     t0
    csrr    a0, mhartid
    csrr    a1, thread_id
    csrr    a2, num_threads
    sub     a3, a0, a1
    # Each warp has 8 rows of words: row r, lane l at 4 * (8 * first thread + r * lanes + l).
    slli    a4, a3, 5
    slli    a5, a1, 2
    la      a6, buffer
    add     a4, a4, a6
    add     a5, a4, a5
    # The lane across: lane ^ 1.
    xori    a6, a1, 1
    slli    a6, a6, 2
    add     a6, a4, a6
    slli    a7, a2, 2
    li      t1, ROUNDS
round:
    lw      s2, 0(a5)
    add     s1, a5, a7
    lw      s3, 0(s1)
    add     s0, s1, a7
    lw      s4, 0(s0)
    add     t6, s0, a7
    lw      s5, 0(t6)
    add     t2, s2, s3
    sw      t2, 0(a5)
    add     t3, s4, s5
    sw      t3, 0(s1)
    xor     t4, t2, t3
    sw      t4, 0(a6)
    lw      s6, 0(a5)
    lw      s7, 0(s1)
    lw      s8, 0(s0)
    lw      s9, 0(t6)
    add     t2, s6, s7
    sub     t3, s8, s9
    sw      t2, 0(s0)
    sw      t3, 0(t6)
    lw      s2, 0(s0)
    lw      s3, 0(t6)
    lw      s4, 0(a5)
    lw      s5, 0(s1)
    add     t2, s2, s3
    xor     t3, s4, s5
    add     t4, t2, t3
    sw      t4, 0(a6)
    slli    t5, t4, 1
    addi    t1, t1, -1
    bnez    t1, round
    tmc     zero
    .bss
    .align  6
buffer:
    .space  1048576
