//! The time limit of a search.

use std::cell::Cell;
use std::time::{Duration, Instant};

use hirace_model::error::{Error, Result};

/// When a search must stop.
#[derive(Debug)]
pub struct Deadline<'a> {
    name: &'a str,
    at: Option<Instant>,
    steps: Cell<u32>,
}

/// The clock is read once in this many steps.
const STEPS_PER_CHECK: u32 = 256;

impl<'a> Deadline<'a> {
    /// The limit of a search that starts now, in a test of this name.
    pub fn new(name: &'a str, limit: Option<Duration>) -> Self {
        Self {
            name,
            at: limit.map(|it| Instant::now() + it),
            steps: Cell::new(0),
        }
    }

    /// Counts a step.
    ///
    /// # Errors
    /// The time is over.
    pub fn check(&self) -> Result<()> {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if !steps.is_multiple_of(STEPS_PER_CHECK) || self.at.is_none_or(|it| Instant::now() <= it) {
            return Ok(());
        }
        Err(Error::Input {
            message: format!("{}: no verdict within the time limit", self.name),
            help: Some("raise --timeout, or lower --unroll".to_owned()),
        })
    }
}
