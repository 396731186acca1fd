# Two if/elses one after the other, each on a bit of a product of x, by thread masks: the second condition is known only after the
# first.
# In: mscratch = the words, one for each thread of the machine. A word x becomes what its sides make of it.
    csrr   t0, num_warps
    la     t1, work
    wspawn t0, t1
work:
    li     t0, -1
    tmc    t0               # Every lane of every warp.
    csrr   t0, mhartid
    csrr   a2, mscratch
    li     a3, -1640531535  # 0x9e3779b1 spreads bits.
    slli   t0, t0, 2
    add    a2, a2, t0
    lw     a0, 0(a2)        # x

    mul    t1, a0, a3
    srli   t1, t1, 28
    andi   t1, t1, 1        # Bit 28 of the product.
    vote.ballot t1, t1
    mask.and s0, t1         # s0 = the mask before.
    addi   a0, a0, 1
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    mask.xor s0, s0         # The others; s0 = the lanes that had it.
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
    mask.or zero, s0        # Both.

    mul    t1, a0, a3
    srli   t1, t1, 29
    andi   t1, t1, 1        # Bit 29 of the new product.
    vote.ballot t1, t1
    mask.and s0, t1
    addi   a0, a0, 3
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
    mask.xor s0, s0
    addi   a0, a0, 4
    xori   a0, a0, 5
    addi   a0, a0, 4
    xori   a0, a0, 7
    mask.or zero, s0

    sw     a0, 0(a2)
    tmc    zero
