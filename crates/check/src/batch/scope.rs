//! What a text declares at file scope, and whether a namespace could contain that.

use super::Unfit;
use hirace_syntax::lexer::{Token, TokenKind, lex};

/// What a variable has that CUDA or C++ initialises without code: a device variable may have no
/// dynamic initialiser (CUDA C++ Programming Guide, "Device Memory Space Specifiers").
const CONSTANT: [&str; 5] = [
    "__constant__",
    "__device__",
    "__managed__",
    "__shared__",
    "constexpr",
];

/// Words that may come before the type of a variable, or before and after it.
const SPECIFIERS: [&str; 6] = ["const", "extern", "inline", "static", "std", "volatile"];

/// Types whose variables need no code before `main`, unless their initialiser calls something.
const ARITHMETIC: [&str; 21] = [
    "bool", "char", "clock_t", "double", "float", "int", "int16_t", "int32_t", "int64_t", "int8_t",
    "long", "short", "signed", "size_t", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "unsigned",
    "void", "wchar_t",
];

/// The names of the functions that `source` declares at file scope.
pub(super) fn functions(source: &str) -> Result<Vec<String>, Unfit> {
    let lexed = lex(source);
    if lexed.unterminated.is_some() {
        return Err(Unfit("has an unterminated literal or comment"));
    }
    let mut functions = Vec::new();
    for declaration in declarations(source, &lexed.tokens)? {
        functions.extend(declaration.function()?);
    }
    Ok(functions)
}

/// The text with a `return` at the end of its `main`, which in a namespace is an ordinary function
/// and needs one.
pub(super) fn with_return(source: &str) -> Result<String, Unfit> {
    let tokens = lex(source).tokens;
    let mut end = None;
    for declaration in declarations(source, &tokens)? {
        if declaration.name() != Some("main") {
            continue;
        }
        let whole = declaration.tokens;
        let int = whole.first().is_some_and(|it| it.text(source) == "int");
        let close = whole.last().filter(|it| it.text(source) == "}");
        match (int, close, end) {
            (true, Some(close), None) => end = Some(close.start),
            (_, None, _) => {}
            _ => return Err(Unfit("an unusual main")),
        }
    }
    let end = end.ok_or(Unfit("no main"))?;
    Ok(format!("{}return 0; {}", &source[..end], &source[end..]))
}

/// A declaration at file scope.
struct Declaration<'a> {
    source: &'a str,
    tokens: &'a [Token],
}

/// Splits a text into its declarations, including those in namespaces.
fn declarations<'a>(source: &'a str, tokens: &'a [Token]) -> Result<Vec<Declaration<'a>>, Unfit> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut namespaces = 0_usize;
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Directive {
            // Directives may occur anywhere, and do not end a declaration.
            if depth == 0 && start == at {
                start = at + 1;
            }
            continue;
        }
        if token.kind != TokenKind::Punct {
            continue;
        }
        let mut ends = false;
        match token.text(source) {
            "{" if depth == 0 && tokens[start].text(source) == "namespace" => {
                if at > start + 1 && tokens[start + 1].text(source) == "std" {
                    return Err(Unfit("adds to namespace std"));
                }
                namespaces += 1;
                start = at + 1;
            }
            "}" if depth == 0 => {
                namespaces = namespaces
                    .checked_sub(1)
                    .ok_or(Unfit("unbalanced braces"))?;
                start = at + 1;
            }
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1).ok_or(Unfit("unbalanced brackets"))?,
            "}" => {
                depth -= 1;
                // A function body ends a declaration; a class body or an initialiser does not.
                ends = depth == 0 && {
                    let so_far = Declaration {
                        source,
                        tokens: &tokens[start..=at],
                    };
                    so_far.name().is_some()
                };
            }
            ";" => ends = depth == 0,
            _ => {}
        }
        if ends {
            found.push(Declaration {
                source,
                tokens: &tokens[start..=at],
            });
            start = at + 1;
        }
    }
    match (depth, namespaces) {
        (0, 0) => Ok(found),
        _ => Err(Unfit("unbalanced brackets")),
    }
}

