//! One test for each program of `tests/ui/faults`: what a program must not do besides racing,
//! and, compiled with `-DREPAIRED`, its repaired twin.
//!
//! ```text
//! // verdict: fault                    or warning, or clean (without a twin)
//! // fault: HF001, line 9, thread 100  what is found; line and thread may be left out
//! ```
//!
//! The whole report stands beside the program in `NAME.stderr`; `UPDATE_EXPECT=1` writes it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use hirace::check::{self, Program, RunOptions};
use hirace::config::Config;
use hirace::exit::Exit;
use hirace::model::Backend;
use hirace::options::ProgramOptions;
use hirace::report::Report;
use hirace::report::human::{self, Style};
use hirace::toolchain::Output;
use libtest_mimic::{Arguments, Failed, Trial};

/// Seconds for one run.
const TIMEOUT: f64 = 60.0;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut paths: Vec<PathBuf> = std::fs::read_dir("tests/ui/faults")
        .expect("the programs' directory")
        .map(|entry| entry.expect("directory entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect();
    paths.sort();
    let trials = paths
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("faults/{name}");
            Trial::test(name, move || test(&path).map_err(Failed::from))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn test(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let verdict = lines
        .next()
        .and_then(|line| line.strip_prefix("// verdict: "));
    let strict = match verdict {
        Some("clean") => {
            let program = build(path, &[])?;
            return expect_status(&run(&program, 0)?, [0, 0]);
        }
        Some("fault") => [1, 1],
        Some("warning") => [0, 1],
        other => return Err(format!("no such verdict: {other:?}")),
    };
    let wanted = Wanted::parse(lines.next().unwrap_or_default())?;
    let program = build(path, &[])?;
    for seed in [0, 1] {
        let report = run(&program, seed)?;
        let drawn = drawn(&program, &report);
        expect_status(&report, strict).map_err(|why| format!("{why}\n{drawn}"))?;
        wanted
            .look_in(&report, seed)
            .map_err(|why| format!("{why}\n{drawn}"))?;
        if seed == 0 {
            compare_text(path, &drawn)?;
        }
    }
    let program = build(path, &["-DREPAIRED"])?;
    let report = run(&program, 0)?;
    expect_status(&report, [0, 0])
        .map_err(|why| format!("repaired: {why}\n{}", drawn(&program, &report)))
}

fn build(path: &Path, more: &[&str]) -> Result<Program, String> {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    // Lines of instructions are all that is needed of what a debugger wants.
    let common = ARGUMENTS.get_or_init(|| ["-O1", "-g1"].map(str::to_owned).to_vec());
    let more = more.iter().map(|&it| it.to_owned());
    let arguments: Vec<String> = common.iter().cloned().chain(more).collect();
    check::build(
        &[path.to_owned()],
        Backend::Cpu,
        &arguments,
        &Config::builtin(),
    )
    .map_err(|error| error.to_string())
}

fn run(program: &Program, seed: u32) -> Result<Report, String> {
    let options = RunOptions {
        arguments: &[],
        seed,
        jobs: Some(1),
        block_order: None,
        timeout: Some(TIMEOUT),
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    program
        .run(&Config::builtin(), &options)
        .map_err(|error| error.to_string())
}

/// Compares the exit status of `hirace`, without and with `--strict`.
fn expect_status(report: &Report, wanted: [u8; 2]) -> Result<(), String> {
    let status = [false, true].map(|strict| Exit::of(report, strict).number());
    if status == wanted {
        Ok(())
    } else {
        Err(format!("exit statuses {status:?}, expected {wanted:?}"))
    }
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

/// What a program's second line says.
struct Wanted {
    code: String,
    line: Option<u32>,
    thread: Option<u32>,
}

impl Wanted {
    fn parse(line: &str) -> Result<Self, String> {
        let (_, text) = line
            .split_once(": ")
            .ok_or("the second line names no code")?;
        let number = |what: &str| {
            let part = text.split(", ").find_map(|part| part.strip_prefix(what));
            part.map(str::parse)
                .transpose()
                .map_err(|_| format!("no number: {text}"))
        };
        Ok(Self {
            code: text.split(", ").next().unwrap_or_default().to_owned(),
            line: number("line ")?,
            thread: number("thread ")?,
        })
    }

    /// Nothing but this may be found; in other orders of threads another one may be first.
    fn look_in(&self, report: &Report, seed: u32) -> Result<(), String> {
        // Behind an error there may be warnings that come of it.
        let severity = report.faults.first().map(|fault| fault.severity);
        let mut faults = report.faults.iter();
        let (Some(fault), None) = (
            faults.next(),
            faults.find(|fault| Some(fault.severity) == severity),
        ) else {
            return Err(format!("{} faults", report.faults.len()));
        };
        let line = self.line.is_none() || fault.position.line == self.line;
        let thread = fault.thread.map(|[x, _, _]| x);
        let thread = self.thread.is_none() || seed != 0 || thread == self.thread;
        if fault.code == self.code && line && thread && report.races.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "found {} in line {:?} by thread {:?}",
                fault.code, fault.position.line, fault.thread
            ))
        }
    }
}
