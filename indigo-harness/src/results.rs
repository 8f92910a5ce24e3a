//! Tables, plots and pages from results.
//!
//! | module | job |
//! |---|---|
//! | [`completeness`] | whether all runs are in the database |
//! | [`tools`] | the tools: their order, and the reference of each |
//! | [`judge`] | counts verdicts against labels |
//! | [`tally`] | found and missed by tool and graph |
//! | [`breakdown`] | found and missed by pattern, bug and option |
//! | [`spread`] | quartiles and means |
//! | [`cost`] | slowdown and memory, relative to the program without a checker |
//! | [`wrong`] | every wrong verdict |
//! | [`repeat`] | the command that repeats runs |
//! | [`plot`] | boxes and bars |
//! | [`document`] | everything in order, as tables and plots |
//! | [`markdown`], [`csv`], [`html`] | a document as text |

pub mod breakdown;
pub mod completeness;
pub mod cost;
pub mod csv;
pub mod document;
pub mod html;
pub mod judge;
pub mod markdown;
pub mod plot;
pub mod repeat;
pub mod spread;
pub mod table;
pub mod tally;
pub mod tools;
pub mod wrong;

pub use document::Document;