impl<'a> Declaration<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text(self.source))
    }

    /// The name of the function that this declares.
    fn function(&self) -> Result<Option<String>, Unfit> {
        match self.word(0) {
            ";" | "using" | "typedef" | "static_assert" | "namespace" => return Ok(None),
            "struct" | "class" | "union" | "enum" if self.is_type() => return Ok(None),
            "extern"
                if self
                    .tokens
                    .get(1)
                    .is_some_and(|it| it.kind == TokenKind::String) =>
            {
                return Err(Unfit("declares names with C linkage"));
            }
            _ => {}
        }
        if self.has("operator") {
            // Argument-dependent lookup finds it wherever it is declared.
            return Ok(None);
        }
        if self.word(0) == "template" && self.is_type() {
            return Ok(None);
        }
        let has_body = self
            .tokens
            .last()
            .is_some_and(|it| it.text(self.source) == "}");
        match self.name() {
            Some(name) if has_body || self.is_prototype() => Ok(Some(name.to_owned())),
            _ if self.needs_no_code() => Ok(None),
            _ => Err(Unfit("a variable that may need code before main")),
        }
    }

    /// Whether this is a class or enumeration that declares no variable.
    fn is_type(&self) -> bool {
        let count = self.tokens.len();
        count >= 2 && matches!(self.word(count - 2), "}") || !self.has("{") && !self.has("(")
    }

    /// The word before the first parenthesis, unless an initialiser comes first.
    fn name(&self) -> Option<&'a str> {
        let mut angles = 0_usize;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.text(self.source) {
                "struct" | "class" | "union" | "enum" | "using" | "typedef" if at == 0 => {
                    return None;
                }
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                "=" | "{" | "[" if angles == 0 => return None,
                // Not the parenthesis of an attribute or of a template's constraint.
                "(" if angles == 0 => {
                    let before = self.tokens.get(at.checked_sub(1)?)?;
                    let word = before.text(self.source);
                    let attribute = matches!(
                        word,
                        "__launch_bounds__"
                            | "__attribute__"
                            | "alignas"
                            | "__align__"
                            | "noexcept"
                            | "decltype"
                            | "("
                            | "__declspec"
                    );
                    let inside = self.tokens[..at]
                        .iter()
                        .map(|it| it.text(self.source))
                        .fold(0_i32, |depth, it| match it {
                            "(" => depth + 1,
                            ")" => depth - 1,
                            _ => depth,
                        });
                    if !attribute && inside == 0 && before.kind == TokenKind::Word {
                        return Some(word);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the parentheses hold parameters, not arguments: `f()`, `f(int)`, `f(const T& a)`.
    fn is_prototype(&self) -> bool {
        let Some(open) = self
            .tokens
            .iter()
            .position(|it| it.text(self.source) == "(")
        else {
            return false;
        };
        let inside = &self.tokens[open + 1..];
        let first = inside.first().map_or("", |it| it.text(self.source));
        let second = inside.get(1);
        let named = second.is_some_and(|it| {
            it.kind == TokenKind::Word || matches!(it.text(self.source), "*" | "&")
        });
        first == ")" || ARITHMETIC.contains(&first) || SPECIFIERS.contains(&first) || named
    }

    fn has(&self, word: &str) -> bool {
        self.tokens.iter().any(|it| it.text(self.source) == word)
    }

    /// Whether this declares variables that are initialised without code: those of
    /// [`CONSTANT`], and those of arithmetic type whose initialisers call nothing.
    fn needs_no_code(&self) -> bool {
        if CONSTANT.iter().any(|word| self.has(word)) {
            return true;
        }
        let words = self
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.kind == TokenKind::Word);
        let calls = |(at, _): (usize, &Token)| matches!(self.word(at + 1), "(" | "<");
        let is_arithmetic = words
            .clone()
            .map(|(_, token)| token.text(self.source))
            .find(|word| !SPECIFIERS.contains(word))
            .is_some_and(|word| ARITHMETIC.contains(&word));
        is_arithmetic && !words.clone().any(calls)
    }
}
