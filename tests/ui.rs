//! One test for each program of `tests/ui/{race,clean,possible}`.
//!
//! What a program's first lines say is to be found ([`xtask::verdict`]) has to be found, and nothing
//! else. Each program is built once and run under several seeds, on
//! one and on two OS threads. Of a racy program the whole report of the first run stands
//! beside it in `NAME.stderr`; `UPDATE_EXPECT=1` writes it anew.
//!
//! Where some accesses of a racy program go without a check because of what its text says, a
//! second test holds its reports against those with every access checked. (That nothing is made up in
//! a clean program, the first test shows.)
//!
//! An eighth of the programs is run with shadow words of four bytes, too; with
//! `HIRACE_UI_WORDS=4` all are. What is found has to be the same, unless the report says that a
//! launch did not fit.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use hirace::check::{self, Program, RunOptions};
use hirace::config::{Config, Shadow, Size};
use hirace::instrument::{self, Bases, Plan};
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::human::{self, Style};
use hirace::report::{Report, Status};
use hirace::rewrite::{MonitorAll, Skip};
use hirace::toolchain::{self, Output};
use libtest_mimic::{Arguments, Failed, Trial};
use xtask::verdict::Expected;

/// Seed and number of OS threads of each run, by verdict.
const RACE_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1)];
const CLEAN_RUNS: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 1), (3, 2), (4, 1)];

/// Seconds for one run. The largest takes a few; a hang must not stop the others.
const TIMEOUT: f64 = 120.0;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let all_small = std::env::var_os("HIRACE_UI_WORDS").is_some_and(|bytes| bytes == "4");
    for verdict in ["race", "clean", "possible"] {
        for path in programs(&Path::new("tests/ui").join(verdict)) {
            let name = format!("{verdict}/{}", stem(&path));
            if verdict != "clean" {
                let (name, path) = (format!("check-all/{name}"), path.clone());
                let compared = move || compare_with_all_checked(&path).map_err(Failed::from);
                trials.push(Trial::test(name, compared));
            }
            if all_small || is_one_of_eight(&path, 1) {
                let (name, path) = (format!("words-of-4/{name}"), path.clone());
                let run = move || run(&path, Size::Four).map_err(Failed::from);
                trials.push(Trial::test(name, run));
            }
            let run = move || run(&path, Size::Eight).map_err(Failed::from);
            trials.push(Trial::test(name, run));
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

fn run(path: &Path, size: Size) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = Expected::parse(&text)?;
    // Nobody's own hirace.toml.
    let mut config = Config::builtin();
    config.shadow = Shadow {
        size,
        ..config.shadow
    };
    let program = build(path, &config)?;
    let check = |arguments: &[OsString], (seed, jobs)| {
        let report = run_once(&program, &config, arguments, (seed, jobs))?;
        if size == Size::Four && report.notes.iter().any(|note| note.contains("[shadow]")) {
            return Ok(None);
        }
        expected.compare(&report).map_err(|why| {
            format!(
                "seed {seed}, jobs {jobs}: {why}\n\n{}",
                drawn(&program, &report)
            )
        })?;
        Ok::<_, String>(Some(report))
    };
    let runs = match expected.verdict {
        Status::Races => RACE_RUNS,
        _ => CLEAN_RUNS,
    };
    for (index, &run) in runs.iter().enumerate() {
        let report = check(&arguments(&expected.arguments), run)?;
        if let (Some(report), 0, Status::Races) = (report, index, expected.verdict) {
            compare_text(path, &drawn(&program, &report))?;
        }
    }
    for more in &expected.more_arguments {
        check(&arguments(more), (0, 2))?;
    }
    Ok(())
}

fn build(path: &Path, config: &Config) -> Result<Program, String> {
    let compiler_arguments = compiler_arguments(path, config.shadow.size);
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
        control: &ProgramOptions::default(),
    };
    let report = program.run(config, &options);
    report.map_err(|error| error.to_string())
}

/// Reports the same races whether or not every access is checked. Under other seeds than the
/// first, threads interrupt one another after so many checks, not accesses, so that others meet:
/// there the program says what has to be found.
fn compare_with_all_checked(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = Expected::parse(&text)?;
    let arguments = arguments(&expected.arguments);
    let skipping = Config::builtin();
    let mut checking = Config::builtin();
    checking.skip = Skip::NOTHING;
    let by_address_only = Skip {
        read_only_memory: skipping.skip.read_only_memory,
        ..Skip::NOTHING
    };
    if copies(path, skipping.skip)? == copies(path, by_address_only)? {
        return Ok(());
    }
    let program = build(path, &checking)?;
    let all = run_once(&program, &checking, &arguments, (0, 1))?;
    let all = races(&drawn(&program, &all));
    let skipped = build(path, &skipping)?;
    let some = run_once(&skipped, &skipping, &arguments, (0, 1))?;
    let some = races(&drawn(&skipped, &some));
    if some != all {
        return Err(format!("without some checks\n{some}\nwith all\n{all}"));
    }
    for seed in 1..3 {
        let report = run_once(&program, &checking, &arguments, (seed, 1))?;
        let compared = expected.compare(&report);
        compared.map_err(|why| format!("seed {seed}, every access checked: {why}"))?;
    }
    Ok(())
}

/// The instrumented copies of a program.
fn copies(path: &Path, skip: Skip) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan {
        backend: Backend::Cpu,
        selection: &MonitorAll,
        arguments: &toolchain::Arguments::default(),
        mark_copies: false,
        bases: Bases::From(1),
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

/// One of eight parts of all programs. Which one is a matter of the name alone, so that a new
/// program moves no other.
fn is_one_of_eight(path: &Path, part: u32) -> bool {
    stem(path).bytes().map(u32::from).sum::<u32>() % 8 == part
}

/// Optimised only as far as it saves test time, but for an eighth of the programs, which are
/// compiled as a user's are.
fn compiler_arguments(path: &Path, size: Size) -> Vec<String> {
    static ARGUMENTS: [OnceLock<Vec<String>>; 2] = [const { OnceLock::new() }; 2];
    if is_one_of_eight(path, 0) {
        return Vec::new();
    }
    let arguments = || match size {
        Size::Four => ["-O1", "-g0", "-DHIRACE_WORD_BYTES=4"]
            .map(str::to_owned)
            .to_vec(),
        Size::Eight => ["-O1", "-g0"].map(str::to_owned).to_vec(),
    };
    ARGUMENTS[size as usize].get_or_init(arguments).clone()
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

/// Arguments of a program. `graph:NAME` becomes the path of a generated graph.
fn arguments(words: &[String]) -> Vec<OsString> {
    words
        .iter()
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
