//! Cycles of edges: which of them make a test.

use std::fmt;

use hirace_model::error::{Error, Result};

use super::edge::{Direction, Edge, Relation};
use crate::litmus::ast::{Order, Scope};

/// How an event accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Its order.
    pub order: Order,
    /// Its scope; none for weak and volatile accesses.
    pub scope: Option<Scope>,
}

impl Access {
    /// What an event without an annotation is: strong, and no more.
    pub const PLAIN: Self = Self {
        order: Order::Relaxed,
        scope: Some(Scope::Gpu),
    };

    /// Reads `weak`, `volatile`, `relaxed.gpu` and the like.
    ///
    /// # Errors
    /// There is no such access.
    pub fn parse(text: &str) -> Result<Self> {
        let (order, scope) = text.split_once('.').unwrap_or((text, ""));
        let found = match (Order::named(order), scope) {
            (Some(order @ (Order::Weak | Order::Volatile)), "") => Some((order, None)),
            (Some(order @ (Order::Relaxed | Order::Acquire | Order::Release)), _) => {
                Scope::named(scope).map(|it| (order, Some(it)))
            }
            _ => None,
        };
        let Some((order, scope)) = found else {
            return Err(Error::Input {
                message: format!("there is no access `{text}`"),
                help: Some(
                    "an access is weak, volatile, or relaxed, acquire or release with a scope, \
                     as in relaxed.gpu; scopes are cta, cluster, gpu and sys"
                        .to_owned(),
                ),
            });
        };
        Ok(Self { order, scope })
    }

    /// Whether an event of this direction can be such an access.
    pub(super) fn suits(self, direction: Direction) -> bool {
        match self.order {
            Order::Acquire => direction == Direction::Read,
            Order::Release => direction == Direction::Write,
            _ => true,
        }
    }

    fn key(self) -> (&'static str, Option<Scope>) {
        (self.order.name(), self.scope)
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.order.name())?;
        self.scope.map_or(Ok(()), |it| write!(f, ".{}", it.name()))
    }
}

/// A cycle: each edge starts at the event where the one before it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub(super) edges: Vec<Edge>,
    /// How the first event of each edge accesses memory.
    pub(super) accesses: Vec<Access>,
}

impl Cycle {
    /// Makes a cycle that makes a test. It starts with the first event of a thread.
    ///
    /// # Errors
    /// Why there is no test for it.
    pub(super) fn new(
        edges: Vec<Edge>,
        accesses: Vec<Access>,
    ) -> std::result::Result<Self, String> {
        let mut cycle = Self { edges, accesses };
        cycle.check()?;
        let threads = cycle.edges.iter().rposition(|it| it.external);
        // With one thread only, its program order.
        let last = threads.or_else(|| cycle.edges.iter().rposition(Edge::communicates));
        cycle.rotate(last.map_or(0, |it| it + 1));
        Ok(cycle)
    }

    /// Reads edges, with accesses in brackets between them: `PodWW [release.gpu] Rfe`.
    ///
    /// # Errors
    /// Something else is there, or the edges do not make a test.
    pub fn parse(words: &[&str]) -> Result<Self> {
        let failed = |message: String| Error::Input {
            message,
            help: None,
        };
        let mut edges: Vec<Edge> = Vec::new();
        let mut ends: Vec<Option<Access>> = Vec::new();
        for word in words {
            let bracketed = word.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            if let Some(access) = bracketed {
                let access = Access::parse(access)?;
                match ends.last_mut() {
                    Some(end @ None) => *end = Some(access),
                    _ => return Err(failed(format!("`{word}` must follow an edge"))),
                }
            } else if let Some(edge) = Edge::named(word) {
                edges.push(edge);
                ends.push(None);
            } else {
                let help = "an edge is named like Rfe, PodWR or Fence.sc.gpu.dWW".to_owned();
                return Err(Error::Input {
                    message: format!("there is no edge `{word}`"),
                    help: Some(help),
                });
            }
        }
        let mut accesses: Vec<_> = ends.iter().map(|it| it.unwrap_or(Access::PLAIN)).collect();
        // The end of an edge is the start of the next one.
        let by = 1.min(accesses.len());
        accesses.rotate_right(by);
        for (edge, access) in edges.iter().zip(&accesses) {
            if !access.suits(edge.from) {
                let what = edge.from.noun();
                return Err(failed(format!("a {what} cannot be `{access}`")));
            }
        }
        Self::new(edges, accesses).map_err(failed)
    }

    /// The number of edges.
    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The edge in front of edge `at`.
    pub(super) fn before(&self, at: usize) -> Edge {
        self.edges[(at + self.len() - 1) % self.len()]
    }

    pub(super) fn rotate(&mut self, by: usize) {
        let by = by % self.len();
        self.edges.rotate_left(by);
        self.accesses.rotate_left(by);
    }

