# An if/else on the lane's lowest bit whose first side holds another, on the next bit, by thread masks.
# In: mscratch = the words, one for each thread of the machine. A word x becomes what the sides of its lane make of it.
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
    andi   t1, a1, 1        # Both conditions, while the address is made.
    srli   t2, a1, 1
    add    a2, a2, t0
    lw     a0, 0(a2)        # x
    andi   t2, t2, 1
    vote.ballot t1, t1      # Of all lanes: `mask.and` leaves those of the side it stands in.
    vote.ballot t2, t2

    mask.and s0, t1         # s0 = the mask before.
    mask.and s1, t2         # s1 = the outer side.
    addi   a0, a0, 1        # Lanes 3 modulo 4.
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    mask.xor s1, s1         # Lanes 1 modulo 4; s1 = the lanes before.
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
    mask.or zero, s1        # The outer side again.
    mask.xor s0, s0         # The even lanes; s0 = the odd ones.
    addi   a0, a0, 3
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
    mask.or zero, s0        # Both.

    sw     a0, 0(a2)
    tmc    zero
