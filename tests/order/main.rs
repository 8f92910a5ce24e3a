//! The order engine (`device/hirace/executor/order/`) against the memory model.
//!
//! An execution is a small program and an interleaving of its threads, in which each read returns
//! the last value written, as on the executor. The engine finds a race if and only if the model says
//! that the execution has one. `HIRACE_TESTS=all` judges 5.1 million executions.

mod execution;
mod mutations;
mod program;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hirace_memory_model::cat::Model;
use hirace_memory_model::models;

use execution::{Judge, line};
use mutations::MUTATIONS;
use program::{Program, Random, each_interleaving, interleaving};

/// Executions from random programs: in a sample, and in all.
const SAMPLE: usize = 40_000;
const ALL: usize = 5_100_000;

/// Interleavings of a program.
const INTERLEAVINGS: usize = 10;

/// Compiles the driver with the engine, or with a mutated copy of it in `device`.
fn driver(device: &Path, name: &str, optimisation: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let status = Command::new(compiler)
        .args(["-std=c++17", optimisation, "-w", "-I"])
        .arg(device)
        .arg(root.join("tests/order/driver.cpp"))
        .arg("-o")
        .arg(&executable)
        .status()
        .expect("a compiler");
    assert!(status.success(), "{name} does not compile");
    executable
}

/// Whether the engine finds a race in each execution.
fn engine(driver: &Path, lines: &str) -> Vec<bool> {
    let mut child = Command::new(driver)
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
    let digits = output.stdout.trim_ascii_end();
    digits.iter().map(|it| *it == b'1').collect()
}

/// An execution, and what the model says of it.
struct Example {
    program: Program,
    interleaving: Vec<usize>,
    race: bool,
}

/// Runs the engine on executions, and returns the first on which it disagrees with the model.
fn disagreement(driver: &Path, examples: Vec<Example>) -> Option<(Example, bool)> {
    let lines: String = examples
        .iter()
        .map(|it| line(&it.program, &it.interleaving))
        .collect();
    let found = engine(driver, &lines);
    assert_eq!(found.len(), examples.len());
    let mut pairs = examples.into_iter().zip(found);
    pairs.find(|(example, found)| example.race != *found)
}

fn examples(model: &Model, seeds: std::ops::Range<u64>) -> Vec<Example> {
    let mut judge = Judge::new(model);
    let mut examples = Vec::new();
    for seed in seeds {
        let mut random = Random::new(seed);
        let program = Program::random(&mut random);
        for _ in 0..INTERLEAVINGS {
            let interleaving = interleaving(&program, &mut random);
            // A thread may wait for ever at a barrier.
            let made: usize = program.threads.iter().map(Vec::len).sum();
            if interleaving.len() < made {
                break;
            }
            let judged = judge.judge(&program, &interleaving);
            assert!(judged.allowed, "{program:#?} {interleaving:?}");
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
    let all = std::env::var_os("HIRACE_TESTS").is_some_and(|it| it == "all");
    let programs = (if all { ALL } else { SAMPLE }) / INTERLEAVINGS;
    let driver = driver(&device(), "order", "-O2");
    let model = models::shipped("ptx").expect("the model");
    let batch = 2_000;
    let (mut judged, mut racing) = (0, 0);
    for first in (0..programs as u64).step_by(batch) {
        let middle = first + batch as u64 / 2;
        let ranges = [first..middle, middle..first + batch as u64];
        let made: Vec<Example> = std::thread::scope(|scope| {
            let model = &model;
            let workers = ranges.map(|range| scope.spawn(move || examples(model, range)));
            workers
                .into_iter()
                .flat_map(|it| it.join().expect("examples"))
                .collect()
        });
        judged += made.len();
        racing += made.iter().filter(|it| it.race).count();
        if let Some((example, found)) = disagreement(&driver, made) {
            panic!(
                "the engine says {found}, the model {}\n{:#?}\n{:?}\n{}",
                example.race,
                example.program,
                example.interleaving,
                line(&example.program, &example.interleaving)
            );
        }
    }
    // Otherwise this would show little.
    assert!(judged * 10 > programs * INTERLEAVINGS * 8, "{judged}");
    assert!(
        (2..9).contains(&(racing * 10 / judged)),
        "{racing} of {judged}"
    );
    println!("{judged} executions, {racing} of them with a race");
}

/// A copy of the engine in which a file says something else.
fn mutated(number: usize, file: &str, from: &str, to: &str) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("order-{number}"));
    let folder = copy.join("executor/order");
    std::fs::create_dir_all(&folder).expect("a folder");
    for room in ["generated", "hooks"] {
        std::fs::create_dir_all(copy.join(room)).expect("a folder");
    }
    for header in ["generated/wire.h", "hooks/backend.h", "hooks/strength.h"] {
        std::fs::copy(device().join(header), copy.join(header)).expect("a copy");
    }
    for entry in std::fs::read_dir(device().join("executor/order")).expect("the engine") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name");
        let mut text = std::fs::read_to_string(&path).expect("text");
        if name == file {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text = text.replace(from, to);
        }
        std::fs::write(folder.join(name), text).expect("a copy");
    }
    copy
}

#[test]
fn every_interleaving_of_small_programs() {
    let model = models::shipped("ptx").expect("the model");
    let mut judge = Judge::new(&model);
    let mut all = Vec::new();
    let mut programs = 0;
    for seed in 0..400 {
        let program = Program::random(&mut Random::new(1_000_000 + seed));
        let made: usize = program.threads.iter().map(Vec::len).sum();
        if made > 8 {
            continue;
        }
        programs += 1;
        each_interleaving(&program, &mut |interleaving| {
            // A thread waits for ever at a barrier.
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
    assert_eq!((programs, all.len(), racing), (299, 54_910, 45_975));
    let driver = driver(&device(), "order-exhaustive", "-O1");
    assert!(disagreement(&driver, all).is_none());
}

#[test]
fn each_rule_is_needed() {
    let model = models::shipped("ptx").expect("the model");
    // As few as will do: each mutation gets all of them.
    let all = examples(&model, 0..10_000);
    let lines: String = all
        .iter()
        .map(|it| line(&it.program, &it.interleaving))
        .collect();
    let refuted = |number: usize| {
        let (rule, file, from, to) = MUTATIONS[number];
        let copy = mutated(number, file, from, to);
        let found = engine(
            &driver(&copy, &format!("order-{number}-driver"), "-O0"),
            &lines,
        );
        let pairs = all.iter().zip(found);
        let differs = pairs.filter(|(it, found)| it.race != *found).count();
        println!(
            "{rule}: {differs} of {} executions refute the opposite",
            all.len()
        );
        assert!(differs > 0, "nothing refutes an engine without: {rule}");
    };
    std::thread::scope(|scope| {
        for half in 0..2 {
            let refuted = &refuted;
            scope.spawn(move || (half..MUTATIONS.len()).step_by(2).for_each(refuted));
        }
    });
}
