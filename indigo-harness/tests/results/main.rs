//! Databases of results: written, read, merged, and shown.

mod merge;
mod report;
mod sample;
mod store;
