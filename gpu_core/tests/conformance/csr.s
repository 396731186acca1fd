# Zicsr: the six instructions over a register that only stores, the float registers' fields, and what is read-only.
.include "check.inc"
    begin
    li      a0, 0x12345678
    csrw    mtvec, a0
    csrrw   a1, mtvec, x0
    expect  a1, 0x12345678
    csrr    a1, mtvec
    expect  a1, 0
    li      a0, 0xf0
    csrrs   a1, mtvec, a0
    expect  a1, 0
    li      a0, 0x3c
    csrrc   a1, mtvec, a0
    expect  a1, 0xf0
    csrrwi  a1, mtvec, 31
    expect  a1, 0xc0
    csrrsi  a1, mtvec, 0
    expect  a1, 31
    csrrci  a1, mtvec, 17
    expect  a1, 31
    csrr    a1, mtvec
    expect  a1, 14
    csrrw   a1, mtvec, a1                           # source and destination are one register
    expect  a1, 14
    # Registers of a bare machine exist, so that start-up code runs.
    csrw    satp, x0
    csrw    pmpcfg0, x0
    csrw    pmpaddr15, x0
    csrw    mnstatus, x0
    csrw    mstatus, x0
    csrw    mepc, x0

    # fcsr is frm << 5 | fflags.
    li      a0, 0xffffffff
    csrw    fcsr, a0
    csrr    a1, fcsr
    expect  a1, 0xff
    fsrm    a1, x0
    expect  a1, 7
    frflags a1
    expect  a1, 31
    frcsr   a1
    expect  a1, 31
    fsflagsi 2
    fsrmi   3
    frcsr   a1
    expect  a1, 0x62
    fscsr   x0

    # Who is asking.
    csrr    a0, mhartid
    expect  a0, 0
    csrr    a0, thread_id
    expect  a0, 0
    csrr    a0, active_threads
    expect  a0, 1
    csrr    a0, active_warps
    expect  a0, 1
    csrr    a0, local_mem_base
    expect  a0, 0xffff0000
    csrr    a0, mscratch
    expect  a0, 0
    # Reading with set or clear of nothing does not write, so read-only registers allow it.
    csrrs   a0, mvendorid, x0
    csrrci  a0, mvendorid, 0

    # instret counts.
    rdinstret a0
    nop
    rdinstret a1
    sub     a2, a1, a0
    expect  a2, 2
    rdcycle a0
    rdcycle a1
    sltu    a2, a0, a1
    expect  a2, 1

    # mret goes to mepc.
    la      a0, 1f
    csrw    mepc, a0
    mret
    j       fail
1:  wfi
    finish
