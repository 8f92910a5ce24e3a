//! Determines which barrier intervals reach which accesses, from the structure of a kernel's body.

use std::collections::HashMap;

use hirace_syntax::tree::{Field, Kind, Node};

use super::uses::{Barrier, Use, UseKind};

/// The maximum number of intervals in a kernel: one bit each.
const MAX_INTERVALS: usize = u128::BITS as usize;

/// A basic block: no jumps or barriers inside.
#[derive(Clone, Debug, Default)]
struct Block {
    /// The interval that begins with it.
    begins: Option<usize>,
    successors: Vec<usize>,
    /// Indices of the accesses in it.
    uses: Vec<usize>,
}

/// The targets of jumps.
#[derive(Clone, Copy, Debug, Default)]
struct Targets {
    on_break: Option<usize>,
    on_continue: Option<usize>,
}

struct Builder<'a> {
    uses: &'a [Use],
    barriers: HashMap<usize, &'a Barrier>,
    blocks: Vec<Block>,
    intervals: usize,
    /// How many accesses have been assigned to a block.
    placed: usize,
}

/// For each of `uses`, in order of position, whether it is a stable read. None if `body` contains a
/// statement with unknown control flow.
pub(super) fn stable(body: Node<'_>, uses: &[Use], barriers: &[Barrier]) -> Option<Vec<bool>> {
    let mut builder = Builder {
        uses,
        barriers: barriers.iter().map(|it| (it.statement, it)).collect(),
        blocks: vec![Block::default()],
        intervals: 0,
        placed: 0,
    };
    builder.begin_interval(0)?;
    builder.statement(body, 0, Targets::default())?;
    let all = builder.placed == uses.len() && builder.intervals == 1 + barriers.len();
    all.then(|| builder.solve())
}

