# Four paths by the lane's number modulo 4, each behind a guard of its own, by thread masks.
# In: mscratch = the words, one for each thread of the machine. A word x becomes what the path of its lane makes of it.
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
    andi   a1, a1, 3        # The path.
    add    a2, a2, t0
    lw     a0, 0(a2)        # x
    seqz   t1, a1           # The four conditions side by side: none waits for another.
    addi   t2, a1, -1
    addi   t3, a1, -2
    addi   t4, a1, -3
    seqz   t2, t2
    seqz   t3, t3
    seqz   t4, t4
    vote.ballot t1, t1      # The lanes of each path.
    vote.ballot t2, t2
    vote.ballot t3, t3
    vote.ballot t4, t4

    mask.and s0, t1         # s0 = the mask before.
    addi   a0, a0, 1
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    mask.or zero, s0        # Back.
    mask.and s0, t2
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
    mask.or zero, s0
    mask.and s0, t3
    addi   a0, a0, 3
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
    mask.or zero, s0
    mask.and s0, t4
    addi   a0, a0, 4
    xori   a0, a0, 5
    addi   a0, a0, 4
    xori   a0, a0, 7
    mask.or zero, s0

    sw     a0, 0(a2)
    tmc    zero
