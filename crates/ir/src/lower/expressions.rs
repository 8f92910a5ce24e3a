//! Expressions, and declarations, whose initialisers are expressions.

use hirace_syntax::names::{self, Meaning, Scope};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::Lowering;
use crate::function::{BlockId, Edge, Effect};

impl Lowering<'_> {
    /// Adds an expression after a block; returns the block where control continues.
    pub(super) fn expression(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        self.begin(node, at);
        let end = self.of_expression(node, at);
        self.end(node, end);
        end
    }

    fn of_expression(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        if !self.has_effects(node) {
            return at;
        }
        if self.is_conditional(node) {
            return self.conditional(node, at);
        }
        match node.kind() {
            // It is not evaluated.
            Kind::SizeofExpression => at,
            Kind::CommaExpression
            | Kind::ParenthesizedExpression
            | Kind::ConditionClause
            | Kind::InitStatement => self.parts(node, at),
            Kind::LambdaExpression => {
                self.defer(node);
                at
            }
            // `({ … })`
            Kind::CompoundStatement => self.statement(node, at),
            // A declarator is initialised after those before it.
            Kind::Declaration if node.children_in(Field::Declarator).count() > 1 => {
                self.parts(node, at)
            }
            _ if node.is_class() => {
                self.defer(node);
                at
            }
            _ => self.unsequenced(node, at),
        }
    }

    fn parts(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let mut at = at;
        for child in node.named_children() {
            at = self.expression(child, at);
        }
        at
    }

    /// Whether an operand with effects may be skipped.
    fn is_conditional(&self, node: Node<'_>) -> bool {
        match node.kind() {
            Kind::BinaryExpression => {
                matches!(node.operator(self.text), "&&" | "||" | "and" | "or")
                    && node
                        .child(Field::Right)
                        .is_some_and(|it| self.has_effects(it))
            }
            Kind::ConditionalExpression => {
                let arms = [Field::Consequence, Field::Alternative];
                let mut arms = arms.into_iter().filter_map(|it| node.child(it));
                arms.any(|it| self.has_effects(it))
            }
            _ => false,
        }
    }

    /// `a && b`, `a || b`, `a ? b : c`.
    fn conditional(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let first = match node.kind() {
            Kind::BinaryExpression => Field::Left,
            _ => Field::Condition,
        };
        let mut at = at;
        if let Some(first) = node.child(first) {
            at = self.expression(first, at);
            self.decide(at, first, false);
        }
        let (on_true, on_false) = match node.kind() {
            Kind::ConditionalExpression => (Some(Field::Consequence), Some(Field::Alternative)),
            _ if matches!(node.operator(self.text), "&&" | "and") => (Some(Field::Right), None),
            _ => (None, Some(Field::Right)),
        };
        let mut arm = |edge, field: Option<Field>| {
            let begin = self.block_on(at, edge);
            let value = field.and_then(|it| node.child(it));
            value.map_or(begin, |it| self.expression(it, begin))
        };
        let ends = [arm(Edge::True, on_true), arm(Edge::False, on_false)];
        self.block(&ends)
    }

    /// An expression whose operands are evaluated in any order.
    fn unsequenced(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let operands = node.named_children().filter(|it| self.has_effects(*it));
        let mut barriers = Vec::new();
        if operands.count() > 1 {
            self.collect_barriers(node, &mut barriers);
        }
        if barriers.is_empty() {
            let at = self.parts(node, at);
            return self.own_effect(node, at);
        }
        // With one barrier, its arguments come before it. Everything else may come before or after.
        let arguments = match *barriers {
            [only] => only.child(Field::Arguments).map_or(0..0, Node::range),
            _ => 0..0,
        };
        let mut at = at;
        self.all_effects(node, at);
        for barrier in barriers {
            at = self.barrier(barrier.range(), at);
            for access in self.accesses_in(&node.range()) {
                let start = self.function.accesses[access].range.start;
                if !arguments.contains(&start) && !is_deferred(node, start) {
                    self.effect(at, Effect::Access(access));
                }
            }
        }
        at
    }

    /// Finds the calls of block barriers in an expression, other than those that may be skipped or that come between
    /// other parts of it. A barrier that is not found makes intervals larger.
    fn collect_barriers<'t>(&self, node: Node<'t>, found: &mut Vec<Node<'t>>) {
        let is_elsewhere = matches!(
            node.kind(),
            Kind::LambdaExpression | Kind::CompoundStatement
        );
        if is_elsewhere || node.is_class() || self.is_conditional(node) || !self.has_effects(node) {
            return;
        }
        if self.is_block_barrier(node) {
            found.push(node);
        }
        for child in node.named_children() {
            self.collect_barriers(child, found);
        }
    }

    fn is_block_barrier(&self, node: Node<'_>) -> bool {
        let callee = node
            .child(Field::Function)
            .filter(|it| node.is(Kind::CallExpression) && it.is(Kind::Identifier));
        callee.is_some_and(|it| {
            let name = self.node_text(it);
            names::is_block_barrier(name) && self.program.macro_texts(name).is_empty()
        })
    }

    /// Whether an access, a call or unknown text is inside.
    pub(super) fn has_effects(&self, node: Node<'_>) -> bool {
        let first = self.marks.partition_point(|it| *it < node.start());
        let is_inside = |it: &usize| *it < node.end();
        !self.accesses_in(&node.range()).is_empty() || self.marks.get(first).is_some_and(is_inside)
    }

    /// The effect of a node itself, after those of its parts.
    fn own_effect(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        if self.is_block_barrier(node) {
            return self.barrier(node.range(), at);
        }
        self.own_effect_but_barrier(node, at);
        at
    }

    fn own_effect_but_barrier(&mut self, node: Node<'_>, at: BlockId) {
        for access in self.accesses_in(&node.range()) {
            if self.function.accesses[access].range == node.range() {
                self.effect(at, Effect::Access(access));
            }
        }
        let effect = self.call_effect(node);
        self.function.graph[at].effects.extend(effect);
        if self.is_unknown_call(node) {
            self.ways_out(at);
        }
    }

    /// What a call does besides evaluating its arguments.
    fn call_effect(&self, node: Node<'_>) -> Option<Effect> {
        if node.is(Kind::GnuAsmExpression) {
            // Without a variable's address, it can reach shared memory by a number only.
            let names_shared = self.node_text(node).contains(".shared");
            return Some(match names_shared {
                true => Effect::Unknown(node.range()),
                false => Effect::Call(node.range()),
            });
        }
        let callee = node
            .child(Field::Function)
            .filter(|_| node.is(Kind::CallExpression))?;
        if self.is_unknown_call(node) {
            return Some(Effect::Unknown(node.range()));
        }
        let name = self.node_text(called_name(callee).0);
        let own = callee.is(Kind::Identifier);
        match names::meaning(name).filter(|_| own) {
            Some(Meaning::WarpBarrier | Meaning::WarpVote | Meaning::WarpExchange) => {
                Some(Effect::Barrier(Scope::Warp, node.range()))
            }
            Some(Meaning::Fence(_) | Meaning::FenceOfArgument) => Some(Effect::Fence(node.range())),
            Some(
                Meaning::BlockBarrier
                | Meaning::Atomic
                | Meaning::HintedLoad
                | Meaning::HintedStore
                | Meaning::Numeric
                | Meaning::TextureFetch
                | Meaning::SurfaceRead
                | Meaning::SurfaceWrite,
            ) => None,
            _ => Some(Effect::Call(node.range())),
        }
    }

    /// All effects of an expression except block barriers, in one block.
    fn all_effects(&mut self, node: Node<'_>, at: BlockId) {
        if node.is(Kind::LambdaExpression) || node.is_class() {
            return self.defer(node);
        }
        for child in node.named_children() {
            self.all_effects(child, at);
        }
        self.own_effect_but_barrier(node, at);
    }

    /// Sets the effects of a lambda or a class aside.
    pub(super) fn defer(&mut self, node: Node<'_>) {
        let accesses = self.accesses_in(&node.range()).map(Effect::Access);
        self.function.deferred.extend(accesses);
        let calls = node.descendants().filter_map(|it| self.call_effect(it));
        let calls: Vec<Effect> = calls.collect();
        self.function.deferred.extend(calls);
    }
}

/// Whether a position inside an expression is in a lambda or a class.
fn is_deferred(around: Node<'_>, at: usize) -> bool {
    let mut inner = around.descendants();
    inner.any(|it| (it.is(Kind::LambdaExpression) || it.is_class()) && it.range().contains(&at))
}
