//! Random programs, run by each engine once with skipped checks and once with every access checked, and by both engines
//! as users' programs are.
//!
//! Both reports show the same pairs of lines that race, and the same faults. They are also compared with an oracle,
//! which shares nothing with hirace but the executor: a variant of the program logs its accesses and barriers, and the
//! races follow from the log by their definition. Every definite race is among them, and in every kernel in which there
//! is one, hirace reports one.
//!
//! A sample has one program. `HIRACE_SKIPS=FIRST..LAST` runs the programs of these seeds instead, and
//! stops at the first difference.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hirace::check::{self, Program, RunOptions};
use hirace::config::{Config, Engine};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::{Certainty, Race, Relation, Report};
use hirace::rewrite::Skip;
use hirace::toolchain::Output;
use hirace_sample::Sample;

use generate::{Marked, Variant};

mod generate;
mod oracle;
#[path = "../support/pairs.rs"]
mod pairs;

/// Kernels in each program. One large program compiles faster than many small ones.
const KERNELS: usize = 40;

/// Time limit of one run, in seconds.
const TIMEOUT: f64 = 300.0;

fn faults(report: &Report) -> Vec<String> {
    report.faults.iter().map(|it| format!("{it:#?}")).collect()
}

fn seeds() -> Range<u64> {
    let given = std::env::var("HIRACE_SKIPS").ok();
    given.map_or_else(
        || Sample::current().seeds(1, 42),
        |text| {
            let (first, last) = text.split_once("..").expect("HIRACE_SKIPS=FIRST..LAST");
            first.parse().expect("a seed")..last.parse().expect("a seed")
        },
    )
}

/// What the test counts.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    /// Kernels with a race.
    racy: usize,
    /// Programs in which accesses were skipped.
    skipped: usize,
    /// Definite races, and the oracle's pairs of lines.
    definite: usize,
    pairs: usize,
}

#[test]
fn the_same_races_with_every_access_checked() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skips");
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("trace.h"), generate::TRACE).expect("the header is written");
    let mut counts = Counts::default();
    for seed in seeds() {
        one_program(seed, &directory, &mut counts);
    }
    // The comparison is not vacuous: there were races to miss, and checks were skipped.
    let kernels = counts.programs * KERNELS;
    println!("{kernels} kernels, {counts:?}");
    let Counts {
        programs,
        racy,
        skipped,
        ..
    } = counts;
    assert!(
        racy >= kernels / 8 && racy <= kernels * 9 / 10,
        "{racy} of {kernels}"
    );
    assert!(skipped * 2 > programs, "{skipped} of {programs}");
}

