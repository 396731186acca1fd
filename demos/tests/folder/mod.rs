//! A temporary folder to run `warpaint` in, as a user would.

#![allow(dead_code)] // Each test file uses its own part.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder for one test, removed at its end.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes a file in it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
        path
    }

    /// What a file in it holds.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the files in it.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// `warpaint` to be run here, without any display.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpaint"));
        command.args(arguments).current_dir(self.0.path());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs [`Folder::command`] to its end.
    pub fn warpaint(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }
}

/// Output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Refused: exit status 2, one message that has all `parts`, no panic, and no file but those that were there.
#[track_caller]
pub fn refused(folder: &Folder, arguments: &[&str], parts: &[&str]) {
    let before = folder.files();
    let output = folder.warpaint(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    assert!(message.matches("error:").count() <= 1, "{arguments:?} says `error:` twice: {message}");
    for part in parts {
        assert!(message.contains(part), "{arguments:?} must say `{part}`: {message}");
    }
    assert_eq!(folder.files(), before, "{arguments:?} left something behind");
}
