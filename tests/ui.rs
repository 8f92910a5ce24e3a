//! The UI programs: hirace must find what a program's first lines announce, and nothing else.
//! `tests/ui/README.md` explains how to add one.
//!
//! `TOPIC/NAME` is a program as written, `TOPIC/NAME.repaired` its repaired twin. Each is run under
//! several seeds, on one and on two OS threads. If the first run has findings, its whole report is
//! in `NAME.stderr` next to the program; `UPDATE_EXPECT=1` rewrites it.
//!
//! A program whose race only some schedules show has a line `// explore: N`: its report is that of
//! the first N schedules together.
//!
//! A program with a line `// predict: N` is run with `--predict`. Its report is that of the natural
//! order; the other schedules up to N must show or predict the same races.
//!
//! Most programs are compiled together with others (`support/batches.rs`). The atomics and fences
//! of an executable choose the engine for all its programs, so the test of a program in a batch
//! names an engine, and tries the other one if the report is not the expected one. A sample of the
//! programs, those that changed, and those that a filter names, if they are few, are compiled on
//! their own, with a user's options, and choose their engine.
//!
//! `TOPIC/NAME.check-all`: if hirace may skip checks of a program, the pairs of lines that race are
//! compared with those of a run in which every access is checked. (The first test shows that clean
//! programs cause no false alarms.)
//!
//! `TOPIC/NAME.words-of-4`: the program runs with shadow words of four bytes; with
//! `HIRACE_UI_WORDS=4`, all do. The findings must be the same, unless the report says that a launch
//! did not fit.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::sync::Arc;

use hirace::check::{self, Program, RunOptions};
use hirace::config::{Config, Engine, Size};
use hirace::instrument::{self, Bases, Plan};
use hirace::model::Backend;
use hirace::report::Report;
use hirace::report::human::{self, Style};
use hirace::rewrite::{DeviceLinkage, MonitorAll, Skip};
use hirace::toolchain::{self, Output};
use libtest_mimic::{Arguments, Failed, Trial};
use xtask::ui::{self, Choice, FAULTS};
use xtask::verdict::Verdict;

#[path = "support/batches.rs"]
mod batches;
#[path = "support/pairs.rs"]
mod pairs;

use batches::{Batch, Member};

/// Seed and number of OS threads of each run, by verdict.
const RACE_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1)];
const CLEAN_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1), (3, 2), (4, 1)];
const ORDER_RUNS: &[(u32, u32)] = &[
    (5, 1),
    (6, 1),
    (7, 1),
    (8, 1),
    (9, 1),
    (10, 1),
    (11, 1),
    (12, 1),
];
const FAULT_RUNS: &[(u32, u32)] = &[(0, 1), (1, 1)];
/// Several schedules together, from seed 0.
const EXPLORED: &[(u32, u32)] = &[(0, 1)];

/// Time limit of one run, in seconds. The slowest takes a few; a hang must not block the others.
const TIMEOUT: f64 = 120.0;

/// Threads that poll forever. Whether the host could end that depends on the managed variables of
/// the executable, so such a program does not share one.
const LIVELOCK: &str = "HF019";

/// Where an access lies in shared memory depends on the variables of all kernels of the executable, so a program
/// whose report says that there is none does not share one either.
const NO_SHARED_MEMORY: &str = "faults/dynamic_shared_not_asked_for";

/// The folder of programs for the order engine.
const ORDER: &str = "order";

/// Samples have one program of so many.
const USUAL: u64 = 20;
/// Of what a filter selects, if that is much.
const SELECTED: u64 = 4;
const ALONE: u64 = 40;
const CHECK_ALL: u64 = 28;
const SMALL_WORDS: u64 = 42;

/// The folder of programs whose host code races.
const HOST: &str = "host";

