//! Dependency files, with the user's names put back.

use std::collections::HashSet;
use std::path::Path;

use hirace_model::error::{Error, Result};
use hirace_toolchain::make_rules::{self, Rule};

/// Rewrites a dependency file, if the compiler wrote it.
pub(super) fn update(
    file: &Path,
    more: &[String],
    rename: &dyn Fn(&str) -> Option<String>,
) -> Result<()> {
    match std::fs::read_to_string(file) {
        Ok(text) => std::fs::write(file, rewrite(&text, more, rename))
            .map_err(|source| Error::write(file, source)),
        Err(_) => Ok(()),
    }
}

/// Rewrites the rules of `text` with the names that `rename` gives; files without one are left
/// out. `more` is added to the prerequisites of each output.
fn rewrite(text: &str, more: &[String], rename: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rules = make_rules::parse(text);
    let phony = rules.iter().skip(1).any(|it| it.prerequisites.is_empty());
    for (index, rule) in rules.iter_mut().enumerate() {
        if index == 0 || !rule.prerequisites.is_empty() {
            rule.prerequisites.extend_from_slice(more);
        }
    }
    if phony {
        rules.extend(more.iter().map(|name| Rule {
            targets: vec![name.clone()],
            prerequisites: Vec::new(),
        }));
    }
    let mut written = HashSet::new();
    for (index, rule) in rules.iter().enumerate() {
        // The targets of a rule with prerequisites are outputs; those of the others are headers.
        let targets: Vec<String> = match rule.prerequisites.is_empty() && index > 0 {
            false => rule.targets.clone(),
            true => rule.targets.iter().filter_map(|it| rename(it)).collect(),
        };
        let mut known = HashSet::new();
        let prerequisites: Vec<String> = rule
            .prerequisites
            .iter()
            .filter_map(|name| rename(name))
            .filter(|name| known.insert(name.clone()))
            .collect();
        if targets.is_empty() || (index > 0 && !written.insert(targets.clone())) {
            continue;
        }
        if index > 0 {
            out.push('\n');
        }
        let targets: Vec<String> = targets.iter().map(|name| escape(name)).collect();
        out += &targets.join(" ");
        out.push(':');
        for name in &prerequisites {
            out += " \\\n  ";
            out += &escape(name);
        }
        out.push('\n');
    }
    out
}

fn escape(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            ' ' | '\t' | '#' => out.push('\\'),
            '$' => out.push('$'),
            _ => {}
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let rename = |name: &str| match name.strip_prefix("/copy/") {
            Some("hirace.cuh") => None,
            Some(rest) => Some(rest.to_owned()),
            None => Some(name.to_owned()),
        };
        assert_eq!(rewrite(text, &["hirace.toml".to_owned()], &rename), expect);
    }

    #[test]
    fn originals_take_the_place_of_copies() {
        check(
            "a.o : /copy/a.cu \\\n    /copy/hirace.cuh \\\n    /usr/x.h a.cu\n",
            "a.o: \\\n  a.cu \\\n  /usr/x.h \\\n  hirace.toml\n",
        );
    }

    #[test]
    fn blanks_and_signs_in_names() {
        check(
            "x\\ y.o: /copy/a\\ b.cu /copy/c$$d\\#.h\n",
            "x\\ y.o: \\\n  a\\ b.cu \\\n  c$$d\\#.h \\\n  hirace.toml\n",
        );
    }

    #[test]
    fn phony_targets() {
        check(
            "foo bar : /copy/a.cu /copy/h.h\n\n/copy/h.h:\n\n/copy/hirace.cuh:\n",
            "foo bar: \\\n  a.cu \\\n  h.h \\\n  hirace.toml\n\nh.h:\n\nhirace.toml:\n",
        );
    }
}
