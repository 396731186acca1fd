# bar between cores: each core's warps come together, then the cores do.
.include "check.inc"
    begin_every_core
    begin_warps
    csrr    s0, core_id
    csrr    s9, num_cores
    csrr    s8, num_warps
    li      s7, 1 << 31                             # global barrier 0
    la      s1, counters
    slli    t0, s0, 2
    add     s2, s1, t0                              # this core's counter
    li      s3, 0                                   # round
1:  addi    s3, s3, 1
    li      t0, 1                                   # one lane adds for its warp
    tmc     t0
    amoadd.w x0, t0, (s2)
    li      t0, -1
    tmc     t0
    fence
    bar     s7, s9
    fence
    # With one core there is no global barrier: its warps meet at a local one.
    bar     x0, s8
    mul     s5, s3, s8                              # every warp of every core has added this round
    li      s4, 0
2:  slli    t0, s4, 2
    add     t0, t0, s1
    lw      a0, 0(t0)
    expect_lanes a0, s5
    addi    s4, s4, 1
    blt     s4, s9, 2b
    fence
    bar     x0, s8
    bar     s7, s9
    li      t0, 20
    blt     s3, t0, 1b

    # Local memory is each core's own.
    csrr    t0, local_mem_base
    sw      s0, 0(t0)
    fence
    bar     s7, s9
    lw      a0, 0(t0)
    expect_lanes a0, s0
    end_warps
    finish

    .bss
counters:
    .space  4 * 32
