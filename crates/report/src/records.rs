//! Reading the race records. Their layout is that of [`hirace_model::wire::records`].
//!
//! The program may have died at any point, and its stray writes may have hit the records: every
//! number is checked before it is used.

use std::collections::HashMap;
use std::time::Duration;

use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::{Tables, carried};
use hirace_model::wire::file_layout::FileLayout;
use hirace_model::wire::numbers::{
    self, AccessKind, Fault, Limits, NotModelled, PriorKnown, RaceCause, RaceFacts, RaceScope,
    RecordType, Space,
};
use hirace_model::wire::records::{
    COMPLETE, KERNEL_CAPACITY, KernelEntry, MAGIC, RECORD_CAPACITY, Record, RecordHeader,
};
use hirace_model::wire::schema::Wire;

mod kernel;
mod needs;
mod places;
mod processes;

pub use hirace_model::wire::records::{ProcessEntry, Spread, Whereabouts};
pub use kernel::Kernel;
use kernel::merged;
pub use needs::Need;
pub use places::{Frame, Line};

/// Size of the records' file.
#[must_use]
pub fn file_size() -> u64 {
    FileLayout::of(KERNEL_CAPACITY, RECORD_CAPACITY).map_or(0, |it| it.tables as u64)
}

/// The first bytes of a fresh file: no magic number yet, and the capacities.
#[must_use]
pub fn fresh_header() -> Vec<u8> {
    let mut header = vec![0; MAGIC.len()];
    KERNEL_CAPACITY.write(&mut header);
    RECORD_CAPACITY.write(&mut header);
    header
}

/// The records of a run.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The program started its checks.
    pub started: bool,
    /// It terminated normally.
    pub finished: bool,
    /// The sums over the run.
    pub totals: Totals,
    /// Its use of resources.
    pub usage: Usage,
    /// The kernels launched.
    pub kernels: Vec<Kernel>,
    /// Races, faults and constructs.
    pub entries: Vec<Entry>,
    /// The backend of the device code that ran; `None` if none started.
    pub backend: Option<Backend>,
    /// Number of processes that shared the records.
    pub processes: u32,
    /// What is known of them, as far as there was room.
    pub process_list: Vec<ProcessEntry>,
    /// The site tables of the program.
    pub tables: Tables,
    /// A process stopped at its first finding, as requested.
    pub halted: bool,
    /// The order engine was to judge races, and was stopped before it had seen the whole run.
    pub judge_stopped: bool,
    /// Some tables were not readable.
    pub tables_damaged: bool,
    /// What the program asked for and did not get, in order.
    pub needs: Vec<Need>,
    /// The source lines of instructions that entries name, as far as they are known, by the entry's process and the
    /// instruction.
    pub lines: HashMap<(u32, u64), Line>,
    /// Likewise, the functions of the user's that are inlined there, each with the line that runs in it, from the
    /// innermost on.
    pub frames: HashMap<(u32, u64), Vec<Frame>>,
    /// The functions of the user's around each place in the executable that has the code of a first access, by process
    /// and site, each from the innermost on: as far as they are inlined.
    pub stacks: HashMap<(u32, u32), Vec<Vec<Frame>>>,
    /// Whether these contain functions that were inlined.
    pub lists_inlined: bool,
}

/// Sums over the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
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
    /// Copies, fills and functions of libraries.
    pub calls: u64,
    /// The limits that were reached.
    pub limits: Limits,
}

/// The resources of a run on the CPU executor. They differ between runs, so no report contains
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Wall time of all launches together, in seconds.
    pub launch_seconds: f64,
    /// The largest resident memory of the process, in bytes; 0 if it did not terminate normally.
    pub peak_bytes: u64,
}

