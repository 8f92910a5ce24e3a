//! hirace finds data races in CUDA programs, without a GPU. This is the library behind the
//! `hirace` command: the instrumenter, the check, and the model of its reports.
//!
//! # How the parts fit together
//!
//! ```text
//!   source files                          hirace.toml
//!        │ instrument::collect                 │ config::Config::load
//!        ▼                                     ▼
//!   instrument::tree::Tree ──────┬──── selection, semantics
//!        │                       │
//!        │ rewrite::instrument   │ check::build        (C++ compiler)
//!        ▼                       ▼
//!   text, sites,            check::Program
//!   coverage                     │ run                 (a process of its own)
//!                                ▼
//!   report.json ◄── json ── report::Report ── human, html, sarif, junit, github ──► text
//!        │                       ▲
//!        └── read::parse ────────┘   merge, diff, suppress, exit::Exit::of
//! ```
//!
//! | module | job |
//! |---|---|
//! | [`rewrite`] | adds checks to CUDA source, one file at a time; does no IO and never fails |
//! | [`instrument`] | finds the files that belong together, and writes the instrumented tree |
//! | [`check`] | instruments, compiles, runs and reports, under one or several schedules |
//! | [`report`] | the model of a report: assembled, read back, merged, compared, converted |
//! | [`fix`] | proposes edits that remove a program's races, and verifies them by running |
//! | [`config`], [`options`] | `hirace.toml` and `HIRACE_OPTIONS` |
//! | [`explain`] | the page of each code |
//! | [`model`], [`table`], [`toolchain`] | types and functions that the other modules share |
//! | [`error`], [`exit`] | reasons why hirace could not check, and exit statuses |
//!
//! # Instrument a text
//!
//! Rewriting maps text to text. Lines keep their numbers; each place with a hook is a
//! [`model::Site`].
//!
//! ```
//! use hirace::model::{Backend, SiteKind};
//! use hirace::rewrite::{self, Defines, Facts, Options, Source};
//!
//! let source = Source {
//!     path: "shift.cu",
//!     text: "__global__ void shift(int* a) { a[threadIdx.x] = a[threadIdx.x + 1]; }",
//! };
//! let defines = Defines::default();
//! let facts = Facts::collect([&source], &defines);
//! let result = rewrite::instrument(&source, &facts, &Options::new(Backend::Cpu, &defines));
//!
//! let accesses: Vec<_> = result.sites.iter().map(|it| (it.kind, it.text.as_str())).collect();
//! assert!(accesses.contains(&(SiteKind::Read, "a[threadIdx.x + 1]")));
//! assert!(accesses.contains(&(SiteKind::Write, "a[threadIdx.x]")));
//! assert_eq!(result.coverage.percent(), Some(100.0));
//! assert!(result.text.contains("::hirace::read("));
//! ```
//!
//! # Check a program
//!
//! This needs a C++17 compiler. A race is part of the report; an [`error::Error`] means that the
//! program could not be checked.
//!
//! ```
//! use hirace::check::{self, RunOptions};
//! use hirace::config::Config;
//! use hirace::model::Backend;
//! use hirace::report::{Role, Status};
//!
//! # fn main() -> hirace::error::Result<()> {
//! let config = Config::builtin();
//! let files = ["examples/block_sum.cu".into()];
//! let program = check::build(&files, Backend::Cpu, &["-O1".to_owned()], &config)?;
//! let report = program.run(&config, &RunOptions::default())?;
//!
//! assert_eq!(report.status, Status::Races);
//! let race = &report.races[0];
//! assert_eq!((race.code.as_ref(), race.kernel.as_str()), ("HR001", "block_sum"));
//! for access in &race.accesses {
//!     let what = if access.role == Role::Prior { "first" } else { "then" };
//!     println!("{what}: {:?} at line {:?}", access.access, access.position.line);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Convert a report
//!
//! ```
//! use hirace::report::{read, sarif};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = "tests/formats/expected/race_shared_struct.json";
//! let text = std::fs::read_to_string(path)?;
//! let report = read::parse(path, &text)?;
//! let converted = sarif::render(&report);
//! assert!(converted.contains("\"version\": \"2.1.0\""));
//! # Ok(())
//! # }
//! ```
//!
//! [`report`] shows how to merge and compare reports, and [`explain`] how to look up a code.
//! `cargo run --example kernel_sites` runs a whole program on top of the instrumenter.
//!
//! # Stability
//!
//! The report format has its own version ([`report::SCHEMA_VERSION`]) and is stable within it. The
//! Rust interface follows the crate's version; below 1.0, a minor version may change it.

pub use hirace_check as check;
pub use hirace_config as config;
pub use hirace_config::options;
pub use hirace_fix as fix;
pub use hirace_instrument as instrument;
pub use hirace_instrument::rewrite;
pub use hirace_model as model;
pub use hirace_model::{error, table};
pub use hirace_report as report;
pub use hirace_report::explain;
pub use hirace_toolchain as toolchain;

pub mod exit;

// The command and the modules that only it uses. Public for `main.rs` and this package's tests.
#[doc(hidden)]
#[cfg_attr(
    doc,
    expect(
        rustdoc::broken_intra_doc_links,
        reason = "`--help` prints these comments, and they are not Markdown"
    )
)]
pub mod cli;
#[doc(hidden)]
pub use hirace_doctor as doctor;
#[doc(hidden)]
pub use hirace_doctor::gpu;
// For the harness, which shows the same progress bars.
#[doc(hidden)]
pub use hirace_terminal::progress;
