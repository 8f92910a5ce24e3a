//! Instrumenting a program: which files, what becomes of each, and what was learnt.
//!
//! The user's files are only ever read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::NamedSource;

use crate::error::{Error, Result};
use crate::model::{Backend, NotModelled, NotMonitored, Site};
use crate::parse::Defines;
use crate::rewrite::{self, Facts, Options, Selection, Source};
use crate::toolchain::arguments::Arguments;

pub mod headers;
pub mod includes;
pub mod output;
pub mod source;
pub mod tree;
pub mod walk;

use tree::{Collector, Content, Role, SourceFile, Tree};

/// Files that site numbers can name.
const MAX_FILES: usize = 1023;

/// How to instrument a program.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// What the copy will be compiled for.
    pub backend: Backend,
    /// What is checked.
    pub selection: &'a dyn Selection,
    /// What the copy will be compiled with.
    pub arguments: &'a Arguments,
    /// Let files without device code name the original in the compiler's messages; they are
    /// copied byte by byte otherwise.
    pub mark_copies: bool,
}

/// The sites of all files, by number.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    files: Vec<(String, Vec<Site>)>,
}

impl Sites {
    /// The file and the site that a record names; `None` for an unknown one.
    #[must_use]
    pub fn find(&self, id: u32) -> Option<(&str, &Site)> {
        let number = (id >> 20) as usize;
        let index = (id & 0xf_ffff) as usize;
        let (file, sites) = self.files.get(number.checked_sub(1)?)?;
        Some((file, sites.get(index)?))
    }

    /// Adds the sites of the next file.
    pub fn push(&mut self, file: impl Into<String>, sites: Vec<Site>) {
        self.files.push((file.into(), sites));
    }
}

/// The texts of the user's files by name, to show excerpts of.
pub type Texts = HashMap<String, String>;

/// A program with its checks.
#[derive(Debug)]
pub struct Instrumented {
    /// The copies.
    pub files: Vec<Copy>,
    /// What the records' site numbers mean.
    pub sites: Sites,
    /// Places in device code that run unchecked.
    pub not_monitored: Vec<NotMonitored>,
    /// Constructs that may order accesses unseen.
    pub not_modelled: Vec<NotModelled>,
    /// The kernels, in order of appearance.
    pub kernels: Vec<String>,
    /// Number of kernel launches in the text.
    pub launches: usize,
    /// Number of device functions that are no kernels.
    pub device_functions: usize,
    /// The originals' texts.
    pub texts: Texts,
    /// The `-I` directories whose copies go before them, relative to the copy of the root.
    pub searched: Vec<PathBuf>,
    /// The directories of the originals, for includes that only the compiler can resolve.
    pub originals: Vec<PathBuf>,
}

/// The copy of one file.
#[derive(Debug)]
pub struct Copy {
    /// Where it goes, relative to the copy of the root.
    pub path: PathBuf,
    /// The original, as the user would write it.
    pub display: String,
    /// The original's role.
    pub role: Role,
    /// What to write.
    pub bytes: Vec<u8>,
    /// Whether checks were added.
    pub instrumented: bool,
}

/// Instrumenting the program that consists of `files` and what they include.
///
/// # Errors
/// A file that cannot be read or is no sound source text, or no kernel at all.
pub fn files(files: &[PathBuf], plan: Plan<'_>) -> Result<Instrumented> {
    let mut collector = Collector::new(plan.arguments);
    for file in files {
        collector.named(file)?;
    }
    tree(&collector.finish()?, plan)
}

