//! Faults: what a program must not do, besides racing.

use std::cmp::Reverse;

use super::codes;
use super::model::{Fault, Position, Severity};
use super::records::{Entry, EntryType, Records};
use super::run::{Run, launch, position};
use hirace_model::table::Tables;

/// A launch that could not be carried out.
pub(super) const INVALID_LAUNCH: u32 = 8;
/// What is no finding.
const NO_FINDINGS: [u32; 3] = [INVALID_LAUNCH, INTERRUPTED, WAITS_FOR_OUTSIDE];
/// Faults of an access.
const MEMORY: [u32; 5] = [1, 2, 3, 11, 12];
const HOST_ACCESS: u32 = 13;
/// Where the program was when a signal came.
pub(super) const INTERRUPTED: u32 = 20;
/// Threads that poll for ever, unless what does not wait for their launch helps them.
pub(super) const WAITS_FOR_OUTSIDE: u32 = 21;
/// Numbers of what many programs do, and what does no harm by itself.
const WARNINGS: [u32; 2] = [15, 18];

/// Whether an entry tells of a fault that is a finding.
pub(super) fn is_finding(entry: &Entry) -> bool {
    entry.kind == EntryType::Fault && !NO_FINDINGS.contains(&entry.fault)
}

/// Code and title of a fault by its number.
pub(super) fn code(number: u32) -> (&'static str, &'static str) {
    let code = number
        .checked_sub(1)
        .and_then(|index| codes::FAULTS.get(index as usize));
    code.map_or(("HF000", "fault"), |it| (it.name, it.title))
}

/// The faults that were recorded: the one that ended the run first, then by position.
pub(super) fn find(run: &Run<'_>) -> Vec<Fault> {
    let records = run.records;
    let mut entries: Vec<&Entry> = records
        .entries
        .iter()
        .filter(|entry| is_finding(entry) && !by_executor(entry, records))
        .collect();
    entries.sort_by_key(|entry| (entry.fault, entry.current.site, entry.current.thread));
    let mut faults = Vec::new();
    let found = entries.iter().map(|entry| fault(entry, run));
    merge(&mut faults, found.collect());
    faults
}

/// Adds faults to those that are known: the same code at the same place is one fault, whether
/// it came from two translation units or from two runs.
pub(super) fn merge(faults: &mut Vec<Fault>, more: Vec<Fault>) {
    for fault in more {
        let same = |it: &&mut Fault| {
            let places = (Some(&it.position), it.other.as_ref());
            let others = (Some(&fault.position), fault.other.as_ref());
            (&it.code, &it.kernel) == (&fault.code, &fault.kernel)
                && (places == others || places == (others.1, others.0))
        };
        match faults.iter_mut().find(same) {
            Some(known) => {
                known.occurrences += fault.occurrences;
                known.seeds.extend(fault.seeds);
                known.seeds.dedup();
                known.ended |= fault.ended;
            }
            None => faults.push(fault),
        }
    }
    faults.sort_by(|a, b| order(a).cmp(&order(b)));
}

/// Our own runtime reads device memory on the host's side for a reason.
fn by_executor(entry: &Entry, records: &Records) -> bool {
    let line = records.lines.get(&entry.code_address);
    entry.fault == HOST_ACCESS && line.is_none_or(|line| line.in_executor)
}

fn order(fault: &Fault) -> impl Ord + '_ {
    let place = &fault.position;
    let at = (place.file.is_none(), &place.file, place.line, place.column);
    (Reverse(fault.ended), fault.severity, at, &fault.code)
}

fn fault(entry: &Entry, run: &Run<'_>) -> Fault {
    let (records, tables) = (run.records, run.tables);
    let (code, title) = code(entry.fault);
    let (block, thread) = entry.current.thread.unzip();
    // On the host there is no kernel.
    let device = entry.fault != HOST_ACCESS;
    Fault {
        fingerprint: String::new(),
        code: code.into(),
        title: title.into(),
        severity: if WARNINGS.contains(&entry.fault) {
            Severity::Warning
        } else {
            Severity::Error
        },
        kernel: records
            .kernels
            .get(entry.kernel as usize)
            .filter(|_| device)
            .map(|kernel| kernel.name.clone()),
        position: place(entry, records, tables),
        other: (entry.other_site != 0)
            .then(|| position(tables, entry.other_site))
            .flatten(),
        block: block.filter(|_| device),
        thread: thread.filter(|_| device),
        launch: launch(entry).filter(|_| device),
        address: (entry.address != 0).then(|| format!("{:#x}", entry.address)),
        code_address: entry.code_address,
        occurrences: entry.count,
        seeds: vec![run.seed],
        ended: entry.ended,
        help: help(entry.fault, code),
    }
}

/// Where a fault happened: at a hooked place, or at the line of an instruction.
pub(super) fn place(entry: &Entry, records: &Records, tables: &Tables) -> Position {
    let site = position(tables, entry.current.site);
    let line = records.lines.get(&entry.code_address).map(|it| Position {
        file: Some(it.file.clone()),
        line: Some(it.line),
        ..Position::default()
    });
    // The site of an access is exact. Of other faults it is only the last one before.
    match site {
        Some(site) if line.is_none() || MEMORY.contains(&entry.fault) => site,
        Some(site)
            if line
                .as_ref()
                .is_some_and(|it| (&it.file, it.line) == (&site.file, site.line)) =>
        {
            site
        }
        _ => line.unwrap_or_default(),
    }
}

fn help(number: u32, code: &str) -> String {
    let text = match number {
        11 => {
            "a vector or an array of a larger type needs an address that is a multiple of its size"
        }
        12 => "write it first: a kernel, `cudaMemcpy` or `cudaMemset`",
        13 => "copy it with `cudaMemcpy`, or allocate it with `cudaMallocManaged`",
        14 => {
            "every thread of the block has to reach the same `__syncthreads()`: move it out of the branch"
        }
        15 => {
            "since Volta a barrier waits for the threads that have not exited; before, this is undefined"
        }
        16 => "the mask has to name every lane that calls, itself included",
        17 => "all lanes that a mask names have to call the same function with the same mask",
        18 => "the value is undefined: see that nobody uses it",
        19 => "no thread of the launch changes what they wait for, in any schedule from there on",
        _ => return format!("`hirace explain {code}` says more"),
    };
    format!("{text} (`hirace explain {code}`)")
}
