//! Standard output.

use std::io::{self, Write as _};

use crate::error::{Error, Result};

/// Prints to standard output. A reader that stops early, such as `head`, is not an error.
pub(super) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|source| Error::write("standard output", source)),
    }
}
