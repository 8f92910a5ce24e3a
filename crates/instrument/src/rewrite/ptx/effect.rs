//! The effect of an instruction on memory (PTX ISA, "Data Movement and Conversion Instructions",
//! "Parallel Synchronization and Communication Instructions").
//!
//! Loads and stores with an order or a scope are strong (PTX ISA, "Memory Consistency Model"): they
//! do not race with one another if the scope of each covers both threads. A store of block scope is
//! thus treated as an atomic of block scope. A load of block scope is treated as one of device
//! scope: an atomic would race with plain loads, which this load must not. This causes no false
//! alarm, and the report says what it may miss.

use hirace_model::SiteKind;

use super::syntax::{Instruction, Operand};

/// How to interpret an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// A pointer. Addresses of global memory are pointers too.
    Generic,
    /// An address in the window of the block's shared memory.
    Shared,
    /// The same window, or another block's.
    Cluster,
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access<'a> {
    /// The hook's name without `ptx_`.
    pub(crate) hook: &'static str,
    pub(crate) kind: SiteKind,
    pub(crate) space: Space,
    /// Its size; for rows of matrices, the number of lanes that name a row.
    pub(crate) size: u32,
    /// Whether it orders other accesses.
    pub(crate) orders: bool,
    /// Whether it is treated as having a wider scope.
    pub(crate) widened: bool,
    /// The operand in the brackets.
    pub(crate) base: &'a Operand,
    pub(crate) offset: Option<&'a Operand>,
}

/// The effect of an instruction on memory that threads share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect<'a> {
    Nothing,
    /// An access to memory of one thread, or to memory that is never written.
    Private,
    Access(Access<'a>),
    /// An access that cannot be checked, with the reason.
    Unknown(&'static str),
}

/// The modifiers of a load or store.
#[derive(Default)]
struct Modifiers {
    space: Option<Space>,
    private: bool,
    strong: bool,
    volatile: bool,
    orders: bool,
    block_scope: bool,
    vector: u32,
    bytes: u32,
}

const NO_SIZE: &str = "its modifiers are unknown";

impl Modifiers {
    fn read(words: &[&str], atomic: bool) -> Result<Self, &'static str> {
        let mut out = Self {
            vector: 1,
            ..Self::default()
        };
        for word in words {
            match *word {
                "global" => out.space = Some(Space::Generic),
                "shared" | "shared::cta" => out.space = Some(Space::Shared),
                "shared::cluster" => out.space = Some(Space::Cluster),
                "local" | "param" | "param::entry" | "param::func" | "const" => out.private = true,
                "volatile" => out.volatile = true,
                "relaxed" | "mmio" => out.strong = true,
                "acquire" | "release" | "acq_rel" | "sc" => (out.strong, out.orders) = (true, true),
                "cta" => out.block_scope = true,
                "cluster" | "gpu" | "sys" | "weak" | "noftz" | "nc" | "unified" => {}
                "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" => {}
                "v2" => out.vector = 2,
                "v4" => out.vector = 4,
                "v8" => out.vector = 8,
                "async" | "bulk" => return Err("it is asynchronous"),
                "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec"
                    if atomic => {}
                hint if hint.contains("::") => {}
                kind => out.bytes = bytes_of(kind).ok_or(NO_SIZE)?,
            }
        }
        Ok(out)
    }
}

/// The size of a type such as `u32` or `f16x2`.
fn bytes_of(kind: &str) -> Option<u32> {
    let digits = kind
        .trim_start_matches("bf")
        .trim_start_matches(['b', 'u', 's', 'f']);
    if digits.len() == kind.len() {
        return None;
    }
    let (bits, count) = digits.split_once('x').unwrap_or((digits, "1"));
    let bits: u32 = bits
        .parse()
        .ok()
        .filter(|it| matches!(it, 8 | 16 | 32 | 64 | 128))?;
    let count: u32 = count.parse().ok().filter(|it| matches!(it, 1 | 2 | 4))?;
    Some(bits / 8 * count)
}