fn one_program(seed: u64, directory: &Path, counts: &mut Counts) {
    let marked = Marked::program(seed, KERNELS);
    let path = directory.join(format!("{seed}.cu"));
    fs::write(&path, marked.render(Variant::Checked)).expect("the program is written");
    let traced = directory.join(format!("{seed}_traced.cu"));
    fs::write(&traced, marked.render(Variant::Traced)).expect("the program is written");

    let built = [Skip::default(), Skip::NOTHING].map(|skip| {
        let mut config = Config::builtin();
        config.skip = skip;
        Built::of(&path, config)
    });
    let by_machine = built.each_ref().map(|it| it.run(Engine::Machine));
    let by_order = built.each_ref().map(|it| it.run(Engine::Order));
    let by_both = [built[0].run(Engine::Auto)];
    let (log, state) = trace(&traced);
    for [some, all] in [&by_machine, &by_order] {
        let compared = pairs::same(&some.report, &all.report);
        compared.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!(
            faults(&some.report),
            faults(&all.report),
            "{}",
            path.display()
        );
    }
    let usual = &by_machine[0].report;
    let ended = usual.faults.iter().find(|it| it.ended);
    assert!(ended.is_none(), "{}: {ended:#?}", path.display());

    let oracle = oracle::kernels(&log);
    assert_eq!(
        oracle.len(),
        KERNELS,
        "{}: the log is complete",
        path.display()
    );
    let runs: [(&[Run], Engine); 3] = [
        (&by_machine, Engine::Machine),
        (&by_order, Engine::Order),
        (&by_both, Engine::Auto),
    ];
    for (runs, engine) in runs {
        for Run { report, state: end } in runs {
            assert!(
                *end == state,
                "{}: both variants do the same",
                path.display()
            );
            let judged = sound(report, &oracle).and_then(|()| complete(report, &oracle, engine));
            judged.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }

    let accesses = [usual, &by_machine[1].report].map(|it| it.summary.accesses);
    let racy = kernels_of(usual).len();
    let definite = usual
        .races
        .iter()
        .filter(|it| it.certainty == Certainty::Definite);
    let (definite, pairs) = (
        definite.count(),
        oracle.values().map(|it| it.pairs().len()).sum::<usize>(),
    );
    if std::env::var_os("HIRACE_SKIPS").is_some() {
        println!(
            "seed {seed}: {racy} racy kernels, {definite} definite races of {}, {pairs} pairs by the oracle, {} faults, \
             {accesses:?} accesses",
            usual.races.len(),
            usual.faults.len(),
        );
    }
    counts.programs += 1;
    counts.racy += racy;
    counts.skipped += usize::from(accesses[0] < accesses[1]);
    counts.definite += definite;
    counts.pairs += pairs;
}

/// The number of a race's kernel, which is called `kNUMBER` or `kNUMBER<int>`.
fn kernel_of(race: &Race) -> u32 {
    let number = race.kernel.trim_start_matches('k');
    let number = number.split('<').next().unwrap_or(number);
    number
        .parse()
        .unwrap_or_else(|_| panic!("a race of `{}`", race.kernel))
}

fn kernels_of(report: &Report) -> BTreeSet<u32> {
    report.races.iter().map(kernel_of).collect()
}

/// The lines of a race, where they were recorded.
type Lines = [Option<u32>; 2];

fn lines_of(race: &Race) -> Lines {
    race.accesses.each_ref().map(|it| it.position.line)
}

/// Whether a race with these lines may be one of a pair.
fn fits(lines: Lines, pair: oracle::Pair) -> bool {
    let [one, other] = lines;
    let is = |line: Option<u32>, known| line.is_none_or(|it| it == known);
    is(one, pair[0]) && is(other, pair[1]) || is(one, pair[1]) && is(other, pair[0])
}

/// Fails unless all definite races are the oracle's.
fn sound(report: &Report, oracle: &BTreeMap<u32, oracle::Kernel>) -> Result<(), String> {
    let definite = |it: &&Race| it.certainty == Certainty::Definite;
    for race in report.races.iter().filter(definite) {
        let lines = lines_of(race);
        let pairs = oracle.get(&kernel_of(race)).map(oracle::Kernel::pairs);
        let is_known = pairs.is_some_and(|it| it.iter().any(|it| fits(lines, **it)));
        let between_launches = matches!(race.relation, Relation::Launch | Relation::Host);
        if !is_known || between_launches {
            let ends = race.accesses.each_ref().map(|it| (it.access, &it.position));
            let kernel = &race.kernel;
            return Err(format!(
                "`{kernel}`: lines {lines:?} do not race: {ends:#?}"
            ));
        }
    }
    Ok(())
}

/// Fails unless one of the races at each racy location is reported. With the order engine, strong accesses may order
/// others.
fn complete(
    report: &Report,
    oracle: &BTreeMap<u32, oracle::Kernel>,
    engine: Engine,
) -> Result<(), String> {
    let mut reported: BTreeMap<u32, BTreeSet<Lines>> = BTreeMap::new();
    for race in &report.races {
        let lines = reported.entry(kernel_of(race)).or_default();
        lines.insert(lines_of(race));
    }
    for (number, kernel) in oracle {
        if engine != Engine::Machine && kernel.has_strong {
            continue;
        }
        let reported = reported.remove(number).unwrap_or_default();
        let is_reported = |pair: &oracle::Pair| reported.iter().any(|it| fits(*it, *pair));
        let is_missed = |location: &&BTreeSet<oracle::Pair>| !location.iter().any(is_reported);
        if let Some(missed) = kernel.locations.iter().find(is_missed) {
            return Err(format!(
                "{engine:?}: no race of k{number} is reported where lines {missed:?} race, but {reported:?}"
            ));
        }
    }
    Ok(())
}

/// Runs the traced variant without a check; returns its log and the buffers at its end.
fn trace(path: &Path) -> (Vec<u8>, Vec<u8>) {
    let config = Config::parse("trace", "[monitor]\nexclude-variables = [\"*\"]\n");
    let built = Built::of(path, config.expect("a configuration"));
    let log = path.with_extension("log");
    let _ = fs::remove_file(&log);
    let run = built.run(Engine::Machine);
    let read = fs::read(&log).unwrap_or_else(|error| panic!("{}: {error}", log.display()));
    fs::remove_file(&log).expect("the log is removed");
    (read, run.state)
}

struct Built {
    path: PathBuf,
    program: Program,
    config: Config,
}

/// A run: the report, and the buffers at its end.
struct Run {
    report: Report,
    state: Vec<u8>,
}

impl Built {
    fn of(path: &Path, config: Config) -> Self {
        let arguments = ["-O0", "-g0"].map(str::to_owned);
        let program = check::build(&[path.to_owned()], Backend::Cpu, &arguments, &config);
        let program = program.unwrap_or_else(|error| match error {
            hirace::error::Error::Compile { output, .. } => panic!(
                "{}: {output}\n{}",
                path.display(),
                fs::read_to_string(path).unwrap_or_default()
            ),
            other => panic!("{}: {other}", path.display()),
        });
        let path = path.to_owned();
        Self {
            path,
            program,
            config,
        }
    }

    fn run(&self, engine: Engine) -> Run {
        let mut config = self.config.clone();
        config.semantics.engine = engine;
        let state = self.path.with_extension("state");
        let _ = fs::remove_file(&state);
        let arguments: [OsString; 2] =
            [state.clone().into(), self.path.with_extension("log").into()];
        let options = RunOptions {
            arguments: &arguments,
            seed: 0,
            jobs: Some(1),
            timeout: Some(TIMEOUT),
            block_order: None,
            output: Output::Discarded,
            control: &ProgramOptions::default(),
        };
        let report = self
            .program
            .run(&config, &options)
            .expect("the program runs");
        let state = fs::read(&state)
            .unwrap_or_else(|error| panic!("{}: {error}\n{:#?}", state.display(), report.faults));
        Run { report, state }
    }
}
