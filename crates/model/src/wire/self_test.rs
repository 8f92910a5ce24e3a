//! The rows that the self-test of the device code exchanges with it.

use super::declare::layout;

layout! {
    /// An access.
    pub struct SelfTestStep {
        /// The accessing thread, as a word without a state.
        pub me: u64,
        /// An AccessKind.
        pub kind: u32,
        /// Not 0: the word is one of shared memory.
        pub shared: u32,
    }

    /// The result of an access.
    pub struct SelfTestAnswer {
        /// The word after the access.
        pub word: u64,
        /// Not 0: a race.
        pub race: u32,
        /// Not 0: the inline part of the check would have sufficed.
        pub settled_inline: u32,
    }
}
