//! Options for known findings.

use std::path::{Path, PathBuf};

use clap::Args;

use super::headings::REPORTS;

/// Which findings to hide, and where to write a baseline.
#[derive(Debug, Args)]
pub struct Known {
    /// Hide findings that the suppressions in FILE match; repeatable
    ///
    /// A line has one or more terms, such as `kernel:scan`, `code:HR006 variable:debug_*` or
    /// `file:src/queue.cu`, all of which must match. The types are code, kernel, file, variable
    /// and fingerprint; patterns may contain the wildcards * ? [ab] {one,other}. Hidden findings
    /// are still counted. When a program is checked, the files that [report] suppressions in the
    /// configuration lists also apply.
    #[arg(long, value_name = "FILE", help_heading = REPORTS)]
    pub suppressions: Vec<PathBuf>,

    /// Write suppressions for all findings to FILE
    ///
    /// They match by fingerprint, which stays the same when lines move. If FILE is also one of the
    /// suppression files, it is not applied in this run, so that the new FILE is complete. The
    /// report and the exit status are as without this option. If the check fails, FILE stays as is.
    #[arg(long, value_name = "FILE", help_heading = REPORTS)]
    pub write_baseline: Option<PathBuf>,
}

impl Known {
    /// The suppression files that apply: `more` and those of the command line, but not the
    /// baseline that is being written.
    pub fn files<'a>(&'a self, more: impl Iterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let written = self.write_baseline.as_deref().map(canonical);
        let files = more.chain(&self.suppressions);
        files
            .filter(|file| Some(canonical(file)) != written)
            .cloned()
            .collect()
    }
}
