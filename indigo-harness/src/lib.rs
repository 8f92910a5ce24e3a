//! Runs sweeps of labelled CUDA suites: every program on every graph with every tool. Reports what
//! each tool found and missed.
//!
//! | module | job |
//! |---|---|
//! | [`suite`] | programs with labels: read, generated, or built in |
//! | [`graphs`] | their input graphs |
//! | [`sweep`] | planning and running a sweep |
//! | [`store`] | results in SQLite |
//! | [`cluster`] | a sweep as jobs of Slurm |
//! | [`results`] | tables, plots and pages from results |
//!
//! # Promises
//! - A finished run is stored in the database at once, so a sweep can be killed at any point, and
//!   the same command resumes it.
//! - A suite's files mean the same as for IndigoSuite's own generator.
//! - Only [`store`] changes a database, and only [`mod@cli`] prints.
//!
//! # Dependencies
//! The crate uses hirace only through its library, as any other program would, and takes graphs
//! from `hirace-graphs`. It must never depend on the crates below `crates/`, and no crate of hirace
//! depends on it.

pub mod cli;
pub mod cluster;
pub mod error;
pub mod graphs;
pub mod results;
mod shell;
pub mod store;
pub mod suite;
pub mod sweep;
