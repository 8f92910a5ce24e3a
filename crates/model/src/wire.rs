//! The bytes that instrumented programs and hirace exchange: each layout and each number is
//! written here, once.
//!
//! A program leaves two things in one file: race records of a fixed layout ([`records`]), which it
//! keeps in shared memory while it runs, and after them the tables of its sites ([`tables`]),
//! which it appends. The self-test of the device code has rows of its own ([`self_test`]).
//!
//! [`cpp::header`] writes the same for C++, as `device/hirace/generated/wire.h`; `cargo xtask
//! codegen` puts it there. All numbers are little endian, as every machine that runs CUDA is.

pub mod cpp;
mod declare;
pub mod file_layout;
pub mod numbers;
pub mod records;
pub mod schema;
pub mod self_test;
mod spread;
pub mod stream;
pub mod tables;

#[cfg(test)]
mod tests;
