//! The edges of a cycle, and what they are called.
//!
//! The names follow diy (Alglave, Maranget, Sarkar, Sewell, "Fences in Weak Memory Models", CAV
//! 2010): `Rfe` is reads-from between threads, `PosRW` is program order from a read to a write of
//! the same location, `PodWW` from a write to a write of a different one.

use hirace_model::error::{Error, Result};

use crate::litmus::ast::Scope;

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

use Direction::{Read, Write};

impl Direction {
    /// The event in a message.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Read => "read",
            Write => "write",
        }
    }

    /// The letter that names contain.
    pub(super) fn letter(self) -> char {
        match self {
            Read => 'R',
            Write => 'W',
        }
    }
}

/// Why the events of an edge are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The read returns what was written.
    ReadsFrom,
    /// The write overwrites what was read.
    FromRead,
    /// The second write overwrites the first one.
    Coherence,
    /// Program order, and nothing else.
    Program,
    /// A fence between the events.
    Fence {
        /// Whether it is `fence.sc`.
        sc: bool,
        /// Its scope.
        scope: Scope,
    },
    /// The address of the second event depends on the first one.
    Address,
    /// The written value depends on the read.
    Data,
    /// A branch between the events depends on the read.
    Control,
    /// Both are parts of one atomic operation.
    Atomic,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Why the events are related.
    pub relation: Relation,
    /// The first event.
    pub from: Direction,
    /// The second event.
    pub to: Direction,
    /// Both access the same location.
    pub same_location: bool,
    /// The second event is of another thread.
    pub external: bool,
}

impl Edge {
    /// All edges that a relaxation stands for, such as `po`, `fence.sc.gpu` or `rfe`.
    ///
    /// # Errors
    /// There is no such relaxation.
    pub fn of_relaxation(name: &str) -> Result<Vec<Self>> {
        let all = Self::all();
        let found: Vec<_> = all
            .into_iter()
            .filter(|it| it.relaxation() == name)
            .collect();
        if found.is_empty() {
            return Err(Error::Input {
                message: format!("there is no relaxation `{name}`"),
                help: Some(format!("there are: {}", relaxations().join(", "))),
            });
        }
        Ok(found)
    }

    /// The edge of this name, such as `PodWW`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|it| it.name() == name)
    }

    fn all() -> Vec<Self> {
        let communication = [
            (Relation::ReadsFrom, Write, Read),
            (Relation::FromRead, Read, Write),
            (Relation::Coherence, Write, Write),
        ];
        let mut all = Vec::new();
        for external in [true, false] {
            all.extend(communication.map(|(relation, from, to)| Self {
                relation,
                from,
                to,
                same_location: true,
                external,
            }));
        }
        let mut internal = |relation, from, to, same_location| {
            all.push(Self {
                relation,
                from,
                to,
                same_location,
                external: false,
            });
        };
        let pairs = [(Write, Write), (Write, Read), (Read, Write), (Read, Read)];
        for same_location in [false, true] {
            for (from, to) in pairs {
                internal(Relation::Program, from, to, same_location);
                for &scope in Scope::ALL {
                    for sc in [true, false] {
                        internal(Relation::Fence { sc, scope }, from, to, same_location);
                    }
                }
            }
        }
        // Between accesses of one location, the value orders more than a dependency does.
        for to in [Write, Read] {
            internal(Relation::Address, Read, to, false);
            internal(Relation::Control, Read, to, false);
        }
        internal(Relation::Data, Read, Write, false);
        internal(Relation::Atomic, Read, Write, true);
        all
    }

    /// The relaxation that the edge belongs to.
    pub(super) fn relaxation(&self) -> String {
        let place = |name: &str| format!("{name}{}", if self.external { 'e' } else { 'i' });
        match self.relation {
            Relation::ReadsFrom => place("rf"),
            Relation::FromRead => place("fr"),
            Relation::Coherence => place("co"),
            _ => self.label(),
        }
    }

    /// What the names of tests say of the edge.
    pub(super) fn label(&self) -> String {
        let location = |name: String| {
            if self.same_location {
                name + "-loc"
            } else {
                name
            }
        };
        match self.relation {
            Relation::ReadsFrom => "rfi".to_owned(),
            Relation::FromRead => "fri".to_owned(),
            Relation::Coherence => "coi".to_owned(),
            Relation::Program => location("po".to_owned()),
            Relation::Fence { sc, scope } => location(fence(sc, scope)),
            Relation::Address => "addr".to_owned(),
            Relation::Data => "data".to_owned(),
            Relation::Control => "ctrl".to_owned(),
            Relation::Atomic => "rmw".to_owned(),
        }
    }

    /// The name, such as `PodWW`.
    #[must_use]
    pub fn name(&self) -> String {
        let place = if self.external { 'e' } else { 'i' };
        let location = if self.same_location { 's' } else { 'd' };
        let (from, to) = (self.from.letter(), self.to.letter());
        match self.relation {
            Relation::ReadsFrom => format!("Rf{place}"),
            Relation::FromRead => format!("Fr{place}"),
            Relation::Coherence => format!("Co{place}"),
            Relation::Program => format!("Po{location}{from}{to}"),
            Relation::Fence { sc, scope } => {
                let fence = fence(sc, scope);
                format!("F{}.{location}{from}{to}", &fence[1..])
            }
            Relation::Address => format!("DpAddrd{to}"),
            Relation::Data => "DpDatadW".to_owned(),
            Relation::Control => format!("DpCtrld{to}"),
            Relation::Atomic => "Rmw".to_owned(),
        }
    }

    /// Whether a value passes along the edge.
    pub(super) fn communicates(&self) -> bool {
        matches!(
            self.relation,
            Relation::ReadsFrom | Relation::FromRead | Relation::Coherence | Relation::Atomic
        )
    }
}

/// The names of all relaxations.
pub fn relaxations() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for edge in Edge::all() {
        let name = edge.relaxation();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A fence as PTX writes it.
pub(super) fn fence(sc: bool, scope: Scope) -> String {
    let kind = if sc { "sc" } else { "acq_rel" };
    format!("fence.{kind}.{}", scope.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Edge::all().iter().map(Edge::name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_relaxation_stands_for_its_edges() {
        let names = |relaxation: &str| {
            let edges = Edge::of_relaxation(relaxation).expect("a relaxation");
            edges.iter().map(Edge::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("rfe"), "Rfe");
        assert_eq!(names("po"), "PodWW PodWR PodRW PodRR");
        assert_eq!(names("po-loc"), "PosWW PosWR PosRW PosRR");
        assert_eq!(names("addr"), "DpAddrdW DpAddrdR");
        assert_eq!(
            names("fence.sc.gpu"),
            "Fence.sc.gpu.dWW Fence.sc.gpu.dWR Fence.sc.gpu.dRW Fence.sc.gpu.dRR"
        );
        assert!(Edge::of_relaxation("lwsync").is_err());
    }
}
