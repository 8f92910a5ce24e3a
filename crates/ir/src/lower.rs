//! From syntax to basic blocks.
//!
//! Statements become edges; `&&`, `||` and `?:` do so where an operand that may be skipped has effects. All other
//! operands of an expression are evaluated in an order that C++ leaves open, so a barrier among them stands both before
//! and after the accesses that are not its arguments.

mod expressions;
mod macros;
mod statements;
pub mod values;

use std::collections::HashMap;
use std::ops::Range;

use fixedbitset::FixedBitSet;
use hirace_syntax::names::Scope;
use hirace_syntax::tree::{Kind, Node};
use petgraph::graph::DiGraph;

use crate::function::{Access, Block, BlockId, Decision, Edge, Effect, Function, Opaque, Span};

/// What the program around a function says about names.
pub trait Program {
    /// The texts that a macro of this name may stand for; none if there is no such macro.
    fn macro_texts(&self, name: &str) -> Vec<&str>;

    /// Whether the callee of a call is a function or an object, not an unknown macro.
    fn is_called(&self, callee: Node<'_>) -> bool;
}

/// A function to lower.
pub struct Source<'t, 'p> {
    /// Its name.
    pub name: &'p str,
    /// The file's text.
    pub text: &'p str,
    /// The compound statement.
    pub body: Node<'t>,
    /// Its accesses, in order of their positions.
    pub accesses: Vec<Access>,
    /// What is already known to be hidden from the tree.
    pub opaque: Option<Opaque>,
    /// The program.
    pub program: &'p dyn Program,
}

/// The blocks of a function.
pub fn lower(source: Source<'_, '_>) -> Function {
    let mut graph = DiGraph::new();
    let entry = graph.add_node(Block::default());
    let exit = graph.add_node(Block::default());
    let body = source.body;
    let mut lowering = Lowering {
        text: source.text,
        program: source.program,
        function: Function {
            name: source.name.to_owned(),
            graph,
            entry,
            exit,
            accesses: source.accesses,
            deferred: Vec::new(),
            places: HashMap::new(),
            opaque: source.opaque,
        },
        marks: calls(body),
        labels: HashMap::new(),
        targets: Targets::default(),
    };
    lowering.find_hidden(body);
    let end = lowering.statement(body, entry);
    lowering.edge(end, exit, Edge::Next);
    let labels = std::mem::take(&mut lowering.labels);
    for (label, target) in &labels {
        if !target.is_placed {
            lowering.hide(body.start(), format!("the label `{label}`"));
        }
    }
    if let Some(opaque) = lowering
        .function
        .opaque
        .as_mut()
        .filter(|_| !labels.is_empty())
    {
        // Control may jump back from there.
        opaque.from = 0;
    }
    lowering.place_others();
    lowering.function
}

/// The positions of calls, assembly, and statements in expressions, in order.
fn calls(body: Node<'_>) -> Vec<usize> {
    let is_call = |it: &Node<'_>| match it.kind() {
        Kind::CallExpression | Kind::GnuAsmExpression => true,
        Kind::CompoundStatement => {
            let outer = it.parent();
            outer.is_some_and(|it| it.is(Kind::ParenthesizedExpression))
        }
        _ => false,
    };
    body.descendants()
        .filter(is_call)
        .map(Node::start)
        .collect()
}

/// The blocks that jumps lead to.
#[derive(Clone, Copy, Debug, Default)]
struct Targets {
    on_break: Option<BlockId>,
    on_continue: Option<BlockId>,
    /// The block that decides on a case.
    switch: Option<BlockId>,
}

/// The block after a label.
#[derive(Clone, Copy, Debug)]
struct Label {
    block: BlockId,
    /// Whether the label was found; a `goto` may come before it.
    is_placed: bool,
}

