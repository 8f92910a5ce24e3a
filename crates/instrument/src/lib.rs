//! Instruments programs: collects their files, rewrites them so that every access is checked, and
//! reports what could not be rewritten.
//!
//! [`collect`] finds the files that the named files include; [`tree::Collector`] with
//! [`walk::directory`] takes whole directories. [`tree()`] creates the instrumented copies, and
//! [`output::write`] writes them to disk. [`survey`] is [`tree()`] for trees that may have no
//! kernel. Each file has a [`Table`] with its sites, its coverage, and each access that is not
//! monitored with the reason.
//!
//! # Promises
//! - The user's files are only read.
//! - Rewriting never fails and does no IO: unsupported syntax is data, not an error.
//! - Offsets are bytes. Text outside the edits stays byte-identical, and line numbers stay the
//!   same.
//! - Source is instrumented, never preprocessor output.
//!
//! # Dependencies
//! This crate must never run a program or depend on the checker's results (`hirace-report`). It
//! uses `hirace-toolchain` only for a compiler's arguments, the cache on disk and signals.
//!
//! ```
//! use hirace_instrument::Plan;
//! use hirace_model::Backend;
//! use hirace_toolchain::Arguments;
//!
//! # fn main() -> hirace_model::error::Result<()> {
//! let arguments = Arguments::parse(&["-I../../examples/ci/include".to_owned()]);
//! let files = ["../../examples/ci/src/prefix_sum.cu".into()];
//! let program = hirace_instrument::files(&files, Plan::new(Backend::Gpu, &arguments))?;
//!
//! assert_eq!(program.kernels, ["scan_block"]);
//! for table in program.tables.iter() {
//!     println!("{}: {:?} % monitored", table.path, table.notes.coverage.percent());
//! }
//! # Ok(())
//! # }
//! ```

pub mod rewrite;

use std::path::{Path, PathBuf};

use crate::rewrite::{DeviceLinkage, Facts, MonitorAll, Options, Selection, Skip, Source};
use hirace_model::error::{Error, Mistake, Result};
use hirace_model::source_text;
use hirace_model::table::{Notes, Numbering, Table, Tables, Texts};
use hirace_model::{Backend, Coverage, NotMonitored};
use hirace_syntax::Defines;
use hirace_syntax::lines::Lines;
use hirace_toolchain::Arguments;

pub mod headers;
mod host_memory;
pub mod includes;
mod numbering;
pub mod output;
mod prelude;
mod progress;
pub mod source;
pub mod tree;
mod uses_cuda;
pub mod walk;
pub use host_memory::shares_memory;

use numbering::{first_base, key};
use prelude::Preludes;
use progress::Progress;
use tree::{Collector, Content, Role, SourceFile, Tree};

/// How to instrument a program.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The backend that the copies will be compiled for.
    pub backend: Backend,
    /// The user's choice of what to monitor.
    pub selection: &'a dyn Selection,
    /// The compiler's arguments.
    pub arguments: &'a Arguments,
    /// Add a `#line` directive to files without device code: compiler messages name the original.
    pub mark_copies: bool,
    /// How sites are numbered.
    pub bases: Bases,
    /// Whether files share device functions and variables.
    pub linkage: DeviceLinkage,
    /// Which checks to skip.
    pub skip: Skip,
    /// Whether to describe the basic blocks of device functions.
    pub describe: bool,
}

impl<'a> Plan<'a> {
    /// A plan that checks everything except accesses that cannot race, with numbers for the whole
    /// tree.
    #[must_use]
    pub fn new(backend: Backend, arguments: &'a Arguments) -> Self {
        Self {
            backend,
            selection: &MonitorAll,
            arguments,
            mark_copies: false,
            bases: Bases::Tree,
            linkage: DeviceLinkage::default(),
            skip: Skip::default(),
            describe: false,
        }
    }
}

/// How the ranges of site numbers are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bases {
    /// Consecutive ranges from this number on. No other file may have numbers there.
    From(u32),
    /// Consecutive ranges from a number derived from all files, so that files instrumented
    /// elsewhere may be linked with them.
    Tree,
    /// For each file a number derived from its own text. A file keeps its numbers no matter what
    /// else is instrumented.
    File,
}

/// An instrumented program.
#[derive(Debug, Default)]
pub struct Instrumented {
    /// The copies.
    pub files: Vec<Copy>,
    /// The table of each file; they give the site numbers in records their meaning.
    pub tables: Tables,
    /// The kernels, in order of appearance.
    pub kernels: Vec<String>,
    /// What a program that loads this as a module can find there ([`rewrite::Instrumented::exports`]).
    pub exports: Vec<String>,
    /// Number of kernel launches in the source.
    pub launches: usize,
    /// Number of device functions that are not kernels.
    pub device_functions: usize,
    /// For each file with device functions, their basic blocks as text, if that was asked for.
    pub described: Vec<(String, Vec<String>)>,
    /// The texts of the originals.
    pub texts: Texts,
    /// The `-I` directories whose copies are searched first, relative to the copy of the root.
    pub searched: Vec<PathBuf>,
    /// The directories of the originals, for includes that only the compiler can resolve.
    pub originals: Vec<PathBuf>,
}

/// The copy of one file.
#[derive(Debug)]
pub struct Copy {
    /// Its path, relative to the copy of the root.
    pub path: PathBuf,
    /// The original, as the user would write it.
    pub display: String,
    /// The original's role.
    pub role: Role,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether checks were added.
    pub instrumented: bool,
}

/// Instruments the program that consists of `files` and their includes.
///
/// # Errors
/// A file cannot be read or is not valid source text, or nothing in it is CUDA.
pub fn files(files: &[PathBuf], plan: Plan<'_>) -> Result<Instrumented> {
    tree(&collect(files, plan.arguments)?, plan)
}

