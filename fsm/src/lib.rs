//! The access state machine of hirace: its specification, its proof, its tables.
//!
//! [`spec`] says what each state means and derives every transition from that;
//! [`check`] proves the result exact; [`emit`] writes it down for the device headers
//! and for readers. A transition is written nowhere else in the project.
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
//! Promise: a race is reported exactly when two conflicting accesses that nothing orders have
//! occurred, on every grid and every history up to the first race. [`check`] proves it, names the
//! test of each invariant, and says what lies outside the model.
//!
//! The crate depends on no other crate, of hirace or otherwise, and does no input or output.

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
