//! Makes nodes, and simplifies what it can.

use super::{Graph, Kind, NodeId, Op};
use crate::cat::ast::AxiomKind;
use crate::cat::types::Type;

const SET: Kind = Some(Type::Set);
const RELATION: Kind = Some(Type::Relation);

impl Graph {
    fn op(&self, node: NodeId) -> Op {
        self.nodes[node].op
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node].kind
    }

    fn is_empty(&self, node: NodeId) -> bool {
        self.op(node) == Op::Empty
    }

    fn is_full(&self, node: NodeId) -> bool {
        self.op(node) == Op::Full
    }

    /// The empty set or relation; `None`: `0`.
    pub fn empty(&mut self, kind: Kind) -> NodeId {
        self.node(Op::Empty, kind)
    }

    /// All events or all pairs.
    pub fn full(&mut self, kind: Kind) -> NodeId {
        self.node(Op::Full, kind)
    }

    /// The node as a value of this type: `0` and its complement are of both.
    pub fn typed(&mut self, node: NodeId, kind: Type) -> NodeId {
        match (self.op(node), self.kind(node)) {
            (op @ (Op::Empty | Op::Full), None) => self.node(op, Some(kind)),
            _ => node,
        }
    }

    fn relation(&mut self, node: NodeId) -> NodeId {
        self.typed(node, Type::Relation)
    }

    /// A set or relation of the world.
    pub fn base(&mut self, index: usize) -> NodeId {
        self.node(Op::Base(index), Some(self.kinds[index]))
    }

    pub fn union(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let kind = self.kind(a).or(self.kind(b));
        if self.is_full(a) || self.is_full(b) {
            return self.full(kind);
        }
        if a == b || self.is_empty(b) {
            return a;
        }
        if self.is_empty(a) {
            return b;
        }
        self.node(Op::Union(a.min(b), a.max(b)), kind)
    }

    pub fn intersection(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let kind = self.kind(a).or(self.kind(b));
        if self.is_empty(a) || self.is_empty(b) {
            return self.empty(kind);
        }
        if a == b || self.is_full(b) {
            return a;
        }
        if self.is_full(a) {
            return b;
        }
        match (self.op(a), self.op(b)) {
            // Restrictions cost less than products and complements.
            (_, Op::Product(from, to)) => {
                let ends = self.to(a, to);
                self.from(from, ends)
            }
            (Op::Product(from, to), _) => {
                let ends = self.to(b, to);
                self.from(from, ends)
            }
            (_, Op::Complement(b)) => self.difference(a, b),
            (Op::Complement(a), _) => self.difference(b, a),
            _ => self.node(Op::Intersection(a.min(b), a.max(b)), kind),
        }
    }

    pub fn difference(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let kind = self.kind(a).or(self.kind(b));
        if a == b || self.is_empty(a) || self.is_full(b) {
            return self.empty(kind);
        }
        if self.is_empty(b) {
            return a;
        }
        if self.is_full(a) {
            return self.complement(b);
        }
        self.node(Op::Difference(a, b), kind)
    }

    pub fn complement(&mut self, a: NodeId) -> NodeId {
        let kind = self.kind(a);
        match self.op(a) {
            Op::Empty => self.full(kind),
            Op::Full => self.empty(kind),
            Op::Complement(inner) => inner,
            _ => self.node(Op::Complement(a), kind),
        }
    }

    pub fn sequence(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (self.relation(a), self.relation(b));
        if self.is_empty(a) || self.is_empty(b) {
            return self.empty(RELATION);
        }
        match (self.op(a), self.op(b)) {
            (Op::Identity(set), _) => self.from(set, b),
            (_, Op::Identity(set)) => self.to(a, set),
            _ => self.node(Op::Sequence(a, b), RELATION),
        }
    }

    /// `[set] ; relation`.
    fn from(&mut self, set: NodeId, relation: NodeId) -> NodeId {
        self.restricted(set, relation, Op::From(set, relation))
    }

    /// `relation ; [set]`.
    fn to(&mut self, relation: NodeId, set: NodeId) -> NodeId {
        self.restricted(set, relation, Op::To(relation, set))
    }

    fn restricted(&mut self, set: NodeId, relation: NodeId, op: Op) -> NodeId {
        if self.is_full(set) || self.is_empty(relation) {
            return relation;
        }
        if self.is_empty(set) {
            return self.empty(RELATION);
        }
        if let Op::Identity(other) = self.op(relation) {
            let both = self.intersection(set, other);
            return self.identity(both);
        }
        self.node(op, RELATION)
    }

    pub fn product(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (self.typed(a, Type::Set), self.typed(b, Type::Set));
        if self.is_empty(a) || self.is_empty(b) {
            return self.empty(RELATION);
        }
        if self.is_full(a) && self.is_full(b) {
            return self.full(RELATION);
        }
        self.node(Op::Product(a, b), RELATION)
    }

    /// `[set]`.
    pub fn identity(&mut self, set: NodeId) -> NodeId {
        let set = self.typed(set, Type::Set);
        if self.is_empty(set) {
            return self.empty(RELATION);
        }
        self.node(Op::Identity(set), RELATION)
    }

    pub fn inverse(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        match self.op(a) {
            Op::Inverse(inner) => inner,
            Op::Empty | Op::Full | Op::Identity(_) => a,
            _ => self.node(Op::Inverse(a), RELATION),
        }
    }

    pub fn optional(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        match self.op(a) {
            Op::Full | Op::Optional(_) | Op::Star(_) => a,
            Op::Plus(inner) => self.star(inner),
            Op::Empty | Op::Identity(_) => self.every_event(),
            _ => self.node(Op::Optional(a), RELATION),
        }
    }

    pub fn plus(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        match self.op(a) {
            Op::Empty | Op::Full | Op::Identity(_) | Op::Plus(_) | Op::Star(_) => a,
            Op::Optional(inner) => self.star(inner),
            _ => self.node(Op::Plus(a), RELATION),
        }
    }

    pub fn star(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        match self.op(a) {
            Op::Full | Op::Star(_) => a,
            Op::Plus(inner) | Op::Optional(inner) => self.star(inner),
            Op::Empty | Op::Identity(_) => self.every_event(),
            _ => self.node(Op::Star(a), RELATION),
        }
    }

    /// `[_]`.
    fn every_event(&mut self) -> NodeId {
        let universe = self.full(SET);
        self.identity(universe)
    }

    pub fn domain(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        self.projection(a, Op::Domain(a))
    }

    pub fn range(&mut self, a: NodeId) -> NodeId {
        let a = self.relation(a);
        self.projection(a, Op::Range(a))
    }

    fn projection(&mut self, relation: NodeId, op: Op) -> NodeId {
        match self.op(relation) {
            Op::Empty => self.empty(SET),
            Op::Full => self.full(SET),
            Op::Identity(set) => set,
            _ => self.node(op, SET),
        }
    }

    /// The same test on a relation that is cheaper to compute.
    pub fn without_closure(&self, kind: AxiomKind, node: NodeId) -> (AxiomKind, NodeId) {
        match self.op(node) {
            Op::Plus(inner) => (AxiomKind::Acyclic, inner),
            _ => (kind, node),
        }
    }
}
