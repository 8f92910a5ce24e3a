//! Small programs from seeds.

use hirace_memory_model::event::Bytes;
use hirace_memory_model::litmus::ast::{Order, Scope};
use hirace_sample::random::Random;

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `ld`, `st`, `atom` or `red`.
    Access(Access),
    /// `fence`.
    Fence {
        /// Whether it is `fence.sc`.
        sc: bool,
        /// Its scope.
        scope: Scope,
    },
    /// `bar.cta.sync 0` by all threads of the block.
    BlockBarrier,
    /// `bar.cta` with another number, by some of its threads; `waits` unless it only arrives.
    Barrier {
        /// Whether the thread waits.
        waits: bool,
    },
    /// `cp.async`.
    Copy(Copied),
    /// `cp.async.commit_group`.
    Commit,
    /// `cp.async.wait_group`.
    WaitForCopies {
        /// How many groups may still be pending.
        pending: usize,
    },
    /// `cp.async.mbarrier.arrive.noinc` on the barrier of [`Op::Barrier`].
    CopiesArrive,
}

impl Op {
    /// What it reads, and what it writes.
    pub fn places(&self) -> (Option<Place>, Option<Place>) {
        match self {
            Self::Access(access) => {
                let place = access.place();
                (
                    access.reads.then_some(place),
                    access.writes.then_some(place),
                )
            }
            Self::Copy(copied) => (Some(copied.from), Some(copied.to)),
            _ => (None, None),
        }
    }

    /// Whether it is an arrival at the barrier that some threads of a block meet at.
    pub fn arrives(&self) -> bool {
        matches!(self, Self::Barrier { .. } | Self::CopiesArrive)
    }
}

/// The bytes that a copy reads and those that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    pub from: Place,
    pub to: Place,
}

/// Some bytes of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub location: usize,
    pub bytes: Bytes,
}

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub location: usize,
    pub bytes: Bytes,
    pub reads: bool,
    pub writes: bool,
    pub order: Order,
    pub scope: Scope,
    /// Whether it is not a `red`.
    pub returns_value: bool,
}

impl Access {
    pub fn place(&self) -> Place {
        Place {
            location: self.location,
            bytes: self.bytes,
        }
    }
}

/// Threads with their code; thread `t` is in block `t / width`.
#[derive(Clone, Debug)]
pub struct Program {
    pub width: usize,
    pub threads: Vec<Vec<Op>>,
}

/// How many locations programs use, each as wide as two granules.
pub const LOCATIONS: usize = 2;

/// The bytes of an access, unless sizes matter.
pub const WORD: Bytes = Bytes { first: 0, count: 4 };

impl Program {
    pub fn block(&self, thread: usize) -> usize {
        thread / self.width
    }

    /// The threads that take part in the named barrier of a block.
    pub fn participants(&self, block: usize) -> Vec<usize> {
        let own = (0..self.threads.len()).filter(|it| self.block(*it) == block);
        own.filter(|it| self.threads[*it].iter().any(Op::arrives))
            .collect()
    }

    /// A program of a seed: any operations, threads that pass a message on, or threads with
    /// fence.sc.
    pub fn random(generator: &mut Generator) -> Self {
        match generator.random.index(5) {
            0 | 1 => Self::passing(generator),
            2 | 3 => Self::any(generator),
            _ => Self::fencing(generator),
        }
    }

    /// One thread writes data and then has a fence.sc, another one has a fence.sc and then accesses
    /// the data. What they and others do with the flag may give the fences an order.
    fn fencing(generator: &mut Generator) -> Self {
        let (blocks, width) =
            *generator
                .random
                .pick(&[(1, 2), (2, 1), (2, 1), (3, 1), (2, 2), (1, 3)]);
        let count = blocks * width;
        let first = generator.random.index(count);
        let last = (first + 1 + generator.random.index(count - 1)) % count;
        let thread = |number| {
            let mut code = Vec::new();
            if number == first {
                code.push(Op::Access(Self::data(true)));
            } else if generator.random.percent(70) {
                code.push(generator.flag_access());
            }
            if number == first || number == last || generator.random.percent(40) {
                let scope = generator.narrow_or_wide();
                code.push(Op::Fence { sc: true, scope });
            }
            if number == last {
                code.push(Op::Access(Self::data(generator.random.percent(50))));
            } else if generator.random.percent(70) {
                code.push(generator.flag_access());
            }
            code
        };
        let mut threads: Vec<Vec<Op>> = (0..count).map(thread).collect();
        for own in threads.chunks_mut(width) {
            if width > 1 && generator.random.percent(30) {
                generator.insert_block_barrier(own);
            }
        }
        Self { width, threads }
    }

    /// A plain access to the data.
    pub fn data(writes: bool) -> Access {
        Access {
            location: 0,
            bytes: WORD,
            reads: !writes,
            writes,
            order: Order::Weak,
            scope: Scope::Gpu,
            returns_value: true,
        }
    }

    /// One thread writes data and releases a flag, others change the flag, and the last one acquires
    /// it and accesses the data; each in one of the ways there are.
    fn passing(generator: &mut Generator) -> Self {
        let (blocks, width) =
            *generator
                .random
                .pick(&[(1, 2), (2, 1), (3, 1), (2, 2), (2, 2), (1, 3)]);
        let count = blocks * width;
        let mut threads: Vec<Vec<Op>> = vec![Vec::new(); count];
        let first = generator.random.index(count);
        let last = (first + 1 + generator.random.index(count - 1)) % count;
        for (thread, code) in threads.iter_mut().enumerate() {
            if thread == first {
                code.push(Op::Access(Self::data(true)));
                code.extend(generator.release());
            } else if thread == last {
                code.extend(generator.acquire());
                code.push(Op::Access(Self::data(generator.random.percent(50))));
            } else if generator.random.percent(70) {
                let order = *generator.random.pick(&[
                    Order::Relaxed,
                    Order::Relaxed,
                    Order::Acquire,
                    Order::AcqRel,
                ]);
                code.push(generator.flag(true, true, order));
                if generator.random.percent(30) {
                    code.push(generator.fence());
                }
            }
        }
        Self { width, threads }
    }