/// Collects `files` and their includes.
///
/// # Errors
/// A file cannot be read or is not source text.
pub fn collect(files: &[PathBuf], arguments: &Arguments) -> Result<Tree> {
    let mut collector = Collector::new(arguments);
    for file in files {
        collector.named(file)?;
    }
    collector.finish()
}

/// Instruments a collected tree. It may have no kernel of its own: a program can use those of
/// libraries.
///
/// # Errors
/// The same as for [`files`].
pub fn tree(tree: &Tree, plan: Plan<'_>) -> Result<Instrumented> {
    let all = survey(tree, plan)?;
    if all.kernels.is_empty() && !uses_cuda::any(tree.sources().map(|(_, text)| text)) {
        return Err(all.no_kernel());
    }
    Ok(all)
}

/// Instruments a collected tree that may have no kernel.
///
/// # Errors
/// A file that the user named is not valid source text.
pub fn survey(tree: &Tree, plan: Plan<'_>) -> Result<Instrumented> {
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
    let mut progress = Progress::of(sources.iter().map(|it| it.text.len()).sum());
    let facts = Facts::collect_watched(&sources, &defines, &mut |bytes| progress.read(bytes));
    let mut all = Instrumented::new(tree);
    let mut next = first_base(plan.bases, &sources);
    let preludes = Preludes::of(tree);
    for file in &tree.files {
        let copy = match &file.content {
            Content::Source(text) => {
                let source = Source {
                    path: &file.display,
                    text,
                };
                let location = file.path.to_str();
                let compiled = plan.backend == Backend::Cpu && !rewrite::is_header(&file.display);
                let prelude = match compiled {
                    true => preludes.headers(&file.path),
                    false => Vec::new(),
                };
                let options = Options {
                    backend: plan.backend,
                    numbering: match next {
                        Some(base) => Numbering::Given {
                            base,
                            key: key(&source),
                        },
                        None => Numbering::ByContent,
                    },
                    whole_program: plan.bases != Bases::File,
                    location,
                    selection: plan.selection,
                    linkage: plan.linkage,
                    defines: &defines,
                    skip: plan.skip,
                    prelude: &prelude,
                    describe: plan.describe,
                };
                let result = rewrite::instrument(&source, &facts, &options);
                progress.rewritten(text.len());
                let count = u32::try_from(result.sites.len()).unwrap_or(u32::MAX);
                next = next.map(|base| base.saturating_add(count));
                all.add(file, text, result, plan.mark_copies)?
            }
            Content::Opaque(bytes, reason) => {
                if let Some(reason) = reason {
                    all.tables.add(unread(&file.display, 1, reason, 0));
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
    Ok(all)
}

/// The table of a file that could not be read, with an estimate of its accesses.
fn unread(display: &str, line: usize, reason: &str, accesses: usize) -> Table {
    Table {
        path: display.to_owned(),
        notes: Notes {
            not_monitored: vec![NotMonitored {
                file: display.to_owned(),
                line: u32::try_from(line).unwrap_or(u32::MAX),
                reason: reason.to_owned(),
                accesses,
            }],
            coverage: Coverage {
                not_monitored: accesses,
                ..Coverage::default()
            },
            ..Notes::default()
        },
        ..Table::default()
    }
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
            searched: tree.searched.iter().map(|d| tree.mirrored(d)).collect(),
            originals,
            ..Self::default()
        }
    }

    /// Adds one file's result, and returns the content to write.
    fn add(
        &mut self,
        file: &SourceFile,
        text: &str,
        result: rewrite::Instrumented,
        mark: bool,
    ) -> Result<(Vec<u8>, bool)> {
        // One bad file of a tree must not stop the others.
        if let Some(problem) = result.errors.first()
            && file.role == Role::Listed
        {
            // How much of it is device code is unknown; assume all of it.
            let mut qualifiers = ["__global__", "__device__"].iter();
            let accesses = match qualifiers.any(|it| text.contains(it)) {
                true => rewrite::estimate(text),
                false => 0,
            };
            let line = Lines(text).number(problem.offset);
            let table = unread(&file.display, line, &problem.message, accesses);
            self.tables.add(table);
            return Ok((source_text::encode(text).into_owned(), false));
        }
        if let Some(problem) = result.errors.first()
            && file.role == Role::Named
        {
            let span = problem.offset..(problem.offset + 1).min(text.len());
            let mistake = Mistake::new(&file.display, text, span, &problem.message);
            return Err(Error::Syntax(mistake));
        }
        let notes = result.notes(text, file.path.to_str());
        if !result.described.is_empty() {
            self.described
                .push((file.display.clone(), result.described));
        }
        self.kernels.extend(result.kernels);
        self.exports.extend(result.exports);
        self.launches += result.launches;
        self.device_functions += result.device_functions;
        self.tables.add(Table {
            path: file.display.clone(),
            base: result.base,
            key: result.key,
            sites: result.sites,
            notes,
        });
        let shown = source_text::lossy(text).into_owned();
        self.texts.insert(file.display.clone(), shown);
        let unchanged = result.text == text;
        let marked = (unchanged && mark).then(|| marked(&file.display, text));
        let text = marked.as_ref().unwrap_or(&result.text);
        Ok((source_text::encode(text).into_owned(), !unchanged))
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

/// `text` with a `#line` directive that names the original.
fn marked(display: &str, text: &str) -> String {
    let name = display.replace('\\', "\\\\").replace('"', "\\\"");
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text),
    };
    format!("{mark}#line 1 \"{name}\"\n{text}")
}
