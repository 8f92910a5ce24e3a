//! Where accesses of different launches, and of the host, came from: launches, streams, calls.

use super::calls::kernel_name;
use crate::model::{Access, Actor, LaunchShape, Origin, Position, Stream, Work};
use crate::records::{Entry, Line};
use crate::run::{Run, launch_call, launch_shape, prior_launch_call};
use hirace_model::wire::numbers::{GRAPH_STREAM, NESTED_STREAM, RaceFacts};

/// A stream by its number in the records.
fn stream(number: u16) -> Stream {
    match number {
        0 => Stream::Default,
        GRAPH_STREAM => Stream::Graph,
        NESTED_STREAM => Stream::Nested,
        made => Stream::Made(made),
    }
}

/// The work that made the prior and the current access.
fn work(facts: RaceFacts) -> [Work; 2] {
    let of = |in_call, more, special| match (facts.has(in_call), facts.has(more)) {
        (false, _) => Work::Kernel,
        (true, false) => Work::Call,
        (true, true) => special,
    };
    [
        of(
            RaceFacts::PRIOR_IN_CALL,
            RaceFacts::PRIOR_ALLOCATES,
            Work::Allocation,
        ),
        of(
            RaceFacts::CURRENT_IN_CALL,
            RaceFacts::CURRENT_RELEASES,
            Work::Release,
        ),
    ]
}

/// The access of the host. Sets the kernel or the copy of the other one.
pub(super) fn seen_by_host(
    entry: &Entry,
    run: &Run<'_>,
    prior: &mut Access,
    current: Access,
) -> Access {
    let records = run.records;
    (prior.block, prior.thread) = (None, None);
    match records.kernels.get(entry.kernel as usize) {
        Some(kernel) => {
            prior.origin = Some(Origin {
                kernel: kernel.name.clone(),
                stream: stream(entry.streams[0]),
                work: Work::Kernel,
                launch: prior_launch_call(entry, run),
                shape: prior_shape(entry),
            });
        }
        None => prior.actor = Actor::Copy,
    }
    let code = place_of(records.line(entry, entry.host_code));
    by_host(current, Actor::Host, code)
}

/// Sets the launches or calls of the two accesses. Returns the kernel that the race is about.
pub(super) fn place_in_streams(
    entry: &Entry,
    run: &Run<'_>,
    prior: &mut Access,
    current: &mut Access,
) -> u32 {
    let [first, second] = entry.streams.map(stream);
    let [before, now] = work(entry.facts);
    let origin = |index, stream, work, launch, shape| {
        Some(Origin {
            kernel: kernel_name(run.records, index),
            stream,
            work,
            launch,
            shape,
        })
    };
    let this = launch_call(entry, run);
    prior.origin = origin(
        entry.prior_kernel,
        first,
        before,
        prior_launch_call(entry, run),
        prior_shape(entry),
    );
    let shape = launch_shape(entry.grid, entry.block).filter(|_| this.is_some());
    current.origin = origin(entry.kernel, second, now, this, shape);
    if now == Work::Kernel {
        return entry.kernel;
    }
    (current.block, current.thread) = (None, None);
    match before {
        Work::Kernel => entry.prior_kernel,
        _ => entry.kernel,
    }
}

fn prior_shape(entry: &Entry) -> Option<LaunchShape> {
    let grid = &entry.whereabouts.prior_grid;
    let grid = [grid.x, grid.y.into(), grid.z.into()];
    launch_shape(grid, entry.whereabouts.prior_block.array())
}

/// An access of the host.
fn by_host(access: Access, actor: Actor, position: Position) -> Access {
    Access {
        actor,
        position,
        block: None,
        thread: None,
        ..access
    }
}

fn place_of(line: Option<&Line>) -> Position {
    line.map_or_else(Position::default, |it| Position {
        file: Some(it.file.clone()),
        line: Some(it.line),
        ..Position::default()
    })
}
