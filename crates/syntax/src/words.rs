//! Sets of words, and what the spelling of a word shows.

/// A set of words, written with blanks between them.
#[derive(Clone, Copy, Debug)]
pub struct Words(&'static str);

impl Words {
    /// The words of a text.
    pub const fn of(text: &'static str) -> Self {
        Self(text)
    }

    /// All words.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split_ascii_whitespace()
    }

    /// The word that is spelled like `word`.
    pub fn find(self, word: &str) -> Option<&'static str> {
        self.iter().find(|it| *it == word)
    }

    pub fn has(self, word: &str) -> bool {
        self.find(word).is_some()
    }
}

/// Whether a word is spelled as macros are: `CAPITALS`, `__both_sides__`.
pub(super) fn looks_like_macro(text: &str) -> bool {
    let capitals = text.len() >= 3
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| !byte.is_ascii_lowercase());
    let underscores = text.len() > 4 && text.starts_with("__") && text.ends_with("__");
    capitals || underscores
}

/// The identifiers, keywords and numbers in a text.
pub fn words_in(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    parts.filter(|it| !it.is_empty())
}

/// Whether a word is a type that is a keyword. (Not [`Words`]: it is called for every word.)
pub fn is_builtin_type(text: &str) -> bool {
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
