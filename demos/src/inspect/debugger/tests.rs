//! Sessions over small programs: every way to a cycle gives the machine that `run` has there.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::{Gpu, Mode};
use gpu_core::isa::assembler::assemble;
use gpu_core::program::Program;
use gpu_core::units::{Address, WarpId};

use super::command::{Command, parse};
use super::session::{Session, SessionError};

/// Warp 0 starts a second warp; both count to their number plus 3 in a divergent loop and store the counts of their lanes.
const COUNT: &str = "\
start:
  li a0, 2
  la a1, work
  wspawn a0, a1
work:
  li t0, -1
  tmc t0
  csrr a2, warp_id
  csrr a3, thread_id
  slti a4, a3, 2
  split s0, a4
  beqz a4, far
  addi a5, a2, 3
  j met
far:
  addi a5, a2, 7
met:
  join s0
again:
  addi a5, a5, -1
  addi a6, a6, 1
  csrr t1, active_threads
  sltu a7, zero, a5
  pred a7, t1
  bnez a5, again
  li t0, -1
  tmc t0
  la t2, counts
  slli t3, a2, 4
  add t2, t2, t3
  slli t3, a3, 2
  add t2, t2, t3
store:
  sw a6, 0(t2)
  tmc zero
  .data
counts: .zero 64
";

fn program(text: &str) -> Program {
    assemble("count.s", text).expect("the test's program is sound")
}

fn session(text: &str) -> Session {
    Session::begin(GpuConfig::vortex(1, 2, 4), &program(text), Address(0)).expect("it starts")
}

