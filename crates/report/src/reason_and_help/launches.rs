//! The sentences for races between launches, and between other work in streams.

use super::Pair;
use crate::model::{Access, Stream, Work};
use crate::phrases;
use hirace_model::wire::numbers::{NotModelled, RaceFacts};

/// Whether the later kernel was launched so that it may begin before the earlier one has ended: that
/// is the only race within a stream.
fn begins_early(pair: Pair<'_>) -> bool {
    let streams = [pair.prior, pair.current].map(stream);
    let one_at_a_time = !matches!(streams[0], Some(Stream::Graph | Stream::Nested));
    streams[0] == streams[1] && one_at_a_time
}

/// Why the two are unordered, if kernels have launched one or both of their launches.
fn nested(pair: Pair<'_>) -> String {
    let [first, second] = [pair.prior, pair.current].map(name);
    if pair.facts.has(RaceFacts::LAUNCHED_BY_PRIOR) {
        return format!(
            "`{first}` launches `{second}`, which may run beside it: only what the launching thread \
             has done before the launch, or what a barrier orders before it, comes before \
             `{second}`, and (1) does not"
        );
    }
    let launches = match first == second {
        true => format!("two launches of `{first}` by kernels"),
        false => format!("`{first}` and `{second}` are launched by kernels and"),
    };
    format!(
        "{launches} may run at the same time: only launches on one stream follow one another, and \
         each block has a default stream of its own"
    )
}

/// What would order the two.
fn nested_help(pair: Pair<'_>) -> String {
    let second = name(pair.current);
    let other = match pair.facts.has(RaceFacts::LAUNCHED_BY_PRIOR) {
        true => {
            "launch it after (1): in the same thread, or in another one of the block after a \
             `__syncthreads()`"
        }
        false => {
            "launch both on one stream: the default stream of one block, or one that the kernel creates"
        }
    };
    format!(
        "launch `{second}` on `cudaStreamTailLaunch`, so that it begins when the kernel that \
         launches it and all its other launches have ended; or {other}"
    )
}

/// Why the two are unordered.
pub(super) fn reason(pair: Pair<'_>) -> String {
    if begins_early(pair) {
        let [first, second] = [pair.prior, pair.current].map(name);
        return format!(
            "`{first}` triggers the next kernel in its stream, and (2) comes before a \
             `cudaGridDependencySynchronize()` in `{second}`, which may begin before `{first}` \
             has ended"
        );
    }
    if stream(pair.current) == Some(Stream::Nested) {
        return nested(pair);
    }
    let mut reason = unordered(pair);
    if let Some(function) = returns_early(pair.prior) {
        reason += &match pair.not_modelled.has(NotModelled::STAGED_COPY) {
            true => format!(
                "; `{function}` from pageable memory returns when the data are in a buffer of the \
                 driver, so the copy to the device may still run, or be done"
            ),
            false => format!("; `{function}` may return before its work is done"),
        };
    }
    if pair.not_modelled.has(NotModelled::HOST_FUNCTION) {
        reason += "; a host function ran after (1), and what it tells the host is not followed";
    }
    if pair.not_modelled.has(NotModelled::MEMORY_FENCE) {
        reason += "; one of them, or a kernel that runs beside them, executed a fence or an atomic operation that is \
                   not relaxed: a flag may order the two, and flags are not followed across launches";
    }
    reason
}

fn unordered(pair: Pair<'_>) -> String {
    let both_kernels = [pair.prior, pair.current].map(work) == [Work::Kernel; 2];
    let nodes = if both_kernels { "kernels" } else { "nodes" };
    match [pair.prior, pair.current].map(stream) {
        [Some(Stream::Graph), Some(Stream::Graph)] => format!(
            "the graph has no edges that lead from one of the two {nodes} to the other, so that \
             they may run at the same time"
        ),
        streams => {
            let [first, second] =
                streams.map(|it| it.map_or_else(|| "another stream".to_owned(), phrases::stream));
            let what = match (work(pair.prior), work(pair.current)) {
                (Work::Kernel, Work::Kernel) => {
                    format!("the two kernels are launched on {first} and on {second}")
                }
                (Work::Allocation, _) => {
                    format!("the memory is allocated on {first} and used on {second}")
                }
                (_, Work::Release) => {
                    format!("the memory is used on {first} and released on {second}")
                }
                _ => format!(
                    "{} runs on {first} and {} on {second}",
                    named(pair.prior),
                    named(pair.current)
                ),
            };
            format!(
                "{what}, nothing makes one of them wait for the other, and they may run at the \
                 same time"
            )
        }
    }
}

/// What would order the two.
pub(super) fn help(pair: Pair<'_>) -> String {
    let [first, second] = [pair.prior, pair.current].map(name);
    if begins_early(pair) {
        return format!(
            "call `cudaGridDependencySynchronize()` before this access; or launch `{second}` \
             without programmatic stream serialization"
        );
    }
    match [pair.prior, pair.current].map(stream) {
        [_, Some(Stream::Nested)] => nested_help(pair),
        [Some(Stream::Graph), Some(Stream::Graph)] => format!(
            "make the node of `{second}` depend on that of `{first}`; in a captured stream, by \
             `cudaStreamWaitEvent` for an event that is recorded after `{first}`"
        ),
        _ => {
            let after = match work(pair.prior) {
                Work::Kernel => format!("the launch of `{first}`"),
                _ => format!("`{first}`"),
            };
            let before = match work(pair.current) {
                Work::Kernel => format!("`{second}` is launched"),
                _ => format!("`{second}` is called"),
            };
            let both = match (work(pair.prior), work(pair.current)) {
                (Work::Kernel, Work::Kernel) => "launch both on one stream",
                _ => "use one stream for both",
            };
            format!(
                "record an event after {after} (`cudaEventRecord`) and let the other stream wait \
                 for it before {before} (`cudaStreamWaitEvent`); or {both}"
            )
        }
    }
}

/// A function of the runtime that is not called asynchronous, and yet may return early.
fn returns_early(access: &Access) -> Option<&str> {
    let origin = access.origin.as_ref()?;
    let copies = ["cudaMemcpy", "cudaMemset"].iter();
    let is_synchronous = !origin.kernel.contains("Async") && origin.work == Work::Call;
    (is_synchronous && copies.into_iter().any(|it| origin.kernel.starts_with(it)))
        .then_some(origin.kernel.as_str())
}

fn named(access: &Access) -> String {
    match work(access) {
        Work::Kernel => format!("kernel `{}`", name(access)),
        _ => format!("`{}`", name(access)),
    }
}

fn name(access: &Access) -> &str {
    let origin = access.origin.as_ref();
    origin.map_or("the kernel", |it| it.kernel.as_str())
}

fn work(access: &Access) -> Work {
    access.origin.as_ref().map_or(Work::Kernel, |it| it.work)
}

fn stream(access: &Access) -> Option<Stream> {
    access.origin.as_ref().map(|it| it.stream)
}
