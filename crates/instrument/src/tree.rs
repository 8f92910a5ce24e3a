//! Which files belong to a program, and where their copies go.
//!
//! Paths stay as the user writes them: relative stays relative. Files are identified by their
//! absolute path without `.` and `..`. Links are not followed for that, so that each copy is where
//! its includer looks for it.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::includes::{self, Included, Resolver};
use super::source;
use hirace_model::error::{Error, Result};
use hirace_model::paths::folded;
use hirace_toolchain::Arguments;

/// A file to copy, with or without hooks.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Absolute, without `.` and `..`.
    pub path: PathBuf,
    /// As the user would write it.
    pub display: String,
    /// Its content.
    pub content: Content,
    /// Why it is part of the tree.
    pub role: Role,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub enum Content {
    /// C, C++ or CUDA.
    Source(String),
    /// Anything else, with the reason if the user should know it.
    Opaque(Vec<u8>, Option<String>),
}

/// Why a file is part of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user named it.
    Named,
    /// It is in a directory that the user named.
    Listed,
    /// Another file includes it.
    Included,
}

/// The files of a program.
#[derive(Clone, Debug)]
pub struct Tree {
    /// In the order found, starting with those that the user named.
    pub files: Vec<SourceFile>,
    /// The deepest directory that contains all of them.
    pub root: PathBuf,
    /// The `-I` directories through which some were found; their copies are searched first.
    pub searched: Vec<PathBuf>,
}

impl Tree {
    /// The path of the copy of `path`, relative to the copy of the root.
    #[must_use]
    pub fn mirrored(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }

    /// The source files, in order.
    pub fn sources(&self) -> impl Iterator<Item = (&SourceFile, &str)> {
        self.files.iter().filter_map(|file| match &file.content {
            Content::Source(text) => Some((file, text.as_str())),
            Content::Opaque(..) => None,
        })
    }
}

/// Collects files and everything that they include.
#[derive(Debug)]
pub struct Collector<'a> {
    resolver: Resolver<'a>,
    files: Vec<SourceFile>,
    known: HashMap<PathBuf, usize>,
    /// Directories that must be below the root, besides those of the files.
    anchors: Vec<PathBuf>,
    searched: Vec<PathBuf>,
    queue: VecDeque<usize>,
    /// By name: files of listed directories that become sources if another file includes them.
    candidates: HashMap<OsString, Vec<PathBuf>>,
}

impl<'a> Collector<'a> {
    /// Creates a collector that searches the include directories among `arguments`.
    #[must_use]
    pub fn new(arguments: &'a Arguments) -> Self {
        Self {
            resolver: Resolver::new(arguments),
            files: Vec::new(),
            known: HashMap::new(),
            anchors: Vec::new(),
            searched: Vec::new(),
            queue: VecDeque::new(),
            candidates: HashMap::new(),
        }
    }

    /// Adds a file that the user named.
    ///
    /// # Errors
    /// It cannot be read or is not source text.
    pub fn named(&mut self, path: &Path) -> Result<()> {
        let display = path.display().to_string();
        if path.is_dir() {
            return Err(Error::Input {
                message: format!("`{display}` is a directory"),
                help: Some("name the source files; `hirace instrument` takes directories".into()),
            });
        }
        if path.extension().is_some_and(|it| it == "ptx") {
            return Err(Error::Input {
                message: format!("`{display}` is PTX, not CUDA source"),
                help: Some(
                    "`hirace check` takes it, with `--launch FILE`; docs/ptx.md says how".into(),
                ),
            });
        }
        let text = source::read(path, &display)?;
        self.add(path, Content::Source(text), Role::Named)
    }

    /// Adds a directory: everything below it becomes part of the tree.
    pub(super) fn anchor(&mut self, directory: &Path) -> Result<()> {
        self.anchors.push(normal(directory)?);
        Ok(())
    }

    /// Adds a file of a directory that the user named.
    pub(super) fn listed(&mut self, path: &Path, is_source: bool) -> Result<()> {
        let content = std::fs::read(path).map_err(|source| Error::read(path, source))?;
        let content = match is_source {
            true => lenient(content, path),
            false => Content::Opaque(content, None),
        };
        self.add(path, content, Role::Listed)
    }

    /// Adds a file of such a directory that becomes a source if another file includes it.
    pub(super) fn candidate(&mut self, path: PathBuf) {
        if let Some(name) = path.file_name() {
            self.candidates
                .entry(name.to_owned())
                .or_default()
                .push(path);
        }
    }

    /// The candidates that `include` may name, whichever directories the compiler will search.
    fn chosen(&mut self, include: &str) -> Vec<PathBuf> {
        let name = Path::new(include);
        let Some(all) = name.file_name().and_then(|it| self.candidates.get_mut(it)) else {
            return Vec::new();
        };
        all.extract_if(.., |path| path.ends_with(name)).collect()
    }

