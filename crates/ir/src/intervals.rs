//! Which reads of shared memory cannot race, and which shared variables are atomic for a time, by the intervals between
//! barriers.
//!
//! # The rule
//!
//! An *interval* begins at the function's entry or at a block barrier. R(b), for the interval that begins at b, is the
//! set of basic blocks that control can reach from b without passing another such barrier. A read is *stable* if no
//! interval whose R(b) contains it also contains a write, an update or an atomic to any shared variable, or text that is
//! not understood.
//!
//! The rule applies to a function as a whole or not at all: a variable whose address is taken, or that a lambda changes,
//! may change in any interval.
//!
//! # Why nothing is missed
//!
//! Let one thread read v at p, where p is stable, and another thread of the block write the same bytes at w, such that
//! the two accesses are unordered.
//!
//! 1. *The write is in the text of the kernel.* v is declared in the kernel and its address does not escape: each
//!    mention of it is an access. Only an index beyond the bounds of another object could write v without naming it. If
//!    that object is a shared variable of the kernel, p is not stable, because a write to *any* of them prevents that.
//!    (The executor's red zones detect accesses beyond the bounds of a variable of another function, or of the memory
//!    behind a parameter.) Kernels that this one launches cannot reach its shared memory.
//! 2. *Both are in one interval.* All threads of a block reach the same barriers in the same order; anything else is a
//!    fault, which the executor reports. (On a GPU it is not reported, but CUDA leaves such a kernel undefined.) So two
//!    accesses without a barrier between them that both threads passed have the same last barrier b of those that begin
//!    intervals, and both p and w are in R(b). Then p is not stable.
//!
//! A thread that has returned made its accesses in intervals that the others have left or are still in: point 2 holds
//! for it up to its last barrier. A barrier that is not seen – in a called function, a macro, CUB, for a part of the
//! block – only makes intervals larger, and larger intervals have fewer stable reads.
//!
//! # Why nothing else changes
//!
//! The shadow word that a stable read does not update could only matter to a write in the same interval, of which there
//! is none, or to one after a barrier, which does not race with the read. The caller sees to it that an index out of v's
//! bounds takes the whole check. A read that decides whether a cycle without barriers is left is not stable, because the
//! executor recognises polling threads by their checks; the conditions of loops with an update are exempt.
//!
//! # Variables that are atomic for a time
//!
//! A histogram is cleared, counted atomically, and read, with barriers in between. An atomic operation observes those
//! before it, so that a thread's next access to the same bytes comes after them. Only the order engine follows that. It
//! finds out no more than the barriers say if no interval has both an atomic and another access to the variable: by
//! point 2 above, a barrier that all threads pass is between any two such accesses.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use petgraph::algo::tarjan_scc;
use petgraph::visit::{EdgeFiltered, EdgeRef};

use crate::function::{Access, AccessKind, BlockId, Effect, Function, Root};

/// For each access of a function, whether it is a stable read of a shared variable.
pub fn stable_reads(function: &Function) -> FixedBitSet {
    let none = FixedBitSet::with_capacity(function.accesses.len());
    if function.opaque.is_some() || changes_anywhere(function) {
        return none;
    }
    let reached = Reached::of(function);
    let mut changed = FixedBitSet::with_capacity(reached.count);
    for block in function.graph.node_indices() {
        let mut effects = function.graph[block].effects.iter();
        if effects.any(|it| changes_shared(function, it)) {
            changed.union_with(&reached.intervals[block.index()]);
        }
    }
    let (mut stable, mut others) = (none.clone(), none);
    for block in function.graph.node_indices() {
        let reached = &reached.intervals[block.index()];
        let is_stable = !reached.is_clear() && reached.is_disjoint(&changed);
        for number in accesses_of(&function.graph[block].effects) {
            let access = &function.accesses[number];
            let reads = access.kind == AccessKind::Read && matches!(access.root, Root::Shared(_));
            let set = if reads && is_stable {
                &mut stable
            } else {
                &mut others
            };
            set.insert(number);
        }
    }
    others.extend(accesses_of(&function.deferred));
    others.union_with(&polling(function));
    stable.difference_with(&others);
    stable
}

/// The shared variables of a function that have atomic accesses and others, and no interval with both.
pub fn atomic_for_a_time(function: &Function) -> BTreeSet<&str> {
    let is_unknown = |it: &Effect| matches!(it, Effect::Unknown(_));
    let blocks = || function.graph.node_weights().flat_map(|it| &it.effects);
    if function.opaque.is_some() || blocks().any(is_unknown) {
        return BTreeSet::new();
    }
    let reached = Reached::of(function);
    let none = || FixedBitSet::with_capacity(reached.count);
    // By variable: the intervals with atomic accesses, and those with others.
    let mut intervals: BTreeMap<&str, [FixedBitSet; 2]> = BTreeMap::new();
    let mut mixed: BTreeSet<&str> = BTreeSet::new();
    for block in function.graph.node_indices() {
        for number in accesses_of(&function.graph[block].effects) {
            let Access { kind, root, .. } = &function.accesses[number];
            let Root::Shared(variable) = root else {
                continue;
            };
            let sets = intervals
                .entry(variable)
                .or_insert_with(|| [none(), none()]);
            let set = usize::from(*kind != AccessKind::Atomic);
            sets[set].union_with(&reached.intervals[block.index()]);
            if *kind == AccessKind::Escape {
                mixed.insert(variable);
            }
        }
    }
    for number in accesses_of(&function.deferred) {
        if let Root::Shared(variable) = &function.accesses[number].root {
            mixed.insert(variable);
        }
    }
    let is_separated = |(variable, [atomic, others]): &(&str, [FixedBitSet; 2])| {
        !mixed.contains(variable) && !atomic.is_clear() && atomic.is_disjoint(others)
    };
    let separated = intervals.into_iter().filter(is_separated);
    separated.map(|(variable, _)| variable).collect()
}

