//! The sentences for races of threads that do synchronise, but not in a way that orders the two
//! accesses: what is missing, by the PTX memory model.

mod barrier_objects;

use super::super::model::{Position, Race, Relation};
use super::super::pair::Pair;
use super::{ptx, variable};
use hirace_model::wire::numbers::{RaceCause, RaceFacts};

pub(super) fn reason(pair: Pair<'_>) -> Option<String> {
    if let Some(reason) = barrier_objects::reason(pair) {
        return Some(reason);
    }
    let Parties { writer, reader } = Parties::of(pair);
    let flag = pair.flag.map(Flag::new);
    let (write, read) = flag.map_or_else(Default::default, |it| (it.written(), it.read()));
    let published = match pair.facts.has(RaceFacts::FLAG_WRITTEN_BY_OTHER) {
        true => "(1) and what else it has done",
        false => "what it has done",
    };
    let before = match pair.facts.has(RaceFacts::FLAG_READ_BY_THIRD) {
        true => "before that thread writes a flag in turn",
        false => "before (2)",
    };
    Some(match pair.cause {
        RaceCause::None
        | RaceCause::UnorderedCopy
        | RaceCause::FetchedOwnWrite
        | RaceCause::AfterArrival => return None,
        RaceCause::NotAcquired => format!(
            "{writer} publishes {published} when it writes a flag{write}, and {reader} reads that \
             value{read}; but this read is not an acquire, and no fence follows it {before}"
        ),
        RaceCause::NotReleased => format!(
            "{writer} writes a flag{write} after (1), and {reader} reads that value{read}; but this \
             write publishes nothing: it is not a release, and no fence comes between (1) and it"
        ),
        RaceCause::NarrowScope => format!(
            "the two threads are in different blocks; one writes a flag{write}, and the other \
             reads it{read}, but one of these accesses, or the fence that belongs to it, has \
             block scope and orders only the threads of its block"
        ),
        RaceCause::PendingCopy => ptx::pending_reason(pair).unwrap_or_else(|| {
            "(1) belongs to an asynchronous copy, and nothing that comes before (2) has waited for it"
                .to_owned()
        }),
        RaceCause::OtherLanes => {
            "the two threads are lanes of one warp, and the mask of the last warp barrier before (2) \
             leaves out the lane of (1)"
                .to_owned()
        }
        RaceCause::DifferentBytes => {
            "both accesses are atomic, but only operations on the same bytes are atomic to each other"
                .to_owned()
        }
        RaceCause::AfterRelease => format!(
            "{writer} releases what it has done when it writes a flag{write}, and {reader} reads \
             that value{read}; but (1) comes after that write and is not part of what it releases"
        ),
        RaceCause::OutsideRelease => format!(
            "{writer} releases what it has done when it writes a flag{write}, and {reader} reads \
             that value{read}; but (1) is not part of that: no {} comes between (1) and the release",
            barrier(pair)
        ),
        RaceCause::OutsideAcquire => format!(
            "{writer} releases (1) when it writes a flag{write}, and {reader} acquires it{read}; but \
             no {} comes between that and (2)",
            barrier(pair)
        ),
        RaceCause::LockOrder => format!(
            "this run orders the two accesses only because, after (1), a lock was released{write}, and \
             then taken again{read} before (2); no lock protects both accesses, and if the lock is \
             taken in the other order, nothing orders them"
        ),
    })
}

