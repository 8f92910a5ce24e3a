//! Options about findings that are known.

use std::path::{Path, PathBuf};

use clap::Args;

/// Findings to hide, and where to write those that are found.
#[derive(Debug, Args)]
pub struct Known {
    /// Hide findings that the suppressions in FILE match; repeatable
    ///
    /// A line holds terms such as `kernel:scan`, `code:HR006 variable:debug_*` or
    /// `file:src/queue.cu`, all of which have to match; the types are code, kernel, file,
    /// variable and fingerprint, and patterns may hold the wildcards * ? [ab] {one,other}. What
    /// is hidden is counted all the same. When programs are checked, the files that [report]
    /// suppressions in the configuration names apply, too.
    #[arg(long, value_name = "FILE")]
    pub suppressions: Vec<PathBuf>,

    /// Write suppressions for all that is found to FILE
    ///
    /// They go by fingerprints, which are the same after lines have moved. A FILE that is one
    /// of the suppressions does not apply now, so that it is written afresh. The
    /// report and the exit status are as without this option; where a check did not go
    /// through, FILE stays as it is.
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

impl Known {
    /// The files of suppressions that apply: `more`, and those of the command line.
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
