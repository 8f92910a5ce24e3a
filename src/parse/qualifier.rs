//! CUDA's qualifiers and attributes, also behind macros that stand for them.
//!
//! The grammar never sees them: the pre-pass blanks them and leaves a *mark*
//! that says what stood where. What is left is C++ plus launches, and that
//! parses well.

use std::collections::HashMap;
use std::ops::{BitOr, BitOrAssign, Range};

use super::lexer::{Token, TokenKind, lex_inline};

/// A set of qualifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualifiers(u16);

impl Qualifiers {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const GLOBAL: Self = Self(1);
    pub(crate) const DEVICE: Self = Self(1 << 1);
    pub(crate) const HOST: Self = Self(1 << 2);
    pub(crate) const SHARED: Self = Self(1 << 3);
    pub(crate) const CONSTANT: Self = Self(1 << 4);
    pub(crate) const MANAGED: Self = Self(1 << 5);
    pub(crate) const CONSTEXPR: Self = Self(1 << 6);
    /// `__align__(n)`, `alignas(n)`.
    pub(crate) const ALIGN: Self = Self(1 << 7);
    /// `__attribute__((packed))`: members have no address a reference can take.
    pub(crate) const PACKED: Self = Self(1 << 8);

    /// Whether it holds any of `other`'s qualifiers.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a function or variable so qualified belongs to the GPU.
    pub(crate) fn on_device(self) -> bool {
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
pub(crate) struct Mark {
    /// Where it stands, arguments included.
    pub(crate) range: Range<usize>,
    /// Start of the next token that the grammar sees.
    pub(crate) next: usize,
    pub(crate) qualifiers: Qualifiers,
    /// Whether the grammar sees a word in its place.
    pub(crate) visible: bool,
}

/// How the pre-pass treats a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Blank the word.
    Blank(Qualifiers),
    /// Blank the word and the parentheses after it.
    BlankCall(Qualifiers),
    /// Leave the word, which then stands for a type, and mark it.
    Mark(Qualifiers),
    /// Put another word in its place, one that is not longer.
    Replace(&'static str),
    /// Put a lambda's introducer in its place, and mark it.
    Introduce(Qualifiers),
}

/// What the language itself says of `word`.
pub(crate) fn builtin(word: &str) -> Option<Treatment> {
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
        "__launch_bounds__" | "__cluster_dims__" | "__block_size__" | "__maxnreg__"
        | "__declspec" | "_Pragma" | "__pragma" | "__nv_pure__" | "__annotate__" => {
            BlankCall(Qualifiers::NONE)
        }
        "__attribute__" | "__attribute" => BlankCall(Qualifiers::NONE),
        "__align__" | "alignas" | "_Alignas" => BlankCall(Qualifiers::ALIGN),
        "__volatile__" | "__volatile" => Replace("volatile"),
        "__asm__" | "__asm" => Replace("asm"),
        "__const" | "__const__" => Replace("const"),
        "__signed__" | "__signed" => Replace("signed"),
        _ => return None,
    })
}

/// The macros of a project that stand for qualifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aliases {
    names: HashMap<String, Treatment>,
    /// Function-like macros of other kinds; whether they are whole statements.
    functions: HashMap<String, bool>,
    /// Function-like macros that make a function's head, with its qualifiers.
    makers: HashMap<String, Qualifiers>,
}

/// One definition of a macro: whether it has parameters, and its text.
pub(crate) struct AliasSource<'a> {
    pub(crate) name: &'a str,
    pub(crate) has_parameters: bool,
    pub(crate) body: &'a str,
}

