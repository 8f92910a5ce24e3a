//! One test for each program of `tests/ui/{race,clean,possible}`.
//!
//! A program's first lines say what is to be found:
//!
//! ```text
//! // verdict: race                                      or clean, or possible
//! // race: lines 23 and 27, variable s_sum, shared      found in every run
//! // race-any: lines 18 and 24, variable level, global  at least one of these is found
//! // race-also: lines 12 and 39, variable sum, shared   found in some schedules
//! // possible: lines 27 and 27, variable sum, global    found as a possible race
//! // args: graph:dag_200n_400e 5                        arguments; graph:NAME is a path
//! // more-args: graph:rmat_65536n                       arguments of a further run
//! // nvcc: -rdc=true                                    options of nvcc, for xtask
//! ```
//!
//! Nothing else may be found. Each program is built once and run under several seeds, on
//! one and on two OS threads. Of a racy program the whole report of the first run stands
//! beside it in `NAME.stderr`; `UPDATE_EXPECT=1` writes it anew.
//!
//! Where some reads of shared memory of a racy program go without a check because they cannot
//! race, a second test holds its reports against those with every access checked. (That nothing is made up in
//! a clean program, the first test shows.)

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use hirace::check::{self, Program, RunOptions};
use hirace::config::Config;
use hirace::instrument::{self, Bases, Plan};
use hirace::model::Backend;
use hirace::report::human::{self, Style};
use hirace::report::{Certainty, Race, Report, Space, Status};
use hirace::rewrite::{MonitorAll, Skip};
use hirace::toolchain::{self, Output};
use libtest_mimic::{Arguments, Failed, Trial};

#[path = "support/precompiled.rs"]
mod precompiled;

/// Seed and number of OS threads of each run, by verdict.
const RACE_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1)];
const CLEAN_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1), (3, 2), (4, 1)];

