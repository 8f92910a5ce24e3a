//! Runs a program for given sources of its reads.
//!
//! A candidate says for each read which write it reads from. The values follow from that: the value
//! of a read is the one of its write, which may need the values of other reads. If it needs its own
//! value, the candidate is one that axiom "No Thin Air" forbids: reads-from and dependencies have a
//! cycle. An atomic operation always needs the value that it reads.

use std::collections::BTreeMap;

use crate::program::{Instruction, Name, Operand, Order, Program, Proxy, Rmw, Scope};

/// An instruction: thread and index.
pub type Place = (usize, usize);

/// What a read reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The read is not executed.
    None,
    /// The initial value.
    Initial,
    /// The write of this instruction.
    Write(Place),
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// The thread; none for initial writes.
    pub thread: Option<usize>,
    pub kind: Kind,
    pub scope: Option<Scope>,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read(Name, Order),
    Write(Name, Order),
    Fence {
        sc: bool,
    },
    ProxyFence {
        surface: bool,
    },
    Barrier {
        arrive: bool,
        number: i64,
        phase: usize,
    },
}

/// A program that has run.
pub struct Run {
    pub events: Vec<Event>,
    /// From writes to the reads of their values.
    pub reads_from: Vec<(usize, usize)>,
    /// The read and the write of each atomic operation.
    pub atomics: Vec<(usize, usize)>,
    /// The registers at the end, by thread and number.
    pub registers: BTreeMap<(usize, usize), i64>,
}

impl Run {
    /// The start of the run, up to these events of the threads; nothing if a read in it needs a
    /// write after them.
    pub fn until(&self, stops: &[Option<usize>]) -> Option<Self> {
        let is_kept = |number: usize| {
            let stop = self.events[number].thread.and_then(|it| stops[it]);
            stop.is_none_or(|stop| number <= stop)
        };
        let kept: Vec<usize> = (0..self.events.len()).filter(|it| is_kept(*it)).collect();
        let new = |number: usize| kept.iter().position(|it| *it == number);
        let mut reads_from = Vec::new();
        for &(write, read) in &self.reads_from {
            if let Some(read) = new(read) {
                reads_from.push((new(write)?, read));
            }
        }
        let atomics = self.atomics.iter();
        Some(Self {
            events: kept.iter().map(|it| self.events[*it].clone()).collect(),
            reads_from,
            atomics: atomics
                .filter_map(|it| Some((new(it.0)?, new(it.1)?)))
                .collect(),
            registers: BTreeMap::new(),
        })
    }
}

/// The reads of a program with all sources that each may have.
pub fn sources(program: &Program) -> Vec<(Place, Vec<Source>)> {
    let mut reads = Vec::new();
    for (place, read) in places(program) {
        let (Some(name), Some(_)) = (read.name(), read.target()) else {
            continue;
        };
        let mut options = vec![Source::Initial];
        let code = &program.threads[place.0].code;
        let is_branch = |it: &Instruction| matches!(it, Instruction::Branch { .. });
        if code[..place.1].iter().any(is_branch) {
            options.push(Source::None);
        }
        for (other, write) in places(program) {
            let same = write.writes() && write.name().is_some_and(|it| it.memory == name.memory);
            // Axiom "Causality", 1: program order is causality order for one address.
            let later = other.0 == place.0 && other.1 >= place.1 && write.name() == Some(name);
            if same && !later {
                options.push(Source::Write(other));
            }
        }
        reads.push((place, options));
    }
    reads
}

fn places(program: &Program) -> impl Iterator<Item = (Place, &Instruction)> {
    let threads = program.threads.iter().enumerate();
    threads.flat_map(|(thread, it)| {
        let code = it.code.iter().enumerate();
        code.map(move |(at, instruction)| ((thread, at), instruction))
    })
}

/// Runs the program; nothing if these sources are impossible.
pub fn run(program: &Program, sources: &BTreeMap<Place, Source>) -> Option<Run> {
    let mut runner = Runner {
        program,
        sources,
        values: BTreeMap::new(),
        open: Vec::new(),
    };
    let mut run = Run {
        events: Vec::new(),
        reads_from: Vec::new(),
        atomics: Vec::new(),
        registers: BTreeMap::new(),
    };
    let mut writes = BTreeMap::new();
    for name in [crate::program::X, crate::program::Y] {
        run.events.push(Event {
            thread: None,
            kind: Kind::Write(name, Order::Weak),
            scope: None,
        });
    }
    let mut reads = Vec::new();
    for (thread, it) in program.threads.iter().enumerate() {
        let path = runner.path(thread, it.code.len())?;
        for place in sources.keys().filter(|place| place.0 == thread) {
            if path.executed.contains(&place.1) == (sources[place] == Source::None) {
                return None;
            }
        }
        for (register, at) in &path.assigned {
            let value = runner.read((thread, *at))?;
            run.registers.insert((thread, *register), value);
        }
        for &at in &path.executed {
            add_events(&mut runner, &mut run, (thread, at), &mut reads, &mut writes)?;
        }
    }
    for (place, event) in reads {
        let write = match sources[&place] {
            Source::None => return None,
            Source::Initial => program.threads[place.0].code[place.1].name()?.memory,
            Source::Write(write) => *writes.get(&write)?,
        };
        run.reads_from.push((write, event));
    }
    Some(run)
}

