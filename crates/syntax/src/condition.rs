//! Evaluates `#if` conditions as far as possible.
//!
//! Three-valued: if neither the command line nor the file decides a name, the condition is unknown,
//! unless the rest decides it anyway.

use std::cell::Cell;
use std::collections::HashMap;

use super::defines::Defines;
use super::lexer::{Token, TokenKind, lex_inline};

/// The state of a macro at one place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    /// Defined, with this replacement text.
    As(String),
    /// Certainly not defined.
    Not,
    /// Defined or not, or with an unknown value.
    Unsure,
}

/// The macros known while a file is read from top to bottom.
#[derive(Clone, Debug)]
pub struct Environment {
    names: HashMap<String, Known>,
    /// Macro expansions left for the current condition.
    budget: Cell<u32>,
}

impl Environment {
    pub fn new(defines: &Defines) -> Self {
        let mut names = HashMap::from([
            ("__cplusplus".to_owned(), Known::As("201703L".to_owned())),
            ("__CUDACC_RTC__".to_owned(), Known::Not),
            ("__HIP__".to_owned(), Known::Not),
            ("__HIPCC__".to_owned(), Known::Not),
            ("_MSC_VER".to_owned(), Known::Not),
        ]);
        for (name, value) in &defines.names {
            let known = value.clone().map_or(Known::Not, Known::As);
            names.insert(name.clone(), known);
        }
        Self {
            names,
            budget: Cell::new(0),
        }
    }

    /// Notes a `#define`; `certain` is false inside a branch that may be dead.
    pub fn define(&mut self, name: &str, value: Option<&str>, certain: bool) {
        let known = match value {
            Some(value) if certain => Known::As(value.to_owned()),
            _ => Known::Unsure,
        };
        self.names.insert(name.to_owned(), known);
    }

    /// Notes an `#undef`.
    pub fn undefine(&mut self, name: &str, certain: bool) {
        let known = if certain { Known::Not } else { Known::Unsure };
        self.names.insert(name.to_owned(), known);
    }

    /// Whether `name` is defined here.
    pub fn is_defined(&self, name: &str) -> Option<bool> {
        match self.names.get(name) {
            Some(Known::As(_)) => Some(true),
            Some(Known::Not) => Some(false),
            Some(Known::Unsure) | None => None,
        }
    }

    /// The value of the condition `text`.
    pub fn evaluate(&self, text: &str) -> Option<bool> {
        self.budget.set(EXPANSION_LIMIT);
        self.value(text, 0).map(|value| value != 0)
    }

    fn value(&self, text: &str, depth: u32) -> Option<i64> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        let lexed = lex_inline(text);
        let mut parser = Evaluator {
            environment: self,
            text,
            tokens: &lexed.tokens,
            at: 0,
            depth,
            nesting: 0,
        };
        let value = parser.conditional()?;
        if parser.at == parser.tokens.len() {
            value
        } else {
            None
        }
    }
}

/// Limits both macro expansion and parentheses, so that hostile input cannot exhaust the stack.
const DEPTH_LIMIT: u32 = 24;

/// Limits macros that double with every level.
const EXPANSION_LIMIT: u32 = 256;

struct Evaluator<'a> {
    environment: &'a Environment,
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: u32,
    nesting: u32,
}

/// The outer option is `None` for a syntax error, the inner one for an unknown value.
type Value = Option<Option<i64>>;

