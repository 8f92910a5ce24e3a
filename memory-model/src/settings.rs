//! The limits of a search.

use std::time::Duration;

/// Limits, as a user gives them.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The largest number of rounds of a loop.
    pub unroll: u32,
    /// The largest number of candidate executions of a test, and of paths through each of its
    /// threads.
    pub limit: u64,
    /// The time limit for a test.
    pub timeout: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unroll: 2,
            limit: 1_000_000,
            timeout: None,
        }
    }
}
