//! Families of programs: those of `program.rs`, and others that add one thing to them.

use hirace_memory_model::event::Bytes;
use hirace_memory_model::litmus::ast::{Order, Scope};

use crate::program::{Copied, Generator, LOCATIONS, Op, Place, Program, WORD};

/// What programs have.
#[derive(Clone, Copy, Debug)]
pub enum Family {
    /// Accesses to whole granules, in all ways to synchronise.
    Words,
    /// The same with accesses of several sizes, some of which overlap.
    Sizes,
    /// Asynchronous copies, and what waits for them.
    Copies,
    /// Threads that repeat plain accesses.
    Repeats,
    /// What the state machine may look at first (`device/hirace/executor/order/engine_use.h`).
    Filtered,
}

/// Bytes of a location that accesses may have, as types are aligned.
const PARTS: [Bytes; 9] = [
    WORD,
    WORD,
    Bytes::ALL,
    part(4, 4),
    part(0, 2),
    part(2, 2),
    part(0, 1),
    part(1, 1),
    part(3, 1),
];

const fn part(first: u8, count: u8) -> Bytes {
    Bytes { first, count }
}

impl Program {
    /// A program of a seed.
    pub fn of(family: Family, generator: &mut Generator) -> Self {
        match family {
            Family::Words => Self::random(generator),
            Family::Sizes => {
                let mut program = Self::random(generator);
                program.resize(generator);
                program
            }
            Family::Copies => {
                let mut program = Self::copying(generator);
                if generator.random.percent(20) {
                    program.resize(generator);
                }
                program
            }
            Family::Repeats => Self::repeating(generator),
            Family::Filtered => {
                let mut program = Self::random(generator);
                program.filter(generator.random.percent(30));
                program
            }
        }
    }

    /// Leaves out what the state machine may not look at first: all but fences, masks and atomic operations or,
    /// if `volatile`, all but volatile accesses and atomic operations.
    fn filter(&mut self, volatile: bool) {
        let arrives_only = |it: &Op| *it == Op::Barrier { waits: false };
        let has_object = self.threads.iter().flatten().any(arrives_only);
        for code in &mut self.threads {
            code.retain(|it| !it.arrives() || (!has_object && !volatile));
            code.retain(|it| !volatile || !matches!(it, Op::Fence { .. }));
            for op in code {
                if let Op::Access(access) = op
                    && access.order != Order::Weak
                {
                    let is_atomic = !volatile || (access.reads && access.writes);
                    access.reads |= is_atomic;
                    access.writes |= is_atomic;
                    access.order = if is_atomic {
                        Order::Relaxed
                    } else {
                        Order::Volatile
                    };
                    access.scope = if is_atomic { access.scope } else { Scope::Sys };
                }
            }
        }
    }

    /// Each thread accesses the same few bytes again and again, and meets the others, or passes a flag on.
    fn repeating(generator: &mut Generator) -> Self {
        let (blocks, width) = *generator.random.pick(&[(1, 2), (1, 3), (2, 1), (2, 2)]);
        let mut threads: Vec<Vec<Op>> = (0..blocks * width).map(|_| generator.repeated()).collect();
        for own in threads.chunks_mut(width) {
            if generator.random.percent(50) {
                generator.insert_block_barrier(own);
            }
        }
        if threads.len() > 1 && generator.random.percent(50) {
            let release = generator.release();
            threads[0].extend(release);
            let acquire = generator.acquire();
            threads[1].splice(0..0, acquire);
        }
        let mut program = Self { width, threads };
        if generator.random.percent(40) {
            program.resize(generator);
        }
        program
    }

    /// Gives accesses other sizes: two for each location, so that many are the same.
    fn resize(&mut self, generator: &mut Generator) {
        let mut sizes = || [(); 2].map(|()| *generator.random.pick(&PARTS));
        let of_location: [[Bytes; 2]; LOCATIONS] = [(); LOCATIONS].map(|()| sizes());
        let mut resize = |place: usize| {
            let [most, few] = of_location[place];
            if generator.random.percent(75) {
                most
            } else {
                few
            }
        };
        for op in self.threads.iter_mut().flatten() {
            if let Op::Access(access) = op {
                access.bytes = resize(access.location);
            }
        }
    }

    /// Some threads copy asynchronously, and some wait for that; a barrier, a flag or the arrival of the copies at
    /// a barrier object tells others.
    fn copying(generator: &mut Generator) -> Self {
        let (blocks, width) =
            *generator
                .random
                .pick(&[(1, 1), (1, 2), (1, 2), (1, 3), (2, 1), (2, 2)]);
        let count = blocks * width;
        let issuer = generator.random.index(count);
        let mut threads: Vec<Vec<Op>> = (0..count)
            .map(|thread| {
                if thread == issuer || generator.random.percent(20) {
                    generator.copies()
                } else {
                    generator.accesses()
                }
            })
            .collect();
        let own = issuer / width * width;
        match generator.random.index(4) {
            0 => generator.insert_block_barrier(&mut threads[own..own + width]),
            1 if width > 1 => {
                let other = own + (issuer - own + 1) % width;
                let at = generator.random.index(threads[issuer].len() + 1);
                threads[issuer].insert(at, Op::CopiesArrive);
                threads[other].insert(0, Op::Barrier { waits: true });
            }
            2 if count > 1 => {
                let other = (issuer + 1) % count;
                let release = generator.release();
                threads[issuer].extend(release);
                let acquire = generator.acquire();
                threads[other].splice(0..0, acquire);
            }
            _ => {}
        }
        Self { width, threads }
    }
}

impl Generator {
    fn accesses(&mut self) -> Vec<Op> {
        let count = 1 + self.random.index(2);
        (0..count).map(|_| self.plain()).collect()
    }

    /// A plain access to any location.
    fn plain(&mut self) -> Op {
        let mut access = Program::data(self.random.percent(50));
        access.location = self.random.index(LOCATIONS);
        Op::Access(access)
    }

    /// Plain accesses of one location, most of them the same.
    fn repeated(&mut self) -> Vec<Op> {
        let writes = self.random.percent(40);
        let count = 1 + self.random.index(4);
        let mut access = || Op::Access(Program::data(writes != self.random.percent(20)));
        (0..count).map(|_| access()).collect()
    }

    fn copies(&mut self) -> Vec<Op> {
        let mut code = Vec::new();
        for _ in 0..2 + self.random.index(4) {
            let op = match self.random.index(8) {
                0..=2 => self.copy(),
                3 | 4 => Op::Commit,
                5 => Op::WaitForCopies { pending: 0 },
                6 => Op::WaitForCopies { pending: 1 },
                _ => self.plain(),
            };
            code.push(op);
        }
        code
    }

    /// From one location to another: as from global to shared memory, the two never overlap.
    fn copy(&mut self) -> Op {
        let mut place = || Place {
            location: self.random.index(LOCATIONS),
            bytes: *self
                .random
                .pick(&[WORD, WORD, WORD, Bytes::ALL, part(4, 4)]),
        };
        let (from, mut to) = (place(), place());
        to.location = (from.location + 1) % LOCATIONS;
        to.bytes.count = from.bytes.count;
        if to.bytes.count == Bytes::ALL.count {
            to.bytes.first = 0;
        }
        Op::Copy(Copied { from, to })
    }
}
