//! Counting what was checked.

/// The checks of one step, or of several added up.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that failed, each by its name.
    pub failed: Vec<String>,
    /// Checks that could not be made, each with the reason.
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

    /// One check that could not be made. Says so at once, where it happens.
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

    /// One word for all of it.
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
