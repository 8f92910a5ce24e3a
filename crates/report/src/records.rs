//! Reading the race records. The layout is that of `device/hirace/records/record.h`.
//!
//! The program may have died in the middle of anything, and its stray writes may have hit
//! the records themselves: every number is checked before it is used.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::{Tables, carried};

mod spread;

pub use spread::Spread;
use spread::{BLOCK_WORDS, PLACE_WORDS};

/// Kernels that the records have room for.
pub const KERNEL_CAPACITY: u32 = 1024;
/// Races that the records have room for.
pub const RECORD_CAPACITY: u32 = 4096;

const MAGIC: &[u8; 8] = b"HIRACE01";
const HEADER_SIZE: usize = 128;
const KERNEL_SIZE: usize = 256;
const KERNEL_NAME_SIZE: usize = 224;
const RECORD_SIZE: usize = 128;
const SPREAD_SIZE: usize = 408;

/// Size of the records' file.
#[must_use]
pub fn file_size() -> u64 {
    let size = HEADER_SIZE
        + KERNEL_CAPACITY as usize * KERNEL_SIZE
        + RECORD_CAPACITY as usize * (RECORD_SIZE + SPREAD_SIZE);
    size as u64
}

/// The first bytes of a fresh file: no magic yet, and the capacities.
#[must_use]
pub fn fresh_header() -> [u8; 16] {
    let mut header = [0; 16];
    header[8..12].copy_from_slice(&KERNEL_CAPACITY.to_le_bytes());
    header[12..16].copy_from_slice(&RECORD_CAPACITY.to_le_bytes());
    header
}

/// What a program left behind.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The program set up its checks at all.
    pub started: bool,
    /// It ended by itself.
    pub finished: bool,
    /// The sums over the run.
    pub totals: Totals,
    /// What it took.
    pub usage: Usage,
    /// The kernels launched.
    pub kernels: Vec<Kernel>,
    /// Races, faults and constructs.
    pub entries: Vec<Entry>,
    /// Which device code ran; `None` where none started.
    pub backend: Option<Backend>,
    /// Processes that shared the records.
    pub processes: u32,
    /// What the program knows of its source.
    pub tables: Tables,
    /// A process stopped at its first finding, as it was told.
    pub halted: bool,
    /// Some of that was not readable.
    pub tables_damaged: bool,
    /// The lines of the entries' `code_address`es, as far as they are known.
    pub lines: HashMap<u64, Line>,
}

/// A line of the source that an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file as the user would write it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The instruction itself is the executor's, inlined there.
    pub in_executor: bool,
}

/// Sums over the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Races that found no room.
    pub dropped: u64,
    /// Kernel launches.
    pub launches: u64,
    /// Monitored accesses.
    pub accesses: u64,
    /// Launches that the configuration leaves out.
    pub unmonitored_launches: u64,
    /// Accesses to memory that has no shadow.
    pub outside: u64,
    /// See [`limits`].
    pub limits: u32,
}

/// What a run took on the CPU executor. It differs from run to run, so that no report has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Wall time of all launches, one after the other, in seconds.
    pub launch_seconds: f64,
    /// The largest resident memory of the process, in bytes; 0 where it did not end normally.
    pub peak_bytes: u64,
}

/// Bits of [`Totals::limits`].
pub mod limits {
    /// More block barriers than the shadow word can count.
    pub const BLOCK_CLOCK: u32 = 1;
    /// More warp barriers than the shadow word can count.
    pub const WARP_CLOCK: u32 = 2;
    /// More blocks or threads than the shadow word can name: a launch ran unchecked.
    pub const GRID: u32 = 4;
    /// More granules accessed by the byte than there is room for.
    pub const BYTE_POOL: u32 = 8;
    /// Launches on different streams ran one after the other.
    pub const STREAMS: u32 = 16;
    /// A launch failed.
    pub const REFUSED: u32 = 64;
    /// Host accesses to device memory were no longer looked for.
    pub const HOST_ACCESSES: u32 = 128;
    /// Kernels launched by kernels ran after them.
    pub const CHILDREN: u32 = 256;
    /// Memory was written that a launch was taken only to read.
    pub const READ_ONLY: u32 = 512;
    /// Shadow was shared for want of memory.
    pub const SHADOW_CACHED: u32 = 1024;
    /// Launches ran unchecked, as options of the run say.
    pub const NOT_CHOSEN: u32 = 2048;
    /// Blocks that the shadow word cannot name accessed global memory unchecked.
    pub const BLOCKS: u32 = 4096;
    /// Threads that the shadow word cannot name accessed global memory unchecked.
    pub const THREADS: u32 = 8192;
    /// No memory for the shadow of an allocation or of a block.
    pub const SHADOW_MEMORY: u32 = 32;
}

/// A kernel that was launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// It was to be monitored, and none of its accesses was.
    pub unseen: bool,
    /// A launch of it failed.
    pub refused: bool,
    /// See [`limits`].
    pub limits: u32,
    /// Bits of its block clock and of its warp clock, where they overflowed.
    pub clock_bits: [u8; 2],
    /// Bits of the numbers of its blocks and of their threads, where these were too many.
    pub number_bits: [u8; 2],
}

