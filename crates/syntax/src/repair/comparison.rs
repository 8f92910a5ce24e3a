//! Comparisons that look like template arguments.
//!
//! `t < n && p[5] > -1` could be an instance of a template `t`, and the grammar parses it as one.
//! If the same function uses `t` as a variable, it is a comparison: its `<` is masked by an
//! operator that opens nothing, which leaves the operands unchanged. The same is done to every `<`
//! that no `>` closes: the grammar would follow both readings, and with many of them it loses the
//! right one.

use super::repairer::Repairer;
use crate::lexer::TokenKind;
use crate::words::{Words, is_builtin_type};

/// Tokens after which a name is not that of a variable.
const BEFORE_OTHER_NAMES: Words =
    Words::of(":: . -> < class struct typename template using enum union ~ new");

/// Words that begin a type, besides built-in types.
const TYPE_WORDS: Words = Words::of("const volatile typename struct class decltype");

/// Words that begin a declaration.
const SPECIFIERS: Words = Words::of("const static constexpr volatile typedef typename inline");

/// Maximum distance of the matching `>`, in tokens.
const SPAN_LIMIT: usize = 256;

/// How far to search back for the beginning of an alias, in tokens.
const ALIAS_LIMIT: usize = 32;

/// How far to search back for a use as a variable, in tokens.
const LOOK_BACK: usize = 4096;

/// The text after a `<`.
enum Span {
    /// The expression ends before any `>`.
    Open,
    /// A `>` that may match it.
    Closed(Inside),
    /// It is longer than the limit.
    Unknown,
}

/// Text between a `<` and the `>` that may match it.
struct Inside {
    /// The token after the `>`.
    after: usize,
    /// Whether it contains separate arguments, outside parentheses.
    commas: bool,
    /// Whether one of them must be a type.
    types: bool,
}

impl Repairer<'_, '_> {
    /// Masks the `<` at token `at` if it compares a variable. The statement starts at token
    /// `start`; `enclosed` tells whether parentheses are open there.
    pub fn comparison(&mut self, at: usize, start: usize, enclosed: bool) {
        // A launch, a shift, `<=`, or a name.
        let joined = matches!(self.text(at + 1), "<" | "=") && self.touches(at)
            || self.before(at) == "<" && self.touches(at - 1);
        let declares = matches!(self.text(start), "using" | "typedef" | "template");
        if declares || self.in_alias(at) {
            return self.unclosing(at);
        }
        if joined || self.before(at) == "operator" {
            return;
        }
        match self.span(at) {
            Span::Open => {}
            Span::Unknown => return,
            Span::Closed(inside) => {
                if self.must_be_template(at, start, enclosed, &inside) {
                    self.object(at, &inside);
                    return;
                }
                if !self.is_member(at - 1) && !self.is_variable(at) {
                    return;
                }
            }
        }
        // This operator is the least ambiguous: `(a) + b`, for example, may be a cast.
        let start = self.tokens[at].start;
        self.pass.text[start] = b'%';
    }

    /// Whether a `using` or `typedef` begins shortly before `at`.
    pub fn in_alias(&self, at: usize) -> bool {
        (at.saturating_sub(ALIAS_LIMIT)..at)
            .rev()
            .take_while(|it| !matches!(self.text(*it), ";" | "{" | "}"))
            .any(|it| matches!(self.text(it), "using" | "typedef"))
    }

    /// `A<sizeof(T) <= 4>`: in a type, a comparison must not look like an opening bracket.
    fn unclosing(&mut self, at: usize) {
        if self.text(at + 1) == "=" && self.touches(at) {
            self.pass.text[self.tokens[at].start] = b'=';
        }
    }

    /// `Shape<A<int>, 3>{}` in an expression: the arguments are types and constants; without them
    /// the grammar has no ambiguity to resolve.
    fn object(&mut self, at: usize, inside: &Inside) {
        if self.text(inside.after) == "{" && inside.after - at <= SPAN_LIMIT {
            self.blank_all(at..inside.after);
        }
    }

