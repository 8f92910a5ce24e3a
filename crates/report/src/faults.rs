//! Faults: errors of a program other than races.

use std::cmp::Reverse;

use super::call_path;
use super::codes;
use super::element;
use super::model::{Allocation, Fault, Position, Severity};
use super::records::{Entry, Records};
use super::run::{Run, launch, position, processes};
use hirace_model::table::Tables;
use hirace_model::wire::numbers::{Fault as Kind, RecordType, Space};

/// Faults that are not findings: they become failures.
const NO_FINDINGS: [Kind; 4] = [
    Kind::InvalidLaunch,
    Kind::Interrupted,
    Kind::WaitsForOutside,
    Kind::WaitsForChildren,
];
/// Faults of an access.
const MEMORY: [Kind; 6] = [
    Kind::OutOfBounds,
    Kind::UseAfterFree,
    Kind::IllegalAddress,
    Kind::Misaligned,
    Kind::UninitialisedRead,
    Kind::AbsentBlock,
];
/// Common practices that do no harm by themselves.
const WARNINGS: [Kind; 4] = [
    Kind::LanesInLockstep,
    Kind::BarrierAfterExit,
    Kind::InactiveShuffleSource,
    Kind::NoMask,
];

/// How bad a fault is. Programs that read memory before they write it are common, and many of them
/// discard the value; so that is an error only if the user asks for it.
fn severity(fault: Option<Kind>, init_check: bool) -> Severity {
    let unwritten = fault == Some(Kind::UninitialisedRead) && !init_check;
    match unwritten || is_one_of(fault, &WARNINGS) {
        true => Severity::Warning,
        false => Severity::Error,
    }
}

/// Whether a fault is one of these.
fn is_one_of(fault: Option<Kind>, faults: &[Kind]) -> bool {
    fault.is_some_and(|it| faults.contains(&it))
}

/// Whether an entry is a fault that is a finding.
pub(super) fn is_finding(entry: &Entry) -> bool {
    entry.kind == RecordType::Fault && !is_one_of(entry.fault, &NO_FINDINGS)
}

/// Code and title of a fault. The codes are in the order of the faults' numbers, from 1.
pub(super) fn code(fault: Option<Kind>) -> (&'static str, &'static str) {
    let index = fault.and_then(|it| (it as usize).checked_sub(1));
    let code = index.and_then(|it| codes::FAULTS.get(it));
    code.map_or(("HF000", "fault"), |it| (it.name, it.title))
}

/// The recorded faults: first the one that ended the run, then by position.
pub(super) fn find(run: &Run<'_>) -> Vec<Fault> {
    let records = run.records;
    let mut entries: Vec<&Entry> = records
        .entries
        .iter()
        .filter(|entry| is_finding(entry) && !by_executor(entry, records))
        .filter(|entry| !run.tables.is_order_only(entry.current.site))
        .collect();
    entries.sort_by_key(|entry| (entry.fault, entry.current.site, entry.current.thread));
    let mut faults = Vec::new();
    let found = entries.iter().map(|entry| fault(entry, run));
    merge(&mut faults, found.collect());
    if let [only] = &mut faults[..] {
        only.ended |= records.halted;
    }
    faults
}

/// Adds faults to the known ones. The same code at the same place is one fault, even if it comes
/// from two translation units or two runs.
pub(super) fn merge(faults: &mut Vec<Fault>, more: Vec<Fault>) {
    let lockstep = code(Some(Kind::LanesInLockstep)).0;
    for fault in more {
        let same = |it: &&mut Fault| {
            let is_at = |a: Option<&Position>, b: Option<&Position>| match (a, b) {
                (Some(a), Some(b)) => a.is_at(b),
                (a, b) => a.is_none() && b.is_none(),
            };
            let [(position, other), (new_position, new_other)] =
                [&**it, &fault].map(|it| (Some(&it.position), it.other.as_ref()));
            let is_same = is_at(position, new_position) && is_at(other, new_other);
            let is_swapped = is_at(position, new_other) && is_at(other, new_position);
            let variable =
                |it: &Fault| (it.position.function.clone(), it.position.variable.clone());
            (&it.code, &it.kernel) == (&fault.code, &fault.kernel)
                && (is_same
                    || is_swapped
                    // The steps of one reduction.
                    || (it.code == lockstep && variable(it) == variable(&fault)))
        };
        match faults.iter_mut().find(same) {
            Some(known) => {
                known.occurrences += fault.occurrences;
                if let (Some(known), Some(other)) = (&mut known.process, fault.process) {
                    known.add(other);
                }
                known.seeds.extend(fault.seeds);
                known.seeds.dedup();
                known.ended |= fault.ended;
            }
            None => faults.push(fault),
        }
    }
    faults.sort_by(|a, b| order(a).cmp(&order(b)));
}

