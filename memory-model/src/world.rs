//! Candidate executions: events, and the sets and relations that models are written in.

pub mod barrier;

use crate::cat::{Base, World};
use crate::event::{Action, Event};
use crate::litmus::ast::{BarrierKind, Order, Proxy, Scope, Test};
use crate::relation::{EventSet, Relation};

/// Declares the bases with their indices.
macro_rules! bases {
    ($($kind:ident $index:ident = $name:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Index { $($index),* }

        /// The sets and relations that every model may use.
        pub const BASES: &[Base] = &[$(Base::$kind($name)),*];

        /// Their indices in [`BASES`].
        pub(crate) mod index {
            $(pub const $index: usize = super::Index::$index as usize;)*
        }
    };
}

bases! {
    set M = "M", set R = "R", set W = "W", set IW = "IW", set F = "F", set B = "B",
    set A = "A", set RMW = "RMW", set RED = "RED",
    set WEAK = "WEAK", set RLX = "RLX", set ACQ = "ACQ", set REL = "REL", set ACQ_REL = "ACQ_REL",
    set SC = "SC", set VOLATILE = "VOLATILE",
    set CTA = "CTA", set CLUSTER = "CLUSTER", set GPU = "GPU", set SYS = "SYS",
    set GEN = "GEN", set SUR = "SUR", set TEX = "TEX", set CON = "CON", set ALIAS = "ALIAS",
    set PROXY_FENCE = "PROXY_FENCE",
    set SYNC = "SYNC", set ARRIVE = "ARRIVE",
    relation PO = "po", chosen RF = "rf", chosen CO = "co", chosen FR = "fr",
    relation RMW_PAIRS = "rmw", relation ADDR = "addr", relation DATA = "data",
    relation CTRL = "ctrl",
    relation LOC = "loc", relation VLOC = "vloc", relation SAME_BYTES = "same_bytes", relation INT = "int", relation EXT = "ext",
    relation SR = "sr", relation SCTA = "scta",
    relation SYNC_BARRIER = "syncbar", chosen SYNC_FENCE = "sync_fence",
}

/// The bases that a part of an execution may have less of than the whole. Whether an event or a pair
/// of events is in one of the others depends on nothing else, as long as the part has both parts of
/// an atomic operation.
pub(crate) const PARTIAL: &[usize] = &[
    index::RMW,
    index::RF,
    index::CO,
    index::FR,
    index::RMW_PAIRS,
    index::ADDR,
    index::DATA,
    index::CTRL,
    index::SYNC_BARRIER,
    index::SYNC_FENCE,
];

/// A candidate execution.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The events; initial writes first, then thread by thread in program order.
    pub events: Vec<Event>,
    sets: Vec<EventSet>,
    relations: Vec<Relation>,
}

impl World for Candidate {
    fn events(&self) -> usize {
        self.events.len()
    }

    fn set(&self, index: usize) -> EventSet {
        self.sets[index]
    }

    fn relation(&self, index: usize) -> &Relation {
        &self.relations[index]
    }
}

impl Candidate {
    /// The execution of these events before reads-from, coherence and the order of fences are
    /// chosen. Dependencies and atomic pairs are in `pairs`.
    #[must_use]
    pub fn new(test: &Test, events: Vec<Event>, pairs: &Pairs) -> Self {
        let count = events.len();
        let mut candidate = Self {
            sets: vec![EventSet::EMPTY; BASES.len()],
            relations: vec![Relation::empty(count); BASES.len()],
            events,
        };
        candidate.fill_sets();
        candidate.fill_relations(test);
        for (index, list) in [
            (index::RMW_PAIRS, &pairs.rmw),
            (index::ADDR, &pairs.address),
            (index::DATA, &pairs.data),
            (index::CTRL, &pairs.control),
        ] {
            candidate.relations[index] = Relation::from_pairs(count, list.iter().copied());
        }
        for &(read, write) in &pairs.rmw {
            candidate.sets[index::RMW].insert(read);
            candidate.sets[index::RMW].insert(write);
        }
        candidate
    }

    /// Chooses reads-from, coherence and the order of fence.sc operations, and derives from-read.
    pub fn choose(&mut self, read_from: Relation, coherence: Relation, fences: Relation) {
        self.assign(index::RF, read_from);
        self.order_writes(coherence);
        self.assign(index::SYNC_FENCE, fences);
    }

    /// Replaces a relation.
    pub(crate) fn assign(&mut self, index: usize, relation: Relation) {
        self.relations[index] = relation;
    }

