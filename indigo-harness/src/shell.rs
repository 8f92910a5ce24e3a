//! Command lines in shell syntax.

use std::ffi::OsStr;

/// Joins words to one line, and quotes them where needed.
#[must_use]
pub fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| word.as_ref().to_string_lossy().into_owned())
        .collect();
    // Only a word with a zero byte cannot be quoted, and arguments have none.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
