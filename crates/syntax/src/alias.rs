//! Macros of a project that expand to qualifiers and attributes.

use std::collections::{HashMap, HashSet};
use std::ops::BitOr;

use super::lexer::{TokenKind, lex_inline};
use super::qualifier::{Qualifiers, Treatment, builtin, skip_attribute, skip_parentheses};
use super::stand_in::StandIn;

/// The macros of a project that expand to qualifiers.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    names: HashMap<String, Treatment>,
    /// Function-like macros of other kinds.
    functions: HashSet<String>,
    /// Macros that stand for parts of syntax.
    stand_ins: HashMap<String, StandIn>,
    /// Macros of either form that are whole statements.
    statements: HashSet<String>,
    /// Macros of either form that are the configuration of a launch: `<<<grid, block>>>`.
    configurations: HashSet<String>,
    /// Macros of either form that are only the head of one, such as `for (…)`.
    heads: HashSet<String>,
    /// Macros of either form with more braces of one kind than of the other, which stand for more than a brace.
    unbalanced: HashSet<String>,
    /// Macros that produce a function's head, with its qualifiers.
    makers: HashMap<String, Qualifiers>,
}

/// One definition of a macro: whether it has parameters, and its text.
pub struct AliasSource<'a> {
    pub name: &'a str,
    pub has_parameters: bool,
    pub body: &'a str,
}

impl AliasSource<'_> {
    /// Whether a use needs no semicolon after it.
    fn is_statement(&self) -> bool {
        let body = self.body.trim();
        let heads = || {
            ["for", "while", "if"].iter().any(|word| {
                body.strip_prefix(word)
                    .is_some_and(|it| it.trim_start().starts_with('('))
            })
        };
        let complete = self.has_parameters || body.ends_with(')');
        body.len() > 1 && body.ends_with(['}', ';']) || complete && heads()
    }
}

impl AliasSource<'_> {
    fn is_unbalanced(&self) -> bool {
        let tokens = lex_inline(self.body).tokens;
        let count = |brace: &str| {
            tokens
                .iter()
                .filter(|it| it.text(self.body) == brace)
                .count()
        };
        count("{") != count("}")
    }
}

/// The maximum depth of macros within macros to follow.
const MAX_LEVELS: usize = 8;

impl Aliases {
    /// The same, where `words` stand for operators.
    #[must_use]
    pub fn with_operators(&self, words: &[String]) -> Self {
        let mut more = self.clone();
        for word in words {
            more.stand_ins.insert(word.clone(), StandIn::Token("+"));
        }
        more
    }

