//! A race: two accesses, and what is known of them.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::place::{Launch, Position};
use crate::records::Spread;

/// Two conflicting accesses that nothing orders.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Race {
    /// The same for the same race in another run, and where its lines have moved; no other
    /// finding of the report has it.
    pub fingerprint: String,
    /// Such as `HR001`.
    pub code: Cow<'static, str>,
    /// What that code stands for.
    pub title: Cow<'static, str>,
    /// The kernel that ran.
    pub kernel: String,
    /// Where the location lies.
    pub space: Space,
    /// The variable at the root of the access.
    pub variable: String,
    /// How far apart the two threads are.
    pub relation: Relation,
    /// Whether something that is not modelled might order the two.
    pub certainty: Certainty,
    /// How often it was seen.
    pub occurrences: u64,
    /// At how many locations of four bytes, which in shared memory are those of one block;
    /// `null` where it is not known.
    #[serde(default)]
    pub locations: Option<Number>,
    /// In how many blocks the accesses were; `null` where it is not known.
    #[serde(default)]
    pub blocks: Option<Number>,
    /// The locations and blocks themselves, where they have just been recorded.
    #[serde(skip)]
    pub spread: Option<Box<Spread>>,
    /// Seeds of the schedules that showed it, first the one that is shown here.
    pub seeds: Vec<u32>,
    /// The prior and the current access, in this order.
    pub accesses: [Access; 2],
    /// The launch in which that was; `null` where it is not known.
    #[serde(default)]
    pub launch: Option<Launch>,
    /// The step of the state machine that found it, as `state,access,sync,relation` in the
    /// letters of `docs/fsm.md`; `null` where it is not known.
    #[serde(default)]
    pub transition: Option<String>,
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
        (places, &self.kernel, self.space, &self.code)
    }
}

/// A number, or the least that it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// The number.
    pub count: u32,
    /// Whether it may be larger.
    pub or_more: bool,
}

impl Number {
    /// `None` for nothing.
    pub(crate) fn of((count, or_more): (u32, bool)) -> Option<Self> {
        (count > 0).then_some(Self { count, or_more })
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
    /// Which of the two happened first in this run.
    pub role: Role,
    /// What it did.
    pub access: AccessKind,
    /// Where it stands in the source; all `null` where the site was not recorded.
    #[serde(flatten)]
    pub position: Position,
    /// The block, where the thread is known.
    pub block: Option<[u32; 3]>,
    /// The thread in its block, where it is known.
    pub thread: Option<[u32; 3]>,
    /// How many bytes it touched, at most 255, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Where its bytes begin, in bytes from where those of the current access do, where that is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<i32>,
    /// The launch that it belongs to, of a race between launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

impl Access {
    /// Its bytes, counted from where the current access begins, where they are known.
    pub(crate) fn bytes(&self) -> Option<Range<i32>> {
        /// What sizes are capped at.
        const MOST: u32 = 255;
        let size = self.size.filter(|&size| size < MOST)?.cast_signed();
        let begin = self.begin?;
        Some(begin..begin + size)
    }
}

/// Which launch an access belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The kernel.
    pub kernel: String,
    /// Where it ran.
    pub stream: Stream,
}

/// A stream, as far as reports tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// The default stream.
    Default,
    /// One that the program made, by the order in which it made them, from 1.
    Made(u16),
    /// A graph with branches that run beside one another.
    Graph,
}

/// Which of the two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one that came first in this run.
    Prior,
    /// The one at which the race was found.
    Current,
}

/// What an access does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// A load and a store, not atomic together.
    Update,
    /// An atomic with the scope of the block.
    BlockAtomic,
    /// An atomic with the scope of the device or wider.
    DeviceAtomic,
    /// A load through `volatile`.
    VolatileRead,
    /// A store through `volatile`.
    VolatileWrite,
}

impl AccessKind {
    /// An atomic operation.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::BlockAtomic | Self::DeviceAtomic)
    }

    /// It may change the location.
    #[must_use]
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::VolatileRead)
    }
}

/// A memory space.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// One copy for each block.
    Shared,
    /// One for the grid.
    Global,
}

/// The smallest group that holds both threads; for different launches there is none.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Different lanes of one warp.
    Warp,
    /// Different warps of one block.
    Block,
    /// Different blocks.
    Grid,
    /// Different launches.
    Launch,
}

/// Whether a race is certain.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Nothing orders the two accesses.
    Definite,
    /// A construct that is not modelled might.
    Possible,
}
