//! A litmus test as data.

use std::ops::Range;

pub use super::question::{Condition, LocationId, Quantifier, Question, Term};
pub use super::types::{Type, TypeKind, Value};

/// Bytes of the test's text.
pub type Span = Range<usize>;

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// The name in the first line, such as `MP`.
    pub name: String,
    /// The lines in quotes, without these.
    pub comments: Vec<String>,
    /// All locations, declared or only used.
    pub locations: Vec<Location>,
    /// Initial values of registers that are not zero, by thread and name.
    pub registers: Vec<(usize, String, Value)>,
    /// The threads, in order.
    pub threads: Vec<Thread>,
    /// What `locations [x; P0:r0;]` adds to the final states that are shown.
    pub shown: Vec<Term>,
    /// Executions whose final state does not satisfy it do not count.
    pub filter: Option<Condition>,
    /// The question.
    pub question: Question,
}

/// A memory location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Its type: the declared one, else that of the first access with a suffix, else `.s64`.
    pub value_type: Type,
    /// Its initial value, as its type has it.
    pub initial: Value,
    /// For an alias: the proxy through which it accesses another location, and which.
    pub alias: Option<(Proxy, LocationId)>,
    /// It is in shared memory, so that threads of other blocks cannot access it.
    pub shared: bool,
}

/// Paths on which memory is accessed (PTX ISA, "Proxies").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Proxy {
    /// Ordinary accesses.
    Generic,
    /// Surfaces.
    Surface,
    /// Textures.
    Texture,
    /// The constant bank.
    Constant,
}

impl Proxy {
    /// Its name, as `fence.proxy` has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Surface => "surface",
            Self::Texture => "texture",
            Self::Constant => "constant",
        }
    }
}

/// Where a thread runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The GPU.
    pub gpu: u32,
    /// The cluster of blocks on this GPU; `None` if the test does not say, and then the block is a
    /// cluster of its own.
    pub cluster: Option<u32>,
    /// The block on this GPU; clusters do not number their blocks anew.
    pub cta: u32,
    /// The warp; `None` if the test does not say, and then each thread is a warp of its own.
    pub warp: Option<u32>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name, such as `P0`.
    pub name: String,
    /// Where it runs.
    pub placement: Placement,
    /// Its instructions; jumps give indices.
    pub code: Vec<Line>,
}

/// An instruction and its place in the text.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it does.
    pub instruction: Instruction,
    /// Where it is.
    pub span: Span,
    /// It is executed only if this register is not zero (or is zero, if negated): `@p`, `@!p`.
    pub guard: Option<(String, bool)>,
}

/// How an access orders others (PTX ISA, "Operation Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// A plain access.
    Weak,
    /// Strong, and no more.
    Relaxed,
    /// Strong, and part of an acquire pattern.
    Acquire,
    /// Strong, and part of a release pattern.
    Release,
    /// Both, for read-modify-writes.
    AcqRel,
    /// `.volatile`: as relaxed, with the scope of the whole system.
    Volatile,
}

impl Order {
    /// The qualifier, without its dot.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Relaxed => "relaxed",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::AcqRel => "acq_rel",
            Self::Volatile => "volatile",
        }
    }
}

/// Which threads a strong operation synchronises with (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// The block.
    Cta,
    /// The cluster of blocks.
    Cluster,
    /// The GPU.
    Gpu,
    /// All GPUs and the host.
    Sys,
}

impl Scope {
    /// The qualifier, without its dot.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cta => "cta",
            Self::Cluster => "cluster",
            Self::Gpu => "gpu",
            Self::Sys => "sys",
        }
    }
}

/// A register or a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register.
    Register(String),
    /// A constant.
    Constant(Value),
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A location by name.
    Location(LocationId),
    /// The location whose address a register holds (`mov r1, x`).
    Register(String),
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "these are PTX's names")]
pub enum AtomicOp {
    Add,
    Sub,
    Exch,
    Cas,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Min,
    Max,
}

/// What a barrier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Arrives and waits.
    Sync,
    /// Arrives only.
    Arrive,
    /// Arrives, waits, and reduces a predicate.
    Red,
}

/// The result of a `red` barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// What is computed of the predicates.
    pub op: ReductionOp,
    /// Where the result goes.
    pub target: String,
    /// The thread's predicate: true if it is not zero.
    pub predicate: Operand,
}

/// What a `red` barrier computes of the predicates of the threads that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReductionOp {
    /// How many are true.
    Popc,
    /// Whether all are true.
    And,
    /// Whether one is true.
    Or,
}

/// Register arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "these are PTX's names")]
pub enum ArithmeticOp {
    Mov,
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Min,
    Max,
    /// 1 if equal, else 0; `setp` and `xor; not` idioms of tests.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Conditions of branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "these are the names of the instructions")]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `ld`, `tld`, `suld`, `cold`.
    Load {
        /// The kind of access.
        order: Order,
        /// Its scope; `None` for weak accesses.
        scope: Option<Scope>,
        /// The proxy of the instruction.
        proxy: Proxy,
        /// The type in the text; without one it is that of the location, here and below.
        value_type: Option<Type>,
        /// Where the value goes.
        target: String,
        /// What is read.
        address: Address,
    },
    /// `st`, `sust`.
    Store {
        /// The kind of access.
        order: Order,
        /// Its scope; `None` for weak accesses.
        scope: Option<Scope>,
        /// The proxy of the instruction.
        proxy: Proxy,
        /// The type in the text.
        value_type: Option<Type>,
        /// What is written.
        address: Address,
        /// The value.
        value: Operand,
    },
    /// `atom` with a target, `red` without.
    Atomic {
        /// The kind of access.
        order: Order,
        /// Its scope.
        scope: Scope,
        /// What it computes.
        op: AtomicOp,
        /// The type in the text.
        value_type: Option<Type>,
        /// Where the old value goes.
        target: Option<String>,
        /// What is read and written.
        address: Address,
        /// One operand, or for `cas` the expected and the new value.
        operands: Vec<Operand>,
    },
    /// `fence.sc`, `fence.acq_rel`, `membar`.
    Fence {
        /// Whether it is `fence.sc`.
        sc: bool,
        /// Its scope.
        scope: Scope,
    },
    /// `fence.proxy.…`; `None` is `fence.proxy.alias`.
    ProxyFence {
        /// The proxy besides the generic one.
        proxy: Option<Proxy>,
    },
    /// `bar.cta.…`, `barrier.cta.…`.
    Barrier {
        /// What it does.
        kind: BarrierKind,
        /// Its number.
        number: Operand,
        /// How many threads take part; `None` for all of the block.
        count: Option<Operand>,
        /// What `red` computes, if its result is used.
        reduction: Option<Reduction>,
    },
    /// Register arithmetic.
    Arithmetic {
        /// What it computes.
        op: ArithmeticOp,
        /// The type of operands and result.
        value_type: Type,
        /// Where the result goes.
        target: String,
        /// The operands.
        operands: Vec<Operand>,
    },
    /// `mov r, x`: the address of a location.
    AddressOf {
        /// Where the address goes.
        target: String,
        /// The location.
        location: LocationId,
    },
    /// `beq r0, r1, LABEL` and relatives.
    Branch {
        /// When to jump.
        comparison: Comparison,
        /// The type of the operands.
        value_type: Type,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
        /// The index of the next instruction.
        to: usize,
    },
    /// `goto LABEL`, `bra LABEL`.
    Jump {
        /// The index of the next instruction.
        to: usize,
    },
}
