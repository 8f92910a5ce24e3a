//! The path of a location through the state machine, as far as a race reveals it.
//!
//! The transition at which the race was found is known from the run. How the location reached the
//! previous state is not. If the first of the two accesses alone leads there, that is the path;
//! otherwise other accesses took part, and the page says so.

use hirace_fsm::spec::Meaning;
use hirace_fsm::{
    Access, Exposure, Fields, Level, Masks, Relation, State, Sync, Table, Transition,
};
use serde::Serialize;

use crate::model::{self, AccessKind, Race};
use crate::phrases::verb;

/// The path to the race, and alternatives that avoid it.
#[derive(Serialize)]
pub(super) struct Path {
    steps: Vec<Step>,
    /// How the steps may differ from the run, if they may.
    note: Option<&'static str>,
    /// The last access after a barrier.
    alternatives: Vec<Step>,
}

/// A state, and the event that led to it.
#[derive(Serialize)]
struct Step {
    /// The access or the barrier; none for the first state.
    by: Option<String>,
    state: &'static str,
    means: String,
}

/// The codes of races that depend on nothing but the accesses and their threads.
const OF_MACHINE: [&str; 7] = [
    "HR001", "HR002", "HR003", "HR004", "HR005", "HR006", "HR007",
];

/// The path of a race; `None` if the machine has none.
pub(super) fn path(race: &Race) -> Option<Path> {
    let [first, second] = race.accesses.each_ref().map(|end| folded(end.access));
    let after_first = hirace_fsm::next(State::Init, first, Sync::None, Relation::Same);
    let alone = Transition {
        state: after_first,
        access: second,
        sync: Sync::None,
        relation: relation(race.relation)?,
    };
    let recorded = race.transition.as_deref().and_then(Transition::from_name);
    // What kept synchronisation from working is beyond the machine.
    if recorded.is_none() && !OF_MACHINE.contains(&race.code.as_ref()) {
        return None;
    }
    let last = recorded.unwrap_or(alone);
    if next(last) != State::Race {
        return None;
    }
    let by_first = last.state == after_first;
    let by = if by_first {
        format!("(1) {}", verb(&race.accesses[0]))
    } else {
        format!("(1) {} and other accesses", verb(&race.accesses[0]))
    };
    Some(Path {
        steps: vec![
            Step::to(State::Init, None),
            Step::to(last.state, Some(by)),
            Step::to(State::Race, Some(found_at(last, &race.accesses[1]))),
        ],
        note: match recorded {
            None => Some("What the two accesses alone lead to; the run did not record its states."),
            Some(_) if by_first => None,
            Some(_) => Some("Which other accesses came before is not recorded."),
        },
        alternatives: alternatives(last),
    })
}

impl Step {
    fn to(state: State, by: Option<String>) -> Self {
        Self {
            by,
            state: state.name(),
            means: means(state),
        }
    }
}

fn next(transition: Transition) -> State {
    Table::EXACT.next(transition)
}

/// The states after the last access if a barrier came before it.
fn alternatives(last: Transition) -> Vec<Step> {
    let barriers = [
        (Sync::Warp, "__syncwarp()"),
        (Sync::Block, "__syncthreads()"),
    ];
    let sides = barriers.into_iter().filter_map(|(sync, call)| {
        let state = next(Transition { sync, ..last });
        // Clocks of different blocks are not comparable.
        let orders = state != State::Race && last.relation != Relation::Grid;
        orders.then(|| Step::to(state, Some(format!("after `{call}`"))))
    });
    sides.collect()
}

/// The last access as the machine sees it: compared with the access before it.
fn found_at(last: Transition, access: &model::Access) -> String {
    let kept = Masks::of(&Table::EXACT).keep(last.state);
    let keeps = |field| kept.contains(field);
    let who = match last.relation {
        Relation::Grid if keeps(Fields::BLOCK) => ", by another block",
        _ if !keeps(Fields::BLOCK) => "",
        _ if !keeps(Fields::WARP) => ", by the same block",
        Relation::Block => ", by another warp",
        _ if !keeps(Fields::LANE) => ", by the same warp",
        Relation::Warp => ", by another lane",
        Relation::Same | Relation::Grid => "",
    };
    let barrier = match (last.relation, last.sync) {
        (Relation::Grid, _) | (_, Sync::Block) => "",
        _ if !keeps(Fields::BLOCK_CLOCK) => "",
        (Relation::Block, _) => ", no block barrier since",
        _ if !keeps(Fields::WARP_CLOCK) => ", no block barrier since",
        (_, Sync::Warp) => ", only a warp barrier since",
        (_, Sync::None) => ", no barrier since",
    };
    format!("(2) {}{who}{barrier}", verb(access))
}

