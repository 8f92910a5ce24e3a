//! The order engine (`device/hirace/executor/order/`) against the memory model.
//!
//! An execution is a small program and an interleaving of its threads, in which each read returns
//! the last value written, as on the executor. The engine finds a race if and only if the model says
//! that the execution has one. A sample judges sixty thousand executions, `HIRACE_SAMPLE=all` 7.1
//! million; `small.rs` has all executions of small programs. `executor.rs` does the same through the
//! hooks, `engines.rs` compares the two engines, and `streams.rs` is about work in streams.

#[path = "../support/compiled_executor.rs"]
mod compiled_executor;
mod engines;
mod events;
mod execution;
mod executor;
mod families;
mod interleaving;
mod judge;
mod program;
mod rules;
mod small;
mod streams;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hirace_memory_model::cat::Model;
use hirace_memory_model::models;
use hirace_sample::Sample;

use execution::line;
use families::Family;
use interleaving::{each_interleaving, interleaving};
use judge::Judge;
use program::{Generator, Program};

/// Random programs of each family: in a sample, and in all.
const PROGRAMS: [(Family, [u64; 2]); 3] = [
    (Family::Words, [4_000, 510_000]),
    (Family::Sizes, [1_000, 100_000]),
    (Family::Copies, [1_000, 100_000]),
];

/// Interleavings of a program.
const INTERLEAVINGS: u64 = 10;

/// Programs that are judged at a time.
const BATCH: usize = 2_000;

/// Compiles the driver with the engine. The options may define how the engine differs for a test
/// (`rules.h`, `limits.h`).
fn driver(name: &str, options: &[&str]) -> PathBuf {
    compile("driver.cpp", name, options)
}

fn compile(source: &str, name: &str, options: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let status = Command::new(compiler)
        .args(["-std=c++17", "-w", "-I"])
        .arg(device())
        .args(options)
        .arg(root.join("tests/order").join(source))
        .arg("-o")
        .arg(&executable)
        .status()
        .expect("a compiler");
    assert!(status.success(), "{name} does not compile");
    executable
}

/// What the engine says of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Race,
    Ordered,
    /// No race was found, but not everything was compared.
    Incomplete,
}

impl From<bool> for Verdict {
    fn from(race: bool) -> Self {
        if race { Self::Race } else { Self::Ordered }
    }
}

/// What the engine says of each execution.
fn engine(driver: &Path, lines: &str) -> Vec<Verdict> {
    let verdict = |digit: u8| match digit {
        b'0' => Verdict::Ordered,
        b'1' => Verdict::Race,
        b'2' => Verdict::Incomplete,
        other => panic!("the driver printed {other}"),
    };
    let digits = digits(&mut Command::new(driver), lines);
    digits.into_iter().map(verdict).collect()
}

/// The digits that a driver prints.
fn digits(driver: &mut Command, lines: &str) -> Vec<u8> {
    let mut child = driver
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the driver");
    let mut input = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(lines.as_bytes()).expect("the driver reads"));
        child.wait_with_output().expect("output")
    });
    assert!(output.status.success(), "{}", output.status);
    output.stdout.trim_ascii_end().to_vec()
}

/// An execution, and what the model says of it.
struct Example {
    program: Program,
    interleaving: Vec<usize>,
    race: bool,
}

fn show(example: &Example) -> String {
    let (program, interleaving) = (&example.program, &example.interleaving);
    let (verdict, line) = (Verdict::from(example.race), line(program, interleaving));
    format!("the model says {verdict:?}\n{program:#?}\n{interleaving:?}\n{line}")
}

/// Runs the engine on executions, and returns the first on which it disagrees with the model, and how many it has not
/// compared as a whole. With those it does not disagree.
fn disagreement(driver: &Path, examples: Vec<Example>) -> (Option<(Example, Verdict)>, usize) {
    let lines: String = examples
        .iter()
        .map(|it| line(&it.program, &it.interleaving))
        .collect();
    let found = engine(driver, &lines);
    assert_eq!(found.len(), examples.len());
    let is_incomplete = |it: &&Verdict| **it == Verdict::Incomplete;
    let incomplete = found.iter().filter(is_incomplete).count();
    let mut pairs = examples.into_iter().zip(found);
    let differing = pairs.find(|(example, found)| {
        *found != Verdict::Incomplete && *found != Verdict::from(example.race)
    });
    (differing, incomplete)
}

