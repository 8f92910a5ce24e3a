//! Databases of results: written, read, joined, and shown.

mod merge;
mod sample;
mod store;