/// A record.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The type of the record.
    pub kind: RecordType,
    /// The memory that was accessed.
    pub space: Option<Space>,
    /// How close the threads of a race are.
    pub relation: Option<RaceScope>,
    /// Index into the kernels.
    pub kernel: u32,
    /// The kernel of the prior access, for a race between launches; index into the kernels.
    pub prior_kernel: u32,
    /// The streams of the prior and the current access, for a race between launches.
    pub streams: [u16; 2],
    /// The prior access, for a race.
    pub prior: Option<End>,
    /// The current access.
    pub current: End,
    /// The fault, if it is a known one.
    pub fault: Option<Fault>,
    /// Number of occurrences.
    pub count: u64,
    /// The address of a fault.
    pub address: u64,
    /// For a race with the host, the instruction of its access, as `code_address`.
    pub host_code: u64,
    /// Where it was seen; zeros if that was lost.
    pub whereabouts: Whereabouts,
    /// For a fault, the other place that belongs to it; 0 if there is none.
    pub other_site: u32,
    /// Of a fault in the shared memory of another block: that block.
    pub owner: Option<[u32; 3]>,
    /// For a fault, the instruction, relative to the load address of the program; 0 if unknown.
    pub code_address: u64,
    /// The fault ended the run.
    pub ended: bool,
    /// Why what synchronises the threads of a race has not ordered it.
    pub cause: RaceCause,
    /// The sites that wrote and read the flag that the cause concerns; 0 if there is none.
    pub flag: [u32; 2],
    /// What else is known of a race.
    pub facts: RaceFacts,
    /// Constructs that might have ordered the two ends of a race.
    pub not_modelled: NotModelled,
    /// Blocks in the grid, threads in a block, and lanes in a warp; 0 if unknown.
    pub grid: [u32; 3],
    /// See `grid`.
    pub block: [u32; 3],
    /// See `grid`.
    pub warp_size: u32,
    /// The index of a race's transition in the table of the state machine.
    pub transition: u16,
    /// The extent of a race; empty if it was lost.
    pub spread: Spread,
}

/// One end of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The site; 0 if it is unknown.
    pub site: u32,
    /// The kind of access, if it is readable.
    pub access: Option<AccessKind>,
    /// Bytes, at most 255; 0 if unknown.
    pub size: u8,
    /// Its first byte, relative to that of the current access; only if the sizes of both are known.
    pub begin: i16,
    /// Block and thread, if known.
    pub thread: Option<([u32; 3], [u32; 3])>,
}

/// Parses the records from the content of their file.
///
/// # Errors
/// The file is shorter than its header claims.
pub fn parse(bytes: &[u8]) -> Result<Records> {
    if bytes.len() < RecordHeader::SIZE {
        return Err(damaged("the file is too short"));
    }
    let header = RecordHeader::read(bytes);
    if !bytes.starts_with(&MAGIC) {
        return Ok(Records::default());
    }
    let layout = FileLayout::of(header.kernel_capacity, header.record_capacity);
    let Some((layout, tables)) = layout.and_then(|it| Some((it, bytes.get(it.tables..)?))) else {
        return Err(damaged("the file is shorter than its header says"));
    };
    let (list, complete) = carried::parse(tables);
    let mut tables = Tables::default();
    for table in list {
        tables.add(table);
    }
    tables.link();
    let kernels = header.kernels.min(header.kernel_capacity) as usize;
    let kernels: Vec<KernelEntry> = array(&bytes[layout.kernels..]).take(kernels).collect();
    let kernels = merged(kernels.into_iter().map(Kernel::of).collect());
    let entries = entries(bytes, &layout, header.record_capacity as usize, &kernels);
    Ok(Records {
        started: true,
        finished: header.finished != 0,
        totals: Totals {
            dropped: header.dropped,
            launches: header.launches,
            accesses: header.accesses,
            unmonitored_launches: header.unmonitored_launches,
            outside: header.outside,
            calls: header.calls,
            limits: header.limits,
        },
        usage: Usage {
            launch_seconds: Duration::from_nanos(header.launch_nanoseconds).as_secs_f64(),
            peak_bytes: header.peak_bytes,
        },
        entries,
        needs: Vec::new(),
        backend: match header.backend {
            Some(numbers::Backend::Cpu) => Some(Backend::Cpu),
            Some(numbers::Backend::Gpu) => Some(Backend::Gpu),
            Some(numbers::Backend::Unknown) | None => None,
        },
        processes: header.processes,
        process_list: array(&bytes[layout.processes..])
            .take(header.processes.min(header.kernel_capacity) as usize)
            .collect(),
        halted: header.halted != 0,
        judge_stopped: false,
        tables,
        tables_damaged: !complete,
        lines: HashMap::new(),
        frames: HashMap::new(),
        stacks: HashMap::new(),
        lists_inlined: false,
        kernels,
    })
}

