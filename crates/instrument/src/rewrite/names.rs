//! What the spelling of a name shows: types, casts and functions.

pub(crate) mod cuda;

use hirace_syntax::words::{Words, is_builtin_type};

const NAMED_CASTS: Words = Words::of("static_cast reinterpret_cast const_cast dynamic_cast");

/// Whether `name` is a C++ cast.
pub(crate) fn is_named_cast(name: &str) -> bool {
    NAMED_CASTS.has(name)
}

/// The last part of a type's name, without template arguments.
pub(crate) fn bare_name(type_text: &str) -> &str {
    let text = type_text.trim_end();
    let mut end = text.len();
    if text.ends_with('>') {
        let mut depth = 0usize;
        for (at, byte) in text.bytes().enumerate().rev() {
            match byte {
                b'>' => depth += 1,
                b'<' => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                end = at;
                break;
            }
        }
    }
    text[..end].rsplit("::").next().unwrap_or("").trim()
}

/// Whether a type's name shows that it is a number.
pub(crate) fn is_scalar(text: &str) -> bool {
    !text.is_empty()
        && text.split_whitespace().all(|word| {
            (is_builtin_type(word) && word != "auto")
                || matches!(word, "size_t" | "half" | "__half")
                || (word.ends_with("_t") && word.contains("int"))
        })
}

/// Functions that return the object that they receive.
pub(crate) fn passes_through(name: &str) -> bool {
    matches!(name, "move" | "forward" | "as_const" | "launder" | "get")
}

/// Whether `name` is spelled like CUDA's own functions, such as `__popc`.
pub(crate) fn is_intrinsic(name: &str) -> bool {
    let rest = name.strip_prefix("__").unwrap_or("");
    rest.starts_with(|it: char| it.is_ascii_lowercase())
}
