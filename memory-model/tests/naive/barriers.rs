//! Threads that wait at a barrier forever.

use crate::judge::Facts;
use crate::program::Program;
use crate::run::{Event, Kind};

/// A use of a barrier: whether it only arrives, its number, its phase, and its event.
type Use = (bool, i64, usize, usize);

/// "bar": a wait without a count is over when all threads of the block have come to it; threads that
/// have ended do not count. For each thread, the event at which it waits forever.
pub fn deadlock(program: &Program, events: &[Event]) -> Vec<Option<usize>> {
    let uses: Vec<Vec<Use>> = (0..program.threads.len())
        .map(|thread| {
            let own = events.iter().enumerate();
            let own = own.filter(|(_, it)| it.thread == Some(thread));
            own.filter_map(|(number, it)| barrier(number, it)).collect()
        })
        .collect();
    let mut next = vec![0; uses.len()];
    loop {
        let before = next.clone();
        for thread in 0..uses.len() {
            let Some(&(arrives, number, phase, _)) = uses[thread].get(next[thread]) else {
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
            let stops = next.iter().zip(&uses);
            return stops
                .map(|(next, uses)| uses.get(*next).map(|it| it.3))
                .collect();
        }
    }
}

fn barrier(number_of_event: usize, event: &Event) -> Option<Use> {
    match event.kind {
        Kind::Barrier {
            arrive,
            number,
            phase,
        } => Some((arrive, number, phase, number_of_event)),
        _ => None,
    }
}

impl Facts<'_> {
    /// "Memory Synchronization" by barriers.
    pub fn by_barrier(&self, a: usize, b: usize) -> bool {
        let barrier = |event: usize| match self.events[event].kind {
            Kind::Barrier {
                arrive,
                number,
                phase,
            } => Some((arrive, number, phase)),
            _ => None,
        };
        let (Some(from), Some(to)) = (barrier(a), barrier(b)) else {
            return false;
        };
        let same = (from.1, from.2) == (to.1, to.2) && self.same_block(a, b);
        same && !to.0 && self.events[a].thread != self.events[b].thread
    }
}
