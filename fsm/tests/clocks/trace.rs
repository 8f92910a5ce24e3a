//! Random traces: what the threads of a grid do to a few locations, in one order.

use std::fmt;

use hirace_fsm::Access;
use hirace_fsm::check::Shape;
use hirace_fsm::word::{Size, Widths};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::truth::Truth;

/// Locations in global memory.
pub const GLOBAL: usize = 3;
/// Slots of shared memory, which blocks take over from one another; on a GPU each has its own.
pub const SHARED: usize = 2;
/// All locations, the global ones first.
pub const LOCATIONS: usize = GLOBAL + SHARED;

/// The maximum number of launches before a trace, and in it. Together they exceed the epochs of
/// the smaller word, after which the device clears all words and starts again with the first
/// epoch, and sometimes those of the larger one.
const MAX_LAUNCHES: u32 = 130;

/// One event. Threads, warps and blocks are numbered through the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A thread accesses a location.
    Access {
        thread: usize,
        location: usize,
        access: Access,
    },
    /// All threads of a warp pass `__syncwarp()`.
    SyncWarp(usize),
    /// All threads of a block pass `__syncthreads()`.
    SyncThreads(usize),
    /// The kernel ends, and the same grid is launched again.
    NextLaunch,
}

impl Event {
    pub const fn is_access(&self) -> bool {
        matches!(self, Self::Access { .. })
    }
}

/// How the word is divided into fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// As the CPU executor chooses for the number of blocks.
    Cpu,
    /// As a configuration of the CPU executor requests: clocks with so few bits overflow.
    Asked { block_clock: u32, warp_clock: u32 },
    /// As the GPU backend does.
    Gpu,
}

/// A grid and what happens in it.
#[derive(Clone, Debug)]
pub struct Trace {
    pub shape: Shape,
    pub size: Size,
    pub split: Split,
    /// The number of launches before the first one.
    pub launches_before: u32,
    pub events: Vec<Event>,
}

impl Trace {
    pub fn widths(&self) -> Widths {
        let threads = self.shape.warps_per_block() << 5;
        let chosen = Widths::for_launch(self.size, self.shape.blocks(), threads);
        let chosen = chosen.expect("a word of any size holds every shape");
        match self.split {
            Split::Cpu => chosen,
            Split::Asked {
                block_clock,
                warp_clock,
            } => Widths {
                block_clock,
                warp_clock,
                ..chosen
            },
            Split::Gpu => Widths::gpu(self.size),
        }
    }
}

/// Such as "2x2x2: t0:R, syncthreads b0, t0:GA".
impl fmt::Display for Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.shape)?;
        match self.split {
            Split::Cpu => {}
            Split::Asked {
                block_clock,
                warp_clock,
            } => write!(
                formatter,
                " with {block_clock} and {warp_clock} bits of clocks"
            )?,
            Split::Gpu => formatter.write_str(" on a GPU")?,
        }
        if self.size == Size::Four {
            formatter.write_str(" in four bytes")?;
        }
        if self.launches_before > 0 {
            write!(formatter, " after {} launches", self.launches_before)?;
        }
        let one_location = self.events.iter().all(|event| match event {
            Event::Access { location, .. } => *location == 0,
            _ => true,
        });
        let repeats = self.events.chunk_by(|one, next| one == next);
        for (index, events) in repeats.enumerate() {
            formatter.write_str(if index == 0 { ": " } else { ", " })?;
            match events[0] {
                Event::Access {
                    thread,
                    location,
                    access,
                } => {
                    write!(formatter, "t{thread}:{access}")?;
                    if location >= GLOBAL {
                        write!(formatter, " shared{}", location - GLOBAL)?;
                    } else if !one_location {
                        write!(formatter, " global{location}")?;
                    }
                }
                Event::SyncWarp(warp) => write!(formatter, "syncwarp w{warp}")?,
                Event::SyncThreads(block) => write!(formatter, "syncthreads b{block}")?,
                Event::NextLaunch => formatter.write_str("next launch")?,
            }
            if events.len() > 1 {
                write!(formatter, " ({} times)", events.len())?;
            }
        }
        Ok(())
    }
}

/// How often each thing happens in a trace.
#[derive(Clone, Debug)]
struct Mix {
    /// Weights of the four accesses, the two barriers and a new launch.
    weights: [u32; 7],
    /// Of 256 accesses that would race, how many are omitted: a race ends the history of its
    /// location.
    careful: u8,
}

/// Random numbers that determine an event in any grid.
type Draw = (u16, u8, u8, u8);

