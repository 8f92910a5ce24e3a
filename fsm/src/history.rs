//! The truth about races in full: every access, and a vector clock per thread.
//!
//! It abstracts from nothing and forgets nothing, so it is the simplest form of the definition, but
//! slow and large. [`check`](crate::check) searches with a compressed form of it, and its tests
//! compare the two. This form also judges the packed word with real clocks (test:
//! `packed_words_agree_with_full_histories`).
//!
//! Vector clocks: Mattern, "Virtual Time and Global States of Distributed Systems",
//! 1989. The order is that of the CUDA programming guide's synchronisation functions:
//! program order, `__syncwarp()` for a whole warp, `__syncthreads()` for a block.

use std::ops::Range;

use crate::alphabet::Access;
use crate::check::Shape;

/// The vector clocks of all threads.
#[derive(Clone, Debug)]
pub struct VectorClocks {
    threads: usize,
    /// At `t * threads + u`: how many events of thread `u` are ordered before the next event of
    /// `t`.
    known: Vec<u32>,
}

/// An event of a thread, numbered from 1 among its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread, numbered through the grid.
    pub thread: usize,
    /// Its number among the events of the thread.
    pub time: u32,
}

impl VectorClocks {
    /// Clocks of threads that have done nothing.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            known: vec![0; threads * threads],
        }
    }

    /// Adds an event of a thread.
    pub fn tick(&mut self, thread: usize) -> Event {
        let own = &mut self.known[thread * self.threads + thread];
        *own += 1;
        Event { thread, time: *own }
    }

    /// Whether an event happened before the next event of `thread`.
    #[must_use]
    pub fn is_before(&self, event: Event, thread: usize) -> bool {
        event.time <= self.known[thread * self.threads + event.thread]
    }

    /// All of these threads pass a barrier together.
    pub fn barrier(&mut self, members: Range<usize>) {
        for other in 0..self.threads {
            let column = |thread: usize| thread * self.threads + other;
            let latest = members
                .clone()
                .map(|member| self.known[column(member)])
                .max();
            for member in members.clone() {
                self.known[column(member)] = latest.unwrap_or_default();
            }
        }
    }
}

/// Every access to one location.
#[derive(Clone, Debug, Default)]
pub struct History {
    accesses: Vec<(Event, Access)>,
}

impl History {
    /// Adds an access, which is an event of its thread.
    pub fn add(&mut self, event: Event, access: Access) {
        self.accesses.push((event, access));
    }

    /// Forgets every access.
    pub fn clear(&mut self) {
        self.accesses.clear();
    }

    /// The positions of the accesses in the history that an access of `thread` would race with, the
    /// latest first.
    pub fn racing(
        &self,
        clocks: &VectorClocks,
        shape: Shape,
        thread: usize,
        access: Access,
    ) -> impl Iterator<Item = usize> {
        let accesses = self.accesses.iter().enumerate().rev();
        accesses
            .filter(move |(_, (event, earlier))| {
                event.thread != thread
                    && !are_compatible(shape, (event.thread, *earlier), (thread, access))
                    && !clocks.is_before(*event, thread)
            })
            .map(|(place, _)| place)
    }
}

/// Whether two threads may make two accesses without an order.
///
/// They may if both are reads, or if both are atomics whose scopes cover both threads (PTX ISA,
/// "Morally strong operations").
fn are_compatible(shape: Shape, one: (usize, Access), other: (usize, Access)) -> bool {
    let covers = |access: Access| match access {
        Access::BlockAtomic => shape.block_of(one.0) == shape.block_of(other.0),
        Access::GridAtomic => true,
        Access::Read | Access::Write => false,
    };
    let both_read = one.1 == Access::Read && other.1 == Access::Read;
    both_read || covers(one.1) && covers(other.1)
}
