//! How a process ended: determined by the toolchain, and explained in reports.

use std::fmt;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// By hirace, at the time limit.
    TimedOut,
    /// By this signal to hirace: Ctrl-C and the like.
    Interrupted(i32),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "it ended with status {status}"),
            Self::Signalled(signal) => write!(f, "it was ended by signal {signal}"),
            Self::TimedOut => f.write_str("it was stopped at the time limit"),
            Self::Interrupted(signal) => write!(f, "it was interrupted by signal {signal}"),
        }
    }
}
