//! hirace: a data-race checker for CUDA programs.

pub mod check;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod error;
pub mod exit;
pub mod explain;
pub mod fix;
pub mod gpu;
pub mod instrument;
pub mod model;
pub mod options;
pub mod parse;
mod progress;
pub mod report;
pub mod rewrite;
pub mod table;
pub mod toolchain;
pub mod wrap;