    fn add(&mut self, path: &Path, content: Content, role: Role) -> Result<()> {
        let absolute = normal(path)?;
        if self.known.contains_key(&absolute) {
            return Ok(());
        }
        self.known.insert(absolute.clone(), self.files.len());
        self.queue.push_back(self.files.len());
        self.files.push(SourceFile {
            path: absolute,
            display: tidy(path),
            content,
            role,
        });
        Ok(())
    }

    /// Adds a file that is included.
    fn included(&mut self, included: Included) -> Result<()> {
        if self.known.contains_key(&normal(&included.path)?) {
            return Ok(());
        }
        // The compiler will report a file that exists but cannot be read.
        let Ok(content) = std::fs::read(&included.path) else {
            return Ok(());
        };
        if let Some(through) = included.through {
            let through = normal(&through)?;
            if !self.searched.contains(&through) {
                self.searched.push(through);
            }
        }
        let content = lenient(content, &included.path);
        self.add(&included.path, content, Role::Included)
    }

    /// Follows all `#include`s and `-include`s, and determines the root.
    ///
    /// # Errors
    /// The current directory does not exist.
    pub fn finish(mut self) -> Result<Tree> {
        for included in self.resolver.forced() {
            self.included(included)?;
        }
        while let Some(index) = self.queue.pop_front() {
            let file = &self.files[index];
            let Content::Source(text) = &file.content else {
                continue;
            };
            let directory = Path::new(&file.display)
                .parent()
                .map_or_else(PathBuf::new, Path::to_owned);
            let found: Vec<_> = includes::directives(text)
                .filter_map(|include| self.resolver.find(include, &directory))
                .collect();
            let names: Vec<String> = match self.candidates.is_empty() {
                true => Vec::new(),
                false => includes::directives(text)
                    .map(|include| include.name.to_owned())
                    .collect(),
            };
            for name in names {
                for path in self.chosen(&name) {
                    self.listed(&path, true)?;
                }
            }
            for included in found {
                self.included(included)?;
            }
        }
        let parents = self.files.iter().filter_map(|file| file.path.parent());
        let root = parents
            .chain(self.anchors.iter().map(PathBuf::as_path))
            .chain(self.searched.iter().map(PathBuf::as_path))
            .map(Path::to_owned)
            .reduce(|a, b| common(&a, &b))
            .unwrap_or_else(|| PathBuf::from("/"));
        Ok(Tree {
            files: self.files,
            root,
            searched: self.searched,
        })
    }
}

/// The content of a file that the user did not name: it may be anything, and is always copied.
fn lenient(bytes: Vec<u8>, path: &Path) -> Content {
    let display = tidy(path);
    match source::text(bytes.clone(), &display) {
        Ok(text) => Content::Source(text),
        Err(error) => Content::Opaque(bytes, Some(error.to_string())),
    }
}

/// The absolute path without `.` and `..`.
pub fn normal(path: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path)
        .map_err(|source| Error::system("find the current directory", source))?;
    let folded = folded(&absolute);
    // `link/..` is not the directory that contains the link; then only the system can resolve it.
    if folded.exists() || !absolute.exists() {
        return Ok(folded);
    }
    Ok(absolute.canonicalize().unwrap_or(folded))
}

/// `path` as a person would write it: `a/b/../c` becomes `a/c`.
#[must_use]
pub fn tidy(path: &Path) -> String {
    let folded = folded(path);
    if folded.exists() { &folded } else { path }
        .display()
        .to_string()
}

/// The deepest directory above both.
fn common(a: &Path, b: &Path) -> PathBuf {
    a.components()
        .zip(b.components())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_found_and_shown_as_the_user_would_write_them() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for name in ["src", "common", "inc/lib"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        for (name, text) in [
            (
                "src/a.cu",
                "#include \"../common/b.h\"\n#include <lib/c.h>\n#include <vector>\n",
            ),
            ("common/b.h", "#include \"d.h\"\n#include \"missing.h\"\n"),
            ("common/d.h", "#pragma once\n#include \"b.h\"\n"),
            ("inc/lib/c.h", ""),
        ] {
            std::fs::write(at(name), text).unwrap();
        }
        let arguments = Arguments::parse(&[format!("-I{}", at("inc").display())]);
        let mut collector = Collector::new(&arguments);
        collector.named(&at("src/a.cu")).unwrap();
        let tree = collector.finish().unwrap();
        let names: Vec<_> = tree.files.iter().map(|file| file.display.clone()).collect();
        let expected = ["src/a.cu", "common/b.h", "inc/lib/c.h", "common/d.h"]
            .map(|name| at(name).display().to_string());
        assert_eq!(names, expected);
        assert_eq!(tree.root, directory.path());
        assert_eq!(tree.mirrored(&at("common/d.h")), Path::new("common/d.h"));
        assert_eq!(tree.searched, [at("inc")]);
    }
}
