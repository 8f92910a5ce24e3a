//! Values that records contain as numbers.

use super::declare::{flags, numbered};

/// Bits of a site number; shadow words have no room for more.
pub const SITE_BITS: u32 = 29;

/// The stream of a branch of a graph, in [`super::records::RaceDetails`].
pub const GRAPH_STREAM: u16 = 0xffff;

/// The same for a race between a launch by the host and launches by its kernels, or between these.
pub const NESTED_STREAM: u16 = 0xfffe;

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
        /// A call of host code that works in a stream, such as a copy.
        Call = 6,
    }

    /// Why synchronisation between two threads did not order their racing accesses.
    pub enum RaceCause: u32 {
        /// The order engine knows of no synchronisation.
        None = 0,
        /// A flag was read, and no acquire or fence followed.
        NotAcquired = 1,
        /// A flag was written, and no release or fence came before.
        NotReleased = 2,
        /// The scope of a fence, of an access to a flag or of a barrier excludes one of the threads.
        NarrowScope = 3,
        /// One of the accesses belongs to an asynchronous copy that has not been waited for.
        PendingCopy = 4,
        /// The mask of a warp barrier excludes one of the lanes.
        OtherLanes = 5,
        /// Both accesses are atomic, and their bytes differ.
        DifferentBytes = 6,
        /// One of the accesses belongs to an asynchronous copy, and nothing orders the threads.
        UnorderedCopy = 7,
        /// A flag was released and acquired, but the earlier access comes after the release.
        AfterRelease = 8,
        /// A thread released a flag, and the earlier access, by another one of its block or warp,
        /// does not come before that.
        OutsideRelease = 9,
        /// A thread acquired a flag, and the later access, by another one of its block or warp, does
        /// not come after that.
        OutsideAcquire = 10,
        /// Not a race in this run: the two accesses are ordered by the order alone in which two threads
        /// took a lock, which another schedule may reverse.
        LockOrder = 11,
        /// The later access reads through a texture or a surface, which does not see what its own launch
        /// has written.
        FetchedOwnWrite = 12,
        /// A thread arrived at a barrier before the earlier access, and the thread of the later one has waited
        /// there.
        AfterArrival = 13,
    }

    /// What an access does. The state machine folds these into four.
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
        /// Another error of the program.
        Fault = 2,
        /// A construct that the state machine does not follow.
        NotModelled = 3,
    }

    /// A memory space.
    pub enum Space: u8 {
        /// One copy for each block.
        Shared = 1,
        /// One for the whole device.
        Global = 2,
    }

    /// The smallest group that contains both threads of a race.
    pub enum RaceScope: u8 {
        /// Different lanes of one warp.
        Warp = 1,
        /// Different warps of one block.
        Block = 2,
        /// Different blocks of one grid.
        Grid = 3,
        /// Different launches.
        Launch = 4,
        /// The host, and a launch, a copy or a fill.
        Host = 5,
    }

    /// What is known about the earlier access of a race.
    pub enum PriorKnown: u8 {
        /// Only its kind.
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
        /// The code for a GPU.
        Gpu = 2,
    }

    /// Errors of a program other than races.
    pub enum Fault: u32 {
        /// Nothing.
        None = 0,
        /// An access past the end of an allocation.
        OutOfBounds = 1,
        /// An access to freed memory.
        UseAfterFree = 2,
        /// An access to memory that does not belong to the device.
        IllegalAddress = 3,
        /// Threads wait at a barrier for others that never reach it.
        BarrierDeadlock = 4,
        /// `assert` failed.
        Assertion = 5,
        /// `__trap`.
        Trap = 6,
        /// A thread has overflowed its stack.
        StackOverflow = 7,
        /// A launch that CUDA refuses.
        InvalidLaunch = 8,
        /// `abort`.
        Abort = 9,
        /// An arithmetic error, such as a division by zero.
        Arithmetic = 10,
        /// An address that is not a multiple of the alignment that the access needs.
        Misaligned = 11,
        /// A read of memory that nothing has written.
        UninitialisedRead = 12,
        /// The host accesses device memory.
        HostAccess = 13,
        /// Threads of a block wait at different barriers.
        DivergentBarrier = 14,
        /// A barrier after threads have exited: a warning.
        BarrierAfterExit = 15,
        /// A mask does not include the calling lane.
        MaskWithoutCaller = 16,
        /// The lanes of a mask call with different masks.
        MaskMismatch = 17,
        /// A shuffle from a lane that does not participate: a warning.
        InactiveShuffleSource = 18,
        /// Threads poll forever.
        Livelock = 19,
        /// An access to the shared memory of a block that may not have begun, or have ended.
        AbsentBlock = 20,
        /// A warp function without a mask: a warning.
        NoMask = 21,
        /// A grid barrier in a launch that is not cooperative.
        PlainGridBarrier = 22,
        /// Lanes of a warp exchange values without a barrier: a warning.
        LanesInLockstep = 23,
        /// Not a fault: where the program was when a signal interrupted it.
        Interrupted = 24,
        /// Like a livelock, but something outside the launch could end it.
        WaitsForOutside = 25,
        /// A kernel waits for the kernels that it has launched.
        WaitsForChildren = 26,
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
        /// More granules accessed byte by byte than there is room for.
        BYTE_POOL_EXHAUSTED = 8,
        /// Launches on different streams were not compared.
        STREAMS_IN_ORDER = 16,
        /// No memory for the shadow of an allocation or of a block.
        SHADOW_MEMORY_EXHAUSTED = 32,
        /// A launch failed, so that its kernel did not run.
        LAUNCH_REFUSED = 64,
        /// Host accesses to device memory were detected in parts of it, or no longer.
        HOST_ACCESSES_NOT_FOLLOWED = 128,
        /// Kernels that were launched by kernels counted as launches after all of these.
        CHILDREN_AFTER_PARENTS = 256,
        /// A launch wrote to memory that it was assumed only to read.
        READ_ONLY_WRITTEN = 512,
        /// Shadow memory was a cache, for lack of memory: races may be missed.
        SHADOW_CACHED = 1024,
        /// Launches ran unchecked, as requested by HIRACE_OPTIONS.
        LAUNCHES_NOT_CHOSEN = 2048,
        /// Blocks that the word cannot name: their accesses to global memory were not checked.
        BLOCKS_WITHOUT_NUMBER = 4096,
        /// Threads that the word cannot name, likewise.
        THREADS_WITHOUT_NUMBER = 8192,
        /// The order engine no longer knew all accesses that one may race with.
        HISTORY_FORGOTTEN = 16384,
        /// Operations of cluster scope counted as ones of device scope, in a grid of several clusters.
        CLUSTER_SCOPE_WIDENED = 32768,
        /// The state machine took asynchronous copies for accesses of the threads that issued them.
        COPIES_AT_ONCE = 65536,
        /// The state machine took the two halves of a grid barrier for one barrier.
        GRID_BARRIER_IN_ONE = 131072,
        /// Programmatic dependent launches in graphs counted as launches after all of the kernels before.
        DEPENDENTS_IN_ORDER = 262144,
        /// Several host threads worked in streams, waited or accessed memory of kernels, and counted as one.
        HOST_THREADS_AS_ONE = 524288,
        /// Functions that kernels called and that work in a stream were not compared with other work.
        COPIES_BY_KERNELS = 1048576,
        /// A stream was created while work of what had been the only one may still have run.
        STREAMS_CREATED_LATE = 2097152,
        /// A library's function may have written through an iterator that hides its element.
        LIBRARY_WRITES_UNSEEN = 4194304,
        /// Accesses of the host to memory that it shares with kernels were not compared with theirs.
        HOST_RACES_NOT_FOLLOWED = 8388608,
        /// The state machine checked launches, and the order engine is to judge what it reports.
        MACHINE_FIRST = 16777216,
        /// Some launches or blocks ran unchecked, as the sample that was asked for says.
        ONLY_SAMPLE_CHECKED = 33554432,
        /// The checks of a kernel ended when they had had their share of the sample's time.
        SAMPLE_TIME_OVER = 67108864,
        /// The order engine would have checked them, if the state machine had not looked first.
        ENGINE_NEEDED = 134217728,
        /// The state machine forgot a volatile read, which a later plain write may race with.
        VOLATILE_READS_FORGOTTEN = 268435456,
        /// The program has an atomic operation whose value may decide what a thread does, as a flag or a counter of
        /// arrivals would.
        FLAGS_POSSIBLE = 536870912,
        /// Host functions in streams accessed memory that kernels access, too, and were not compared with other work.
        HOST_FUNCTIONS_NOT_FOLLOWED = 1073741824,
        /// The checks ended because little memory was left.
        MEMORY_USED_UP = 2147483648,
    }

    /// What else is known of a race: of all occurrences that one record counts.
    pub struct RaceFacts {
        /// The prior access belongs to an asynchronous copy.
        PRIOR_COPIES = 1,
        /// The current access does.
        CURRENT_COPIES = 2,
        /// Another thread of the block or warp of the prior access has written the flag.
        FLAG_WRITTEN_BY_OTHER = 4,
        /// Another thread of the block or warp of the current access has read the flag.
        FLAG_READ_BY_OTHER = 8,
        /// The launch is cooperative: it may have barriers of the whole grid.
        COOPERATIVE = 16,
        /// Two writes have stored the same value.
        EQUAL_VALUES = 32,
        /// Two writes have stored different values, or values that were not compared.
        OTHER_VALUES = 64,
        /// The thread that issued the copy of the prior access has waited for it.
        COPY_WAITED_FOR = 128,
        /// The prior access was made by a function of the runtime or of a library, not by a kernel.
        PRIOR_IN_CALL = 256,
        /// The current access was.
        CURRENT_IN_CALL = 512,
        /// That function allocates the memory, and the prior access stands for that.
        PRIOR_ALLOCATES = 1024,
        /// That function releases the memory, and the current access stands for that.
        CURRENT_RELEASES = 2048,
        /// The kernel of the prior access has launched that of the current one, or a kernel that has.
        LAUNCHED_BY_PRIOR = 4096,
        /// The prior access is atomic, or volatile, and its scope excludes the host.
        PRIOR_EXCLUDES_HOST = 8192,
        /// A thread of neither block has written the flag; it comes after the prior access.
        FLAG_WRITTEN_BY_THIRD = 16384,
        /// A third thread has read the flag, and then written one that the block of the current access has read.
        FLAG_READ_BY_THIRD = 32768,
        /// A barrier is missing between an access and the flag, and the flag's thread is in another warp of the block.
        FLAG_IN_OTHER_WARP = 65536,
        /// The flag is a barrier, which a thread arrives at and another one waits for.
        FLAG_IS_BARRIER = 131072,
    }

    /// Constructs that order accesses in ways the state machine does not follow.
    pub struct NotModelled {
        /// A memory fence.
        MEMORY_FENCE = 1,
        /// A barrier for some lanes of a warp.
        PARTIAL_WARP_BARRIER = 2,
        /// Any other.
        OTHER_CONSTRUCT = 4,
        /// A host function in a stream, which may tell the host thread that work is done.
        HOST_FUNCTION = 8,
        /// A synchronous copy from pageable memory, which may be done when it returns.
        STAGED_COPY = 16,
        /// A location by which a kernel and the host communicate.
        FLAG_OF_HOST = 32,
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
            Self::Call => "call",
        }
    }

    /// Whether it is an access to memory.
    #[must_use]
    pub fn is_access(self) -> bool {
        !matches!(self, Self::Sync | Self::Launch | Self::Call)
    }
}

impl AccessKind {
    /// Whether it is an atomic operation.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::BlockAtomic | Self::DeviceAtomic)
    }

    /// Whether it may change the location.
    #[must_use]
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::VolatileRead)
    }
}
