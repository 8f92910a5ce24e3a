//! The representation: basic blocks of effects.

use std::collections::HashMap;
use std::ops::Range;

use hirace_syntax::names::Scope;
use petgraph::graph::{DiGraph, NodeIndex};

/// A basic block of a [`Function`].
pub type BlockId = NodeIndex;

/// The body of a function.
#[derive(Debug)]
pub struct Function {
    /// Its name, as reports show it.
    pub name: String,
    /// The basic blocks, with the ways that control may take from one to another.
    pub graph: DiGraph<Block, Edge>,
    /// Where control enters.
    pub entry: BlockId,
    /// Where threads end, or return to the caller. It has no effects.
    pub exit: BlockId,
    /// What its accesses touch, in order of their positions.
    pub accesses: Vec<Access>,
    /// Effects of lambdas and of classes inside the function: they run when something calls those.
    pub deferred: Vec<Effect>,
    /// Where its statements, and expressions with blocks of their own, are executed, by their ranges.
    pub places: HashMap<(usize, usize), Span>,
    /// Why the blocks may not show what the function does, if so.
    pub opaque: Option<Opaque>,
}

/// A sequence of effects that control enters only at its beginning and leaves only at its end.
#[derive(Debug, Default)]
pub struct Block {
    /// What happens in it. A block barrier is always the first effect of its block.
    pub effects: Vec<Effect>,
    /// What decides on the block that follows, if there are several.
    pub decision: Option<Decision>,
}

/// A value that decides which block follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The expression.
    pub value: Range<usize>,
    /// Whether it is the condition of a `for` with an update, which moves on by itself.
    pub counts: bool,
}

/// Why control may take a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It is the only one.
    Next,
    /// The decision is true.
    True,
    /// The decision is false.
    False,
    /// The decision is the value of a `case`, or of none.
    Case,
    /// Text that is not understood may jump.
    Unknown,
}

/// The blocks in which a statement, or an expression, begins to be executed and has been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub begin: BlockId,
    /// The last, if control leaves it at its end.
    pub end: BlockId,
}

/// A place in a function: before or after a statement, or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: BlockId,
    /// The position in the text; in one block, text comes in the order in which it is executed.
    pub at: usize,
}

/// Something that a thread does which others may notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An access: its number in [`Function::accesses`].
    Access(usize),
    /// Threads wait for each other; the range is that of the call.
    Barrier(Scope, Range<usize>),
    /// The thread's accesses before it come before those after it.
    Fence(Range<usize>),
    /// A function that the table of names does not have is called.
    Call(Range<usize>),
    /// Text that is not understood: it may access all memory, or pass a barrier. Where it may jump, the block has edges.
    Unknown(Range<usize>),
}

/// An access to memory that other threads may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The expression that designates the object.
    pub range: Range<usize>,
    /// What is done to it.
    pub kind: AccessKind,
    /// What it is a part of.
    pub root: Root,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A read.
    Read,
    /// A write.
    Write,
    /// A read and a write, not atomic together.
    Update,
    /// An atomic read, write or both.
    Atomic,
    /// The address or a reference is taken: the object may be accessed anywhere, in any way.
    Escape,
}

/// The object that an access reaches a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A shared variable.
    Shared(String),
    /// What a parameter of the function points to.
    Parameter(String),
    /// Memory that is reached by this name; empty if there is none.
    Other(String),
}

/// Why the blocks of a function may not show what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// The position of what is not understood.
    pub at: usize,
    /// What it is, as a noun phrase.
    pub what: String,
    /// The blocks show how control comes to places before this position, unless control may come back there.
    pub from: usize,
}

impl Function {
    /// Whether it may call functions.
    pub fn calls(&self) -> bool {
        let blocks = self.graph.node_weights().flat_map(|it| &it.effects);
        let mut effects = blocks.chain(&self.deferred);
        effects.any(|it| matches!(it, Effect::Call(_) | Effect::Unknown(_)))
    }

    /// Whether a block begins with a barrier of the whole block of threads.
    pub fn begins_with_barrier(&self, block: BlockId) -> bool {
        let first = self.graph[block].effects.first();
        matches!(first, Some(Effect::Barrier(Scope::Block, _)))
    }
}
