//! Headers of CUDA and its libraries that a copy includes before the user's text.
//!
//! The executor's headers have ordinary names, such as `T` and `N`, for parameters. A macro that the
//! user's text defines before it includes one of them would change them, so they are included first.

use std::collections::HashSet;
use std::path::Path;

use crate::headers;
use crate::includes::directives;
use crate::tree::Tree;

/// Macros with which a text chooses what headers declare; those headers stay where they are.
const CHOICES: [&str; 2] = ["CUDA_NO_HALF", "CUDA_NO_BFLOAT16"];

/// Finds the headers of each file of a tree.
pub(crate) struct Preludes<'t> {
    files: Vec<(&'t Path, &'t str)>,
    /// The executor's headers that a program may include.
    known: HashSet<&'static str>,
}

impl<'t> Preludes<'t> {
    pub(crate) fn of(tree: &'t Tree) -> Self {
        let known = headers::all().filter_map(|(path, text)| {
            let name = path.strip_prefix("toolkit/")?;
            let usable = !text.contains("#error") && !text.contains("include_next");
            usable.then_some(name)
        });
        Self {
            files: (tree.sources())
                .map(|(file, text)| (file.path.as_path(), text))
                .collect(),
            known: known.collect(),
        }
    }

    /// The headers that the file with the text `text`, or a file that it includes, includes; none if
    /// no macro can change them.
    pub(crate) fn headers(&self, text: &'t str) -> Vec<&'static str> {
        let mut found = Vec::new();
        let mut defines = false;
        let mut seen = HashSet::new();
        let mut waiting = vec![text];
        while let Some(text) = waiting.pop() {
            if CHOICES.iter().any(|it| text.contains(it)) {
                return Vec::new();
            }
            defines |= text.lines().any(defines_something);
            for include in directives(text) {
                if let Some(name) = self.known.get(include.name) {
                    if !found.contains(name) {
                        found.push(*name);
                    }
                    continue;
                }
                // Which directory the compiler finds it in does not matter here.
                let tail = Path::new(include.name.trim_start_matches("../"));
                for (path, text) in &self.files {
                    if path.ends_with(tail) && seen.insert(*path) {
                        waiting.push(text);
                    }
                }
            }
        }
        found.retain(|_| defines);
        found
    }
}

/// Whether a line defines a macro other than an include guard.
fn defines_something(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
    let Some(rest) = rest.and_then(|it| it.strip_prefix("define")) else {
        return false;
    };
    let mut words = rest.split_whitespace();
    words.next().is_some_and(|it| it.contains('(')) || words.next().is_some()
}