/// Whether the places of findings come from debugging information.
fn needs_lines(program: &ui::Program) -> bool {
    program.topic() == FAULTS || program.topic() == HOST
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let programs = ui::programs().unwrap_or_else(|why| panic!("{why}"));
    let is_exact = std::mem::take(&mut arguments.exact);
    let usual = match arguments.filter {
        Some(_) => SELECTED,
        None => USUAL,
    };
    let choice = Choice::new(arguments.filter.take(), is_exact)
        .with_samples_of_more_than(batches::PROGRAMS, &programs);
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let all_small = std::env::var_os("HIRACE_UI_WORDS").is_some_and(|bytes| bytes == "4");
    let mut chosen = Chosen::default();
    for program in programs {
        if choice.takes(&program, "", usual) {
            let is_alone = is_update || choice.takes(&program, "", ALONE);
            chosen.usual.push((program.clone(), is_alone));
        }
        if needs_lines(&program) {
            continue;
        }
        let has_findings = program.expected.verdict != Verdict::Clean;
        // Then the first lines do not hold for single schedules.
        let is_explored = program.expected.explore.is_some() || program.expected.predict.is_some();
        if has_findings && !is_explored && choice.takes(&program, ".check-all", CHECK_ALL) {
            chosen.check_all.push(program.clone());
        }
        let every = if all_small { 1 } else { SMALL_WORDS };
        if choice.takes(&program, ".words-of-4", every) {
            chosen.small_words.push(program);
        }
    }
    libtest_mimic::run(&arguments, chosen.trials(arguments.list)).exit_code()
}

/// The programs that are tested, by test.
#[derive(Default)]
struct Chosen {
    /// Each with whether it is compiled on its own.
    usual: Vec<(ui::Program, bool)>,
    check_all: Vec<ui::Program>,
    small_words: Vec<ui::Program>,
}

impl Chosen {
    /// The tests. Unless they are only listed, their programs are compiled in the background.
    fn trials(self, is_list: bool) -> Vec<Trial> {
        // Without a user's hirace.toml.
        let usual = Config::builtin();
        let mut checking = Config::builtin();
        checking.skip = Skip::NOTHING;
        let mut small = Config::builtin();
        small.shadow.size = Size::Four;

        let (alone, together): (Vec<_>, Vec<_>) =
            self.usual.into_iter().partition(|(program, is_alone)| {
                *is_alone
                    || program.expected.has_fault(LIVELOCK)
                    || program.to_string() == NO_SHARED_MEMORY
            });
        let alone = alone
            .into_iter()
            .map(|(program, _)| Subject::alone(program));
        let together = together.into_iter().map(|(program, _)| program);

        let mut subjects: Vec<Subject> = alone.collect();
        // Reports need line numbers, but no other debugging information. Optimised only as far as it
        // saves test time.
        let usual_options = ["-O1", "-g1"];
        subjects.extend(Subject::together(
            together.collect(),
            &usual_options,
            &usual,
        ));
        let options = ["-O1", "-g1", "-DHIRACE_WORD_BYTES=4"];
        let small = Subject::together(self.small_words, &options, &small);
        let compared = if is_list {
            self.check_all
        } else {
            with_skips(self.check_all)
        };
        let skipping = Subject::together(compared.clone(), &["-O1", "-g0"], &usual);
        let checking = Subject::together(compared, &["-O1", "-g0"], &checking);

        if !is_list {
            let all = [&subjects, &small, &skipping, &checking];
            batches::prepare(all.into_iter().flatten().filter_map(Subject::member));
        }
        let trial = |subject: Subject, suffix: &str| {
            let name = format!("{}{suffix}", subject.program);
            Trial::test(name, move || subject.test().map_err(Failed::from))
        };
        let mut trials: Vec<Trial> = Vec::new();
        trials.extend(subjects.into_iter().map(|it| trial(it, "")));
        trials.extend(small.into_iter().map(|it| trial(it, ".words-of-4")));
        trials.extend(
            skipping
                .into_iter()
                .zip(checking)
                .map(|(skipping, checking)| {
                    let name = format!("{}.check-all", skipping.program);
                    Trial::test(name, move || {
                        compare_with_all_checked(&skipping, &checking).map_err(Failed::from)
                    })
                }),
        );
        trials
    }
}

/// A program to test, and how it is built.
struct Subject {
    program: ui::Program,
    config: Config,
    build: Build,
}

enum Build {
    /// On its own, with a user's options; those of faults give line numbers.
    Alone,
    Together(Member),
}

