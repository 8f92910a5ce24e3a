//! The sentences for asynchronous operations in inline PTX and of `cuda::ptx`: each has a wait of its own.

use super::super::pair::Pair;
use crate::model::{Access, AccessKind};

/// The opcodes of instructions that are named in sentences.
const HEADS: [&str; 12] = [
    "mbarrier.",
    "bar.",
    "barrier.",
    "cp.",
    "wgmma.",
    "st.",
    "ld.",
    "red.",
    "atom.",
    "fence.",
    "ldmatrix.",
    "stmatrix.",
];

/// Whether the text of an access is an `asm` statement.
pub(super) fn is_assembly(text: &str) -> bool {
    ["asm", "__asm"].iter().any(|it| text.starts_with(it))
}

/// The opcode of the first instruction in an `asm` statement that accesses memory or synchronises.
pub(super) fn opcode(text: &str) -> Option<&str> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':'));
    let mut words = text.split(ends).filter(|_| is_assembly(text));
    words.find(|word| HEADS.iter().any(|it| word.starts_with(it)))
}

/// An asynchronous operation, by what waits for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// `cp.async`
    Copy,
    /// A bulk operation that completes at an mbarrier object.
    Counted,
    /// A bulk operation of a bulk group.
    Grouped,
    /// `wgmma`
    Product,
}

impl Operation {
    pub(super) fn of(access: &Access) -> Option<Self> {
        let text = access.position.text.as_deref()?;
        let Some(opcode) = opcode(text) else {
            return Self::of_call(text);
        };
        Some(match opcode {
            _ if opcode.starts_with("wgmma.") => Self::Product,
            _ if opcode.contains("complete_tx") => Self::Counted,
            _ if opcode.contains(".bulk_group") => Self::Grouped,
            _ if opcode.starts_with("cp.async.c") => Self::Copy,
            _ => return None,
        })
    }

    /// That of a call of a function, such as `cuda::ptx::cp_async_bulk(cuda::ptx::space_global, …)`.
    fn of_call(text: &str) -> Option<Self> {
        let (function, arguments) = text.split_once('(')?;
        let name = function.rsplit("::").next()?.trim();
        let target = arguments.split(',').next()?;
        let is_bulk = name.contains("async_bulk");
        match name {
            "st_async" | "red_async" => Some(Self::Counted),
            _ if !is_bulk => None,
            _ if name.ends_with("_shared_to_global") => Some(Self::Grouped),
            _ if name.ends_with("_global_to_shared") => Some(Self::Counted),
            _ if target.contains("space_global") => Some(Self::Grouped),
            _ => Some(Self::Counted),
        }
    }
}

/// Why an operation that nothing has waited for is unordered.
pub(super) fn pending_reason(pair: Pair<'_>) -> Option<String> {
    match Operation::of(pair.prior)? {
        Operation::Product => Some(
            "(1) belongs to an asynchronous product of a warpgroup, and nothing that comes before (2) has \
             waited for it"
                .to_owned(),
        ),
        _ => None,
    }
}

/// What waits for an operation.
pub(super) fn pending_help(pair: Pair<'_>) -> Option<String> {
    let reads = pair.prior.access == AccessKind::Read;
    Some(
        match Operation::of(pair.prior)? {
            Operation::Copy => {
                "wait for the copy before (2), in the thread that has issued it: `cp.async.wait_group N`, \
                 where N is at most the number of groups that it has committed after that of (1), or \
                 `cp.async.wait_all`; if other threads access what was copied, a barrier must follow"
            }
            Operation::Counted => {
                "let the thread of (2) wait before (2) for the phase of the `mbarrier` object that counts the \
                 bytes of (1), such as by `mbarrier.try_wait.parity` with the parity of that phase; if another \
                 thread waits for it, a barrier must follow"
            }
            Operation::Grouped if reads => {
                "let the thread that has issued (1) wait before (2): `cp.async.bulk.wait_group.read N`, where N \
                 is at most the number of groups that it has committed after that of (1); for other threads, a \
                 barrier must follow"
            }
            Operation::Grouped => {
                "let the thread that has issued (1) wait before (2): `cp.async.bulk.wait_group N`, without \
                 `.read`, where N is at most the number of groups that it has committed after that of (1); for \
                 other threads, a barrier must follow"
            }
            Operation::Product => {
                "let the warpgroup wait before (2): `wgmma.wait_group N`, where N is at most the number of \
                 groups that it has committed after that of (1); if another thread does (2), arrive at a barrier \
                 for it only after that wait"
            }
        }
        .to_owned(),
    )
}
