//! Trying a backend out: a program that races is compiled and run, and its race has to be found.

use std::path::Path;

use super::{Check, State};
use hirace_check::RunOptions;
use hirace_config::Config;
use hirace_config::options::ProgramOptions;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_report::{Report, Status};
use hirace_toolchain::Output;

/// The name of the check.
pub(super) const NAME: &str = "test program";

/// Two blocks write one location.
const PROGRAM: &str = "\
__global__ void all_write(int* a) { a[0] = blockIdx.x; }

int main() {
  int* a;
  if (cudaMalloc(&a, sizeof(int)) != cudaSuccess) return 1;
  all_write<<<2, 1>>>(a);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
";

/// No program of ours takes that long, however slow the machine is.
const SECONDS: f64 = 300.0;

pub(super) fn run(backend: Backend) -> Check {
    match checked("trial.cu", PROGRAM, backend) {
        Ok(report) => match (report.status, report.races.len()) {
            (Status::Races, 1) => {
                Check::new(NAME, State::Ok, "compiled and run; its race was found")
            }
            _ => {
                let found = format!("compiled and run, but {}", outcome(&report));
                Check::new(NAME, State::Broken, found).help("that is a fault of hirace's")
            }
        },
        Err(error) => broken(NAME, &error),
    }
}

/// Checks a program of our own, with the built-in configuration.
pub(super) fn checked(name: &str, text: &str, backend: Backend) -> Result<Report> {
    let directory = directory()?;
    let path = directory.path().join(name);
    write(&path, text)?;
    let config = Config::builtin();
    let options = RunOptions {
        arguments: &[],
        seed: 0,
        jobs: None,
        block_order: None,
        timeout: Some(SECONDS),
        output: Output::Discarded,
        control: &ProgramOptions::default(),
    };
    hirace_check::build(&[path], backend, &[], &config)?.run(&config, &options)
}

pub(super) fn directory() -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("hirace-")
        .tempdir()
        .map_err(|source| Error::system("make a directory", source))
}

pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content).map_err(|source| Error::write(path.display().to_string(), source))
}

/// What came of a program, as a clause.
pub(super) fn outcome(report: &Report) -> String {
    match &report.failure {
        Some(failure) => failure.message.clone(),
        None => format!("{} races were found", report.races.len()),
    }
}

/// The check of something that could not be done.
pub(super) fn broken(name: &'static str, error: &Error) -> Check {
    let found = match error {
        // The first error says the most; the rest often follows from it.
        Error::Compile { output, .. } => {
            let first = output.lines().find(|line| line.contains("error"));
            let line = first.or_else(|| output.lines().next()).unwrap_or("");
            format!("{error}: {}", line.trim())
        }
        error => error.to_string(),
    };
    let help = miette::Diagnostic::help(error).map(|help| help.to_string());
    let check = Check::new(name, State::Broken, found);
    match (error, help) {
        (Error::Compile { .. }, _) => check.help(
            "the compiler has to know C++17 and to come with its standard library; CXX and NVCC \
             name others",
        ),
        (_, Some(help)) => check.help(help),
        (_, None) => check,
    }
}
