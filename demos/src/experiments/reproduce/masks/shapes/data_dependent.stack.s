# Two if/elses one after the other, each on a bit of a product of x, by the stack: the second condition is known only after the first.
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
    split  s0, t1
    beqz   t1, second
    addi   a0, a0, 1
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    j      after
second:
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
after:
    join   s0

    mul    t1, a0, a3
    srli   t1, t1, 29
    andi   t1, t1, 1        # Bit 29 of the new product.
    split  s0, t1
    beqz   t1, fourth
    addi   a0, a0, 3
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
    j      end
fourth:
    addi   a0, a0, 4
    xori   a0, a0, 5
    addi   a0, a0, 4
    xori   a0, a0, 7
end:
    join   s0

    sw     a0, 0(a2)
    tmc    zero
