//! The judge: all executions of a program, by the text of PTX ISA 9, chapter "Memory Consistency
//! Model". Each definition names its section. Nothing here uses the crate.

use std::collections::BTreeMap;

use crate::barriers::deadlock;
use crate::matrix::{Matrix, closure, matrix, orders, reflexive};
use crate::program::{Instruction, Order, Program, Proxy, Quantifier, Scope};
use crate::run::{Event, Kind, Place, Run, Source, run, sources};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub holds: bool,
    pub executions: u64,
    pub witnesses: u64,
    pub race: bool,
    /// Whether a thread waits at a barrier forever in some execution.
    pub may_hang: bool,
}

/// Judges a program; nothing if it has more than `limit` candidates.
pub fn judge(program: &Program, limit: usize) -> Option<Outcome> {
    let reads = sources(program);
    if candidates(program, &reads) > limit {
        return None;
    }
    let mut outcome = Outcome {
        holds: false,
        executions: 0,
        witnesses: 0,
        race: false,
        may_hang: false,
    };
    choose(program, &reads, &mut BTreeMap::new(), &mut outcome);
    outcome.holds = match program.quantifier {
        Quantifier::Exists => outcome.witnesses > 0,
        Quantifier::NotExists => outcome.witnesses == 0,
        Quantifier::ForAll => outcome.witnesses == outcome.executions,
    };
    Some(outcome)
}

/// An upper bound of the number of candidates: sources of reads, and orders of writes and of fences.
fn candidates(program: &Program, reads: &[(Place, Vec<Source>)]) -> usize {
    let code = || program.threads.iter().flat_map(|it| &it.code);
    let writes = |memory: usize| {
        let writes = code().filter(|it| it.writes());
        writes
            .filter(|it| it.name().is_some_and(|it| it.memory == memory))
            .count()
    };
    let fences = code()
        .filter(|it| matches!(it, Instruction::Fence { sc: true, .. }))
        .count();
    let orders = [writes(0), writes(1), fences]
        .into_iter()
        .flat_map(|count| 1..=count);
    let sources = reads.iter().map(|it| it.1.len());
    sources.chain(orders).fold(1, usize::saturating_mul)
}

/// Chooses the sources of the reads.
fn choose(
    program: &Program,
    reads: &[(Place, Vec<Source>)],
    chosen: &mut BTreeMap<Place, Source>,
    outcome: &mut Outcome,
) {
    if let Some((place, options)) = reads.get(chosen.len()) {
        for &option in options {
            chosen.insert(*place, option);
            choose(program, reads, chosen, outcome);
            chosen.remove(place);
        }
    } else if let Some(run) = run(program, chosen) {
        let stops = deadlock(program, &run.events);
        if stops.iter().any(Option::is_some) {
            if let Some(start) = run.until(&stops) {
                Facts::new(program, &start).executions(&mut |_| outcome.may_hang = true);
            }
            return;
        }
        let facts = Facts::new(program, &run);
        let register = |thread, number| run.registers.get(&(thread, number)).copied();
        let satisfied = program.satisfied(|thread, number| register(thread, number).unwrap_or(0));
        facts.executions(&mut |race| {
            outcome.executions += 1;
            outcome.witnesses += u64::from(satisfied);
            outcome.race |= race;
        });
    }
}

/// What does not depend on the orders of fences and writes.
pub struct Facts<'a> {
    program: &'a Program,
    run: &'a Run,
    pub events: &'a [Event],
    pub program_order: Matrix,
    morally_strong: Matrix,
    reads_from: Matrix,
    observation: Matrix,
    /// Synchronization by barriers and patterns.
    synchronizes: Matrix,
}

impl<'a> Facts<'a> {
    fn new(program: &'a Program, run: &'a Run) -> Self {
        let (events, count) = (run.events.as_slice(), run.events.len());
        let same_thread =
            |a: usize, b: usize| events[a].thread.is_some() && events[a].thread == events[b].thread;
        let mut facts = Facts {
            program,
            run,
            events,
            program_order: matrix(count, |a, b| same_thread(a, b) && a < b),
            morally_strong: Matrix::new(),
            reads_from: matrix(count, |a, b| run.reads_from.contains(&(a, b))),
            observation: Matrix::new(),
            synchronizes: Matrix::new(),
        };
        facts.morally_strong = matrix(count, |a, b| facts.are_morally_strong(a, b));
        facts.observation = facts.observed();
        facts.synchronizes = facts.synchronized();
        facts
    }

    pub fn is_write(&self, event: usize) -> bool {
        matches!(self.events[event].kind, Kind::Write(..))
    }

    /// "Scope": whether the scope of `a` includes the thread of `b`.
    fn includes(&self, a: usize, b: usize) -> bool {
        let (Some(scope), Some(_), Some(_)) = (
            self.events[a].scope,
            self.events[a].thread,
            self.events[b].thread,
        ) else {
            return false;
        };
        match scope {
            Scope::Sys => true,
            Scope::Gpu => self.gpu(a) == self.gpu(b),
            Scope::Cluster => self.same_cluster(a, b),
            Scope::Cta => self.same_block(a, b),
        }
    }

