//! The only code that starts processes: the C++ compiler, nvcc, the program itself.

pub mod arguments;
mod ask;
mod call;
mod compile;
pub mod gpu;
pub mod interrupt;
mod process;
mod program;

pub use ask::{Silence, ask};
pub use call::Call;
pub use compile::{Compiler, Job};
pub(crate) use compile::{cxx, is_gcc};
pub use process::Ended;
pub use program::{Launch, Output};
