//! The extent of a check, so that a vacuous check is noticed.

use crate::table::Transition;

/// The extent of a successful check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Different situations, up to renaming of threads, warps and blocks.
    pub situations: usize,
    /// Verdicts compared: accesses from each situation, times the outcomes of the comparisons of
    /// clocks and identities.
    pub verdicts: usize,
    /// Whether each transition, by its index, was reached.
    pub(super) reached: Vec<bool>,
}

impl Counts {
    /// Whether the check reached this transition of the table.
    #[must_use]
    pub fn reached(&self, transition: Transition) -> bool {
        self.reached[transition.index()]
    }

    /// The number of the 1200 transitions that the check reached.
    #[must_use]
    pub fn transitions_reached(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }
}
