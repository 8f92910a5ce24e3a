//! The values of keys: paths, numbers, sizes.

use std::path::{Path, PathBuf};

use toml::Spanned;

use super::{Kind, Wrong, wrong};

pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A number as text that C's `strtoll`, `strtoull` and `strtod` read.
pub(super) fn scalar(value: &Spanned<toml::Value>, kind: Kind) -> Result<String, Wrong> {
    let bits = 8 * u32::try_from(kind.3).unwrap_or(8);
    let fits = |it: i64| match kind.0.as_bytes()[0] {
        b's' => bits == 64 || (it >= -(1 << (bits - 1)) && it < 1 << (bits - 1)),
        _ => it >= 0 && (bits == 64 || it < 1 << bits),
    };
    match (value.get_ref(), kind.0.contains('f')) {
        (toml::Value::Integer(number), true) => Ok(number.to_string()),
        (toml::Value::Float(number), true) => Ok(format!("{number:?}")),
        (toml::Value::Integer(number), false) if fits(*number) => Ok(number.to_string()),
        _ => wrong(
            format!("expected a number of type {}", kind.0),
            value.span(),
        ),
    }
}

/// Up to three sizes, from 1 to `most`.
pub(super) fn dimensions(given: &Spanned<Vec<u32>>, most: [u32; 3]) -> Result<[u32; 3], Wrong> {
    let sizes = given.get_ref();
    let mut out = [1; 3];
    if sizes.is_empty() || sizes.len() > 3 {
        return wrong("expected one to three numbers", given.span());
    }
    for ((slot, size), most) in out.iter_mut().zip(sizes).zip(most) {
        if *size == 0 || *size > most {
            return wrong(format!("expected a number from 1 to {most}"), given.span());
        }
        *slot = *size;
    }
    Ok(out)
}
