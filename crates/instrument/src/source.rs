//! Reading the user's source files.

use std::path::Path;

use hirace_model::error::{Error, Result};
use hirace_model::source_text;

/// Reads a source file that the user named, and rejects files that cannot be source text.
///
/// # Errors
/// The file cannot be read, is empty or binary.
pub fn read(path: &Path, display: &str) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::Read {
        path: display.to_owned(),
        source,
    })?;
    if bytes.is_empty() {
        return Err(Error::Empty {
            path: display.to_owned(),
        });
    }
    text(bytes, display)
}

/// Decodes the content of a source file.
///
/// # Errors
/// The content is binary.
pub fn text(bytes: Vec<u8>, display: &str) -> Result<String> {
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return Err(Error::Binary {
            path: display.to_owned(),
            offset,
        });
    }
    Ok(source_text::decode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary() {
        let error = text(b"\x7fELF\0".to_vec(), "a.cu").unwrap_err();
        assert_eq!(error.to_string(), "`a.cu` is a binary file: byte 4 is NUL");
    }
}
