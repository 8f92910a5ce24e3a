//! From CUDA source text to a syntax tree that the rewriter can rely on.
//!
//! A length-preserving pre-pass (`prepass`) removes what the grammar cannot
//! parse and remembers what stood there; `tree` holds the result. Only
//! `tree` names tree-sitter's types.

pub(crate) mod alias;
pub(crate) mod assignment;
pub(crate) mod comparison;
pub(crate) mod condition;
pub(crate) mod constraint;
pub(crate) mod directives;
pub(crate) mod expression;
pub(crate) mod head;
mod kinds;
pub(crate) mod lexer;
pub(crate) mod macro_use;
mod node;
pub(crate) mod prepass;
pub(crate) mod qualifier;
pub(crate) mod repair;
mod shape;
pub(crate) mod stray;
pub(crate) mod tree;
pub(crate) mod type_macro;
pub(crate) mod view;

pub use condition::Defines;
pub use prepass::SyntaxProblem;

#[cfg(test)]
mod tests;
