# An if/else on the lane's lowest bit, both sides of which hold another on the next bit, by the stack.
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

    split  s0, t1
    beqz   t1, even
    split  s1, t2
    beqz   t2, first
    addi   a0, a0, 1        # Lanes 3 modulo 4.
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
    j      odd
first:
    addi   a0, a0, 2        # Lanes 1 modulo 4.
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
odd:
    join   s1
    j      end
even:
    split  s1, t2
    beqz   t2, zeroth
    addi   a0, a0, 3        # Lanes 2 modulo 4.
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
    j      after
zeroth:
    addi   a0, a0, 4        # Lanes 0 modulo 4.
    xori   a0, a0, 5
    addi   a0, a0, 4
    xori   a0, a0, 7
after:
    join   s1
end:
    join   s0

    sw     a0, 0(a2)
    tmc    zero