    fn gpu(&self, event: usize) -> Option<u32> {
        Some(self.program.threads[self.events[event].thread?].gpu)
    }

    /// Without clusters in the launch, a block is a cluster of its own.
    fn same_cluster(&self, a: usize, b: usize) -> bool {
        let cluster = |event: usize| {
            let thread = &self.program.threads[self.events[event].thread?];
            Some((thread.gpu, thread.cluster?))
        };
        self.same_block(a, b) || cluster(a).is_some() && cluster(a) == cluster(b)
    }

    pub fn same_block(&self, a: usize, b: usize) -> bool {
        let block = |event: usize| {
            let thread = &self.program.threads[self.events[event].thread?];
            Some((thread.gpu, thread.cta))
        };
        block(a).is_some() && block(a) == block(b)
    }

    /// "Overlapping": here, accesses to one location always overlap completely.
    fn overlap(&self, a: usize, b: usize) -> bool {
        match (self.events[a].access(), self.events[b].access()) {
            (Some(one), Some(other)) => one.0.memory == other.0.memory,
            _ => false,
        }
    }

    pub fn same_address(&self, a: usize, b: usize) -> bool {
        match (self.events[a].access(), self.events[b].access()) {
            (Some(one), Some(other)) => one.0.address == other.0.address,
            _ => false,
        }
    }

    /// "Morally Strong Operations".
    fn are_morally_strong(&self, a: usize, b: usize) -> bool {
        let strong = |event: usize| match self.events[event].kind {
            Kind::Read(_, order) | Kind::Write(_, order) => order != Order::Weak,
            Kind::Fence { .. } => true,
            Kind::ProxyFence { .. } | Kind::Barrier { .. } => false,
        };
        let related = self.program_order[a][b]
            || self.program_order[b][a]
            || strong(a) && strong(b) && self.includes(a, b) && self.includes(b, a);
        let memory = |event: usize| self.events[event].access().is_some();
        // "Proxies": distinct virtual addresses of a location behave like different proxies.
        let same_proxy = self.events[a].proxy() == self.events[b].proxy()
            && (!self.overlap(a, b) || self.same_address(a, b));
        let overlap = !memory(a) || !memory(b) || self.overlap(a, b);
        a != b && related && same_proxy && overlap
    }

    /// "Observation Order".
    fn observed(&self) -> Matrix {
        let count = self.events.len();
        let direct = matrix(count, |a, b| {
            self.reads_from[a][b] && self.morally_strong[a][b]
        });
        let mut observed = direct.clone();
        // Each round passes one more atomic operation.
        for _ in &self.run.atomics {
            for &(read, write) in &self.run.atomics {
                for row in &mut observed {
                    for to in 0..count {
                        row[to] |= row[read] && direct[write][to];
                    }
                }
            }
        }
        observed
    }

    /// "Memory Synchronization", without fence.sc.
    fn synchronized(&self) -> Matrix {
        let mut result = matrix(self.events.len(), |a, b| self.by_barrier(a, b));
        let acquires = self.acquire_patterns();
        for (first, write) in self.release_patterns() {
            for &(read, last) in &acquires {
                if self.observation[write][read] && self.morally_strong[first][last] {
                    result[first][last] = true;
                }
            }
        }
        result
    }

    /// Calls `visit` for each consistent execution with whether it has a race.
    fn executions(&self, visit: &mut dyn FnMut(bool)) {
        let count = self.events.len();
        let fences: Vec<usize> = (0..count)
            .filter(|it| self.events[*it].kind == Kind::Fence { sc: true })
            .collect();
        let strong = |a: usize, b: usize| self.morally_strong[a][b];
        let fixed = |a: usize, b: usize| self.program_order[a][b] && strong(a, b);
        let writes: Vec<Vec<usize>> = (0..2)
            .map(|memory| {
                let all = (0..count).filter(|it| self.is_write(*it));
                let own = all.filter(|it| self.overlap(*it, memory));
                own.filter(|it| self.events[*it].thread.is_some()).collect()
            })
            .collect();
        let coherence: Vec<_> = writes
            .iter()
            .map(|it| orders(it, &fixed, &strong))
            .collect();
        for fence_order in orders(&fences, &fixed, &strong) {
            let Some(causality) = self.causality(&fence_order) else {
                continue;
            };
            for first in &coherence[0] {
                for second in &coherence[1] {
                    let chosen = |a, b| first.contains(&(a, b)) || second.contains(&(a, b));
                    if self.consistent(&causality, &matrix(count, chosen)) {
                        visit(self.race(&causality));
                    }
                }
            }
        }
    }

