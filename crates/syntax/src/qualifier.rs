//! CUDA's qualifiers and attributes, including those hidden in macros.
//!
//! The grammar never sees them: the pre-pass blanks them and leaves *marks* with their positions
//! and meaning. The rest is C++ with launches, which the grammar parses well.

use std::ops::{BitOr, BitOrAssign, Range};

use super::lexer::Token;

/// A set of qualifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers(u16);

impl Qualifiers {
    pub const NONE: Self = Self(0);
    pub const GLOBAL: Self = Self(1);
    pub const DEVICE: Self = Self(1 << 1);
    pub const HOST: Self = Self(1 << 2);
    pub const SHARED: Self = Self(1 << 3);
    pub const CONSTANT: Self = Self(1 << 4);
    pub const MANAGED: Self = Self(1 << 5);
    pub const CONSTEXPR: Self = Self(1 << 6);
    /// `__align__(n)`, `alignas(n)`.
    pub const ALIGN: Self = Self(1 << 7);
    /// `__attribute__((packed))`: a reference cannot bind to its members.
    pub const PACKED: Self = Self(1 << 8);
    /// `__cluster_dims__(x, y, z)`.
    pub const CLUSTER: Self = Self(1 << 9);

    /// Whether it holds any of `other`'s qualifiers.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a function or variable with these qualifiers belongs to the GPU.
    pub fn on_device(self) -> bool {
        self.has(Self::GLOBAL | Self::DEVICE)
    }
}

impl BitOr for Qualifiers {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Qualifiers {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// A qualifier that was found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its bytes, including arguments.
    pub range: Range<usize>,
    /// Start of the next token that the grammar sees.
    pub next: usize,
    pub qualifiers: Qualifiers,
    /// Whether the grammar sees a word in its place.
    pub visible: bool,
}

/// How the pre-pass treats a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Blank the word.
    Blank(Qualifiers),
    /// Blank the word and the parentheses after it.
    BlankCall(Qualifiers),
    /// Keep the word, which then represents a type, and mark it.
    Mark(Qualifiers),
    /// Replace it by another word that is not longer.
    Replace(&'static str),
    /// Replace it by a lambda's introducer, and mark it.
    Introduce(Qualifiers),
}

/// The treatment of `word` as defined by the language.
pub fn builtin(word: &str) -> Option<Treatment> {
    use Treatment::{Blank, BlankCall, Mark, Replace};
    let first = word.as_bytes().first()?;
    if !matches!(first, b'_' | b'a' | b'c') {
        return None;
    }
    Some(match word {
        "__global__" => Blank(Qualifiers::GLOBAL),
        "__device__" => Blank(Qualifiers::DEVICE),
        "__host__" => Blank(Qualifiers::HOST),
        "__shared__" => Blank(Qualifiers::SHARED),
        "__constant__" => Blank(Qualifiers::CONSTANT),
        "__managed__" => Blank(Qualifiers::MANAGED),
        "constexpr" | "consteval" => Mark(Qualifiers::CONSTEXPR),
        "constinit" => Blank(Qualifiers::NONE),
        "__grid_constant__" | "__restrict__" | "__restrict" | "__forceinline__"
        | "__forceinline" | "__noinline__" | "__inline_hint__" | "__inline__" | "__inline"
        | "__extension__" | "__tile__" | "__local__" | "__cdecl" | "__stdcall" => {
            Blank(Qualifiers::NONE)
        }
        "__cluster_dims__" => BlankCall(Qualifiers::CLUSTER),
        "__launch_bounds__" | "__block_size__" | "__maxnreg__" | "__declspec" | "_Pragma"
        | "__pragma" | "__nv_pure__" | "__annotate__" => BlankCall(Qualifiers::NONE),
        "__attribute__" | "__attribute" => BlankCall(Qualifiers::NONE),
        "__align__" | "alignas" | "_Alignas" => BlankCall(Qualifiers::ALIGN),
        "__volatile__" | "__volatile" => Replace("volatile"),
        "__asm__" | "__asm" => Replace("asm"),
        "__const" | "__const__" => Replace("const"),
        "__signed__" | "__signed" => Replace("signed"),
        _ => return None,
    })
}

/// Longest attribute to search for, in tokens; keeps hostile input linear.
const ATTRIBUTE_LIMIT: usize = 512;

/// The token after the parentheses that open at `at`; `at` if there are none.
pub fn skip_parentheses(source: &str, tokens: &[Token], at: usize) -> usize {
    if tokens.get(at).is_none_or(|token| token.text(source) != "(") {
        return at;
    }
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(at).take(ATTRIBUTE_LIMIT) {
        match token.text(source) {
            "(" => depth += 1,
            ")" if depth == 1 => return index + 1,
            ")" => depth -= 1,
            _ => {}
        }
    }
    at
}

/// The token after the `[[…]]` that opens at `at`; `at + 1` if it never ends.
pub fn skip_attribute(source: &str, tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(at).take(ATTRIBUTE_LIMIT) {
        match token.text(source) {
            "[" => depth += 1,
            "]" if depth == 1 => return index + 1,
            "]" => depth -= 1,
            ";" | "{" | "}" => break,
            _ => {}
        }
    }
    at + 1
}
