//! The proof by exhaustive search: the product of the machine and the happens-before relation.
//!
//! The search covers one location, a grid of a given [`Shape`], and every sequence of accesses and
//! barriers on it, up to the first race. At each access the machine's verdict must equal the truth,
//! which is computed from the definition of a race and not from the machine. A comparison with an
//! undetermined outcome, such as that of the clocks of two blocks or of a masked field, is explored
//! with every outcome. [`verify_any_grid`] does the same for grids of all sizes at once.
//!
//! # Invariants
//! - The truth and the possible outcomes of comparisons agree with full histories and real clocks.
//!   Test: `truth_agrees_with_full_histories`.
//! - Renaming threads hides nothing. Test: `situations_without_symmetry`.
//! - The check can fail. Tests: `each_published_entry_breaks_exactness`,
//!   `every_mutation_is_refuted`.
//! - It is not vacuous: the numbers of situations, verdicts and transitions reached are pinned, and
//!   2×2×2 reaches all 1152 transitions from states other than `RACE`. Tests:
//!   `exact_with_full_words`, `exact_with_masked_words`, `exact_on_any_grid`.
//!
//! # Outside the model
//! Barriers of part of a warp or block, fences, and clocks that overflow their field.
//!
//! # Why our own search
//! The crate stateright explores the same product and finds the same situations. With the same
//! successor function it took 1.02 s for 3×3×3 with full words, where this search takes 0.81 s, and
//! 1.25 s for 1×2×8 against 0.96 s, on one thread and on two. The decisive difference is that
//! stateright recognises a state by a 64-bit hash, so that a collision would hide part of the
//! space. Here whole situations are compared, for 2.8 times the memory (100 MB for 3×3×3). It would
//! also bring 47 crates into one that has no dependencies.

mod any_grid;
mod compare;
mod conflict;
mod counts;
mod model;
mod search;
mod trace;

pub use crate::shape::{InvalidShape, MAX_THREADS, Shape};
pub use any_grid::{WrongVerdict, verify_any_grid};
pub use counts::Counts;
pub use search::{NotVerified, Progress, verify, verify_watched};
pub use trace::{Counterexample, Fault, Step, Visit};
