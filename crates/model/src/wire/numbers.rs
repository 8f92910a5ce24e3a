//! Numbers that stand for something.

use serde::{Serialize, Serializer};

use super::declare::{flags, numbered};

/// Bits of a site number. The shadow words have room for no more.
pub const SITE_BITS: u32 = 29;

/// The stream of a branch of a graph, in [`super::records::RaceDetails`].
pub const GRAPH_STREAM: u16 = 0xffff;

numbered! {
    /// What the source text at a site does to memory.
    pub enum SiteKind: u8 {
        /// A load.
        Read = 0,
        /// A store.
        Write = 1,
        /// A load and a store that are not one atomic operation (`+=`, `++`).
        Update = 2,
        /// An atomic read-modify-write.
        Atomic = 3,
        /// A barrier, a fence or another synchronising construct; not an access.
        Sync = 4,
        /// A kernel launch.
        Launch = 5,
    }

    /// Why something that synchronises threads has not ordered two accesses that race.
    pub enum RaceCause: u32 {
        /// Nothing did that the order engine knows of.
        None = 0,
        /// A flag was read, and no acquire or fence followed.
        NotAcquired = 1,
        /// A flag was written, and no release or fence came before.
        NotReleased = 2,
        /// The scope of a fence, of a flag's access or of a barrier leaves out one of the threads.
        NarrowScope = 3,
        /// One of the accesses is that of an asynchronous copy that has not been waited for.
        PendingCopy = 4,
        /// A warp barrier whose mask leaves out one of the lanes.
        OtherLanes = 5,
        /// Both are atomic, and their bytes differ.
        DifferentBytes = 6,
    }

    /// How an access looked in the source; the state machine folds these into four.
    pub enum AccessKind: u8 {
        /// A load.
        Read = 0,
        /// A store.
        Write = 1,
        /// An atomic operation of block scope.
        BlockAtomic = 2,
        /// An atomic operation of device or system scope.
        DeviceAtomic = 3,
        /// A load and a store that are not one atomic operation.
        Update = 4,
        /// A load of a volatile object.
        VolatileRead = 5,
        /// A store to a volatile object.
        VolatileWrite = 6,
    }

    /// What a record is about.
    pub enum RecordType: u8 {
        /// Two accesses that race.
        Race = 1,
        /// Something that a GPU would have stopped the program for.
        Fault = 2,
        /// A construct that the state machine does not follow.
        NotModelled = 3,
    }

    /// The memory of an access.
    pub enum Space: u8 {
        /// A block's.
        Shared = 1,
        /// The device's.
        Global = 2,
    }

    /// The closest group that holds both threads of a race.
    pub enum RaceScope: u8 {
        /// Both are in one warp.
        Warp = 1,
        /// Both are in one block.
        Block = 2,
        /// Both are in one grid.
        Grid = 3,
        /// They belong to different launches.
        Launch = 4,
    }

    /// What is known of the earlier access of a race.
    pub enum PriorKnown: u8 {
        /// Its kind only.
        Nothing = 0,
        /// Its site.
        Site = 1,
        /// Its site, block and thread.
        SiteAndThread = 2,
    }

    /// Which device code ran.
    pub enum Backend: u32 {
        /// None has started.
        Unknown = 0,
        /// The CPU executor.
        Cpu = 1,
        /// That of a GPU.
        Gpu = 2,
    }

    /// What a program must not do besides racing.
    pub enum Fault: u32 {
        /// Nothing.
        None = 0,
        /// An access past the end of an allocation.
        OutOfBounds = 1,
        /// An access to freed memory.
        UseAfterFree = 2,
        /// An access to memory that is none of the device's.
        IllegalAddress = 3,
        /// Threads wait at a barrier for others that never come.
        BarrierDeadlock = 4,
        /// `assert` failed.
        Assertion = 5,
        /// `__trap`.
        Trap = 6,
        /// A thread's stack is full.
        StackOverflow = 7,
        /// A launch that CUDA refuses.
        InvalidLaunch = 8,
        /// `abort`.
        Abort = 9,
        /// Such as a division by zero.
        Arithmetic = 10,
        /// An address that is no multiple of what the access needs.
        Misaligned = 11,
        /// A read of memory that nobody has written.
        UninitialisedRead = 12,
        /// The host accesses device memory.
        HostAccess = 13,
        /// Threads of a block wait at different barriers.
        DivergentBarrier = 14,
        /// A barrier after threads have exited: a warning.
        BarrierAfterExit = 15,
        /// A mask does not name the calling lane.
        MaskWithoutCaller = 16,
        /// The lanes of a mask call with different masks.
        MaskMismatch = 17,
        /// A shuffle from a lane that does not participate: a warning.
        InactiveShuffleSource = 18,
        /// Threads poll forever.
        Livelock = 19,
        /// By a signal: no fault, but where the program was.
        Interrupted = 20,
        /// As a livelock, but something that the launch does not wait for could end it.
        WaitsForOutside = 21,
    }
}

flags! {
    /// Why a part of a run could not be checked.
    pub struct Limits {
        /// More block barriers than the word can count.
        BLOCK_CLOCK_OVERFLOW = 1,
        /// More warp barriers between two block barriers.
        WARP_CLOCK_OVERFLOW = 2,
        /// More blocks or threads than the word can name: a launch ran unchecked.
        GRID_TOO_LARGE = 4,
        /// More granules accessed by the byte than there is room for.
        BYTE_POOL_EXHAUSTED = 8,
        /// Launches on different streams were not compared.
        STREAMS_IN_ORDER = 16,
        /// No memory for the shadow of an allocation or of a block.
        SHADOW_MEMORY_EXHAUSTED = 32,
        /// A launch failed, so that its kernel did not run.
        LAUNCH_REFUSED = 64,
        /// Host accesses to device memory were no longer looked for.
        HOST_ACCESSES_NOT_FOLLOWED = 128,
        /// Kernels launched by kernels ran after them, one by one.
        CHILDREN_AFTER_PARENTS = 256,
        /// Memory was written that a launch was taken only to read.
        READ_ONLY_WRITTEN = 512,
        /// Shadow was shared for want of memory: races may be missed.
        SHADOW_CACHED = 1024,
        /// Launches ran unchecked, as HIRACE_OPTIONS says.
        LAUNCHES_NOT_CHOSEN = 2048,
        /// Blocks that the word cannot name: no check of global memory.
        BLOCKS_WITHOUT_NUMBER = 4096,
        /// Threads that it cannot name, likewise.
        THREADS_WITHOUT_NUMBER = 8192,
    }

    /// Constructs that order accesses in ways the state machine does not follow.
    pub struct NotModelled {
        /// A memory fence.
        MEMORY_FENCE = 1,
        /// A barrier for some lanes of a warp.
        PARTIAL_WARP_BARRIER = 2,
        /// Any other.
        OTHER_CONSTRUCT = 4,
    }
}

impl SiteKind {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Update => "update",
            Self::Atomic => "atomic",
            Self::Sync => "sync",
            Self::Launch => "launch",
        }
    }

    /// Whether it is an access to memory.
    #[must_use]
    pub fn is_access(self) -> bool {
        !matches!(self, Self::Sync | Self::Launch)
    }
}

impl Serialize for SiteKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
