//! The only code that starts processes: the C++ compiler, nvcc, the program itself.

mod arguments;
mod ask;
pub mod cache;
mod call;
mod compile;
pub mod gpu;
pub mod interrupt;
pub mod plain;
mod process;
mod program;
mod runtime;

pub use arguments::Arguments;
pub use hirace_model::Ended;
pub use program::{Launch, Output};
pub use runtime::Runtime;

pub use ask::{Silence, ask};
pub use call::{Call, DISABLE};
pub use compile::{Compiler, Job, cxx, identity, is_gcc};
