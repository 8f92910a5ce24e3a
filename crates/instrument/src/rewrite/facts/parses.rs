//! Files and their syntax trees, kept between collecting facts and rewriting.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use hirace_syntax::Defines;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::Tree;

use super::{Facts, is_header};
use crate::rewrite::Source;

/// How much source text is kept parsed; a tree takes about ten times as much memory.
const KEPT_BYTES: usize = 64 << 20;

/// A parsed file.
struct Parse {
    text: String,
    prepass: Prepass,
    tree: Tree,
}

/// The files that were parsed first.
#[derive(Default)]
pub(crate) struct Parses {
    files: Mutex<HashMap<String, Parse>>,
    bytes: usize,
}

impl Parses {
    /// Keeps a file, unless the limit on memory is reached.
    pub(crate) fn keep(&mut self, file: &Source<'_>, prepass: Prepass, tree: Tree) {
        self.bytes += file.text.len();
        if self.bytes <= KEPT_BYTES {
            let parse = Parse {
                text: file.text.to_owned(),
                prepass,
                tree,
            };
            let files = self.files.get_mut().unwrap_or_else(PoisonError::into_inner);
            files.insert(file.path.to_owned(), parse);
        }
    }

    fn take(&self, file: &Source<'_>) -> Option<Parse> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = files.remove(file.path);
        kept.filter(|it| it.text == file.text)
    }
}

impl Facts {
    /// A file's syntax: kept by [`Facts::collect`], or parsed anew.
    pub(crate) fn parsed(&self, file: &Source<'_>, defines: &Defines) -> (Prepass, Tree) {
        if let Some(kept) = self.parses.take(file) {
            return (kept.prepass, kept.tree);
        }
        self.read(file, defines)
    }

    /// Parses a file. A file that is only host code is not parsed.
    pub(crate) fn read(&self, file: &Source<'_>, defines: &Defines) -> (Prepass, Tree) {
        let mut prepass = Prepass::run(file.text, defines, &self.aliases);
        self.hide_given_statements(file.text, &mut prepass);
        let tree = if is_plain_host_code(file, &prepass) {
            Tree::parse(b"", 0)
        } else {
            Tree::of(&prepass)
        };
        (prepass, tree)
    }
}

/// Whether a file is invisible to device code: no other file includes it, and its words and macros
/// are not CUDA's.
fn is_plain_host_code(file: &Source<'_>, prepass: &Prepass) -> bool {
    !is_header(file.path)
        && !["cuda", "<<<", "__global__", "__device__", "__shared__"]
            .iter()
            .any(|word| file.text.contains(word))
        && !file.path.to_ascii_lowercase().ends_with(".cu")
        && prepass.marks.iter().all(|mark| {
            !mark.qualifiers.has(
                Qualifiers::GLOBAL | Qualifiers::DEVICE | Qualifiers::HOST | Qualifiers::SHARED,
            )
        })
}
