//! The text of an `asm` statement: the content of its string literals.

use std::collections::HashMap;

use hirace_syntax::lexer::{Token, TokenKind, lex_inline};

use crate::rewrite::facts::MacroText;

/// Marks the part of a template that a macro supplies.
pub(crate) const UNKNOWN: char = '\u{1}';

/// Encloses the name of a macro's parameter whose argument is text of the template: `#bytes`.
pub(crate) const ARGUMENT: char = '\u{2}';

/// The maximum number of macros that stand for one another.
const MAX_NESTED: usize = 8;

/// The definitions of macros, by name.
pub(crate) type Macros = HashMap<String, Vec<MacroText>>;

/// The macros that may supply a template's text.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub macros: &'a Macros,
    /// The parameters of the macro whose body the statement is in.
    pub parameters: &'a [String],
}

/// The text of the string literals among `tokens` of `source`, and of those that macros stand for.
pub(crate) fn template(source: &str, tokens: &[Token], known: Known<'_>) -> String {
    let mut text = String::new();
    known.add(source, tokens, MAX_NESTED, &mut text);
    text
}

impl Known<'_> {
    fn add(self, source: &str, tokens: &[Token], nested: usize, text: &mut String) {
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match (token.kind, token.text(source)) {
                (_, "#") => {
                    let name = after.first().filter(|it| it.kind == TokenKind::Word);
                    match name {
                        Some(name) => text.extend([
                            &ARGUMENT.to_string(),
                            name.text(source),
                            &ARGUMENT.to_string(),
                        ]),
                        None => text.push(UNKNOWN),
                    }
                    rest = after.get(1..).unwrap_or(&[]);
                }
                (TokenKind::String, literal) => add_literal(literal, text),
                (TokenKind::Directive, _) => {}
                (TokenKind::Word, name) => {
                    let expanded = self.expanded(name, source, after);
                    match nested.checked_sub(1).zip(expanded) {
                        Some((nested, (body, after))) => {
                            self.add(&body, &lex_inline(&body).tokens, nested, text);
                            rest = after;
                        }
                        None => text.push(UNKNOWN),
                    }
                }
                _ => text.push(UNKNOWN),
            }
        }
    }

    /// The definition of a macro; none if there are several different ones.
    fn definition(&self, name: &str) -> Option<&MacroText> {
        let (first, others) = self.macros.get(name)?.split_first()?;
        others.iter().all(|it| it == first).then_some(first)
    }

    /// What the use of a macro stands for, and the tokens after it, if its text is known.
    fn expanded<'a>(
        &self,
        name: &str,
        source: &str,
        after: &'a [Token],
    ) -> Option<(String, &'a [Token])> {
        let MacroText { parameters, body } = self.definition(name)?;
        let Some(parameters) = parameters else {
            return Some((body.clone(), after));
        };
        let (arguments, after) = arguments(source, after)?;
        let is_whole = parameters.len() == arguments.len() || parameters.is_empty();
        let values = parameters.iter().map(String::as_str).zip(arguments);
        let body = self.substituted(body, &values.collect())?;
        is_whole.then_some((body, after))
    }

    /// A macro's body with arguments for its parameters. After `#` they are the text of a literal; elsewhere, macros in
    /// them are expanded (C++ Standard, "Argument substitution").
    fn substituted(&self, body: &str, values: &HashMap<&str, &str>) -> Option<String> {
        let mut out = String::new();
        let (mut before, mut end) = ("", 0);
        for token in lex_inline(body).tokens {
            let text = token.text(body);
            out.push_str(&body[end..token.start]);
            end = token.end;
            match values.get(text).filter(|_| token.kind == TokenKind::Word) {
                // The value is known where the statement's macro is used.
                Some(value) if before == "#" && self.parameters.iter().any(|it| it == value) => {
                    out.push_str(value);
                }
                Some(value) if before == "#" && !self.has_parameters(value) => {
                    out.truncate(out.trim_end().len() - 1);
                    let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
                    out.push_str(&format!("\"{quoted}\""));
                }
                Some(_) if before == "#" => return None,
                Some(value) => out.push_str(&self.argument(value)?),
                None => out.push_str(text),
            }
            before = text;
        }
        Some(out)
    }

    fn has_parameters(&self, text: &str) -> bool {
        let words = lex_inline(text).tokens;
        let mut words = words.iter().map(|it| it.text(text));
        words.any(|word| self.parameters.iter().any(|it| it == word))
    }

    /// An argument after the expansion of macros in it; none if more than names stand for others.
    fn argument(&self, value: &str) -> Option<String> {
        let mut text = value;
        for _ in 0..MAX_NESTED {
            match self.macros.get(text) {
                Some(_) => {
                    let definition = self.definition(text)?;
                    definition.parameters.is_none().then_some(())?;
                    text = definition.body.trim();
                }
                None => break,
            }
        }
        let tokens = lex_inline(text).tokens;
        let mut words = tokens.iter().map(|it| it.text(text));
        let is_name = tokens.len() == 1;
        (is_name || !words.any(|it| self.macros.contains_key(it))).then(|| text.to_owned())
    }
}

/// The arguments of a macro's use, which begin with a parenthesis, and the tokens after them.
fn arguments<'s, 'a>(source: &'s str, tokens: &'a [Token]) -> Option<(Vec<&'s str>, &'a [Token])> {
    let open = tokens.first().filter(|it| it.text(source) == "(")?;
    let (mut depth, mut start, mut found) = (0usize, open.end, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.text(source) {
            "(" => depth += 1,
            ")" if depth == 1 => {
                found.push(source.get(start..token.start)?.trim());
                return Some((found, &tokens[at + 1..]));
            }
            ")" => depth -= 1,
            "," if depth == 1 => {
                found.push(source.get(start..token.start)?.trim());
                start = token.end;
            }
            _ => {}
        }
    }
    None
}

/// Adds the content of a string literal.
fn add_literal(token: &str, text: &mut String) {
    let quote = token.find('"').unwrap_or(0);
    let inner = token.get(quote + 1..token.len().max(quote + 2) - 1);
    let inner = inner.unwrap_or("");
    if token[..quote].ends_with('R') {
        let open = inner.find('(').map_or(0, |at| at + 1);
        let close = inner.rfind(')').unwrap_or(inner.len());
        return text.push_str(inner.get(open..close).unwrap_or(""));
    }
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('n' | 'r') => text.push('\n'),
            Some('t' | 'v' | 'f') => text.push(' '),
            Some('\n') | None => {}
            Some('\r') => drop(characters.next()),
            Some(other) => text.push(other),
        }
    }
}
