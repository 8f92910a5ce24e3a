//! Tests from cycles of relaxations.
//!
//! A cycle of program order and communication is what sequential consistency excludes. The test of
//! a cycle has one access for each event, and asks whether an execution with these edges exists
//! (Alglave, Maranget, Sarkar, Sewell, "Fences in Weak Memory Models", CAV 2010).

mod cycle;
mod edge;
mod emit;
mod name;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use cycle::{Access, Cycle};
pub use edge::{Edge, relaxations};

use crate::litmus::Threads;
use hirace_model::error::{Error, Result};

/// A test that was generated.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its name, which no other cycle has.
    pub name: String,
    /// The edges.
    pub cycle: String,
    /// The test. The question is whether the cycle exists.
    pub text: String,
}

/// What cycles are made of.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The edges.
    pub edges: Vec<Edge>,
    /// What each event may be.
    pub accesses: Vec<Access>,
    /// The largest number of threads.
    pub threads: usize,
    /// The largest number of edges.
    pub size: usize,
}

/// The test of a cycle, whose question starts with `quantifier`.
#[must_use]
pub fn test(cycle: &Cycle, threads: Threads, quantifier: &str) -> Generated {
    let mut cycle = cycle.clone();
    let name = name::name(&mut cycle) + threads.suffix();
    Generated {
        text: emit::test(&cycle, &name, threads, quantifier),
        cycle: cycle.to_string(),
        name,
    }
}

/// Calls `visit` with each cycle, short ones first, until it breaks.
///
/// # Errors
/// No event of some direction can be one of the accesses.
pub fn cycles(
    vocabulary: &Vocabulary,
    visit: &mut dyn FnMut(Cycle) -> ControlFlow<()>,
) -> Result<()> {
    for edge in &vocabulary.edges {
        if !vocabulary.accesses.iter().any(|it| it.suits(edge.from)) {
            return Err(Error::Input {
                message: format!("no access given can be a {}", edge.from.noun()),
                help: Some("acquire is for reads and release for writes; add relaxed.gpu".into()),
            });
        }
    }
    for size in 2..=vocabulary.size {
        let mut search = Search {
            vocabulary,
            size,
            edges: Vec::new(),
            accesses: Vec::new(),
            visit,
        };
        if search.edge().is_break() {
            break;
        }
    }
    Ok(())
}

/// The cycles of one size.
struct Search<'a> {
    vocabulary: &'a Vocabulary,
    size: usize,
    edges: Vec<Edge>,
    accesses: Vec<Access>,
    visit: &'a mut dyn FnMut(Cycle) -> ControlFlow<()>,
}

impl Search<'_> {
    /// Adds an edge.
    fn edge(&mut self) -> ControlFlow<()> {
        if self.edges.len() == self.size {
            return self.access();
        }
        let threads = self.edges.iter().filter(|it| it.external).count();
        for &edge in &self.vocabulary.edges {
            let follows = self.edges.last().is_none_or(|it| Cycle::follows(*it, edge));
            // The first edge of the first rotation is the least one.
            let least = self.edges.first().is_none_or(|it| *it <= edge);
            if follows && least && threads + usize::from(edge.external) <= self.vocabulary.threads {
                self.edges.push(edge);
                let flow = self.edge();
                self.edges.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Says what one more event is.
    fn access(&mut self) -> ControlFlow<()> {
        let at = self.accesses.len();
        if at == self.size {
            return self.finish();
        }
        if at == 0 && Cycle::new(self.edges.clone(), vec![Access::PLAIN; self.size]).is_err() {
            return ControlFlow::Continue(());
        }
        for &access in &self.vocabulary.accesses {
            if access.suits(self.edges[at].from) {
                self.accesses.push(access);
                let flow = self.access();
                self.accesses.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self) -> ControlFlow<()> {
        if !Cycle::is_first(&self.edges, &self.accesses) {
            return ControlFlow::Continue(());
        }
        match Cycle::new(self.edges.clone(), self.accesses.clone()) {
            Ok(cycle) => (self.visit)(cycle),
            Err(_) => ControlFlow::Continue(()),
        }
    }
}
