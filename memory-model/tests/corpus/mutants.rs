//! A model without one of its parts: an operand, a closure, or an axiom.

use std::ops::Range;

/// A definition, an axiom or a flag.
pub struct Statement {
    /// The name that it defines, or the one after `as`.
    pub name: String,
    pub is_axiom: bool,
    span: Range<usize>,
    expression: Vec<Token>,
}

/// A model without a part.
pub struct Mutant {
    pub statement: String,
    /// What is left out; the second one of its name in a statement ends in `#2`.
    pub part: String,
    pub text: String,
}

#[derive(Clone)]
struct Token {
    text: String,
    span: Range<usize>,
}

/// The operators whose operands can be left out, from the loosest on.
const LEVELS: [&str; 4] = ["|", ";", "\\", "&"];

/// The statements of a model.
pub fn statements(model: &str) -> Vec<Statement> {
    let tokens = tokens(&without_comments(model));
    let starts = |at: usize| {
        let start = [
            "let",
            "with",
            "show",
            "irreflexive",
            "acyclic",
            "empty",
            "flag",
        ];
        let inside = at > 0 && tokens[at - 1].text == "~";
        start.contains(&tokens[at].text.as_str()) && !inside
    };
    let mut bounds: Vec<usize> = (0..tokens.len()).filter(|at| starts(*at)).collect();
    bounds.push(tokens.len());
    let parts = bounds.windows(2).map(|it| &tokens[it[0]..it[1]]);
    parts.filter_map(statement).collect()
}

/// Reads a statement; nothing for `show`, and for `with`, whose parts are replaced.
fn statement(tokens: &[Token]) -> Option<Statement> {
    let words: Vec<&str> = tokens.iter().map(|it| it.text.as_str()).collect();
    assert!(!words.contains(&"and"), "`let … and …` is not split yet");
    let span = tokens.first()?.span.start..tokens.last()?.span.end;
    let (name, expression) = match words[0] {
        "show" | "with" => return None,
        "let" => {
            let name = if words[1] == "rec" { 2 } else { 1 };
            let equals = words.iter().position(|it| *it == "=")?;
            (name, equals + 1..words.len())
        }
        first => {
            let skip = if first == "flag" { 3 } else { 1 };
            let title = words.iter().rposition(|it| *it == "as")?;
            (title + 1, skip..title)
        }
    };
    Some(Statement {
        name: words[name].to_owned(),
        is_axiom: words[0] != "let",
        span,
        expression: tokens[expression].to_vec(),
    })
}

/// Each way to leave a part of a statement out.
pub fn mutants(model: &str, statement: &Statement) -> Vec<Mutant> {
    let mut cuts = Vec::new();
    cuts_of(&statement.expression, 0, &mut cuts);
    if statement.is_axiom {
        cuts.push(("all".to_owned(), statement.span.clone()));
    }
    let mut mutants: Vec<Mutant> = Vec::new();
    for (part, cut) in cuts {
        let same = mutants
            .iter()
            .filter(|it| it.part.split('#').next() == Some(part.as_str()));
        let part = match same.count() {
            0 => part,
            before => format!("{part}#{}", before + 1),
        };
        mutants.push(Mutant {
            statement: statement.name.clone(),
            part,
            text: format!("{} {}", &model[..cut.start], &model[cut.end..]),
        });
    }
    mutants
}

/// The parts of an expression with what to cut for them.
fn cuts_of(tokens: &[Token], level: usize, cuts: &mut Vec<(String, Range<usize>)>) {
    let Some(operator) = LEVELS.get(level) else {
        return inner_cuts(tokens, cuts);
    };
    let operands = split(tokens, operator);
    for (at, operand) in operands.iter().enumerate() {
        // What is left of `A \ B` without `A` is another thing.
        let can_go = operands.len() > 1 && (*operator != "\\" || at > 0);
        if can_go {
            let (start, end) = (start_of(operand), end_of(operand));
            let cut = match at {
                0 => start..start_of(operands[1]),
                _ => end_of(operands[at - 1])..end,
            };
            cuts.push((shown(operand), cut));
        }
        cuts_of(operand, level + 1, cuts);
    }
}

/// Closures, and what is in parentheses.
fn inner_cuts(tokens: &[Token], cuts: &mut Vec<(String, Range<usize>)>) {
    let mut depth = 0;
    let mut open = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "(" | "[" => {
                depth += 1;
                if depth == 1 {
                    open = at;
                }
            }
            ")" | "]" => {
                depth -= 1;
                if depth == 0 {
                    cuts_of(&tokens[open + 1..at], 0, cuts);
                }
            }
            "+" | "?" if depth == 0 => cuts.push((token.text.clone(), token.span.clone())),
            _ => {}
        }
    }
}

/// The operands of an operator outside parentheses.
fn split<'a>(tokens: &'a [Token], operator: &str) -> Vec<&'a [Token]> {
    let mut depth = 0;
    let separates = |token: &Token| {
        match token.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.text == operator
    };
    tokens.split(separates).collect()
}

fn start_of(tokens: &[Token]) -> usize {
    tokens.first().expect("an operand").span.start
}

fn end_of(tokens: &[Token]) -> usize {
    tokens.last().expect("an operand").span.end
}

/// An operand as a name for the part, without blanks next to brackets.
fn shown(tokens: &[Token]) -> String {
    let texts: Vec<&str> = tokens.iter().map(|it| it.text.as_str()).collect();
    let mut text = texts.join(" ");
    for (wide, narrow) in [
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (" ^-1", "^-1"),
        (" ?", "?"),
        ("~ ", "~"),
    ] {
        text = text.replace(wide, narrow);
    }
    ["leave", "enter"].iter().fold(text, |text, it| {
        text.replace(&format!("{it} ("), &format!("{it}("))
    })
}

/// The text with blanks in place of comments.
fn without_comments(model: &str) -> String {
    let mut text = model.to_owned();
    while let Some(start) = text.find("(*") {
        let end = text[start..].find("*)").expect("the end of a comment") + start + 2;
        text.replace_range(start..end, &" ".repeat(end - start));
    }
    text
}

fn tokens(text: &str) -> Vec<Token> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("^-1") {
            3
        } else if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            let span = at..at + length;
            let text = text[span.clone()].to_owned();
            tokens.push(Token { text, span });
        }
        at += length;
    }
    tokens
}