/// What a record tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryType {
    /// Two accesses that race.
    Race,
    /// The program did something that a GPU would have stopped it for.
    Fault,
    /// It came by a construct that is not modelled.
    NotModelled,
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it tells of.
    pub kind: EntryType,
    /// 1 shared, 2 global.
    pub space: u8,
    /// 1 warp, 2 block, 3 grid, 4 different launches.
    pub relation: u8,
    /// Index into the kernels.
    pub kernel: u32,
    /// Of a race between launches, that of the prior access; index into the kernels.
    pub prior_kernel: u32,
    /// The streams of the prior and the current access, of a race between launches.
    pub streams: [u16; 2],
    /// The access before; of a race only.
    pub prior: Option<End>,
    /// The access at hand.
    pub current: End,
    /// The number of a fault, see `device/hirace/records/record.h`.
    pub fault: u32,
    /// How often.
    pub count: u64,
    /// The address of a fault.
    pub address: u64,
    /// Of a fault, the other place that belongs to it; 0 where there is none.
    pub other_site: u32,
    /// Of a fault, the instruction, from where the program was loaded; 0 where not known.
    pub code_address: u64,
    /// The fault ended the run.
    pub ended: bool,
    /// Constructs, as bits, that might have ordered the two ends of a race.
    pub not_modelled: u32,
    /// Blocks in the grid, threads in a block, and lanes in a warp; 0 where not known.
    pub grid: [u32; 3],
    /// See `grid`.
    pub block: [u32; 3],
    /// See `grid`.
    pub warp_size: u32,
    /// The place of a race's transition in the table of the state machine.
    pub transition: u16,
    /// Where a race was seen; nothing where that was lost.
    pub spread: Spread,
}

/// One end of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The site, 0 where it is not known.
    pub site: u32,
    /// 0 read, 1 write, 2 block atomic, 3 device atomic, 4 update, 5 volatile read, 6 volatile write.
    pub access: u8,
    /// Bytes, at most 255; 0 where that is not known.
    pub size: u8,
    /// Where it begins, in bytes from where the current access does; only where the sizes of
    /// both are known.
    pub begin: i16,
    /// Block and thread, where they are known.
    pub thread: Option<([u32; 3], [u32; 3])>,
}

/// Reads the records out of the content of their file.
///
/// # Errors
/// The file is shorter than its header says.
pub fn parse(bytes: &[u8]) -> Result<Records> {
    let file = Bytes(bytes);
    if bytes.len() < HEADER_SIZE {
        return Err(damaged("the file is too short"));
    }
    if &bytes[..8] != MAGIC {
        return Ok(Records::default());
    }
    let kernel_capacity = file.u32(8) as usize;
    let record_capacity = file.u32(12) as usize;
    let size = kernel_capacity
        .checked_mul(KERNEL_SIZE)
        .zip(record_capacity.checked_mul(RECORD_SIZE + SPREAD_SIZE))
        .and_then(|(kernels, records)| kernels.checked_add(records)?.checked_add(HEADER_SIZE));
    let Some(behind) = size.and_then(|size| bytes.get(size..)) else {
        return Err(damaged("the file is shorter than its header says"));
    };
    let (list, whole) = carried::parse(behind);
    let mut tables = Tables::default();
    for table in list {
        tables.add(table);
    }
    let kernels = (file.u32(16) as usize).min(kernel_capacity);
    let records_at = HEADER_SIZE + kernel_capacity * KERNEL_SIZE;
    let spreads_at = records_at + record_capacity * RECORD_SIZE;
    let kernels = merged(
        (0..kernels)
            .map(|index| file.kernel(HEADER_SIZE + index * KERNEL_SIZE))
            .collect(),
    );
    let first = |kernel: u32| {
        let name = kernels.get(kernel as usize).map(|it| &it.name);
        let same = kernels.iter().position(|it| Some(&it.name) == name);
        same.and_then(|at| u32::try_from(at).ok()).unwrap_or(kernel)
    };
    Ok(Records {
        started: true,
        finished: file.u32(68) != 0,
        totals: Totals {
            dropped: file.u64(24),
            launches: file.u64(32),
            accesses: file.u64(40),
            unmonitored_launches: file.u64(48),
            outside: file.u64(56),
            limits: file.u32(64),
        },
        usage: Usage {
            launch_seconds: Duration::from_nanos(file.u64(96)).as_secs_f64(),
            peak_bytes: file.u64(104),
        },
        // A hash table: entries lie anywhere in it.
        entries: (0..record_capacity)
            .filter_map(|index| {
                let entry = file.entry(records_at + index * RECORD_SIZE)?;
                Some(Entry {
                    kernel: first(entry.kernel),
                    prior_kernel: first(entry.prior_kernel),
                    spread: file.spread(spreads_at + index * SPREAD_SIZE),
                    ..entry
                })
            })
            .collect(),
        backend: match file.u32(80) {
            1 => Some(Backend::Cpu),
            2 => Some(Backend::Gpu),
            _ => None,
        },
        processes: file.u32(84),
        halted: file.u32(92) != 0,
        tables,
        tables_damaged: !whole,
        lines: HashMap::new(),
        kernels,
    })
}

