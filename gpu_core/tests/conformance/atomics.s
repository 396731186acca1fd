# A: read-modify-write operations, reservations.
.include "check.inc"
    begin
    la      s0, word

    # Old value to rd, combination to memory.
    .macro atomic op, memory, operand, result
        li      a0, \memory
        sw      a0, 0(s0)
        li      a1, \operand
        \op     a2, a1, (s0)
        expect  a2, \memory
        lw      a3, 0(s0)
        expect  a3, \result
    .endm
    atomic  amoswap.w, 0x80000000, 5, 5
    atomic  amoadd.w, 0x80000000, 0xfffff800, 0x7ffff800
    atomic  amoxor.w, 0xff00ff00, 0x0f0f0f0f, 0xf00ff00f
    atomic  amoand.w, 0xff00ff00, 0x0f0f0f0f, 0x0f000f00
    atomic  amoor.w, 0xff00ff00, 0x0f0f0f0f, 0xff0fff0f
    atomic  amomin.w, 0x80000000, 1, 0x80000000
    atomic  amomin.w, 1, -1, -1
    atomic  amomax.w, 0x80000000, 1, 1
    atomic  amominu.w, 0x80000000, 1, 1
    atomic  amomaxu.w, 0x80000000, 1, 0x80000000
    atomic  amoadd.w.aqrl, 1, 2, 3

    # The operand's register takes the old value.
    li      a0, 10
    sw      a0, 0(s0)
    li      a1, 3
    amoadd.w a1, a1, (s0)
    expect  a1, 10
    lw      a0, 0(s0)
    expect  a0, 13
    amoadd.w x0, a1, (s0)
    lw      a0, 0(s0)
    expect  a0, 23

    # A reservation holds until its store, which uses it up; without one nothing is stored.
    lr.w    a0, (s0)
    expect  a0, 23
    li      a1, 42
    sc.w    a2, a1, (s0)
    expect  a2, 0
    lw      a0, 0(s0)
    expect  a0, 42
    li      a1, 43
    sc.w    a2, a1, (s0)
    expect  a2, 1
    lw      a0, 0(s0)
    expect  a0, 42
    # At another address it does not help.
    lr.w.aq a0, (s0)
    addi    s1, s0, 4
    sc.w.rl a2, a1, (s1)
    expect  a2, 1
    lw      a0, 4(s0)
    expect  a0, 0

    # All lanes add to one word: each sees its predecessors, in ascending order.
    sw      x0, 0(s0)
    li      t0, -1
    tmc     t0
    la      s0, word
    csrr    s1, thread_id
    li      a1, 1
    amoadd.w a0, a1, (s0)
    expect_lanes a0, s1
    csrr    a1, num_threads
    lw      a2, 0(s0)
    expect_lanes a2, a1

    # Of several stores to one word the highest lane's stays.
    sw      s1, 4(s0)
    lw      a0, 4(s0)
    addi    a1, a1, -1
    expect_lanes a0, a1
    # Reservations are per lane; the stores of lower lanes break those of higher ones on the same word.
    lr.w    a0, (s0)
    sc.w    a2, s1, (s0)
    snez    a3, s1
    expect_lanes a2, a3
    lw      a0, 0(s0)
    expect_lanes a0, x0
    finish

    .data
    .balign 4
word:
    .word   0, 0
