//! Litmus tests: their text format.

pub mod ast;
