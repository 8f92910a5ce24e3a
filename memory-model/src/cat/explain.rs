//! Why an axiom is violated or a flag raised: the events, and how they are related.

use super::ast::AxiomKind;
use super::eval::Values;
use super::graph::{Graph, NodeId, Op};
use super::lower::Lowered;
use super::source::Sources;
use super::types::Type;
use super::world::World;
use crate::relation::{EventSet, Relation};

/// A pair of events, and a name or expression that relates them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The first event.
    pub from: usize,
    /// The second event.
    pub to: usize,
    /// The relation, such as `rf`.
    pub relation: String,
}

/// The events that are the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// Each step starts at the end of the step before it, and the first one at the end of the last.
    Cycle(Vec<Step>),
    /// The pairs of a relation that is not empty.
    Pairs(Vec<(usize, usize)>),
    /// The events of a set that is not empty.
    Events(Vec<usize>),
    /// There are none: a set or relation is empty, or has no cycle.
    Nothing,
}

/// A violated axiom or a raised flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Its index in the axioms of the model.
    pub axiom: usize,
    /// The events.
    pub witness: Witness,
}

/// The value of a `show` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name, or its expression.
    pub name: String,
    /// The set or relation.
    pub value: Value,
}

/// A set or a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A set of events.
    Set(EventSet),
    /// A relation between events.
    Relation(Relation),
}

/// The values of `show` statements.
pub(super) fn shown(sources: &Sources, lowered: &Lowered, world: &dyn World) -> Vec<Shown> {
    let mut explainer = Explainer::new(sources, lowered, world);
    let shown = lowered.shown.iter();
    shown
        .map(|(name, node)| Shown {
            name: name.clone(),
            value: explainer.value(*node),
        })
        .collect()
}

/// Why the axiom with index `axiom` is violated, or the flag raised.
pub(super) fn axiom(
    sources: &Sources,
    lowered: &Lowered,
    axiom: usize,
    world: &dyn World,
) -> Explanation {
    let test = &lowered.tests[axiom];
    let mut explainer = Explainer::new(sources, lowered, world);
    let witness = match (test.kind, explainer.value(test.node)) {
        (_, Value::Set(set)) if !set.is_empty() => Witness::Events(set.iter().collect()),
        (AxiomKind::Empty, Value::Relation(relation)) if !relation.is_empty() => {
            Witness::Pairs(relation.pairs().collect())
        }
        (AxiomKind::Irreflexive, Value::Relation(relation)) => {
            let event = relation.pairs().find(|(from, to)| from == to);
            explainer.cycle(test.node, event.map(|(event, _)| vec![event]))
        }
        (AxiomKind::Acyclic, Value::Relation(relation)) => {
            explainer.cycle(test.node, relation.cycle())
        }
        _ => Witness::Nothing,
    };
    Explanation { axiom, witness }
}

struct Explainer<'a> {
    sources: &'a Sources,
    graph: &'a Graph,
    world: &'a dyn World,
    values: Values,
}

impl<'a> Explainer<'a> {
    fn new(sources: &'a Sources, lowered: &'a Lowered, world: &'a dyn World) -> Self {
        let graph = &lowered.graph;
        Self {
            sources,
            graph,
            world,
            values: Values::new(graph),
        }
    }

    fn value(&mut self, node: NodeId) -> Value {
        if self.graph.nodes[node].kind == Some(Type::Set) {
            let order = self.graph.order(node);
            self.values.need(self.graph, &order, self.world);
            return Value::Set(self.values.set(self.graph, node, self.world));
        }
        Value::Relation(self.relation(node).clone())
    }

    fn relation(&mut self, node: NodeId) -> &Relation {
        let order = self.graph.order(node);
        self.values.need(self.graph, &order, self.world);
        self.values.relation(self.graph, node, self.world)
    }

    /// The cycle through these events, in terms of the parts of `root`.
    fn cycle(&mut self, root: NodeId, events: Option<Vec<usize>>) -> Witness {
        let Some(mut events) = events else {
            return Witness::Nothing;
        };
        events.extend(events.first().copied());
        let mut steps = Vec::new();
        for pair in events.windows(2) {
            let whole = Pair {
                node: root,
                from: pair[0],
                to: pair[1],
            };
            let before = steps.len();
            self.steps(whole, &mut steps);
            // Such as `[S]`, which is no step.
            if steps.len() == before {
                steps.push(self.whole(whole));
            }
        }
        Witness::Cycle(steps)
    }

    /// Adds the steps that `whole` consists of. Named relations are one step, except `whole`.
    fn steps(&mut self, whole: Pair, steps: &mut Vec<Step>) {
        // The parts that are left, the first one at the end. Not recursive: graphs can be deep.
        let mut rest = vec![whole];
        while let Some(part) = rest.pop() {
            let named = self.graph.labels[part.node].name.is_some() && part.node != whole.node;
            match self.parts(part) {
                Some(parts) if !named => rest.extend(parts.into_iter().rev()),
                _ => steps.push(self.whole(part)),
            }
        }
    }

    /// The parts of a step, if its operation has parts.
    fn parts(&mut self, Pair { node, from, to }: Pair) -> Option<Vec<Pair>> {
        let part = |node, from, to| Pair { node, from, to };
        match self.graph.nodes[node].op {
            Op::Union(a, b) => {
                let in_first = self.relation(a).get(from, to);
                Some(vec![part(if in_first { a } else { b }, from, to)])
            }
            Op::Sequence(a, b) => {
                let before = self.relation(b).inverse().successors(to);
                let middle = (self.relation(a).successors(from) & before).min()?;
                Some(vec![part(a, from, middle), part(b, middle, to)])
            }
            Op::From(_, relation) | Op::To(relation, _) => Some(vec![part(relation, from, to)]),
            // No step at all.
            Op::Optional(_) | Op::Star(_) | Op::Identity(_) if from == to => Some(Vec::new()),
            Op::Optional(inner) => Some(vec![part(inner, from, to)]),
            Op::Plus(inner) | Op::Star(inner) => {
                let path = self.relation(inner).path(from, to)?;
                let pairs = path.windows(2);
                Some(pairs.map(|pair| part(inner, pair[0], pair[1])).collect())
            }
            _ => None,
        }
    }

    fn whole(&self, Pair { node, from, to }: Pair) -> Step {
        let label = &self.graph.labels[node];
        let relation = match (&label.name, label.span) {
            (Some(name), _) => name.clone(),
            (None, Some(span)) => self.sources.text(span),
            // An operand `~0`: all else is the value of an expression.
            (None, None) => "~0".into(),
        };
        Step { from, to, relation }
    }
}

/// Two events that a node relates.
#[derive(Clone, Copy)]
struct Pair {
    node: NodeId,
    from: usize,
    to: usize,
}
