//! A program as events of the memory model.
//!
//! An asynchronous copy is a thread of the block: what its issuer has done before comes before it, and it
//! comes before what waits for it, and nothing else (PTX ISA, "Asynchronous operations", "cp.async"). The model has
//! barriers that threads arrive at and wait for separately, which say both: the issuer arrives at one that the
//! copy waits for, and the copy arrives at one for each wait that it ends.

use hirace_memory_model::event::{Access as ModelAccess, Action, Bytes, Event};
use hirace_memory_model::litmus::ast::{
    BarrierKind, Condition, Location, Order, Placement, Proxy, Quantifier, Question, Scope, Test,
    Thread, Type, Value,
};
use hirace_memory_model::world::{Candidate, Pairs};

use crate::program::{Access, Copied, LOCATIONS, Op, Place, Program};

/// What an operation does that the interleaving decides about.
#[derive(Clone, Copy)]
pub enum Effect {
    /// Of bytes that one operation has written, or nobody.
    Read {
        event: usize,
        location: usize,
        from: Option<Made>,
    },
    Write {
        event: usize,
        place: Place,
        by: By,
    },
    /// A fence.sc.
    Fence {
        event: usize,
        by: By,
    },
}

/// Who makes an operation, with the scope of a strong one.
#[derive(Clone, Copy)]
pub struct By {
    thread: usize,
    block: usize,
    strong: Option<Scope>,
}

/// An operation: a thread and a place in its code.
pub type Made = (usize, usize);

impl Effect {
    pub fn event(&self) -> usize {
        match self {
            Self::Read { event, .. } | Self::Write { event, .. } | Self::Fence { event, .. } => {
                *event
            }
        }
    }
}

/// Of two writes or two fences.
pub fn morally_strong(a: &Effect, b: &Effect) -> bool {
    let (one, other) = match (a, b) {
        (
            Effect::Write { place, by, .. },
            Effect::Write {
                place: at,
                by: other,
                ..
            },
        ) if place == at => (by, other),
        (Effect::Fence { by, .. }, Effect::Fence { by: other, .. }) => (by, other),
        _ => return false,
    };
    let same_block = one.block == other.block;
    let includes = |it: &By| {
        it.strong
            .is_some_and(|scope| same_block || scope != Scope::Cta)
    };
    one.thread == other.thread || (includes(one) && includes(other))
}

/// Some bytes that a read takes from one write.
#[derive(Clone, Copy)]
struct Taken {
    bytes: Bytes,
    from: Option<Made>,
}

/// What each operation that reads takes, from the first byte on.
fn taken(program: &Program, interleaving: &[usize]) -> Vec<Vec<Vec<Taken>>> {
    let nothing = |code: &Vec<Op>| vec![Vec::new(); code.len()];
    let mut all: Vec<Vec<Vec<Taken>>> = program.threads.iter().map(nothing).collect();
    let mut memory = [[None; Bytes::ALL.count as usize]; LOCATIONS];
    let mut at = vec![0; program.threads.len()];
    for &thread in interleaving {
        let made = (thread, at[thread]);
        at[thread] += 1;
        let (read, written) = program.threads[made.0][made.1].places();
        for byte in read
            .into_iter()
            .flat_map(|it| it.bytes.first..it.bytes.first + it.bytes.count)
        {
            let location = read.map_or(0, |it| it.location);
            let from = memory[location][usize::from(byte)];
            let parts = &mut all[made.0][made.1];
            match parts.last_mut() {
                Some(last) if last.from == from => last.bytes.count += 1,
                _ => parts.push(Taken {
                    bytes: Bytes {
                        first: byte,
                        count: 1,
                    },
                    from,
                }),
            }
        }
        if let Some(Place { location, bytes }) = written {
            let first = usize::from(bytes.first);
            memory[location][first..first + usize::from(bytes.count)].fill(Some(made));
        }
    }
    all
}

/// The barrier of some threads of a block.
const OF_SOME: Value = 1;

/// The events of a program.
pub struct Events {
    /// Of each thread and operation.
    pub of_threads: Vec<Vec<Vec<Effect>>>,
    events: Vec<Event>,
    pairs: Pairs,
    /// The block of each thread; copies follow the threads of the program.
    blocks: Vec<usize>,
    /// The last number of a barrier.
    barriers: Value,
}

