//! Fewer blocks: empty ones and those that control cannot reach are dropped, and sequences of blocks become one.

use std::collections::HashMap;

use petgraph::Direction;
use petgraph::graph::DiGraph;
use petgraph::visit::{DfsPostOrder, EdgeRef};

use crate::function::{Block, BlockId, Edge, Function};

/// The same function, its blocks in reverse postorder: the entry is the first.
pub(super) fn simplify(function: Function) -> Function {
    join(without_empty(function))
}

/// The same function with no edge to an empty block that only leads to another.
fn without_empty(function: Function) -> Function {
    let after = |mut block: BlockId| {
        let mut steps = function.graph.node_count();
        while let Some(next) = passes_on(&function, block).filter(|_| steps > 0) {
            block = next;
            // Empty blocks may form a cycle.
            steps -= 1;
        }
        block
    };
    let edges = function.graph.edge_references();
    let edges: Vec<_> = edges
        .map(|it| (it.source(), after(it.target()), *it.weight()))
        .collect();
    let mut graph = function.graph;
    graph.clear_edges();
    for (from, to, edge) in edges {
        graph.add_edge(from, to, edge);
    }
    Function { graph, ..function }
}

/// Where an empty block leads, if nothing else is to be said of it.
fn passes_on(function: &Function, block: BlockId) -> Option<BlockId> {
    let Block { effects, decision } = &function.graph[block];
    let mut after = function.graph.edges(block);
    let edge = after.next().filter(|_| after.next().is_none())?;
    let is_empty = effects.is_empty() && decision.is_none();
    (is_empty && *edge.weight() == Edge::Next).then_some(edge.target())
}

/// The same function with each sequence of blocks as one, and none that control cannot reach.
fn join(mut function: Function) -> Function {
    let mut order = Vec::new();
    let mut walk = DfsPostOrder::new(&function.graph, function.entry);
    while let Some(block) = walk.next(&function.graph) {
        order.push(block);
    }
    order.reverse();
    let mut graph = DiGraph::new();
    // The new block of each old one, and for each new one the last old one, whose ways out it has.
    let mut new_of: Vec<Option<BlockId>> = vec![None; function.graph.node_count()];
    let mut last_of: Vec<BlockId> = Vec::new();
    for &block in &order {
        if new_of[block.index()].is_some() {
            continue;
        }
        let new = graph.add_node(std::mem::take(&mut function.graph[block]));
        let mut last = block;
        new_of[block.index()] = Some(new);
        while let Some(next) = only_successor(&function, last) {
            let joined = std::mem::take(&mut function.graph[next]);
            let begin: &mut Block = &mut graph[new];
            begin.effects.extend(joined.effects);
            begin.decision = joined.decision;
            new_of[next.index()] = Some(new);
            last = next;
        }
        last_of.push(last);
    }
    let new_of = |it: BlockId| new_of[it.index()];
    for (index, last) in last_of.iter().enumerate() {
        // petgraph lists the newest edge first.
        let mut edges: Vec<_> = function.graph.edges(*last).collect();
        edges.reverse();
        for edge in edges {
            if let Some(to) = new_of(edge.target()) {
                graph.add_edge(BlockId::new(index), to, *edge.weight());
            }
        }
    }
    let entry = new_of(function.entry).unwrap_or_default();
    let exit = new_of(function.exit);
    let exit = exit.unwrap_or_else(|| graph.add_node(Block::default()));
    Function {
        graph,
        entry,
        exit,
        // They are those of the old blocks.
        places: HashMap::new(),
        ..function
    }
}

/// The block that can be joined to a block before it: each is the only one that comes after or before the other.
fn only_successor(function: &Function, block: BlockId) -> Option<BlockId> {
    let mut after = function.graph.edges(block);
    let edge = after.next().filter(|_| after.next().is_none())?;
    let next = edge.target();
    let before = function
        .graph
        .edges_directed(next, Direction::Incoming)
        .count();
    let fits = *edge.weight() == Edge::Next
        && before == 1
        && ![function.entry, function.exit, block].contains(&next)
        && !function.begins_with_barrier(next);
    fits.then_some(next)
}
