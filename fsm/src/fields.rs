//! The fields of a shadow word that still matter in a state.
//!
//! The word contains the state and the identity and clocks of the recorded thread. Every access
//! rewrites all of it, for the thread of the latest access, and then sets the fields that do not
//! matter in the new state to zero. Repeated accesses of one kind then leave the word unchanged,
//! and an unchanged word needs no store.
//!
//! # Why that is safe
//! A field affects a transition only through one comparison with the current thread's value. For a
//! field that was set to zero, the outcome of that comparison carries no information. The masks
//! keep each field for which flipping the outcome of its comparison leads to a different verdict,
//! now or later, for some access and some outcomes of the other four comparisons. The result then
//! depends only on the kept comparisons, whatever the outcomes of the dropped ones, because any set
//! of dropped outcomes turns into any other by flips of one at a time. The fields of the new word
//! are those of the current thread and never come from the old word, so nothing that was dropped is
//! needed again.
//!
//! # Invariants
//! - The machine with masks is exact. Test: `exact_with_masked_words`.
//! - Equivalent states keep the same fields. Test: `equivalent_states_keep_the_same`.
//! - Each kept field is needed. Test: `every_kept_field_is_needed`.

use crate::alphabet::{Access, Relation, State, Sync};
use crate::minimize::Classes;
use crate::table::{Table, Transition};

/// A set of fields of the shadow word.
///
/// It is also the outcome of a comparison: the fields that are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields(u8);

impl Fields {
    /// No field.
    pub const NONE: Self = Self(0);
    /// The thread's number within its warp.
    pub const LANE: Self = Self(1);
    /// The warp's number within its block.
    pub const WARP: Self = Self(1 << 1);
    /// The block's number.
    pub const BLOCK: Self = Self(1 << 2);
    /// The number of block barriers passed.
    pub const BLOCK_CLOCK: Self = Self(1 << 3);
    /// The number of warp barriers passed.
    pub const WARP_CLOCK: Self = Self(1 << 4);
    /// Every field.
    pub const ALL: Self = Self((1 << 5) - 1);

    /// Each field alone, with its name in the device headers.
    pub const EACH: [(Self, &'static str); 5] = [
        (Self::LANE, "lane"),
        (Self::WARP, "warp"),
        (Self::BLOCK, "block"),
        (Self::BLOCK_CLOCK, "block_clock"),
        (Self::WARP_CLOCK, "warp_clock"),
    ];

    /// Bit 0 lane, 1 warp, 2 block, 3 block clock, 4 warp clock.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `fields` are in the set.
    #[must_use]
    pub const fn contains(self, fields: Self) -> bool {
        self.0 & fields.0 == fields.0
    }

    /// The fields in either set.
    #[must_use]
    pub const fn union(self, fields: Self) -> Self {
        Self(self.0 | fields.0)
    }

    /// The fields that are not in `fields`.
    #[must_use]
    pub const fn without(self, fields: Self) -> Self {
        Self(self.0 & !fields.0)
    }

    /// Every subset of the five fields, in the order of their bits.
    pub const SUBSETS: [Self; 1 << 5] = {
        let mut subsets = [Self::NONE; 1 << 5];
        let mut bits = 0;
        while bits < subsets.len() {
            subsets[bits] = Self(bits as u8);
            bits += 1;
        }
        subsets
    };

    /// The observation of a thread that compares its own word with the recorded one and finds these
    /// fields equal.
    #[must_use]
    pub const fn observe(self) -> (Sync, Relation) {
        let relation = if !self.contains(Self::BLOCK) {
            Relation::Grid
        } else if !self.contains(Self::WARP) {
            Relation::Block
        } else if !self.contains(Self::LANE) {
            Relation::Warp
        } else {
            Relation::Same
        };
        let sync = if !self.contains(Self::BLOCK_CLOCK) {
            Sync::Block
        } else if !self.contains(Self::WARP_CLOCK) {
            Sync::Warp
        } else {
            Sync::None
        };
        (sync, relation)
    }
}

impl std::fmt::Display for Fields {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match *self {
            Self::NONE => "nothing".to_owned(),
            Self::ALL => "everything".to_owned(),
            some => {
                let names = Self::EACH.iter().filter(|(field, _)| some.contains(*field));
                let names: Vec<_> = names.map(|(_, name)| name.replace('_', " ")).collect();
                names.join(", ")
            }
        };
        formatter.pad(&text)
    }
}

/// The fields that each state keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    keep: [Fields; State::ALL.len()],
}

impl Masks {
    /// Every field in every state.
    pub const FULL: Self = Self {
        keep: [Fields::ALL; State::ALL.len()],
    };

    /// The smallest masks for a table.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let classes = Classes::of(table);
        Self {
            keep: State::ALL.map(|state| {
                Fields::EACH
                    .iter()
                    .filter(|(field, _)| matters(table, &classes, state, *field))
                    .fold(Fields::NONE, |kept, (field, _)| kept.union(*field))
            }),
        }
    }

    /// The same masks, with some fields kept in every state.
    #[must_use]
    pub fn with(self, fields: Fields) -> Self {
        Self {
            keep: self.keep.map(|kept| kept.union(fields)),
        }
    }

    /// The same masks, but `state` keeps just these fields.
    #[must_use]
    pub fn keeping(mut self, state: State, fields: Fields) -> Self {
        self.keep[state.index()] = fields;
        self
    }

    /// The fields that `state` keeps.
    #[must_use]
    pub const fn keep(&self, state: State) -> Fields {
        self.keep[state.index()]
    }
}

/// Whether flipping the comparison of one field can change a verdict.
fn matters(table: &Table, classes: &Classes, state: State, field: Fields) -> bool {
    Access::ALL.into_iter().any(|access| {
        Fields::SUBSETS.into_iter().any(|equal| {
            let after = |equal: Fields| {
                let (sync, relation) = equal.observe();
                table.next(Transition {
                    state,
                    access,
                    sync,
                    relation,
                })
            };
            !classes.equivalent(after(equal.union(field)), after(equal.without(field)))
        })
    })
}
