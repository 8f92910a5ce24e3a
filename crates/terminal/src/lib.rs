//! Standard output and standard error of the command: text for people, and progress bars.
//!
//! Promise: a reader that stops reading is no error, and bars are drawn only on a terminal that
//! somebody looks at.
//!
//! Nothing here knows what a report is: what is printed comes as text.

use std::io::{self, Write as _};

use hirace_model::error::{Error, Result};

pub mod progress;

/// Writes to standard error. Nobody is left to tell when that fails.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. A reader that has seen enough is no error.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::write("standard output", error))
        }
        _ => Ok(()),
    }
}
