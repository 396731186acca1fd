# bar within a core: nobody passes before all have come, round after round. Needs one barrier.
.include "check.inc"
    begin
    begin_warps
    csrr    s0, warp_id
    csrr    s9, num_warps
    la      s1, counters
    slli    t0, s0, 2
    add     s2, s1, t0                              # this warp's counter
    li      s3, 0                                   # round

    # A count below 2 waits for nobody.
    li      t0, 1
    bar     x0, t0
    bar     x0, x0

1:  addi    s3, s3, 1
    sw      s3, 0(s2)
    bar     x0, s9
    # Every counter shows this round, and none has gone on.
    li      s4, 0
2:  slli    t0, s4, 2
    add     t0, t0, s1
    lw      a0, 0(t0)
    expect_lanes a0, s3
    addi    s4, s4, 1
    blt     s4, s9, 2b
    bar     x0, s9
    li      t0, 50
    blt     s3, t0, 1b

    # Local memory belongs to the core and is seen by all its warps.
    csrr    t0, local_mem_base
    slli    t1, s0, 2
    add     t1, t1, t0
    sw      s0, 0(t1)
    bar     x0, s9
    li      s4, 0
2:  slli    t1, s4, 2
    add     t1, t1, t0
    lw      a0, 0(t1)
    expect_lanes a0, s4
    addi    s4, s4, 1
    blt     s4, s9, 2b
    end_warps
    finish

    .bss
counters:
    .space  4 * 32
