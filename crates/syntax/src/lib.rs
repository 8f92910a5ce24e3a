//! From CUDA source text to a syntax tree that the instrumenter can rely on.
//!
//! Promise: offsets are bytes of the user's text, whatever was done to make it readable; what
//! could not be read is data ([`SyntaxProblem`]), never an error.
//!
//! This is the only crate that names tree-sitter, and it depends on no other crate of hirace.
//!
//! A length-preserving pre-pass (`prepass`) removes what the grammar cannot
//! parse and remembers what stood there; `tree` holds the result. Only
//! `tree` names tree-sitter's types.

#![expect(
    missing_docs,
    reason = "for the crates of this workspace: many names say all there is to say"
)]

pub mod alias;
pub mod assignment;
pub mod comparison;
pub mod condition;
pub mod constraint;
pub mod directives;
pub mod expression;
pub mod head;
mod kinds;
pub mod lexer;
pub mod macro_use;
mod node;
pub mod prepass;
pub mod qualifier;
pub mod repair;
mod shape;
pub mod stray;
pub mod tree;
pub mod type_macro;
pub mod view;

pub use condition::Defines;
pub use prepass::SyntaxProblem;

#[cfg(test)]
mod tests;