/// Instrumenting a collected tree.
///
/// # Errors
/// As [`files`].
pub fn tree(tree: &Tree, plan: Plan<'_>) -> Result<Instrumented> {
    if tree.sources().count() > MAX_FILES {
        return Err(Error::Input {
            message: format!(
                "{} source files: at most {MAX_FILES} can be instrumented together",
                tree.sources().count()
            ),
            help: Some("instrument the parts of the tree that hold kernels".into()),
        });
    }
    let defines = Defines::from_arguments(&plan.arguments.raw);
    let sources: Vec<Source<'_>> = tree
        .sources()
        .map(|(file, text)| Source {
            path: &file.display,
            text,
        })
        .collect();
    for source in &sources {
        if rewrite::is_instrumented(source.text) {
            return Err(Error::AlreadyInstrumented {
                path: source.path.to_owned(),
            });
        }
    }
    let facts = Facts::collect(&sources, &defines);
    let mut all = Instrumented::new(tree);
    for file in &tree.files {
        let copy = match &file.content {
            Content::Source(text) => {
                let source = Source {
                    path: &file.display,
                    text,
                };
                let number = all.sites.files.len() + 1;
                let options = Options {
                    backend: plan.backend,
                    file_number: u32::try_from(number).unwrap_or(u32::MAX),
                    selection: plan.selection,
                    defines: &defines,
                };
                let result = rewrite::instrument(&source, &facts, &options);
                all.add(file, text, result, plan.mark_copies)?
            }
            Content::Opaque(bytes, reason) => {
                if let Some(reason) = reason {
                    all.not_monitored.push(NotMonitored {
                        file: file.display.clone(),
                        line: 1,
                        reason: reason.clone(),
                    });
                }
                (bytes.clone(), false)
            }
        };
        all.files.push(Copy {
            path: tree.mirrored(&file.path),
            display: file.display.clone(),
            role: file.role,
            bytes: copy.0,
            instrumented: copy.1,
        });
    }
    if all.kernels.is_empty() {
        return Err(all.no_kernel());
    }
    Ok(all)
}

impl Instrumented {
    fn new(tree: &Tree) -> Self {
        let mut originals: Vec<PathBuf> = Vec::new();
        for file in &tree.files {
            let directory = file.path.parent().map(Path::to_owned);
            if let Some(directory) = directory.filter(|d| !originals.contains(d)) {
                originals.push(directory);
            }
        }
        Self {
            files: Vec::new(),
            sites: Sites::default(),
            not_monitored: Vec::new(),
            not_modelled: Vec::new(),
            kernels: Vec::new(),
            launches: 0,
            device_functions: 0,
            texts: Texts::new(),
            searched: tree.searched.iter().map(|d| tree.mirrored(d)).collect(),
            originals,
        }
    }

    /// Takes in one file's result, and returns what to write.
    fn add(
        &mut self,
        file: &SourceFile,
        text: &str,
        result: rewrite::Instrumented,
        mark: bool,
    ) -> Result<(Vec<u8>, bool)> {
        if let Some(problem) = result.errors.first()
            && file.role != Role::Included
        {
            return Err(Error::Syntax {
                message: problem.message.clone(),
                source_code: Arc::new(NamedSource::new(&file.display, text.to_owned())),
                span: (problem.offset..(problem.offset + 1).min(text.len())).into(),
                help: None,
            });
        }
        self.not_monitored.extend(result.not_monitored);
        self.not_modelled.extend(result.not_modelled);
        self.kernels.extend(result.kernels);
        self.launches += result.launches;
        self.device_functions += result.device_functions;
        self.sites.push(&file.display, result.sites);
        self.texts.insert(file.display.clone(), text.to_owned());
        let unchanged = result.text == text;
        Ok(match (unchanged, mark) {
            (false, _) => (result.text.into_bytes(), true),
            (true, false) => (text.as_bytes().to_vec(), false),
            (true, true) => (marked(&file.display, text).into_bytes(), false),
        })
    }

    fn no_kernel(&self) -> Error {
        let named: Vec<_> = self
            .files
            .iter()
            .filter(|file| file.role != Role::Included)
            .map(|file| format!("`{}`", file.display))
            .collect();
        let files = match named.as_slice() {
            all if all.len() <= 3 => all.join(", "),
            all => format!("{} and {} more files", all[..2].join(", "), all.len() - 2),
        };
        Error::NoKernel { files }
    }
}

/// `text` with the name of its original for the compiler's messages.
fn marked(display: &str, text: &str) -> String {
    let name = display.replace('\\', "\\\\").replace('"', "\\\"");
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text),
    };
    format!("{mark}#line 1 \"{name}\"\n{text}")
}
