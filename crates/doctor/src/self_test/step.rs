//! One access of a trace.

use hirace_fsm::Access;
use hirace_fsm::word::{Identity, Size, Widths};
use hirace_model::wire::numbers::AccessKind;
use hirace_model::wire::self_test::SelfTestStep;

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The accessing thread.
    pub who: Identity,
    /// The access as the state machine sees it.
    pub access: Access,
    /// The kind of access in the source.
    pub kind: AccessKind,
    /// The widths of the word's fields.
    pub widths: Widths,
}

impl Step {
    /// Whether the word belongs to shared memory.
    #[must_use]
    pub fn shared(&self) -> bool {
        self.widths.size == Size::Block
    }

    /// The row that a device reads.
    #[must_use]
    pub fn row(&self) -> SelfTestStep {
        SelfTestStep {
            me: self.who.pack(self.widths),
            kind: self.kind as u32,
            shared: self.shared().into(),
        }
    }
}