    fn any(generator: &mut Generator) -> Self {
        let (blocks, width) =
            *generator
                .random
                .pick(&[(1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (1, 4)]);
        let length = 1 + generator.random.index(5);
        // What is rare in all programs must be common in some.
        let weak = *generator.random.pick(&[10, 30, 90]);
        let fences = *generator.random.pick(&[0, 20, 40]);
        let mut threads: Vec<Vec<Op>> = (0..blocks * width)
            .map(|_| (0..length).map(|_| generator.op(weak, fences)).collect())
            .collect();
        for block in 0..blocks {
            let own = block * width..(block + 1) * width;
            if generator.random.percent(25) {
                generator.insert_block_barrier(&mut threads[own.clone()]);
            }
            if width > 1 && generator.random.percent(15) {
                let first = own.start + generator.random.index(width);
                let second = own.start + (first - own.start + 1) % width;
                let arrives = generator.random.percent(40);
                for thread in [first, second] {
                    let at = generator.random.index(threads[thread].len() + 1);
                    let waits = thread == second || !arrives;
                    threads[thread].insert(at, Op::Barrier { waits });
                }
            }
        }
        Self { width, threads }
    }
}

/// Makes operations.
pub struct Generator {
    pub random: Random,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }

    fn narrow_or_wide(&mut self) -> Scope {
        *self
            .random
            .pick(&[Scope::Cta, Scope::Gpu, Scope::Gpu, Scope::Sys])
    }

    fn fence(&mut self) -> Op {
        Op::Fence {
            sc: self.random.percent(30),
            scope: self.narrow_or_wide(),
        }
    }

    /// An access to the flag.
    fn flag(&mut self, reads: bool, writes: bool, order: Order) -> Op {
        Op::Access(Access {
            location: 1,
            bytes: WORD,
            reads,
            writes,
            order,
            scope: self.narrow_or_wide(),
            returns_value: !(reads && writes && order == Order::Relaxed && self.random.percent(30)),
        })
    }

    /// Puts a barrier somewhere into each thread of a block.
    pub fn insert_block_barrier(&mut self, threads: &mut [Vec<Op>]) {
        for code in threads {
            let at = self.random.index(code.len() + 1);
            code.insert(at, Op::BlockBarrier);
        }
    }

    /// An access to the flag that orders nothing by itself.
    fn flag_access(&mut self) -> Op {
        let (reads, writes) = *self
            .random
            .pick(&[(true, false), (false, true), (true, true)]);
        self.flag(reads, writes, Order::Relaxed)
    }

    /// A release pattern.
    pub fn release(&mut self) -> Vec<Op> {
        match self.random.index(5) {
            0 => vec![self.flag(false, true, Order::Release)],
            1 => vec![self.fence(), self.flag(false, true, Order::Relaxed)],
            2 => vec![
                self.fence(),
                self.fence(),
                self.flag(true, true, Order::Relaxed),
            ],
            3 => vec![self.flag(true, true, Order::Release)],
            _ => vec![
                self.flag(false, true, Order::Release),
                self.flag(false, true, Order::Relaxed),
            ],
        }
    }

    /// An acquire pattern.
    pub fn acquire(&mut self) -> Vec<Op> {
        match self.random.index(5) {
            0 => vec![self.flag(true, false, Order::Acquire)],
            1 => vec![self.flag(true, false, Order::Relaxed), self.fence()],
            2 => vec![self.flag(true, true, Order::Relaxed), self.fence()],
            3 => vec![self.flag(true, true, Order::Acquire)],
            _ => vec![
                self.flag(true, false, Order::Relaxed),
                self.flag(true, false, Order::Acquire),
            ],
        }
    }

    fn op(&mut self, weak: u64, fences: u64) -> Op {
        let scope = self.narrow_or_wide();
        if self.random.percent(fences) {
            let sc = self.random.percent(40);
            return Op::Fence { sc, scope };
        }
        let location = self.random.index(LOCATIONS);
        let (reads, writes) = *self.random.pick(&[
            (true, false),
            (false, true),
            (true, false),
            (false, true),
            (true, true),
        ]);
        let order = match (reads, writes) {
            (true, true) => *self.random.pick(&[
                Order::Relaxed,
                Order::Acquire,
                Order::Release,
                Order::AcqRel,
            ]),
            // The first location is mostly data, and the other one mostly a flag.
            _ if self.random.percent(if location == 0 { weak } else { 3 }) => Order::Weak,
            // The last two are compare-and-swaps that fail.
            (true, _) => *self.random.pick(&[
                Order::Relaxed,
                Order::Relaxed,
                Order::Acquire,
                Order::Volatile,
                Order::Release,
                Order::AcqRel,
            ]),
            _ => *self.random.pick(&[
                Order::Relaxed,
                Order::Relaxed,
                Order::Release,
                Order::Volatile,
            ]),
        };
        let returns_value = !(reads
            && writes
            && order != Order::Acquire
            && order != Order::AcqRel
            && self.random.percent(30));
        Op::Access(Access {
            location,
            bytes: WORD,
            reads,
            writes,
            order,
            scope: if order == Order::Volatile {
                Scope::Sys
            } else {
                scope
            },
            returns_value,
        })
    }
}