impl Builder<'_> {
    fn block(&mut self, predecessors: &[usize]) -> usize {
        let new = self.blocks.len();
        self.blocks.push(Block::default());
        for &it in predecessors {
            self.edge(it, new);
        }
        new
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.blocks[from].successors.push(to);
    }

    fn begin_interval(&mut self, block: usize) -> Option<()> {
        self.blocks[block].begins = Some(self.intervals);
        self.intervals += 1;
        (self.intervals <= MAX_INTERVALS).then_some(())
    }

    /// Adds the accesses in `node` to `block`.
    fn accesses(&mut self, node: Node<'_>, block: usize) {
        let first = self.uses.partition_point(|it| it.at < node.start());
        let last = self.uses.partition_point(|it| it.at < node.end());
        self.blocks[block].uses.extend(first..last);
        self.placed += last - first;
    }

    fn part(&mut self, node: Node<'_>, field: Field, block: usize) {
        if let Some(part) = node.child(field) {
            self.accesses(part, block);
        }
    }

    /// Adds the statement `node` after the block `at`; returns the block where control continues.
    fn statement(&mut self, node: Node<'_>, at: usize, targets: Targets) -> Option<usize> {
        if let Some(barrier) = self.barriers.get(&node.start()).copied() {
            return self.barrier(node, barrier, at);
        }
        match node.kind() {
            Kind::CompoundStatement => {
                let mut at = at;
                for child in node.named_children() {
                    at = self.statement(child, at, targets)?;
                }
                Some(at)
            }
            Kind::ExpressionStatement | Kind::Declaration => {
                self.accesses(node, at);
                Some(at)
            }
            Kind::TypeDefinition
            | Kind::AliasDeclaration
            | Kind::UsingDeclaration
            | Kind::StaticAssertDeclaration => Some(at),
            Kind::IfStatement => {
                self.part(node, Field::Condition, at);
                let taken = self.block(&[at]);
                let taken = self.statement(node.child(Field::Consequence)?, taken, targets)?;
                let otherwise = match node.child(Field::Alternative) {
                    Some(alternative) => {
                        let block = self.block(&[at]);
                        self.statement(alternative, block, targets)?
                    }
                    None => at,
                };
                Some(self.block(&[taken, otherwise]))
            }
            Kind::ElseClause => self.statement(node.first_named()?, at, targets),
            Kind::WhileStatement => {
                let head = self.block(&[at]);
                self.part(node, Field::Condition, head);
                self.repeat(node, head, head, head)
            }
            Kind::ForStatement => {
                self.part(node, Field::Initializer, at);
                let head = self.block(&[at]);
                self.part(node, Field::Condition, head);
                let update = self.block(&[]);
                self.part(node, Field::Update, update);
                self.edge(update, head);
                self.repeat(node, head, update, head)
            }
            Kind::ForRangeLoop => {
                for child in node.named_children() {
                    if child.field() != Field::Body {
                        self.accesses(child, at);
                    }
                }
                let head = self.block(&[at]);
                self.repeat(node, head, head, head)
            }
            Kind::DoStatement => {
                let head = self.block(&[at]);
                let condition = self.block(&[]);
                self.part(node, Field::Condition, condition);
                self.edge(condition, head);
                self.repeat(node, head, condition, condition)
            }
            Kind::SwitchStatement => self.switch(node, at, targets),
            Kind::BreakStatement => {
                self.edge(at, targets.on_break?);
                Some(self.block(&[]))
            }
            Kind::ContinueStatement => {
                self.edge(at, targets.on_continue?);
                Some(self.block(&[]))
            }
            Kind::ReturnStatement => {
                self.accesses(node, at);
                Some(self.block(&[]))
            }
            _ => None,
        }
    }

    /// The body of a loop: entered at `entry`, repeated through `again`, left from `last`.
    fn repeat(&mut self, node: Node<'_>, entry: usize, again: usize, last: usize) -> Option<usize> {
        let exit = self.block(&[last]);
        let targets = Targets {
            on_break: Some(exit),
            on_continue: Some(again),
        };
        let start = self.block(&[entry]);
        let end = self.statement(node.child(Field::Body)?, start, targets)?;
        self.edge(end, again);
        Some(exit)
    }

    fn switch(&mut self, node: Node<'_>, at: usize, targets: Targets) -> Option<usize> {
        self.part(node, Field::Condition, at);
        let body = node.child(Field::Body)?;
        if !body.is(Kind::CompoundStatement) {
            return None;
        }
        let exit = self.block(&[at]);
        let inner = Targets {
            on_break: Some(exit),
            ..targets
        };
        let mut end = self.block(&[at]);
        for child in body.named_children() {
            if !child.is(Kind::CaseStatement) {
                end = self.statement(child, end, inner)?;
                continue;
            }
            end = self.block(&[at, end]);
            for part in child.named_children() {
                if part.field() != Field::Value {
                    end = self.statement(part, end, inner)?;
                }
            }
        }
        self.edge(end, exit);
        Some(exit)
    }

    /// A barrier. The reads of its arguments come before it. The target of its result is evaluated
    /// before or after it, depending on the language version.
    fn barrier(&mut self, node: Node<'_>, barrier: &Barrier, at: usize) -> Option<usize> {
        let new = self.block(&[at]);
        self.begin_interval(new)?;
        for (index, it) in self.uses.iter().enumerate() {
            if node.range().contains(&it.at) {
                self.blocks[at].uses.push(index);
                if !barrier.call.contains(&it.at) {
                    self.blocks[new].uses.push(index);
                }
                self.placed += 1;
            }
        }
        Some(new)
    }

    fn solve(&self) -> Vec<bool> {
        let reached = self.reached();
        let mut changed = 0;
        for (block, intervals) in self.blocks.iter().zip(&reached) {
            let changes = |it: &usize| self.uses[*it].kind == UseKind::Change;
            if block.uses.iter().any(changes) {
                changed |= intervals;
            }
        }
        let loads = self.uses.iter().map(|it| it.kind == UseKind::Load);
        let mut stable: Vec<bool> = loads.collect();
        for (block, intervals) in self.blocks.iter().zip(&reached) {
            for &it in &block.uses {
                stable[it] &= intervals & changed == 0;
            }
        }
        stable
    }

    /// The intervals that reach each block, as bits.
    fn reached(&self) -> Vec<u128> {
        let mut reached = vec![0u128; self.blocks.len()];
        for (intervals, block) in reached.iter_mut().zip(&self.blocks) {
            *intervals = block.begins.map_or(0, |it| 1 << it);
        }
        let mut waiting: Vec<usize> = (0..self.blocks.len()).collect();
        while let Some(from) = waiting.pop() {
            for &to in &self.blocks[from].successors {
                let all = reached[to] | reached[from];
                // A barrier stops all intervals before it.
                if self.blocks[to].begins.is_none() && all != reached[to] {
                    reached[to] = all;
                    waiting.push(to);
                }
            }
        }
        reached
    }
}
