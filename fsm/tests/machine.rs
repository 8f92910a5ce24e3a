//! Facts about the table as a whole.

use hirace_fsm::emit::dot::CASES;
use hirace_fsm::minimize::Classes;
use hirace_fsm::table::{INPUTS, TRANSITIONS};
use hirace_fsm::{Access, Fields, Masks, Relation, State, Sync, Table, Transition};

fn next(state: State, access: Access, sync: Sync, relation: Relation) -> State {
    let transition = Transition {
        state,
        access,
        sync,
        relation,
    };
    Table::EXACT.next(transition)
}

/// Runs `check` on every state and access.
#[track_caller]
fn for_each(check: impl Fn(State, Access)) {
    for state in State::ALL {
        for access in Access::ALL {
            check(state, access);
        }
    }
}

#[test]
fn every_transition_is_defined() {
    assert_eq!(TRANSITIONS, 1200);
    assert_eq!(INPUTS, 48);
    let indices: Vec<_> = Transition::all().map(Transition::index).collect();
    assert_eq!(indices, (0..1200).collect::<Vec<_>>());
    for transition in Transition::all() {
        let Transition {
            state,
            access,
            sync,
            relation,
        } = transition;
        let next = hirace_fsm::next(state, access, sync, relation);
        assert_eq!(Table::EXACT.next(transition), next, "{transition}");
        assert_ne!(next, State::Init, "{transition}");
    }
}

#[test]
fn table_is_pinned() {
    // FNV-1a, 64 bits: no transition changes by accident.
    let digest = Table::EXACT
        .bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    assert_eq!(format!("{digest:016x}"), "3729803814c02daf");
}

#[test]
fn names_are_unique() {
    for state in State::ALL {
        assert_eq!(State::from_name(state.name()), Some(state));
        assert_eq!(state.identifier(), state.name().to_lowercase());
    }
    assert_eq!(State::from_name("NONE"), None);
}

#[test]
fn race_is_absorbing() {
    for transition in Transition::all().filter(|at| at.state == State::Race) {
        assert_eq!(Table::EXACT.next(transition), State::Race, "{transition}");
    }
}

#[test]
fn sync_is_irrelevant_across_blocks() {
    for_each(|state, access| {
        let [one, two, three] = Sync::ALL.map(|sync| next(state, access, sync, Relation::Grid));
        assert!(one == two && two == three, "{state} {access}");
    });
}

#[test]
fn warp_sync_is_irrelevant_across_warps() {
    for_each(|state, access| {
        let [none, warp, _] = Sync::ALL.map(|sync| next(state, access, sync, Relation::Block));
        assert_eq!(none, warp, "{state} {access}");
    });
}

#[test]
fn an_access_distinguishes_six_cases() {
    let mut seen = std::collections::HashSet::new();
    for (name, comparisons) in CASES {
        let (sync, relation) = comparisons[0];
        for &other in comparisons {
            assert!(seen.insert(other), "{other:?} is in two cases");
            for_each(|state, access| {
                let one = next(state, access, sync, relation);
                assert_eq!(next(state, access, other.0, other.1), one, "{name}");
            });
        }
    }
    assert_eq!(seen.len() * Access::ALL.len(), INPUTS);
}

#[test]
fn inputs_that_differ_number_22() {
    let mut columns: Vec<_> = (0..INPUTS)
        .map(|input| {
            let bytes = Table::EXACT.bytes();
            State::ALL.map(|state| bytes[state.index() * INPUTS + input])
        })
        .collect();
    columns.sort_unstable();
    columns.dedup();
    assert_eq!(columns.len(), 22);
}

#[test]
fn minimises_to_21_states() {
    let groups = Classes::of(&Table::EXACT).groups();
    assert_eq!(groups.len(), 21);
    let merged: Vec<_> = groups.into_iter().filter(|group| group.len() > 1).collect();
    assert_eq!(
        merged,
        [
            vec![State::BSync, State::BwSync],
            vec![State::BAtomB, State::BSyncAtomB],
            vec![State::BAtomW, State::BSyncAtomW],
            vec![State::BSyncAtom, State::BAtom],
        ]
    );
}

#[test]
fn kept_fields_are_pinned() {
    let masks = Masks::of(&Table::EXACT);
    let group = |keep: Fields| {
        let states = State::ALL.into_iter();
        let kept = states.filter(move |state| masks.keep(*state) == keep);
        kept.map(State::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(group(Fields::NONE), "INIT GREAD GATOM_G RACE");
    assert_eq!(
        group(Fields::BLOCK.union(Fields::BLOCK_CLOCK)),
        "BREAD B_MR_BSYNC BATOM_B GATOM_B BSYNC_ATOM_B"
    );
    assert_eq!(
        group(Fields::ALL.without(Fields::LANE)),
        "WREAD MR_WSYNC W_MR_BWSYNC BATOM_W WSYNC_ATOM_M GATOM_W BSYNC_ATOM_W"
    );
    assert_eq!(
        group(Fields::ALL),
        "READ WRITE WSYNC BSYNC BWSYNC WSYNC_ATOM BSYNC_ATOM BATOM GATOM"
    );
}

#[test]
fn equivalent_states_keep_the_same() {
    let masks = Masks::of(&Table::EXACT);
    for group in Classes::of(&Table::EXACT).groups() {
        for &state in &group {
            assert_eq!(masks.keep(state), masks.keep(group[0]), "{state}");
        }
    }
}

#[test]
fn every_kept_field_is_needed() {
    let masks = Masks::of(&Table::EXACT);
    let classes = Classes::of(&Table::EXACT);
    // A state's verdicts must be a function of the fields that it keeps, and need all of them.
    let determined = |state: State, keep: Fields| {
        Access::ALL.into_iter().all(|access| {
            Fields::SUBSETS.into_iter().all(|equal| {
                let after = |equal: Fields| {
                    let (sync, relation) = equal.observe();
                    next(state, access, sync, relation)
                };
                let dropped = Fields::ALL.without(keep);
                classes.equivalent(after(equal), after(equal.without(dropped)))
            })
        })
    };
    for state in State::ALL {
        let keep = masks.keep(state);
        assert!(determined(state, keep), "{state}: {keep}");
        for (field, name) in Fields::EACH {
            if keep.contains(field) {
                assert!(!determined(state, keep.without(field)), "{state}: {name}");
            }
        }
    }
}
