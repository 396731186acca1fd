# Four paths by the lane's number modulo 4, each behind a guard of its own, by the stack.
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

    split  s0, t1
    beqz   t1, second
    addi   a0, a0, 1
    xori   a0, a0, 2
    addi   a0, a0, 1
    xori   a0, a0, 4
second:
    join   s0
    split  s0, t2
    beqz   t2, third
    addi   a0, a0, 2
    xori   a0, a0, 3
    addi   a0, a0, 2
    xori   a0, a0, 5
third:
    join   s0
    split  s0, t3
    beqz   t3, fourth
    addi   a0, a0, 3
    xori   a0, a0, 4
    addi   a0, a0, 3
    xori   a0, a0, 6
fourth:
    join   s0
    split  s0, t4
    beqz   t4, end
    addi   a0, a0, 4
    xori   a0, a0, 5
    addi   a0, a0, 4
    xori   a0, a0, 7
end:
    join   s0

    sw     a0, 0(a2)
    tmc    zero
