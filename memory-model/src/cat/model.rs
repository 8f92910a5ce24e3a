//! A model, and its evaluation on a world.

use std::ops::Range;

use hirace_model::error::Result;

use super::ast::AxiomKind;
use super::eval::Values;
use super::explain::{self, Explanation, Shown};
use super::graph::NodeId;
use super::load::load;
use super::lower::{Lowered, lower};
use super::resolve::resolve;
use super::source::{self, Sources};
use super::world::{Base, World};
use crate::relation::Relation;

/// An axiom or a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    /// The name after `as`.
    pub name: Option<String>,
    /// What it says about its expression.
    pub kind: AxiomKind,
    /// It says the opposite.
    pub negated: bool,
    /// Executions for which it is true are flagged, not forbidden.
    pub flag: bool,
    /// Its expression, on one line.
    pub expression: String,
    /// The file that contains it.
    pub file: String,
    /// The bytes of that file.
    pub span: Range<usize>,
}

impl Axiom {
    /// Its name, or its expression if it has none.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.expression)
    }
}

/// What a model says about an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The index of the first violated axiom.
    pub violated: Option<usize>,
    /// The indices of the flags that the execution raises. Empty for forbidden executions.
    pub flags: Vec<usize>,
}

impl Outcome {
    /// Whether the model allows the execution.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.violated.is_none()
    }
}

/// What coherence is chosen from: `with co from orders(related, given)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Coherence relates the writes to a location that this relates, in either direction.
    pub related: Relation,
    /// The order of some of them in each coherence order.
    pub given: Option<Relation>,
}

/// A model in the language of herd.
#[derive(Clone, Debug)]
pub struct Model {
    title: Option<String>,
    axioms: Vec<Axiom>,
    sources: Sources,
    lowered: Lowered,
    /// The nodes to compute for each axiom, in order.
    orders: Vec<Vec<NodeId>>,
    /// The nodes to compute for what coherence is chosen from, in order.
    coherence_order: Vec<NodeId>,
}

impl Model {
    /// Parses the model `text`. `name` is its name in messages, `bases` are the sets and relations
    /// of the worlds that it will be evaluated on, and `include` reads an included file.
    ///
    /// # Errors
    /// [`hirace_model::error::Error::Syntax`] with the position of the first mistake, in the model
    /// or in an included file.
    ///
    /// # Panics
    /// There can be at most [`Base::MAX`] bases.
    pub fn parse(
        name: &str,
        text: &str,
        bases: &[Base],
        include: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self> {
        assert!(bases.len() <= Base::MAX, "more than 128 bases");
        let mut sources = Sources::default();
        match read(name, text, bases, include, &mut sources) {
            Ok((title, axioms, lowered)) => {
                let orders = lowered.tests.iter();
                let orders = orders.map(|test| lowered.graph.order(test.node)).collect();
                let coherence_order = lowered.coherence_nodes();
                let coherence_order = coherence_order.map(|node| lowered.graph.order(node));
                let coherence_order = coherence_order.flatten().collect();
                Ok(Self {
                    title,
                    axioms,
                    sources,
                    lowered,
                    orders,
                    coherence_order,
                })
            }
            Err(problem) => Err(sources.error(problem)),
        }
    }

    /// The word or string at the start of the model.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The axioms and flags, in order.
    #[must_use]
    pub fn axioms(&self) -> &[Axiom] {
        &self.axioms
    }

    /// The bases that an axiom or flag depends on, in ascending order. It can be checked as soon as
    /// these are known.
    ///
    /// # Panics
    /// `axiom` must be an index of [`Model::axioms`].
    #[must_use]
    pub fn depends_on(&self, axiom: usize) -> Vec<usize> {
        let bases = self.lowered.graph.nodes[self.lowered.tests[axiom].node].bases;
        (0..Base::MAX)
            .filter(|base| bases >> base & 1 == 1)
            .collect()
    }

    /// The axioms that a whole execution violates if a part of it does: one with some of the events
    /// and some of the pairs of the bases `partial`. The other bases are the same in both.
    #[must_use]
    pub fn refuted_by_parts(&self, partial: &[usize]) -> Vec<usize> {
        let contained = self.lowered.graph.contained_in_whole(!mask(partial));
        let tests = self.lowered.tests.iter().zip(&self.axioms).enumerate();
        tests
            .filter(|(_, (test, axiom))| !test.negated && !axiom.flag && contained[test.node])
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether the set or relation that is shown as `name` is contained in that of the whole
    /// execution when it is computed of a part. None if nothing is shown by this name.
    #[must_use]
    pub fn shows_parts(&self, name: &str, partial: &[usize]) -> Option<bool> {
        let shown = self.lowered.shown.iter().find(|it| it.0 == name)?;
        Some(self.lowered.graph.contained_in_whole(!mask(partial))[shown.1])
    }

    /// Whether what coherence is chosen from is contained in that of the whole execution when it is
    /// computed of a part.
    #[must_use]
    pub fn coherence_of_parts(&self, partial: &[usize]) -> bool {
        let contained = self.lowered.graph.contained_in_whole(!mask(partial));
        self.lowered.coherence_nodes().all(|node| contained[node])
    }

    /// Checks one execution. Use a [`Checker`] for many.
    #[must_use]
    pub fn check(&self, world: &dyn World) -> Outcome {
        Checker::new(self).check(world)
    }

    /// Every violated axiom and every raised flag, with the events that are the reason.
    #[must_use]
    pub fn explain(&self, world: &dyn World) -> Vec<Explanation> {
        let mut checker = Checker::new(self);
        (0..self.axioms.len())
            .filter(|&axiom| checker.holds(axiom, world) == self.axioms[axiom].flag)
            .map(|axiom| explain::axiom(&self.sources, &self.lowered, axiom, world))
            .collect()
    }

    /// The sets and relations of `show` statements, in order.
    #[must_use]
    pub fn shown(&self, world: &dyn World) -> Vec<Shown> {
        explain::shown(&self.sources, &self.lowered, world)
    }
}

fn mask(bases: &[usize]) -> u128 {
    bases.iter().fold(0, |bits, base| bits | 1 << base)
}

fn read(
    name: &str,
    text: &str,
    bases: &[Base],
    include: &dyn Fn(&str) -> Option<String>,
    sources: &mut Sources,
) -> source::Result<(Option<String>, Vec<Axiom>, Lowered)> {
    let loaded = load(name, text, include, sources)?;
    let program = resolve(&loaded.statements, bases, sources)?;
    let mut axioms = Vec::new();
    let lowered = lower(&program, bases, |check| {
        axioms.push(Axiom {
            name: check.name.clone(),
            kind: check.kind,
            negated: check.negated,
            flag: check.flag,
            expression: sources.text(check.expr.span),
            file: sources.0[check.span.file].name.clone(),
            span: check.span.start..check.span.end,
        });
    })?;
    Ok((loaded.title, axioms, lowered))
}

/// Checks many executions: it reuses memory, and keeps values that did not change.
///
/// After the world has changed, call [`Checker::forget`] or [`Checker::changed`]. Otherwise values
/// of the old world are used. A change of the number of events is noticed.
#[derive(Clone, Debug)]
pub struct Checker<'m> {
    model: &'m Model,
    values: Values,
}

impl<'m> Checker<'m> {
    /// A checker without any values.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let values = Values::new(&model.lowered.graph);
        Self { model, values }
    }

