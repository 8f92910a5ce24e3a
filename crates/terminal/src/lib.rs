//! Standard output and standard error of the command: text and progress bars.
//!
//! Promise: a closed pipe is not an error, and bars are drawn only on an interactive terminal.
//!
//! This crate does not know reports: callers pass text.

use std::io::{self, Write as _};

use hirace_model::error::{Error, Result};

pub mod progress;

/// Writes to standard error. Ignores failures, because there is nowhere to report them.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. A closed pipe is not an error.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_ref())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::write("standard output", error))
        }
        _ => Ok(()),
    }
}
