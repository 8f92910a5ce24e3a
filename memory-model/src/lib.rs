//! NVIDIA's memory model as a program: what may a small concurrent program do?
//!
//! [`litmus`] reads a small program with a question about its results, [`cat`] a model as sets and
//! relations of events. [`engine`] enumerates the executions that the model allows, and [`verdict`]
//! answers the question. [`models`] has the models that ship, PTX's among them. [`generate`] makes
//! tests from cycles, and [`states`] lists the final states that a model allows.
//!
//! # Promises
//! - The answer covers every execution within the limits; where a limit is reached, there is an
//!   error or the verdict says so.
//! - The same test and model give the same verdict, with the same witness.
//!
//! # Dependencies
//! Only `hirace-model`, for errors with positions, and `strsim`, for misspelled names. This crate must
//! never know hirace's own checker: it is what that checker is judged by.

pub mod cat;
mod comment;
mod deadline;
pub mod engine;
pub mod event;
pub mod generate;
pub mod litmus;
pub mod models;
pub mod relation;
mod settings;
pub mod states;
pub mod trace;
pub mod verdict;
pub mod witness;
pub mod world;
