# C = A * B, 64 x 64 words each, one element after the other in each lane: 6 instructions for each of the 64 products of an
# element. The number of hardware threads must divide 4096.
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
    la      s2, a
    la      s3, b
    la      s4, c
    li      s6, ROUNDS
round:
    mv      s5, s0
element:
    srli    t0, s5, 6
    slli    t0, t0, 8
    add     t0, s2, t0
    andi    t1, s5, 63
    slli    t1, t1, 2
    add     t1, s3, t1
    addi    t2, t0, 256
    fmv.w.x fa0, zero
product:
    flw     fa1, 0(t0)
    flw     fa2, 0(t1)
    addi    t0, t0, 4
    addi    t1, t1, 256
    fmadd.s fa0, fa1, fa2, fa0
    bne     t0, t2, product
    slli    t3, s5, 2
    add     t3, s4, t3
    fsw     fa0, 0(t3)
    add     s5, s5, s1
    li      t4, 4096
    bltu    s5, t4, element
    addi    s6, s6, -1
    bnez    s6, round
    tmc     zero
    .bss
    .align  6
a:  .space  16384
b:  .space  16384
c:  .space  16384
