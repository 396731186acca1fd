# An if/else on the lane's lowest bit, by the stack.
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

    split  s0, t1
    beqz   t1, even
    addi   a0, a0, 1
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    j      end
even:
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
end:
    join   s0

    sw     a0, 0(a2)
    tmc    zero
