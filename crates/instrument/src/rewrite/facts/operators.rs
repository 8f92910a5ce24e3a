//! Parameters of macros that stand for operators: `#define WAIT_WHILE(p, cmp, v) while (*(p) cmp (v))`.
//!
//! The body alone does not tell. So a parameter counts as an operator if each use of the macro gives it one that
//! only computes a value.

use std::collections::HashMap;

use hirace_syntax::lexer::{lex, lex_inline};

use super::MacroText;
use crate::rewrite::Source;

/// Binary operators that do not assign.
const OPERATORS: [&str; 18] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&",
    "||",
];

/// What the uses of a macro give to one of its parameters.
#[derive(Clone, Copy, Default)]
struct Given {
    operators: bool,
    others: bool,
}

/// For each macro, its parameters that are operators.
pub(crate) fn parameters(
    files: &[&Source<'_>],
    macros: &HashMap<String, Vec<MacroText>>,
) -> HashMap<String, Vec<String>> {
    let mut given: HashMap<&str, Vec<Given>> = HashMap::new();
    let bodies = macros.values().flatten().map(|it| it.body.as_str());
    for text in bodies.filter(|it| has_lone_operator(it)) {
        note_uses(&words(text, true), macros, &mut given);
    }
    for file in files.iter().filter(|it| has_lone_operator(it.text)) {
        note_uses(&words(file.text, false), macros, &mut given);
    }
    // Uses in other files may give other arguments.
    let known: Vec<&str> = given.keys().copied().collect();
    let uses_known = |text: &str| known.iter().any(|it| text.contains(it));
    for file in files.iter().filter(|it| !has_lone_operator(it.text)) {
        if !known.is_empty() && uses_known(file.text) {
            note_uses(&words(file.text, false), macros, &mut given);
        }
    }
    let names = |name: &str, given: &[Given]| -> Vec<String> {
        let definitions = macros.get(name).into_iter().flatten();
        let parameters = definitions.filter_map(|it| it.parameters.as_ref());
        let named = parameters.flat_map(|all| all.iter().zip(given));
        named
            .filter(|(_, given)| given.operators && !given.others)
            .map(|(name, _)| name.clone())
            .collect()
    };
    let found = given
        .iter()
        .map(|(name, it)| ((*name).to_owned(), names(name, it)));
    found.filter(|(_, names)| !names.is_empty()).collect()
}

/// Whether an argument of the text may be an operator alone. Most files have none, and need not be read again.
fn has_lone_operator(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_operator = |byte: &u8| b"+-*/%&|^<>=!".contains(byte);
    bytes.iter().enumerate().any(|(at, byte)| {
        let rest = || bytes[at + 1..].trim_ascii_start();
        matches!(byte, b'(' | b',') && rest().first().is_some_and(is_operator) && {
            let operators = rest().iter().take_while(|it| is_operator(it)).count();
            let next = rest()[operators..].trim_ascii_start().first();
            matches!(next, Some(b',' | b')'))
        }
    })
}

fn words(text: &str, inline: bool) -> Vec<&str> {
    let lexed = if inline { lex_inline(text) } else { lex(text) };
    lexed.tokens.iter().map(|it| it.text(text)).collect()
}

/// Notes the arguments of all uses of macros in `tokens`.
fn note_uses<'a>(
    tokens: &[&'a str],
    macros: &'a HashMap<String, Vec<MacroText>>,
    given: &mut HashMap<&'a str, Vec<Given>>,
) {
    for (at, token) in tokens.iter().enumerate() {
        if tokens.get(at + 1) != Some(&"(") {
            continue;
        }
        let Some((name, _)) = macros.get_key_value(*token) else {
            continue;
        };
        let mut depth = 0usize;
        let mut argument = String::new();
        let mut index = 0;
        for token in &tokens[at + 1..] {
            match *token {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            let ends = depth == 0 || depth == 1 && *token == ",";
            if ends {
                let all = given.entry(name).or_default();
                all.resize(all.len().max(index + 1), Given::default());
                let is_operator = OPERATORS.contains(&argument.as_str());
                all[index].operators |= is_operator;
                all[index].others |= !is_operator;
                argument.clear();
                index += 1;
            } else if depth > 1 || *token != "(" {
                argument.push_str(token);
            }
            if depth == 0 {
                break;
            }
        }
    }
}
