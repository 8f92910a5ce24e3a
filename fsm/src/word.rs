//! The shadow word with its true widths, and one step of it.
//!
//! `device/hirace/shadow.h` has the layout and the reasons for it. The two are held
//! against one another, bit for bit (test: `packed_words_agree_with_full_histories`).

use crate::alphabet::{Access, Relation, State, Sync};
use crate::check::Shape;
use crate::fields::{Fields, Masks};
use crate::table::{Table, Transition};

/// Below the number of the state, which has the bits from here on.
pub const STATE_SHIFT: u32 = 59;
const EPOCH_SHIFT: u32 = 51;
const THREAD_SHIFT: u32 = 40;
const LANE_BITS: u32 = 5;
const THREAD_BITS: u32 = 10;
/// Bits that the block number and the two clocks share.
pub const SPLIT_BITS: u32 = 40;

/// How many bits of the word the block number and the clocks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Bits of the block number.
    pub block: u32,
    /// Bits of the block clock.
    pub block_clock: u32,
    /// Bits of the warp clock.
    pub warp_clock: u32,
}

impl Widths {
    /// The constants of the GPU backend.
    pub const GPU: Self = Self {
        block: 18,
        block_clock: 12,
        warp_clock: 10,
    };

    /// What the CPU executor chooses for a number of blocks.
    #[must_use]
    pub fn for_blocks(blocks: usize) -> Self {
        let block = usize::BITS - blocks.saturating_sub(1).leading_zeros();
        let block = block.max(1);
        // A block barrier sets the warp clock back, so that needs fewer bits.
        let warp_clock = (SPLIT_BITS - block) * 2 / 5;
        Self {
            block,
            block_clock: SPLIT_BITS - block - warp_clock,
            warp_clock,
        }
    }

    /// Whether the clocks of a thread fit. If not, the device checks none of the
    /// thread's accesses until they are set back.
    #[must_use]
    pub fn hold(self, who: Identity) -> bool {
        who.block_clock >> self.block_clock == 0 && who.warp_clock >> self.warp_clock == 0
    }

    /// The bits of the word in which each of the fields lies.
    fn bits(self, field: Fields) -> u64 {
        let at = |shift: u32, width: u32| ((1_u64 << width) - 1) << shift;
        let (warp_clock, block_clock) = (self.warp_clock, self.block_clock);
        let own = |one: Fields, bits: u64| if field.contains(one) { bits } else { 0 };
        own(Fields::LANE, at(THREAD_SHIFT, LANE_BITS))
            | own(
                Fields::WARP,
                at(THREAD_SHIFT + LANE_BITS, THREAD_BITS - LANE_BITS),
            )
            | own(Fields::BLOCK, at(warp_clock + block_clock, self.block))
            | own(Fields::BLOCK_CLOCK, at(warp_clock, block_clock))
            | own(Fields::WARP_CLOCK, at(0, warp_clock))
    }
}

/// Who accesses, and when: the part of a word that is the accessing thread's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The number of the launch: 1 to 255.
    pub epoch: u64,
    /// The number of the block.
    pub block: u64,
    /// The number of the warp in its block.
    pub warp: u64,
    /// The number of the thread in its warp.
    pub lane: u64,
    /// Block barriers that the thread has passed.
    pub block_clock: u64,
    /// Warp barriers that it has passed since the last block barrier.
    pub warp_clock: u64,
}

impl Identity {
    /// As a word without a state.
    #[must_use]
    pub const fn pack(self, widths: Widths) -> u64 {
        self.epoch << EPOCH_SHIFT
            | (self.warp << LANE_BITS | self.lane) << THREAD_SHIFT
            | self.block << (widths.warp_clock + widths.block_clock)
            | self.block_clock << widths.warp_clock
            | self.warp_clock
    }
}

/// A shadow word. Zero memory is a word of no launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word(pub u64);

impl Word {
    /// What the word says to a launch: nothing, if another one wrote it.
    #[must_use]
    pub fn state(self, epoch: u64) -> State {
        if self.0 >> EPOCH_SHIFT & 0xff == epoch {
            State::ALL[(self.0 >> STATE_SHIFT) as usize]
        } else {
            State::Init
        }
    }

    /// Whether the word, if it keeps its block, is of the block of `who`.
    #[must_use]
    pub fn is_of_block(self, widths: Widths, who: Identity) -> bool {
        (self.0 ^ who.pack(widths)) & widths.bits(Fields::BLOCK) == 0
    }

    /// Whether the word is of the launch of `who`, and equal in every field that its state keeps.
    #[must_use]
    pub fn agrees(self, masks: &Masks, widths: Widths, who: Identity) -> bool {
        let kept = widths.bits(masks.keep(self.state(who.epoch))) | 0xff << EPOCH_SHIFT;
        (self.0 ^ who.pack(widths)) & kept == 0
    }

    /// The word after an access, and the transition that led to it.
    #[must_use]
    pub fn step(
        self,
        table: &Table,
        masks: &Masks,
        widths: Widths,
        who: Identity,
        access: Access,
    ) -> (Self, Transition) {
        let me = who.pack(widths);
        let state = self.state(who.epoch);
        let (sync, relation) = if state == State::Init {
            // The word is another launch's and is not looked at.
            (Sync::None, Relation::Same)
        } else {
            let difference = self.0 ^ me;
            let equal = Fields::EACH
                .iter()
                .filter(|(field, _)| difference & widths.bits(*field) == 0);
            equal
                .fold(Fields::NONE, |equal, (field, _)| equal.union(*field))
                .observe()
        };
        let transition = Transition {
            state,
            access,
            sync,
            relation,
        };
        let next = table.next(transition);
        let kept = widths.bits(masks.keep(next)) | 0xff << EPOCH_SHIFT;
        let word = (next as u64) << STATE_SHIFT | me & kept;
        (Self(word), transition)
    }
}

/// The clocks of a running grid, as the synchronisation hooks count them.
#[derive(Clone, Debug)]
pub struct Clocks {
    shape: Shape,
    epoch: u64,
    block: Vec<u64>,
    warp: Vec<u64>,
}

impl Clocks {
    /// The clocks at the start of the first launch.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            epoch: 1,
            block: vec![0; shape.blocks()],
            warp: vec![0; shape.warps()],
        }
    }

    /// The whole warp passes `__syncwarp()`.
    pub fn sync_warp(&mut self, warp: usize) {
        self.warp[warp] += 1;
    }

    /// The whole block passes `__syncthreads()`, which sets its warp clocks back.
    pub fn sync_threads(&mut self, block: usize) {
        self.block[block] += 1;
        let first = self.shape.warp_of(self.shape.block_threads(block).start);
        self.warp[first..][..self.shape.warps_per_block()].fill(0);
    }

    /// The kernel ends, and the next one starts.
    pub fn next_launch(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            ..Self::new(self.shape)
        };
    }

    /// Who a thread is now.
    #[must_use]
    pub fn identity(&self, thread: usize) -> Identity {
        let warp = self.shape.warp_of(thread);
        let block = self.shape.block_of(thread);
        Identity {
            epoch: self.epoch,
            block: block as u64,
            warp: (warp % self.shape.warps_per_block()) as u64,
            lane: (thread % self.shape.threads_per_warp()) as u64,
            block_clock: self.block[block],
            warp_clock: self.warp[warp],
        }
    }
}
