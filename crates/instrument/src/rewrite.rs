//! Rewrites CUDA source into instrumented CUDA source.
//!
//! Every access of device code to memory that other threads may reach is wrapped in a hook, in
//! place:
//!
//! ```text
//! x = a[i] + p->f;   →  x = ::hirace::read(S1, a[i]) + ::hirace::read(S2, p->f);
//! s[t] += v;         →  ::hirace::update(S3, s[t]) += v;
//! ```
//!
//! Rewriting never fails and does no IO. It yields edits, the table of sites, and remarks on code
//! that it did not instrument. Text outside the edits stays byte-identical, and no edit adds or
//! removes a line break.
//!
//! # How an access is rewritten
//!
//! `project` reads all files into `facts`, with `macros` for the bodies of macros. Then each
//! file is walked from the outside in: `items` and `declare`, `statements`, `expressions` and
//! `calls`. `expressions` and `value_use` decide which `role` a value has, `access` whether that is
//! an access and which hook it gets, and `classify` what it designates: the storage, the shape of
//! the type, the variable. `context` holds the state of this walk, `edits` and `sites` its
//! result. At the end of a kernel `lowering` turns it into basic blocks, by which `intervals` drops
//! checks that could find nothing; `trailer` appends the tables.
//!
//! `sync` handles barriers and fences, `launch` launches, `ptx` inline assembly, `shared` shared
//! variables, `bit_fields` bit-fields, and `optout` the comments that leave code out.

mod access;
mod arms;
mod binding;
mod bit_fields;
mod both_sides;
mod branches;
mod calls;
mod classify;
mod constant_bounds;
mod context;
mod declare;
mod device_calls;
mod edits;
mod expressions;
mod facts;
mod file_shared;
mod heap;
mod hooked;
mod intervals;
mod items;
mod kernel_entry;
mod kernel_pointers;
mod launch;
mod launch_arguments;
mod launch_macros;
mod lowering;
mod macros;
mod names;
mod optout;
mod project;
pub mod ptx;
mod regions;
mod remarks;
mod result_use;
mod role;
mod scope;
mod shared;
mod sites;
mod stack;
mod statements;
mod sync;
mod trailer;
mod user_macros;
mod value_use;

use hirace_model::table::{Branch, Call, Notes, Numbering, Variable, by_content, digest};
use hirace_model::{
    Backend, Coverage, Hidden, NotModelled, NotMonitored, Site, SwitchedOff, Warning,
};

pub use edits::Edit;
pub use facts::Facts;
pub(crate) use facts::is_header;
pub use hirace_syntax::{Defines, SyntaxProblem};
pub use remarks::estimate;
pub use sites::escape;
pub use trailer::carried_table;

/// A source file.
pub struct Source<'a> {
    /// The path to show to the user.
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

impl LaunchSelection {
    /// A fragment that says how the checks of a launch are limited; none if they are not.
    #[must_use]
    pub fn restriction(&self) -> Option<String> {
        if !self.monitor {
            return Some("nothing is checked".to_owned());
        }
        let mut parts = Vec::new();
        match (self.shared, self.global) {
            (true, true) => {}
            (true, false) => parts.push("only shared memory is checked".to_owned()),
            (false, true) => parts.push("only global memory is checked".to_owned()),
            (false, false) => parts.push("no memory space is checked".to_owned()),
        }
        if (self.first_block, self.last_block) != (0, u32::MAX) {
            parts.push(match self.first_block == self.last_block {
                true => format!("only block {} is checked", self.first_block),
                false => format!(
                    "only blocks {} to {} are checked",
                    self.first_block, self.last_block
                ),
            });
        }
        (!parts.is_empty()).then(|| parts.join(", "))
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

/// Which accesses that cannot race are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Reads of shared memory between two barriers in an interval without writes.
    pub stable_reads: bool,
    /// Reads of global memory that the launch cannot write.
    pub read_only_memory: bool,
}

impl Skip {
    /// Skips no check.
    pub const NOTHING: Self = Self {
        stable_reads: false,
        read_only_memory: false,
    };
}

impl Default for Skip {
    fn default() -> Self {
        Self {
            stable_reads: true,
            read_only_memory: true,
        }
    }
}

/// How to instrument a file.
pub struct Options<'a> {
    /// The backend that the result will be compiled for.
    pub backend: Backend,
    /// How its sites are numbered.
    pub numbering: Numbering,
    /// Whether all files of the program are known, so that a kernel without a body is a mistake.
    pub whole_program: bool,
    /// The file's absolute path, to embed in the program.
    pub location: Option<&'a str>,
    /// What to monitor.
    pub selection: &'a dyn Selection,
    /// Whether files share device functions and variables.
    pub linkage: DeviceLinkage,
    /// Macros from the compiler's command line.
    pub defines: &'a Defines,
    /// Which checks to skip.
    pub skip: Skip,
    /// Headers to include before the text.
    pub prelude: &'a [&'a str],
    /// Whether to describe the basic blocks of device functions.
    pub describe: bool,
}

/// Whether the files of a program share device functions and variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceLinkage {
    /// The definitions and declarations of the files say it.
    #[default]
    Unknown,
    /// By name, as with `nvcc -rdc=true`.
    Linked,
    /// Not at all, as with nvcc otherwise.
    PerFile,
}

