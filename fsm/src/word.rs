//! The shadow word with its real field widths, and one step of it.
//!
//! `device/hirace/checker/shadow.h` documents the layout and its reasons. The two are compared bit
//! for bit (test: `packed_words_agree_with_full_histories`).

use crate::alphabet::{Access, Relation, State, Sync};
use crate::check::Shape;
use crate::fields::{Fields, Masks};
use crate::table::{Table, Transition};

const STATE_BITS: u32 = 5;
const LANE_BITS: u32 = 5;
/// Bits of the thread number of the largest block.
const MAX_THREAD_BITS: u32 = 10;

/// The size of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Four bytes, with few epochs and for small grids.
    Four,
    /// Eight bytes.
    Eight,
    /// Four bytes that belong to one block and are cleared when it begins, like those of shared
    /// memory on a GPU: without epoch, block and the upper bits of the block clock.
    Block,
}

impl Size {
    const fn bits(self) -> u32 {
        match self {
            Self::Four | Self::Block => 32,
            Self::Eight => 64,
        }
    }

    const fn epoch_bits(self) -> u32 {
        match self {
            Self::Block => 0,
            Self::Four => 3,
            Self::Eight => 8,
        }
    }

    /// The first bit of the state's number.
    #[must_use]
    pub const fn state_shift(self) -> u32 {
        self.bits() - STATE_BITS
    }

    const fn epoch_shift(self) -> u32 {
        self.state_shift() - self.epoch_bits()
    }

    /// The last epoch. The first epoch follows it, after all words have been cleared.
    #[must_use]
    pub const fn max_epoch(self) -> u64 {
        (1 << self.epoch_bits()) - 1
    }

    const fn epoch_field(self) -> u64 {
        self.max_epoch() << self.epoch_shift()
    }

    /// Bits that thread, block and the two clocks share. Between them and the epoch is the flag of
    /// volatile reads, which is not part of the machine.
    #[must_use]
    pub const fn split_bits(self) -> u32 {
        self.epoch_shift() - 1
    }
}

/// The size of a word, and the numbers of bits for thread, block and clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// The word's size.
    pub size: Size,
    /// Bits of the thread's number in its block.
    pub thread: u32,
    /// Bits of the block number.
    pub block: u32,
    /// Bits of the block clock.
    pub block_clock: u32,
    /// Bits of the warp clock.
    pub warp_clock: u32,
}

impl Widths {
    /// The layout of the GPU backend for words of global memory.
    ///
    /// # Panics
    /// If the size is that of a block's own words; their layout is derived from this one.
    #[must_use]
    pub const fn gpu(size: Size) -> Self {
        let (thread, block, block_clock, warp_clock) = match size {
            Size::Block => panic!("not of global memory"),
            Size::Four => (8, 9, 3, 3),
            Size::Eight => (MAX_THREAD_BITS, 18, 12, 10),
        };
        Self {
            size,
            thread,
            block,
            block_clock,
            warp_clock,
        }
    }

    /// The layout for shared memory that belongs to this layout for global memory.
    #[must_use]
    pub const fn of_block(self) -> Self {
        let room = Size::Block.split_bits() - MAX_THREAD_BITS - self.warp_clock;
        Self {
            size: Size::Block,
            thread: MAX_THREAD_BITS,
            block: 0,
            block_clock: if room < self.block_clock {
                room
            } else {
                self.block_clock
            },
            warp_clock: self.warp_clock,
        }
    }

    /// Whether a block's own words must be cleared after its barrier of this number, because their
    /// bits of the block clock have wrapped around.
    #[must_use]
    pub const fn come_round(self, block_clock: u64) -> bool {
        block_clock & ((1 << self.block_clock) - 1) == 0
    }

    /// The layout that the CPU executor chooses for a number of blocks and of threads per block;
    /// none if the word has too few bits.
    #[must_use]
    pub fn for_launch(size: Size, blocks: usize, threads: usize) -> Option<Self> {
        let bits = |count: usize| usize::BITS - count.saturating_sub(1).leading_zeros();
        let block = bits(blocks).max(1);
        let thread = match size {
            Size::Block => return None,
            Size::Four => bits(threads).max(LANE_BITS),
            Size::Eight => MAX_THREAD_BITS,
        };
        let clocks = size.split_bits().checked_sub(thread + block)?;
        // A block barrier resets the warp clock, so it needs fewer bits.
        let warp_clock = (clocks * 2 / 5).max(1);
        let block_clock = clocks.checked_sub(warp_clock).filter(|&bits| bits > 0)?;
        Some(Self {
            size,
            thread,
            block,
            block_clock,
            warp_clock,
        })
    }

    /// Whether the clocks of a thread fit. If not, the device checks none of the thread's accesses
    /// until the clocks are reset.
    #[must_use]
    pub fn hold(self, who: Identity) -> bool {
        who.block_clock >> self.block_clock == 0 && who.warp_clock >> self.warp_clock == 0
    }