impl Subject {
    fn alone(program: ui::Program) -> Self {
        Self {
            program,
            config: Config::builtin(),
            build: Build::Alone,
        }
    }

    fn together(programs: Vec<ui::Program>, options: &[&str], config: &Config) -> Vec<Self> {
        let options: Vec<String> = options.iter().map(|&it| it.to_owned()).collect();
        let members = Batch::members(&programs, &options, config);
        let subject = |(program, member)| Self {
            program,
            config: config.clone(),
            build: Build::Together(member),
        };
        programs.into_iter().zip(members).map(subject).collect()
    }

    fn member(&self) -> Option<&Member> {
        match &self.build {
            Build::Alone => None,
            Build::Together(member) => Some(member),
        }
    }

    fn built(&self) -> Result<Arc<Program>, String> {
        match &self.build {
            Build::Together(member) => member.program(),
            Build::Alone => {
                let tree = self.program.tree()?;
                let built = check::build_tree(&tree, Backend::Cpu, &[], &self.config);
                built.map(Arc::new).map_err(batches::text)
            }
        }
    }

    /// The engines of which one must give the expected reports.
    fn engines(&self) -> &'static [Engine] {
        match self.build {
            Build::Alone => &[Engine::Auto],
            Build::Together(_) if self.program.topic() == ORDER => {
                &[Engine::Order, Engine::Machine]
            }
            Build::Together(_) => &[Engine::Machine, Engine::Order],
        }
    }

    /// Whether one of the engines passes `test`; what each of them fails at.
    fn with_an_engine(&self, test: impl Fn(&Config) -> Result<(), String>) -> Result<(), String> {
        let attempt = |&engine| {
            let mut config = self.config.clone();
            config.semantics.engine = engine;
            config.semantics.predict = self.program.expected.predict.is_some();
            test(&config)
        };
        let mut failures = Vec::new();
        for engine in self.engines() {
            match attempt(engine) {
                Ok(()) => return Ok(()),
                Err(why) => failures.push(why),
            }
        }
        Err(failures.join("\nand by the other engine:\n"))
    }

    fn test(&self) -> Result<(), String> {
        let built = self.built()?;
        self.with_an_engine(|config| self.test_with(&built, config))
    }

    fn test_with(&self, built: &Program, config: &Config) -> Result<(), String> {
        let expected = &self.program.expected;
        let is_small = config.shadow.size == Size::Four;
        let check = |arguments: &[OsString], (seed, jobs)| {
            let report = match expected.explore {
                None => run_once(built, config, arguments, (seed, jobs))?,
                Some(schedules) => explored(built, config, arguments, schedules)?,
            };
            if is_small && report.notes.iter().any(|note| note.contains("[shadow]")) {
                return Ok(None);
            }
            expected.compare(&report).map_err(|why| {
                let report = drawn(built, &report);
                format!("seed {seed}, jobs {jobs}: {why}\n\n{report}")
            })?;
            Ok::<_, String>(Some(report))
        };
        let (runs, has_text) = match expected.verdict {
            _ if self.program.topic() == FAULTS => (FAULT_RUNS, expected.verdict != Verdict::Clean),
            Verdict::Possible if expected.predict.is_some() => (EXPLORED, true),
            Verdict::Race if expected.explore.is_some() => (EXPLORED, true),
            Verdict::Race => (RACE_RUNS, true),
            _ if expected.explore.is_some() => (EXPLORED, false),
            _ => (CLEAN_RUNS, false),
        };
        // What flags and locks order must be found under all of them.
        let more = (runs == CLEAN_RUNS && self.program.topic() == ORDER).then_some(ORDER_RUNS);
        for (index, &run) in runs.iter().chain(more.into_iter().flatten()).enumerate() {
            let report = check(&ui::arguments(&expected.arguments), run)?;
            if let (Some(report), 0, true) = (report, index, has_text) {
                self.compare_text(&drawn(built, &report))?;
            }
        }
        for seed in 1..expected.predict.unwrap_or_default() {
            let run = (seed, 1 + seed % 2);
            let report = run_once(built, config, &ui::arguments(&expected.arguments), run)?;
            expected.shows_or_predicts(&report).map_err(|why| {
                let report = drawn(built, &report);
                format!("seed {seed}: {why}\n\n{report}")
            })?;
        }
        for more in &expected.more_arguments {
            check(&ui::arguments(more), (0, 2))?;
        }
        Ok(())
    }

    /// Compares with the expected report next to the program.
    fn compare_text(&self, actual: &str) -> Result<(), String> {
        let path = self.program.file.with_extension("stderr");
        if self.engines().len() > 1 {
            let wanted = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
            return match wanted == actual {
                true => Ok(()),
                false => Err(format!(
                    "expected\n{wanted}\nbut together with others\n{actual}"
                )),
            };
        }
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        let file = expect_test::expect_file![path];
        std::panic::catch_unwind(|| file.assert_eq(actual)).map_err(|_| {
            "the report is not the expected one; UPDATE_EXPECT=1 accepts it".to_owned()
        })
    }
}

