//! The access state machine of hirace: its specification, its proof, its tables.
//!
//! [`spec`] defines the meaning of each state and derives every transition from it; [`check`]
//! proves the result exact; [`emit`] writes it for the device headers and for readers.
//!
//! ```
//! use hirace_fsm::{Access, Relation, State, Sync, next};
//!
//! // A read of what another thread of the warp wrote: a race without a barrier.
//! let read = |sync| next(State::Write, Access::Read, sync, Relation::Warp);
//! assert_eq!(read(Sync::None), State::Race);
//! assert_eq!(read(Sync::Warp), State::WSync);
//! ```
//!
//! # Promises
//! - A race is reported exactly when two conflicting unordered accesses have occurred, on every
//!   grid and every history up to the first race. [`check`] proves this, names the test of each
//!   invariant, and lists what is outside the model.
//! - A transition is written nowhere else in the project.
//!
//! # Dependencies
//! The crate depends on no other crate, of hirace or otherwise, and must never do input or output.

pub mod alphabet;
pub mod check;
pub mod emit;
pub mod exposure;
pub mod fields;
pub mod history;
pub mod minimize;
mod published;
pub mod replay;
mod shape;
pub mod spec;
pub mod table;
pub mod word;

pub use alphabet::{Access, Relation, State, Sync};
pub use exposure::{Exposure, Level};
pub use fields::{Fields, Masks};
pub use published::{DEVIATIONS, Deviation, published_next};
pub use spec::next;
pub use table::{Table, Transition};
