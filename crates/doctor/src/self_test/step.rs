//! One access of a trace, and how it travels to a device.

use hirace_fsm::Access;
use hirace_fsm::word::{Identity, Size, Widths};

/// Bytes of a step and of an answer on the way to the device and back.
pub const ROW: usize = 16;

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The accessing thread.
    pub who: Identity,
    /// What the machine takes the access for.
    pub access: Access,
    /// The number of its kind, an `AccessKind` of `device/hirace/records/record.h`.
    pub kind: u32,
    /// The split of the word.
    pub widths: Widths,
}

impl Step {
    /// The word is one of shared memory.
    #[must_use]
    pub fn shared(&self) -> bool {
        self.widths.size == Size::Block
    }
}
