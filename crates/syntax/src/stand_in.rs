//! Macros that stand for parts of syntax: `BEGIN` for `{`, `NEXT` for `+ 1`, `AT` for `[i]`.
//!
//! The grammar must see what they stand for, and the text must keep its length. So the macro's name
//! becomes text of the same kind: only the bounds of the expression around it matter, because the
//! macro's own body is instrumented where it is defined.

use super::lexer::{TokenKind, lex_inline};

/// What a macro without parameters stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandIn {
    /// A bracket that opens, a comma, a semicolon or an operator, as `text`.
    Token(&'static str),
    /// So many braces of namespaces or of `extern "C"`, which open. Neither they nor those that close them
    /// matter to the grammar.
    Open(usize),
    /// So many braces that close.
    Close(usize),
    /// An operator with its right operand.
    Infix(&'static str),
    /// An index.
    Index,
    /// A member of an object.
    Member,
    /// A member of what a pointer points to.
    PointedMember,
}

/// Single tokens that a macro may stand for.
const TOKENS: [&str; 26] = [
    "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=",
    ".", "->", "&&", "||", "!", "==", "<<",
];

/// Operators that have a left and a right operand.
const OPERATORS: [&str; 14] = [
    "+", "-", "*", "/", "%", "|", "^", "<", ">", "&&", "||", "==", "<<", ">>",
];

impl StandIn {
    /// What a macro called `name` with this body stands for; none if it is an expression, a type, or
    /// something else that the grammar parses as a name.
    pub fn of(name: &str, body: &str) -> Option<Self> {
        let tokens = lex_inline(body).tokens;
        let text = |at: usize| tokens.get(at).map_or("", |it| it.text(body));
        // Operators of several characters may be several tokens.
        let whole = body.trim();
        if let Some(token) = TOKENS.iter().find(|it| **it == whole) {
            return (name.len() >= token.len()).then_some(Self::Token(token));
        }
        if tokens.len() < 2 {
            return None;
        }
        let count = |wanted: &str| tokens.iter().filter(|it| it.text(body) == wanted).count();
        let (opened, closed) = (count("{"), count("}"));
        if closed == tokens.len() && name.len() >= closed {
            return Some(Self::Close(closed));
        }
        let last = *tokens.last()?;
        let opens = closed == 0 && last.text(body) == "{";
        match text(0) {
            "namespace" | "extern" | "inline" if opens => Some(Self::Open(opened)),
            // The rest is seen where the macro is defined.
            "{" if opened == closed + 1 => Some(Self::Token("{")),
            "[" if last.text(body) == "]" && name.len() >= 3 => {
                // `[=]`, `[&]` and `[x]` may be the captures of a lambda.
                let mut inner = (1..tokens.len() - 1).map(|it| (tokens[it].kind, text(it)));
                let index = inner.any(|(kind, text)| {
                    kind == TokenKind::Number || matches!(text, "." | "+" | "-" | "*" | "/" | "%")
                });
                index.then_some(Self::Index)
            }
            "." if tokens.len() == 2 && name.len() >= 2 => Some(Self::Member),
            "->" if tokens.len() == 2 && name.len() >= 3 => Some(Self::PointedMember),
            _ => {
                let mut operators = OPERATORS.iter();
                // `- 1` may be a number, and `* p` what a pointer points to.
                let found = operators.rfind(|it| whole.starts_with(**it))?;
                let ends = last.kind != TokenKind::Punct || matches!(last.text(body), ")" | "]");
                let fits = name.len() > found.len() && ends;
                // `+ 1` is not written for 1.
                let unary = matches!(*found, "-" | "*" | "&&");
                (fits && !unary).then_some(Self::Infix(found))
            }
        }
    }

    /// The text that the grammar sees in place of a name of `length` bytes.
    pub fn text(self, length: usize) -> String {
        match self {
            // What ends here ends with the name.
            Self::Token(token @ ("{" | "(" | "[" | ")" | "]")) => format!("{token:>length$}"),
            Self::Token(token) => format!("{token:<length$}"),
            Self::Open(_) => " ".repeat(length),
            Self::Close(count) => format!("{:<length$}", "}".repeat(count)),
            Self::Infix(operator) => format!("{operator}{:>1$}", "1", length - operator.len()),
            Self::Index => format!("[{:>1$}]", "1", length - 2),
            Self::Member => format!(".{}", "m".repeat(length - 1)),
            Self::PointedMember => format!("->{}", "m".repeat(length - 2)),
        }
    }

    /// How many braces it opens, and how many it closes.
    pub fn braces(self) -> (usize, usize) {
        match self {
            Self::Token("{") => (1, 0),
            Self::Token("}") => (0, 1),
            Self::Open(count) => (count, 0),
            Self::Close(count) => (0, count),
            _ => (0, 0),
        }
    }

    /// The first token of that text.
    pub fn token(self) -> &'static str {
        match self {
            Self::Token(token) | Self::Infix(token) => token,
            Self::Open(_) => "{",
            Self::Close(_) => "}",
            Self::Index => "[",
            Self::Member => ".",
            Self::PointedMember => "->",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, body: &str, expected: Option<&str>) {
        let found = StandIn::of(name, body).map(|it| it.text(name.len()));
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn parts_of_syntax() {
        check("BEGIN", "{", Some("    {"));
        check("END", "}", Some("}  "));
        check("RIGHT", "]", Some("    ]"));
        check("NEXT", "+ 1", Some("+  1"));
        check("AT_X", "[threadIdx.x]", Some("[ 1]"));
        check("FIELD", ".x", Some(".mmmm"));
        check("TO_X", "->x", Some("->mm"));
        check("OR", "||", Some("||"));
        check("NS_BEGIN", "namespace a { namespace b {", Some("        "));
        check("NS_END", "} }", Some("}}    "));
        check("BEGIN_C", "extern \"C\" {", Some("       "));
        check("BODY", "{ int i = 0;", Some("   {"));
    }

    #[test]
    fn expressions_and_types_stay() {
        check("CAPTURES", "[=, &x]", None);
        for body in ["1", "float", "(a + b)", "-1", "*p", "x[1]", "", "[x]"] {
            check("M", body, None);
        }
    }
}
