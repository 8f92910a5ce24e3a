//! The file of race records: a header, then one array for each of [`super::file_layout::SECTIONS`], then the tables
//! of [`super::tables`].

use super::declare::{layout, overlay};
use super::numbers::{
    AccessKind, Backend, Fault, Limits, NotModelled, PriorKnown, RaceCause, RaceFacts, RaceScope,
    RecordType, Space,
};
use super::schema::{Text, Wire};

/// The first bytes of a file of records, once a program has started.
pub const MAGIC: [u8; 8] = *b"HIRACE01";

/// The default number of kernels that a file has room for.
pub const KERNEL_CAPACITY: u32 = 1024;
/// The default number of records that a file has room for.
pub const RECORD_CAPACITY: u32 = 4096;

/// [`Record::ready`] of a slot that is free.
pub const FREE: u32 = 0;
/// [`Record::ready`] of a record that a thread is writing.
pub const BEING_WRITTEN: u32 = 1;
/// [`Record::ready`] of a complete record.
pub const COMPLETE: u32 = 2;

/// Words of [`Spread::places`].
pub const PLACE_WORDS: usize = 64;
/// Words of [`Spread::blocks`].
pub const BLOCK_WORDS: usize = 32;

/// Entries of [`Whereabouts::extents`]; an array of more dimensions counts as one of a dimension.
pub const EXTENTS: usize = 5;

/// Entries of [`Whereabouts::calls`].
pub const CALLS: usize = 16;

/// So many other places of a race are kept.
pub const ELSEWHERE: usize = 4;

