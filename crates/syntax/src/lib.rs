//! From CUDA source text to a syntax tree that the instrumenter can rely on.
//!
//! Promise: offsets are bytes of the user's text, whatever was done to make it readable; what
//! could not be read is data ([`SyntaxProblem`]), never an error.
//!
//! This is the only crate that names tree-sitter, and it depends on no other crate of hirace.
//!
//! A text becomes a tree in three steps: [`directives`] decides which `#if` branches are read,
//! the length-preserving [`prepass`] masks what the grammar cannot parse and remembers what it
//! meant, and [`tree`], the only module that names tree-sitter, parses the rest. [`view`] reads
//! declarations and functions from the tree.

#![expect(
    missing_docs,
    reason = "for the crates of this workspace: many names say all there is to say"
)]

pub mod alias;
mod condition;
mod defines;
pub mod directives;
pub mod lexer;
mod masked;
pub mod prepass;
pub mod qualifier;
mod repair;
mod shape;
pub mod tree;
pub mod view;
mod words;

pub use defines::Defines;
pub use masked::SyntaxProblem;

#[cfg(test)]
mod tests;
