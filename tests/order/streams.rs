//! The order of work in streams (`device/hirace/executor/check/stream_order.h`) against its definition:
//! what comes before what, as sets of all that comes before (CUDA C++ Programming Guide, "Asynchronous
//! Concurrent Execution"; CUDA Runtime API, "Stream synchronization behavior"). Programs are so short that the
//! executor remembers all accesses (`launch_accesses.h`).

use std::fmt::Write as _;
use std::ops::Range;

use hirace_sample::Sample;
use hirace_sample::random::Random;

use crate::BATCH;
use crate::executor::{Engine, RULE_SAMPLE, run, with_executor, with_executor_without};

/// Random host programs: in a sample, and in all.
const PROGRAMS: [u64; 2] = [4_000, 200_000];

/// The default stream, two that are ordered with it, and two that are not.
const STREAMS: usize = 5;
const LEGACY: usize = 0;
const BLOCKING: Range<usize> = 1..3;

const EVENTS: usize = 3;
const VARIABLES: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Reads,
    Writes,
    /// Atomically.
    Updates,
}

struct Access {
    how: How,
    variable: usize,
    /// A bit for each piece of work that comes before it.
    before: u64,
    /// Its own.
    own: u64,
}

/// A program, and what its work comes after. A set of work has a bit for each piece.
#[derive(Default)]
struct Program {
    line: String,
    accesses: Vec<Access>,
    /// What comes before the next work of a stream by the stream itself, before those who wait for an event, and before
    /// what the host does.
    streams: [u64; STREAMS],
    events: [u64; EVENTS],
    host: u64,
    work: u32,
}

impl Program {
    fn random(random: &mut Random) -> Self {
        let mut program = Self::default();
        for _ in 0..3 + random.index(8) {
            program.step(random);
        }
        program.line.push_str(".\n");
        program
    }

    fn step(&mut self, random: &mut Random) {
        let stream = random.index(STREAMS);
        let event = random.index(EVENTS);
        let variable = random.index(VARIABLES);
        let _ = match random.index(13) {
            0..=3 => {
                let how = *random.pick(&[How::Reads, How::Writes, How::Updates]);
                self.work_in(stream, &[(how, variable)]);
                write!(self.line, "k {stream} {variable} {} ", how as u8)
            }
            4 => {
                let from = (variable + 1) % VARIABLES;
                self.work_in(stream, &[(How::Writes, variable), (How::Reads, from)]);
                write!(self.line, "c {stream} {variable} {from} ")
            }
            5 => {
                self.work_in(stream, &[(How::Writes, variable)]);
                write!(self.line, "m {stream} {variable} ")
            }
            6 | 7 => {
                self.events[event] = self.now_in(stream);
                write!(self.line, "r {stream} {event} ")
            }
            8 | 9 => {
                self.streams[stream] |= self.events[event];
                write!(self.line, "x {stream} {event} ")
            }
            10 => {
                let how = *random.pick(&[How::Reads, How::Writes]);
                let work = self.begin();
                self.add(&[(how, variable)], self.host, work);
                self.host |= work;
                write!(self.line, "h {variable} {} ", how as u8)
            }
            11 => {
                self.host |= self.now_in(stream);
                write!(self.line, "s {stream} ")
            }
            _ if random.percent(70) => {
                self.host |= self.events[event];
                write!(self.line, "e {event} ")
            }
            _ => {
                self.host |= self.streams.iter().fold(0, |all, it| all | it);
                write!(self.line, "d ")
            }
        };
    }

    /// What comes before the next work of a stream.
    fn now_in(&mut self, stream: usize) -> u64 {
        let mut before = self.streams[stream] | self.host;
        if stream == LEGACY {
            before |= BLOCKING.fold(0, |all, it| all | self.streams[it]);
        } else if BLOCKING.contains(&stream) {
            before |= self.streams[LEGACY];
        }
        self.streams[stream] = before;
        before
    }

    fn begin(&mut self) -> u64 {
        self.work += 1;
        1 << self.work
    }

    fn work_in(&mut self, stream: usize, accesses: &[(How, usize)]) {
        let work = self.begin();
        let before = self.now_in(stream);
        self.add(accesses, before, work);
        self.streams[stream] |= work;
    }

    fn add(&mut self, accesses: &[(How, usize)], before: u64, own: u64) {
        let accesses = accesses.iter().map(|&(how, variable)| Access {
            how,
            variable,
            before,
            own,
        });
        self.accesses.extend(accesses);
    }

    /// Whether two pieces of work race: an earlier call never comes after a later one.
    fn races(&self) -> bool {
        let mut pairs = self.accesses.iter().enumerate();
        pairs.any(|(at, later)| {
            self.accesses[..at].iter().any(|it| {
                let conflict = it.variable == later.variable
                    && (it.how != How::Reads || later.how != How::Reads)
                    && (it.how != How::Updates || later.how != How::Updates);
                conflict && it.own != later.own && later.before & it.own == 0
            })
        })
    }
}

/// Rules of `stream_order.h`.
pub const RULES: [&str; 5] = [
    "stream_waits_for_event",
    "default_stream_waits_for_others",
    "others_wait_for_default_stream",
    "host_waits_for_work",
    "work_follows_what_host_knows",
];

fn programs(seeds: Range<u64>) -> (Vec<Program>, String) {
    let programs: Vec<Program> = seeds
        .map(|seed| Program::random(&mut Random::new(seed)))
        .collect();
    let lines = programs.iter().map(|it| it.line.as_str()).collect();
    (programs, lines)
}

#[test]
fn each_rule_of_streams_is_needed() {
    let (programs, lines) = programs(0..2_000);
    for rule in RULES {
        if !Sample::current().takes_for_this_test(rule, RULE_SAMPLE) {
            continue;
        }
        let driver = with_executor_without(rule, "streams.cpp");
        let mut pairs = programs.iter().zip(run(&driver, Engine::Machine, &lines));
        // Without a rule, work that is ordered seems to race.
        let is_refuted = pairs.any(|(program, found)| !program.races() && found == b'1');
        assert!(is_refuted, "nothing refutes an executor without {rule}");
    }
}

#[test]
fn work_in_streams_is_ordered_as_defined() {
    let driver = with_executor("streams.cpp", "order-streams");
    let [few, many] = PROGRAMS;
    let seeds = Sample::current().seeds(few, many);
    let mut racing = 0;
    for first in seeds.clone().step_by(BATCH) {
        let (programs, lines) = programs(first..seeds.end.min(first + BATCH as u64));
        for engine in [Engine::Machine, Engine::Order] {
            let found = run(&driver, engine, &lines);
            assert_eq!(found.len(), programs.len());
            for (program, found) in programs.iter().zip(found) {
                let races = program.races();
                let agrees = found == if races { b'1' } else { b'0' };
                assert!(
                    agrees,
                    "{engine:?}: {} instead of {races}: {}",
                    char::from(found),
                    program.line
                );
                racing += usize::from(races);
            }
        }
    }
    let count = 2 * usize::try_from(seeds.end - seeds.start).expect("few");
    println!("{count} programs, {racing} of them with a race");
    assert!(
        (2..9).contains(&(racing * 10 / count)),
        "{racing} of {count}"
    );
}