/// The effect of `instruction` on memory.
pub(crate) fn effect(instruction: &Instruction) -> Effect<'_> {
    let words = instruction.modifiers();
    let place = match instruction.head() {
        "ld" | "ldu" | "atom" | "ldmatrix" => 1,
        "st" | "red" | "stmatrix" => 0,
        "multimem" => return Effect::Unknown("it accesses memory of several devices"),
        "tcgen05" if matches!(words.first(), Some(&"ld" | &"st")) => {
            return Effect::Unknown("it accesses tensor memory");
        }
        "wmma" if matches!(words.first(), Some(&"load" | &"store")) => {
            return Effect::Unknown("PTX does not specify which lane accesses what");
        }
        "discard" => return Effect::Unknown("it discards the content"),
        _ => return Effect::Nothing,
    };
    let matrix = instruction.head().ends_with("matrix");
    let access = match matrix {
        true => rows(instruction.head(), &words),
        false => scalar(instruction.head(), &words),
    };
    let (private, mut access) = match access {
        Ok(known) => known,
        Err(reason) => return Effect::Unknown(reason),
    };
    if private {
        return Effect::Private;
    }
    match instruction.operands.get(place) {
        Some(Operand::Address(base, offset)) => {
            (access.base, access.offset) = (base, offset.as_deref());
            Effect::Access(access)
        }
        _ => Effect::Unknown("its address cannot be parsed"),
    }
}

fn access<'a>(hook: &'static str, kind: SiteKind, space: Space, size: u32) -> Access<'a> {
    Access {
        hook,
        kind,
        space,
        size,
        orders: false,
        widened: false,
        base: &Operand::Other,
        offset: None,
    }
}

/// A load, a store or an atomic; and whether it is private.
fn scalar<'a>(head: &str, words: &[&str]) -> Result<(bool, Access<'a>), &'static str> {
    let atomic = matches!(head, "atom" | "red");
    let modifiers = Modifiers::read(words, atomic)?;
    let space = modifiers.space.unwrap_or(Space::Generic);
    let own = space == Space::Shared;
    let (hook, kind) = match head {
        "st" if modifiers.strong && modifiers.block_scope => ("block_atomic", SiteKind::Write),
        "st" if modifiers.strong => ("strong_write", SiteKind::Write),
        "st" if modifiers.volatile => ("volatile_write", SiteKind::Write),
        "st" => ("write", SiteKind::Write),
        "atom" | "red" if modifiers.block_scope => ("block_atomic", SiteKind::Atomic),
        "atom" | "red" => ("device_atomic", SiteKind::Atomic),
        _ if modifiers.strong => ("strong_read", SiteKind::Read),
        _ if modifiers.volatile => ("volatile_read", SiteKind::Read),
        _ => ("read", SiteKind::Read),
    };
    if modifiers.bytes == 0 {
        return Err(NO_SIZE);
    }
    let mut out = access(hook, kind, space, modifiers.bytes * modifiers.vector);
    out.orders = modifiers.orders;
    out.widened = hook == "strong_read" && modifiers.block_scope && !own;
    Ok((modifiers.private, out))
}

/// `ldmatrix` and `stmatrix`: lanes name rows of 16 bytes.
fn rows<'a>(head: &str, words: &[&str]) -> Result<(bool, Access<'a>), &'static str> {
    let number = words.iter().find_map(|it| match *it {
        "x1" => Some(1),
        "x2" => Some(2),
        "x4" => Some(4),
        _ => None,
    });
    let height = if words.contains(&"m16n16") { 16 } else { 8 };
    let lanes = number.ok_or(NO_SIZE)? * height;
    if lanes > 32 {
        return Err(NO_SIZE);
    }
    let space = match words.iter().any(|it| it.starts_with("shared")) {
        true => Space::Shared,
        false => Space::Generic,
    };
    let (hook, kind) = match head {
        "ldmatrix" => ("read_rows", SiteKind::Read),
        _ => ("write_rows", SiteKind::Write),
    };
    Ok((false, access(hook, kind, space, lanes)))
}
