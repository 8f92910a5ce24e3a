//! From CUDA source to instrumented CUDA source.
//!
//! Every access of device code to memory that other threads may reach is
//! wrapped in a hook, in place:
//!
//! ```text
//! x = a[i] + p->f;   →  x = ::hirace::read(S1, a[i]) + ::hirace::read(S2, p->f);
//! s[t] += v;         →  ::hirace::update(S3, s[t]) += v;
//! ```
//!
//! Rewriting never fails and does no IO. It yields edits, the table of hooked
//! places (*sites*), and remarks on what it left alone. Text outside the edits
//! stays byte-identical and no edit adds or removes a line break.

mod calls;
mod classify;
mod collect;
mod context;
mod declare;
mod edits;
mod expressions;
mod facts;
mod items;
mod launch;
mod macros;
mod scope;
mod shared;
mod sites;
mod stack;
mod statements;
mod sync;
mod trailer;

use crate::model::{Backend, NotModelled, NotMonitored, Site};
use crate::parse::Defines;

pub use crate::parse::SyntaxProblem;
pub use edits::Edit;
pub use facts::Facts;

/// A source file.
pub struct Source<'a> {
    /// The path as the user should see it.
    pub path: &'a str,
    /// Its content.
    pub text: &'a str,
}

/// What to check in launches of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchSelection {
    /// Whether to check at all.
    pub monitor: bool,
    /// Whether to check shared memory.
    pub shared: bool,
    /// Whether to check global memory.
    pub global: bool,
    /// First block to check.
    pub first_block: u32,
    /// Last block to check.
    pub last_block: u32,
}

impl Default for LaunchSelection {
    fn default() -> Self {
        Self {
            monitor: true,
            shared: true,
            global: true,
            first_block: 0,
            last_block: u32::MAX,
        }
    }
}

/// The user's choice of what to monitor.
pub trait Selection: Sync {
    /// What to check in launches of `kernel`.
    fn launch(&self, kernel: &str) -> LaunchSelection;
    /// Whether accesses to `variable` in `function` are monitored.
    fn monitors(&self, function: &str, variable: &str) -> bool;
}

/// Monitors everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct MonitorAll;

impl Selection for MonitorAll {
    fn launch(&self, _kernel: &str) -> LaunchSelection {
        LaunchSelection::default()
    }

    fn monitors(&self, _function: &str, _variable: &str) -> bool {
        true
    }
}

/// How to instrument a file.
pub struct Options<'a> {
    /// What the result is to be compiled for.
    pub backend: Backend,
    /// The file's number in site ids, from 1 to 4095.
    pub file_number: u32,
    /// What to monitor.
    pub selection: &'a dyn Selection,
    /// Macros from the compiler's command line.
    pub defines: &'a Defines,
}

/// The result for one file.
#[derive(Debug, Default)]
pub struct Instrumented {
    /// The whole new text.
    pub text: String,
    /// What was changed between the added first and last lines, in order.
    pub edits: Vec<Edit>,
    /// Hooked places; a site's index here is in the low 20 bits of its id.
    pub sites: Vec<Site>,
    /// Places in device code that run without checks.
    pub not_monitored: Vec<NotMonitored>,
    /// Constructs whose ordering of accesses the checker cannot follow.
    pub not_modelled: Vec<NotModelled>,
    /// Kernels with a body in this file.
    pub kernels: Vec<String>,
    /// Launches in this file.
    pub launches: usize,
    /// Functions with a body in this file that run on the device.
    pub device_functions: usize,
    /// Problems that keep the file from being checked at all.
    pub errors: Vec<SyntaxProblem>,
}

/// Instruments one file. A file without CUDA code that nothing includes for
/// its hooks comes back as it is.
pub fn instrument(source: &Source<'_>, facts: &Facts, options: &Options<'_>) -> Instrumented {
    let (prepass, tree) = facts.parsed(source, options.defines);
    let result = stack::with_depth(tree.depth(), || {
        let mut rewriter = context::Rewriter::new(source, &prepass, facts, options);
        rewriter.items(tree.root());
        rewriter.macro_bodies();
        rewriter.tokens();
        rewriter.list_unseen_shared();
        rewriter.finish()
    });
    result.unwrap_or_else(|| Instrumented {
        text: source.text.to_owned(),
        errors: vec![SyntaxProblem {
            offset: 0,
            message: "the code is nested too deeply to be read".to_owned(),
        }],
        ..Instrumented::default()
    })
}

/// Whether `text` is the result of [`instrument`].
pub fn is_instrumented(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.strip_prefix(trailer::INCLUDE)
        .is_some_and(|rest| rest.starts_with("#line 1 \""))
}