/// Whether our own runtime made a host access, which it does on purpose.
fn by_executor(entry: &Entry, records: &Records) -> bool {
    let line = records.line(entry, entry.code_address);
    entry.fault == Some(Kind::HostAccess) && line.is_none_or(|line| line.in_executor)
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
    let device = entry.fault != Some(Kind::HostAccess);
    let kernel = records
        .kernels
        .get(entry.kernel as usize)
        .filter(|_| device);
    let mut position = place(entry, records, tables);
    let mut other = (entry.other_site != 0)
        .then(|| super::run::position(tables, entry.other_site))
        .flatten();
    if let Some(kernel) = kernel {
        let seen = call_path::seen_by(entry, &kernel.name, records);
        call_path::find_function(&mut position, &seen);
        call_path::follow(
            &mut position,
            &kernel.name,
            (&seen, records.lists_inlined),
            tables,
        );
        if let Some(other) = &mut other {
            call_path::follow(other, &kernel.name, (&[], false), tables);
        }
    }
    let allocation = allocation(entry, run, &position);
    Fault {
        fingerprint: String::new(),
        code: code.into(),
        title: title.into(),
        severity: severity(entry.fault, run.init_check),
        kernel: kernel.map(|kernel| kernel.name.clone()),
        position,
        other,
        block: block.filter(|_| device),
        thread: thread.filter(|_| device),
        launch: launch(entry, run).filter(|_| device),
        process: processes(&[entry], entry, run),
        address: (entry.address != 0).then(|| format!("{:#x}", entry.address)),
        allocation,
        code_address: entry.code_address,
        occurrences: entry.count,
        seeds: vec![run.seed],
        ended: entry.ended,
        help: help(entry.fault, code),
    }
}

/// The allocation or the variable that a fault concerns.
fn allocation(entry: &Entry, run: &Run<'_>, position: &Position) -> Option<Allocation> {
    let place = &entry.whereabouts;
    let (bytes, offset) = (place.object_bytes, place.object_offset.cast_signed());
    let shared = entry.space == Some(Space::Shared);
    if bytes == 0 && !shared {
        return None;
    }
    let named = |key| run.tables.variable(key).map(|it| it.name.as_str());
    let variable = named(place.variable);
    // Beyond the memory that another parameter leads to, this is a guess.
    let kernel = run.records.kernels.get(entry.kernel as usize);
    let is_in_kernel = position.function.as_ref() == kernel.map(|it| &it.name);
    let own = position.variable.as_deref().filter(|_| is_in_kernel);
    let parameter = named(place.parameter).filter(|it| own.is_none_or(|own| own == *it));
    let line = run.records.line(entry, place.allocated_by);
    Some(Allocation {
        variable: variable.map(str::to_owned),
        parameter: parameter.map(str::to_owned),
        element: variable.and_then(|name| element::beyond(place, name)),
        shared,
        owner: entry.owner,
        bytes,
        offset,
        access_bytes: Some(entry.current.size).filter(|&it| it != 0),
        file: line.map(|it| it.file.clone()),
        line: line.map(|it| it.line),
    })
}

/// The place of a fault: a site, or the line of an instruction.
pub(super) fn place(entry: &Entry, records: &Records, tables: &Tables) -> Position {
    let site = position(tables, entry.current.site);
    let line = records.line(entry, entry.code_address).map(|it| Position {
        file: Some(it.file.clone()),
        line: Some(it.line),
        ..Position::default()
    });
    // The site of an access is exact; other faults have only the last site before them.
    match site {
        Some(site) if line.is_none() || is_one_of(entry.fault, &MEMORY) => site,
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

fn help(fault: Option<Kind>, code: &str) -> String {
    let text = match fault {
        Some(Kind::Misaligned) => {
            "a vector or an array of a larger type needs an address that is a multiple of its size"
        }
        Some(Kind::UninitialisedRead) => "write it first: a kernel, `cudaMemcpy` or `cudaMemset`",
        Some(Kind::HostAccess) => {
            "copy it with `cudaMemcpy`, or allocate it with `cudaMallocManaged`"
        }
        Some(Kind::DivergentBarrier) => {
            "every thread of the block has to reach the same `__syncthreads()`: move it out of the branch"
        }
        Some(Kind::BarrierAfterExit) => {
            "let every thread of the block reach it: move it out of a branch that some of them skip, and let \
             none return before it; since Volta it waits only for the threads that have not exited, but a \
             barrier of the grid, or an older GPU, waits for all"
        }
        Some(Kind::MaskWithoutCaller) => {
            "the mask has to name every lane that calls, itself included"
        }
        Some(Kind::MaskMismatch) => {
            "all lanes that a mask names have to call the same function with the same mask"
        }
        Some(Kind::InactiveShuffleSource) => {
            "the value is undefined: make sure that nothing uses it"
        }
        Some(Kind::LanesInLockstep) => {
            "since Volta, lanes of a warp do not run in lockstep: put a `__syncwarp()` between the two, and between \
             all such steps of the function"
        }
        Some(Kind::NoMask) => {
            "call the function whose name ends in `_sync`, with a mask of the lanes that participate"
        }
        Some(Kind::Livelock) => {
            "no thread of the launch changes what they wait for, in any schedule from there on"
        }
        Some(Kind::AbsentBlock) => {
            "all blocks of the cluster have to pass a `cluster.sync()` before the first access to the \
             shared memory of another block, and one after the last"
        }
        Some(Kind::OutOfBounds) => {
            "compare the index with the number of elements first, as in `if (i < n)`, or allocate more"
        }
        Some(Kind::BarrierDeadlock) => {
            "every thread of the block, or for a barrier of the grid of all blocks, has to reach it: move it out \
             of the branch, and let none return before it"
        }
        Some(Kind::UseAfterFree) => "free it after the last launch that uses it has finished",
        Some(Kind::IllegalAddress) => {
            "pass a pointer to device memory, such as one of `cudaMalloc`, or to managed or pinned memory"
        }
        _ => return format!("see `hirace explain {code}`"),
    };
    format!("{text} (`hirace explain {code}`)")
}
