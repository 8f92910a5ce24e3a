//! The exit statuses of `hirace`, all in one place.
//!
//! | status | meaning                                                              |
//! | ------ | -------------------------------------------------------------------- |
//! | 0      | clean: nothing found (or only *possible* races and warnings)         |
//! | 1      | races or faults found (with `--strict`, possible races and warnings) |
//! |        | – or the status that `--error-exitcode` sets                         |
//! | 2      | could not check: bad input, compile error, crash, nothing monitored  |
//! | 130    | interrupted by Ctrl-C; the report covers what ran until then         |
//! | 143    | interrupted by SIGTERM; the report covers what ran until then        |
//!
//! `hirace fsm verify` and `fsm trace` exit with 1 if the machine is not exact.
//! A finding outweighs a failure: for a program that races and then crashes, the status is 1.
//!
//! After a signal the process dies of that signal, which shells show as 128 plus its number,
//! so that a calling script also stops (`toolchain::interrupt`).

use std::process::ExitCode;

use hirace_report::{Outcome, Report};

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Checked, and nothing definite found.
    Clean,
    /// At least one race or fault; for `hirace fsm`, a machine that is not exact.
    Races,
    /// At least one race or fault, with the status that `--error-exitcode` sets.
    Chosen(u8),
    /// It is unknown whether there are races.
    CouldNotCheck,
}

impl Exit {
    /// The outcome of a finished check.
    #[must_use]
    pub fn of(report: &Report, strict: bool) -> Self {
        match report.outcome(strict) {
            Outcome::Clean => Self::Clean,
            Outcome::Findings => Self::Races,
            Outcome::NotChecked => Self::CouldNotCheck,
        }
    }

    /// The exit status of the process.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Races => 1,
            Self::Chosen(number) => number,
            Self::CouldNotCheck => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}
