//! An interleaving of a program as the engine gets it, and as the memory model judges it.

use std::collections::HashSet;
use std::fmt::Write as _;

use hirace_memory_model::cat::{Checker, Model};
use hirace_memory_model::event::{Access as ModelAccess, Action, Event};
use hirace_memory_model::litmus::ast::{
    BarrierKind, Condition, Location, Order, Placement, Proxy, Quantifier, Question, Scope, Test,
    Thread, Type,
};
use hirace_memory_model::relation::Relation;
use hirace_memory_model::world::{Candidate, Pairs};

use crate::program::{Access, LOCATIONS, Op, Program};

/// The execution as a line for `driver.cpp`: the grid and the number of locations; then
/// `a THREAD LOCATION READS WRITES ORDER SCOPE RETURNS`, `f THREAD SCOPE SEQUENTIAL`, `b BLOCK`,
/// `p THREAD SLOT` (arrives), `w THREAD SLOT` (has waited), `m THREAD LANES` (a barrier of lanes, from the
/// thread on); then a dot.
///
/// A barrier at which all of some threads wait is one of a barrier object, or one of lanes.
pub fn line(program: &Program, interleaving: &[usize]) -> String {
    let blocks = program.threads.len() / program.width;
    let mut text = format!("{blocks} {} {LOCATIONS}", program.width);
    let mut at = vec![0; program.threads.len()];
    let mut met = vec![0; blocks];
    let mut arrived: Vec<Vec<usize>> = vec![Vec::new(); blocks];
    let lanes_meet = interleaving.first().is_some_and(|it| it % 2 == 0);
    for &thread in interleaving {
        let op = program.threads[thread][at[thread]];
        at[thread] += 1;
        let block = program.block(thread);
        let _ = match op {
            Op::Access(it) => write!(
                text,
                " a {thread} {} {} {} {} {} {}",
                it.location,
                u8::from(it.reads),
                u8::from(it.writes),
                match it.order {
                    Order::Weak => 0,
                    Order::Relaxed | Order::Volatile => 1,
                    Order::Acquire => 2,
                    Order::Release => 3,
                    Order::AcqRel => 4,
                },
                scope(it.scope),
                u8::from(it.returns_value)
            ),
            Op::Fence { sc, scope: of } => {
                write!(text, " f {thread} {} {}", scope(of), u8::from(sc))
            }
            Op::BlockBarrier => {
                met[block] += 1;
                if met[block] == program.width {
                    write!(text, " b {block}")
                } else {
                    Ok(())
                }
            }
            Op::Barrier { .. } => {
                let participants = program.participants(block);
                let waits =
                    |it: &&usize| program.threads[**it].contains(&Op::Barrier { waits: true });
                let meets = lanes_meet && participants.iter().all(|it| waits(&it));
                if !meets {
                    let _ = write!(text, " p {thread} {block}");
                }
                arrived[block].push(thread);
                let all_arrived = arrived[block].len() == participants.len();
                if all_arrived && meets {
                    let first = block * program.width;
                    let lanes: u32 = participants.iter().map(|it| 1 << (it - first)).sum();
                    let _ = write!(text, " m {first} {lanes}");
                } else if all_arrived {
                    for waiting in arrived[block].iter().filter(waits) {
                        let _ = write!(text, " w {waiting} {block}");
                    }
                }
                Ok(())
            }
        };
    }
    text + " .\n"
}

fn scope(scope: Scope) -> u8 {
    match scope {
        Scope::Cta => 0,
        Scope::Sys => 2,
        Scope::Cluster | Scope::Gpu => 1,
    }
}

/// What the memory model says of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether all axioms hold, for some order of the fences.
    pub allowed: bool,
    /// Whether there is a data race, for some such order.
    pub race: bool,
}

/// Judges executions by a model.
pub struct Judge<'a> {
    model: &'a Model,
    checker: Checker<'a>,
}

