//! What the spelling of a word shows.

/// Whether a word is spelled as macros are: `CAPITALS`, `__both_sides__`.
pub(super) fn looks_like_macro(text: &str) -> bool {
    let capitals = text.len() >= 3
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| !byte.is_ascii_lowercase());
    let underscores = text.len() > 4 && text.starts_with("__") && text.ends_with("__");
    capitals || underscores
}

/// A type that is a keyword.
pub(super) fn is_builtin_type(text: &str) -> bool {
    matches!(
        text,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "unsigned"
            | "signed"
            | "auto"
    )
}
