//! A litmus test as data.

use std::ops::Range;

pub use super::instructions::{Arithmetic, AtomicOp, Comparator};
pub use super::qualifiers::{BarrierKind, Order, Proxy, ReductionOp, Scope};
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
    /// For an alias: what it is another name of.
    pub alias: Option<Alias>,
    /// It is in shared memory, so that threads of other blocks cannot access it.
    pub shared: bool,
}

/// Another name of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The proxy that accesses memory by this name.
    pub proxy: Proxy,
    /// The location whose memory it is.
    pub memory: LocationId,
    /// The name whose virtual address it is: a generic alias has its own, and one for another proxy
    /// that of what it aliases.
    pub address: LocationId,
}

impl Test {
    /// The location whose memory is accessed by the name `location`.
    #[must_use]
    pub fn memory(&self, location: LocationId) -> LocationId {
        let alias = self.locations[location].alias;
        alias.map_or(location, |it| it.memory)
    }

    /// The name whose virtual address is that of `location`.
    #[must_use]
    pub fn address(&self, location: LocationId) -> LocationId {
        let alias = self.locations[location].alias;
        alias.map_or(location, |it| it.address)
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

/// How an instruction accesses memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryOperation {
    /// The kind of access.
    pub order: Order,
    /// Its scope; `None` for weak accesses.
    pub scope: Option<Scope>,
    /// The proxy of the instruction.
    pub proxy: Proxy,
    /// The type in the text; without one it is that of the location.
    pub value_type: Option<Type>,
    /// What is accessed.
    pub address: Address,
}

/// Two operands that an instruction compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What is true of them if the comparison is.
    pub comparator: &'static Comparator,
    /// The type of the operands.
    pub value_type: Type,
    /// The left one and the right one.
    pub operands: [Operand; 2],
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `ld`, `suld`, `tld`, `cold` and their other names.
    Load {
        /// What is read, and how.
        operation: MemoryOperation,
        /// Where the value goes.
        target: String,
    },
    /// `st`, `sust`.
    Store {
        /// What is written, and how.
        operation: MemoryOperation,
        /// The value.
        value: Operand,
    },
    /// `atom` and `suatom` with a target, `red` and `sured` without.
    Atomic {
        /// What is read and written, and how; it has a scope.
        operation: MemoryOperation,
        /// What it computes.
        op: &'static AtomicOp,
        /// Where the old value goes.
        target: Option<String>,
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
    /// `add`, `mov` or `ld` of a value, and the like.
    Arithmetic {
        /// What it computes.
        op: &'static Arithmetic,
        /// The type of operands and result.
        value_type: Type,
        /// Where the result goes.
        target: String,
        /// The operands.
        operands: Vec<Operand>,
    },
    /// `setp`: 1 if the comparison is true, else 0.
    Compare {
        /// What is compared.
        comparison: Comparison,
        /// Where the result goes.
        target: String,
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
        /// The index of the next instruction.
        to: usize,
    },
    /// `goto LABEL`, `bra LABEL`.
    Jump {
        /// The index of the next instruction.
        to: usize,
    },
}

impl Instruction {
    /// How it accesses memory, if it does.
    #[must_use]
    pub fn memory_operation(&self) -> Option<&MemoryOperation> {
        match self {
            Self::Load { operation, .. }
            | Self::Store { operation, .. }
            | Self::Atomic { operation, .. } => Some(operation),
            _ => None,
        }
    }

    /// The location that it names, if it names one.
    #[must_use]
    pub fn location(&self) -> Option<LocationId> {
        match (self.memory_operation().map(|it| &it.address), self) {
            (Some(Address::Location(location)), _) | (_, Self::AddressOf { location, .. }) => {
                Some(*location)
            }
            _ => None,
        }
    }

    /// The register that receives its result, if it has one.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Load { target, .. }
            | Self::Arithmetic { target, .. }
            | Self::Compare { target, .. }
            | Self::AddressOf { target, .. } => Some(target),
            Self::Atomic { target, .. } => target.as_deref(),
            Self::Barrier { reduction, .. } => reduction.as_ref().map(|it| it.target.as_str()),
            _ => None,
        }
    }

    /// The registers and constants that it reads, except for addresses.
    #[must_use]
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Atomic { operands, .. } | Self::Arithmetic { operands, .. } => {
                operands.iter().collect()
            }
            Self::Store { value, .. } => vec![value],
            Self::Compare { comparison, .. } | Self::Branch { comparison, .. } => {
                comparison.operands.iter().collect()
            }
            Self::Barrier {
                number,
                count,
                reduction,
                ..
            } => {
                let predicate = reduction.as_ref().map(|it| &it.predicate);
                [number].into_iter().chain(count).chain(predicate).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The index of the instruction that it jumps to, if it is a jump.
    #[must_use]
    pub fn jump(&self) -> Option<usize> {
        match self {
            Self::Branch { to, .. } | Self::Jump { to } => Some(*to),
            _ => None,
        }
    }
}