/// Kernels of several processes may have the same name. One that was seen anywhere was seen;
/// of one that was not, the first tells.
fn merged(mut kernels: Vec<Kernel>) -> Vec<Kernel> {
    let mut told: HashSet<String> = kernels
        .iter()
        .filter(|kernel| !kernel.unseen)
        .map(|kernel| kernel.name.clone())
        .collect();
    for kernel in &mut kernels {
        kernel.unseen = kernel.unseen && told.insert(kernel.name.clone());
    }
    kernels
}

fn damaged(message: &str) -> Error {
    Error::Records {
        message: message.to_owned(),
    }
}

/// Little-endian numbers at offsets that were checked against the length.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn u8(&self, at: usize) -> u8 {
        self.0[at]
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut value = [0; N];
        value.copy_from_slice(&self.0[at..at + N]);
        value
    }

    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    fn i16(&self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }

    fn coordinates(&self, at: usize) -> [u32; 3] {
        [self.u32(at), self.u32(at + 4), self.u32(at + 8)]
    }

    fn kernel(&self, at: usize) -> Kernel {
        let name = &self.0[at..at + KERNEL_NAME_SIZE];
        let end = name.iter().position(|&byte| byte == 0);
        let name = &name[..end.unwrap_or(KERNEL_NAME_SIZE)];
        let (launches, accesses) = (self.u64(at + 224), self.u64(at + 232));
        Kernel {
            name: String::from_utf8_lossy(name).into_owned(),
            unseen: accesses == 0 && launches > self.u32(at + 248).into(),
            refused: self.u32(at + 244) & limits::REFUSED != 0,
            limits: self.u32(at + 244),
            clock_bits: [self.u8(at + 252), self.u8(at + 253)],
            number_bits: [self.u8(at + 254), self.u8(at + 255)],
        }
    }

    fn entry(&self, at: usize) -> Option<Entry> {
        const COMPLETE: u32 = 2;
        if self.u32(at) != COMPLETE {
            return None;
        }
        let kind = match self.u8(at + 4) {
            1 => EntryType::Race,
            2 => EntryType::Fault,
            3 => EntryType::NotModelled,
            _ => return None,
        };
        let prior_known = self.u8(at + 7);
        let prior = End {
            site: if prior_known >= 1 {
                self.u32(at + 12)
            } else {
                0
            },
            access: self.u8(at + 20),
            size: self.u8(at + 22),
            begin: self.i16(at + 112),
            thread: (prior_known >= 2)
                .then(|| (self.coordinates(at + 32), self.coordinates(at + 44))),
        };
        Some(Entry {
            kind,
            space: self.u8(at + 5),
            relation: self.u8(at + 6),
            kernel: self.u32(at + 8),
            prior_kernel: self.u16(at + 114).into(),
            streams: [self.u16(at + 116), self.u16(at + 118)],
            prior: (kind == EntryType::Race).then_some(prior),
            current: End {
                site: self.u32(at + 16),
                access: self.u8(at + 21),
                size: self.u8(at + 23),
                begin: 0,
                thread: Some((self.coordinates(at + 56), self.coordinates(at + 68))),
            },
            fault: self.u32(at + 24),
            count: self.u64(at + 80).max(1),
            address: self.u64(at + 88),
            other_site: if kind == EntryType::Fault {
                prior.site
            } else {
                0
            },
            code_address: if kind == EntryType::Fault {
                self.u64(at + 112)
            } else {
                0
            },
            ended: self.u8(at + 108) != 0,
            not_modelled: self.u32(at + 28),
            grid: [
                self.u32(at + 120),
                self.u16(at + 124).into(),
                self.u16(at + 126).into(),
            ],
            block: self.coordinates(at + 96),
            warp_size: self.u8(at + 109).into(),
            transition: self.u16(at + 110),
            spread: Spread::default(),
        })
    }

    fn spread(&self, at: usize) -> Spread {
        let set = |at: usize, words: usize| (0..words).map(move |i| self.u32(at + 4 * i));
        let mut spread = Spread {
            least_place: !self.u64(at),
            most_place: self.u64(at + 8),
            most_block: self.u64(at + 16),
            ..Spread::default()
        };
        let words = spread.places.iter_mut().zip(set(at + 24, PLACE_WORDS));
        words.for_each(|(word, bits)| *word = bits);
        let words = spread.blocks.iter_mut();
        let words = words.zip(set(at + 24 + 4 * PLACE_WORDS, BLOCK_WORDS));
        words.for_each(|(word, bits)| *word = bits);
        spread
    }
}

#[cfg(test)]
pub mod tests;
