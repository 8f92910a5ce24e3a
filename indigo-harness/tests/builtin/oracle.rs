//! The truth about a run, from a record of all its accesses and barriers.
//!
//! `trace.h` writes the record. It is judged by the definition of a race, without hirace's state
//! machine: all accesses to every byte, and vector clocks (`hirace_fsm::history`).

use std::collections::HashMap;

use hirace_fsm::Access;
use hirace_fsm::check::Shape;
use hirace_fsm::history::{History, VectorClocks};

/// Lanes of a warp: the history is kept for up to 32 threads.
pub const LANES: u32 = 4;
/// Threads of a block, and blocks.
pub const SHAPE: (u32, u32) = (8, 4);

/// A byte of memory; shared memory has the block's number.
type Place = (Option<usize>, u64);

struct Launch {
    epoch: u32,
    shape: Shape,
    clocks: VectorClocks,
    histories: HashMap<Place, History>,
    /// How many barriers of its block, and of its warp, each thread has reached.
    blocks: Vec<usize>,
    warps: Vec<usize>,
}

/// Whether two accesses of the recorded run race.
///
/// # Errors
/// The record is not of its form.
pub fn races(trace: &str) -> Result<bool, String> {
    let mut launch: Option<Launch> = None;
    let mut raced = false;
    for line in trace.lines() {
        let event = Event::parse(line).ok_or_else(|| format!("no event: `{line}`"))?;
        let current = match launch.take() {
            Some(current) if current.epoch == event.epoch => current,
            // Everything in earlier launches happens before this one.
            _ => Launch::new(&event)?,
        };
        raced |= launch.insert(current).step(&event)?;
    }
    match launch {
        Some(_) => Ok(raced),
        None => Err("nothing was recorded".into()),
    }
}

struct Event<'a> {
    epoch: u32,
    blocks: usize,
    threads: usize,
    block: usize,
    thread: usize,
    what: Vec<&'a str>,
}

impl<'a> Event<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split(' ');
        Some(Self {
            epoch: words.next()?.parse().ok()?,
            blocks: words.next()?.parse().ok()?,
            threads: words.next()?.parse().ok()?,
            block: words.next()?.parse().ok()?,
            thread: words.next()?.parse().ok()?,
            what: words.collect(),
        })
    }
}

impl Launch {
    fn new(event: &Event<'_>) -> Result<Self, String> {
        let lanes = LANES as usize;
        let shape = Shape::new(event.blocks, event.threads / lanes, lanes);
        let shape = shape.map_err(|_| "a launch of another shape")?;
        Ok(Self {
            epoch: event.epoch,
            shape,
            clocks: VectorClocks::new(shape.threads()),
            histories: HashMap::new(),
            blocks: vec![0; shape.threads()],
            warps: vec![0; shape.threads()],
        })
    }

    /// Whether the event races with one before.
    fn step(&mut self, event: &Event<'_>) -> Result<bool, String> {
        let shape = self.shape;
        let thread = event.block * event.threads + event.thread;
        match event.what.as_slice() {
            ["b"] => {
                let members = shape.block_threads(event.block);
                self.blocks[thread] += 1;
                let reached = self.blocks[thread];
                // When the last thread arrives, all of them continue.
                if self.blocks[members.clone()]
                    .iter()
                    .all(|&count| count == reached)
                {
                    self.clocks.barrier(members);
                }
                Ok(false)
            }
            ["w"] => {
                let members = shape.warp_threads(shape.warp_of(thread));
                self.warps[thread] += 1;
                let reached = self.warps[thread];
                if self.warps[members.clone()]
                    .iter()
                    .all(|&count| count == reached)
                {
                    self.clocks.barrier(members);
                }
                Ok(false)
            }
            ["a", kind, space, address, size] => {
                let access = match *kind {
                    "0" => Access::Read,
                    "1" | "4" => Access::Write,
                    "2" => Access::BlockAtomic,
                    "3" => Access::GridAtomic,
                    _ => return Err(format!("an access of kind {kind}")),
                };
                let number = |text: &str| text.parse::<u64>().map_err(|it| it.to_string());
                let (address, size) = (number(address)?, number(size)?);
                let owner = (*space == "s").then_some(event.block);
                let now = self.clocks.tick(thread);
                let mut raced = false;
                for byte in address..address + size {
                    let history = self.histories.entry((owner, byte)).or_default();
                    let mut racing = history.racing(&self.clocks, shape, thread, access);
                    raced |= racing.next().is_some();
                    drop(racing);
                    history.add(now, access);
                }
                Ok(raced)
            }
            other => Err(format!("no event: {other:?}")),
        }
    }
}

/// Short records, and whether they contain a race.
const RECORDS: [(&str, bool); 9] = [
    // Two lanes write one byte of each other's words.
    ("1 2 8 0 0 a 1 g 64 4\n1 2 8 0 1 a 0 g 67 1\n", true),
    ("1 2 8 0 0 a 1 g 64 4\n1 2 8 0 1 a 0 g 68 1\n", false),
    // An atomic operation races with a store and with no other.
    ("1 2 8 0 0 a 3 g 64 4\n1 2 8 1 1 a 3 g 64 4\n", false),
    ("1 2 8 0 0 a 3 g 64 4\n1 2 8 1 1 a 4 g 64 4\n", true),
    // Each block has its own shared memory; launches are ordered.
    ("1 2 8 0 0 a 1 s 0 4\n1 2 8 1 0 a 1 s 0 4\n", false),
    ("1 2 8 0 0 a 1 g 64 4\n2 2 8 1 0 a 1 g 64 4\n", false),
    // A barrier of a warp orders its lanes once the last of them has arrived.
    (
        "1 1 4 0 0 a 1 g 64 4\n1 1 4 0 0 w\n1 1 4 0 1 w\n1 1 4 0 2 w\n1 1 4 0 3 w\n1 1 4 0 1 a 0 g 64 4\n",
        false,
    ),
    (
        "1 1 4 0 0 a 1 g 64 4\n1 1 4 0 0 w\n1 1 4 0 1 w\n1 1 4 0 2 w\n1 1 4 0 1 a 0 g 64 4\n",
        true,
    ),
    // A barrier of a block with one warp.
    (
        "1 1 4 0 0 a 1 s 0 4\n1 1 4 0 0 b\n1 1 4 0 1 b\n1 1 4 0 2 b\n1 1 4 0 3 b\n1 1 4 0 2 a 1 s 0 4\n",
        false,
    ),
];

/// Checks the oracle itself.
///
/// # Errors
/// It gives a wrong answer.
pub fn check() -> Result<(), String> {
    for (record, expected) in RECORDS {
        if races(record)? != expected {
            return Err(format!("not {expected}:\n{record}"));
        }
    }
    let broken = [
        "",
        "1 2 8 0 0 x\n",
        "1 2 8 0 0 a 9 g 0 4\n",
        "1 64 8 0 0 b\n",
    ];
    match broken.into_iter().find(|record| races(record).is_ok()) {
        Some(record) => Err(format!("read: {record}")),
        None => Ok(()),
    }
}
