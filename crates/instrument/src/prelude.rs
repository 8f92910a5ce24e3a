//! Headers of CUDA and its libraries that a copy includes before the user's text.
//!
//! The executor's headers have ordinary names, such as `T` and `N`, for parameters. A macro that the
//! user's text defines before it includes one of them would change them, so they are included first.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::headers;
use crate::includes::{Include, directives};
use crate::tree::Tree;

/// Macros with which a text chooses what headers declare; those headers stay where they are.
const CHOICES: [&str; 2] = ["CUDA_NO_HALF", "CUDA_NO_BFLOAT16"];

/// What a file contributes to the preludes of the files that include it.
struct File<'t> {
    path: &'t Path,
    includes: Vec<Include<'t>>,
    /// Whether it defines a macro that could change a header.
    defines: bool,
    /// Whether it chooses what headers declare.
    chooses: bool,
}

/// Finds the headers of each file of a tree.
pub(crate) struct Preludes<'t> {
    files: Vec<File<'t>>,
    /// The files with a name, without directories.
    named: HashMap<&'t OsStr, Vec<usize>>,
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
        let files = tree.sources().map(|(file, text)| File {
            path: &file.path,
            includes: directives(text).collect(),
            defines: text.lines().any(defines_something),
            chooses: CHOICES.iter().any(|it| text.contains(it)),
        });
        let files: Vec<_> = files.collect();
        let mut named: HashMap<&OsStr, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            if let Some(name) = file.path.file_name() {
                named.entry(name).or_default().push(index);
            }
        }
        Self {
            files,
            named,
            known: known.collect(),
        }
    }

    /// The headers that the file at `path`, or a file that it includes, includes; none if no macro
    /// can change them.
    pub(crate) fn headers(&self, path: &Path) -> Vec<&'static str> {
        let mut found = Vec::new();
        let mut defines = false;
        let mut waiting: Vec<usize> = self
            .files
            .iter()
            .position(|it| it.path == path)
            .into_iter()
            .collect();
        let mut seen: HashSet<usize> = waiting.iter().copied().collect();
        while let Some(index) = waiting.pop() {
            let file = &self.files[index];
            if file.chooses {
                return Vec::new();
            }
            defines |= file.defines;
            for include in &file.includes {
                let own = self.candidates(include.name);
                match self.known.get(include.name) {
                    Some(name) if !include.quoted || own.is_empty() => {
                        if !found.contains(name) {
                            found.push(*name);
                        }
                    }
                    _ => waiting.extend(own.into_iter().filter(|it| seen.insert(*it))),
                }
            }
        }
        found.retain(|_| defines);
        found
    }

    /// The files that an `#include` may name; which directory it is found in does not matter here.
    fn candidates(&self, name: &str) -> Vec<usize> {
        let tail = Path::new(name.trim_start_matches("../"));
        let same = tail.file_name().and_then(|it| self.named.get(it));
        let same = same.into_iter().flatten().copied();
        same.filter(|it| self.files[*it].path.ends_with(tail))
            .collect()
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
