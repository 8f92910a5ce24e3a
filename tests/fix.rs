//! What `hirace fix` does about the racy UI programs.
//!
//! `NAME.fix.diff` next to a program contains the repair that must be offered; an empty file means
//! that none may be. `UPDATE_EXPECT=1` rewrites it. For a program without a file, nothing may be
//! offered.
//!
//! Repairs take long, so a sample of the racy programs is tried, besides those that changed and
//! those that a filter names.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use hirace::check::RunOptions;
use hirace::config::Config;
use hirace::fix::{self, Fixed, Outcome, Settings};
use hirace::options::ProgramOptions;
use hirace::report::Report;
use hirace::toolchain::Output;

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use xtask::ui::{self, Choice, Program};
use xtask::verdict::Verdict;

/// A sample has one program of so many.
const SAMPLE: u64 = 42;

/// Schedules under which the repaired program must be clean.
const SCHEDULES: u32 = 3;

/// Time limit of one run, in seconds.
const TIMEOUT: f64 = 60.0;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let choice = Choice::new(
        arguments.filter.take(),
        std::mem::take(&mut arguments.exact),
    );
    let programs = ui::programs().unwrap_or_else(|why| panic!("{why}"));
    let trials = programs
        .into_iter()
        .filter(|program| program.expected.verdict == Verdict::Race)
        .filter(|program| choice.takes(program, "", SAMPLE))
        .map(|program| {
            Trial::test(program.to_string(), move || {
                run(&program).map_err(Failed::from)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The file with a program's expected repair.
fn repair(program: &Program) -> PathBuf {
    program.file.with_extension("fix.diff")
}

fn run(program: &Program) -> Result<(), String> {
    let program_arguments = ui::arguments(&program.expected.arguments);
    let compiler_arguments = compiler_arguments();
    let tree = program.tree()?;
    let settings = Settings {
        project: None,
        compiler_arguments,
        config: &Config::builtin(),
        run: RunOptions {
            arguments: &program_arguments,
            seed: 0,
            jobs: Some(1),
            timeout: Some(TIMEOUT),
            block_order: None,
            output: Output::Discarded,
            control: &ProgramOptions::default(),
        },
        schedules: program.expected.explore.unwrap_or(SCHEDULES),
    };
    match fix::find(&tree, &settings, &mut |_| {}).map_err(|error| error.to_string())? {
        Outcome::Clean(_) => Err("no race was found".to_owned()),
        Outcome::Fixed(fixed) | Outcome::PartlyFixed(fixed) => compare(program, &offered(&fixed)),
        Outcome::NotFixed { .. } => compare(program, ""),
    }
}

/// The offered repair, as text.
fn offered(fixed: &Fixed) -> String {
    let mut shown = left(fixed);
    for repair in &fixed.repairs {
        shown += &format!("{}: {}\n", repair.code, repair.what);
    }
    for file in &fixed.files {
        let diff = TextDiff::from_lines(&file.before, &file.after);
        shown += &diff.unified_diff().to_string();
    }
    shown
}

/// What a partial repair leaves.
fn left(fixed: &Fixed) -> String {
    let races = |report: &Report| report.summary.races - report.summary.possible;
    let faults = fixed.after.faults.len();
    match (races(&fixed.after), faults) {
        (0, 0) => String::new(),
        (left, _) => format!(
            "partial: {} of {} races removed; left: {left} races, {faults} faults\n",
            fixed.removed,
            races(&fixed.before),
        ),
    }
}

/// Compares with the expected repair.
fn compare(program: &Program, shown: &str) -> Result<(), String> {
    let absolute = std::path::absolute(repair(program)).map_err(|error| error.to_string())?;
    let file = expect_test::expect_file![absolute];
    std::panic::catch_unwind(|| file.assert_eq(shown))
        .map_err(|_| "the repair is not the expected one; UPDATE_EXPECT=1 accepts it".to_owned())
}

/// No optimisation: the programs run only briefly, and compiling them takes most of the time.
fn compiler_arguments() -> &'static [String] {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| ["-O0", "-g0"].map(str::to_owned).to_vec())
}
