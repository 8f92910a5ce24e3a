//! The exit statuses of `hirace`, all in one place.
//!
//! | status | meaning                                                              |
//! | ------ | -------------------------------------------------------------------- |
//! | 0      | clean: checked, and nothing found (or only *possible* races)         |
//! | 1      | races or faults found (with `--strict`, possible races and warnings) |
//! |        | – or what `--error-exitcode` says                                    |
//! | 2      | could not check: bad input, compile error, crash, nothing monitored  |
//! | 130    | interrupted by Ctrl-C; the report is of what had run by then         |
//! | 143    | the same by SIGTERM                                                  |
//!
//! `hirace fsm verify` and `fsm trace` end with 1 where the machine is not exact.
//! A finding outweighs a failure: a program that races and then crashes ends with 1.
//!
//! After a signal the process dies of that signal, which shells show as 128 and its number,
//! so that a script around it ends, too (`toolchain::interrupt`).

use std::process::ExitCode;

use hirace_report::{Report, Severity, Status};

/// How `hirace` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Checked, and nothing definite found.
    Clean,
    /// At least one race or fault; for `hirace fsm`, a machine that is not exact.
    Races,
    /// The same, with the number that `--error-exitcode` names.
    Chosen(u8),
    /// The question whether there are races has no answer.
    CouldNotCheck,
}

impl Exit {
    /// The status of a finished check.
    #[must_use]
    pub fn of(report: &Report, strict: bool) -> Self {
        let warned = (report.faults.iter()).any(|fault| fault.severity == Severity::Warning);
        match report.status {
            Status::Races | Status::Faults => Self::Races,
            Status::Possible if strict => Self::Races,
            Status::Clean if strict && warned => Self::Races,
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
