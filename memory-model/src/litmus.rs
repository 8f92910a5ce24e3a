//! Litmus tests: their text format.
//!
//! The reader accepts two dialects. In the first one, the head of each column places its thread, as
//! in `P0@warp 1,cta 0,cluster 0,gpu 0`:
//!
//! ```text
//! PTX MP
//! "message passing"
//! { x = 0; flag = 0; }
//!  P0@cta 0,gpu 0         | P1@cta 1,gpu 0          ;
//!  st.weak x, 1           | ld.acquire.gpu r0, flag ;
//!  st.release.gpu flag, 1 | ld.weak r1, x           ;
//! ~exists (P1:r0 == 1 /\ P1:r1 != 1)
//! ```
//!
//! The second one is that of Alglave et al., "GPU Concurrency: Weak Behaviours and Programming
//! Assumptions", ASPLOS 2015. It declares registers, and a scope tree places the threads.
//!
//! # Choices
//! - A name in an instruction is a location if the declarations contain it. Otherwise it is a
//!   register if the thread assigns it or if it looks like one (`r0`, `rd1`, `p2`), and else a
//!   location that starts at 0.
//! - A register that starts with the address of a location (`P0:r3 = x`) becomes an instruction
//!   [`AddressOf`](ast::Instruction::AddressOf) at the start of the thread. Its span is that of
//!   the declaration.
//! - An alias of an alias refers to the location at the end of the chain, and has its initial value.
//!   A generic alias is a virtual address; one for another proxy has the address of what it aliases.
//! - `ld r0, 1` is `mov r0, 1`. Of three numbers of a barrier, the first one is the instruction's own
//!   and has no meaning here.
//! - A thread without a placement (`P0 | P1 ;`) is a block of its own on GPU 0. Its block gets the
//!   lowest number that no other thread has.
//! - A placement names its levels in any order. Only `cta` is required: `gpu` is 0 by default, and
//!   without `warp` the thread is a warp of its own.
//! - Without `cluster`, a block is a cluster of its own. The numbers of blocks count on the whole
//!   GPU, as `%ctaid` does: `cta 0` cannot be in two clusters.
//! - Registers have 64 bits. The type of an instruction says how many low bits of its operands it
//!   takes, and whether it extends its result with the sign (`.s`) or with zeros (`.u`, `.b`). An
//!   access without a type has that of the location, and other instructions then have `.s64`.
//! - All accesses to a location have the same size; others are refused.
//! - `.volatile` has the scope `.sys`; `.cg` and `.ca` accesses are weak.

pub mod ast;

mod access;
mod condition;
mod context;
mod cursor;
mod declarations;
mod fences_and_barriers;
pub mod instructions;
mod legacy;
mod lexer;
mod lowering;
mod modifiers;
mod names;
mod parser;
mod placement;
mod program;
mod qualifiers;
mod question;
mod source;
mod statement;
mod table;
#[cfg(test)]
mod tests;
mod types;

pub use parser::parse;
pub use placement::{Threads, placed};
