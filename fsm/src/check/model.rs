//! One situation of the product: the truth about a location beside the machine's word.

use std::hash::{Hash, Hasher};

use crate::alphabet::{Access, Relation, State, Sync};
use crate::check::{MAX_THREADS, Shape, Step};
use crate::fields::Fields;

/// The accesses to the location as one thread has to know them: the kinds that it made
/// itself, and those that its warp and its block made and closed by a barrier.
///
/// An access is ordered before the later accesses of its own thread, of the other
/// threads that took part in a barrier with it since, and of no one else; a barrier
/// takes in a whole warp or a whole block. So behind a barrier only the warp or the
/// block of an access counts, and all threads of the group hold a copy of its kinds.
/// An access is dropped once there is a later one of the same kind in the same group:
/// whatever races with the earlier one races with the later one too.
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
    const fn behind_warp_barrier(self) -> u16 {
        self.0 >> Self::WARP & Self::KINDS
    }

    /// The kinds of the whole block that a block barrier closed.
    const fn behind_block_barrier(self) -> u16 {
        self.0 >> Self::BLOCK & Self::KINDS
    }

    /// Whether the latest access of all is the thread's.
    const fn is_latest(self) -> bool {
        self.0 & Self::LATEST != 0
    }
}

/// One situation: what every thread did to the location, and the machine's word.
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

