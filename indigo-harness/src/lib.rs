//! Sweeps of labelled CUDA suites: every program on every graph with every tool, and tables of what
//! each tool found and missed.
//!
//! | module | job |
//! |---|---|
//! | [`suite`] | programs with labels: read, generated, or our own |
//! | [`graphs`] | the graphs they run on |
//! | [`sweep`] | what is to be run, and running it |
//! | [`store`] | results in SQLite |
//! | [`cluster`] | a sweep as jobs of Slurm |
//! | [`results`] | tables, plots and pages from results |
//!
//! Promises: a finished run is in the database at once, so that a sweep can be killed at any point
//! and resumed by the same command; a suite's files mean here what they mean to IndigoSuite's own
//! generator.
//!
//! The crate sees hirace as any other program would, through its library, and no crate of hirace
//! depends on it. Only [`store`] names SQL that changes a database, and only [`mod@cli`] prints.

pub mod cli;
pub mod cluster;
pub mod error;
pub mod graphs;
pub mod results;
mod shell;
pub mod store;
pub mod suite;
pub mod sweep;
