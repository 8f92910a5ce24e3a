//! The syntax of suppression files.

use std::cell::Cell;
use std::ops::Range;

use globset::GlobBuilder;

use super::rule::{Matcher, Rule, Term, TermKind};
use crate::codes;
use hirace_model::error::{self, Error, Result};

/// The words before the colon.
const KINDS: [(&str, TermKind); 5] = [
    ("code", TermKind::Code),
    ("kernel", TermKind::Kernel),
    ("file", TermKind::File),
    ("variable", TermKind::Variable),
    ("fingerprint", TermKind::Fingerprint),
];

/// The mistake, its bytes in the file, and advice.
type Mistake = (String, Range<usize>, Option<String>);

/// The suppressions in `text`, the content of a file called `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    let mut start = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let rule = rule(name, line, number, start).map_err(|(message, span, help)| {
            Error::Suppression(error::Mistake::new(name, text, span, message).with_help(help))
        })?;
        rules.extend(rule);
        start += line.len();
    }
    Ok(rules)
}

/// The suppression on a line that begins at `offset`, if there is one.
fn rule(name: &str, line: &str, number: u32, offset: usize) -> Result<Option<Rule>, Mistake> {
    let words = words(line, offset)?;
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Ok(None);
    };
    let mut terms: Vec<Term> = Vec::new();
    for word in &words {
        let in_file = offset + word.start..offset + word.end;
        let term = term(&line[word.clone()], &in_file)?;
        if terms.iter().any(|it| it.kind == term.kind) {
            let message = "the same type twice on a line: all terms of a line have to match";
            let help = "to match either, put each on a line of its own";
            return Err((message.to_owned(), in_file, Some(help.to_owned())));
        }
        terms.push(term);
    }
    let column = line[..first.start].chars().count() + 1;
    Ok(Some(Rule {
        file: name.to_owned(),
        line: number,
        column: u32::try_from(column).unwrap_or(u32::MAX),
        text: line[first.start..last.end].to_owned(),
        matcher: Matcher::Terms(terms),
        used: Cell::new(false),
    }))
}

/// The bytes of the words of a line up to a comment. Quoted blanks are part of a word.
fn words(line: &str, offset: usize) -> Result<Vec<Range<usize>>, Mistake> {
    let mut words = Vec::new();
    let mut word: Option<usize> = None;
    let mut quote: Option<usize> = None;
    for (at, character) in line.char_indices() {
        match character {
            '"' => quote = if quote.is_some() { None } else { Some(at) },
            '\n' => break,
            _ if quote.is_some() => {}
            '#' if word.is_none() => return Ok(words),
            _ if character.is_whitespace() => {
                words.extend(word.take().map(|start| start..at));
                continue;
            }
            _ => {}
        }
        word.get_or_insert(at);
    }
    if let Some(at) = quote {
        let end = line.trim_end().len();
        let message = "unterminated quote".to_owned();
        return Err((message, offset + at..offset + end, None));
    }
    words.extend(word.map(|start| start..line.trim_end().len()));
    Ok(words)
}

/// Parses a word as a term. `at` are its bytes in the file.
fn term(word: &str, at: &Range<usize>) -> Result<Term, Mistake> {
    let Some((kind, pattern)) = word.split_once(':') else {
        let message = format!("`{word}` is not of the form TYPE:PATTERN");
        return Err((message, at.clone(), Some(types())));
    };
    let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        let message = format!("`{kind}` is not a type of suppression");
        return Err((message, at.start..at.start + kind.len(), Some(types())));
    };
    let at = at.end - pattern.len()..at.end;
    let quoted = pattern
        .strip_prefix('"')
        .and_then(|it| it.strip_suffix('"'));
    let pattern = quoted.unwrap_or(pattern);
    if pattern.is_empty() {
        let message = "the pattern is empty".to_owned();
        let help = "`*` matches everything".to_owned();
        return Err((message, at, Some(help)));
    }
    let glob = GlobBuilder::new(pattern)
        .backslash_escape(true)
        .build()
        .map_err(|error| (format!("bad pattern: {}", error.kind()), at.clone(), None))?
        .compile_matcher();
    if *kind == TermKind::Code && !codes::all().any(|code| glob.is_match(code.name)) {
        let message = format!("there is no code `{pattern}`");
        let help = "`hirace explain` lists all codes".to_owned();
        return Err((message, at, Some(help)));
    }
    if *kind == TermKind::Fingerprint && !is_fingerprint(pattern) {
        let message = format!("`{pattern}` is not a fingerprint");
        let help =
            "a fingerprint looks like `0123456789abcdef:1`; JSON reports have them".to_owned();
        return Err((message, at, Some(help)));
    }
    Ok(Term {
        kind: *kind,
        pattern: glob,
    })
}

fn is_fingerprint(text: &str) -> bool {
    text.split_once(':').is_some_and(|(hash, number)| {
        let digits = hash.bytes().all(|it| it.is_ascii_hexdigit());
        digits && hash.len() == 16 && number.parse::<u32>().is_ok()
    })
}

fn types() -> String {
    let names: Vec<_> = KINDS.iter().map(|(name, _)| format!("`{name}`")).collect();
    format!("the types are {}", names.join(", "))
}
