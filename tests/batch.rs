//! UI programs, many compiled into one executable: each must report what it reports on its own.
//!
//! Runs an eighth of them; `HIRACE_BATCH=all` runs all.

use std::process::ExitCode;

use hirace::check::RunOptions;
use hirace::check::batch::{Builder, Built};
use hirace::config::{Config, Engine};
use hirace::error::Error;
use hirace::instrument::{self, tree::Tree};
use hirace::report::Status;
use hirace::report::human::{self, Style};
use hirace::toolchain::{Arguments, Output};
use libtest_mimic::{Failed, Trial};
use xtask::ui::{self, FAULTS, Program};
use xtask::verdict::Verdict;

const PROGRAMS_OF_A_BATCH: usize = 24;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let all = std::env::var_os("HIRACE_BATCH").is_some_and(|it| it == "all");
    let programs = ui::programs().unwrap_or_else(|why| panic!("{why}"));
    let is_judged = |it: &Program| matches!(it.expected.verdict, Verdict::Race | Verdict::Clean);
    let programs: Vec<_> = programs
        .into_iter()
        .filter(|it| it.topic() != FAULTS && is_judged(it))
        .step_by(if all { 1 } else { 8 })
        .collect();
    let mut trials: Vec<Trial> = programs
        .chunks(PROGRAMS_OF_A_BATCH)
        .enumerate()
        .map(|(number, programs)| {
            let programs = programs.to_vec();
            Trial::test(format!("batch::{number}"), move || {
                batch(&programs).map_err(Failed::from)
            })
        })
        .collect();
    trials.push(Trial::test("batch::apart", || {
        apart().map_err(Failed::from)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn batch(programs: &[Program]) -> Result<(), String> {
    let config = Config::builtin();
    let arguments = ["-O1", "-g0"].map(str::to_owned);
    let builder = Builder::new(&arguments, &config).map_err(|it| it.to_string())?;
    let trees: Vec<Tree> = programs
        .iter()
        .map(Program::tree)
        .collect::<Result<_, _>>()?;
    let directory = tempfile::tempdir().map_err(|it| it.to_string())?;
    let built = builder.build(&trees, &directory.path().join("batch"));
    let built = built.map_err(|it| it.to_string())?;
    let alone = built
        .iter()
        .flatten()
        .filter(|it| it.member.is_none())
        .count();
    println!("{} programs, {alone} of them alone", programs.len());
    let mut failures = Vec::new();
    for ((program, tree), built) in programs.iter().zip(&trees).zip(built) {
        let outcome = built
            .map_err(told)
            .and_then(|built| check(&builder, program, tree, &built, &config));
        if let Err(why) = outcome {
            failures.push(format!("{program}: {why}"));
        }
    }
    match failures.as_slice() {
        [] => Ok(()),
        all => Err(all.join("\n")),
    }
}

/// Programs that use the same names for different things, and exit with status 0 if each gets
/// its own.
const SAME_NAMES: [&str; 3] = [
    // An overload of a function that CUDA has, a macro, a main without a return.
    r#"
#include <cstdlib>
#define SIZE 3
__device__ long atomicAdd(long* at, long value) { long old = *at; *at = old + value; return old; }
__global__ void kernel(int* a, long* b) { atomicAdd(a, 2); if (threadIdx.x == 0) atomicAdd(b, 5L); }
int main() {
  int* a; long* b;
  cudaMallocManaged(&a, sizeof *a); cudaMallocManaged(&b, sizeof *b);
  *a = 0; *b = 0;
  kernel<<<1, SIZE>>>(a, b);
  cudaDeviceSynchronize();
  if (*a != 2 * SIZE || *b != 5) std::exit(1);
}
"#,
    // Tests whether the macro is defined, and has another kernel of the same name.
    r#"
#ifndef SIZE
#define SIZE 40
#endif
#define twice(x) ((x) + (x))
__device__ int counter;
__global__ void kernel(int* a) { atomicAdd(&counter, 1); atomicAdd(a, twice(1)); }
int main(int, char**) {
  int *a, all = 0;
  cudaMallocManaged(&a, sizeof *a);
  *a = 0;
  kernel<<<1, SIZE>>>(a);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&all, counter, sizeof all);
  return *a == 80 && all == 40 ? 0 : 1;
}
"#,
    // A function named like another program's macro, and a constructor that runs before main.
    r#"
#include <vector>
static std::vector<int> before(7, 1);
__device__ int counter = 3;
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* a) { a[threadIdx.x] = twice(counter); }
int main() {
  int* a;
  cudaMallocManaged(&a, 7 * sizeof *a);
  kernel<<<1, 7>>>(a);
  cudaDeviceSynchronize();
  return a[6] == 6 && before.size() == 7 ? 0 : 1;
}
"#,
];

fn apart() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|it| it.to_string())?;
    let config = Config::builtin();
    let builder = Builder::new(&["-O1".to_owned()], &config).map_err(|it| it.to_string())?;
    let trees: Vec<Tree> = (0..SAME_NAMES.len())
        .map(|number| {
            let path = directory.path().join(format!("{number}.cu"));
            std::fs::write(&path, SAME_NAMES[number]).expect("a program");
            instrument::collect(&[path], &Arguments::default())
        })
        .collect::<Result<_, _>>()
        .map_err(|it| it.to_string())?;
    let built = builder.build(&trees, &directory.path().join("batch"));
    let built = built.map_err(|it| it.to_string())?;
    let alone: Vec<bool> = built
        .iter()
        .map(|it| it.as_ref().map(|it| it.member.is_none()))
        .collect::<Result<_, _>>()
        .map_err(ToString::to_string)?;
    // Code that runs before main would run for every program of the batch.
    if alone != [false, false, true] {
        return Err(format!("compiled by themselves: {alone:?}"));
    }
    for (tree, built) in trees.iter().zip(built) {
        let built = built.map_err(told)?;
        let program = builder.open(tree, &built).map_err(|it| it.to_string())?;
        let report = program.run(&config, &RunOptions::default());
        let report = report.map_err(|it| it.to_string())?;
        if report.status != Status::Clean {
            return Err(format!("{}: {report:?}", built.executable.display()));
        }
    }
    Ok(())
}