/// Seconds for one run. The largest takes a few; a hang must not stop the others.
const TIMEOUT: f64 = 120.0;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for verdict in ["race", "clean", "possible"] {
        for path in programs(&Path::new("tests/ui").join(verdict)) {
            let name = format!("{verdict}/{}", stem(&path));
            if verdict != "clean" {
                let (name, path) = (format!("check-all/{name}"), path.clone());
                let compared = move || compare_with_all_checked(&path).map_err(Failed::from);
                trials.push(Trial::test(name, compared));
            }
            trials.push(Trial::test(name, move || run(&path).map_err(Failed::from)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn programs(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| entry.expect("directory entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = Expected::parse(&text)?;
    // Nobody's own hirace.toml.
    let config = Config::builtin();
    let program = build(path, &config)?;
    let check = |arguments: &[OsString], (seed, jobs)| {
        let report = run_once(&program, &config, arguments, (seed, jobs))?;
        expected.compare(&report).map_err(|why| {
            format!(
                "seed {seed}, jobs {jobs}: {why}\n\n{}",
                drawn(&program, &report)
            )
        })?;
        Ok::<_, String>(report)
    };
    let runs = match expected.verdict {
        Status::Races => RACE_RUNS,
        _ => CLEAN_RUNS,
    };
    for (index, &run) in runs.iter().enumerate() {
        let report = check(&expected.arguments, run)?;
        if index == 0 && expected.verdict == Status::Races {
            compare_text(path, &drawn(&program, &report))?;
        }
    }
    for arguments in &expected.more_arguments {
        check(arguments, (0, 2))?;
    }
    Ok(())
}

fn build(path: &Path, config: &Config) -> Result<Program, String> {
    let compiler_arguments = compiler_arguments(path);
    let files = [path.to_owned()];
    check::build(&files, Backend::Cpu, &compiler_arguments, config).map_err(|error| match error {
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
    };
    let report = program.run(config, &options);
    report.map_err(|error| error.to_string())
}

/// Reports the same races at the same places whether or not every access is checked.
fn compare_with_all_checked(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let arguments = Expected::parse(&text)?.arguments;
    let skipping = Config::builtin();
    let mut checking = Config::builtin();
    checking.skip = Skip::NOTHING;
    let without_stable_reads = Skip {
        stable_reads: false,
        ..skipping.skip
    };
    if copies(path, skipping.skip)? == copies(path, without_stable_reads)? {
        return Ok(());
    }
    let programs = [build(path, &skipping)?, build(path, &checking)?];
    for seed in 0..3 {
        let mut shown = Vec::new();
        for (program, config) in programs.iter().zip([&skipping, &checking]) {
            let report = run_once(program, config, &arguments, (seed, 1))?;
            shown.push(match seed {
                0 => races(&drawn(program, &report)),
                // Threads interrupt one another after so many checks, not accesses: others meet.
                _ => format!("{:#?}", places(&report)),
            });
        }
        if shown[0] != shown[1] {
            let (some, all) = (&shown[0], &shown[1]);
            return Err(format!(
                "seed {seed}: without some checks\n{some}\nwith all\n{all}"
            ));
        }
    }
    Ok(())
}

/// The places that race, and how surely.
fn places(report: &Report) -> BTreeSet<(Option<[u32; 2]>, Vec<String>, bool)> {
    let races = report.races.iter();
    races
        .map(|race| {
            let seen = Seen::of(race);
            let definite = race.certainty == Certainty::Definite;
            (seen.lines, seen.variables, definite)
        })
        .collect()
}

/// The instrumented copies of a program.
fn copies(path: &Path, skip: Skip) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan {
        backend: Backend::Cpu,
        selection: &MonitorAll,
        arguments: &toolchain::arguments::Arguments::default(),
        mark_copies: false,
        bases: Bases::Program,
        skip,
    };
    let program = instrument::files(&[path.to_owned()], plan);
    let files = program.map_err(|error| error.to_string())?.files;
    Ok(files.into_iter().map(|file| file.bytes).collect())
}

/// A report without its last line, which counts the checks.
fn races(report: &str) -> String {
    let summary = report.rfind("\nhirace: ").unwrap_or(report.len());
    report[..summary].to_owned()
}

/// Optimised only as far as it saves test time, but for an eighth of the programs, which are
/// compiled as a user's are.
fn compiler_arguments(path: &Path) -> Vec<String> {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    // Which eighth is a matter of the name alone, so that a new program moves no other.
    if stem(path).bytes().map(u32::from).sum::<u32>() % 8 == 0 {
        return Vec::new();
    }
    ARGUMENTS
        .get_or_init(|| precompiled::with_headers(&["-O1", "-g0"]))
        .clone()
}

fn drawn(program: &Program, report: &Report) -> String {
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    human::render(report, program.texts(), None, style)
}

/// Compares with the file beside the program.
fn compare_text(path: &Path, actual: &str) -> Result<(), String> {
    let absolute = std::path::absolute(path.with_extension("stderr"));
    let file = expect_test::expect_file![absolute.map_err(|error| error.to_string())?];
    std::panic::catch_unwind(|| file.assert_eq(actual))
        .map_err(|_| "the report is not the expected one; UPDATE_EXPECT=1 accepts it".to_owned())
}

/// What the first lines of a program say.
struct Expected {
    verdict: Status,
    races: BTreeSet<Pair>,
    any_of: BTreeSet<Pair>,
    also: BTreeSet<Pair>,
    possible: BTreeSet<Pair>,
    arguments: Vec<OsString>,
    more_arguments: Vec<Vec<OsString>>,
}

/// Two lines, the lower one first, the variable, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    lines: [u32; 2],
    variable: String,
    space: &'static str,
}

impl Expected {
    fn parse(text: &str) -> Result<Self, String> {
        let mut expected = Self {
            verdict: Status::Failed,
            races: BTreeSet::new(),
            any_of: BTreeSet::new(),
            also: BTreeSet::new(),
            possible: BTreeSet::new(),
            arguments: Vec::new(),
            more_arguments: Vec::new(),
        };
        for line in text.lines() {
            let Some((key, value)) = line
                .strip_prefix("// ")
                .and_then(|line| line.split_once(": "))
            else {
                break;
            };
            match key {
                "verdict" => {
                    expected.verdict = match value {
                        "race" => Status::Races,
                        "clean" => Status::Clean,
                        "possible" => Status::Possible,
                        _ => return Err(format!("no such verdict: {value}")),
                    }
                }
                "race" => drop(expected.races.insert(Pair::parse(value)?)),
                "race-also" => drop(expected.also.insert(Pair::parse(value)?)),
                "race-any" => drop(expected.any_of.insert(Pair::parse(value)?)),
                "possible" => drop(expected.possible.insert(Pair::parse(value)?)),
                "args" => expected.arguments = arguments(value),
                "nvcc" => {}
                "more-args" => expected.more_arguments.push(arguments(value)),
                _ => break,
            }
        }
        if expected.verdict == Status::Failed {
            return Err("the first line does not say `// verdict: …`".to_owned());
        }
        Ok(expected)
    }

    fn compare(&self, report: &Report) -> Result<(), String> {
        if report.status != self.verdict {
            return Err(format!("{:?}, expected {:?}", report.status, self.verdict));
        }
        if let Some(failure) = &report.failure {
            return Err(format!("failed: {}", failure.message));
        }
        let found = |certainty| {
            let races = report.races.iter();
            races
                .filter(move |race| race.certainty == certainty)
                .map(Seen::of)
                .collect::<Vec<_>>()
        };
        let definite = found(Certainty::Definite);
        let possible = found(Certainty::Possible);
        for (wanted, seen) in [(&self.races, &definite), (&self.possible, &possible)] {
            if let Some(missing) = wanted.iter().find(|pair| !seen.iter().any(|s| s.is(pair))) {
                return Err(format!("not found: {missing:?}"));
            }
        }
        let allowed = |seen: &Seen, list: &[&BTreeSet<Pair>]| {
            list.iter()
                .any(|pairs| pairs.iter().any(|pair| seen.is(pair)))
        };
        if let Some(seen) = definite
            .iter()
            .find(|seen| !allowed(seen, &[&self.races, &self.any_of, &self.also]))
            .or_else(|| {
                possible
                    .iter()
                    .find(|seen| !allowed(seen, &[&self.possible]))
            })
        {
            return Err(format!("found, but not expected: {seen:?}"));
        }
        if !self.any_of.is_empty() && !definite.iter().any(|seen| allowed(seen, &[&self.any_of])) {
            return Err("none of the `race-any` pairs was found".to_owned());
        }
        Ok(())
    }
}

impl Pair {
    /// `lines 23 and 27, variable s_sum, shared`
    fn parse(text: &str) -> Result<Self, String> {
        let parse = || {
            let mut parts = text.split(", ");
            let (first, second) = parts.next()?.strip_prefix("lines ")?.split_once(" and ")?;
            let mut lines = [first.parse().ok()?, second.parse().ok()?];
            lines.sort_unstable();
            let variable = parts.next()?.strip_prefix("variable ")?.to_owned();
            let space = match parts.next()? {
                "shared" => "shared",
                "global" => "global",
                _ => return None,
            };
            Some(Self {
                lines,
                variable,
                space,
            })
        };
        parse().ok_or_else(|| format!("not of the form `lines A and B, variable V, SPACE`: {text}"))
    }
}

/// A race of the report. Its two ends may know the location by different names.
#[derive(Debug)]
struct Seen {
    lines: Option<[u32; 2]>,
    variables: Vec<String>,
    space: &'static str,
}

impl Seen {
    fn of(race: &Race) -> Self {
        let [prior, current] = race.accesses.each_ref().map(|access| &access.position);
        Self {
            lines: prior
                .line
                .zip(current.line)
                .map(|(a, b)| [a.min(b), a.max(b)]),
            variables: [prior, current]
                .iter()
                .filter_map(|position| position.variable.clone())
                .collect(),
            space: match race.space {
                Space::Shared => "shared",
                Space::Global => "global",
            },
        }
    }

    fn is(&self, pair: &Pair) -> bool {
        self.lines == Some(pair.lines)
            && self.variables.contains(&pair.variable)
            && self.space == pair.space
    }
}

/// Arguments of a program. `graph:NAME` becomes the path of a generated graph.
fn arguments(text: &str) -> Vec<OsString> {
    text.split_whitespace()
        .map(|word| match word.strip_prefix("graph:") {
            Some(name) => graphs().join(format!("{name}.egr")).into_os_string(),
            None => word.into(),
        })
        .collect()
}

fn graphs() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = xtask::root().join("target/graphs");
        xtask::graphs::ensure(&directory).expect("the generator writes its graphs");
        directory
    })
}
