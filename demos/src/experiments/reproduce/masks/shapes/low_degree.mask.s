# An if/else on the lane's lowest bit, by thread masks.
# In: mscratch = the words, one for each thread of the machine. A word x becomes what the side of its lane makes of it.
    csrr   t0, num_warps
    la     t1, work
    wspawn t0, t1
work:
    li     t0, -1
    tmc    t0               # Every lane of every warp.
    csrr   t0, mhartid
    csrr   a1, thread_id
    csrr   a2, mscratch
    slli   t0, t0, 2
    andi   t1, a1, 1        # The condition, while the address is made.
    add    a2, a2, t0
    lw     a0, 0(a2)        # x
    vote.ballot t1, t1      # The lanes that have it, while x is loaded.

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

    sw     a0, 0(a2)
    tmc    zero