layout! {
    /// The start of the file: capacities, and sums over the run.
    pub struct RecordHeader {
        /// [`MAGIC`]; zeros until a program has started.
        pub magic: [Char; 8],
        /// Entries of the array of kernels.
        pub kernel_capacity: u32,
        /// Entries of the array of records.
        pub record_capacity: u32,
        /// Kernels in the array.
        pub kernels: u32,
        /// Records in the array.
        pub records: u32,
        /// Races that were dropped: record table full.
        pub dropped: u64,
        /// Kernel launches.
        pub launches: u64,
        /// Monitored accesses.
        pub accesses: u64,
        /// Launches that the configuration leaves out.
        pub unmonitored_launches: u64,
        /// Accesses to memory that has no shadow.
        pub outside: u64,
        /// What could not be checked.
        pub limits: Limits,
        /// Not 0: the program terminated normally.
        pub finished: u32,
        /// The seed of the schedule.
        pub seed: u32,
        /// OS threads that ran blocks.
        pub workers: u32,
        /// Which device code ran.
        pub backend: Option<Backend>,
        /// Processes that shared these records.
        pub processes: u32,
        /// The last of these processes.
        pub process: i32,
        /// Not 0: stopped at its first finding, as requested by HIRACE_OPTIONS.
        pub halted: u32,
        /// Wall time of all launches.
        pub launch_nanoseconds: u64,
        /// Peak resident memory, if the program terminated normally.
        pub peak_bytes: u64,
        /// Copies, fills and functions of libraries.
        pub calls: u64,
        /// Zeros.
        pub reserved: [u64; 1],
    }

    /// A kernel that was launched.
    pub struct KernelEntry {
        /// Its name, truncated if it is too long.
        pub name: Text<224>,
        /// Its launches.
        pub launches: u64,
        /// Monitored accesses in them.
        pub accesses: u64,
        /// The constructs that it executed and the state machine does not follow.
        pub not_modelled: NotModelled,
        /// What could not be checked.
        pub limits: Limits,
        /// Of `launches`, those that the configuration leaves out.
        pub unmonitored_launches: u32,
        /// Bits of the block clock where it has overflowed, the least of all launches; else 0.
        pub block_clock_bits: u8,
        /// Bits of the warp clock, likewise.
        pub warp_clock_bits: u8,
        /// Bits of the number of a block where there were too many blocks, likewise.
        pub block_bits: u8,
        /// Bits of the number of a thread, likewise.
        pub thread_bits: u8,
        /// Of `launches`, those that the sample leaves out.
        pub unsampled_launches: u64,
        /// Blocks of its launches.
        pub blocks: u64,
        /// Of `blocks`, those that were checked, at least when they began.
        pub checked_blocks: u64,
    }

    /// The coordinates of a block in its grid, or of a thread in its block.
    pub struct Coordinates {
        /// The first.
        pub x: u32,
        /// The second.
        pub y: u32,
        /// The third.
        pub z: u32,
    }

    /// The blocks of a grid, as large as CUDA allows.
    pub struct GridDimensions {
        /// The first.
        pub x: u32,
        /// The second.
        pub y: u16,
        /// The third.
        pub z: u16,
    }

    /// Details that only a race has.
    pub struct RaceDetails {
        /// The first byte of the prior access, relative to that of the current one; valid if
        /// prior_size is known.
        pub prior_begin: i16,
        /// Between launches: the kernel of the prior access.
        pub prior_kernel: u16,
        /// Between launches: the stream of the prior access, 0 for the default one and
        /// graph_stream for a branch of a graph.
        pub prior_stream: u16,
        /// The stream of the current access.
        pub current_stream: u16,
    }

    /// A race, a fault, or a construct that is not modelled.
    pub struct Record {
        /// record_free, record_being_written or record_complete.
        pub ready: u32,
        /// What the record is about.
        pub type_: Option<RecordType>,
        /// The memory that was accessed.
        pub space: Option<Space>,
        /// How close the threads of a race are.
        pub relation: Option<RaceScope>,
        /// What is known about the prior access.
        pub prior_known: Option<PriorKnown>,
        /// Index into the kernels.
        pub kernel: u32,
        /// The site of the prior access, or a second site of a fault; 0 where there is none.
        pub site_prior: u32,
        /// The site of the current access; 0 where it is not known.
        pub site_current: u32,
        /// What the prior access was.
        pub prior_access: Option<AccessKind>,
        /// What the current access is.
        pub current_access: Option<AccessKind>,
        /// In bytes, at most 255; 0 where it is not known.
        pub prior_size: u8,
        /// Likewise.
        pub current_size: u8,
        /// Of a fault: which one.
        pub fault: Option<Fault>,
        /// Constructs that ran before and might have ordered the two accesses of a race.
        pub not_modelled: NotModelled,
        /// Of the prior access.
        pub prior_block: Coordinates,
        /// Of the prior access.
        pub prior_thread: Coordinates,
        /// Of the current access.
        pub current_block: Coordinates,
        /// Of the current access.
        pub current_thread: Coordinates,
        /// The number of occurrences.
        pub count: u64,
        /// The address of the current access.
        pub address: u64,
        /// The size of a block.
        pub block_dim: Coordinates,
        /// Of a fault: not 0 if it ended the run.
        pub ended: u8,
        /// Lanes of a warp.
        pub warp_size: u8,
        /// Of a race: the index in fsm_table that says so; 0 where none does.
        pub transition: u16,
        /// Details that only a race or only a fault has.
        pub details: Details,
        /// The size of the grid.
        pub grid_dim: GridDimensions,
        /// Of a race whose cause concerns a flag: the site that wrote the flag; else 0.
        pub flag_written: u32,
        /// Likewise: the site that read the flag.
        pub flag_read: u32,
        /// Of a race: why synchronisation between its threads did not order it.
        pub cause: Option<RaceCause>,
        /// Of a race: what else is known of it.
        pub facts: RaceFacts,
        /// Of a race with the host: the instruction of its access, as in Details. 0 if not known.
        pub code_current: u64,
        /// Of a race on a variable with a name: its key, as in Whereabouts. A function may access several.
        pub variable: u64,
    }

    /// Where else a race was seen: in other memory, or in another instance of the kernel.
    pub struct Elsewhere {
        /// What tells it from others; 0 if there is none.
        pub origin: u64,
        /// As in Whereabouts.
        pub allocated_by: u64,
        /// As in Whereabouts.
        pub parameter: u64,
        /// As in Whereabouts.
        pub object_bytes: u64,
        /// As in Whereabouts.
        pub launch_code: u64,
        /// As in Whereabouts.
        pub launch: u32,
        /// As in Whereabouts.
        pub launch_site: u32,
        /// As in Whereabouts.
        pub calls: [u64; CALLS],
    }

    /// Where a race or a fault was seen first, besides its sites. Zeros where nothing is known.
    pub struct Whereabouts {
        /// The launch of the current access: how many the process had made, this one included.
        pub launch: u32,
        /// The site of that launch.
        pub launch_site: u32,
        /// Between launches or with the host: the launch of the prior access.
        pub prior_launch: u32,
        /// The site of that launch.
        pub prior_launch_site: u32,
        /// Of a race: the instructions by which the functions around the current access were called, as in
        /// Details, from the innermost on; then zeros. Some are the executor's.
        pub calls: [u64; CALLS],
        /// The bytes of the variable or the allocation that was accessed. Of a fault: of the allocation that
        /// the access was perhaps meant for.
        pub object_bytes: u64,
        /// The distance of the access from its start, modulo 2^64.
        pub object_offset: u64,
        /// Of a variable with a name: its key in the notes of its table.
        pub variable: u64,
        /// Of an allocation: the instruction that made it, as in Details.
        pub allocated_by: u64,
        /// Of an allocation: the kernel's parameter that leads to it, by its key in the notes of its table.
        pub parameter: u64,
        /// Of an array: the bytes of an element.
        pub element_bytes: u32,
        /// Of an array: its extents, and zeros after them.
        pub extents: [u32; EXTENTS],
        /// The number of its process in the array of processes, from 1.
        pub process: u32,
        /// Likewise between launches or with the host: the size of the grid of the launch of the prior access.
        pub prior_grid: GridDimensions,
        /// The size of its blocks.
        pub prior_block: Coordinates,
        /// The processes that saw the same: bit 0 is that with number 1, and so on; bit 63 stands for all from 64 on.
        pub processes: u64,
        /// Of a launch in the text of a macro: the instruction that made the launch of the current access, as in Details,
        /// which is where the macro is used.
        pub launch_code: u64,
        /// The same for the launch of the prior access.
        pub prior_launch_code: u64,
        /// Of a race: what tells this from the following; 0 if nothing was looked for.
        pub origin: u64,
        /// Where else it was seen, as far as there is room.
        pub elsewhere: [Elsewhere; ELSEWHERE],
    }

    /// A process that shares the records. Texts are truncated if they are too long.
    pub struct ProcessEntry {
        /// The path of its executable.
        pub executable: Text<512>,
        /// Its command line, with blanks between the arguments.
        pub command: Text<256>,
        /// The test that started it, if a variable of the environment names one.
        pub test: Text<256>,
    }

    /// The addresses and the blocks of a race, as sets of bits. Several members may share a bit.
    pub struct Spread {
        /// The complement of the lowest address in units of 4 bytes, so that zero means none.
        pub min_place: u64,
        /// The highest address in units of 4 bytes.
        pub max_place: u64,
        /// The last of the blocks, by number.
        pub max_block: u64,
        /// The set of addresses.
        pub places: [u32; PLACE_WORDS],
        /// The set of blocks.
        pub blocks: [u32; BLOCK_WORDS],
    }
}

overlay! {
    /// Details that only a race or only a fault has.
    pub struct Details {
        /// Of a fault: the instruction, from where the program was loaded; 0 if not known.
        pub code_address: u64,
        /// Of a race.
        pub race: RaceDetails,
    }
}

/// A byte that is a character in C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Char(pub u8);

impl Wire for Char {
    const SIZE: usize = 1;
    const ALIGN: usize = 1;

    fn cpp() -> super::schema::Cpp {
        super::schema::Cpp::Type("char")
    }

    fn read(bytes: &[u8]) -> Self {
        Self(bytes[0])
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
}

impl Coordinates {
    /// All three.
    #[must_use]
    pub fn array(&self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }
}
