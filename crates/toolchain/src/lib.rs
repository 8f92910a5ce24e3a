//! Starts compilers and programs, and keeps what compilers made in a cache.
//!
//! [`Compiler`] compiles instrumented programs, [`Runtime`] the CPU executor, once for all programs that fit it, and
//! [`GpuRuntime`] the host runtime of the GPU backend. [`Launch`] runs a program under a time limit. [`cache`] stores
//! files by the hash of what they were made from.
//!
//! # Promises
//! - Ctrl-C and SIGTERM end the processes that were started, with all of their children.
//! - Entries of the cache are complete, whatever happens to the process that writes one, and may
//!   be used by several processes at once.
//!
//! # Dependencies
//! It is the only crate that starts processes. It must never know what a program contains: sources,
//! sites and reports are matters of other crates.

mod arguments;
mod ask;
pub mod cache;
mod call;
mod compile;
mod coroutines;
mod device_code;
pub mod gpu;
mod gpu_functions;
mod gpu_runtime;
pub mod host_reports;
pub mod interrupt;
pub mod make_rules;
mod missing;
pub mod plain;
mod precompiled;
mod process;
mod program;
mod runtime;
mod temporary;
mod trace;
mod which;

pub use arguments::{
    Arguments, OptionForm, TOOLKIT_LIBRARIES, is_old_standard, is_toolkit_library, option_form,
};
pub use gpu_functions::with_functions_once;
pub use gpu_runtime::GpuRuntime;
pub use hirace_model::Ended;
pub use program::{Launch, Output};
pub use runtime::Runtime;
pub use temporary::temporary_directory;
pub use trace::{quoted, show_commands};

pub use ask::{Silence, ask, is_gcc};
pub use call::{Call, DISABLE};
pub use compile::{Compiler, EXPORTS, Job};
pub use coroutines::coroutines;
pub use device_code::{device_code, warnings};
pub use which::{cxx, identity};