impl<'a> Judge<'a> {
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            checker: Checker::new(model),
        }
    }

    /// The interleaving says what is read, but seldom in which order two fence.sc come: all orders
    /// that the axioms allow are tried.
    pub fn judge(&mut self, program: &Program, interleaving: &[usize]) -> Judged {
        let (mut candidate, chosen) = candidate(program, interleaving);
        let mut judged = Judged {
            allowed: false,
            race: false,
        };
        for fences in chosen.fence_orders(program) {
            candidate.choose(chosen.read_from.clone(), chosen.coherence.clone(), fences);
            self.checker.forget();
            let outcome = self.checker.check(&candidate);
            let race = |it: &usize| self.model.axioms()[*it].title() == "race";
            judged.allowed |= outcome.is_allowed();
            judged.race |= outcome.is_allowed() && outcome.flags.iter().any(race);
        }
        judged
    }
}

/// The program as a litmus test: only its places matter.
fn test(program: &Program) -> Test {
    let location = |number: usize| Location {
        name: format!("x{number}"),
        initial: 0,
        alias: None,
        shared: false,
        value_type: Type::S64,
    };
    let thread = |number: usize| Thread {
        name: format!("P{number}"),
        placement: Placement {
            cta: u32::try_from(program.block(number)).expect("few blocks"),
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
        threads: (0..program.threads.len()).map(thread).collect(),
        filter: None,
        question: Question {
            quantifier: Quantifier::Exists,
            condition: Condition::True,
            text: String::new(),
        },
    }
}

/// The events of an access: a read, a write, or both.
fn actions(access: &Access) -> Vec<Action> {
    // A compare-and-swap that fails only reads, with what its order has for reads.
    let fails = !access.writes && matches!(access.order, Order::Release | Order::AcqRel);
    let atomic = access.reads && (access.writes || fails);
    let part = |read: bool| ModelAccess {
        location: access.location,
        address: access.location,
        memory: access.location,
        proxy: Proxy::Generic,
        order: match (access.order, read) {
            (Order::AcqRel | Order::Acquire, true) if atomic => Order::Acquire,
            (Order::AcqRel | Order::Release, false) if atomic => Order::Release,
            _ if atomic => Order::Relaxed,
            (order, _) => order,
        },
        scope: (access.order != Order::Weak).then_some(access.scope),
        atomic,
        reduction: !access.returns_value,
    };
    let read = access.reads.then(|| Action::Read(part(true), 0));
    let write = access.writes.then(|| Action::Write(part(false), 0));
    read.into_iter().chain(write).collect()
}

/// A write, a read or a fence of the execution.
#[derive(Clone, Copy)]
struct Made {
    event: usize,
    thread: usize,
    strong: Option<Scope>,
}

/// The execution, but for an order of its fences.
fn candidate(program: &Program, interleaving: &[usize]) -> (Candidate, Chosen) {
    let test = test(program);
    let mut events: Vec<Event> = Vec::new();
    for location in 0..LOCATIONS {
        let initial = ModelAccess {
            location,
            address: location,
            memory: location,
            proxy: Proxy::Generic,
            order: Order::Weak,
            scope: None,
            atomic: false,
            reduction: false,
        };
        events.push(Event {
            thread: None,
            action: Action::Write(initial, 0),
            span: None,
        });
    }
    let mut pairs = Pairs::default();
    // The events of each operation.
    let mut numbers: Vec<Vec<Vec<usize>>> = Vec::new();
    for (thread, code) in program.threads.iter().enumerate() {
        numbers.push(Vec::new());
        for op in code {
            let actions = match op {
                Op::Access(access) => actions(access),
                Op::Fence { sc, scope } => vec![Action::Fence {
                    sc: *sc,
                    scope: *scope,
                }],
                Op::BlockBarrier => vec![Action::Barrier {
                    kind: BarrierKind::Sync,
                    number: 0,
                    count: None,
                    reduction: None,
                }],
                Op::Barrier { waits } => vec![Action::Barrier {
                    kind: if *waits {
                        BarrierKind::Sync
                    } else {
                        BarrierKind::Arrive
                    },
                    number: 1,
                    count: Some(2),
                    reduction: None,
                }],
            };
            let first = events.len();
            let own: Vec<usize> = (first..first + actions.len()).collect();
            if let [read, write] = own[..] {
                pairs.rmw.push((read, write));
            }
            numbers[thread].push(own);
            events.extend(actions.into_iter().map(|action| Event {
                thread: Some(thread),
                action,
                span: None,
            }));
        }
    }
    let count = events.len();
    let candidate = Candidate::new(&test, events, &pairs);
    let chosen = Chosen::of(program, interleaving, &numbers, count);
    (candidate, chosen)
}

/// What the interleaving chooses.
struct Chosen {
    read_from: Relation,
    coherence: Relation,
    /// The fence.sc operations of each thread.
    fences: Vec<Vec<Made>>,
    events: usize,
}

impl Chosen {
    /// All orders of the fences: of each pair that is morally strong, and no other.
    fn fence_orders(&self, program: &Program) -> HashSet<Relation> {
        let mut orders = HashSet::new();
        let mut next = vec![0; self.fences.len()];
        let order = Relation::empty(self.events);
        self.extend_order(program, &mut next, &order, &mut orders);
        orders
    }

    /// The orders that begin with the first `next` fences of each thread, which `order` has.
    fn extend_order(
        &self,
        program: &Program,
        next: &mut [usize],
        order: &Relation,
        orders: &mut HashSet<Relation>,
    ) {
        let mut is_last = true;
        for (thread, fences) in self.fences.iter().enumerate() {
            let Some(fence) = fences.get(next[thread]) else {
                continue;
            };
            is_last = false;
            let mut order = order.clone();
            for (before, &made) in self.fences.iter().zip(&*next) {
                for earlier in &before[..made] {
                    if morally_strong(program, earlier, fence) {
                        order.set(earlier.event, fence.event);
                    }
                }
            }
            next[thread] += 1;
            self.extend_order(program, next, &order, orders);
            next[thread] -= 1;
        }
        if is_last {
            orders.insert(order.clone());
        }
    }

    fn of(
        program: &Program,
        interleaving: &[usize],
        numbers: &[Vec<Vec<usize>>],
        count: usize,
    ) -> Self {
        let mut chosen = Self {
            read_from: Relation::empty(count),
            coherence: Relation::empty(count),
            fences: vec![Vec::new(); program.threads.len()],
            events: count,
        };
        let mut at = vec![0; program.threads.len()];
        let mut writes: Vec<Vec<Made>> = vec![Vec::new(); LOCATIONS];
        for &thread in interleaving {
            let op = program.threads[thread][at[thread]];
            let own = &numbers[thread][at[thread]];
            at[thread] += 1;
            match op {
                Op::Access(access) => {
                    let all = &mut writes[access.location];
                    if access.reads {
                        // The initial write of a location has its number.
                        let from = all.last().map_or(access.location, |it| it.event);
                        chosen.read_from.set(from, own[0]);
                    }
                    if access.writes {
                        let event = own[own.len() - 1];
                        let made = Made {
                            event,
                            thread,
                            strong: (access.order != Order::Weak).then_some(access.scope),
                        };
                        chosen.coherence.set(access.location, event);
                        for before in all.iter().filter(|it| morally_strong(program, it, &made)) {
                            chosen.coherence.set(before.event, event);
                        }
                        all.push(made);
                    }
                }
                Op::Fence { sc: true, scope } => {
                    chosen.fences[thread].push(Made {
                        event: own[0],
                        thread,
                        strong: Some(scope),
                    });
                }
                _ => {}
            }
        }
        chosen
    }
}

fn morally_strong(program: &Program, a: &Made, b: &Made) -> bool {
    if a.thread == b.thread {
        return true;
    }
    let same_block = program.block(a.thread) == program.block(b.thread);
    let includes = |it: &Made| {
        it.strong
            .is_some_and(|scope| same_block || scope != Scope::Cta)
    };
    includes(a) && includes(b)
}