    /// Examines the text up to a `>` that may match.
    fn span(&self, at: usize) -> Span {
        let (mut depth, mut angles) = (0usize, 0usize);
        let (mut commas, mut first) = (false, true);
        let mut types = false;
        for index in at + 1..at + SPAN_LIMIT {
            let text = self.text(index);
            let outside = depth == 0 && angles == 0;
            types |= first && begins_type(text);
            first = outside && text == ",";
            commas |= first;
            match text {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => return Span::Open,
                ")" | "]" => depth -= 1,
                "{" if depth == 0 && self.before(index) == ")" => return Span::Open,
                ";" | "}" | "" if depth == 0 => return Span::Open,
                // An object, or a lambda.
                ";" | "{" | "}" => return Span::Unknown,
                // `<=` and `<<` open nothing.
                "<" if matches!(self.text(index + 1), "<" | "=") && self.touches(index)
                    || self.before(index) == "<" && self.touches(index - 1) => {}
                "<" if depth == 0 => angles += 1,
                // `>=` closes nothing.
                ">" if depth == 0 && !(self.text(index + 1) == "=" && self.touches(index)) => {
                    if angles == 0 {
                        return Span::Closed(Inside {
                            after: index + 1,
                            commas,
                            types,
                        });
                    }
                    angles -= 1;
                }
                _ => {}
            }
        }
        Span::Unknown
    }

    /// Whether the tokens around the `<` allow only a template.
    fn must_be_template(&self, at: usize, start: usize, enclosed: bool, span: &Inside) -> bool {
        let Some(name) = at.checked_sub(1).filter(|it| self.is_word(*it)) else {
            return true;
        };
        // A comparison with an unused result is unlikely.
        let first = !enclosed && (name == start || SPECIFIERS.has(self.before(name)));
        span.types
            || first
            || (span.commas && !enclosed)
            || matches!(self.before(name), "::" | "template" | "<" | "new")
            || matches!(self.text(span.after), "::" | "{" | "")
            // Member templates are functions.
            || self.is_member(name) && self.text(span.after) == "("
    }

    /// Whether the word at `at` is a member of some object.
    fn is_member(&self, at: usize) -> bool {
        matches!(self.before(at), "." | "->")
    }

    /// Whether the word before token `at` was used as a variable in this function.
    fn is_variable(&self, at: usize) -> bool {
        let name = at - 1;
        let text = self.text(name);
        let first = self.function.max(name.saturating_sub(LOOK_BACK));
        (first..name).any(|it| {
            self.tokens[it].kind == TokenKind::Word
                && self.text(it) == text
                && self.is_value(it)
                && self.before(first_of_statement(self, it)) != "typedef"
        })
    }

    /// Whether the word at `at` is in a place for a variable that is unlikely for the bare name of a
    /// template.
    fn is_value(&self, at: usize) -> bool {
        let before = self.before(at);
        if BEFORE_OTHER_NAMES.has(before) {
            return false;
        }
        match self.text(at + 1) {
            // `F<A, Name, B>`, `(Name)x`.
            "," => before != ",",
            ")" => before != "(" || matches!(self.before(at - 1), "if" | "while" | "switch"),
            // `Name * p`, `Name& r`, `Name&& r`.
            "*" | "&" => matches!(before, "=" | "+" | "-" | "*" | "/" | "%" | "return" | "["),
            "!" => self.text(at + 2) == "=",
            "=" | ";" | "]" | "[" | "+" | "-" | "/" | "%" | "?" | "." | "->" | "|" | "^" => true,
            _ => false,
        }
    }
}

/// The token after the one that ends the statement before `at`.
fn first_of_statement(repairer: &Repairer<'_, '_>, at: usize) -> usize {
    let mut first = at;
    while first > 0 && at - first < 64 && !matches!(repairer.before(first), ";" | "{" | "}") {
        first -= 1;
    }
    first + usize::from(repairer.text(first) == "typedef")
}

fn begins_type(text: &str) -> bool {
    is_builtin_type(text) || TYPE_WORDS.has(text)
}
