//! The rules on a hierarchy with one more level.
//!
//! The paper names further levels of the hierarchy as extensions. With clusters, the
//! groups of blocks that share a barrier since Hopper (CUDA C++ programming guide,
//! "Thread Block Clusters"), the rules of the specification stay as they are; only the
//! names of the states are too few. So here the meanings themselves are the states.

mod common {
    pub mod tell;
}

use std::collections::HashMap;

use common::tell::tell;
use hirace_fsm::history::{Event, VectorClocks};
use hirace_fsm::spec::Meaning;
use hirace_fsm::{Access, Level};
use hirace_sample::random::Random;

/// Thread, warp, block, cluster, grid.
const LEVELS: usize = 5;
const GRID: usize = LEVELS - 1;
/// Threads in a group of each level.
const SIZES: [usize; LEVELS] = [1, 2, 4, 8, 16];

/// The machine's state after an access, `None` for a race.
///
/// Block-scope atomics cover the third level; those of device scope cover all.
fn next(meaning: Meaning, access: Access, barrier: usize, relation: usize) -> Option<Meaning> {
    let seen = meaning.moved(Level::at(barrier), Level::at(relation));
    (!seen.races_with(access)).then(|| seen.with(access))
}

/// The level of the closest group that two threads share.
fn relation(one: usize, other: usize) -> usize {
    (0..LEVELS)
        .find(|&level| one / SIZES[level] == other / SIZES[level])
        .expect("the grid holds all threads")
}

/// The word and the truth of one location.
struct Location {
    clocks: VectorClocks,
    accesses: Vec<(Event, Access)>,
    meaning: Meaning,
    recorded: usize,
    /// The widest barrier that the recorded thread has passed since.
    barrier: usize,
}

impl Location {
    fn new() -> Self {
        Self {
            clocks: VectorClocks::new(SIZES[GRID]),
            accesses: Vec::new(),
            meaning: Meaning::NOTHING,
            recorded: 0,
            barrier: 0,
        }
    }

    fn races(&self, thread: usize, access: Access) -> bool {
        self.accesses.iter().any(|&(event, earlier)| {
            let covers = |access: Access| match access {
                Access::BlockAtomic => relation(event.thread, thread) <= 2,
                Access::GridAtomic => true,
                Access::Read | Access::Write => false,
            };
            let both_read = earlier == Access::Read && access == Access::Read;
            let compatible = both_read || covers(earlier) && covers(access);
            event.thread != thread && !compatible && !self.clocks.is_before(event, thread)
        })
    }

    /// Returns whether the access raced; then it is not made.
    fn access(&mut self, thread: usize, access: Access) -> bool {
        let relation = relation(self.recorded, thread);
        let races = self.races(thread, access);
        let next = next(self.meaning, access, self.barrier, relation);
        assert_eq!(next.is_none(), races, "{:?}, {access}", self.accesses);
        if let Some(next) = next {
            self.meaning = next;
            self.recorded = thread;
            self.barrier = 0;
            self.accesses.push((self.clocks.tick(thread), access));
        }
        races
    }

    fn barrier(&mut self, thread: usize, level: usize) {
        let first = thread / SIZES[level] * SIZES[level];
        let members = first..first + SIZES[level];
        if members.contains(&self.recorded) {
            self.barrier = self.barrier.max(level);
        }
        self.clocks.barrier(members);
    }
}

#[test]
fn a_level_of_clusters_is_exact_too() {
    let mut random = Random::new(0);
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    let mut verdicts = [0; 2];
    for _ in 0..20_000 {
        let mut location = Location::new();
        for _ in 0..40 {
            let thread = below(SIZES[GRID]);
            match below(6) {
                // Every barrier but that of the whole grid, which starts a new epoch.
                kind @ (0 | 1) if kind < below(3) => location.barrier(thread, 1 + below(GRID - 1)),
                kind => {
                    let raced = location.access(thread, Access::ALL[kind % 4]);
                    verdicts[usize::from(raced)] += 1;
                }
            }
        }
    }
    tell!("with clusters: {verdicts:?} verdicts of no race and race agree");
    assert!(
        verdicts.iter().all(|&count| count > 100_000),
        "{verdicts:?}"
    );
}

/// How many states the machine needs on a hierarchy with this many levels.
fn minimal_states(levels: usize) -> usize {
    let inputs: Vec<_> = Access::ALL
        .into_iter()
        .flat_map(|access| (0..levels - 1).map(move |barrier| (access, barrier)))
        .flat_map(|(access, barrier)| (0..levels).map(move |relation| (access, barrier, relation)))
        .collect();

    // Place 0 is the race; each meaning that can arise gets the next place.
    let mut places = HashMap::from([(Meaning::NOTHING, 1)]);
    let mut successors = vec![vec![0; inputs.len()]];
    let mut found = vec![Meaning::NOTHING];
    let mut explored = 0;
    while let Some(&meaning) = found.get(explored) {
        let row = inputs.iter().map(|&(access, barrier, relation)| {
            // In the empty state there is no thread to compare with.
            let relation = if explored == 0 { 0 } else { relation };
            next(meaning, access, barrier, relation).map_or(0, |after| {
                *places.entry(after).or_insert_with(|| {
                    found.push(after);
                    found.len()
                })
            })
        });
        successors.push(row.collect());
        explored += 1;
    }

    // Moore's algorithm.
    let mut class: Vec<usize> = (0..successors.len()).map(|place| place.min(1)).collect();
    loop {
        let mut signatures = HashMap::new();
        let refined: Vec<usize> = (0..successors.len())
            .map(|place| {
                let after = successors[place].iter().map(|&next| class[next]);
                let signature: Vec<usize> = [class[place]].into_iter().chain(after).collect();
                let count = signatures.len();
                *signatures.entry(signature).or_insert(count)
            })
            .collect();
        if refined == class {
            return signatures.len();
        }
        class = refined;
    }
}

#[test]
fn each_level_adds_a_few_states() {
    let counts = [4, 5, 6].map(minimal_states);
    tell!("states needed on 4 to 6 levels: {counts:?}");
    // For n levels n² + n + 1. The machine of the device code has four levels.
    assert_eq!(counts, [21, 31, 43]);
}
