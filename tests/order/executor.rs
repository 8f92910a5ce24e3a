//! The same through the hooks of the executor, which decide what the engine gets to see: a shadow word tells of a
//! granule that one thread at a time accesses, and repeated accesses are dropped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use hirace::toolchain::Runtime;
use hirace_memory_model::models;
use hirace_sample::Sample;

use crate::compiled_executor::{includes, runtime};
use crate::execution::line;
use crate::families::Family;
use crate::{BATCH, Example, Verdict, compile, digits, examples, show};

/// An executor is compiled for one of so many rules: that takes long.
pub const RULE_SAMPLE: u64 = 40;

/// Which engine checks.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    Machine,
    Order,
}

/// Compiles a program, and links it with the compiled executor.
pub fn with_executor(source: &str, name: &str) -> PathBuf {
    let object = runtime().display().to_string();
    build(source, name, &["-O1", Runtime::MACRO, &object])
}

/// Compiles a program together with an executor that breaks a rule (`rules.h`).
pub fn with_executor_without(rule: &str, source: &str) -> PathBuf {
    let broken = format!("-DHIRACE_BROKEN_RULE={rule}");
    let name = format!("order-executor-without-{rule}");
    build(source, &name, &["-O0", &broken])
}

fn build(source: &str, name: &str, options: &[&str]) -> PathBuf {
    let [device, toolkit] = includes().map(|it| format!("-I{}", it.display()));
    let own = ["-pthread", &device, &toolkit];
    compile(source, name, &[&own, options].concat())
}

pub fn hooks() -> PathBuf {
    static HOOKS: OnceLock<PathBuf> = OnceLock::new();
    let build = || with_executor("hooks.cpp", "order-hooks");
    HOOKS.get_or_init(build).clone()
}

/// A digit for each execution: see `hooks.cpp`.
pub fn run(hooks: &Path, engine: Engine, lines: &str) -> Vec<u8> {
    let mut command = Command::new(hooks);
    for variable in ["HIRACE_SEED", "HIRACE_RECORDS", "HIRACE_OPTIONS"] {
        command.env_remove(variable);
    }
    command.env("HIRACE_JOBS", "1").env(
        "HIRACE_ENGINE",
        match engine {
            Engine::Machine => "machine",
            Engine::Order => "order",
        },
    );
    digits(&mut command, lines)
}

fn verdict(digit: u8) -> Verdict {
    match digit {
        b'0' => Verdict::Ordered,
        b'i' => Verdict::Incomplete,
        _ => Verdict::Race,
    }
}

/// Random programs of each family: in a sample, and in all.
const PROGRAMS: [(Family, [u64; 2]); 4] = [
    (Family::Words, [200, 50_000]),
    (Family::Sizes, [200, 50_000]),
    (Family::Copies, [200, 50_000]),
    (Family::Repeats, [200, 50_000]),
];

#[test]
fn the_engine_agrees_with_the_model_behind_the_hooks() {
    let hooks = hooks();
    each_batch(&PROGRAMS, &mut |made| {
        for (example, digit) in made.iter().zip(run(&hooks, Engine::Order, &lines(made))) {
            let found = verdict(digit);
            let agrees = found == Verdict::from(example.race);
            assert!(agrees, "the engine says {found:?}: {}", show(example));
        }
    });
}

/// Programs that the state machine looks at first.
const FILTERED: [(Family, [u64; 2]); 1] = [(Family::Filtered, [1_000, 100_000])];

/// The order engine judges only kernels in which the state machine finds something.
#[test]
fn the_machine_misses_no_race_where_it_looks_first() {
    let hooks = hooks();
    let mut settled = 0;
    each_batch(&FILTERED, &mut |made| {
        for (example, digit) in made.iter().zip(run(&hooks, Engine::Machine, &lines(made))) {
            let found = verdict(digit);
            // If it says that it may have missed one, the engine judges, too.
            let misses = example.race && found == Verdict::Ordered;
            assert!(!misses, "the machine says {found:?}: {}", show(example));
            settled += usize::from(found == Verdict::Ordered);
        }
    });
    // Otherwise there would be no need to look first.
    assert!(settled > 0);
}

/// Rules that say what the engine need not be told, or may leave to the state machine; and what refutes an
/// executor without one.
pub const RULES: [(&str, Family, Engine); 5] = [
    ("word_tells_of_one_access", Family::Repeats, Engine::Order),
    ("word_tells_of_whole_granules", Family::Sizes, Engine::Order),
    (
        "repeated_access_is_of_one_time",
        Family::Repeats,
        Engine::Order,
    ),
    ("lanes_read_at_one_time", Family::Repeats, Engine::Order),
    ("some_lanes_are_no_warp", Family::Filtered, Engine::Machine),
];

#[test]
fn each_rule_of_the_executor_is_needed() {
    let model = models::shipped("ptx").expect("the model");
    for (rule, family, engine) in RULES {
        if !Sample::current().takes_for_this_test(rule, RULE_SAMPLE) {
            continue;
        }
        let hooks = with_executor_without(rule, "hooks.cpp");
        let made = examples(&model, family, 0..BATCH as u64);
        let mut pairs = made.iter().zip(run(&hooks, engine, &lines(&made)));
        let is_refuted = pairs.any(|(example, digit)| {
            let found = verdict(digit);
            match engine {
                Engine::Order => found != Verdict::from(example.race),
                Engine::Machine => example.race && found == Verdict::Ordered,
            }
        });
        assert!(is_refuted, "nothing refutes an executor without {rule}");
    }
}

/// Judges random executions of these families.
fn each_batch(families: &[(Family, [u64; 2])], visit: &mut dyn FnMut(&[Example])) {
    let model = models::shipped("ptx").expect("the model");
    for (family, [few, many]) in families {
        let seeds = Sample::current().seeds(*few, *many);
        let (mut judged, mut racing) = (0, 0);
        for first in seeds.clone().step_by(BATCH) {
            let end = seeds.end.min(first + BATCH as u64);
            let made = examples(&model, *family, first..end);
            judged += made.len();
            racing += made.iter().filter(|it| it.race).count();
            visit(&made);
        }
        println!("{family:?}: {judged} executions, {racing} of them with a race");
        assert!(
            racing > judged / 10 && racing < judged,
            "{racing} of {judged}"
        );
    }
}

fn lines(examples: &[Example]) -> String {
    let lines = examples.iter();
    lines
        .map(|it| line(&it.program, &it.interleaving))
        .collect()
}
