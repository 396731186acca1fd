//! `warpaint debug` as a script uses it: commands on standard input, exit status, and bad input.

mod folder;

use std::io::Write;
use std::process::{Output, Stdio};

use folder::{Folder, refused, text};

/// Counts down from 3 in a0.
const COUNT: &str = "start: li a0, 3\nloop: addi a0, a0, -1\n  bnez a0, loop\n  tmc x0\n";

fn debug(folder: &Folder, arguments: &[&str], script: &str) -> Output {
    let mut command = folder.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that has refused its arguments reads nothing.
    let _ = child.stdin.take().expect("piped").write_all(script.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_script_steps_looks_and_goes_back() {
    let folder = Folder::new();
    folder.write("count.s", COUNT);
    let script = "break loop\ncontinue\nstep\nregisters a0\nback\nregisters a0\ndelete 1\ncontinue\nquit\n";
    let output = debug(&folder, &["debug", "count.s"], script);
    let out = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{out}");
    let values: Vec<&str> = out.lines().filter(|line| line.starts_with("a0    lane 0")).map(str::trim_end).collect();
    // Lane 0 alone runs: 2 after one subtraction, 3 before it.
    assert_eq!(values, ["a0    lane 0     0x00000002 2", "a0    lane 0     0x00000003 3"], "{out}");
    assert!(out.contains("addi a0, a0, -1  loop  count.s:2"), "{out}");
    assert!(out.ends_with("the program has ended with exit status 0\n"), "{out}");
    assert_eq!(folder.files(), ["count.s"]);
}

#[test]
fn a_command_that_cannot_be_done_makes_the_exit_status_1() {
    let folder = Folder::new();
    folder.write("count.s", COUNT);
    let output = debug(&folder, &["debug", "count.s"], "fly\nstep x\n# a remark\n\nwhere\n");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("error: `fly` is no command") && said.contains("error: `x` is no number"), "{said}");
    assert!(text(&output.stdout).lines().count() == 2, "both times where it stands");
}

#[test]
fn what_is_no_program_or_machine_is_refused() {
    let folder = Folder::new();
    folder.write("count.s", COUNT);
    refused(&folder, &["debug", "nowhere.s"], &["nowhere.s"]);
    refused(&folder, &["debug", "count.s", "--machine", "4w99t"], &["lanes", "32"]);
    refused(&folder, &["debug", "count.s", "--set", "dcache.ports=9"], &["dcache.ports"]);
}
