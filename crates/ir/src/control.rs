//! Which decisions a place depends on, and which places barriers separate.
//!
//! A block is *control dependent* on a decision if one of its outcomes leads to the block for sure and another may not
//! (Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization", TOPLAS 1987). Whether all
//! threads of a group reach a place together is a question about all decisions that it depends on, directly or through
//! others: none may differ between the threads.

use fixedbitset::FixedBitSet;
use hirace_syntax::tree::Node;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, EdgeRef};

use crate::function::{Block, BlockId, Edge, Effect, Function, Place, Span};

/// The control flow of a function.
#[derive(Debug)]
pub struct ControlFlow {
    function: Function,
    /// For each block, those whose decisions it directly depends on.
    dependences: Vec<Vec<BlockId>>,
    /// For each block, those to which there is a way from it, itself included.
    reachable: Vec<FixedBitSet>,
}

impl ControlFlow {
    /// The control flow of a function.
    pub fn of(function: Function) -> Self {
        let graph = &function.graph;
        let after = postdominators(&function);
        let mut dependences = vec![Vec::new(); graph.node_count()];
        let mut walk = Dfs::new(graph, function.entry);
        while let Some(block) = walk.next(graph) {
            if graph.neighbors(block).nth(1).is_none() {
                continue;
            }
            let always_after = after.immediate_dominator(block);
            for first in graph.neighbors(block) {
                let chain = std::iter::successors(Some(first), |it| after.immediate_dominator(*it));
                for dependent in chain.take_while(|it| Some(*it) != always_after) {
                    let known: &mut Vec<BlockId> = &mut dependences[dependent.index()];
                    if !known.contains(&block) {
                        known.push(block);
                    }
                }
            }
        }
        let reachable = graph.node_indices().map(|block| {
            let mut found = FixedBitSet::with_capacity(graph.node_count());
            let mut walk = Dfs::new(graph, block);
            while let Some(block) = walk.next(graph) {
                found.insert(block.index());
            }
            found
        });
        Self {
            reachable: reachable.collect(),
            function,
            dependences,
        }
    }

    /// Where a node begins to be executed.
    pub fn place(&self, node: Node<'_>) -> Option<Place> {
        Some(Place {
            block: self.span(node)?.begin,
            at: node.start(),
        })
    }

    /// Where a node has been executed.
    pub fn place_after(&self, node: Node<'_>) -> Option<Place> {
        Some(Place {
            block: self.span(node)?.end,
            at: node.end(),
        })
    }

    fn span(&self, node: Node<'_>) -> Option<&Span> {
        let places = &self.function.places;
        let mut around = node.ancestors();
        around.find_map(|it| places.get(&(it.start(), it.end())))
    }

    /// The function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The blocks on whose decisions it depends whether, and how often, a place is reached.
    pub fn decisions(&self, place: Place) -> Vec<BlockId> {
        let mut seen = FixedBitSet::with_capacity(self.function.graph.node_count());
        let mut waiting = vec![place.block];
        while let Some(block) = waiting.pop() {
            for &decides in &self.dependences[block.index()] {
                if !seen.put(decides.index()) {
                    waiting.push(decides);
                }
            }
        }
        seen.ones().map(BlockId::new).collect()
    }

    /// Those of the decisions that a definition depends on by which threads at a use may differ: both outcomes still
    /// lead to the use. Threads of which one has left for good are not compared.
    pub fn decisions_between(&self, definition: Place, used: Place) -> Vec<BlockId> {
        let mut decisions = self.decisions(definition);
        decisions.retain(|it| {
            let ways = self.function.graph.neighbors(*it);
            let mut leading = ways.filter(|it| self.is_reachable(*it, used.block));
            leading.nth(1).is_some()
        });
        decisions
    }

    /// The blocks after which control may take several ways for a reason that the text does not show.
    pub fn unknown_decisions(&self) -> FixedBitSet {
        let graph = &self.function.graph;
        let is_unknown = |block: &BlockId| {
            let jumps = |edge: Edge| edge == Edge::Unknown;
            graph[*block].decision.is_none() || graph.edges(*block).any(|it| jumps(*it.weight()))
        };
        let unknown = graph.node_indices().filter(is_unknown);
        let mut found = FixedBitSet::with_capacity(graph.node_count());
        found.extend(unknown.map(BlockId::index));
        found
    }

    /// Whether control may come to a place again.
    pub fn is_repeated(&self, place: Place) -> bool {
        let mut after = self.function.graph.neighbors(place.block);
        after.any(|it| self.is_reachable(it, place.block))
    }

    fn is_reachable(&self, from: BlockId, to: BlockId) -> bool {
        self.reachable[from.index()].contains(to.index())
    }

    /// Whether each way from one place to another has an effect in between that `is_barrier` accepts.
    pub fn is_separated(
        &self,
        from: Place,
        to: Place,
        is_barrier: impl Fn(&Effect) -> bool,
    ) -> bool {
        let graph = &self.function.graph;
        // Whether the effects of a block between two positions have a barrier.
        let bars = |block: BlockId, begin: usize, end: usize| {
            let Block { effects, .. } = &graph[block];
            effects.iter().any(|it| {
                let at = self.start(it);
                begin < at && at < end && is_barrier(it)
            })
        };
        if from.block == to.block && from.at < to.at && !bars(from.block, from.at, to.at) {
            return false;
        }
        if bars(from.block, from.at, usize::MAX) {
            return true;
        }
        let mut seen = FixedBitSet::with_capacity(graph.node_count());
        let mut waiting: Vec<BlockId> = graph.neighbors(from.block).collect();
        while let Some(block) = waiting.pop() {
            if seen.put(block.index()) {
                continue;
            }
            if block == to.block && !bars(block, 0, to.at) {
                return false;
            }
            if !bars(block, 0, usize::MAX) {
                waiting.extend(graph.neighbors(block));
            }
        }
        true
    }

    /// Where an effect is in the text.
    fn start(&self, effect: &Effect) -> usize {
        match effect {
            Effect::Access(number) => self.function.accesses[*number].range.start,
            Effect::Barrier(_, range)
            | Effect::Fence(range)
            | Effect::Call(range)
            | Effect::Unknown(range) => range.start,
        }
    }
}

/// Which blocks come after which on all ways to the exit. Endless loops count as ways to it.
fn postdominators(function: &Function) -> Dominators<BlockId> {
    let mut reversed: DiGraph<(), ()> = DiGraph::new();
    for _ in function.graph.node_indices() {
        reversed.add_node(());
    }
    for edge in function.graph.edge_references() {
        reversed.add_edge(edge.target(), edge.source(), ());
    }
    let mut walk = Dfs::new(&reversed, function.exit);
    while walk.next(&reversed).is_some() {}
    for block in function.graph.node_indices() {
        if !walk.discovered.contains(block.index()) {
            reversed.add_edge(function.exit, block, ());
            walk.move_to(block);
            while walk.next(&reversed).is_some() {}
        }
    }
    simple_fast(&reversed, function.exit)
}
