//! The values of keys: paths and numbers.

use std::path::{Path, PathBuf};

use toml::Spanned;

use super::{Kind, Wrong, wrong};

pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A number as text that C's `strtoll`, `strtoull` and `strtod` read.
pub(super) fn scalar(value: &Spanned<toml::Value>, kind: Kind) -> Result<String, Wrong> {
    let bits = 8 * u32::try_from(kind.bytes).unwrap_or(8);
    let fits = |it: i64| match kind.name.as_bytes()[0] {
        b's' => bits == 64 || (it >= -(1 << (bits - 1)) && it < 1 << (bits - 1)),
        _ => it >= 0 && (bits == 64 || it < 1 << bits),
    };
    match (value.get_ref(), kind.name.contains('f')) {
        (toml::Value::Integer(number), true) => Ok(number.to_string()),
        (toml::Value::Float(number), true) => Ok(format!("{number:?}")),
        (toml::Value::Integer(number), false) if fits(*number) => Ok(number.to_string()),
        _ => wrong(
            format!("expected a number of type {}", kind.name),
            value.span(),
        ),
    }
}
