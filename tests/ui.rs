//! The UI programs: hirace must find what a program's first lines announce, and nothing else.
//! `tests/ui/README.md` explains how to add one.
//!
//! `TOPIC/NAME` is a program as written, `TOPIC/NAME.repaired` its repaired twin. Each is built
//! once and run under several seeds, on one and on two OS threads. If the first run has findings,
//! its whole report is in `NAME.stderr` next to the program; `UPDATE_EXPECT=1` rewrites it.
//!
//! `TOPIC/NAME.check-all`: if the source lets hirace skip checks of a program, its reports are
//! compared with those of a run in which every access is checked. (The first test shows that clean
//! programs cause no false alarms.) This is done for a quarter of the programs; with
//! `HIRACE_TESTS=all`, for all.
//!
//! `TOPIC/NAME.words-of-4`: an eighth of the programs also run with shadow words of four bytes;
//! with `HIRACE_UI_WORDS=4`, all do. The findings must be the same, unless the report says that a
//! launch did not fit.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use hirace::check::{self, Program, RunOptions};
use hirace::config::{Config, Shadow, Size};
use hirace::instrument::{self, Bases, Plan};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::Report;
use hirace::report::human::{self, Style};
use hirace::rewrite::{MonitorAll, Skip};
use hirace::toolchain::{self, Output};
use libtest_mimic::{Arguments, Failed, Trial};
use xtask::steps;
use xtask::ui::{self, FAULTS};
use xtask::verdict::Verdict;

/// Seed and number of OS threads of each run, by verdict.
const RACE_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1)];
const CLEAN_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1), (3, 2), (4, 1)];
const FAULT_RUNS: &[(u32, u32)] = &[(0, 1), (1, 1)];