fn examples(model: &Model, family: Family, seeds: std::ops::Range<u64>) -> Vec<Example> {
    let middle = u64::midpoint(seeds.start, seeds.end);
    let halves = [seeds.start..middle, middle..seeds.end];
    let made = in_halves(halves, |seeds| examples_of_half(model, family, seeds));
    made.into_iter().flatten().collect()
}

fn examples_of_half(model: &Model, family: Family, seeds: std::ops::Range<u64>) -> Vec<Example> {
    let mut judge = Judge::new(model);
    let mut examples = Vec::new();
    for seed in seeds {
        let mut generator = Generator::new(seed);
        let program = Program::of(family, &mut generator);
        for _ in 0..INTERLEAVINGS {
            let interleaving = interleaving(&program, &mut generator.random);
            // A thread may wait forever at a barrier.
            let made: usize = program.threads.iter().map(Vec::len).sum();
            if interleaving.len() < made {
                break;
            }
            let judged = judge.judge(&program, &interleaving);
            assert!(judged.allowed, "{}", line(&program, &interleaving));
            examples.push(Example {
                program: program.clone(),
                interleaving,
                race: judged.race,
            });
        }
    }
    examples
}

fn device() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("device/hirace")
}

#[test]
fn the_engine_agrees_with_the_model() {
    let driver = driver("order", &["-O2"]);
    let model = models::shipped("ptx").expect("the model");
    for (family, [few, many]) in PROGRAMS {
        agree(&driver, &model, family, Sample::current().seeds(few, many));
    }
}

fn agree(driver: &Path, model: &Model, family: Family, seeds: std::ops::Range<u64>) {
    let (mut judged, mut racing, mut incomplete) = (0, 0, 0);
    for first in seeds.clone().step_by(BATCH) {
        let end = seeds.end.min(first + BATCH as u64);
        let made = examples(model, family, first..end);
        judged += made.len();
        racing += made.iter().filter(|it| it.race).count();
        let (differing, not_compared) = disagreement(driver, made);
        if let Some((example, found)) = differing {
            panic!("the engine says {found:?}: {}", show(&example));
        }
        incomplete += not_compared;
    }
    println!(
        "{family:?}: {judged} executions, {racing} of them with a race, {incomplete} not compared as a whole"
    );
    assert!(
        incomplete <= 1 + judged / 500_000,
        "{incomplete} of {judged}"
    );
    // Otherwise this would show little.
    let planned = (seeds.end - seeds.start) * INTERLEAVINGS;
    assert!(judged as u64 * 10 > planned * 8, "{judged} of {planned}");
    assert!(
        (2..9).contains(&(racing * 10 / judged)),
        "{racing} of {judged}"
    );
}

#[test]
fn every_interleaving_of_small_programs() {
    let model = models::shipped("ptx").expect("the model");
    let mut judge = Judge::new(&model);
    let mut all = Vec::new();
    let mut programs = 0;
    for seed in 0..400 {
        let program = Program::random(&mut Generator::new(1_000_000 + seed));
        let made: usize = program.threads.iter().map(Vec::len).sum();
        if made > 8 {
            continue;
        }
        programs += 1;
        each_interleaving(&program, &mut |interleaving| {
            // A thread waits forever at a barrier.
            if interleaving.len() < made {
                return;
            }
            let judged = judge.judge(&program, interleaving);
            assert!(judged.allowed, "{program:#?} {interleaving:?}");
            all.push(Example {
                program: program.clone(),
                interleaving: interleaving.to_vec(),
                race: judged.race,
            });
        });
    }
    let racing = all.iter().filter(|it| it.race).count();
    // If the generator changes, so do these.
    assert_eq!((programs, all.len(), racing), (297, 54_277, 46_981));
    let driver = driver("order-exhaustive", &["-O1"]);
    let (differing, incomplete) = disagreement(&driver, all);
    assert!(differing.is_none() && incomplete <= 1);
}

