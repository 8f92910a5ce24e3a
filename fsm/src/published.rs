//! The differences between the exact machine and the table that the paper's authors published.

use crate::alphabet::{Access, Relation, State, Sync};
use crate::spec;
use crate::table::Transition;

/// A transition whose published value is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The transition.
    pub transition: Transition,
    /// The next state in the published table.
    pub published: State,
    /// The next state that makes the machine exact.
    pub exact: State,
}

/// Every transition that differs from the published table.
///
/// Tests: `each_published_entry_breaks_exactness` shows that each is needed,
/// `equals_published_table_but_for_the_deviations` that there is no other.
pub const DEVIATIONS: [Deviation; 15] = {
    use Access::{BlockAtomic, GridAtomic};
    use State::{BAtom, BAtomB, BSyncAtom, Read, WSyncAtom, WSyncAtomM, Write};
    [
        at(Read, BlockAtomic, Sync::Warp, Relation::Same).is(Write, WSyncAtom),
        at(Read, BlockAtomic, Sync::Warp, Relation::Warp).is(Write, WSyncAtom),
        at(Read, BlockAtomic, Sync::Block, Relation::Same).is(Write, BSyncAtom),
        at(Read, BlockAtomic, Sync::Block, Relation::Warp).is(Write, BSyncAtom),
        at(Read, BlockAtomic, Sync::Block, Relation::Block).is(Write, BSyncAtom),
        at(Read, GridAtomic, Sync::Warp, Relation::Same).is(Write, WSyncAtom),
        at(Read, GridAtomic, Sync::Warp, Relation::Warp).is(Write, WSyncAtom),
        at(Read, GridAtomic, Sync::Block, Relation::Same).is(Write, BSyncAtom),
        at(Read, GridAtomic, Sync::Block, Relation::Warp).is(Write, BSyncAtom),
        at(Read, GridAtomic, Sync::Block, Relation::Block).is(Write, BSyncAtom),
        at(BAtomB, BlockAtomic, Sync::Block, Relation::Same).is(BAtomB, BAtom),
        at(BAtomB, BlockAtomic, Sync::Block, Relation::Warp).is(BAtomB, BAtom),
        at(BAtomB, GridAtomic, Sync::Block, Relation::Same).is(BAtomB, BAtom),
        at(BAtomB, GridAtomic, Sync::Block, Relation::Warp).is(BAtomB, BAtom),
        at(WSyncAtom, GridAtomic, Sync::None, Relation::Warp).is(WSyncAtom, WSyncAtomM),
    ]
};

const fn at(state: State, access: Access, sync: Sync, relation: Relation) -> Transition {
    Transition {
        state,
        access,
        sync,
        relation,
    }
}

impl Transition {
    const fn is(self, published: State, exact: State) -> Deviation {
        Deviation {
            transition: self,
            published,
            exact,
        }
    }
}

/// The next state in the published table.
#[must_use]
pub fn published_next(transition: Transition) -> State {
    DEVIATIONS
        .iter()
        .find(|deviation| deviation.transition == transition)
        .map_or_else(
            || {
                spec::next(
                    transition.state,
                    transition.access,
                    transition.sync,
                    transition.relation,
                )
            },
            |deviation| deviation.published,
        )
}