impl<'a> Options<'a> {
    /// Options that monitor everything except accesses that cannot race. Site numbers are derived
    /// from the text, so that files may be instrumented one by one.
    #[must_use]
    pub fn new(backend: Backend, defines: &'a Defines) -> Self {
        Self {
            backend,
            numbering: Numbering::ByContent,
            whole_program: true,
            location: None,
            selection: &MonitorAll,
            linkage: DeviceLinkage::Unknown,
            defines,
            skip: Skip::default(),
            prelude: &[],
            describe: false,
        }
    }
}

/// The result for one file.
#[derive(Debug, Default)]
pub struct Instrumented {
    /// The whole new text.
    pub text: String,
    /// What was changed between the added first and last lines, in order.
    pub edits: Vec<Edit>,
    /// The number of the first site.
    pub base: u32,
    /// Identifies the file's table.
    pub key: u64,
    /// Hooked places, in order of their numbers.
    pub sites: Vec<Site>,
    /// Places in device code that run without checks.
    pub not_monitored: Vec<NotMonitored>,
    /// Synchronisation that the checker cannot follow.
    pub not_modelled: Vec<NotModelled>,
    /// Kernels with a body in this file.
    pub kernels: Vec<String>,
    /// What a program that loads this file as a module can find there without naming template arguments, as C++
    /// expressions: kernels, and addresses of variables.
    pub exports: Vec<String>,
    /// Launches in this file.
    pub launches: usize,
    /// Functions with a body in this file that run on the device.
    pub device_functions: usize,
    /// The basic blocks of device functions as text, if that was asked for.
    pub described: Vec<String>,
    /// What the user chose not to check.
    pub switched_off: Vec<SwitchedOff>,
    /// Comments that hide findings.
    pub hidden: Vec<Hidden>,
    /// Mistakes in `// hirace:` comments.
    pub warnings: Vec<Warning>,
    /// Branches with hooked places in several arms.
    pub branches: Vec<Branch>,
    /// Calls in device code.
    pub calls: Vec<Call>,
    /// Variables that the program reports by keys.
    pub variables: Vec<Variable>,
    /// The numbers of sites of atomic operations that are not checked, and take part in what orders other accesses.
    pub order_only: Vec<u32>,
    /// How much of the device code is monitored.
    pub coverage: Coverage,
    /// Problems that prevent the file from being checked at all.
    pub errors: Vec<SyntaxProblem>,
}

impl Instrumented {
    /// The file's table for reports. `source` is the original.
    #[must_use]
    pub fn notes(&self, source: &str, location: Option<&str>) -> Notes {
        Notes {
            location: location.map(str::to_owned),
            digest: digest(source),
            kernels: self.kernels.clone(),
            not_monitored: self.not_monitored.clone(),
            not_modelled: self.not_modelled.clone(),
            switched_off: self.switched_off.clone(),
            hidden: self.hidden.clone(),
            warnings: self.warnings.clone(),
            branches: self.branches.clone(),
            calls: self.calls.clone(),
            variables: self.variables.clone(),
            order_only: self.order_only.clone(),
            coverage: self.coverage,
        }
    }
}

/// Instruments one file. The text is unchanged if the file has [`Instrumented::errors`], or if it
/// has no CUDA code and no file needs its hooks.
///
/// `facts` describe all files of the program, including this one. The result includes
/// `hirace/hirace.cuh`, which [`crate::headers`] provides.
#[must_use]
pub fn instrument(source: &Source<'_>, facts: &Facts, options: &Options<'_>) -> Instrumented {
    let (prepass, tree) = facts.parsed(source, options.defines);
    let bodies = facts::macro_body::bodies(source.text, &prepass, facts);
    let given = macros::GivenCode::all(source.text, &prepass, facts);
    let rewrite = |numbering, location| {
        let options = Options {
            numbering,
            location,
            ..*options
        };
        let mut rewriter = context::Rewriter::new(source, &prepass, facts, &options);
        rewriter.not_evaluated = facts.texts.unread(source.text);
        rewriter.text_edits = facts.texts.edits(source.text);
        rewriter.items(tree.root());
        rewriter.macro_bodies(&bodies);
        rewriter.given_code(&given);
        rewriter.kernels_of_macros();
        rewriter.tokens();
        rewriter.list_unseen_shared();
        rewriter.list_unseen_functions();
        rewriter.list_unbalanced_macros();
        rewriter.finish(tree.root())
    };
    let result = stack::with_depth(tree.depth(), || match options.numbering {
        given @ Numbering::Given { .. } => rewrite(given, options.location),
        Numbering::ByContent => {
            // The numbers are derived from a text that contains them, so the file is rewritten
            // twice. The path of the file must not matter.
            let draft = rewrite(Numbering::Given { base: 1, key: 0 }, None);
            let text = trailer::without_header(&draft.text);
            rewrite(by_content(text, draft.sites.len()), options.location)
        }
    });
    result.unwrap_or_else(|| Instrumented {
        text: source.text.to_owned(),
        errors: vec![SyntaxProblem {
            offset: 0,
            message: "the code is nested too deeply to parse".to_owned(),
        }],
        ..Instrumented::default()
    })
}

/// Whether `text` is the result of [`instrument`].
#[must_use]
pub fn is_instrumented(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    trailer::is_after_header(text)
}
