//! Macros of the user's with the names of hooks.
//!
//! The text of a hook is part of the user's text, where a macro `read(x)` would change it. No macro with
//! parameters is used where a parenthesis closes right after its name, and some hooks have a second
//! name, for macros without parameters.

use std::fmt::Write as _;

use hirace_syntax::lexer::lex_inline;

use super::facts::Facts;

/// Hooks that have a second name in the device headers, and parts of their paths.
const SECOND_NAMES: [&str; 6] = ["cpu", "read", "write", "update", "copy", "shared"];

/// What every hook's path begins with.
const PATH: &str = "::hirace::";

/// `text`, which an edit adds before `next`, in a form that the user's macros do not change.
pub(crate) fn protected(text: &str, next: &str, facts: &Facts) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PATH) {
        out.push_str(&rest[..at]);
        let from = &rest[at..];
        let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
        let end = from.find(|it| !is_part(it)).unwrap_or(from.len());
        let (path, after) = from.split_at(end);
        let follows = if after.is_empty() { next } else { after };
        out.push_str(&protected_path(path, follows, facts));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Lines at the end of a file, while none of the user's macros with a name in them is defined.
pub(crate) fn protected_lines(lines: String, facts: &Facts) -> String {
    if facts.macros.is_empty() || lines.is_empty() {
        return lines;
    }
    let tokens = lex_inline(&lines).tokens;
    let words = tokens.iter().map(|it| it.text(&lines));
    let mut names: Vec<&str> = words.filter(|it| facts.macros.contains_key(*it)).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return lines;
    }
    let mut out = String::from("\n");
    for name in &names {
        let _ = writeln!(out, "#pragma push_macro(\"{name}\")\n#undef {name}");
    }
    out += lines.trim_start_matches('\n');
    for name in &names {
        let _ = writeln!(out, "#pragma pop_macro(\"{name}\")");
    }
    out
}

/// A hook's path, before the text `after`.
fn protected_path(path: &str, after: &str, facts: &Facts) -> String {
    let mut called = false;
    let names = path[PATH.len()..].split("::").map(|name| {
        let definitions = || facts.macros.get(name).into_iter().flatten();
        called = definitions().any(|it| it.parameters.is_some());
        let replaced = definitions().any(|it| it.parameters.is_none());
        match replaced && SECOND_NAMES.contains(&name) {
            true => format!("hirace_{name}"),
            false => name.to_owned(),
        }
    });
    let names: Vec<String> = names.collect();
    let path = format!("{PATH}{}", names.join("::"));
    match called && after.starts_with('(') {
        true => format!("({path})"),
        false => path,
    }
}