/// The entries of an array of the file.
fn array<T: Wire>(bytes: &[u8]) -> impl Iterator<Item = T> {
    bytes.chunks_exact(T::SIZE).map(T::read)
}

/// The complete records. They form a hash table, so they may be anywhere in it.
fn entries(bytes: &[u8], layout: &FileLayout, capacity: usize, kernels: &[Kernel]) -> Vec<Entry> {
    let first = |kernel: u32| {
        let name = kernels.get(kernel as usize).map(|it| &it.name);
        let same = kernels.iter().position(|it| Some(&it.name) == name);
        same.and_then(|at| u32::try_from(at).ok()).unwrap_or(kernel)
    };
    // Most records are empty.
    let at = |begin: usize, size: usize, index: usize| &bytes[begin + size * index..];
    let all = (0..capacity).filter_map(|index| {
        let record = Record::read(at(layout.records, Record::SIZE, index));
        if record.ready != COMPLETE {
            return None;
        }
        let spread = Spread::read(at(layout.spreads, Spread::SIZE, index));
        let whereabouts = Whereabouts::read(at(layout.whereabouts, Whereabouts::SIZE, index));
        let entry = Entry::of(record, spread, whereabouts)?;
        Some(Entry {
            kernel: first(entry.kernel),
            prior_kernel: first(entry.prior_kernel),
            ..entry
        })
    });
    all.collect()
}

fn damaged(message: &str) -> Error {
    Error::Records {
        message: message.to_owned(),
    }
}

impl Entry {
    /// Parses a complete record; none if it is of an unknown type.
    fn of(record: Record, spread: Spread, whereabouts: Whereabouts) -> Option<Self> {
        let kind = record.type_?;
        let is_fault = kind == RecordType::Fault;
        let prior_known = record.prior_known.unwrap_or(PriorKnown::SiteAndThread);
        let prior_site = match prior_known {
            PriorKnown::Nothing => 0,
            PriorKnown::Site | PriorKnown::SiteAndThread => record.site_prior,
        };
        let race = record.details.race;
        let prior = End {
            site: prior_site,
            access: record.prior_access,
            size: record.prior_size,
            begin: race.prior_begin,
            thread: (prior_known == PriorKnown::SiteAndThread)
                .then(|| (record.prior_block.array(), record.prior_thread.array())),
        };
        let grid = record.grid_dim;
        Some(Self {
            kind,
            space: record.space,
            relation: record.relation,
            kernel: record.kernel,
            prior_kernel: race.prior_kernel.into(),
            streams: [race.prior_stream, race.current_stream],
            prior: (kind == RecordType::Race).then_some(prior),
            current: End {
                site: record.site_current,
                access: record.current_access,
                size: record.current_size,
                begin: 0,
                thread: Some((record.current_block.array(), record.current_thread.array())),
            },
            fault: record.fault,
            count: record.count.max(1),
            address: record.address,
            other_site: if is_fault { prior_site } else { 0 },
            owner: (record.fault == Some(Fault::AbsentBlock)).then(|| record.prior_block.array()),
            code_address: if is_fault {
                record.details.code_address
            } else {
                0
            },
            host_code: record.code_current,
            whereabouts,
            ended: record.ended != 0,
            cause: record.cause.unwrap_or(RaceCause::None),
            flag: [record.flag_written, record.flag_read],
            facts: record.facts,
            not_modelled: record.not_modelled,
            grid: [grid.x, grid.y.into(), grid.z.into()],
            block: record.block_dim.array(),
            warp_size: record.warp_size.into(),
            transition: record.transition,
            spread,
        })
    }
}

#[cfg(test)]
pub mod tests;
