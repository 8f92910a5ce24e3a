//! The sentences for a race between the host and a launch, a copy or a fill.

use crate::model::{Actor, Stream};
use crate::pair::Pair;
use crate::phrases;

/// What the host has not waited for.
fn work(pair: Pair<'_>) -> String {
    match &pair.prior.origin {
        Some(origin) => format!("`{}`", origin.kernel),
        None => "the copy".to_owned(),
    }
}

pub(super) fn reason(pair: Pair<'_>) -> String {
    let stream = pair.prior.origin.as_ref().map(|it| it.stream);
    let on = stream.map_or_else(String::new, |it| format!(" on {}", phrases::stream(it)));
    let call = match pair.prior.actor {
        Actor::Copy => "the asynchronous copy or fill",
        Actor::Thread | Actor::Host => "the launch of the kernel",
    };
    format!(
        "{call}{on} returns before its work is done, and the host has waited for nothing since that \
         comes after it; the two accesses may happen in either order, or at the same time"
    )
}

pub(super) fn help(pair: Pair<'_>) -> String {
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