    /// Whether no other rotation comes first: of all rotations of a cycle, one is the first.
    pub(super) fn is_first(edges: &[Edge], accesses: &[Access]) -> bool {
        let length = edges.len();
        let key = |start: usize, at: usize| {
            let at = (start + at) % length;
            (edges[at], accesses[at].key())
        };
        let less = |start: usize| {
            (0..length)
                .map(|at| key(start, at).cmp(&key(0, at)))
                .find(|it| it.is_ne())
                .is_some_and(std::cmp::Ordering::is_lt)
        };
        !(1..length).any(less)
    }

    /// Whether `next` may follow `edge`.
    pub(super) fn follows(edge: Edge, next: Edge) -> bool {
        let atomic = edge.relation == Relation::Atomic || next.relation == Relation::Atomic;
        // Two such edges are one edge of a shorter cycle.
        let redundant = match (edge.communicates(), next.communicates()) {
            _ if atomic => edge.relation == next.relation,
            (false, false) => true,
            (true, true) if edge.external != next.external => false,
            (true, true) => !edge.external || edge.relation == Relation::ReadsFrom,
            _ => false,
        };
        edge.to == next.from && !redundant
    }

    fn check(&self) -> std::result::Result<(), String> {
        for (at, edge) in self.edges.iter().enumerate() {
            let next = self.edges[(at + 1) % self.len()];
            if !Self::follows(*edge, next) {
                let (one, other) = (edge.name(), next.name());
                if edge.to != next.from {
                    let (end, start) = (edge.to.noun(), next.from.noun());
                    return Err(format!(
                        "`{other}` cannot follow `{one}`: {one} ends in a {end}, {other} starts with \
                         a {start}"
                    ));
                }
                return Err(format!(
                    "`{other}` cannot follow `{one}`: together they are one edge of a shorter cycle"
                ));
            }
        }
        // Where program order goes back, such a write is a thread of its own.
        let overwritten = |at: usize| {
            let next = self.edges[(at + 1) % self.len()];
            let communicates = self.edges[at].external && self.edges[at].communicates();
            communicates && next.external && next.relation == Relation::Coherence
        };
        let several = self.edges.iter().any(|it| !it.same_location);
        if let Some(at) = (0..self.len()).find(|at| several && overwritten(*at)) {
            let (edge, next) = (
                self.edges[at].name(),
                self.edges[(at + 1) % self.len()].name(),
            );
            return Err(format!("`{next}` after `{edge}` makes no other test"));
        }
        let count = |it: fn(&Edge) -> bool| self.edges.iter().filter(|edge| it(edge)).count();
        let threads = count(|it| it.external);
        let locations = count(|it| !it.same_location);
        if threads == 1 {
            let message = "only one edge leads to another thread; a second one must lead back";
            return Err(message.to_owned());
        }
        if locations == 1 {
            let message = "only one edge leads to another location; a second one must lead back";
            return Err(message.to_owned());
        }
        // What orders the values of one location is broken where the program order goes back.
        if locations == 0 && count(|it| !it.communicates()) != 1 {
            return Err("a cycle of one location needs one edge of program order".to_owned());
        }
        let atomic = self.edges.iter().any(|it| it.relation == Relation::Atomic);
        if threads == 0 && (self.len() != 2 || atomic) {
            return Err("a cycle of one thread has program order and communication".to_owned());
        }
        for (at, edge) in self.edges.iter().enumerate() {
            let (read, write) = (self.accesses[at], self.accesses[(at + 1) % self.len()]);
            let one = read.scope.is_some() && read.scope == write.scope;
            if edge.relation == Relation::Atomic && !one {
                return Err("both parts of `Rmw` need the same scope".to_owned());
            }
        }
        self.check_writes()
    }

    /// A final state shows one step of the order of writes to a location; atomic operations show
    /// the steps that they are.
    fn check_writes(&self) -> std::result::Result<(), String> {
        for run in self.runs() {
            let open = run
                .iter()
                .filter(|at| self.edges[**at].from == Direction::Write)
                .filter(|at| self.before(**at).relation != Relation::Atomic)
                .count();
            if open > 2 {
                let message = "no final state shows the order of three writes to one location";
                return Err(message.to_owned());
            }
        }
        Ok(())
    }

    /// The events of each location, in the order of their values.
    pub(super) fn runs(&self) -> Vec<Vec<usize>> {
        let several = self.edges.iter().any(|it| !it.same_location);
        let breaks = |it: &Edge| match several {
            true => !it.same_location,
            false => !it.communicates(),
        };
        let first = self.edges.iter().position(breaks).map_or(0, |it| it + 1);
        let mut runs: Vec<Vec<usize>> = vec![Vec::new()];
        for at in (0..self.len()).map(|it| (first + it) % self.len()) {
            runs.last_mut().expect("one").push(at);
            if breaks(&self.edges[at]) {
                runs.push(Vec::new());
            }
        }
        runs.pop();
        runs
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, edge) in self.edges.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}", edge.name())?;
            let end = self.accesses[(at + 1) % self.len()];
            if end != Access::PLAIN {
                write!(f, " [{end}]")?;
            }
        }
        Ok(())
    }
}