pub(super) fn help(pair: Pair<'_>) -> Option<String> {
    if let Some(help) = barrier_objects::help(pair) {
        return Some(help);
    }
    let flag = pair.flag.map(Flag::new);
    let (before, after) = flag.as_ref().map_or_else(
        || ("the write of the flag".to_owned(), "its read".to_owned()),
        |flag| {
            let (write, read) = (line(flag.written), line(flag.read));
            (format!("the write{write}"), format!("the read{read}"))
        },
    );
    let (fence, scope) = fence(pair.relation);
    let barrier = barrier(pair);
    let everyone = everyone(pair);
    Some(match pair.cause {
        RaceCause::None
        | RaceCause::UnorderedCopy
        | RaceCause::FetchedOwnWrite
        | RaceCause::AfterArrival => return None,
        RaceCause::NotAcquired => format!(
            "put a `{fence}` right after {after}, or make that an acquire of a \
             `cuda::atomic_ref<T, cuda::{scope}>`: `load(cuda::memory_order_acquire)`, or for a \
             read-modify-write `cuda::memory_order_acq_rel`"
        ),
        RaceCause::NotReleased => format!(
            "put a `{fence}` before {before}, and one after {after}{IF_NOT_ACQUIRE}{OR_ATOMIC_REF}"
        ),
        RaceCause::NarrowScope => {
            "use the scope of the device for the fences and for all accesses of \
             the flag: `__threadfence()` for `__threadfence_block()`, the atomic functions without \
             `_block`, `cuda::thread_scope_device`, `.gpu` in inline PTX"
                .to_owned()
        }
        RaceCause::PendingCopy => ptx::pending_help(pair).unwrap_or_else(|| {
            "wait for the copy before (2): `consumer_wait()` of its pipeline, \
             `wait()` of its barrier, `cg::wait(group)`, `__pipeline_wait_prior(0)` or \
             `cp.async.wait_group`; if other threads read what was copied, a barrier must follow"
                .to_owned()
        }),
        RaceCause::OtherLanes => {
            "name both lanes in the mask, and let both reach the barrier between \
             the two accesses; `__syncwarp()` without a mask names all lanes"
                .to_owned()
        }
        RaceCause::DifferentBytes => {
            "access the location by atomic operations of one size, at one address".to_owned()
        }
        RaceCause::AfterRelease => {
            let between = match pair.facts.has(RaceFacts::FLAG_WRITTEN_BY_OTHER) {
                true => format!(", with a {barrier} in between if another thread writes the flag"),
                false => String::new(),
            };
            format!(
                "move (1) before {before}{between}; if it must come after it, release it by another \
                 write that the thread of (2) acquires before (2); if (1) is meant to come after (2), put \
                 a {barrier} after (2), before the flag that tells of it is written, or before (1), after \
                 that flag is read"
            )
        }
        RaceCause::OutsideRelease => format!(
            "put a {barrier} that {everyone} reaches between (1) and {before}, before the fence if \
             one belongs to it"
        ),
        RaceCause::OutsideAcquire => format!(
            "put a {barrier} that {everyone} reaches between {after} and (2), after the fence if one \
             belongs to it"
        ),
        RaceCause::LockOrder => {
            let lock = lock(pair).map_or_else(|| "one lock".to_owned(), |it| format!("`{it}`"));
            format!(
                "hold {lock} at both accesses, if that protects {}; or let the thread of (2) wait for \
                 a flag that the thread of (1) releases after (1); `--explore 16` looks for a schedule \
                 that shows the race",
                variable(pair)
            )
        }
    })
}

/// A part of the help for a write that is no release.
const IF_NOT_ACQUIRE: &str = " if that read is not an acquire";

/// The alternative for a write that is no release.
const OR_ATOMIC_REF: &str =
    "; or use a `cuda::atomic_ref` with `memory_order_release` and `memory_order_acquire`";

impl Race {
    /// Whether its help leaves open whether the read of the flag is an acquire.
    #[must_use]
    pub fn lacks_acquire(&self) -> bool {
        self.help.contains(IF_NOT_ACQUIRE)
    }

    /// Says in its help that the write of the flag names its order, `memory_order_relaxed`.
    pub fn say_that_relaxed(&mut self) {
        let stronger = "; or give that write the order `memory_order_release`";
        self.help = self.help.replacen(OR_ATOMIC_REF, stronger, 1);
    }

    /// Says in its help whether the read of the flag is an acquire.
    pub fn say_whether_acquired(&mut self, is_acquire: bool) {
        self.help = match (is_acquire, self.help.split_once(", and one after ")) {
            (true, Some((release, acquire))) => {
                let rest = acquire.split_once(IF_NOT_ACQUIRE).map_or("", |(_, it)| it);
                format!("{release}{rest}")
            }
            _ => self
                .help
                .replacen(IF_NOT_ACQUIRE, ", which is not an acquire", 1),
        };
    }
}

