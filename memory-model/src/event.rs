//! Events: what the threads of a test do to memory and to one another.

use crate::litmus::ast::{BarrierKind, LocationId, Order, Proxy, ReductionOp, Scope, Span, Value};

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The name that is used.
    pub location: LocationId,
    /// The name whose virtual address it is.
    pub address: LocationId,
    /// The location whose memory it is.
    pub memory: LocationId,
    /// The path of the access.
    pub proxy: Proxy,
    /// How it orders others.
    pub order: Order,
    /// Its scope; none for weak accesses.
    pub scope: Option<Scope>,
    /// Whether it is a part of an atomic operation.
    pub atomic: bool,
    /// Whether that is a `red`, which returns nothing.
    pub reduction: bool,
    /// Its bytes of the location: all of them in a litmus test.
    pub bytes: Bytes,
    /// Those of the instruction. A read that takes its bytes from several writes is several accesses.
    pub whole: Bytes,
}

/// Some bytes of a location, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bytes {
    /// Where they begin, from the beginning of the location.
    pub first: u8,
    /// How many there are.
    pub count: u8,
}

impl Bytes {
    /// As many as the widest type has.
    pub const ALL: Self = Self { first: 0, count: 8 };

    /// Whether a byte is in both.
    #[must_use]
    pub fn overlap(self, other: Self) -> bool {
        self.first < other.first + other.count && other.first < self.first + self.count
    }
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A read, with the value that it returns.
    Read(Access, Value),
    /// A write.
    Write(Access, Value),
    /// `fence.sc` if `sc`, else `fence.acq_rel`.
    Fence {
        /// Whether it is `fence.sc`.
        sc: bool,
        /// Its scope.
        scope: Scope,
    },
    /// A proxy fence; none is the alias fence.
    ProxyFence(Option<Proxy>),
    /// A barrier of the block.
    Barrier {
        /// Whether it arrives, waits or both.
        kind: BarrierKind,
        /// Its number.
        number: Value,
        /// How many threads meet at it; none for all of the block.
        count: Option<Value>,
        /// The thread's part in a reduction whose result it takes.
        reduction: Option<Reduced>,
    },
}

/// A thread's part in the reduction of a `red` barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduced {
    /// What is computed.
    pub op: ReductionOp,
    /// The thread's predicate.
    pub predicate: bool,
    /// The result that the thread gets.
    pub result: Value,
}

impl Action {
    /// The access, if it is one.
    #[must_use]
    pub fn access(&self) -> Option<&Access> {
        match self {
            Self::Read(access, _) | Self::Write(access, _) => Some(access),
            _ => None,
        }
    }

    /// The scope, if it has one.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        match self {
            Self::Read(access, _) | Self::Write(access, _) => access.scope,
            Self::Fence { scope, .. } => Some(*scope),
            _ => None,
        }
    }
}

/// An event of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread; none for initial writes.
    pub thread: Option<usize>,
    /// What happens.
    pub action: Action,
    /// The instruction in the test's text; none for initial writes.
    pub span: Option<Span>,
}
