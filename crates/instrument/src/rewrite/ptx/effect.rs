//! The effect of an instruction on memory (PTX ISA, "Data Movement and Conversion Instructions",
//! "Parallel Synchronization and Communication Instructions").
//!
//! Loads and stores with an order or a scope are strong (PTX ISA, "Memory Consistency Model"): they
//! do not race with one another if the scope of each covers both threads. Their hooks get the order
//! and the scope. On a GPU, a load of block scope is treated as one of device scope
//! (`device/hirace/hooks/ptx.h`), and the report says that this may miss a race.

use hirace_model::SiteKind;

use super::declarations::bytes_of;
use super::instructions::ATOMIC_OPERATIONS;
use super::syntax::{Instruction, Operand};

/// How to interpret an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A pointer. Addresses of global memory are pointers too.
    Generic,
    /// An address in the window of the block's shared memory.
    Shared,
    /// The same window, or another block's.
    Cluster,
    /// An address in the window of the thread's own memory.
    Local,
    /// An address in the window of constants.
    Constant,
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access<'a> {
    /// The hook's name without `ptx_`.
    pub hook: &'static str,
    /// What it does.
    pub kind: SiteKind,
    /// How to interpret its address.
    pub space: Space,
    /// Its size; for rows of matrices, the number of lanes that name a row.
    pub size: u32,
    /// The order and the scope of a strong access, as template arguments of its hook.
    pub strength: Option<(&'static str, &'static str)>,
    /// Whether the state machine treats it as having a wider scope.
    pub widened: bool,
    /// How many strong operations it consists of.
    pub pieces: u32,
    /// The operand in the brackets.
    pub base: &'a Operand,
    /// What is added to it.
    pub offset: Option<&'a Operand>,
}

impl Access<'_> {
    /// The template arguments of its hook.
    #[must_use]
    pub fn template_arguments(&self) -> String {
        self.strength.map_or_else(String::new, |(order, scope)| {
            format!("<::hirace::Order::{order}, ::hirace::Scope::{scope}>")
        })
    }
}

/// The effect of an instruction on memory that threads share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect<'a> {
    Nothing,
    /// An access to memory of one thread, or to memory that is never written.
    Private(Access<'a>),
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
    order: Option<&'static str>,
    scope: Option<&'static str>,
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
                "local" => (out.private, out.space) = (true, Some(Space::Local)),
                "const" => (out.private, out.space) = (true, Some(Space::Constant)),
                "param" | "param::entry" | "param::func" => out.private = true,
                "volatile" => out.volatile = true,
                "relaxed" | "mmio" => out.strong = true,
                "acquire" => (out.strong, out.order) = (true, Some("acquire")),
                "release" => (out.strong, out.order) = (true, Some("release")),
                "acq_rel" | "sc" => (out.strong, out.order) = (true, Some("acquire_release")),
                "cta" => out.scope = Some("block"),
                "cluster" => out.scope = Some("cluster"),
                "gpu" => out.scope = Some("device"),
                "sys" => out.scope = Some("system"),
                "weak" | "noftz" | "nc" | "unified" => {}
                "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" => {}
                "v2" => out.vector = 2,
                "v4" => out.vector = 4,
                "v8" => out.vector = 8,
                "async" | "bulk" => return Err("it is asynchronous"),
                operation if atomic && ATOMIC_OPERATIONS.has(operation) => {}
                hint if hint.contains("::") => {}
                kind => out.bytes = bytes_of(kind).ok_or(NO_SIZE)?,
            }
        }
        Ok(out)
    }
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
        "discard" => return Effect::Unknown("it discards the content of a line"),
        _ => return Effect::Nothing,
    };
    let matrix = instruction.head().ends_with("matrix");
    let read = if matrix { rows } else { scalar };
    let access = read(instruction.head(), &words);
    let (private, mut access) = match access {
        Ok(known) => known,
        Err(reason) => return Effect::Unknown(reason),
    };
    match instruction.operands.get(place) {
        Some(Operand::Address(base, offset)) => {
            (access.base, access.offset) = (base, offset.as_deref());
            if private {
                Effect::Private(access)
            } else {
                Effect::Access(access)
            }
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
        strength: None,
        widened: false,
        pieces: 1,
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
        "st" if modifiers.strong => ("strong_write", SiteKind::Write),
        "st" if modifiers.volatile => ("volatile_write", SiteKind::Write),
        "st" => ("write", SiteKind::Write),
        "atom" => ("atomic", SiteKind::Atomic),
        "red" => ("reduction", SiteKind::Atomic),
        _ if modifiers.strong => ("strong_read", SiteKind::Read),
        _ if modifiers.volatile => ("volatile_read", SiteKind::Read),
        _ => ("read", SiteKind::Read),
    };
    if modifiers.bytes == 0 {
        return Err(NO_SIZE);
    }
    let mut out = access(hook, kind, space, modifiers.bytes * modifiers.vector);
    if modifiers.strong || atomic {
        // An atomic without modifiers is relaxed, of device scope (PTX ISA, "atom").
        let scope = modifiers.scope.unwrap_or("device");
        out.strength = Some((modifiers.order.unwrap_or("relaxed"), scope));
    }
    // PTX ISA, "Vector Data-types" in the memory consistency model: an access of a vector is one of each element.
    if atomic || modifiers.strong {
        out.pieces = modifiers.vector;
    }
    out.widened = hook == "strong_read" && modifiers.scope == Some("block") && !own;
    Ok((modifiers.private, out))
}

/// `ldmatrix` and `stmatrix`: lanes name rows of 16 bytes.
fn rows<'a>(head: &str, words: &[&str]) -> Result<(bool, Access<'a>), &'static str> {
    let number = words.iter().find_map(|word| match *word {
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
