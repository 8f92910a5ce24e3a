//! Resolved statements as a graph.

use std::collections::HashMap;

use super::ast::{AxiomKind, Operator, Unary};
use super::graph::{Graph, NodeId};
use super::hir::{Check, Definition, Definitions, Hir, HirKind, Program, Statement};
use super::source::{Problem, Result, Span};
use super::types::Type;
use super::world::Base;

/// More nodes and calls than any model has: functions that call others twice multiply quickly.
const SIZE: usize = 20_000;

/// Expressions and the functions that they call can be nested this deep.
const DEPTH: usize = 250;

/// An axiom or a flag, ready for evaluation.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub kind: AxiomKind,
    pub negated: bool,
    pub node: NodeId,
}

/// A model as a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    pub graph: Graph,
    /// One for each axiom and flag, in order.
    pub tests: Vec<Test>,
    pub shown: Vec<(String, NodeId)>,
    /// What coherence is chosen from, if the model says so.
    pub coherence: Option<Coherence>,
}

/// What coherence is chosen from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coherence {
    /// The writes that it orders.
    pub related: NodeId,
    /// The order that some of them have in any case.
    pub given: Option<NodeId>,
}

impl Lowered {
    /// The nodes of what coherence is chosen from.
    pub fn coherence_nodes(&self) -> impl Iterator<Item = NodeId> {
        let choice = self.coherence.into_iter();
        choice.flat_map(|it| [it.related].into_iter().chain(it.given))
    }
}

/// Lowers a program on worlds with these bases. `axiom` receives each axiom and flag in order.
pub(super) fn lower(
    program: &Program,
    bases: &[Base],
    mut axiom: impl FnMut(&Check),
) -> Result<Lowered> {
    let mut lowering = Lowering {
        program,
        graph: Graph::new(bases),
        slots: vec![0; program.slots],
        calls: HashMap::new(),
        depth: 0,
        steps: 0,
    };
    for (index, base) in bases.iter().enumerate() {
        let node = lowering.graph.base(index);
        lowering.graph.name(node, base.name);
    }
    let mut tests = Vec::new();
    let mut shown: Vec<(String, NodeId)> = Vec::new();
    let mut coherence = None;
    for statement in &program.statements {
        match statement {
            Statement::Let(definitions) => lowering.definitions(definitions)?,
            Statement::Check(check) => {
                axiom(check);
                tests.push(lowering.test(check)?);
            }
            Statement::Show(name, expr) => {
                let node = lowering.known(expr)?;
                shown.retain(|(known, _)| known != name);
                shown.push((name.clone(), node));
            }
            Statement::Unshow(name) => shown.retain(|(known, _)| known != name),
            Statement::Coherence(choice) => {
                let given = choice.given.as_ref();
                coherence = Some(Coherence {
                    related: lowering.before_choices(&choice.related, bases)?,
                    given: given
                        .map(|it| lowering.before_choices(it, bases))
                        .transpose()?,
                });
            }
        }
    }
    Ok(Lowered {
        graph: lowering.graph,
        tests,
        shown,
        coherence,
    })
}

struct Lowering<'a> {
    program: &'a Program,
    graph: Graph,
    /// The current node of each definition and parameter.
    slots: Vec<NodeId>,
    /// The results of calls of global functions.
    calls: HashMap<(usize, Vec<NodeId>), NodeId>,
    depth: usize,
    /// The number of expressions lowered.
    steps: usize,
}

