//! A race: two accesses, and what is known of them.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::place::{Element, Launch, LaunchCall, LaunchShape, Memory, Position, Process, Sighting};
use crate::records::Spread;
use hirace_model::wire::numbers::{AccessKind, RaceScope, Space};

/// Two conflicting unordered accesses.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Race {
    /// Identifies the race in other runs, even if its lines have moved; unique in the report.
    pub fingerprint: String,
    /// Such as `HR001`.
    pub code: Cow<'static, str>,
    /// The title of that code.
    pub title: Cow<'static, str>,
    /// The kernel that ran; a function of the runtime or of a library if no kernel took part.
    pub kernel: String,
    /// The memory space of the location.
    pub space: Space,
    /// The variable at the root of the access.
    pub variable: String,
    /// The relation of the two threads.
    pub relation: RaceScope,
    /// Whether something that is not modelled may order the two, or this schedule did.
    pub certainty: Certainty,
    /// Number of occurrences.
    pub occurrences: u64,
    /// Number of addresses of four bytes, which in shared memory are those of one block; `null` if
    /// it is unknown.
    #[serde(default)]
    pub locations: Option<Number>,
    /// Number of blocks of the accesses; `null` if it is unknown.
    #[serde(default)]
    pub blocks: Option<Number>,
    /// The locations and blocks themselves, if they were just recorded.
    #[serde(skip)]
    pub spread: Option<Box<Spread>>,
    /// Seeds of the schedules that showed it, starting with the one shown here.
    pub seeds: Vec<u32>,
    /// The prior and the current access, in this order.
    pub accesses: [Access; 2],
    /// The launch of the race; `null` if it is unknown.
    #[serde(default)]
    pub launch: Option<Launch>,
    /// The process that showed it first; `null` if there was only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
    /// The memory that the current access of the two shown touched; `null` if it is unknown.
    #[serde(default)]
    pub element: Option<Element>,
    /// Other memory in which it was seen, and other instances of the kernel: some of them if there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Sighting>,
    /// The transition of the state machine that found it, as `state,access,sync,relation` in the
    /// letters of `docs/fsm.md`; `null` if it is unknown.
    #[serde(default)]
    pub transition: Option<String>,
    /// Where the flag by which the two threads seem to synchronise is written and read; `null` if
    /// none is known.
    #[serde(default)]
    pub flag: Option<[Position; 2]>,
    /// Why the two are unordered, as a sentence.
    pub reason: String,
    /// What would order them, or make the order irrelevant.
    pub help: String,
}

impl Race {
    /// Sorts by the earlier of the two places, then the later one.
    pub(crate) fn order(&self) -> impl Ord + '_ {
        let mut places = self.accesses.each_ref().map(|access| {
            let place = &access.position;
            (place.file.is_none(), &place.file, place.line, place.column)
        });
        places.sort();
        let variable = self.variable_accessed();
        (places, &self.kernel, self.space, &self.code, variable)
    }

    /// The memory in words: `` `tile` (as `p`) `` if a parameter, a reference or a member stands for the variable where
    /// it is accessed; `None` if neither has a name.
    #[must_use]
    pub fn memory(&self) -> Option<String> {
        match (self.variable_accessed(), self.variable.as_str()) {
            (None, "") => None,
            (Some(name), "") => Some(format!("`{name}`")),
            (Some(name), other) if name != other => Some(format!("`{name}` (as `{other}`)")),
            (_, name) => Some(format!("`{name}`")),
        }
    }

    /// What is shown of it, in the form of the other places where it was seen.
    pub(crate) fn sighting(&self) -> Sighting {
        let [_, shown] = &self.accesses;
        let position = &shown.position;
        let outermost = position.calls.last().map(|it| &it.function);
        let instance = outermost.or(position.instance.as_ref());
        let element = self.element.as_ref();
        let allocated = element.and_then(|it| Some((it.bytes, it.file.clone()?, it.line?)));
        Sighting {
            instance: instance.filter(|it| it.contains('<')).cloned(),
            parameter: element.and_then(|it| it.variable.clone().filter(|_| it.text.is_none())),
            memory: allocated.map(|(bytes, file, line)| Memory { bytes, file, line }),
            launch: self.launch.as_ref().and_then(|it| it.call.clone()),
            calls: position.calls.clone(),
        }
    }

    /// The variable in memory, if it has a name: one expression may access several.
    pub(crate) fn variable_accessed(&self) -> Option<&str> {
        self.element.as_ref()?.variable.as_deref()
    }
}

