//! Which memory a kernel only reads, as far as its text shows.
//!
//! A kernel can write the memory behind a parameter if the parameter is a pointer that is not one to constants. Two
//! questions change that:
//!
//! - A kernel that *casts constants away* may also write behind a pointer to constants.
//! - A pointer that every mention in the kernel *only reads through* is as good as one to constants. A mention that is
//!   neither a read of an element nor harmless, such as a comparison or an argument for a pointer to constants, lets the
//!   pointer escape.
//!
//! # Why nothing is missed
//!
//! Memory that several parameters lead to is only read if the kernel only reads through each of them, which the executor
//! decides from their values (`device/hirace/executor/check/read_only_memory.h`). It does not take the text's word for
//! it: the first write to a granule notices that reads before it were not checked. `hirace check` then runs the program
//! again and checks all of them; a program that is run directly says that it did not look for such races.

use crate::function::{Access, AccessKind, Function, Root};

/// Whether a function may write through a pointer to constants: a parameter that is one escapes, or an address escapes
/// of which the text does not show where it leads.
pub fn casts_constants_away(function: &Function, is_constant: impl Fn(&str) -> bool) -> bool {
    function.accesses.iter().any(|it| match &it.root {
        Root::Parameter(name) => it.kind == AccessKind::Escape && is_constant(name),
        Root::Other(_) => it.kind == AccessKind::Escape,
        Root::Shared(_) => false,
    })
}

/// Whether a function only reads through a parameter, which is a pointer.
pub fn only_reads(function: &Function, parameter: &str) -> bool {
    let is_through = |it: &&Access| matches!(&it.root, Root::Parameter(name) if name == parameter);
    let mut accesses = function.accesses.iter().filter(is_through);
    function.opaque.is_none() && accesses.all(|it| it.kind == AccessKind::Read)
}
