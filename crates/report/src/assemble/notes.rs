//! The notes of a report: what limits its answer, one sentence each.

use std::collections::BTreeSet;

use crate::failure;
use crate::phrases::count;
use crate::records::{Kernel, Records};
use crate::run::Run;
use hirace_model::wire::numbers::Limits;

/// Everything that limits the answer.
pub(super) fn all(run: &Run<'_>) -> Vec<String> {
    let mut notes = recording(run.records);
    notes.extend(shadow_word(run.records));
    let reached = |(limit, _): &&(Limits, _)| run.records.totals.limits.has(*limit);
    let coverage = LIMITS.iter().filter(reached);
    notes.extend(coverage.map(|(_, note)| (*note).to_owned()));
    if run.records.judge_stopped {
        notes.push(
            "the order engine, which judges what the state machine reports, had no time or memory to \
             finish: races that it has not judged are possible ones (`--engine machine` for what the \
             state machine alone says)"
                .to_owned(),
        );
    }
    notes.extend(launches(run));
    notes.extend(failure::nothing_of_its_own(run));
    notes
}

/// Limits with a fixed sentence.
const LIMITS: [(Limits, &str); 16] = [
    (
        Limits::BYTE_POOL_EXHAUSTED,
        "more memory was accessed byte by byte than there is room to follow; the rest of it was \
         not checked",
    ),
    (
        Limits::STREAMS_IN_ORDER,
        "kernels were launched on several streams and ran one after the other; races between \
         them were not looked for",
    ),
    (
        Limits::CHILDREN_AFTER_PARENTS,
        "kernels that were launched by kernels ran after them, one after the other; races with \
         what their parents did after the launch, and between them, were not looked for",
    ),
    (
        Limits::CLUSTER_SCOPE_WIDENED,
        "fences and accesses of cluster scope count as ones of device scope, which orders threads of \
         different clusters, too; races that they do not prevent were not looked for",
    ),
    (
        Limits::COPIES_AT_ONCE,
        "asynchronous copies count as accesses of the threads that issue them; accesses before a \
         thread has waited for its own copy were not looked for (`--engine order` does)",
    ),
    (
        Limits::VOLATILE_READS_FORGOTTEN,
        "variables were read both as `volatile` and otherwise; races of these `volatile` reads with \
         later writes were not looked for (`--engine order` does)",
    ),
    (
        Limits::GRID_BARRIER_IN_ONE,
        "a split grid barrier counts as a whole one where a thread waits; races of what comes \
         between its two halves were not looked for (`--engine order` does)",
    ),
    (
        Limits::DEPENDENTS_IN_ORDER,
        "kernels with programmatic dependent launch ran in graphs, after several others each; what they do \
         before they wait counts as coming after the kernels before them, and its races were not looked for",
    ),
    (
        Limits::HOST_THREADS_AS_ONE,
        "several host threads worked in streams, waited for work or accessed memory that kernels access, \
         and count as one: what one of them waits for counts as waited for by all; races that this \
         hides were not looked for",
    ),
    (
        Limits::STREAMS_CREATED_LATE,
        "a stream was created while another one, until then the only one, had work that the host had \
         not waited for; races with that work were not looked for",
    ),
    (
        Limits::LIBRARY_WRITES_UNSEEN,
        "a function of CUB or thrust got an iterator adaptor of a plain pointer; what it may have \
         written through it was not compared with kernels and copies on other streams",
    ),
    (
        Limits::COPIES_BY_KERNELS,
        "kernels called functions that work in a stream, other than copies and fills; the accesses of \
         these functions were not checked",
    ),
    (
        Limits::READ_ONLY_WRITTEN,
        "a kernel wrote to memory that it seemed only to read, judging by its text; races of such \
         writes with reads before them were not looked for (`hirace check --check-all` does, and so \
         does a program that was built with `read-only-memory = false` under `[skip]`)",
    ),
    (
        Limits::SHADOW_MEMORY_EXHAUSTED,
        "the GPU had no memory for the shadow of all that was accessed; the rest was not checked",
    ),
    (
        Limits::MEMORY_USED_UP,
        "little memory was left, so the checks ended and the program ran on without them; a smaller \
         problem, or a machine with more memory, can be checked to the end",
    ),
    (
        Limits::SHADOW_CACHED,
        "shadow memory was a cache, for lack of memory or by configuration: races may have been \
         missed (`[shadow] memory`)",
    ),
];

/// Notes on data that is missing in the records.
fn recording(records: &Records) -> Vec<String> {
    let mut notes = Vec::new();
    if records.totals.dropped > 0 {
        notes.push(format!(
            "{} occurrences of further races were dropped: the record table is full",
            records.totals.dropped
        ));
    }
    if records.halted {
        notes.push(
            "the program was stopped at its first finding (`--halt-on-error`); what would have \
             come after it was not checked"
                .to_owned(),
        );
    }
    if records.processes > 1 {
        notes.push(format!(
            "{} processes were checked, each on its own; races between them were not looked for",
            records.processes
        ));
    }
    if records.tables_damaged {
        notes.push(
            "some of the program's information about its source was unreadable: it was built by \
             another version of hirace, or the disk is full"
                .to_owned(),
        );
    }
    if records
        .totals
        .limits
        .has(Limits::HOST_ACCESSES_NOT_FOLLOWED)
    {
        notes.push(
            "accesses of the host to device memory were looked for in parts of it, or at the \
             beginning of the run only: with this much memory or this many launches it takes too \
             long"
                .to_owned(),
        );
    }
    if records
        .totals
        .limits
        .has(Limits::HOST_FUNCTIONS_NOT_FOLLOWED)
    {
        notes.push(
            "host functions in streams accessed managed or pinned memory; their accesses were not \
             compared with those of kernels and copies"
                .to_owned(),
        );
    }
    if records.totals.limits.has(Limits::HOST_RACES_NOT_FOLLOWED) {
        notes.push(
            "accesses of the host to managed and pinned memory were not compared with those of \
             kernels: no host code of this program reports its accesses"
                .to_owned(),
        );
    }
    notes
}