impl Evaluator<'_> {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.text(self.text))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek(0) == text;
        self.at += usize::from(found);
        found
    }

    /// Takes an operator; the lexer splits `&&` into two tokens.
    fn take_operator(&mut self, operator: &str) -> bool {
        let Some(first) = self.tokens.get(self.at) else {
            return false;
        };
        let end = first.start + operator.len();
        if !self.text[first.start..].starts_with(operator) {
            return false;
        }
        let after = self.text.as_bytes().get(end).copied().unwrap_or(0);
        let longer = match operator {
            "<" | ">" => after == b'=' || after == operator.as_bytes()[0],
            "&" | "|" => after == operator.as_bytes()[0],
            "!" => after == b'=',
            _ => false,
        };
        if longer {
            return false;
        }
        while self
            .tokens
            .get(self.at)
            .is_some_and(|token| token.start < end)
        {
            self.at += 1;
        }
        true
    }

    fn conditional(&mut self) -> Value {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Some(condition);
        }
        self.nesting += 1;
        if self.nesting > DEPTH_LIMIT {
            return None;
        }
        let yes = self.conditional()?;
        if !self.take(":") {
            return None;
        }
        let no = self.conditional()?;
        self.nesting -= 1;
        Some(condition.and_then(|value| if value != 0 { yes } else { no }))
    }

    fn binary(&mut self, level: usize) -> Value {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<=", ">=", "<", ">"],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators
            .iter()
            .find(|operator| self.take_operator(operator))
        {
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right);
        }
        Some(left)
    }

    fn unary(&mut self) -> Value {
        self.nesting += 1;
        let value = if self.nesting > DEPTH_LIMIT {
            None
        } else {
            self.unary_inner()
        };
        self.nesting -= 1;
        value
    }

    fn unary_inner(&mut self) -> Value {
        if self.take_operator("!") {
            return Some(self.unary()?.map(|value| i64::from(value == 0)));
        }
        if self.take_operator("-") {
            return Some(self.unary()?.map(i64::wrapping_neg));
        }
        if self.take_operator("+") {
            return self.unary();
        }
        if self.take_operator("~") {
            return Some(self.unary()?.map(|value| !value));
        }
        if self.take("(") {
            let value = self.conditional()?;
            return self.take(")").then_some(value);
        }
        let token = *self.tokens.get(self.at)?;
        self.at += 1;
        match token.kind {
            TokenKind::Number => Some(number(token.text(self.text))),
            TokenKind::Word => self.word(token),
            TokenKind::Char => Some(None),
            _ => None,
        }
    }

    fn word(&mut self, token: Token) -> Value {
        let name = token.text(self.text);
        if name == "defined" {
            let parenthesised = self.take("(");
            let known = self.environment.is_defined(self.peek(0));
            self.at += 1;
            if parenthesised && !self.take(")") {
                return None;
            }
            return Some(known.map(i64::from));
        }
        if self.peek(0) == "(" {
            self.skip_arguments()?;
            return Some(None);
        }
        let value = match name {
            "true" => Some(1),
            "false" => Some(0),
            _ => match self.environment.names.get(name) {
                Some(Known::As(text)) if self.depth < DEPTH_LIMIT => {
                    self.environment.value(text, self.depth + 1)
                }
                Some(Known::Not) => Some(0),
                _ => None,
            },
        };
        Some(value)
    }

    fn skip_arguments(&mut self) -> Option<()> {
        let mut depth = 0usize;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
        None
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.replace('\'', "");
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    let parsed = if let Some(hex) = lower.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        u64::from_str_radix(&lower, 8)
    } else {
        lower.parse()
    };
    parsed.ok().map(u64::cast_signed)
}

fn apply(operator: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match operator {
        "&&" if left == Some(0) || right == Some(0) => return Some(0),
        "||" if left.is_some_and(|value| value != 0) || right.is_some_and(|value| value != 0) => {
            return Some(1);
        }
        _ => {}
    }
    let (left, right) = (left?, right?);
    let shift = u32::try_from(right).unwrap_or(64);
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.checked_shl(shift).unwrap_or(0),
        ">>" => left.checked_shr(shift).unwrap_or(0),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(condition: &str, expect: Option<bool>) {
        let defines = Defines::from_arguments(["-DA=3", "-DB", "-U", "C", "-DN=A * 2"]);
        assert_eq!(Environment::new(&defines).evaluate(condition), expect);
    }

    #[test]
    fn known_conditions() {
        check("A == 3 && defined(B)", Some(true));
        check("N > 5 ? !defined C : 0", Some(true));
        check("(A << 2) >= 13", Some(false));
        check("0x10'00u == 4096 && 010 == 8", Some(true));
        check("A != 3 || C", Some(false));
    }

    #[test]
    fn unknown_names_spread_only_where_they_matter() {
        check("X", None);
        check("X && 0", Some(false));
        check("1 || X > 3", Some(true));
        check("F(1, 2) == 3", None);
        check("1 / 0", None);
    }

    #[test]
    fn syntax_errors_are_unknown() {
        check("(A", None);
        check("A A", None);
        check("", None);
        check(&"(".repeat(100_000), None);
        check(&"-".repeat(100_000), None);
    }
}