impl Aliases {
    /// Finds the aliases among all definitions of a project.
    pub(crate) fn find<'a>(definitions: impl IntoIterator<Item = AliasSource<'a>>) -> Self {
        let mut sources: HashMap<&str, Vec<AliasSource<'_>>> = HashMap::new();
        for source in definitions {
            sources.entry(source.name).or_default().push(source);
        }
        let mut aliases = Self::default();
        for (name, definitions) in &sources {
            if definitions.iter().any(|it| it.has_parameters) {
                let whole = definitions.iter().all(|it| {
                    let body = it.body.trim();
                    body.ends_with(['}', ';'])
                        || ["for", "while", "if"].iter().any(|word| {
                            body.strip_prefix(word)
                                .is_some_and(|it| it.trim_start().starts_with('('))
                        })
                });
                aliases.functions.insert((*name).to_owned(), whole);
                let made = definitions.iter().map(|it| made_qualifiers(it.body));
                let made = made.fold(Qualifiers::NONE, BitOr::bitor);
                aliases.makers.insert((*name).to_owned(), made);
            }
        }
        // Aliases of aliases: one more level is resolved in each round.
        for _ in 0..8 {
            let mut found = Vec::new();
            for (name, definitions) in &sources {
                if aliases.names.contains_key(*name) || builtin(name).is_some() {
                    continue;
                }
                let treatments = definitions.iter().map(|source| aliases.classify(source));
                if let Some(treatment) = merge(treatments) {
                    found.push(((*name).to_owned(), treatment));
                }
            }
            if found.is_empty() {
                break;
            }
            aliases.names.extend(found);
        }
        aliases
    }

    /// Whether `word` is a function-like macro of the project.
    pub(crate) fn is_function_macro(&self, word: &str) -> bool {
        self.functions.contains_key(word)
    }

    /// The qualifiers of the function whose head the macro `word` makes.
    pub(crate) fn maker(&self, word: &str) -> Qualifiers {
        self.makers.get(word).copied().unwrap_or_default()
    }

    /// Whether `word` is a macro that needs no semicolon after it.
    pub(crate) fn is_statement(&self, word: &str) -> bool {
        self.functions.get(word).copied().unwrap_or(false)
    }

    /// How to treat `word`.
    pub(crate) fn treatment(&self, word: &str) -> Option<Treatment> {
        builtin(word).or_else(|| self.names.get(word).copied())
    }

    /// The qualifiers of `[…] __device__`, which begins a lambda for the device.
    fn introducer(&self, source: &AliasSource<'_>) -> Option<Treatment> {
        if source.has_parameters || source.name.len() < 2 {
            return None;
        }
        let lexed = lex_inline(source.body);
        let text = |at: usize| lexed.tokens.get(at).map_or("", |it| it.text(source.body));
        let mut at = 0;
        if let Some(Treatment::Introduce(found)) = self.treatment(text(0)) {
            return (lexed.tokens.len() == 1).then_some(Treatment::Introduce(found));
        }
        if text(0) != "[" || text(1) == "[" {
            return None;
        }
        while !matches!(text(at), "]" | "") {
            at += 1;
        }
        let mut qualifiers = Qualifiers::NONE;
        for (index, token) in lexed.tokens.iter().enumerate().skip(at + 1) {
            match self.treatment(token.text(source.body)) {
                Some(Treatment::Blank(found) | Treatment::Mark(found)) => qualifiers |= found,
                // The parameters, too: a lambda may do without them.
                None if text(index) == "("
                    && skip_parentheses(source.body, &lexed.tokens, index)
                        == lexed.tokens.len() =>
                {
                    break;
                }
                _ => return None,
            }
        }
        Some(Treatment::Introduce(qualifiers))
    }

    fn classify(&self, source: &AliasSource<'_>) -> Option<Treatment> {
        if let Some(treatment) = self.introducer(source) {
            return Some(treatment);
        }
        let lexed = lex_inline(source.body);
        if lexed.tokens.len() > 32 || (lexed.tokens.is_empty() && source.has_parameters) {
            return None;
        }
        let mut qualifiers = Qualifiers::NONE;
        let mut others = 0;
        let mut at = 0;
        while let Some(token) = lexed.tokens.get(at) {
            let text = token.text(source.body);
            let next = lexed
                .tokens
                .get(at + 1)
                .map(|token| token.text(source.body));
            match self.treatment(text) {
                Some(Treatment::Blank(found) | Treatment::Mark(found)) => qualifiers |= found,
                Some(Treatment::BlankCall(found)) => {
                    qualifiers |= found;
                    at = skip_parentheses(source.body, &lexed.tokens, at + 1);
                    continue;
                }
                Some(Treatment::Replace(_) | Treatment::Introduce(_)) => return None,
                None if matches!(
                    text,
                    "inline"
                        | "static"
                        | "virtual"
                        | "explicit"
                        | "noexcept"
                        | "override"
                        | "final"
                ) => {}
                None if text == "extern" && next == Some("\"C\"") => at += 1,
                None if text == "[" && next == Some("[") => {
                    at = skip_attribute(source.body, &lexed.tokens, at);
                    continue;
                }
                None if token.kind == TokenKind::Word || matches!(text, "*" | "&" | "::") => {
                    others += 1;
                }
                None => return None,
            }
            at += 1;
        }
        match (others, source.has_parameters) {
            (0, true) => Some(Treatment::BlankCall(qualifiers)),
            (0, false) => Some(Treatment::Blank(qualifiers)),
            (_, false) if qualifiers.on_device() || qualifiers.has(Qualifiers::CONSTANT) => {
                Some(Treatment::Mark(qualifiers))
            }
            _ => None,
        }
    }
}