/// A number, or a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// The number.
    pub count: u32,
    /// Whether it may be larger.
    pub or_more: bool,
}

impl Number {
    /// `None` for zero.
    pub(crate) fn of((count, or_more): (u32, bool)) -> Option<Self> {
        (count > 0).then_some(Self { count, or_more })
    }

    /// The number of parts, of which each has so many.
    pub(crate) fn times(self, parts: u32) -> Self {
        Self {
            count: self.count.saturating_mul(parts),
            ..self
        }
    }

    /// The number for two runs together: at least the larger of the two.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            count: self.count.max(other.count),
            or_more: true,
        }
    }
}

/// One end of a race.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// Whether it happened first in this run.
    pub role: Role,
    /// The kind of access.
    pub access: AccessKind,
    /// Its place in the source; all `null` if the site was not recorded.
    #[serde(flatten)]
    pub position: Position,
    /// The block, if the thread is known.
    pub block: Option<[u32; 3]>,
    /// The thread in its block, if it is known.
    pub thread: Option<[u32; 3]>,
    /// Number of bytes, at most 255, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Its first byte, relative to that of the current access, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<i32>,
    /// Its launch, for a race between launches or with the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Actor::is_thread")]
    pub actor: Actor,
    /// Whether a `volatile-read` or `volatile-write` is a load or store of an atomic object, such as
    /// `cuda::atomic`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_atomic_object: bool,
}

/// Who made an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// A thread of a kernel.
    #[default]
    Thread,
    /// Host code.
    Host,
    /// An asynchronous copy or fill that the host asked for.
    Copy,
}

impl Actor {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    fn is_thread(&self) -> bool {
        *self == Self::Thread
    }
}

impl Access {
    /// Its bytes, relative to the first byte of the current access, if known.
    pub(crate) fn bytes(&self) -> Option<Range<i32>> {
        /// The maximum of recorded sizes.
        const MAX_RECORDED: u32 = 255;
        let size = self.size.filter(|&size| size < MAX_RECORDED)?.cast_signed();
        let begin = self.begin?;
        Some(begin..begin + size)
    }
}

/// The launch, or other work in a stream, that made an access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The kernel, or the function that the host called.
    pub kernel: String,
    /// Where it ran.
    pub stream: Stream,
    /// What it was.
    #[serde(default)]
    pub work: Work,
    /// Which launch it was; `null` for other work, and if it is unknown.
    #[serde(default)]
    pub launch: Option<LaunchCall>,
    /// The shape of that launch; `null` likewise.
    #[serde(default)]
    pub shape: Option<LaunchShape>,
}

/// Work in a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// A kernel.
    #[default]
    Kernel,
    /// A function of the runtime or of a library.
    Call,
    /// A function that allocates the memory.
    Allocation,
    /// A function that releases the memory.
    Release,
}

impl Race {
    /// Whether one of its accesses was made by a kernel.
    pub(crate) fn is_in_kernel(&self) -> bool {
        let work = |access: &Access| access.origin.as_ref().map(|it| it.work);
        self.accesses
            .iter()
            .any(|it| work(it).is_none_or(|work| work == Work::Kernel))
    }
}

/// A stream, as far as reports distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// The default stream.
    Default,
    /// A stream that the program created, by the order of creation, from 1.
    Made(u16),
    /// A graph with branches that run in parallel.
    Graph,
    /// That of a launch by the host, with the launches by its kernels.
    Nested,
}

/// One of the two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one that came first in this run.
    Prior,
    /// The one at which the race was found.
    Current,
}

/// Whether a race is certain.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Nothing orders the two accesses.
    Definite,
    /// A construct that is not modelled may order them, or only other schedules show the race (HR016).
    Possible,
}