#[track_caller]
fn run(session: &mut Session, line: &str) -> String {
    let command: Command = parse(line).expect("a command").expect("not blank");
    session.execute(&command).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[track_caller]
fn refused(session: &mut Session, line: &str) -> SessionError {
    session.execute(&parse(line).expect("a command").expect("not blank")).expect_err(line)
}

#[test]
fn stepping_running_and_launching_end_in_the_same_state() {
    let program = program(COUNT);
    let config = GpuConfig::vortex(1, 2, 4);
    let mut launched = Gpu::new(config).expect("it is sound");
    launched.set_mode(Mode::Timed);
    launched.start(&program, Address(0)).expect("it fits");
    launched.resume(u64::MAX).expect("it ends");

    let mut continued = session(COUNT);
    assert!(run(&mut continued, "continue").contains("has ended with exit status 0"));
    assert_eq!(continued.gpu().snapshot(), launched.snapshot());

    let mut stepped = session(COUNT);
    let mut steps = 0;
    loop {
        match stepped.execute(&Command::Step(1)) {
            Ok(text) if text.contains("has ended") => break,
            Ok(_) => steps += 1,
            // Warp 0 ends first; the rest is warp 1's.
            Err(SessionError::WarpEnded { warp: WarpId(0), .. }) => drop(run(&mut stepped, "warp 1")),
            Err(error) => panic!("{error}"),
        }
        assert!(steps < 1000, "it must end");
    }
    assert_eq!(stepped.gpu().snapshot(), launched.snapshot());

    let mut cycled = session(COUNT);
    while !run(&mut cycled, "cycle").contains("has ended") {
        assert!(cycled.gpu().cycle() < 100_000, "it must end");
    }
    assert_eq!(cycled.gpu().snapshot(), launched.snapshot());
    // Lanes 0 and 1 of warp w count w + 3, the others w + 7.
    let counts = program.symbol("counts").expect("it is there");
    let words = run(&mut cycled, &format!("memory {counts} 8"));
    let expected = ["0x00000003 0x00000003 0x00000007 0x00000007", "0x00000004 0x00000004 0x00000008 0x00000008"];
    assert!(expected.iter().all(|row| words.contains(row)), "{words}");
}

#[test]
fn going_back_finds_the_machine_as_it_was() {
    let mut session = session(COUNT);
    let mut trail = Vec::new();
    for _ in 0..12 {
        trail.push((session.gpu().cycle(), session.gpu().snapshot()));
        run(&mut session, "step");
    }
    for (index, (cycle, snapshot)) in trail.iter().enumerate().rev().take(6) {
        run(&mut session, &format!("goto {cycle}"));
        assert_eq!(session.gpu().snapshot(), *snapshot, "step {index}");
    }
    // One instruction back stands where that instruction is about to be executed: in its own cycle.
    run(&mut session, &format!("goto {}", trail[11].0));
    let after = session.gpu().cores()[0].warps[0].pc;
    run(&mut session, "back");
    let before = session.gpu().cores()[0].warps[0].pc;
    run(&mut session, "step");
    assert_ne!(before, after);
    assert_eq!(session.gpu().cores()[0].warps[0].pc, after);
    assert_eq!(session.gpu().snapshot(), trail[11].1);
    run(&mut session, "back 1000");
    assert_eq!(session.gpu().cycle(), 0);
    assert_eq!(session.gpu().snapshot(), trail[0].1);
}

#[test]
fn it_stops_before_an_instruction_a_line_and_a_store() {
    let mut session = session(COUNT);
    // `addi a5, a2, 7` is on line 16; only lanes 2 and 3 come there.
    assert_eq!(run(&mut session, "break 16"), "stop 1: break 16\n");
    let text = run(&mut session, "continue");
    assert!(text.starts_with("stop 1: break 16\n") && text.contains("addi a5, a2, 7"), "{text}");
    assert!(text.contains("lanes 0xc"), "{text}");
    let stack = run(&mut session, "stack");
    assert!(stack.contains("0: restores lanes 0xf; both sides have begun"), "{stack}");
    assert!(run(&mut session, "registers a5").contains("lane 0     0x00000003 3  (inactive)"));
    run(&mut session, "delete 1");
    assert!(matches!(refused(&mut session, "delete 1"), SessionError::NoSuchStop(1)));

    // Lane 2 of warp 1 stores 8 at counts + 24.
    let counts = session.gpu().program().and_then(|program| program.symbol("counts")).expect("it is there");
    let place = format!("{}", counts.offset(24));
    run(&mut session, &format!("watch {place} 1"));
    let text = run(&mut session, "continue");
    assert!(text.contains("core 0 warp 1") && text.contains("sw a6, 0(t2)  store"), "{text}");
    assert!(run(&mut session, &format!("memory {place} 1")).contains(": 0x00000000"));
    run(&mut session, "step");
    assert!(run(&mut session, &format!("memory {place} 1")).contains(": 0x00000008"));
    assert!(run(&mut session, "continue").contains("has ended"));
    assert!(matches!(refused(&mut session, "step"), SessionError::Ended));
    assert!(run(&mut session, "back").contains("core 0 warp 1"));
}

#[test]
fn a_trap_stops_with_the_state_before_it() {
    let mut session = session("li a0, 5\n lw a1, 0(zero)\n tmc zero\n");
    let text = run(&mut session, "continue");
    assert!(text.contains("trap: core 0 warp 0 lanes 0x1 at 0x80000004") && text.contains("count.s:2"), "{text}");
    assert!(matches!(refused(&mut session, "cycle"), SessionError::Trapped(_)));
    assert!(run(&mut session, "where").contains("lw a1, 0(zero)"));
    assert!(run(&mut session, "registers").contains("a0    lane 0     0x00000005 5"));
    assert!(run(&mut session, "rewind 1").contains("cycle"));
    run(&mut session, "goto 0");
    assert!(run(&mut session, "continue").contains("trap:"));
}

#[test]
fn a_saved_machine_goes_on_from_where_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("state.wpgs").display().to_string();
    let mut first = session(COUNT);
    run(&mut first, "step 10");
    run(&mut first, &format!("save {file}"));
    let saved = first.gpu().snapshot();
    run(&mut first, "continue");
    let mut second = session(COUNT);
    run(&mut second, &format!("load {file}"));
    assert_eq!(second.gpu().snapshot(), saved);
    assert!(matches!(refused(&mut second, "goto 0"), SessionError::TooEarly { .. }));
    run(&mut second, "continue");
    assert_eq!(second.gpu().snapshot(), first.gpu().snapshot());
    std::fs::write(&file, b"WPGS nonsense").expect("writable");
    assert!(matches!(refused(&mut second, &format!("load {file}")), SessionError::Snapshot { .. }));
    assert!(matches!(refused(&mut second, "load nowhere"), SessionError::Read { .. }));
}

#[test]
fn what_does_not_exist_is_refused_and_the_session_goes_on() {
    let mut session = session(COUNT);
    assert!(matches!(refused(&mut session, "warp 2"), SessionError::NoSuchWarp { warps: 2, .. }));
    assert!(matches!(refused(&mut session, "warp 9999999 0"), SessionError::NoSuchWarp { .. }));
    assert!(matches!(refused(&mut session, "registers q1"), SessionError::NoSuchRegister(_)));
    assert!(matches!(refused(&mut session, "memory 0x10"), SessionError::NoMemory(_)));
    assert!(matches!(refused(&mut session, "disassemble 0x10"), SessionError::NoMemory(_)));
    assert!(matches!(refused(&mut session, "break nowhere"), SessionError::Place(_)));
    assert!(matches!(refused(&mut session, "watch counts 0"), SessionError::NoBytes));
    run(&mut session, "warp 1");
    assert!(matches!(refused(&mut session, "step"), SessionError::WarpEnded { .. }));
    assert!(run(&mut session, "warps").contains("not running"));
    assert_eq!(run(&mut session, "barriers"), "nobody waits at a barrier\n");
    run(&mut session, "warp 0");
    assert!(run(&mut session, "list").contains(">    2    li a0, 2"));
    assert!(run(&mut session, "disassemble work 2").contains("work  count.s:6"));
    run(&mut session, "step 2");
    run(&mut session, "cycle 100");
    assert!(run(&mut session, "counters").contains("core.issue.issued"));
}