impl Lowering<'_> {
    fn test(&mut self, check: &Check) -> Result<Test> {
        let node = self.known(&check.expr)?;
        let (kind, node) = match check.kind {
            AxiomKind::Empty => (AxiomKind::Empty, node),
            kind => self.graph.without_closure(kind, node),
        };
        Ok(Test {
            kind,
            negated: check.negated,
            node,
        })
    }

    /// An expression whose type does not depend on its use: `0` alone is a relation.
    fn known(&mut self, expr: &Hir) -> Result<NodeId> {
        let node = self.expr(expr)?;
        let node = self.graph.typed(node, Type::Relation);
        self.graph.labels[node].span.get_or_insert(expr.span);
        Ok(node)
    }

    /// A relation that is known before anything is chosen.
    fn before_choices(&mut self, expr: &Hir, bases: &[Base]) -> Result<NodeId> {
        let node = self.known(expr)?;
        let needs = self.graph.nodes[node].bases;
        let chosen = bases.iter().enumerate();
        let mut chosen = chosen.filter(|(index, base)| base.chosen && needs >> index & 1 == 1);
        match chosen.next() {
            None => Ok(node),
            Some((_, Base { name, .. })) => {
                let message = format!("this depends on `{name}`, which is chosen itself");
                Err(Problem::new(expr.span, message).with_help(
                    "what coherence is chosen from can depend only on what the program does: on \
                     its accesses, on their scopes and locations, on `po`",
                ))
            }
        }
    }

    fn definitions(&mut self, definitions: &Definitions) -> Result<()> {
        match definitions {
            Definitions::Plain(definitions) => {
                for definition in definitions {
                    let node = self.expr(&definition.body)?;
                    self.slots[definition.slot] = node;
                    self.graph.name(node, &definition.name.text);
                }
                Ok(())
            }
            Definitions::Recursive(definitions) => self.recursive(definitions),
        }
    }

    fn recursive(&mut self, definitions: &[Definition]) -> Result<()> {
        let kinds: Vec<_> = definitions.iter().map(|d| d.kind).collect();
        let group = self.graph.open_group(&kinds);
        for (i, definition) in definitions.iter().enumerate() {
            let variable = self.graph.groups[group].variables[i];
            self.slots[definition.slot] = variable;
            self.graph.name(variable, &definition.name.text);
        }
        let mut bodies = Vec::new();
        for definition in definitions {
            let body = self.expr(&definition.body)?;
            bodies.push(self.graph.typed(body, definition.kind));
        }
        match self.graph.close_group(group, bodies) {
            Ok(solved) => {
                for (definition, node) in definitions.iter().zip(solved) {
                    self.slots[definition.slot] = node;
                    self.graph.name(node, &definition.name.text);
                }
                Ok(())
            }
            Err(problem) => {
                let name = &definitions[0].name;
                let span = self.graph.labels[problem.node].span.unwrap_or(name.span);
                let message = format!(
                    "the recursive definition of `{}` negates itself here",
                    name.text
                );
                Err(Problem::new(span, message).with_help(
                    "with itself under `~` or after `\\`, it may have no least fixpoint",
                ))
            }
        }
    }

    fn expr(&mut self, expr: &Hir) -> Result<NodeId> {
        if self.depth == DEPTH {
            return Err(too_large(expr.span, "nested too deeply"));
        }
        self.steps += 1;
        if self.steps > 10 * SIZE || self.graph.nodes.len() > SIZE {
            return Err(too_large(expr.span, "too large"));
        }
        self.depth += 1;
        let node = self.kind(expr)?;
        self.depth -= 1;
        self.graph.labels[node].span.get_or_insert(expr.span);
        Ok(node)
    }

    fn kind(&mut self, expr: &Hir) -> Result<NodeId> {
        Ok(match &expr.kind {
            HirKind::Zero => self.graph.empty(None),
            HirKind::EmptySet => self.graph.empty(Some(Type::Set)),
            HirKind::Universe => self.graph.full(Some(Type::Set)),
            HirKind::Base(index) => self.graph.base(*index),
            HirKind::Slot(slot) => self.slots[*slot],
            HirKind::Unary(operator, operand) => {
                let operand = self.expr(operand)?;
                self.unary(*operator, operand)
            }
            HirKind::Chain(operator, operands) => self.chain(*operator, operands)?,
            HirKind::Call(function, arguments) => self.call(*function, arguments)?,
            HirKind::Let(definitions, body) => {
                self.definitions(definitions)?;
                self.expr(body)?
            }
        })
    }

    fn unary(&mut self, operator: Unary, operand: NodeId) -> NodeId {
        let graph = &mut self.graph;
        match operator {
            Unary::Complement => graph.complement(operand),
            Unary::Inverse => graph.inverse(operand),
            Unary::Optional => graph.optional(operand),
            Unary::Plus => graph.plus(operand),
            Unary::Star => graph.star(operand),
            Unary::Identity => graph.identity(operand),
            Unary::Domain => graph.domain(operand),
            Unary::Range => graph.range(operand),
        }
    }

    fn chain(&mut self, operator: Operator, operands: &[Hir]) -> Result<NodeId> {
        let mut result: Option<(NodeId, Span)> = None;
        for operand in operands {
            let node = self.expr(operand)?;
            let Some((before, start)) = result else {
                result = Some((node, operand.span));
                continue;
            };
            let graph = &mut self.graph;
            let node = match operator {
                Operator::Union => graph.union(before, node),
                Operator::Sequence => graph.sequence(before, node),
                Operator::Difference => graph.difference(before, node),
                Operator::Intersection => graph.intersection(before, node),
                Operator::Product => graph.product(before, node),
            };
            let span = start.to(operand.span);
            graph.labels[node].span.get_or_insert(span);
            result = Some((node, start));
        }
        Ok(match result {
            Some((node, _)) => node,
            None => self.graph.empty(None),
        })
    }

    fn call(&mut self, index: usize, arguments: &[Hir]) -> Result<NodeId> {
        let arguments: Vec<NodeId> = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect::<Result<_>>()?;
        let function = &self.program.functions[index];
        let key = (index, arguments);
        if let Some(&node) = self.calls.get(&key) {
            return Ok(node);
        }
        for (&slot, &argument) in function.parameters.iter().zip(&key.1) {
            self.slots[slot] = argument;
        }
        let node = self.expr(&function.body)?;
        // Others also depend on the definitions around them.
        if function.global {
            self.calls.insert(key, node);
        }
        Ok(node)
    }
}

fn too_large(span: Span, what: &str) -> Problem {
    Problem::new(
        span,
        format!("the model is {what} once its functions are expanded"),
    )
}
