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

pub mod cli;
pub mod cluster;
pub mod error;
pub mod graphs;
pub mod results;
mod shell;
pub mod store;
pub mod suite;
pub mod sweep;
