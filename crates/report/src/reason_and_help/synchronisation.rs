//! The sentences for races of threads that do synchronise, but not in a way that orders the two
//! accesses: what is missing, by the PTX memory model.

use super::super::model::{Position, Relation};
use super::super::pair::Pair;
use hirace_model::wire::numbers::RaceCause;

pub(super) fn reason(pair: Pair<'_>) -> Option<String> {
    let flag = pair.flag.map(Flag::new);
    Some(match pair.cause {
        RaceCause::None => return None,
        RaceCause::NotAcquired => {
            let (write, read) = flag.map_or_else(Default::default, |it| (it.written(), it.read()));
            format!(
                "the thread of (1) publishes what it has done when it writes a flag{write}, and the \
                 thread of (2) reads that value{read}; but this read is not an acquire, and no fence \
                 follows it"
            )
        }
        RaceCause::NotReleased => {
            let (write, read) = flag.map_or_else(Default::default, |it| (it.written(), it.read()));
            format!(
                "the thread of (1) writes a flag{write} after (1), and the thread of (2) reads that \
                 value{read}; but this write publishes nothing: it is not a release, and no fence \
                 comes between (1) and it"
            )
        }
        RaceCause::NarrowScope => {
            let (write, read) = flag.map_or_else(Default::default, |it| (it.written(), it.read()));
            format!(
                "the two threads are in different blocks; the one writes a flag{write}, and the \
                 other reads it{read}, but one of these accesses, or the fence that belongs to it, \
                 has block scope and orders only the threads of its block"
            )
        }
        RaceCause::PendingCopy => {
            "(1) belongs to an asynchronous copy, and nothing that comes before (2) has waited for it"
                .to_owned()
        }
        RaceCause::OtherLanes => {
            "the two threads are lanes of one warp, and the mask of the last warp barrier before (2) \
             leaves out the lane of (1)"
                .to_owned()
        }
        RaceCause::DifferentBytes => {
            "both accesses are atomic, but only operations on the same bytes are atomic to each other"
                .to_owned()
        }
    })
}

pub(super) fn help(pair: Pair<'_>) -> Option<String> {
    let flag = pair.flag.map(Flag::new);
    let (before, after) = flag.as_ref().map_or_else(
        || ("the write of the flag".to_owned(), "its read".to_owned()),
        |flag| {
            let (write, read) = (line(flag.written), line(flag.read));
            (format!("the write{write}"), format!("the read{read}"))
        },
    );
    let (fence, scope) = fence(pair.relation);
    Some(match pair.cause {
        RaceCause::None => return None,
        RaceCause::NotAcquired => format!(
            "put a `{fence}` after {after}, or make that read an acquire, such as \
             `cuda::atomic_ref<T, cuda::{scope}>(flag).load(cuda::memory_order_acquire)`"
        ),
        RaceCause::NotReleased => format!(
            "put a `{fence}` before {before}, and one after {after} if that read is no acquire; or \
             use a `cuda::atomic_ref` with `memory_order_release` and `memory_order_acquire`"
        ),
        RaceCause::NarrowScope => {
            "use the scope of the device for the fences and for all accesses of \
             the flag: `__threadfence()` for `__threadfence_block()`, the atomic functions without \
             `_block`, `cuda::thread_scope_device`, `.gpu` in inline PTX"
                .to_owned()
        }
        RaceCause::PendingCopy => {
            "wait for the copy before (2): `consumer_wait()` of its pipeline, \
             `wait()` of its barrier, `cg::wait(group)`, `__pipeline_wait_prior(0)` or \
             `cp.async.wait_group`; where other threads read what was copied, a barrier must follow"
                .to_owned()
        }
        RaceCause::OtherLanes => {
            "name both lanes in the mask, and let both reach the barrier between \
             the two accesses; `__syncwarp()` without a mask names all lanes"
                .to_owned()
        }
        RaceCause::DifferentBytes => {
            "access the location by atomic operations of one size, at one address".to_owned()
        }
    })
}

/// A fence that reaches both threads, and the scope of such an atomic object.
fn fence(relation: Relation) -> (&'static str, &'static str) {
    match relation {
        Relation::Warp | Relation::Block => ("__threadfence_block()", "thread_scope_block"),
        Relation::Grid | Relation::Launch => ("__threadfence()", "thread_scope_device"),
    }
}

/// A flag: where it is written and read.
struct Flag<'a> {
    written: &'a Position,
    read: &'a Position,
}

impl<'a> Flag<'a> {
    fn new([written, read]: &'a [Position; 2]) -> Self {
        Self { written, read }
    }
    /// What is written, and where: "(`*flag` in line 5)".
    fn written(&self) -> String {
        Self::place(self.written)
    }
    fn read(&self) -> String {
        Self::place(self.read)
    }
    fn place(position: &Position) -> String {
        match &position.text {
            Some(text) => format!(" (`{text}`{})", line(position)),
            None => line(position),
        }
    }
}

fn line(position: &Position) -> String {
    position
        .line
        .map_or_else(String::new, |line| format!(" in line {line}"))
}
