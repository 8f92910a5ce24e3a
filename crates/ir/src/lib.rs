//! The accesses and the control flow of CUDA functions, in basic blocks, and analyses of them.
//!
//! [`lower()`] turns the body of a function into a [`Function`] once; each analysis asks that. Expressions remain the
//! syntax that they were written in: what a hook changes is text, so the blocks need to know only where accesses,
//! barriers and calls are, and what may come after what.
//!
//! | module | job |
//! |---|---|
//! | [`function`] | the representation: blocks of effects, edges, and what was not understood |
//! | [`mod@lower`] | syntax to blocks |
//! | [`intervals`] | which reads of shared memory nothing can race with, by the intervals between barriers |
//! | [`control`] | which conditions decide whether a place is reached; which places barriers separate |
//! | [`values`] | what sets the variables of a function, and to what |
//! | [`divergence`] | which values and decisions may differ between the threads of a group |
//! | [`read_only`] | which memory a kernel only reads |
//! | [`synchronisation`] | which constructs that may order accesses a function may reach, through calls |
//! | [`mod@show`] | the text of `hirace instrument --show ir` |
//!
//! # Promises
//! - Nothing is guessed: syntax that has a meaning of its own in a macro, a directive or another language becomes
//!   [`Effect::Unknown`], or makes the function [opaque](Function::opaque).
//! - A graph has at least the paths that the program can take; analyses that ask what *may* happen are on the safe
//!   side.
//!
//! # Dependencies
//! Only the syntax. What the program around a function says of names comes through [`lower::Program`].

pub mod control;
pub mod divergence;
pub mod function;
pub mod intervals;
pub mod lower;
pub mod read_only;
pub mod show;
pub mod synchronisation;
pub mod values;

pub use function::{Access, AccessKind, Effect, Function};
pub use lower::lower;
