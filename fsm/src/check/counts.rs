//! How much a check looked at, so that a vacuous one shows.

use crate::table::Transition;

/// How much a successful check looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Different situations, up to renaming of threads, warps and blocks.
    pub situations: usize,
    /// Verdicts compared: accesses from each situation, times the outcomes of the
    /// comparisons of clocks and identities.
    pub verdicts: usize,
    /// For each transition, by its index.
    pub(super) reached: Vec<bool>,
}

impl Counts {
    /// Whether the check came through this transition of the table.
    #[must_use]
    pub fn reached(&self, transition: Transition) -> bool {
        self.reached[transition.index()]
    }

    /// How many of the 1200 transitions the check came through.
    #[must_use]
    pub fn transitions_reached(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }
}