/// Traces of up to `length` events.
///
/// Grid, mix and events are drawn independently, and every draw is an event in every grid. So a
/// failing trace shrinks event by event.
pub fn traces(length: usize) -> impl Strategy<Value = Trace> {
    let draws = vec(any::<Draw>(), 1..=length);
    let sizes = prop_oneof![Just(Size::Eight), Just(Size::Four)];
    let words = (sizes, splits());
    (shapes(), words, 0..=MAX_LAUNCHES, mixes(), draws).prop_map(
        |(shape, (size, split), launches_before, mix, draws)| {
            let fits = split != Split::Gpu || fits_gpu(shape, size);
            let split = if fits { split } else { Split::Cpu };
            Trace {
                shape,
                size,
                split,
                launches_before,
                events: events(shape, split, &mix, &draws),
            }
        },
    )
}

/// Small grids, and some with a full warp or with many blocks or warps.
fn shapes() -> impl Strategy<Value = Shape> {
    let sizes = 1..=4_usize;
    let small = (sizes.clone(), sizes.clone(), sizes)
        .prop_filter_map("too many threads", |(blocks, warps, threads)| {
            Shape::new(blocks, warps, threads).ok()
        });
    let large = [
        (1, 1, 32),
        (1, 2, 16),
        (2, 1, 16),
        (2, 2, 8),
        (1, 32, 1),
        (32, 1, 1),
        (16, 2, 1),
        (5, 3, 2),
    ];
    let large = large.map(|(blocks, warps, threads)| {
        Shape::new(blocks, warps, threads).expect("not too many threads")
    });
    prop_oneof![9 => small, 1 => select(large.to_vec())]
}

/// Whether the GPU's word can store all thread numbers.
fn fits_gpu(shape: Shape, size: Size) -> bool {
    shape.warps_per_block() << 5 <= 1 << Widths::gpu(size).thread
}

fn splits() -> impl Strategy<Value = Split> {
    let asked = (1..=4_u32, 1..=4_u32).prop_map(|(block_clock, warp_clock)| Split::Asked {
        block_clock,
        warp_clock,
    });
    prop_oneof![4 => Just(Split::Cpu), 1 => asked, 3 => Just(Split::Gpu)]
}

fn mixes() -> impl Strategy<Value = Mix> {
    let access = || select(vec![0_u32, 20, 50, 200]);
    let reads = select(vec![50_u32, 200, 400]);
    let accesses = (reads, access(), access(), access());
    let barrier = || select(vec![0_u32, 10, 40, 150]);
    let launch = select(vec![0_u32, 1, 5]);
    let careful = select(vec![0_u8, 128, 220, 250]);
    (accesses, barrier(), barrier(), launch, careful).prop_map(
        |((read, write, block_atomic, grid_atomic), warp, block, launch, careful)| Mix {
            weights: [read, write, block_atomic, grid_atomic, warp, block, launch],
            careful,
        },
    )
}

fn events(shape: Shape, split: Split, mix: &Mix, draws: &[Draw]) -> Vec<Event> {
    let mut truth = Truth::new(shape, split);
    let mut launches = 0;
    let mut events = Vec::with_capacity(draws.len());
    for &(what, thread, place, care) in draws {
        let thread = usize::from(thread) % shape.threads();
        let event = match pick(&mix.weights, what) {
            4 => Event::SyncWarp(shape.warp_of(thread)),
            5 => Event::SyncThreads(shape.block_of(thread)),
            6 => Event::NextLaunch,
            access => Event::Access {
                thread,
                location: location(shape, thread, usize::from(place)),
                access: Access::ALL[access],
            },
        };
        if event == Event::NextLaunch {
            launches += 1;
            if launches > MAX_LAUNCHES {
                continue;
            }
        }
        if care < mix.careful && truth.races(event).is_some() {
            continue;
        }
        truth.pass(event);
        events.push(event);
    }
    events
}

/// A location that the thread can access: two blocks have a slot each; more blocks share them.
fn location(shape: Shape, thread: usize, draw: usize) -> usize {
    match draw % (GLOBAL + 1) {
        GLOBAL => GLOBAL + shape.block_of(thread) % SHARED,
        global => global,
    }
}

/// The index of a weight, chosen in proportion.
fn pick(weights: &[u32], draw: u16) -> usize {
    let total: u32 = weights.iter().sum();
    let mut left = (total * u32::from(draw)) >> u16::BITS;
    weights
        .iter()
        .position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
        .expect("the draw is less than the total")
}