/// The kernels that reached a limit, each with details.
fn kernels_at(
    records: &Records,
    limit: Limits,
    more: impl Fn(&Kernel) -> String,
) -> Option<String> {
    let kernels = records.kernels.iter();
    let named: BTreeSet<String> = kernels
        .filter(|it| it.limits.has(limit))
        .map(|it| format!("`{}`{}", it.name, more(it)))
        .collect();
    let named: Vec<String> = named.into_iter().collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// A field of the shadow word that was too narrow: the limit, its note, the text before the names
/// of the kernels, and the details of each kernel.
type Field = (Limits, &'static str, &'static str, fn(&Kernel) -> String);

/// Launches with more blocks, threads or barriers than the shadow word can tell apart.
fn shadow_word(records: &Records) -> Vec<String> {
    let mut notes = Vec::new();
    let hit = |limit| records.totals.limits.has(limit);
    if hit(Limits::GRID_TOO_LARGE) {
        let kernels = kernels_at(records, Limits::GRID_TOO_LARGE, |_| String::new());
        notes.push(format!(
            "a launch{} has more blocks, or more threads in each, than the shadow word can name; \
             it ran unchecked (`[shadow] block-bits`, `thread-bits`, `word-bytes`)",
            kernels.map_or_else(String::new, |it| format!(" of {it}"))
        ));
    }
    if hit(Limits::HISTORY_FORGOTTEN) {
        let kernels = kernels_at(records, Limits::HISTORY_FORGOTTEN, |_| String::new());
        notes.push(format!(
            "the order engine had forgotten old accesses or synchronising operations; races with \
             what it had forgotten were not looked for{}",
            kernels.map_or_else(String::new, |it| format!(" (in {it})"))
        ));
    }
    let fields: [Field; 4] = [
        (
            Limits::BLOCKS_WITHOUT_NUMBER,
            "a grid has more blocks than the shadow word can name; accesses to global memory by \
             the others were not checked (`[shadow] block-bits`, `word-bytes`)",
            ": ",
            |it| format!(" from block {} on", 1_u64 << it.number_bits[0]),
        ),
        (
            Limits::THREADS_WITHOUT_NUMBER,
            "a block has more threads than the shadow word can name; accesses to global memory by \
             the others were not checked (`[shadow] thread-bits`, `word-bytes`)",
            ": ",
            |it| format!(" from thread {} on", 1_u64 << it.number_bits[1]),
        ),
        (
            Limits::BLOCK_CLOCK_OVERFLOW,
            "a thread passed more block barriers than the shadow word can count; what came later \
             was not checked fully (`[shadow] block-clock-bits`)",
            ": in ",
            |it| after(it.clock_bits[0], "block"),
        ),
        (
            Limits::WARP_CLOCK_OVERFLOW,
            "a thread passed more warp barriers than the shadow word can count; what came later \
             was not checked fully (`[shadow] warp-clock-bits`)",
            ": in ",
            |it| after(it.clock_bits[1], "warp"),
        ),
    ];
    for (limit, note, before, more) in fields {
        if hit(limit) {
            let kernels = kernels_at(records, limit, more);
            let kernels = kernels.map_or_else(String::new, |it| format!("{before}{it}"));
            notes.push(format!("{note}{kernels}"));
        }
    }
    notes
}

/// The number of barriers after which a clock with so many bits is full; empty if its width is
/// unknown.
fn after(bits: u8, what: &str) -> String {
    match bits {
        0 => String::new(),
        _ => format!(" after {} {what} barriers", (1_u64 << bits) - 1),
    }
}

/// Launches and accesses that were not checked.
fn launches(run: &Run<'_>) -> Vec<String> {
    let totals = &run.records.totals;
    let kernels = run.records.kernels.iter();
    let refused = kernels.clone().filter(|it| it.refused).map(|kernel| {
        format!(
            "a launch of `{}` failed and did not run: its grid, its block or its dynamic \
             shared memory is too large, or empty; more than 48 KiB of that need \
             `cudaFuncAttributeMaxDynamicSharedMemorySize`",
            kernel.name
        )
    });
    let mut notes: Vec<_> = refused.collect();
    if totals.outside > 0 {
        notes.push(format!(
            "{} went to memory that hirace does not know, such as pageable memory of the host",
            count(totals.outside, "access")
        ));
    }
    // If there is no access at all, a failure reports it.
    // One that has ended in a fault may have made none yet.
    let is_at_fault = |index: usize| {
        let mut faults = run.records.entries.iter().filter(|it| it.prior.is_none());
        faults.any(|it| it.kernel as usize == index)
    };
    let unseen = kernels
        .enumerate()
        .filter(|(index, kernel)| kernel.unseen && totals.accesses > 0 && !is_at_fault(*index));
    notes.extend(unseen.map(|(_, kernel)| {
        // Such accesses are counted for all kernels together.
        let outside = match totals.outside {
            0 => "",
            _ => ", or they went to memory that hirace does not know",
        };
        format!(
            "kernel `{}` ran and none of its accesses was checked: it makes none, or it is not in \
             the files given, or a macro defines it{outside}",
            kernel.name
        )
    }));
    if totals.unmonitored_launches > 0 {
        notes.push(format!(
            "{} ran unchecked, {}",
            count(totals.unmonitored_launches, "kernel launch"),
            if run.launches_left_out() {
                "as requested by the configuration, a comment or an option"
            } else {
                "for the reason given on standard error"
            }
        ));
    }
    notes
}
