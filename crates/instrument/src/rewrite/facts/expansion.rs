//! How many accesses a function has after its macros are expanded.
//!
//! A macro that repeats its argument can make thousands of a few. The compiler inlines checks, and would
//! take minutes for them.

use std::collections::HashMap;

use hirace_syntax::lexer::lex_inline;

use super::MacroText;

/// With more accesses in one function, checks are calls.
pub(crate) const MAX_INLINED: u64 = 150;

/// An atomic operation is as much code as so many accesses.
const ATOMIC_SIZE: u64 = 4;

/// Counts accesses in tokens.
pub(crate) struct Expansion<'f> {
    macros: &'f HashMap<String, Vec<MacroText>>,
    /// The tokens of the bodies seen so far.
    bodies: HashMap<&'f str, Vec<&'f str>>,
    /// The macros that are being expanded.
    active: Vec<&'f str>,
}

impl<'f> Expansion<'f> {
    pub(crate) fn of(macros: &'f HashMap<String, Vec<MacroText>>) -> Self {
        Self {
            macros,
            bodies: HashMap::new(),
            active: Vec::new(),
        }
    }

    /// An estimate of the accesses in `tokens`, of which `parameters` stand for so many each.
    pub(crate) fn accesses(&mut self, tokens: &[&str], parameters: &HashMap<&str, u64>) -> u64 {
        let mut total = 0u64;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let before = at.checked_sub(1).map_or(";", |it| tokens[it]);
            at += 1;
            if let Some(count) = parameters.get(token) {
                total = total.saturating_add(*count);
            } else if *token == "[" || *token == "->" || (*token == "*" && is_prefix(before)) {
                total = total.saturating_add(1);
            } else if tokens.get(at) == Some(&"(") && token.starts_with("atomic") {
                total = total.saturating_add(ATOMIC_SIZE);
            } else if tokens.get(at) == Some(&"(") && token.starts_with("__ld") {
                total = total.saturating_add(1);
            } else if let Some((name, texts)) = self.macros.get_key_value(*token)
                && let Some(text) = texts.last()
                && !self.active.contains(&name.as_str())
            {
                let mut given = HashMap::new();
                if let Some(names) = &text.parameters {
                    if tokens.get(at) != Some(&"(") {
                        continue;
                    }
                    let (arguments, end) = arguments(tokens, at);
                    at = end;
                    for (index, argument) in arguments.into_iter().enumerate() {
                        let count = self.accesses(argument, parameters);
                        let name = names.get(index).map_or("__VA_ARGS__", String::as_str);
                        let name = if name == "..." { "__VA_ARGS__" } else { name };
                        let known = given.entry(name).or_insert(0u64);
                        *known = known.saturating_add(count);
                    }
                }
                let body = self.body(name, text);
                self.active.push(name);
                total = total.saturating_add(self.accesses(&body, &given));
                self.active.pop();
            }
        }
        total
    }

    fn body(&mut self, name: &'f str, text: &'f MacroText) -> Vec<&'f str> {
        let body = self.bodies.entry(name).or_insert_with(|| {
            let tokens = lex_inline(&text.body).tokens;
            tokens.iter().map(|it| it.text(&text.body)).collect()
        });
        body.clone()
    }
}

/// The arguments in the parentheses that open at `open`, and where the tokens after them begin.
fn arguments<'s, 't>(tokens: &'s [&'t str], open: usize) -> (Vec<&'s [&'t str]>, usize) {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = open + 1;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && *token == ",") {
            found.push(&tokens[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            return (found, at + 1);
        }
    }
    (found, tokens.len())
}

/// Whether `*` after this token is an operator with one operand.
fn is_prefix(before: &str) -> bool {
    !before.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | ')' | ']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(macros: &[(&str, Option<&[&str]>, &str)], text: &str, expected: u64) {
        let text_of = |parameters: &Option<&[&str]>, body: &str| MacroText {
            parameters: parameters.map(|it| it.iter().map(|it| (*it).to_owned()).collect()),
            body: body.to_owned(),
        };
        let macros: HashMap<_, _> = macros
            .iter()
            .map(|(name, parameters, body)| ((*name).to_owned(), vec![text_of(parameters, body)]))
            .collect();
        let tokens = lex_inline(text).tokens;
        let tokens: Vec<&str> = tokens.iter().map(|it| it.text(text)).collect();
        let found = Expansion::of(&macros).accesses(&tokens, &HashMap::new());
        assert_eq!(found, expected);
    }

    #[test]
    fn repeated_statements() {
        check(&[], "a[i] = *p + b->c * d;", 3);
        let twice: (&str, Option<&[&str]>, &str) = ("R", Some(&["x"]), "x x");
        check(&[twice], "R(R(R(a[i] = f(b[1], 2);)))", 16);
        let store: (&str, Option<&[&str]>, &str) =
            ("S", Some(&["p", "..."]), "p[0] = F(__VA_ARGS__)");
        check(&[store, ("N", None, "q->n")], "S(a, b[1], N); S", 3);
        check(&[("A", None, "A[1]")], "A", 1);
    }
}
