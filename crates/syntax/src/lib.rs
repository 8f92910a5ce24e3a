//! Parses CUDA source text into a syntax tree for the instrumenter.
//!
//! A text becomes a tree in three steps: [`directives`] decides which `#if` branches are read; the
//! length-preserving [`prepass`] masks text that the grammar cannot parse, and records its meaning;
//! [`tree`] parses the result. [`view`] extracts declarations and functions from the tree.
//!
//! # Promises
//! - Offsets are bytes of the user's text, no matter what was masked to make it parse.
//! - Text that could not be parsed is data ([`SyntaxProblem`]), never an error.
//!
//! # Dependencies
//! The crate must never depend on another crate of hirace. It is the only one that names
//! tree-sitter, and [`tree`] is the only module that does.

#![expect(
    missing_docs,
    reason = "for the crates of this workspace: many names say all there is to say"
)]

pub mod alias;
mod condition;
mod defines;
pub mod directives;
pub mod lexer;
pub mod lines;
mod masked;
pub mod names;
pub mod prepass;
pub mod qualifier;
mod repair;
pub mod stand_in;
pub mod tree;
pub mod view;
pub mod words;

pub use defines::Defines;
pub use masked::SyntaxProblem;

#[cfg(test)]
mod tests;