/// Hashes situations: multiply and rotate. They come from no adversary, and the
/// standard hasher would take most of the search's time.
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

    /// The events that differ in more than the numbers of threads, warps and blocks.
    ///
    /// Lanes of a warp that did the same are interchangeable, and so are equal warps of
    /// a block and equal blocks: what follows from an event of one of them follows, up to
    /// the numbering, from that of the others. In the canonical form such groups are
    /// neighbours, and the first of them stands for all.
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

    /// Whether a group of `size` threads equals the one before it within the same
    /// larger group of `span` threads.
    fn repeats(&self, start: usize, size: usize, span: usize) -> bool {
        !start.is_multiple_of(span)
            && self.threads[start - size..start] == self.threads[start..start + size]
    }

    /// For each kind of access, whether one by this thread races with an earlier one,
    /// by the definition.
    pub(super) fn races(&self, thread: usize, shape: Shape) -> [bool; Access::ALL.len()] {
        let (mut in_block, mut elsewhere) = (0, 0);
        for (other, past) in self.threads[..shape.threads()].iter().enumerate() {
            if shape.block_of(other) != shape.block_of(thread) {
                elsewhere |= past.open() | past.behind_warp_barrier() | past.behind_block_barrier();
            } else if shape.warp_of(other) != shape.warp_of(thread) {
                in_block |= past.open() | past.behind_warp_barrier();
            } else if other != thread {
                in_block |= past.open();
            }
        }
        Access::ALL.map(|access| {
            Access::ALL.into_iter().any(|earlier| {
                in_block & bit(earlier) != 0 && conflict(earlier, access, true)
                    || elsewhere & bit(earlier) != 0 && conflict(earlier, access, false)
            })
        })
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
        for past in &mut self.threads[shape.block_threads(shape.block_of(thread))] {
            past.0 &= !(bit(access) << Past::BLOCK);
        }
        for past in &mut self.threads[shape.warp_threads(shape.warp_of(thread))] {
            past.0 &= !(bit(access) << Past::WARP);
        }
        self.threads[thread].0 |= Past::LATEST | bit(access);
        Self {
            state,
            warp_barrier: false,
            block_barrier: false,
            ..self
        }
    }

    /// The situation after a barrier; an access leaves it as it is.
    pub(super) fn after_barrier(self, step: Step, shape: Shape) -> Self {
        match step {
            Step::Access { .. } => self,
            Step::SyncWarp(warp) => self.after_warp_barrier(warp, shape),
            Step::SyncThreads(block) => self.after_block_barrier(block, shape),
        }
    }

    fn after_warp_barrier(mut self, warp: usize, shape: Shape) -> Self {
        let lanes = shape.warp_threads(warp);
        let block = shape.block_threads(shape.block_of(lanes.start));
        let lanes = &mut self.threads[lanes];
        let closed = lanes.iter().fold(0, |kinds, past| kinds | past.open());
        for past in lanes.iter_mut() {
            past.0 = past.0 & !Past::KINDS | closed << Past::WARP;
        }
        self.warp_barrier |= lanes.iter().any(|past| past.is_latest());
        for past in &mut self.threads[block] {
            past.0 &= !(closed << Past::BLOCK);
        }
        self
    }

    fn after_block_barrier(mut self, block: usize, shape: Shape) -> Self {
        let threads = &mut self.threads[shape.block_threads(block)];
        let closed = threads.iter().fold(0, |kinds, past| {
            kinds | past.open() | past.behind_warp_barrier()
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
    /// Nothing in the model depends on the numbers, only on who shares a warp or block.
    pub(super) fn canonical(mut self, shape: Shape) -> Self {
        self.sort(shape, |_, _, _| ());
        self
    }

    /// The canonical form, and for each place the thread that was moved there.
    pub(super) fn renamed(mut self, shape: Shape) -> (Self, Vec<usize>) {
        let mut moved_from: Vec<usize> = (0..shape.threads()).collect();
        self.sort(shape, |at, middle, size| {
            let (before, after) = moved_from.split_at_mut(middle);
            before[at..].swap_with_slice(&mut after[..size]);
        });
        (self, moved_from)
    }

    fn sort(&mut self, shape: Shape, mut moved: impl FnMut(usize, usize, usize)) {
        let warp = shape.threads;
        let block = warp * shape.warps;
        self.sort_groups(shape, 1, warp, &mut moved);
        self.sort_groups(shape, warp, block, &mut moved);
        self.sort_groups(shape, block, shape.threads(), &mut moved);
    }

    /// Sorts the groups of `size` threads within each run of `span` threads, the
    /// largest first (insertion sort: the runs are short). Tells `moved` of each swap
    /// of two neighbouring groups: where the first and where the second begins.
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

const fn bit(access: Access) -> u16 {
    1 << access as u16
}

/// Whether two accesses by different threads race if nothing orders them.
fn conflict(one: Access, other: Access, same_block: bool) -> bool {
    use Access::{BlockAtomic, GridAtomic, Read};
    match (one, other) {
        (Read, Read) | (GridAtomic, GridAtomic) => false,
        (BlockAtomic | GridAtomic, BlockAtomic | GridAtomic) => !same_block,
        _ => true,
    }
}

/// What a thread may see when it compares its word with the recorded one, of which
/// only the fields in `keep` are there.
pub(super) fn observations(
    node: &Node,
    thread: usize,
    keep: Fields,
    shape: Shape,
) -> impl Iterator<Item = (Sync, Relation)> + Clone {
    let (equal, known) = comparison(node, thread, shape);
    let certain = known.bits() & keep.bits();
    let possible = POSSIBLE[equal.bits() as usize][certain as usize];
    Relation::ALL
        .into_iter()
        .flat_map(|relation| Sync::ALL.map(|sync| (sync, relation)))
        .filter(move |&seen| possible & 1 << observation_index(seen) != 0)
}

const fn observation_index((sync, relation): (Sync, Relation)) -> usize {
    relation.index() * Sync::ALL.len() + sync.index()
}

/// The observations that are possible, one bit each, for the fields that are equal and
/// those for which that is certain.
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

/// The fields in which the current thread equals the recorded one, and the fields
/// for which that is determined.
fn comparison(node: &Node, thread: usize, shape: Shape) -> (Fields, Fields) {
    let threads = &node.threads[..shape.threads()];
    let Some(recorded) = threads.iter().position(|past| past.is_latest()) else {
        return (Fields::NONE, Fields::NONE);
    };
    let mut equal = Fields::NONE;
    let mut known = Fields::BLOCK;
    if shape.block_of(recorded) == shape.block_of(thread) {
        equal = equal.union(Fields::BLOCK);
        known = known.union(Fields::WARP).union(Fields::BLOCK_CLOCK);
        if !node.block_barrier {
            equal = equal.union(Fields::BLOCK_CLOCK);
        }
        if shape.warp_of(recorded) == shape.warp_of(thread) {
            equal = equal.union(Fields::WARP);
            known = known.union(Fields::LANE);
            if recorded == thread {
                equal = equal.union(Fields::LANE);
            }
            // A block barrier may set the warp clock back to any value seen before.
            if !node.block_barrier {
                known = known.union(Fields::WARP_CLOCK);
                if !node.warp_barrier {
                    equal = equal.union(Fields::WARP_CLOCK);
                }
            }
        }
    }
    (equal, known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{History, VectorClocks};

    #[test]
    fn truth_agrees_with_full_histories() {
        let shape = Shape::new(2, 2, 2).unwrap();
        let steps: Vec<Step> = Step::all(shape).collect();
        // xorshift64, so that the same histories come up every time.
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut verdicts = [0; 2];
        for _ in 0..4000 {
            let mut node = Node::START;
            let mut history = History::default();
            let mut clocks = VectorClocks::new(shape.threads());
            for _ in 0..24 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let step = steps[(random % steps.len() as u64) as usize];
                match step {
                    Step::Access { thread, access } => {
                        let racing = history.racing(&clocks, shape, thread, access).next();
                        let races = racing.is_some();
                        assert_eq!(node.races(thread, shape)[access.index()], races);
                        verdicts[usize::from(races)] += 1;
                        if races {
                            continue;
                        }
                        history.add(clocks.tick(thread), access);
                        node = node.after_access(thread, access, State::Init, shape);
                    }
                    Step::SyncWarp(warp) => clocks.barrier(shape.warp_threads(warp)),
                    Step::SyncThreads(block) => clocks.barrier(shape.block_threads(block)),
                }
                node = node.after_barrier(step, shape);
            }
        }
        assert!(verdicts.iter().all(|&count| count > 10_000), "{verdicts:?}");
    }

    #[test]
    fn canonical_form_ignores_numbering() {
        let shape = Shape::new(2, 2, 2).unwrap();
        let access = |thread| Node::START.after_access(thread, Access::Read, State::Read, shape);
        for thread in 1..shape.threads() {
            let same = access(thread).canonical(shape) == access(0).canonical(shape);
            assert!(same, "t{thread}");
        }
        let (_, moved_from) = access(5).renamed(shape);
        assert_eq!(moved_from, [5, 4, 6, 7, 0, 1, 2, 3]);
    }
}
