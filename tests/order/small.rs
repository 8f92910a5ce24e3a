//! All programs of up to three threads with up to three operations each, from a small alphabet.
//!
//! Threads have no names: programs that differ in their order are one. Executions of a program in
//! which each read reads the same write, and the writes of each location come in the same order, are one
//! to the model, and different interleavings to the engine.

use std::collections::HashMap;

use hirace_memory_model::litmus::ast::{Order, Scope};
use hirace_memory_model::models;
use hirace_sample::Sample;

use crate::interleaving::each_interleaving;
use crate::judge::Judge;
use crate::program::{Access, Op, Program, WORD};
use crate::{Verdict, driver, engine};

const MAX_THREADS: usize = 3;
const MAX_OPERATIONS: usize = 3;

/// Programs of each alphabet in a sample.
const FEW: u64 = 24;

/// What threads do: each in a block of its own, or all in one.
struct Alphabet {
    name: &'static str,
    one_block: bool,
    letters: [Op; 3],
}

const fn access(location: usize, reads: bool, writes: bool, order: Order) -> Op {
    Op::Access(Access {
        location,
        bytes: WORD,
        reads,
        writes,
        order,
        scope: Scope::Gpu,
        returns_value: true,
    })
}

/// Data, and what may order accesses to it.
const ALPHABETS: [Alphabet; 4] = [
    Alphabet {
        name: "release and acquire",
        one_block: false,
        letters: [
            access(0, false, true, Order::Weak),
            access(1, false, true, Order::Release),
            access(1, true, false, Order::Acquire),
        ],
    },
    Alphabet {
        name: "fences and atomic operations",
        one_block: false,
        letters: [
            access(0, false, true, Order::Weak),
            access(1, true, true, Order::Relaxed),
            Op::Fence {
                sc: false,
                scope: Scope::Gpu,
            },
        ],
    },
    Alphabet {
        name: "fence.sc and writes",
        one_block: false,
        letters: [
            access(0, false, true, Order::Weak),
            access(1, false, true, Order::Relaxed),
            Op::Fence {
                sc: true,
                scope: Scope::Gpu,
            },
        ],
    },
    Alphabet {
        name: "barriers",
        one_block: true,
        letters: [
            access(0, false, true, Order::Weak),
            access(0, true, false, Order::Weak),
            Op::BlockBarrier,
        ],
    },
];

impl Alphabet {
    /// What a thread may do. In one block, each thread has a barrier: others would wait for it.
    fn threads(&self) -> Vec<Vec<Op>> {
        let mut longest = vec![Vec::new()];
        let mut all = Vec::new();
        for _ in 0..MAX_OPERATIONS {
            let longer = longest.iter().flat_map(|code: &Vec<Op>| {
                self.letters.iter().map(|op| {
                    let mut code = code.clone();
                    code.push(*op);
                    code
                })
            });
            longest = longer.collect();
            all.extend(longest.iter().cloned());
        }
        let barriers = |code: &[Op]| code.iter().filter(|it| **it == Op::BlockBarrier).count();
        all.retain(|code| !self.one_block || barriers(code) == 1);
        all
    }

    fn programs(&self) -> Vec<Program> {
        let codes = self.threads();
        let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
        let mut programs = Vec::new();
        for _ in 0..MAX_THREADS {
            let longer = chosen.iter().flat_map(|of_threads| {
                let first = of_threads.last().copied().unwrap_or(0);
                let last = first..codes.len();
                last.map(|code| of_threads.iter().copied().chain([code]).collect())
            });
            chosen = longer.collect();
            programs.extend(chosen.iter().map(|of_threads| Program {
                width: if self.one_block { of_threads.len() } else { 1 },
                threads: of_threads.iter().map(|it| codes[*it].clone()).collect(),
            }));
        }
        programs
    }
}

/// For each read, how many writes of its location come before; and who makes these.
fn key(program: &Program, interleaving: &[usize]) -> Vec<usize> {
    let mut at = vec![0; program.threads.len()];
    let mut writes = [0; 2];
    let mut reads = vec![[0; MAX_OPERATIONS]; program.threads.len()];
    let mut order = [const { Vec::new() }; 2];
    for &thread in interleaving {
        if let Op::Access(access) = program.threads[thread][at[thread]] {
            reads[thread][at[thread]] = writes[access.location];
            if access.writes {
                writes[access.location] += 1;
                order[access.location].push(thread);
            }
        }
        at[thread] += 1;
    }
    let [first, second] = order;
    reads
        .into_iter()
        .flatten()
        .chain(first)
        .chain(second)
        .collect()
}

/// The executions of one program: for the engine, and whether each of them races.
fn executions(judge: &mut Judge<'_>, program: &Program, lines: &mut String, races: &mut Vec<bool>) {
    let mut known: HashMap<Vec<usize>, bool> = HashMap::new();
    each_interleaving(program, &mut |interleaving| {
        let race = *known.entry(key(program, interleaving)).or_insert_with(|| {
            let judged = judge.judge(program, interleaving);
            assert!(judged.allowed, "{program:#?} {interleaving:?}");
            judged.race
        });
        lines.push_str(&crate::execution::line(program, interleaving));
        races.push(race);
    });
}

/// How many interleavings there are. Without barriers, no thread waits: it is a multinomial coefficient.
fn count(program: &Program) -> u64 {
    let mut count = 0;
    if program.threads.concat().contains(&Op::BlockBarrier) {
        each_interleaving(program, &mut |_| count += 1);
        return count;
    }
    let factorial = |number: usize| (1..=number as u64).product::<u64>();
    let lengths = program.threads.iter().map(Vec::len);
    factorial(lengths.clone().sum()) / lengths.map(factorial).product::<u64>()
}

#[test]
fn all_small_programs() {
    // Programs and interleavings of each alphabet. A sample judges some of them.
    let pinned = [
        (11_479, 8_535_054),
        (11_479, 8_535_054),
        (11_479, 8_535_054),
        (1_139, 209_831),
    ];
    let driver = driver("order-small", &["-O1"]);
    let model = models::shipped("ptx").expect("the model");
    let mut judge = Judge::new(&model);
    // Over all alphabets: a sample of one may race in all of its executions.
    let (mut judged_in_all, mut racing_in_all) = (0, 0);
    for (alphabet, pinned) in ALPHABETS.iter().zip(pinned) {
        let programs = alphabet.programs();
        let all: u64 = programs.iter().map(count).sum();
        assert_eq!((programs.len(), all), pinned, "{}", alphabet.name);
        // Neighbours are alike.
        const DISTANCE: usize = 4_099;
        let total = programs.len() as u64;
        let (mut judged, mut racing) = (0, 0);
        for number in Sample::current().seeds(FEW, total) {
            let place = usize::try_from(number).expect("few programs") * DISTANCE % programs.len();
            let program = &programs[place];
            let (mut lines, mut races) = (String::new(), Vec::new());
            executions(&mut judge, program, &mut lines, &mut races);
            judged += races.len();
            racing += races.iter().filter(|it| **it).count();
            let races: Vec<Verdict> = races.into_iter().map(Verdict::from).collect();
            assert_eq!(engine(&driver, &lines), races, "{program:#?}");
        }
        println!(
            "{}: {judged} executions, {racing} of them with a race",
            alphabet.name
        );
        judged_in_all += judged;
        racing_in_all += racing;
    }
    assert!(
        racing_in_all > 0 && racing_in_all < judged_in_all,
        "{racing_in_all} of {judged_in_all}"
    );
}