/// The copies of a thread that it has not waited for.
#[derive(Default)]
struct Pending {
    groups: Vec<Vec<usize>>,
    uncommitted: Vec<usize>,
}

impl Events {
    pub fn of(program: &Program, interleaving: &[usize]) -> Self {
        let taken = taken(program, interleaving);
        let blocks = (0..program.threads.len()).map(|it| program.block(it));
        let mut events = Self {
            of_threads: Vec::new(),
            events: (0..LOCATIONS).map(initial_write).collect(),
            pairs: Pairs::default(),
            blocks: blocks.collect(),
            barriers: OF_SOME,
        };
        for (thread, code) in program.threads.iter().enumerate() {
            let mut pending = Pending::default();
            let code = code.iter().zip(&taken[thread]);
            let effects = code.map(|(op, taken)| events.add_op(thread, op, taken, &mut pending));
            let effects = effects.collect();
            events.of_threads.push(effects);
        }
        events
    }

    pub fn count(&self) -> usize {
        self.events.len()
    }

    /// The write of an operation that writes.
    pub fn write_of(&self, (thread, place): Made) -> usize {
        let effects = &self.of_threads[thread][place];
        effects[effects.len() - 1].event()
    }

    /// The execution before anything is chosen.
    pub fn candidate(&self) -> Candidate {
        Candidate::new(&test(&self.blocks), self.events.clone(), &self.pairs)
    }

    fn add(&mut self, thread: usize, action: Action) -> usize {
        self.events.push(Event {
            thread: Some(thread),
            action,
            span: None,
        });
        self.events.len() - 1
    }

    fn by(&self, thread: usize, strong: Option<Scope>) -> By {
        By {
            thread,
            block: self.blocks[thread],
            strong,
        }
    }

    fn add_op(
        &mut self,
        thread: usize,
        op: &Op,
        taken: &[Taken],
        pending: &mut Pending,
    ) -> Vec<Effect> {
        match op {
            Op::Access(access) => return self.add_access(thread, access, taken),
            Op::Fence { sc, scope } => {
                let (sc, scope) = (*sc, *scope);
                let event = self.add(thread, Action::Fence { sc, scope });
                let by = self.by(thread, Some(scope));
                return sc
                    .then_some(Effect::Fence { event, by })
                    .into_iter()
                    .collect();
            }
            Op::Copy(copied) => {
                let copy = self.issue(thread);
                pending.uncommitted.push(copy);
                return self.add_copy(copy, copied, taken);
            }
            Op::BlockBarrier => self.add_barrier(thread, BarrierKind::Sync, 0),
            Op::Barrier { waits: true } => self.add_barrier(thread, BarrierKind::Sync, OF_SOME),
            Op::Barrier { waits: false } => self.add_barrier(thread, BarrierKind::Arrive, OF_SOME),
            Op::Commit => {
                let group = std::mem::take(&mut pending.uncommitted);
                pending.groups.push(group);
            }
            Op::WaitForCopies { pending: left } => {
                let done = pending.groups.len().saturating_sub(*left);
                let copies: Vec<usize> = pending.groups.drain(..done).flatten().collect();
                self.wait_for(thread, &copies);
            }
            Op::CopiesArrive => {
                let copies: Vec<usize> = pending.groups.iter().flatten().copied().collect();
                let arrival = self.issue(thread);
                self.wait_for(arrival, &[copies, pending.uncommitted.clone()].concat());
                self.add_barrier(arrival, BarrierKind::Arrive, OF_SOME);
            }
        }
        Vec::new()
    }

    fn add_barrier(&mut self, thread: usize, kind: BarrierKind, number: Value) {
        let action = Action::Barrier {
            kind,
            number,
            count: (number != 0).then_some(2),
            reduction: None,
        };
        self.add(thread, action);
    }

    /// What a thread does asynchronously from now on, as a thread of its own.
    fn issue(&mut self, issuer: usize) -> usize {
        let thread = self.blocks.len();
        self.blocks.push(self.blocks[issuer]);
        self.barriers += 1;
        self.add_barrier(issuer, BarrierKind::Arrive, self.barriers);
        self.add_barrier(thread, BarrierKind::Sync, self.barriers);
        thread
    }

