//! `--write-baseline`: the file of suppressions for what a report shows.

use super::target::Target;
use crate::cli::known::Known;
use hirace_model::error::Result;
use hirace_report::{Report, baseline};
use hirace_terminal::tell;

/// Where the suppressions go, if they are asked for.
pub(super) struct Baseline(Option<Target>);

impl Baseline {
    /// Finds the file writable.
    pub(super) fn open(known: &Known) -> Result<Self> {
        let target = known.write_baseline.as_deref().map(Target::open);
        Ok(Self(target.transpose()?))
    }

    /// Writes suppressions for all that a sound report shows.
    pub(super) fn write(self, report: &Report) -> Result<()> {
        let Some(target) = self.0 else { return Ok(()) };
        if report.failure.is_some() {
            tell("hirace: the baseline was not written, as the check did not go through\n");
            return Ok(());
        }
        target.write(&baseline(report))
    }
}