struct Lowering<'p> {
    text: &'p str,
    program: &'p dyn Program,
    function: Function,
    /// The positions of calls, assembly, and statements in expressions, in order.
    marks: Vec<usize>,
    labels: HashMap<&'p str, Label>,
    targets: Targets,
}

impl<'p> Lowering<'p> {
    fn node_text(&self, node: Node<'_>) -> &'p str {
        self.text.get(node.range()).unwrap_or("")
    }

    /// Notes the block in which a statement or an expression begins to be executed.
    fn begin(&mut self, node: Node<'_>, at: BlockId) {
        let places = &mut self.function.places;
        let span = Span { begin: at, end: at };
        places.insert((node.start(), node.end()), span);
    }

    /// Notes the block in which it has been executed.
    fn end(&mut self, node: Node<'_>, at: BlockId) {
        if let Some(span) = self.function.places.get_mut(&(node.start(), node.end())) {
            span.end = at;
        }
    }

    /// A new block after others.
    fn block(&mut self, before: &[BlockId]) -> BlockId {
        let new = self.function.graph.add_node(Block::default());
        for &it in before {
            self.edge(it, new, Edge::Next);
        }
        new
    }

    /// A new block that control reaches from another in this case.
    fn block_on(&mut self, before: BlockId, edge: Edge) -> BlockId {
        let new = self.block(&[]);
        self.edge(before, new, edge);
        new
    }

    fn edge(&mut self, from: BlockId, to: BlockId, edge: Edge) {
        self.function.graph.add_edge(from, to, edge);
    }

    fn effect(&mut self, at: BlockId, effect: Effect) {
        self.function.graph[at].effects.push(effect);
    }

    /// A barrier of the whole block of threads; returns the block that begins with it.
    fn barrier(&mut self, range: Range<usize>, at: BlockId) -> BlockId {
        let new = self.block(&[at]);
        self.effect(new, Effect::Barrier(Scope::Block, range));
        new
    }

    fn decide(&mut self, at: BlockId, value: Node<'_>, counts: bool) {
        let value = value.range();
        self.function.graph[at].decision = Some(Decision { value, counts });
    }

    /// Text that is not understood: control may leave what is around it.
    fn unknown(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        self.effect(at, Effect::Unknown(node.range()));
        self.jumps(at)
    }

    /// Control may go on, or leave the innermost loop or `switch`, or the function.
    fn jumps(&mut self, at: BlockId) -> BlockId {
        self.ways_out(at);
        self.block_on(at, Edge::Unknown)
    }

    /// Adds the ways out of a loop, a `switch` and the function.
    fn ways_out(&mut self, at: BlockId) {
        let Targets {
            on_break,
            on_continue,
            ..
        } = self.targets;
        let exit = Some(self.function.exit);
        for to in [on_break, on_continue, exit].into_iter().flatten() {
            self.edge(at, to, Edge::Unknown);
        }
    }

    /// Notes that the tree does not show what the function does.
    fn hide(&mut self, at: usize, what: String) {
        let first = Opaque { at, what, from: at };
        let known = self.function.opaque.get_or_insert(first);
        known.from = known.from.min(at);
    }

    /// Accesses whose range is not that of a node may be anywhere.
    fn place_others(&mut self) {
        let mut placed = FixedBitSet::with_capacity(self.function.accesses.len());
        let blocks = self
            .function
            .graph
            .node_weights()
            .flat_map(|it| &it.effects);
        for effect in blocks.chain(&self.function.deferred) {
            if let Effect::Access(it) = effect {
                placed.insert(*it);
            }
        }
        let others: Vec<Effect> = placed.zeroes().map(Effect::Access).collect();
        self.function.deferred.extend(others);
    }

    /// The numbers of the accesses in a range.
    fn accesses_in(&self, range: &Range<usize>) -> Range<usize> {
        let all = &self.function.accesses;
        let first = all.partition_point(|it| it.range.start < range.start);
        let last = all.partition_point(|it| it.range.start < range.end);
        first..last
    }
}