    fn wait_for(&mut self, thread: usize, copies: &[usize]) {
        self.barriers += 1;
        for copy in copies {
            self.add_barrier(*copy, BarrierKind::Arrive, self.barriers);
        }
        self.add_barrier(thread, BarrierKind::Sync, self.barriers);
    }

    /// The copier's read and write.
    fn add_copy(&mut self, thread: usize, copied: &Copied, taken: &[Taken]) -> Vec<Effect> {
        let mut effects = self.add_reads(thread, plain(copied.from), taken);
        let event = self.add(thread, Action::Write(plain(copied.to), 0));
        let (place, by) = (copied.to, self.by(thread, None));
        effects.push(Effect::Write { event, place, by });
        effects
    }

    fn add_reads(&mut self, thread: usize, access: ModelAccess, taken: &[Taken]) -> Vec<Effect> {
        let read = |it: &Taken| {
            let bytes = it.bytes;
            let event = self.add(thread, Action::Read(ModelAccess { bytes, ..access }, 0));
            Effect::Read {
                event,
                location: access.location,
                from: it.from,
            }
        };
        taken.iter().map(read).collect()
    }

    fn add_access(&mut self, thread: usize, access: &Access, taken: &[Taken]) -> Vec<Effect> {
        let mut effects = self.add_reads(thread, part(access, true), taken);
        if access.writes {
            let event = self.add(thread, Action::Write(part(access, false), 0));
            let reads = effects.iter().map(|it| (it.event(), event));
            self.pairs.rmw.extend(reads);
            let strong = (access.order != Order::Weak).then_some(access.scope);
            let (place, by) = (access.place(), self.by(thread, strong));
            effects.push(Effect::Write { event, place, by });
        }
        effects
    }
}

fn initial_write(location: usize) -> Event {
    let bytes = Bytes::ALL;
    Event {
        thread: None,
        action: Action::Write(plain(Place { location, bytes }), 0),
        span: None,
    }
}

fn plain(place: Place) -> ModelAccess {
    let Place { location, bytes } = place;
    ModelAccess {
        location,
        address: location,
        memory: location,
        proxy: Proxy::Generic,
        order: Order::Weak,
        scope: None,
        atomic: false,
        reduction: false,
        bytes,
        whole: bytes,
    }
}

/// The read or the write of an access.
fn part(access: &Access, read: bool) -> ModelAccess {
    // A compare-and-swap that fails only reads, with what its order has for reads.
    let fails = !access.writes && matches!(access.order, Order::Release | Order::AcqRel);
    let atomic = access.reads && (access.writes || fails);
    ModelAccess {
        order: match (access.order, read) {
            (Order::AcqRel | Order::Acquire, true) if atomic => Order::Acquire,
            (Order::AcqRel | Order::Release, false) if atomic => Order::Release,
            _ if atomic => Order::Relaxed,
            (order, _) => order,
        },
        scope: (access.order != Order::Weak).then_some(access.scope),
        atomic,
        reduction: !access.returns_value,
        ..plain(access.place())
    }
}

/// The program as a litmus test: only the places of its threads matter.
fn test(blocks: &[usize]) -> Test {
    let location = |number: usize| Location {
        name: format!("x{number}"),
        initial: 0,
        alias: None,
        shared: false,
        value_type: Type::S64,
    };
    let thread = |(number, block): (usize, &usize)| Thread {
        name: format!("P{number}"),
        placement: Placement {
            cta: u32::try_from(*block).expect("few blocks"),
            ..Placement::default()
        },
        code: Vec::new(),
    };
    Test {
        name: "execution".to_owned(),
        comments: Vec::new(),
        locations: (0..LOCATIONS).map(location).collect(),
        registers: Vec::new(),
        shown: Vec::new(),
        threads: blocks.iter().enumerate().map(thread).collect(),
        filter: None,
        question: Question {
            quantifier: Quantifier::Exists,
            condition: Condition::True,
            text: String::new(),
        },
    }
}
