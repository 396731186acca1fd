//! The window on a real display: opened, used by keys, resized, and left, on an X server without a screen.
//!
//! Needs `Xvfb`, and `xdotool` to press keys; says so and passes where they are absent. Every wait has an end.
#![cfg(all(unix, feature = "window"))]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest wait for anything; a busy computer is slow, and a test that hangs is worse than one that fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that does not outlive its test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Option<Self> {
        command.spawn().ok().map(Self)
    }

    /// Its exit status, once it has ended by itself; `None` if it has not after `patience`.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("the process is ours") {
                return Some(status);
            }
            if start.elapsed() > patience {
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server on a free display, and the display's name.
fn display() -> Option<(Process, String)> {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]);
    let mut server = Process::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()))?;
    // The server writes the number when it is ready; it closes the pipe if it cannot start.
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().expect("it is a pipe")).read_line(&mut number).ok()?;
    let number: u32 = number.trim().parse().ok()?;
    Some((server, format!(":{number}")))
}

/// What `xdotool` answers; `None` if it is absent, fails or does not end.
fn xdotool(display: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("xdotool");
    command.args(arguments).env("DISPLAY", display).stdin(Stdio::null()).stderr(Stdio::null());
    let mut process = Process::start(command.stdout(Stdio::piped()))?;
    let status = process.wait(Duration::from_secs(20))?;
    let answer = std::io::read_to_string(process.0.stdout.take().expect("it is a pipe")).ok()?;
    status.success().then_some(answer)
}

#[test]
fn the_window_opens_follows_keys_and_sizes_and_is_left_by_escape() {
    let Some((_server, display)) = display() else {
        println!("skipped: no Xvfb that starts");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpaint"));
    command.args(["view", "--size", "320x240", "--machine", "1c2w16t"]).current_dir(folder.path());
    for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    command.env("DISPLAY", &display).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut program = Process::start(&mut command).expect("the program starts");

    if xdotool(&display, &["version"]).is_none() {
        println!("without xdotool, only this is tested: the program runs for a while");
        let ended = program.wait(Duration::from_secs(5));
        assert!(ended.is_none(), "{ended:?}");
        return;
    }
    let start = Instant::now();
    let window = loop {
        let found = xdotool(&display, &["search", "--onlyvisible", "--name", "^Warpaint$"]);
        if let Some(window) = found.as_deref().and_then(|text| text.lines().next()) {
            break window.to_string();
        }
        assert!(start.elapsed() < PATIENCE, "no window came up");
        let ended = program.wait(Duration::from_millis(200));
        assert!(ended.is_none(), "ended before its window came up: {ended:?} {}", said(&mut program));
    };
    // There is no window manager to give the focus. One key at a time, so that frames are drawn in between.
    assert!(xdotool(&display, &["windowfocus", "--sync", &window]).is_some(), "the window takes the focus");
    for key in ["n", "f", "m", "m", "m", "m", "m", "o", "p", "h", "o", "p"] {
        assert!(xdotool(&display, &["key", key]).is_some(), "{key}");
        let ended = program.wait(Duration::from_millis(300));
        assert!(ended.is_none(), "ended at key {key}: {ended:?} {}", said(&mut program));
    }
    for (width, height) in [("17", "3"), ("400", "300"), ("1", "1"), ("200", "150")] {
        assert!(xdotool(&display, &["windowsize", &window, width, height]).is_some(), "{width} x {height}");
        let ended = program.wait(Duration::from_millis(300));
        assert!(ended.is_none(), "ended at {width} x {height}: {ended:?} {}", said(&mut program));
    }
    assert!(xdotool(&display, &["key", "Escape"]).is_some());
    let status = program.wait(PATIENCE).expect("Escape ends the program");
    let message = said(&mut program);
    assert_eq!(status.code(), Some(0), "{message}");
    assert!(!message.contains("no window"), "{message}");
    assert!(std::fs::read_dir(folder.path()).expect("it is there").next().is_none(), "a window writes no picture");
}

/// What an ended program said on standard error.
fn said(program: &mut Process) -> String {
    program.0.stderr.take().and_then(|pipe| std::io::read_to_string(pipe).ok()).unwrap_or_default()
}