    /// "Causality Order", or nothing if axiom "Fence-SC" fails.
    fn causality(&self, fence_order: &[(usize, usize)]) -> Option<Matrix> {
        let count = self.events.len();
        let base = closure(matrix(count, |a, b| {
            self.program_order[a][b] || self.synchronizes[a][b] || fence_order.contains(&(a, b))
        }));
        if fence_order.iter().any(|&(a, b)| base[b][a]) {
            return None;
        }
        let preserved = matrix(count, |a, b| self.preserved(&base, a, b));
        let mut causality = preserved.clone();
        for (from, observed) in self.observation.iter().enumerate() {
            for middle in (0..count).filter(|it| observed[*it]) {
                for to in 0..count {
                    causality[from][to] |= preserved[middle][to];
                }
            }
        }
        Some(causality)
    }

    /// "Causality Order": proxy-preserved base causality order. The ISA gives no rule for fences of
    /// other proxies than aliases. Lustig, Cooksey, Giroux, ISCA 2022, does: between an access by
    /// another proxy and the generic accesses of its address comes such a fence in the block of the
    /// access, and between different addresses an alias fence.
    fn preserved(&self, base: &Matrix, a: usize, b: usize) -> bool {
        if !base[a][b] || !self.overlap(a, b) {
            return false;
        }
        let one_path = self.same_address(a, b) && self.events[a].proxy() == self.events[b].proxy();
        let is_generic = |event: usize| self.events[event].proxy() == Proxy::Generic;
        if one_path && (is_generic(a) || self.same_block(a, b)) {
            return true;
        }
        let fences = |wanted: bool| {
            (0..self.events.len())
                .filter(move |it| self.events[*it].kind == Kind::ProxyFence { surface: wanted })
        };
        // From where on, and up to where, the order is one of generic accesses.
        let first: Vec<usize> = match is_generic(a) {
            true => vec![a],
            false => fences(true)
                .filter(|it| base[a][*it] && self.same_block(a, *it))
                .collect(),
        };
        let last: Vec<usize> = match is_generic(b) {
            true => vec![b],
            false => fences(true)
                .filter(|it| base[*it][b] && self.same_block(*it, b))
                .collect(),
        };
        let joined = |from: usize, to: usize| {
            let direct = base[from][to] && self.same_address(a, b);
            direct || fences(false).any(|alias| base[from][alias] && base[alias][to])
        };
        first
            .iter()
            .any(|from| last.iter().any(|to| joined(*from, *to)))
    }

    /// The axioms that depend on coherence.
    fn consistent(&self, causality: &Matrix, chosen: &Matrix) -> bool {
        let count = self.events.len();
        // "Coherence Order", with axiom "Coherence". Initial writes come first.
        let coherence = closure(matrix(count, |a, b| {
            let writes = self.is_write(a) && self.is_write(b) && self.overlap(a, b);
            let initial = self.events[a].thread.is_none() && self.events[b].thread.is_some();
            writes && (initial || chosen[a][b] || causality[a][b])
        }));
        if reflexive(&coherence) {
            return false;
        }
        // "Communication Order".
        let overwritten = matrix(count, |read, write| {
            (0..count).any(|it| self.reads_from[it][read] && coherence[it][write])
        });
        // "Atomicity".
        for &(read, write) in &self.run.atomics {
            for other in (0..count).filter(|it| *it != write) {
                let strong = self.morally_strong[read][other];
                if strong && overwritten[read][other] && coherence[other][write] {
                    return false;
                }
            }
        }
        // "Sequential Consistency Per Location".
        let per_location = closure(matrix(count, |a, b| {
            let communication = self.reads_from[a][b] || overwritten[a][b] || coherence[a][b];
            let program_order = self.program_order[a][b] && self.overlap(a, b);
            self.morally_strong[a][b] && (communication || program_order)
        }));
        if reflexive(&per_location) {
            return false;
        }
        // "Causality".
        for a in 0..count {
            for b in 0..count {
                if causality[a][b] && (self.reads_from[b][a] || overwritten[b][a]) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether `a` precedes `b` in causality order. An atomic operation is one operation, so that its
    /// read precedes what its write precedes.
    fn precedes(&self, causality: &Matrix, a: usize, b: usize) -> bool {
        let write = self.run.atomics.iter().find(|it| it.0 == a).map(|it| it.1);
        causality[a][b] || write.is_some_and(|write| causality[write][b])
    }

    /// "Conflict and Data-races".
    fn race(&self, causality: &Matrix) -> bool {
        let count = self.events.len();
        let own = |it: usize| self.events[it].thread.is_some();
        (0..count).any(|a| {
            (0..count).any(|b| {
                let conflict = a != b && self.overlap(a, b) && self.is_write(a);
                let ordered = self.precedes(causality, a, b) || self.precedes(causality, b, a);
                conflict && own(a) && own(b) && !ordered && !self.morally_strong[a][b]
            })
        })
    }
}