/// Adds the events of an instruction. `reads` and `writes` get the events of each place.
fn add_events(
    runner: &mut Runner<'_>,
    run: &mut Run,
    place: Place,
    reads: &mut Vec<(Place, usize)>,
    writes: &mut BTreeMap<Place, usize>,
) -> Option<()> {
    let instruction = runner.program.threads[place.0].code[place.1];
    let first = run.events.len();
    let mut push = |kind: Kind, scope: Option<Scope>| {
        run.events.push(Event {
            thread: Some(place.0),
            kind,
            scope,
        });
    };
    let scoped = |order: Order, scope: Scope| match order {
        Order::Weak => None,
        Order::Volatile => Some(Scope::Sys),
        _ => Some(scope),
    };
    match instruction {
        Instruction::Load {
            order, scope, name, ..
        } => {
            runner.read(place)?;
            push(Kind::Read(name, order), scoped(order, scope));
            reads.push((place, first));
        }
        Instruction::Store {
            order, scope, name, ..
        } => {
            push(Kind::Write(name, order), scoped(order, scope));
            writes.insert(place, first);
        }
        Instruction::Atomic {
            order, scope, name, ..
        } => {
            runner.read(place)?;
            push(Kind::Read(name, order), Some(scope));
            reads.push((place, first));
            if runner.written(place).is_some() {
                push(Kind::Write(name, order), Some(scope));
                writes.insert(place, first + 1);
                run.atomics.push((first, first + 1));
            }
        }
        Instruction::Fence { sc, scope } => push(Kind::Fence { sc }, Some(scope)),
        Instruction::ProxyFence { surface } => push(Kind::ProxyFence { surface }, None),
        Instruction::Barrier { arrive, number } => {
            // A barrier is used again when all have arrived: the n-th use by a thread is a part of
            // its n-th phase.
            let same = |it: &&Event| {
                it.thread == Some(place.0)
                    && matches!(it.kind, Kind::Barrier { number: other, .. } if other == number)
            };
            let phase = run.events.iter().filter(same).count();
            let kind = Kind::Barrier {
                arrive,
                number,
                phase,
            };
            run.events.push(Event {
                thread: Some(place.0),
                kind,
                scope: None,
            });
        }
        Instruction::Branch { .. } => {}
    }
    Some(())
}

struct Runner<'a> {
    program: &'a Program,
    sources: &'a BTreeMap<Place, Source>,
    values: BTreeMap<Place, i64>,
    /// The reads whose values are being found.
    open: Vec<Place>,
}

/// The start of a thread's path.
struct Path {
    executed: Vec<usize>,
    /// The instruction that last assigned each register.
    assigned: BTreeMap<usize, usize>,
}

impl Runner<'_> {
    /// The path of a thread up to the instruction `end`.
    fn path(&mut self, thread: usize, end: usize) -> Option<Path> {
        let code = &self.program.threads[thread].code;
        let mut path = Path {
            executed: Vec::new(),
            assigned: BTreeMap::new(),
        };
        let mut at = 0;
        while at < end {
            path.executed.push(at);
            let here = at;
            at += 1;
            if let Some(target) = code[here].target() {
                path.assigned.insert(target, here);
            }
            if let Instruction::Branch {
                register,
                value,
                to,
            } = code[here]
                && self.register(thread, &path, register)? == value
            {
                at = to;
            }
        }
        if at == end {
            path.executed.push(end);
        }
        path.executed.retain(|it| *it < code.len());
        Some(path)
    }

    fn register(&mut self, thread: usize, path: &Path, register: usize) -> Option<i64> {
        match path.assigned.get(&register) {
            Some(at) => self.read((thread, *at)),
            None => Some(0),
        }
    }

    /// The value of a read.
    fn read(&mut self, place: Place) -> Option<i64> {
        if let Some(value) = self.values.get(&place) {
            return Some(*value);
        }
        if self.open.contains(&place) {
            return None;
        }
        self.open.push(place);
        let value = match self.sources[&place] {
            Source::None => None,
            Source::Initial => Some(0),
            Source::Write(write) => self.written(write),
        };
        self.open.pop();
        self.values.insert(place, value?);
        value
    }

    /// The value that an instruction writes; nothing if it does not write.
    fn written(&mut self, place: Place) -> Option<i64> {
        let path = self.path(place.0, place.1)?;
        if !path.executed.contains(&place.1) {
            return None;
        }
        let operand = |runner: &mut Self, operand: Operand| match operand {
            Operand::Constant(value) => Some(value),
            Operand::Register(register) => runner.register(place.0, &path, register),
        };
        match self.program.threads[place.0].code[place.1] {
            Instruction::Store { value, .. } => operand(self, value),
            Instruction::Atomic { rmw, .. } => {
                let old = self.read(place)?;
                match rmw {
                    Rmw::Add(value) => Some(old + value),
                    Rmw::Exch(value) => operand(self, value),
                    Rmw::Cas(expected, new) => (old == expected).then_some(new),
                }
            }
            _ => None,
        }
    }
}

impl Event {
    /// The address and the order of an access.
    pub fn access(&self) -> Option<(Name, Order)> {
        match self.kind {
            Kind::Read(name, order) | Kind::Write(name, order) => Some((name, order)),
            _ => None,
        }
    }

    /// The path of the operation. Fences belong to the generic proxy.
    pub fn proxy(&self) -> Proxy {
        self.access().map_or(Proxy::Generic, |it| it.0.proxy)
    }
}
