//! The races of a run by the definition, from a log of its accesses and barriers.
//!
//! Two accesses of a launch race if they are by different threads, have a byte in common, at least one of them writes,
//! not both are strong, and no barrier orders them. Threads of a block are ordered by barriers of the block: one has
//! passed more of them than the other. Lanes of a warp are also ordered by barriers of the warp since the last one of
//! the block. Blocks are not ordered, and launches in one stream are.
//!
//! Nothing else orders accesses here: neither values that atomic operations pass on nor fences. So the order engine may
//! find fewer races, but none that is not among these.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two lines, the smaller one first.
pub type Pair = [u32; 2];

/// The races of a kernel in all of its launches.
#[derive(Debug, Default)]
pub struct Kernel {
    /// For each racy location, the pairs of lines that race there. Locations with the same pairs count once.
    pub locations: BTreeSet<BTreeSet<Pair>>,
    /// Whether it has atomic or `volatile` accesses, which may order others.
    pub has_strong: bool,
}

impl Kernel {
    /// All pairs of lines that race.
    pub fn pairs(&self) -> BTreeSet<&Pair> {
        self.locations.iter().flatten().collect()
    }
}

/// The size of an event in the log, `Event` in `trace.h`.
const EVENT: usize = 24;

/// Threads in a warp.
const WARP: u16 = 32;

/// An event of the log.
struct Event {
    address: u64,
    line: u32,
    thread: Thread,
    size: u8,
    kind: u8,
    is_shared: bool,
}

/// A block and a thread in it.
type Thread = (u16, u16);

impl Event {
    fn of(bytes: &[u8]) -> Self {
        let number = |from: usize, to: usize| {
            let digits = bytes[from..to].iter().rev();
            digits.fold(0_u64, |sum, &it| (sum << 8) | u64::from(it))
        };
        Self {
            address: number(0, 8),
            line: number(8, 12) as u32,
            thread: (number(12, 14) as u16, number(14, 16) as u16),
            size: bytes[16],
            kind: bytes[17],
            is_shared: bytes[18] != 0,
        }
    }
}

/// An access without its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Access {
    thread: Thread,
    clock: Clock,
    kind: u8,
    line: u32,
}

/// Barriers that a thread has passed: those of the block, and those of the warp since the last one of the block.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Clock {
    block: u32,
    warp: u32,
}

impl Access {
    fn writes(&self) -> bool {
        matches!(self.kind, b'w' | b'u' | b'a')
    }

    fn is_strong(&self) -> bool {
        matches!(self.kind, b'a' | b'v')
    }

    fn races_with(&self, other: &Self) -> bool {
        self.thread != other.thread
            && (self.writes() || other.writes())
            && !(self.is_strong() && other.is_strong())
            && !self.is_ordered_with(other)
    }

    fn is_ordered_with(&self, other: &Self) -> bool {
        let same_block = self.thread.0 == other.thread.0;
        let same_warp = same_block && self.thread.1 / WARP == other.thread.1 / WARP;
        same_block && self.clock.block != other.clock.block
            || same_warp && self.clock.warp != other.clock.warp
    }
}

/// One launch.
#[derive(Default)]
struct Launch {
    clocks: HashMap<Thread, Clock>,
    /// The different accesses, and their numbers.
    accesses: Vec<Access>,
    numbers: HashMap<Access, usize>,
    /// The accesses to each byte; shared memory is that of a block.
    bytes: HashMap<(Option<u16>, u64), BTreeSet<usize>>,
}

impl Launch {
    fn add(&mut self, event: &Event) {
        let clock = self.clocks.entry(event.thread).or_default();
        match event.kind {
            b'b' => {
                clock.block += 1;
                clock.warp = 0;
            }
            b'y' => clock.warp += 1,
            kind => {
                let access = Access {
                    thread: event.thread,
                    clock: *clock,
                    kind,
                    line: event.line,
                };
                let number = *self.numbers.entry(access).or_insert_with(|| {
                    self.accesses.push(access);
                    self.accesses.len() - 1
                });
                let block = event.is_shared.then_some(event.thread.0);
                for byte in event.address..event.address + u64::from(event.size) {
                    self.bytes.entry((block, byte)).or_default().insert(number);
                }
            }
        }
    }

    /// Adds what races to what is known of the kernel.
    fn judge(&self, kernel: &mut Kernel) {
        kernel.has_strong |= self.accesses.iter().any(Access::is_strong);
        // The bytes of an element have the same accesses.
        let sets: BTreeSet<&BTreeSet<usize>> = self.bytes.values().collect();
        for set in sets {
            let all: Vec<&Access> = set.iter().map(|&it| &self.accesses[it]).collect();
            let mut pairs = BTreeSet::new();
            for one in all.iter().filter(|it| it.writes()) {
                for other in all.iter().filter(|it| one.races_with(it)) {
                    let mut pair = [one.line, other.line];
                    pair.sort_unstable();
                    pairs.insert(pair);
                }
            }
            if !pairs.is_empty() {
                kernel.locations.insert(pairs);
            }
        }
    }
}

/// The races of each kernel, by its number.
pub fn kernels(log: &[u8]) -> BTreeMap<u32, Kernel> {
    let mut kernels: BTreeMap<u32, Kernel> = BTreeMap::new();
    let mut current = None;
    for event in log.chunks_exact(EVENT).map(Event::of) {
        if event.kind == b'l' {
            if let Some((number, launch)) = current.replace((event.line, Launch::default())) {
                Launch::judge(&launch, kernels.entry(number).or_default());
            }
        } else if let Some((_, launch)) = &mut current {
            launch.add(&event);
        }
    }
    if let Some((number, launch)) = current {
        launch.judge(kernels.entry(number).or_default());
    }
    kernels
}