fn told(error: Error) -> String {
    match error {
        Error::Compile { output, .. } => output,
        other => other.to_string(),
    }
}

fn check(
    builder: &Builder<'_>,
    program: &Program,
    tree: &Tree,
    built: &Built,
    config: &Config,
) -> Result<(), String> {
    if let Some(reason) = &built.alone {
        println!("alone: {program}, because: {reason}");
    }
    let expected = &program.expected;
    let opened = builder.open(tree, built).map_err(|it| it.to_string())?;
    let options = RunOptions {
        arguments: &ui::arguments(&expected.arguments),
        jobs: Some(1),
        timeout: Some(60.0),
        output: Output::Discarded,
        ..RunOptions::default()
    };
    let report = opened.run(config, &options).map_err(|it| it.to_string())?;
    expected.compare(&report)?;
    if expected.verdict != Verdict::Race {
        return Ok(());
    }
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    let alone = program.file.with_extension("stderr");
    let alone = std::fs::read_to_string(alone).map_err(|it| it.to_string())?;
    let here = human::render(&report, opened.texts(), None, style);
    if alone == here {
        return Ok(());
    }
    // A program with a fence brings the order engine to all programs of its executable.
    let mut machine = config.clone();
    machine.semantics.engine = Engine::Machine;
    let report = opened
        .run(&machine, &options)
        .map_err(|it| it.to_string())?;
    match alone == human::render(&report, opened.texts(), None, style) {
        true => Ok(()),
        false => Err(format!("by itself\n{alone}\nin a batch\n{here}")),
    }
}
