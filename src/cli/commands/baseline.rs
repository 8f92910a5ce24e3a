//! `--write-baseline`: the file of suppressions for a report's findings.

use super::target::Target;
use crate::cli::known::Known;
use hirace_model::error::Result;
use hirace_report::{Report, baseline};
use hirace_terminal::tell;

/// The file to write the suppressions to, if one is named.
pub(super) struct Baseline(Option<Target>);

impl Baseline {
    /// Opens the file, so that an unwritable one is reported early.
    pub(super) fn open(known: &Known) -> Result<Self> {
        let target = known.write_baseline.as_deref().map(Target::open);
        Ok(Self(target.transpose()?))
    }

    /// Writes suppressions for all findings, unless the check failed.
    pub(super) fn write(self, report: &Report) -> Result<()> {
        let Some(target) = self.0 else { return Ok(()) };
        if !report.is_whole() {
            tell("hirace: the baseline was not written, because the check failed\n");
            return Ok(());
        }
        target.write(baseline(report))
    }
}
