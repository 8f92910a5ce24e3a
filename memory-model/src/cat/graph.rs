//! A model as a graph of operations.
//!
//! Equal expressions share a node, calls of functions are replaced by their bodies, and `[S] ; r`
//! becomes a restriction of `r`. Operands come before the nodes that use them, so evaluation is a
//! loop over numbers in ascending order.
//!
//! # Invariants
//! - The operands of a node have smaller numbers.
//! - Nodes that are not inside a recursive definition have an empty [`Node::open`].

mod build;
mod order;
mod parts;

use std::collections::HashMap;

use super::source::Span;
use super::types::Type;
use super::world::Base;

/// The number of a node.
pub(super) type NodeId = usize;

/// The number of a recursive definition.
pub(super) type GroupId = usize;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// The empty set or relation.
    Empty,
    /// All events or all pairs.
    Full,
    /// A set or relation of the world.
    Base(usize),
    Union(NodeId, NodeId),
    Intersection(NodeId, NodeId),
    Difference(NodeId, NodeId),
    Complement(NodeId),
    Sequence(NodeId, NodeId),
    Product(NodeId, NodeId),
    /// The pairs of a relation that start in a set: `[S] ; r`.
    From(NodeId, NodeId),
    /// The pairs of a relation that end in a set: `r ; [S]`.
    To(NodeId, NodeId),
    Inverse(NodeId),
    Optional(NodeId),
    Plus(NodeId),
    Star(NodeId),
    /// `[S]`.
    Identity(NodeId),
    Domain(NodeId),
    Range(NodeId),
    /// A name inside its own recursive definition.
    Variable(GroupId, usize),
    /// Computes a recursive definition. It has no value: the variables have.
    Solve(GroupId),
    /// A name after its recursive definition: the value of the variable after the node that solves
    /// the definition.
    Solved(NodeId, NodeId),
}

/// The type of a node. `None`: `0` and its complement are sets and relations.
pub(super) type Kind = Option<Type>;

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub op: Op,
    pub kind: Kind,
    /// The bases that it depends on, one bit each.
    pub bases: u128,
    /// The recursive definitions on whose variables it depends, in ascending order. Inner
    /// definitions have greater numbers.
    pub open: Vec<GroupId>,
}

/// A recursive definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub variables: Vec<NodeId>,
    pub bodies: Vec<NodeId>,
    /// The nodes to evaluate in each round, in order.
    pub program: Vec<NodeId>,
}

/// Where a node comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    /// The first name that it was given.
    pub name: Option<String>,
    /// The first expression that it is the value of.
    pub span: Option<Span>,
}

/// All expressions of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    pub labels: Vec<Label>,
    pub groups: Vec<Group>,
    known: HashMap<(Op, Kind), NodeId>,
    kinds: Vec<Type>,
}

impl Graph {
    /// The graph of a model on worlds with these bases.
    pub fn new(bases: &[Base]) -> Self {
        Self {
            kinds: bases.iter().map(|base| base.kind).collect(),
            ..Self::default()
        }
    }

    /// The operands.
    pub fn operands(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let (two, rest): ([Option<NodeId>; 2], &[NodeId]) = match self.nodes[node].op {
            Op::Empty | Op::Full | Op::Base(_) | Op::Variable(..) => ([None; 2], &[]),
            Op::Union(a, b)
            | Op::Intersection(a, b)
            | Op::Difference(a, b)
            | Op::Sequence(a, b)
            | Op::Product(a, b)
            | Op::From(a, b)
            | Op::To(a, b)
            | Op::Solved(a, b) => ([Some(a), Some(b)], &[]),
            Op::Complement(a)
            | Op::Inverse(a)
            | Op::Optional(a)
            | Op::Plus(a)
            | Op::Star(a)
            | Op::Identity(a)
            | Op::Domain(a)
            | Op::Range(a) => ([Some(a), None], &[]),
            Op::Solve(group) => ([None; 2], &self.groups[group].bodies),
        };
        two.into_iter().flatten().chain(rest.iter().copied())
    }

    /// Names a node, unless it has a name.
    pub fn name(&mut self, node: NodeId, name: &str) {
        let label = &mut self.labels[node];
        label.name.get_or_insert_with(|| name.to_owned());
    }

    /// Adds a node, or finds it.
    fn node(&mut self, op: Op, kind: Kind) -> NodeId {
        if let Some(&node) = self.known.get(&(op, kind)) {
            return node;
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            op,
            kind,
            bases: 0,
            open: Vec::new(),
        });
        self.labels.push(Label::default());
        self.known.insert((op, kind), node);
        let mut bases = 0;
        let mut open = Vec::new();
        for operand in self.operands(node) {
            bases |= self.nodes[operand].bases;
            open.extend(&self.nodes[operand].open);
        }
        match op {
            Op::Base(index) => bases |= 1 << index,
            Op::Variable(group, _) => open.push(group),
            // After it, the variables are no longer open.
            Op::Solve(group) => open.retain(|&inner| inner != group),
            Op::Solved(solve, _) => open.clone_from(&self.nodes[solve].open),
            _ => {}
        }
        open.sort_unstable();
        open.dedup();
        self.nodes[node].bases = bases;
        self.nodes[node].open = open;
        node
    }
}