/// The programs of which hirace may skip checks.
fn with_skips(mut programs: Vec<ui::Program>) -> Vec<ui::Program> {
    // A program that cannot be read fails its test.
    programs.retain(|program| {
        let [usual, all] = [Skip::default(), Skip::NOTHING].map(|skip| copies(program, skip));
        usual.is_err() || usual != all
    });
    programs
}

fn run_once(
    program: &Program,
    config: &Config,
    arguments: &[OsString],
    (seed, jobs): (u32, u32),
) -> Result<Report, String> {
    let report = program.run(
        config,
        &RunOptions {
            seed,
            jobs: Some(jobs),
            ..options(arguments)
        },
    );
    report.map_err(|error| error.to_string())
}

/// The merged report of some schedules.
fn explored(
    program: &Program,
    config: &Config,
    arguments: &[OsString],
    schedules: u32,
) -> Result<Report, String> {
    let run = |options: &RunOptions<'_>| program.run(config, options);
    let report = check::explore(
        0,
        schedules - 1,
        0,
        Some(NonZeroU32::MIN),
        &options(arguments),
        run,
    );
    report.map_err(|error| error.to_string())
}

fn options(arguments: &[OsString]) -> RunOptions<'_> {
    RunOptions {
        arguments,
        timeout: Some(TIMEOUT),
        output: Output::Discarded,
        ..RunOptions::default()
    }
}

/// The pairs of lines that race must be the same whether or not every access is checked, for either
/// engine. Under seeds other than the first, threads interrupt one another after a number of checks, not
/// accesses, so other accesses may race: those runs are compared with the program's first lines.
fn compare_with_all_checked(skipping: &Subject, checking: &Subject) -> Result<(), String> {
    let expected = &skipping.program.expected;
    let arguments = ui::arguments(&expected.arguments);
    let (skipped, checked) = (skipping.built()?, checking.built()?);
    for &engine in skipping.engines() {
        let mut config = skipping.config.clone();
        config.semantics.engine = engine;
        let some = run_once(&skipped, &config, &arguments, (0, 1))?;
        let all = run_once(&checked, &config, &arguments, (0, 1))?;
        pairs::same(&some, &all).map_err(|why| format!("{engine:?}: {why}"))?;
    }
    checking.with_an_engine(|config| {
        for seed in 1..3 {
            let report = run_once(&checked, config, &arguments, (seed, 1))?;
            let compared = expected.compare(&report);
            compared.map_err(|why| format!("seed {seed}, every access checked: {why}"))?;
        }
        Ok(())
    })
}

/// The instrumented copies of a program.
fn copies(program: &ui::Program, skip: Skip) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan {
        backend: Backend::Cpu,
        selection: &MonitorAll,
        arguments: &toolchain::Arguments::default(),
        mark_copies: false,
        bases: Bases::From(1),
        linkage: DeviceLinkage::Unknown,
        skip,
        describe: false,
    };
    let copies = instrument::tree(&program.tree()?, plan);
    let files = copies.map_err(|error| error.to_string())?.files;
    Ok(files.into_iter().map(|file| file.bytes).collect())
}

fn drawn(program: &Program, report: &Report) -> String {
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    human::render(report, &program.texts(), None, style)
}
