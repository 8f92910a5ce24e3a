//! The exit statuses of `hirace`, all in one place.
//!
//! | status | meaning                                                              |
//! | ------ | -------------------------------------------------------------------- |
//! | 0      | clean: checked, and no race (or only *possible* ones)                |
//! | 1      | races found (with `--strict`, possible ones too)                     |
//! | 2      | could not check: bad input, compile error, crash, nothing monitored  |
//!
//! `hirace fsm verify` and `fsm trace` end with 1 where the machine is not exact.
//! A race outweighs a failure: a program that races and then crashes ends with 1.

use std::process::ExitCode;

use crate::report::{Report, Status};

/// How `hirace` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Checked, and nothing definite found.
    Clean,
    /// At least one race; for `hirace fsm`, a machine that is not exact.
    Races,
    /// The question whether there are races has no answer.
    CouldNotCheck,
}

impl Exit {
    /// The status of a finished check.
    #[must_use]
    pub fn of(report: &Report, strict: bool) -> Self {
        match report.status {
            Status::Races => Self::Races,
            Status::Possible if strict => Self::Races,
            Status::Possible | Status::Clean => Self::Clean,
            Status::Failed => Self::CouldNotCheck,
        }
    }

    /// The number that the shell sees.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Races => 1,
            Self::CouldNotCheck => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}
