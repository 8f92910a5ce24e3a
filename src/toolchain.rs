//! The only code that starts processes: the C++ compiler, nvcc, the program itself.

pub mod arguments;
mod compile;
pub mod gpu;
pub mod interrupt;
mod process;
mod program;

pub use compile::{Compiler, Job};
pub use process::Ended;
pub use program::{Launch, Output};