    /// The bits of the word that contain these fields.
    fn bits(self, field: Fields) -> u64 {
        let at = |shift: u32, width: u32| ((1_u64 << width) - 1) << shift;
        let block = self.warp_clock + self.block_clock;
        let thread = block + self.block;
        let own = |one: Fields, bits: u64| if field.contains(one) { bits } else { 0 };
        own(Fields::LANE, at(thread, LANE_BITS))
            | own(
                Fields::WARP,
                at(thread + LANE_BITS, self.thread - LANE_BITS),
            )
            | own(Fields::BLOCK, at(block, self.block))
            | own(Fields::BLOCK_CLOCK, at(self.warp_clock, self.block_clock))
            | own(Fields::WARP_CLOCK, at(0, self.warp_clock))
    }
}

/// The accessing thread and its clocks: the part of a word that belongs to the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The number of the launch: 1 to [`Size::max_epoch`].
    pub epoch: u64,
    /// The number of the block.
    pub block: u64,
    /// The number of the warp in its block.
    pub warp: u64,
    /// The number of the thread in its warp.
    pub lane: u64,
    /// Block barriers that the thread has passed.
    pub block_clock: u64,
    /// Warp barriers that the thread has passed since the last block barrier.
    pub warp_clock: u64,
}

impl Identity {
    /// A word with this identity, without a state.
    #[must_use]
    pub const fn pack(self, widths: Widths) -> u64 {
        const fn low(value: u64, bits: u32) -> u64 {
            value & ((1 << bits) - 1)
        }
        let block = widths.warp_clock + widths.block_clock;
        low(self.epoch, widths.size.epoch_bits()) << widths.size.epoch_shift()
            | (self.warp << LANE_BITS | self.lane) << (block + widths.block)
            | low(self.block, widths.block) << block
            | low(self.block_clock, widths.block_clock) << widths.warp_clock
            | self.warp_clock
    }
}

/// A shadow word, in the low bits if it is smaller. Zero memory is a word of no launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word(pub u64);

impl Word {
    /// The word for a launch: empty if another launch wrote it.
    #[must_use]
    pub fn state(self, widths: Widths, epoch: u64) -> State {
        let size = widths.size;
        let written = (self.0 & size.epoch_field()) >> size.epoch_shift();
        if size == Size::Block || written == epoch {
            State::ALL[(self.0 >> size.state_shift()) as usize]
        } else {
            State::Init
        }
    }

    /// Whether the word, of shared memory, has the block of `who`, and was changed after the last barrier of the block:
    /// all threads of the block come after everything before that.
    #[must_use]
    pub fn is_since_barrier(self, widths: Widths, who: Identity) -> bool {
        let fields = widths.bits(Fields::BLOCK) | widths.bits(Fields::BLOCK_CLOCK);
        (self.0 ^ who.pack(widths)) & fields == 0
    }

    /// Whether the word is from the launch of `who`, and equal in every field that its state keeps.
    #[must_use]
    pub fn agrees(self, masks: &Masks, widths: Widths, who: Identity) -> bool {
        let kept =
            widths.bits(masks.keep(self.state(widths, who.epoch))) | widths.size.epoch_field();
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
        let state = self.state(widths, who.epoch);
        let (sync, relation) = if state == State::Init {
            // The word is from another launch and is ignored.
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
        let kept = widths.bits(masks.keep(next)) | widths.size.epoch_field();
        let word = (next as u64) << widths.size.state_shift() | me & kept;
        (Self(word), transition)
    }
}

/// The clocks of a running grid, as the synchronisation hooks count them.
#[derive(Clone, Debug)]
pub struct Clocks {
    shape: Shape,
    size: Size,
    epoch: u64,
    block: Vec<u64>,
    warp: Vec<u64>,
}

impl Clocks {
    /// The clocks at the start of the first launch.
    #[must_use]
    pub fn new(shape: Shape, size: Size) -> Self {
        Self {
            shape,
            size,
            epoch: 1,
            block: vec![0; shape.blocks()],
            warp: vec![0; shape.warps()],
        }
    }

    /// The whole warp passes `__syncwarp()`.
    pub fn sync_warp(&mut self, warp: usize) {
        self.warp[warp] += 1;
    }

    /// The whole block passes `__syncthreads()`, which resets its warp clocks.
    pub fn sync_threads(&mut self, block: usize) {
        self.block[block] += 1;
        let first = self.shape.warp_of(self.shape.block_threads(block).start);
        self.warp[first..][..self.shape.warps_per_block()].fill(0);
    }

    /// The kernel ends, and the next one starts. Returns whether the epochs have wrapped around, so
    /// that all words must be cleared.
    #[must_use]
    pub fn next_launch(&mut self) -> bool {
        let round = self.epoch == self.size.max_epoch();
        *self = Self {
            epoch: if round { 1 } else { self.epoch + 1 },
            ..Self::new(self.shape, self.size)
        };
        round
    }

    /// The current identity of a thread.
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