/// The accesses that a state represents.
fn means(state: State) -> String {
    let Some(meaning) = Meaning::of(state) else {
        return "two unordered accesses".to_owned();
    };
    let atomics = meaning.block_atomics.union(meaning.grid_atomics);
    let sets = [
        ("writes", meaning.writes),
        ("reads", meaning.reads),
        ("atomics", atomics),
    ];
    let words = sets
        .into_iter()
        .filter_map(|(what, exposure)| Some(format!("{what} {}", extent(exposure)?)));
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        return "no access yet".to_owned();
    }
    words.join(", then ")
}

fn extent(exposure: Exposure) -> Option<&'static str> {
    let names = [
        (Exposure::before(Level::BLOCK), "closed by a block barrier"),
        (Exposure::before(Level::WARP), "closed by a warp barrier"),
        (Exposure::OPEN, "by one thread"),
        (Exposure::across(Level::WARP), "by several lanes of a warp"),
        (
            Exposure::across(Level::BLOCK),
            "by several warps of a block",
        ),
        (Exposure::across(Level::GRID), "by several blocks"),
    ];
    let named = names.into_iter().find(|(it, _)| *it == exposure)?;
    Some(named.1)
}

/// The kind of access that the machine distinguishes.
fn folded(access: AccessKind) -> Access {
    match access {
        AccessKind::Read => Access::Read,
        AccessKind::Write | AccessKind::Update => Access::Write,
        AccessKind::BlockAtomic => Access::BlockAtomic,
        AccessKind::DeviceAtomic | AccessKind::VolatileRead | AccessKind::VolatileWrite => {
            Access::GridAtomic
        }
    }
}

/// `None` for different launches and the host: the machine covers one launch at a time.
fn relation(relation: model::Relation) -> Option<Relation> {
    match relation {
        model::Relation::Warp => Some(Relation::Warp),
        model::Relation::Block => Some(Relation::Block),
        model::Relation::Grid => Some(Relation::Grid),
        model::Relation::Launch | model::Relation::Host => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    /// The path of a race between an update and an access of that kind, with a transition.
    fn path_of(second: AccessKind, transition: Option<&str>) -> Option<Path> {
        let text = include_str!("../../../../tests/formats/expected/race_shared_struct.json");
        let mut report = read::parse("known", text).expect("a report");
        let race = &mut report.races[0];
        race.accesses[1].access = second;
        race.transition = transition.map(str::to_owned);
        path(race)
    }

    #[track_caller]
    fn check(second: AccessKind, transition: Option<&str>, expected: &[&str]) {
        let path = path_of(second, transition).expect("a path");
        let line = |step: &Step| format!("{}: {}", step.by.as_deref().unwrap_or("-"), step.state);
        let out = path
            .alternatives
            .iter()
            .map(|step| format!("or {}", line(step)));
        let lines: Vec<_> = path.steps.iter().map(line).chain(out).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn as_the_run_recorded_it() {
        check(
            AccessKind::Read,
            Some("WRITE,R,U,W"),
            &[
                "-: INIT",
                "(1) read and write: WRITE",
                "(2) read, by another lane, no barrier since: RACE",
                "or after `__syncwarp()`: WSYNC",
                "or after `__syncthreads()`: BSYNC",
            ],
        );
    }

    #[test]
    fn as_far_as_the_word_remembers() {
        // It keeps its block and the block's clock, so the rest of the input is noise.
        check(
            AccessKind::Write,
            Some("BSYNC_ATOM_B,W,W,S"),
            &[
                "-: INIT",
                "(1) read and write and other accesses: BSYNC_ATOM_B",
                "(2) write, by the same block, no block barrier since: RACE",
                "or after `__syncthreads()`: WRITE",
            ],
        );
        check(
            AccessKind::Write,
            Some("GREAD,W,B,S"),
            &[
                "-: INIT",
                "(1) read and write and other accesses: GREAD",
                "(2) write: RACE",
            ],
        );
    }

    #[test]
    fn as_the_two_accesses_alone_lead_to_it() {
        let path = path_of(AccessKind::Read, None).expect("a path");
        assert!(path.note.is_some());
        check(
            AccessKind::Read,
            None,
            &[
                "-: INIT",
                "(1) read and write: WRITE",
                "(2) read, by another warp, no block barrier since: RACE",
                "or after `__syncthreads()`: BSYNC",
            ],
        );
    }

    #[test]
    fn what_is_no_race_of_the_machine_has_no_path() {
        assert!(path_of(AccessKind::Read, Some("WRITE,R,B,B")).is_none());
    }
}
