//! The possible outcomes when a thread compares its word with the recorded one.

use crate::alphabet::{Relation, Sync};
use crate::fields::Fields;

/// The facts that determine the comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    /// The closest common group of the two threads; `None` without a recorded one.
    pub(super) relation: Option<Relation>,
    /// Since the latest access, its thread passed a warp barrier.
    pub(super) warp_barrier: bool,
    /// Since the latest access, its thread passed a block barrier.
    pub(super) block_barrier: bool,
}

impl Comparison {
    /// The possible observations, if the recorded word contains only the fields in `keep`.
    pub(super) fn observations(
        self,
        keep: Fields,
    ) -> impl Iterator<Item = (Sync, Relation)> + Clone {
        let (equal, known) = self.fields();
        let certain = known.bits() & keep.bits();
        let possible = POSSIBLE[equal.bits() as usize][certain as usize];
        Relation::ALL
            .into_iter()
            .flat_map(|relation| Sync::ALL.map(|sync| (sync, relation)))
            .filter(move |&seen| possible & 1 << observation_index(seen) != 0)
    }

    /// The fields in which the two words are equal, and those for which the comparison is
    /// determined.
    fn fields(self) -> (Fields, Fields) {
        let Some(relation) = self.relation else {
            return (Fields::NONE, Fields::NONE);
        };
        let mut equal = Fields::NONE;
        let mut known = Fields::BLOCK;
        if relation <= Relation::Block {
            equal = equal.union(Fields::BLOCK);
            known = known.union(Fields::WARP).union(Fields::BLOCK_CLOCK);
            if !self.block_barrier {
                equal = equal.union(Fields::BLOCK_CLOCK);
            }
        }
        if relation <= Relation::Warp {
            equal = equal.union(Fields::WARP);
            known = known.union(Fields::LANE);
            // A block barrier may reset the warp clock to any earlier value.
            if !self.block_barrier {
                known = known.union(Fields::WARP_CLOCK);
                if !self.warp_barrier {
                    equal = equal.union(Fields::WARP_CLOCK);
                }
            }
        }
        if relation == Relation::Same {
            equal = equal.union(Fields::LANE);
        }
        (equal, known)
    }
}

const fn observation_index((sync, relation): (Sync, Relation)) -> usize {
    relation.index() * Sync::ALL.len() + sync.index()
}

/// The possible observations, one bit each, for the fields that are equal and those for which that
/// is certain.
static POSSIBLE: [[u16; Fields::SUBSETS.len()]; Fields::SUBSETS.len()] = {
    let count = Fields::SUBSETS.len();
    let mut possible = [[0; Fields::SUBSETS.len()]; Fields::SUBSETS.len()];
    let mut index = 0;
    while index < count * count * count {
        let (equal, certain, outcome) =
            (index / count / count, index / count % count, index % count);
        if (outcome ^ equal) & certain == 0 {
            let seen = observation_index(Fields::SUBSETS[outcome].observe());
            possible[equal][certain] |= 1 << seen;
        }
        index += 1;
    }
    possible
};