    fn fill_sets(&mut self) {
        for (number, event) in self.events.iter().enumerate() {
            let mut put = |index: usize| self.sets[index].insert(number);
            if let Some(access) = event.action.access() {
                put(index::M);
                put(match event.action {
                    Action::Read(..) => index::R,
                    _ => index::W,
                });
                put(match access.order {
                    Order::Weak => index::WEAK,
                    Order::Relaxed => index::RLX,
                    Order::Acquire => index::ACQ,
                    Order::Release => index::REL,
                    Order::AcqRel => index::ACQ_REL,
                    Order::Volatile => index::VOLATILE,
                });
                if access.order == Order::Volatile {
                    put(index::RLX);
                }
                if access.atomic {
                    put(index::A);
                }
                if access.reduction {
                    put(index::RED);
                }
                put(set_of(access.proxy));
                if event.thread.is_none() {
                    put(index::IW);
                }
            }
            if let Some(scope) = event.action.scope() {
                put(match scope {
                    Scope::Cta => index::CTA,
                    Scope::Cluster => index::CLUSTER,
                    Scope::Gpu => index::GPU,
                    Scope::Sys => index::SYS,
                });
            }
            match event.action {
                Action::Fence { sc, .. } => {
                    put(index::F);
                    put(index::GEN);
                    put(if sc { index::SC } else { index::ACQ_REL });
                }
                Action::ProxyFence(proxy) => {
                    put(index::PROXY_FENCE);
                    put(proxy.map_or(index::ALIAS, set_of));
                }
                Action::Barrier { kind, .. } => {
                    put(index::B);
                    put(index::GEN);
                    put(match kind {
                        BarrierKind::Arrive => index::ARRIVE,
                        BarrierKind::Sync | BarrierKind::Red => index::SYNC,
                    });
                }
                Action::Read(..) | Action::Write(..) => {}
            }
        }
    }

    fn fill_relations(&mut self, test: &Test) {
        for (a, first) in self.events.iter().enumerate() {
            for (b, second) in self.events.iter().enumerate() {
                let mut put = |index: usize| self.relations[index].set(a, b);
                let same_thread = first.thread == second.thread && first.thread.is_some();
                put(if same_thread || a == b {
                    index::INT
                } else {
                    index::EXT
                });
                if same_thread && a < b {
                    put(index::PO);
                }
                if let (Some(x), Some(y)) = (first.action.access(), second.action.access()) {
                    if x.memory == y.memory && x.bytes.overlap(y.bytes) {
                        put(index::LOC);
                        // An initial write is one to every address of the location.
                        let initial = first.thread.is_none() || second.thread.is_none();
                        if x.address == y.address || initial {
                            put(index::VLOC);
                        }
                    }
                    if x.whole == y.whole {
                        put(index::SAME_BYTES);
                    }
                }
                let (Some(one), Some(other)) = (first.thread, second.thread) else {
                    continue;
                };
                if includes(test, Scope::Cta, one, other) {
                    put(index::SCTA);
                }
                if let (Some(x), Some(y)) = (first.action.scope(), second.action.scope())
                    && includes(test, x, one, other)
                    && includes(test, y, one, other)
                {
                    put(index::SR);
                }
            }
        }
        self.relations[index::SYNC_BARRIER] = barrier::synchronization(test, &self.events);
    }
}

fn set_of(proxy: Proxy) -> usize {
    match proxy {
        Proxy::Generic => index::GEN,
        Proxy::Surface => index::SUR,
        Proxy::Texture => index::TEX,
        Proxy::Constant => index::CON,
    }
}

/// Whether `scope` around thread `one` includes thread `other`.
fn includes(test: &Test, scope: Scope, one: usize, other: usize) -> bool {
    let (one, other) = (&test.threads[one].placement, &test.threads[other].placement);
    match scope {
        Scope::Cta => one.same_block(other),
        Scope::Cluster => one.same_cluster(other),
        Scope::Gpu => one.gpu == other.gpu,
        Scope::Sys => true,
    }
}

/// Pairs of events that the traces of the threads give.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Reads and writes of the same atomic operation.
    pub rmw: Vec<(usize, usize)>,
    /// Dependencies of addresses.
    pub address: Vec<(usize, usize)>,
    /// Dependencies of values.
    pub data: Vec<(usize, usize)>,
    /// Dependencies of what is executed.
    pub control: Vec<(usize, usize)>,
}
