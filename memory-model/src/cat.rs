//! Models in the language of herd (`.cat`).
//!
//! Papers: Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014; Alglave, Cousot, Maranget,
//! "Syntax and semantics of the weak consistency model specification language cat",
//! arXiv 1608.07531.
//!
//! A model defines relations and states axioms about them. [`Model::parse`] reads the text
//! (`lexer`, `parser`, `load`), resolves names and types (`resolve`), and expands it to a graph of
//! operations (`lower`, `graph`). [`Checker`] evaluates the graph on a [`World`].
//!
//! ```
//! use hirace_memory_model::cat::{Base, Model};
//!
//! let bases = [Base::relation("po"), Base::relation("rf")];
//! let model = Model::parse("model.cat", "acyclic po | rf as causality", &bases, &|_| None)?;
//! assert_eq!(model.axioms()[0].title(), "causality");
//! assert_eq!(model.depends_on(0), [0, 1]);
//! # Ok::<(), hirace_model::error::Error>(())
//! ```
//!
//! # Promises
//! - Each mistake has a position. No text makes the parser panic or run forever. Test:
//!   `tests::fuzz`.
//! - Evaluation ends: recursive definitions are monotone. Test: `tests::recursion`.
//!
//! # Deviations from herd
//! 1. Values are sets and relations only: no sets of sets, tags, procedures, `if`, `match` or
//!    `try`. `with` chooses `co` only, from orders of writes ([`Orders`]). Without it, `co` is a
//!    total order of the writes to each location, as in herd.
//! 2. `0` is the empty set and the empty relation.
//! 3. Recursive definitions that negate themselves are rejected, and so are recursive functions.
//! 4. `//` starts a comment.

mod ast;
mod eval;
mod explain;
mod graph;
mod hir;
mod lexer;
mod load;
mod lower;
mod model;
pub(crate) mod near;
mod parser;
mod resolve;
mod source;
mod types;
mod world;

pub use ast::AxiomKind;
pub use explain::{Explanation, Shown, Step, Value, Witness};
pub use model::{Axiom, Checker, Model, Orders, Outcome};
pub use types::Type;
pub use world::{Base, World};

#[cfg(test)]
mod tests;