/// The lock whose order orders the two accesses.
fn lock(pair: Pair<'_>) -> Option<&str> {
    let [_, taken] = pair.flag?;
    taken.variable.as_deref().filter(|it| !it.is_empty())
}

/// A fence that reaches both threads, and the scope of such an atomic object.
fn fence(relation: Relation) -> (&'static str, &'static str) {
    match relation {
        Relation::Warp | Relation::Block => ("__threadfence_block()", "thread_scope_block"),
        Relation::Grid | Relation::Launch | Relation::Host => {
            ("__threadfence()", "thread_scope_device")
        }
    }
}

/// Whether one thread writes or reads a flag for its warp, and not for its block.
fn is_for_warp(pair: Pair<'_>) -> bool {
    let is_outside = matches!(
        pair.cause,
        RaceCause::OutsideRelease | RaceCause::OutsideAcquire
    );
    match pair.relation {
        Relation::Warp | Relation::Block => true,
        _ => is_outside && !pair.facts.has(RaceFacts::FLAG_IN_OTHER_WARP),
    }
}

/// The barrier of the group for which one thread writes or reads a flag.
fn barrier(pair: Pair<'_>) -> &'static str {
    match is_for_warp(pair) {
        true => "`__syncwarp()`",
        false => "`__syncthreads()`",
    }
}

/// Those who must reach it.
fn everyone(pair: Pair<'_>) -> &'static str {
    match is_for_warp(pair) {
        true => "every lane of the warp",
        false => "every thread of the block",
    }
}

/// Who writes the flag, and who reads it.
struct Parties {
    writer: &'static str,
    reader: &'static str,
}

impl Parties {
    fn of(pair: Pair<'_>) -> Self {
        // Where a barrier of a warp is missing on one side, that says nothing of the other.
        let near = matches!(pair.relation, Relation::Warp | Relation::Block);
        let in_warp = |side| near || (pair.cause == side && is_for_warp(pair));
        let writes_in_warp = in_warp(RaceCause::OutsideRelease);
        let writer = match (
            pair.facts.has(RaceFacts::FLAG_WRITTEN_BY_OTHER),
            writes_in_warp,
        ) {
            _ if pair.facts.has(RaceFacts::FLAG_WRITTEN_BY_THIRD) => "a third thread",
            (false, _) => "the thread of (1)",
            (true, true) => "a lane of the warp of (1)",
            (true, false) => "a thread of the block of (1)",
        };
        let reads_in_warp = in_warp(RaceCause::OutsideAcquire);
        let reader = match (pair.facts.has(RaceFacts::FLAG_READ_BY_OTHER), reads_in_warp) {
            _ if pair.facts.has(RaceFacts::FLAG_READ_BY_THIRD) => {
                "a third thread, which the thread of (2) waits for,"
            }
            (false, _) => "the thread of (2)",
            (true, true) => "a lane of the warp of (2)",
            (true, false) => "a thread of the block of (2)",
        };
        Self { writer, reader }
    }
}

/// A flag: where it is written and read.
#[derive(Clone, Copy)]
struct Flag<'a> {
    written: &'a Position,
    read: &'a Position,
}

impl<'a> Flag<'a> {
    fn new([written, read]: &'a [Position; 2]) -> Self {
        Self { written, read }
    }
    /// What is written, and where: "(`*flag` on line 5)".
    fn written(&self) -> String {
        Self::place(self.written)
    }
    fn read(&self) -> String {
        Self::place(self.read)
    }
    fn place(position: &Position) -> String {
        match &position.text {
            Some(text) => format!(
                " (`{}`{})",
                ptx::opcode(text).unwrap_or(text),
                line(position)
            ),
            None => line(position),
        }
    }
}

fn line(position: &Position) -> String {
    position
        .line
        .map_or_else(String::new, |line| format!(" on line {line}"))
}
