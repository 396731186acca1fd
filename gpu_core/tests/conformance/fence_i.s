# Zifencei: code that the program writes itself runs after fence.i.
.include "check.inc"
    begin
    call    patched
    expect  a0, 1
    lw      t0, replacement
    la      t1, patched
    sw      t0, 0(t1)
    fence.i
    call    patched
    expect  a0, 2
    finish

    .section .code, "awx"
patched:
    li      a0, 1
    ret
replacement:
    li      a0, 2
