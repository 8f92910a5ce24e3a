//! Threads that wait at a barrier for ever.

use crate::program::Program;
use crate::run::{Event, Kind};

/// A use of a barrier: whether it only arrives, its number, and its phase.
type Use = (bool, i64, usize);

/// "bar": a wait without a count is over when all threads of the block have come to it. Whether
/// some thread never gets there; threads that have ended do not count.
pub fn deadlock(program: &Program, events: &[Event]) -> bool {
    let uses: Vec<Vec<Use>> = (0..program.threads.len())
        .map(|thread| {
            let own = events.iter().filter(|it| it.thread == Some(thread));
            own.filter_map(barrier).collect()
        })
        .collect();
    let mut next = vec![0; uses.len()];
    loop {
        let before = next.clone();
        for thread in 0..uses.len() {
            let Some(&(arrives, number, phase)) = uses[thread].get(next[thread]) else {
                continue;
            };
            let there = |other: usize| {
                let (one, two) = (&program.threads[thread], &program.threads[other]);
                let other_block = (one.gpu, one.cta) != (two.gpu, two.cta);
                let mut reached = uses[other].iter().take(next[other] + 1);
                let ended = next[other] == uses[other].len();
                other_block || ended || reached.any(|it| (it.1, it.2) == (number, phase))
            };
            if arrives || (0..uses.len()).all(there) {
                next[thread] += 1;
            }
        }
        if next == before {
            return next
                .iter()
                .zip(&uses)
                .any(|(next, uses)| *next < uses.len());
        }
    }
}

fn barrier(event: &Event) -> Option<Use> {
    match event.kind {
        Kind::Barrier {
            arrive,
            number,
            phase,
        } => Some((arrive, number, phase)),
        _ => None,
    }
}
