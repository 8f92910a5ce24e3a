//! Counts checks and their results.

/// The checks of one step, or of several added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// The names of the checks that failed.
    pub failed: Vec<String>,
    /// The reasons for the checks that could not run.
    pub skipped: Vec<String>,
}

impl Tally {
    /// One check that passed.
    pub fn pass() -> Self {
        Self {
            passed: 1,
            ..Self::default()
        }
    }

    /// One check that failed.
    pub fn fail(name: impl Into<String>) -> Self {
        Self {
            failed: vec![name.into()],
            ..Self::default()
        }
    }

    /// One check that could not run. Prints the reason immediately.
    pub fn skip(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        println!("skipped: {reason}");
        Self {
            skipped: vec![reason],
            ..Self::default()
        }
    }

    /// Adds the checks of `other`.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
        self.skipped.extend(other.skipped);
    }

    /// One word for the result.
    pub fn verdict(&self) -> &'static str {
        if !self.failed.is_empty() {
            "failed"
        } else if self.passed == 0 && !self.skipped.is_empty() {
            "skipped"
        } else {
            "ok"
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed,
            self.failed.len(),
            self.skipped.len()
        )
    }
}
