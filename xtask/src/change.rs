//! Which files a change touches, as git tells.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::capture;

/// Files that differ from a commit, relative to the root. Untracked files count; without git, no
/// file does.
#[derive(Debug, Default)]
pub struct Change(BTreeSet<PathBuf>);

impl Change {
    /// What differs from the commit `base`.
    #[must_use]
    pub fn since(base: &str) -> Self {
        let changed = git(&["diff", "--name-only", "--no-renames", base]);
        let added = git(&["ls-files", "--others", "--exclude-standard"]);
        let lines = changed.lines().chain(added.lines());
        Self(lines.map(PathBuf::from).collect())
    }

    /// What is not committed, if anything is.
    #[must_use]
    pub fn not_committed() -> Option<Self> {
        let change = Self::since("HEAD");
        (!change.0.is_empty()).then_some(change)
    }

    /// What changed in the day before the last commit, and since then.
    #[must_use]
    pub fn of_a_day() -> Self {
        let last = git(&["log", "-1", "--format=%ct"]);
        let Ok(last) = last.trim().parse::<u64>() else {
            return Self::default();
        };
        let day_before = format!("--before={}", last.saturating_sub(86_400));
        let base = git(&["rev-list", "-1", &day_before, "HEAD"]);
        match base.trim() {
            // All of the history that is here is younger.
            "" => Self::default(),
            base => Self::since(base),
        }
    }

    /// Whether it touches this file.
    #[must_use]
    pub fn touches(&self, file: &Path) -> bool {
        self.0.contains(file)
    }

    /// The files in this folder.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a Path> {
        let files = self.0.iter().map(PathBuf::as_path);
        files.filter(move |file| file.starts_with(folder))
    }
}

impl FromIterator<PathBuf> for Change {
    fn from_iter<I: IntoIterator<Item = PathBuf>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

/// What git prints; empty if it fails.
fn git(arguments: &[&str]) -> String {
    let output = capture(
        Command::new("git")
            .args(arguments)
            .current_dir(crate::root()),
    );
    match output {
        Ok(output) if output.success => output.text,
        _ => String::new(),
    }
}
