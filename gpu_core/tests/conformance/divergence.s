# split and join: both sides run, nested too; a split that finds all lanes of one mind does nothing. Needs four lanes.
.include "check.inc"
    begin
    li      t0, -1
    tmc     t0
    li      gp, 0
    csrr    s0, thread_id
    csrr    s10, active_threads

    # if (id & 1) a0 = id + 20 else a0 = id + 10.
    andi    s1, s0, 1
    split   s2, s1
    beqz    s1, 1f
    addi    a0, s0, 20
    j       2f
1:  addi    a0, s0, 10
2:  join    s2
    li      a1, 10
    mul     a1, a1, s1
    add     a1, a1, s0
    addi    a1, a1, 10
    expect_lanes a0, a1
    expect_lanes s2, x0                             # rd is written in every lane: the depth was 0
    csrr    a0, active_threads
    expect_lanes a0, s10

    # Without an else side; split.n runs it for lanes whose bit is clear.
    mv      a0, s0
    split.n s2, s1
    bnez    s1, 1f
    addi    a0, a0, 100
1:  join    s2
    xori    a1, s1, 1
    li      a2, 100
    mul     a1, a1, a2
    add     a1, a1, s0
    expect_lanes a0, a1

    # Nested: a0 = 1 << (id & 3), found by asking for both bits.
    srli    s3, s0, 1
    andi    s3, s3, 1
    split   s4, s3
    beqz    s3, 3f
    split   s5, s1
    beqz    s1, 1f
    li      a0, 8
    j       2f
1:  li      a0, 4
2:  join    s5
    j       6f
3:  split   s5, s1
    beqz    s1, 4f
    li      a0, 2
    j       5f
4:  li      a0, 1
5:  join    s5
6:  join    s4
    andi    a1, s0, 3
    li      a2, 1
    sll     a1, a2, a1
    expect_lanes a0, a1
    li      a1, 1
    expect_lanes s5, a1                             # the depth inside was 1
    csrr    a0, active_threads
    expect_lanes a0, s10

    # All of one mind, both ways: mask, depth and stack stay.
    split   s2, x0
    csrr    a0, active_threads
    expect_lanes a0, s10
    join    s2
    li      t0, 1
    split   s2, t0
    csrr    a0, active_threads
    expect_lanes a0, s10
    join    s2
    slli    t0, s1, 1                               # only bit 0 counts: 2 and 0 are the same
    split   s2, t0
    csrr    a0, active_threads
    expect_lanes a0, s10
    join    s2
    expect_lanes s2, x0

    # Inside a divergent side a uniform split notes the depth 1 and its join does nothing.
    li      a0, 0
    split   s2, s1
    beqz    s1, 1f
    split   s4, x0
    addi    a0, s4, 5
    join    s4
    addi    a0, a0, 1
1:  join    s2
    li      a1, 7
    mul     a1, a1, s1
    expect_lanes a0, a1

    # Each side may loop and call; the return address is uniform within a side.
    li      a0, 0
    split   s2, s1
    beqz    s1, 2f
    li      s5, 3
1:  call    add_id
    addi    s5, s5, -1
    bnez    s5, 1b
    j       3f
2:  call    add_id
3:  join    s2
    slli    a1, s1, 1
    addi    a1, a1, 1
    mul     a1, a1, s0
    expect_lanes a0, a1

    # One side after the other: the order of two stores to one word depends on the machine, their sum does not.
    la      t0, total
    li      t1, 1
    split   s2, s1
    beqz    s1, 1f
    amoadd.w x0, t1, (t0)
    j       2f
1:  slli    t1, t1, 8
    amoadd.w x0, t1, (t0)
2:  join    s2
    lw      a0, 0(t0)
    csrr    a1, num_threads
    srli    a1, a1, 1
    slli    a2, a1, 8
    add     a1, a1, a2
    expect_lanes a0, a1

    # A join with nothing on the stack does nothing.
    li      t0, 5
    join    t0
    csrr    a0, active_threads
    expect_lanes a0, s10
    finish
add_id:
    add     a0, a0, s0
    ret

    .bss
total:
    .space  4
