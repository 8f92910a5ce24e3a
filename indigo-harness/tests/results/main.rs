//! Databases of results: written, read, joined, and shown.

mod merge;
mod report;
mod sample;
mod store;
