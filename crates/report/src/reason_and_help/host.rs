//! The sentences for a race between the host and a launch, a copy or a fill.

use crate::model::{AccessKind, Actor, Stream};
use crate::pair::Pair;
use crate::phrases;
use hirace_model::wire::numbers::RaceFacts;

/// What the host has not waited for.
fn work(pair: Pair<'_>) -> String {
    match &pair.prior.origin {
        Some(origin) => format!("`{}`", origin.kernel),
        None => match phrases::called(pair.prior) {
            Some(function) => format!("`{function}`"),
            None => "the copy".to_owned(),
        },
    }
}

/// Whether two atomic accesses lack only the scope. `volatile` ones of the host count as atomic.
fn excludes_host(pair: Pair<'_>) -> bool {
    let access = pair.current.access;
    let strong = access.is_atomic()
        || matches!(access, AccessKind::VolatileRead | AccessKind::VolatileWrite);
    strong && pair.facts.has(RaceFacts::PRIOR_EXCLUDES_HOST)
}

pub(super) fn reason(pair: Pair<'_>) -> String {
    let stream = pair.prior.origin.as_ref().map(|it| it.stream);
    let on = stream.map_or_else(String::new, |it| format!(" on {}", phrases::stream(it)));
    let call = match (pair.prior.actor, phrases::called(pair.prior)) {
        (Actor::Copy, Some(function)) => format!("`{function}`"),
        (Actor::Copy, None) => "the asynchronous copy or fill".to_owned(),
        (Actor::Thread | Actor::Host, _) => "the launch of the kernel".to_owned(),
    };
    if excludes_host(pair) {
        return format!(
            "{call}{on} returns before its work is done, and the host has waited for nothing since that \
             comes after it; both accesses are atomic or volatile, but the scope of (1) is that of the \
             device, or of a block, and the host is not in it"
        );
    }
    format!(
        "{call}{on} returns before its work is done, and the host has waited for nothing since that \
         comes after it; the two accesses may happen in either order, or at the same time"
    )
}

pub(super) fn help(pair: Pair<'_>) -> String {
    if excludes_host(pair) {
        return "give (1) the scope of the system: the same function with `_system`, such as \
                `atomicAdd_system`, or a `cuda::atomic_ref` of `cuda::thread_scope_system`; or wait for the \
                work before the host accesses it"
            .to_owned();
    }
    let work = work(pair);
    let wait = match pair.prior.origin.as_ref().map(|it| it.stream) {
        Some(Stream::Default) => "`cudaDeviceSynchronize()`",
        Some(Stream::Made(_) | Stream::Graph | Stream::Nested) | None => {
            "`cudaStreamSynchronize(stream)`"
        }
    };
    if pair.current.access.writes() && !pair.prior.access.writes() {
        return format!(
            "wait for {work} before the host writes again ({wait}, or an event that is recorded after \
             it), or let the host write to another buffer meanwhile"
        );
    }
    format!(
        "wait for {work} before the host accesses what it works on: {wait}, or \
         `cudaEventSynchronize(event)` for an event that is recorded after it"
    )
}
