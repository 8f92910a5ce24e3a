//! The progress bar for long runs on a terminal.

use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar};

use hirace_terminal::progress;

/// How long to wait before the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress of instrumenting a tree. Every byte counts twice: once when it is read and once when it
/// is rewritten.
pub(super) struct Progress {
    begun: Instant,
    done: u64,
    total: u64,
    /// Drawn on standard error if that is a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Creates the bar for `bytes` bytes of source text.
    pub(super) fn of(bytes: usize) -> Self {
        Self {
            begun: Instant::now(),
            done: 0,
            total: 2 * bytes as u64,
            bar: None,
        }
    }

    /// Counts bytes that were read.
    pub fn read(&mut self, bytes: usize) {
        self.advance("reading", bytes);
    }

    /// Counts bytes that were rewritten.
    pub(super) fn rewritten(&mut self, bytes: usize) {
        self.advance("rewriting", bytes);
    }

    fn advance(&mut self, what: &'static str, bytes: usize) {
        self.done += bytes as u64;
        if self.bar.is_none() && self.begun.elapsed() < PATIENCE {
            return;
        }
        let total = self.total;
        let bar = self.bar.get_or_insert_with(|| {
            progress::bar(total, "{msg:9} {wide_bar} {percent} % of {prefix}")
                .with_prefix(HumanBytes(total / 2).to_string())
        });
        bar.set_message(what);
        bar.set_position(self.done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