/// The numbers of the accesses among effects.
fn accesses_of(effects: &[Effect]) -> impl Iterator<Item = usize> {
    effects.iter().filter_map(|it| match it {
        Effect::Access(number) => Some(*number),
        _ => None,
    })
}

/// Whether a shared variable may change at any time.
fn changes_anywhere(function: &Function) -> bool {
    let escapes = |number: usize| {
        let access = &function.accesses[number];
        access.kind == AccessKind::Escape && matches!(access.root, Root::Shared(_))
    };
    let mut deferred = function.deferred.iter();
    deferred.any(|it| changes_shared(function, it)) || (0..function.accesses.len()).any(escapes)
}

/// Whether an effect may change a shared variable.
fn changes_shared(function: &Function, effect: &Effect) -> bool {
    match effect {
        Effect::Access(it) => {
            let access = &function.accesses[*it];
            access.kind != AccessKind::Read && matches!(access.root, Root::Shared(_))
        }
        Effect::Unknown(_) => true,
        Effect::Barrier(..) | Effect::Fence(_) | Effect::Call(_) => false,
    }
}

/// The intervals that reach each block.
struct Reached {
    intervals: Vec<FixedBitSet>,
    count: usize,
}

impl Reached {
    /// A forward may-analysis: the join is the union, and a barrier replaces what reaches it by its own interval.
    fn of(function: &Function) -> Self {
        let graph = &function.graph;
        let begins = |it: &BlockId| *it == function.entry || function.begins_with_barrier(*it);
        let beginnings: Vec<BlockId> = graph.node_indices().filter(begins).collect();
        let count = beginnings.len();
        let mut intervals = vec![FixedBitSet::with_capacity(count); graph.node_count()];
        for (interval, block) in beginnings.iter().enumerate() {
            intervals[block.index()].insert(interval);
        }
        let mut waiting = beginnings;
        while let Some(from) = waiting.pop() {
            for to in graph.neighbors(from) {
                let [before, after] = match intervals.get_disjoint_mut([from.index(), to.index()]) {
                    Ok(pair) => pair,
                    // A block that follows itself.
                    Err(_) => continue,
                };
                if !function.begins_with_barrier(to) && !before.is_subset(after) {
                    after.union_with(before);
                    waiting.push(to);
                }
            }
        }
        Self { intervals, count }
    }
}

/// The accesses that decide whether a cycle without barriers is left.
fn polling(function: &Function) -> FixedBitSet {
    let graph = &function.graph;
    let mut found = FixedBitSet::with_capacity(function.accesses.len());
    let within = EdgeFiltered::from_fn(graph, |edge| !function.begins_with_barrier(edge.target()));
    for cycle in tarjan_scc(&within) {
        let members: FixedBitSet = cycle.iter().map(|it| it.index()).collect();
        for &block in &cycle {
            let decision = graph[block].decision.as_ref().filter(|it| !it.counts);
            let Some(decision) = decision.filter(|_| decides_on_leaving(function, block, &members))
            else {
                continue;
            };
            let range = &decision.value;
            let is_inside = |it: &usize| range.contains(&function.accesses[*it].range.start);
            found.extend((0..function.accesses.len()).filter(is_inside));
        }
    }
    found
}

/// Whether the ways out of a cycle that are open after a block of it depend on the block's decision. In a component
/// that is no cycle they do not.
fn decides_on_leaving(function: &Function, block: BlockId, cycle: &FixedBitSet) -> bool {
    let graph = &function.graph;
    let stays = |to: BlockId| cycle.contains(to.index()) && !function.begins_with_barrier(to);
    let ways = |first: BlockId| {
        let mut open = FixedBitSet::with_capacity(graph.edge_count());
        let mut seen = FixedBitSet::with_capacity(graph.node_count());
        let mut waiting = vec![first];
        while let Some(at) = waiting.pop() {
            if at == block || seen.put(at.index()) {
                continue;
            }
            for edge in graph.edges(at) {
                match stays(edge.target()) {
                    true => waiting.push(edge.target()),
                    false => open.insert(edge.id().index()),
                }
            }
        }
        open
    };
    let (inside, outside): (Vec<_>, Vec<_>) = graph.neighbors(block).partition(|it| stays(*it));
    let mut open = inside.iter().map(|it| ways(*it));
    let first = open.next();
    first.is_some() && (!outside.is_empty() || open.any(|it| Some(&it) != first.as_ref()))
}