/// Time limit of one run, in seconds. The slowest takes a few; a hang must not block the others.
const TIMEOUT: f64 = 120.0;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let programs = ui::programs().unwrap_or_else(|why| panic!("{why}"));
    let all_small = std::env::var_os("HIRACE_UI_WORDS").is_some_and(|bytes| bytes == "4");
    let mut trials = Vec::new();
    let asked_for_one = arguments.filter.is_some();
    for program in programs {
        // A third of the programs for the order engine, unless a filter names what to run.
        if program.tests_order()
            && !(steps::all_tests() || asked_for_one || program.is_in_part(1, 3))
        {
            continue;
        }
        let mut add = |suffix, test: fn(&ui::Program) -> Result<(), String>| {
            let name = format!("{program}{suffix}");
            let program = program.clone();
            let run = move || test(&program).map_err(Failed::from);
            trials.push(Trial::test(name, run));
        };
        add("", |program| run(program, Size::Eight));
        if program.topic() == FAULTS {
            continue;
        }
        let sampled = steps::all_tests() || program.is_in_part(2, 4);
        if sampled && program.expected.verdict != Verdict::Clean {
            add(".check-all", compare_with_all_checked);
        }
        if all_small || program.is_in_part(1, 8) {
            add(".words-of-4", |program| run(program, Size::Four));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn run(program: &ui::Program, size: Size) -> Result<(), String> {
    let expected = &program.expected;
    // Without a user's hirace.toml.
    let mut config = Config::builtin();
    config.shadow = Shadow {
        size,
        ..config.shadow
    };
    let built = build(program, &config)?;
    let check = |arguments: &[OsString], (seed, jobs)| {
        let report = run_once(&built, &config, arguments, (seed, jobs))?;
        if size == Size::Four && report.notes.iter().any(|note| note.contains("[shadow]")) {
            return Ok(None);
        }
        expected.compare(&report).map_err(|why| {
            format!(
                "seed {seed}, jobs {jobs}: {why}\n\n{}",
                drawn(&built, &report)
            )
        })?;
        Ok::<_, String>(Some(report))
    };
    let (runs, has_text) = match expected.verdict {
        _ if program.topic() == FAULTS => (FAULT_RUNS, expected.verdict != Verdict::Clean),
        Verdict::Race => (RACE_RUNS, true),
        _ => (CLEAN_RUNS, false),
    };
    for (index, &run) in runs.iter().enumerate() {
        let report = check(&ui::arguments(&expected.arguments), run)?;
        if let (Some(report), 0, true) = (report, index, has_text) {
            compare_text(&program.file, &drawn(&built, &report))?;
        }
    }
    for more in &expected.more_arguments {
        check(&ui::arguments(more), (0, 2))?;
    }
    Ok(())
}

fn build(program: &ui::Program, config: &Config) -> Result<Program, String> {
    let compiler_arguments = compiler_arguments(program, config.shadow.size);
    let tree = program.tree()?;
    let built = check::build_tree(&tree, Backend::Cpu, &compiler_arguments, config);
    built.map_err(|error| match error {
        hirace::error::Error::Compile { output, .. } => format!("does not compile:\n{output}"),
        other => other.to_string(),
    })
}

fn run_once(
    program: &Program,
    config: &Config,
    arguments: &[OsString],
    (seed, jobs): (u32, u32),
) -> Result<Report, String> {
    let options = RunOptions {
        arguments,
        seed,
        jobs: Some(jobs),
        timeout: Some(TIMEOUT),
        block_order: None,
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    let report = program.run(config, &options);
    report.map_err(|error| error.to_string())
}

/// The races must be the same whether or not every access is checked. Under seeds other than the
/// first, threads interrupt one another after a number of checks, not accesses, so other accesses
/// may race: those runs are compared with the program's first lines.
fn compare_with_all_checked(program: &ui::Program) -> Result<(), String> {
    let expected = &program.expected;
    let arguments = ui::arguments(&expected.arguments);
    let skipping = Config::builtin();
    let mut checking = Config::builtin();
    checking.skip = Skip::NOTHING;
    let by_address_only = Skip {
        read_only_memory: skipping.skip.read_only_memory,
        ..Skip::NOTHING
    };
    if copies(program, skipping.skip)? == copies(program, by_address_only)? {
        return Ok(());
    }
    let checked = build(program, &checking)?;
    let all = run_once(&checked, &checking, &arguments, (0, 1))?;
    let all = races(&drawn(&checked, &all));
    let skipped = build(program, &skipping)?;
    let some = run_once(&skipped, &skipping, &arguments, (0, 1))?;
    let some = races(&drawn(&skipped, &some));
    if some != all {
        return Err(format!("without some checks\n{some}\nwith all\n{all}"));
    }
    for seed in 1..3 {
        let report = run_once(&checked, &checking, &arguments, (seed, 1))?;
        let compared = expected.compare(&report);
        compared.map_err(|why| format!("seed {seed}, every access checked: {why}"))?;
    }
    Ok(())
}

/// The instrumented copies of a program.
fn copies(program: &ui::Program, skip: Skip) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan {
        backend: Backend::Cpu,
        selection: &MonitorAll,
        arguments: &toolchain::Arguments::default(),
        mark_copies: false,
        bases: Bases::From(1),
        skip,
    };
    let copies = instrument::tree(&program.tree()?, plan);
    let files = copies.map_err(|error| error.to_string())?.files;
    Ok(files.into_iter().map(|file| file.bytes).collect())
}

/// A report without its last line, which counts the checks.
fn races(report: &str) -> String {
    let summary = report.rfind("\nhirace: ").unwrap_or(report.len());
    report[..summary].to_owned()
}

/// Optimised only as far as it saves test time, except an eighth of the programs, which are
/// compiled as for a user. Faults need line numbers, but no other debugging information.
fn compiler_arguments(program: &ui::Program, size: Size) -> Vec<String> {
    let options: &[&str] = match size {
        _ if program.topic() == FAULTS => &["-O1", "-g1"],
        _ if program.is_in_part(0, 8) => &[],
        Size::Eight => &["-O1", "-g0"],
        Size::Four => &["-O1", "-g0", "-DHIRACE_WORD_BYTES=4"],
    };
    options.iter().map(|&it| it.to_owned()).collect()
}

fn drawn(program: &Program, report: &Report) -> String {
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    human::render(report, program.texts(), None, style)
}

/// Compares with the expected report next to the program.
fn compare_text(path: &Path, actual: &str) -> Result<(), String> {
    let absolute = std::path::absolute(path.with_extension("stderr"));
    let file = expect_test::expect_file![absolute.map_err(|error| error.to_string())?];
    std::panic::catch_unwind(|| file.assert_eq(actual))
        .map_err(|_| "the report is not the expected one; UPDATE_EXPECT=1 accepts it".to_owned())
}
