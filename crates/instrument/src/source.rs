//! Reading the user's source files.

use std::path::Path;

use hirace_model::error::{Error, Result};

/// Reads a source file that the user named, and rejects files that cannot be source text.
///
/// # Errors
/// The file cannot be read, is empty, binary or not UTF-8.
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
/// The content is binary or not UTF-8.
pub fn text(bytes: Vec<u8>, display: &str) -> Result<String> {
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return Err(Error::Binary {
            path: display.to_owned(),
            offset,
        });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line_start = bytes[..valid]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |newline| newline + 1);
        Error::NotUtf8 {
            path: display.to_owned(),
            byte: bytes[valid],
            line: 1 + bytes[..valid].iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + valid - line_start,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_of_the_first_bad_byte() {
        let error = text(b"int a;\n// gr\xfc\xdfe\n".to_vec(), "a.cu").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a.cu` is not UTF-8: byte 0xfc at line 2, column 6"
        );
    }

    #[test]
    fn binary() {
        let error = text(b"\x7fELF\0".to_vec(), "a.cu").unwrap_err();
        assert_eq!(error.to_string(), "`a.cu` is a binary file: byte 4 is NUL");
    }
}
