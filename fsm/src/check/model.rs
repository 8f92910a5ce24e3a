//! One situation of the product: the truth about a location and the machine's word.

use std::hash::{Hash, Hasher};

use super::compare::Comparison;
use super::conflict::{bit, races};
use super::trace::Step;
use crate::alphabet::{Access, State};
use crate::shape::{MAX_THREADS, Shape};

/// The accesses to the location from the perspective of one thread: the kinds that it made itself,
/// and those that its warp and its block made and closed by a barrier.
///
/// An access is ordered before the later accesses of its own thread and of the threads that passed
/// a barrier with it since, and before no others; a barrier is for a whole warp or a whole block.
/// So after a barrier only the warp or the block of an access matters, and all threads of the group
/// have a copy of its kinds. An access is dropped when there is a later one of the same kind in the
/// same group: whatever races with the earlier one races with the later one too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Past(u16);

impl Past {
    const NOTHING: Self = Self(0);
    const KINDS: u16 = 0b1111;
    const WARP: u32 = 4;
    const BLOCK: u32 = 8;
    const LATEST: u16 = 1 << 12;

    /// The kinds that no barrier has closed, as one bit each.
    const fn open(self) -> u16 {
        self.0 & Self::KINDS
    }

    /// The kinds of the whole warp that a warp barrier was the last to close.
    const fn closed_by_warp_barrier(self) -> u16 {
        self.0 >> Self::WARP & Self::KINDS
    }

    /// The kinds of the whole block that a block barrier closed.
    const fn closed_by_block_barrier(self) -> u16 {
        self.0 >> Self::BLOCK & Self::KINDS
    }

    /// Whether the latest access of all is the thread's.
    const fn is_latest(self) -> bool {
        self.0 & Self::LATEST != 0
    }
}

/// One situation: the accesses of every thread to the location, and the machine's word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    threads: [Past; MAX_THREADS],
    /// The machine's state.
    state: State,
    /// Since the latest access, its thread passed a warp barrier.
    warp_barrier: bool,
    /// Since the latest access, its thread passed a block barrier.
    block_barrier: bool,
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for four in self.threads.chunks_exact(4) {
            let packed = four
                .iter()
                .fold(0, |packed, past| packed << 16 | u64::from(past.0));
            hasher.write_u64(packed);
        }
        let word = (self.state as u64) << 2
            | u64::from(self.warp_barrier) << 1
            | u64::from(self.block_barrier);
        hasher.write_u64(word);
    }
}