    /// Forgets all values: the world is another one.
    pub fn forget(&mut self) {
        self.values.forget_all();
    }

    /// Forgets the values that depend on these bases: only these sets and relations of the world
    /// have changed.
    pub fn changed(&mut self, bases: &[usize]) {
        self.values.forget(&self.model.lowered.graph, mask(bases));
    }

    /// Whether the condition of an axiom or flag is true: the axiom is satisfied, or the flag
    /// raised.
    ///
    /// # Panics
    /// `axiom` must be an index of [`Model::axioms`].
    pub fn holds(&mut self, axiom: usize, world: &dyn World) -> bool {
        let Lowered { graph, tests, .. } = &self.model.lowered;
        self.values.need(graph, &self.model.orders[axiom], world);
        self.values.holds(graph, &tests[axiom], world)
    }

    /// What the model chooses coherence from; none if it does not say so. It needs only what is
    /// known before anything is chosen.
    pub fn coherence(&mut self, world: &dyn World) -> Option<Orders> {
        let Lowered {
            graph, coherence, ..
        } = &self.model.lowered;
        let choice = (*coherence)?;
        self.values.need(graph, &self.model.coherence_order, world);
        let value = |node| self.values.relation(graph, node, world).clone();
        Some(Orders {
            related: value(choice.related),
            given: choice.given.map(value),
        })
    }

    /// Checks the axioms in order up to the first violated one, then the flags.
    pub fn check(&mut self, world: &dyn World) -> Outcome {
        let model = self.model;
        let all = || model.axioms.iter().enumerate();
        for (axiom, _) in all().filter(|(_, axiom)| !axiom.flag) {
            if !self.holds(axiom, world) {
                return Outcome {
                    violated: Some(axiom),
                    flags: Vec::new(),
                };
            }
        }
        let flags = all().filter(|(_, axiom)| axiom.flag);
        Outcome {
            violated: None,
            flags: flags
                .filter(|&(axiom, _)| self.holds(axiom, world))
                .map(|(axiom, _)| axiom)
                .collect(),
        }
    }
}