#[test]
fn searches_of_large_graphs_are_complete() {
    // With an index for each thread, and with few.
    for (name, limits) in [
        ("order-graph", &["-O2"][..]),
        ("order-short-graph", &["-O2", "-DHIRACE_SHORT_SEARCHES"]),
    ] {
        let driver = compile("graph.cpp", name, limits);
        let output = Command::new(driver).output().expect("the driver");
        let answers = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{answers}");
        let counts: Vec<u32> = answers
            .split_whitespace()
            .map(|it| it.parse().expect("a number"))
            .collect();
        assert!(counts.iter().all(|&it| it > 10_000), "{answers}");
    }
}

/// Executions that are rare among random ones, in the form of [`line`], and whether the model says that
/// they race.
const RARE: [(&str, bool); 3] = [
    // A strong read, then a barrier, then another thread's fence.sc: it must follow the fence.sc before
    // the write that was read.
    (
        "2 2 2 a 1 1 0 4 1 0 1 1 1 a 0 0 0 4 0 1 0 1 1 f 0 0 1 b 0 f 1 2 1 a 1 1 0 4 0 1 1 2 1 a 3 1 0 4 1 0 1 1 1 \
         b 1 f 2 1 1 a 2 0 0 4 0 1 0 1 1 .",
        false,
    ),
    // A thread's atomic operation has observed a write. Another one stands for it when the thread writes
    // with block scope.
    (
        "2 2 2 a 1 1 0 4 0 1 1 1 1 a 2 1 0 4 1 1 3 1 0 a 3 1 0 4 1 1 1 1 1 a 2 1 0 4 0 1 3 0 1 .",
        false,
    ),
    // The same, by a thread that knows of neither.
    (
        "2 2 2 a 3 1 0 4 0 1 1 0 1 a 2 1 0 4 1 1 2 2 1 a 3 1 0 4 1 1 3 1 1 a 1 1 0 4 1 0 1 2 1 .",
        true,
    ),
];

#[test]
fn rare_executions() {
    let driver = driver("order-rare", &["-O1"]);
    for (execution, races) in RARE {
        assert_eq!(engine(&driver, execution), [races.into()], "{execution}");
    }
}

/// Small programs have few nodes. Here the engine looks at none of them without an index.
#[test]
fn indices_answer_as_the_model_does() {
    let model = models::shipped("ptx").expect("the model");
    let driver = driver("order-indexed-driver", &["-O1", "-DHIRACE_SHORT_SEARCHES"]);
    let all = examples(&model, Family::Words, 0..BATCH as u64);
    let (differing, incomplete) = disagreement(&driver, all);
    assert!(differing.is_none() && incomplete <= 1);
}

/// An engine that remembers a few nodes of the graph only has forgotten something in many executions.
#[test]
fn what_is_forgotten_makes_no_race() {
    let model = models::shipped("ptx").expect("the model");
    let driver = driver("order-forgetful-driver", &["-O1", "-DHIRACE_FEW_NODES"]);
    let all = examples(&model, Family::Words, 0..BATCH as u64);
    let lines: String = all
        .iter()
        .map(|it| line(&it.program, &it.interleaving))
        .collect();
    let mut missed = 0;
    for (example, found) in all.iter().zip(engine(&driver, &lines)) {
        assert!(
            example.race || found != Verdict::Race,
            "{:#?}",
            example.program
        );
        // What it misses, it says.
        assert!(
            !example.race || found != Verdict::Ordered,
            "{:#?}",
            example.program
        );
        missed += usize::from(example.race && found == Verdict::Incomplete);
    }
    assert!(missed > 0, "nothing was forgotten");
}

/// Applies a function to all items, in two threads.
fn in_halves<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    apply: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut first: Vec<T> = items.into_iter().collect();
    let second = first.split_off(first.len() / 2);
    let apply_all = |items: Vec<T>| items.into_iter().map(&apply).collect::<Vec<R>>();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| apply_all(second));
        let mut results = apply_all(first);
        results.extend(second.join().expect("results"));
        results
    })
}