/// The qualifiers in a macro's body that has no body of a function in it.
fn made_qualifiers(body: &str) -> Qualifiers {
    if body.contains(['{', ';']) {
        return Qualifiers::NONE;
    }
    let words = body.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter_map(builtin)
        .fold(Qualifiers::NONE, |all, treatment| match treatment {
            Treatment::Blank(found) | Treatment::Mark(found) => all | found,
            Treatment::BlankCall(_) | Treatment::Replace(_) | Treatment::Introduce(_) => all,
        })
}

/// One treatment for several definitions: the one that says most.
fn merge(treatments: impl Iterator<Item = Option<Treatment>>) -> Option<Treatment> {
    let mut merged: Option<Treatment> = None;
    let mut unknown = false;
    for treatment in treatments {
        match (merged, treatment) {
            (_, None) => unknown = true,
            (Some(Treatment::Blank(a)), Some(Treatment::Blank(b))) => {
                merged = Some(Treatment::Blank(a | b));
            }
            (Some(Treatment::Introduce(a)), Some(Treatment::Introduce(b))) => {
                merged = Some(Treatment::Introduce(a | b));
            }
            (Some(Treatment::Mark(a)), Some(Treatment::Mark(b) | Treatment::Blank(b))) => {
                merged = Some(Treatment::Mark(a | b));
            }
            (_, Some(treatment)) => merged = Some(treatment),
        }
    }
    match merged {
        Some(Treatment::Blank(Qualifiers::NONE)) if unknown => None,
        merged => merged,
    }
}

/// Longest attribute that is looked for, in tokens; keeps hostile input linear.
const ATTRIBUTE_LIMIT: usize = 512;

/// The token after the parentheses that open at `at`; `at` when none do.
pub(crate) fn skip_parentheses(source: &str, tokens: &[Token], at: usize) -> usize {
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

/// The token after the `[[…]]` that opens at `at`; `at + 1` when it never ends.
pub(crate) fn skip_attribute(source: &str, tokens: &[Token], at: usize) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(definitions: &[(&str, bool, &str)], word: &str, expect: Option<Treatment>) {
        let aliases =
            Aliases::find(
                definitions
                    .iter()
                    .map(|(name, has_parameters, body)| AliasSource {
                        name,
                        has_parameters: *has_parameters,
                        body,
                    }),
            );
        assert_eq!(aliases.treatment(word), expect);
    }

    #[test]
    fn aliases_of_qualifiers() {
        let device = Qualifiers::DEVICE;
        let both = Qualifiers::HOST | device;
        check(
            &[("DI", false, "__device__ __forceinline__")],
            "DI",
            Some(Treatment::Blank(device)),
        );
        check(
            &[
                ("HD", false, "__host__ D"),
                ("D", false, "__device__"),
                ("HD", false, ""),
            ],
            "HD",
            Some(Treatment::Blank(both)),
        );
        check(
            &[("B", true, "__launch_bounds__(n, 2)")],
            "B",
            Some(Treatment::BlankCall(Qualifiers::NONE)),
        );
        check(
            &[("KERNEL", false, "extern \"C\" __global__ void")],
            "KERNEL",
            Some(Treatment::Mark(Qualifiers::GLOBAL)),
        );
    }

    #[test]
    fn other_macros_stay() {
        check(&[("N", false, "256")], "N", None);
        check(&[("REAL", false, "float")], "REAL", None);
        check(&[("TRACE", true, "")], "TRACE", None);
        check(&[("A", false, "A")], "A", None);
    }
}
