//! Standard output and standard error, either of which may be closed, full, or a pipe that nobody reads.

use std::io::{ErrorKind, Write};

use anyhow::Context;

/// Writes to standard output, all of it at once. A reader that has gone away (`warpaint scenes | head -1`) has what it
/// wanted, so that is no error.
pub fn emit(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("cannot write to standard output"),
    }
}

/// Writes a line to standard error; where that fails there is nobody left to tell.
pub fn remark(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