    /// Finds the aliases among all definitions of a project.
    pub fn find<'a>(definitions: impl IntoIterator<Item = AliasSource<'a>>) -> Self {
        let mut sources: HashMap<&str, Vec<AliasSource<'_>>> = HashMap::new();
        for source in definitions {
            sources.entry(source.name).or_default().push(source);
        }
        let mut aliases = Self::default();
        for (name, definitions) in &sources {
            // Editors may see an empty one.
            let empty = |it: &AliasSource<'_>| it.body.trim().is_empty();
            let configured = definitions
                .iter()
                .any(|it| configuration(it.body).is_some());
            if configured
                && definitions
                    .iter()
                    .all(|it| empty(it) || configuration(it.body).is_some())
            {
                aliases.configurations.insert((*name).to_owned());
            }
            if definitions.iter().all(AliasSource::is_statement) {
                aliases.statements.insert((*name).to_owned());
            }
            let all = definitions.iter().map(|it| match it.has_parameters {
                true => None,
                false => StandIn::of(name, it.body),
            });
            let all: Vec<_> = all.collect();
            if let [Some(first), rest @ ..] = all.as_slice()
                && rest.iter().all(|it| *it == Some(*first))
            {
                aliases.stand_ins.insert((*name).to_owned(), *first);
            }
            if definitions.iter().any(|it| it.has_parameters) {
                aliases.functions.insert((*name).to_owned());
            }
            let is_part = aliases.stand_ins.contains_key(*name);
            if !is_part && definitions.iter().any(AliasSource::is_unbalanced) {
                aliases.unbalanced.insert((*name).to_owned());
            }
        }
        aliases.find_heads(&sources);
        // Aliases of aliases: each round resolves one more level.
        for _ in 0..MAX_LEVELS {
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
        aliases.find_makers(&sources);
        aliases
    }

    /// Whether a macro opens or closes blocks of the text around it.
    pub fn is_unbalanced(&self, name: &str) -> bool {
        self.unbalanced.contains(name)
    }

    /// Finds the macros that produce heads of functions, with the same rounds.
    fn find_makers(&mut self, sources: &HashMap<&str, Vec<AliasSource<'_>>>) {
        for _ in 0..MAX_LEVELS {
            let mut found = Vec::new();
            for (name, definitions) in sources {
                let heads = definitions
                    .iter()
                    .filter(|it| it.has_parameters || it.body.trim_end().ends_with(')'));
                let made = heads.map(|it| self.made_qualifiers(it.body));
                let made = made.fold(Qualifiers::NONE, BitOr::bitor);
                if made != self.maker(name) {
                    found.push(((*name).to_owned(), made));
                }
            }
            if found.is_empty() {
                break;
            }
            self.makers.extend(found);
        }
    }

    /// The qualifiers in a macro's body that contains no function body.
    fn made_qualifiers(&self, body: &str) -> Qualifiers {
        if body.contains(['{', ';']) {
            return Qualifiers::NONE;
        }
        let words = body.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.fold(Qualifiers::NONE, |all, word| {
            let own = match self.treatment(word) {
                Some(Treatment::Blank(found) | Treatment::Mark(found)) => found,
                Some(Treatment::BlankCall(found)) if found == Qualifiers::CLUSTER => found,
                _ => Qualifiers::NONE,
            };
            all | own | self.maker(word)
        })
    }

    /// Finds the macros that are heads of statements: each round resolves one more level of macros
    /// within macros.
    fn find_heads(&mut self, sources: &HashMap<&str, Vec<AliasSource<'_>>>) {
        for _ in 0..MAX_LEVELS {
            let before = self.heads.len();
            for (name, definitions) in sources {
                if definitions.iter().all(|it| is_head(it.body, &self.heads)) {
                    self.heads.insert((*name).to_owned());
                }
            }
            if self.heads.len() == before {
                break;
            }
        }
    }

    /// Whether `word` is a macro for the configuration of a launch.
    pub fn is_configuration(&self, word: &str) -> bool {
        self.configurations.contains(word)
    }

    /// Whether `word` is a macro that is only the head of a statement.
    pub fn is_head(&self, word: &str) -> bool {
        self.heads.contains(word)
    }

    /// Whether `word` is a function-like macro of the project.
    pub fn is_function_macro(&self, word: &str) -> bool {
        self.functions.contains(word)
    }

    /// The qualifiers of the function whose head the macro `word` produces.
    pub fn maker(&self, word: &str) -> Qualifiers {
        self.makers.get(word).copied().unwrap_or_default()
    }

    /// Whether `word` is a macro that needs no semicolon after it.
    pub fn is_statement(&self, word: &str) -> bool {
        self.statements.contains(word)
    }

    /// The part of syntax that `word` stands for.
    pub fn stand_in(&self, word: &str) -> Option<StandIn> {
        self.stand_ins.get(word).copied()
    }

    /// How to treat `word`.
    pub fn treatment(&self, word: &str) -> Option<Treatment> {
        builtin(word).or_else(|| self.names.get(word).copied())
    }

    /// The qualifiers of `[…] __device__`, which begins a device lambda.
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
                // Also skip the parameters, which a lambda may omit.
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

/// What is between `<<<` and `>>>`, if a macro's body is the configuration of a launch.
pub fn configuration(body: &str) -> Option<&str> {
    body.trim().strip_prefix("<<<")?.strip_suffix(">>>")
}

/// Whether a macro's body is the head of a statement, or several: `for (…)`, `for (…) if (…)`, or macros
/// that are.
fn is_head(body: &str, heads: &HashSet<String>) -> bool {
    let tokens = lex_inline(body).tokens;
    let text = |at: usize| tokens.get(at).map_or("", |it| it.text(body));
    let mut at = 0;
    let mut found = false;
    while let Some(token) = tokens.get(at) {
        let called = text(at + 1) == "(";
        let end = skip_parentheses(body, &tokens, at + 1);
        found |= match token.text(body) {
            "for" | "while" | "if" | "switch" if called => true,
            "_Pragma" if called => false,
            name if heads.contains(name) => true,
            _ => return false,
        };
        at = if called { end } else { at + 1 };
    }
    found
}

/// One treatment for several definitions: the most specific one.
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
    fn heads_of_statements() {
        let bodies = [
            ("LOOP", "for (int i = 0; i < (n); ++i)"),
            ("UNROLLED", "_Pragma(\"unroll\") LOOP(i, n)"),
            ("FIRST", "if (threadIdx.x == 0)"),
            ("BOTH", "LOOP(i, n) FIRST"),
            ("FILL", "for (int i = 0; i < n; ++i) a[i] = 0"),
            ("TWICE", "FILL(a); FILL(b)"),
            ("HINT", "_Pragma(\"unroll\")"),
            ("CALL", "f(n)"),
        ];
        let sources = bodies.map(|(name, body)| AliasSource {
            name,
            has_parameters: true,
            body,
        });
        let aliases = Aliases::find(sources);
        for (name, _) in bodies {
            let expected = matches!(name, "LOOP" | "UNROLLED" | "FIRST" | "BOTH");
            assert_eq!(aliases.is_head(name), expected, "{name}");
        }
    }

    #[test]
    fn other_macros_stay() {
        check(&[("N", false, "256")], "N", None);
        check(&[("REAL", false, "float")], "REAL", None);
        check(&[("TRACE", true, "")], "TRACE", None);
        check(&[("A", false, "A")], "A", None);
    }
}