/// Hashes situations by multiplication and rotation. Inputs are not adversarial, and the standard
/// hasher would take most of the search's time.
#[derive(Default)]
pub(super) struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The odd number closest to 2^64 over the golden ratio (Knuth, TAOCP 6.4).
        self.0 = (self.0.rotate_left(26) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

impl Node {
    /// The location before any access.
    pub(super) const START: Self = Self {
        threads: [Past::NOTHING; MAX_THREADS],
        state: State::Init,
        warp_barrier: false,
        block_barrier: false,
    };

    /// The machine's state.
    pub(super) const fn state(&self) -> State {
        self.state
    }

    /// For each thread the kinds of its open accesses, and those that barriers of its warp and its
    /// block closed.
    #[cfg(test)]
    pub(super) fn kinds(&self, shape: Shape) -> Vec<[u16; 3]> {
        let threads = self.threads[..shape.threads()].iter();
        threads
            .map(|past| {
                [
                    past.open(),
                    past.closed_by_warp_barrier(),
                    past.closed_by_block_barrier(),
                ]
            })
            .collect()
    }

    /// The events that differ in more than the numbers of threads, warps and blocks.
    ///
    /// Lanes of a warp with the same accesses are interchangeable, and so are equal warps of a
    /// block and equal blocks: an event of one of them has the same consequences as that of the
    /// others, except for the numbering. In the canonical form such groups are adjacent, and the
    /// first one represents them all.
    pub(super) fn threads_apart(&self, shape: Shape) -> impl Iterator<Item = usize> {
        (0..shape.threads()).filter(move |&thread| {
            !self.repeats(thread, 1, shape.threads_per_warp())
                && self.is_warp_apart(shape.warp_of(thread), shape)
        })
    }

    /// The barriers that differ in more than the numbers of warps and blocks.
    pub(super) fn barriers_apart(&self, shape: Shape) -> impl Iterator<Item = Step> {
        let warps = (0..shape.warps()).filter(move |&warp| self.is_warp_apart(warp, shape));
        let blocks = (0..shape.blocks()).filter(move |&block| self.is_block_apart(block, shape));
        warps
            .map(Step::SyncWarp)
            .chain(blocks.map(Step::SyncThreads))
    }

    fn is_warp_apart(&self, warp: usize, shape: Shape) -> bool {
        let lanes = shape.warp_threads(warp);
        let block = shape.block_of(lanes.start);
        !self.repeats(lanes.start, lanes.len(), shape.block_threads(block).len())
            && self.is_block_apart(block, shape)
    }

    fn is_block_apart(&self, block: usize, shape: Shape) -> bool {
        let threads = shape.block_threads(block);
        !self.repeats(threads.start, threads.len(), shape.threads())
    }

    /// Whether a group of `size` threads equals the one before it within the same larger group of
    /// `span` threads.
    fn repeats(&self, start: usize, size: usize, span: usize) -> bool {
        !start.is_multiple_of(span)
            && self.threads[start - size..start] == self.threads[start..start + size]
    }

    /// For each kind of access, whether one by this thread races with an earlier one, by the
    /// definition.
    pub(super) fn races(&self, thread: usize, shape: Shape) -> [bool; Access::ALL.len()] {
        let (mut in_block, mut elsewhere) = (0, 0);
        for (other, past) in self.threads[..shape.threads()].iter().enumerate() {
            if shape.block_of(other) != shape.block_of(thread) {
                elsewhere |=
                    past.open() | past.closed_by_warp_barrier() | past.closed_by_block_barrier();
            } else if shape.warp_of(other) != shape.warp_of(thread) {
                in_block |= past.open() | past.closed_by_warp_barrier();
            } else if other != thread {
                in_block |= past.open();
            }
        }
        races(in_block, elsewhere)
    }

    /// The comparison of a thread's word with the recorded one.
    pub(super) fn comparison(&self, thread: usize, shape: Shape) -> Comparison {
        let threads = &self.threads[..shape.threads()];
        let recorded = threads.iter().position(|past| past.is_latest());
        Comparison {
            relation: recorded.map(|recorded| shape.relation(recorded, thread)),
            warp_barrier: self.warp_barrier,
            block_barrier: self.block_barrier,
        }
    }

    /// The situation after an access that does not race.
    pub(super) fn after_access(
        mut self,
        thread: usize,
        access: Access,
        state: State,
        shape: Shape,
    ) -> Self {
        for past in &mut self.threads {
            past.0 &= !Past::LATEST;
        }
        self.threads[thread].0 |= Past::LATEST;
        Self {
            state,
            warp_barrier: false,
            block_barrier: false,
            ..self.with_access(thread, access, shape)
        }
    }

    /// Adds an access to the truth only.
    fn with_access(mut self, thread: usize, access: Access, shape: Shape) -> Self {
        for past in &mut self.threads[shape.block_threads(shape.block_of(thread))] {
            past.0 &= !(bit(access) << Past::BLOCK);
        }
        for past in &mut self.threads[shape.warp_threads(shape.warp_of(thread))] {
            past.0 &= !(bit(access) << Past::WARP);
        }
        self.threads[thread].0 |= bit(access);
        self
    }

    /// The situation after a barrier; unchanged if the step is an access.
    pub(super) fn after_barrier(self, step: Step, shape: Shape) -> Self {
        match step {
            Step::Access { .. } => self,
            Step::SyncWarp(warp) => self.after_warp_barrier(warp, shape),
            Step::SyncThreads(block) => self.after_block_barrier(block, shape),
        }
    }

    fn after_warp_barrier(mut self, warp: usize, shape: Shape) -> Self {
        let lanes = shape.warp_threads(warp);
        let lanes = &mut self.threads[lanes];
        let closed = lanes.iter().fold(0, |kinds, past| kinds | past.open());
        for past in lanes.iter_mut() {
            past.0 = past.0 & !Past::KINDS | closed << Past::WARP;
        }
        self.warp_barrier |= lanes.iter().any(|past| past.is_latest());
        self
    }

    fn after_block_barrier(mut self, block: usize, shape: Shape) -> Self {
        let threads = &mut self.threads[shape.block_threads(block)];
        let closed = threads.iter().fold(0, |kinds, past| {
            kinds | past.open() | past.closed_by_warp_barrier()
        });
        for past in threads.iter_mut() {
            past.0 &= !(Past::KINDS | Past::KINDS << Past::WARP);
            past.0 |= closed << Past::BLOCK;
        }
        self.block_barrier |= threads.iter().any(|past| past.is_latest());
        self
    }

    /// The same situation with threads, warps and blocks in a fixed order.
    ///
    /// The model does not depend on the numbers, only on which threads share a warp or block.
    pub(super) fn canonical(mut self, shape: Shape) -> Self {
        self.sort(shape, |_, _, _| ());
        self
    }

    /// The canonical form, and for each position the thread that was moved there.
    pub(super) fn renamed(mut self, shape: Shape) -> (Self, Vec<usize>) {
        let mut moved_from: Vec<usize> = (0..shape.threads()).collect();
        self.sort(shape, |at, middle, size| {
            let (before, after) = moved_from.split_at_mut(middle);
            before[at..].swap_with_slice(&mut after[..size]);
        });
        (self, moved_from)
    }

    fn sort(&mut self, shape: Shape, mut moved: impl FnMut(usize, usize, usize)) {
        let warp = shape.threads_per_warp();
        let block = warp * shape.warps_per_block();
        self.sort_groups(shape, 1, warp, &mut moved);
        self.sort_groups(shape, warp, block, &mut moved);
        self.sort_groups(shape, block, shape.threads(), &mut moved);
    }

    /// Sorts the groups of `size` threads within each run of `span` threads, the largest first
    /// (insertion sort: the runs are short). Calls `moved` for each swap of two adjacent groups
    /// with the start of the first and of the second.
    fn sort_groups(
        &mut self,
        shape: Shape,
        size: usize,
        span: usize,
        moved: &mut impl FnMut(usize, usize, usize),
    ) {
        for run in (0..shape.threads()).step_by(span) {
            for end in (run + size..run + span).step_by(size) {
                let mut at = end;
                while at > run && self.threads[at - size..at] < self.threads[at..at + size] {
                    let (before, after) = self.threads.split_at_mut(at);
                    before[at - size..].swap_with_slice(&mut after[..size]);
                    moved(at - size, at, size);
                    at -= size;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
