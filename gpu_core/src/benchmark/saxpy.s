# y = 3 * x + y over 16384 words, 7 instructions for each of a lane's words. The number of hardware threads must divide 16384.
    csrr    t0, num_warps
    la      t1, start
    wspawn  t0, t1
start:
    li      t0, -1
    tmc     t0
    csrr    s0, mhartid
    csrr    t0, num_cores
    csrr    t1, num_warps
    csrr    t2, num_threads
    mul     s1, t0, t1
    mul     s1, s1, t2
    slli    s1, s1, 2
    slli    s0, s0, 2
    li      t0, 3
    fcvt.s.w fa0, t0
    li      s6, ROUNDS
round:
    la      t0, x
    la      t1, y
    li      t3, 65536
    add     t2, t1, t3
    add     t2, t2, s0
    add     t0, t0, s0
    add     t1, t1, s0
word:
    flw     fa1, 0(t0)
    flw     fa2, 0(t1)
    add     t0, t0, s1
    fmadd.s fa2, fa0, fa1, fa2
    fsw     fa2, 0(t1)
    add     t1, t1, s1
    bne     t1, t2, word
    addi    s6, s6, -1
    bnez    s6, round
    tmc     zero
    .bss
    .align  6
x:  .space  65536
y:  .space  65536
