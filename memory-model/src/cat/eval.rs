//! Evaluates the nodes of a graph on a world.

use super::ast::AxiomKind;
use super::graph::{Graph, GroupId, NodeId, Op};
use super::lower::Test;
use super::types::Type;
use super::world::World;
use crate::relation::{EventSet, Relation};

/// The values of nodes.
#[derive(Clone, Debug)]
pub(super) struct Values {
    events: usize,
    /// By node; those of relations are unused.
    sets: Vec<EventSet>,
    /// By node; those of sets are unused.
    relations: Vec<Relation>,
    /// The nodes whose value is that in the current world.
    valid: Vec<bool>,
}

impl Values {
    /// No values yet.
    pub fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        Self {
            events: 0,
            sets: vec![EventSet::EMPTY; nodes],
            relations: vec![Relation::default(); nodes],
            valid: vec![false; nodes],
        }
    }

    /// Forgets the values that depend on any of the bases, one bit each.
    pub fn forget(&mut self, graph: &Graph, bases: u128) {
        for (valid, node) in self.valid.iter_mut().zip(&graph.nodes) {
            *valid &= node.bases & bases == 0;
        }
    }

    /// Forgets all values.
    pub fn forget_all(&mut self) {
        self.valid.fill(false);
    }

    /// Computes those nodes of `order` that are not known.
    pub fn need(&mut self, graph: &Graph, order: &[NodeId], world: &dyn World) {
        if self.events != world.events() {
            self.events = world.events();
            self.forget_all();
        }
        for &node in order {
            if !self.valid[node] {
                self.compute(graph, node, world);
                self.valid[node] = true;
            }
        }
    }

    /// The value of a set.
    pub fn set(&self, graph: &Graph, node: NodeId, world: &dyn World) -> EventSet {
        match graph.nodes[node].op {
            Op::Base(index) => world.set(index),
            _ => self.sets[node],
        }
    }

    /// The value of a relation.
    pub fn relation<'a>(
        &'a self,
        graph: &Graph,
        node: NodeId,
        world: &'a dyn World,
    ) -> &'a Relation {
        match graph.nodes[node].op {
            Op::Base(index) => world.relation(index),
            _ => &self.relations[node],
        }
    }

    /// Whether the test is true. Its node must be known.
    pub fn holds(&self, graph: &Graph, test: &Test, world: &dyn World) -> bool {
        let node = test.node;
        let plain = if graph.nodes[node].kind == Some(Type::Set) {
            self.set(graph, node, world).is_empty()
        } else {
            let relation = self.relation(graph, node, world);
            match test.kind {
                AxiomKind::Acyclic => relation.is_acyclic(),
                AxiomKind::Irreflexive => relation.is_irreflexive(),
                AxiomKind::Empty => relation.is_empty(),
            }
        };
        plain != test.negated
    }

    /// Computes a node from its operands.
    fn compute(&mut self, graph: &Graph, node: NodeId, world: &dyn World) {
        if let Op::Solve(group) = graph.nodes[node].op {
            self.solve(graph, group, world);
        } else if graph.nodes[node].kind == Some(Type::Set) {
            self.sets[node] = self.compute_set(graph, node, world);
        } else {
            self.compute_relation(graph, node, world);
        }
    }

    fn compute_set(&self, graph: &Graph, node: NodeId, world: &dyn World) -> EventSet {
        let set = |node| self.set(graph, node, world);
        match graph.nodes[node].op {
            Op::Full => EventSet::all(self.events),
            Op::Union(a, b) => set(a) | set(b),
            Op::Intersection(a, b) => set(a) & set(b),
            Op::Difference(a, b) => set(a) - set(b),
            Op::Complement(a) => set(a).complement(self.events),
            Op::Domain(a) => self.relation(graph, a, world).domain(),
            Op::Range(a) => self.relation(graph, a, world).range(),
            Op::Solved(_, variable) => self.sets[variable],
            // Others are not sets, or are never computed.
            _ => EventSet::EMPTY,
        }
    }

    fn compute_relation(&mut self, graph: &Graph, node: NodeId, world: &dyn World) {
        let (events, sets) = (self.events, &self.sets);
        let (known, rest) = self.relations.split_at_mut(node);
        let result = &mut rest[0];
        let set = |node: NodeId| match graph.nodes[node].op {
            Op::Base(index) => world.set(index),
            _ => sets[node],
        };
        let relation = |node: NodeId| match graph.nodes[node].op {
            Op::Base(index) => world.relation(index),
            _ => &known[node],
        };
        match graph.nodes[node].op {
            Op::Empty | Op::Base(_) | Op::Variable(..) | Op::Solve(_) => result.clear(events),
            Op::Full => result.assign_product(events, EventSet::all(events), EventSet::all(events)),
            Op::Union(a, b) => {
                result.assign(relation(a));
                result.union_with(relation(b));
            }
            Op::Intersection(a, b) => {
                result.assign(relation(a));
                result.intersect_with(relation(b));
            }
            Op::Difference(a, b) => {
                result.assign(relation(a));
                result.subtract(relation(b));
            }
            Op::Complement(a) => {
                result.assign(relation(a));
                result.flip();
            }
            Op::Sequence(a, b) => result.assign_composition(relation(a), relation(b)),
            Op::Product(a, b) => result.assign_product(events, set(a), set(b)),
            Op::From(a, b) => {
                result.assign(relation(b));
                result.restrict_domain(set(a));
            }
            Op::To(a, b) => {
                result.assign(relation(a));
                result.restrict_range(set(b));
            }
            Op::Inverse(a) => result.assign_inverse(relation(a)),
            Op::Optional(a) => {
                result.assign(relation(a));
                result.add_identity();
            }
            Op::Plus(a) => {
                result.assign(relation(a));
                result.close();
            }
            Op::Star(a) => {
                result.assign(relation(a));
                result.close();
                result.add_identity();
            }
            Op::Identity(a) => result.assign_identity(events, set(a)),
            Op::Solved(_, variable) => result.assign(relation(variable)),
            // These are sets.
            Op::Domain(_) | Op::Range(_) => {}
        }
    }

    /// Computes the least fixpoint of a recursive definition in its variables.
    fn solve(&mut self, graph: &Graph, group: GroupId, world: &dyn World) {
        let group = &graph.groups[group];
        for &variable in &group.variables {
            self.sets[variable] = EventSet::EMPTY;
            self.relations[variable].clear(self.events);
        }
        loop {
            for &node in &group.program {
                self.compute(graph, node, world);
            }
            let mut changed = false;
            for (&variable, &body) in group.variables.iter().zip(&group.bodies) {
                if graph.nodes[variable].kind == Some(Type::Set) {
                    let new = self.set(graph, body, world);
                    changed |= self.sets[variable] != new;
                    self.sets[variable] = new;
                } else {
                    let mut value = std::mem::take(&mut self.relations[variable]);
                    // A name that is its own definition remains empty.
                    if body != variable && *self.relation(graph, body, world) != value {
                        value.assign(self.relation(graph, body, world));
                        changed = true;
                    }
                    self.relations[variable] = value;
                }
            }
            if !changed {
                return;
            }
        }
    }
}
