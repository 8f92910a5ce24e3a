//! Tests a backend: compiles and runs a racy program, whose race must be found.

use std::path::Path;

use super::{Check, State};
use hirace_check::RunOptions;
use hirace_config::Config;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_report::{Report, Status};
use hirace_toolchain::{Output, temporary_directory};

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

/// A time limit that none of our programs reaches, even on a slow machine.
const SECONDS: f64 = 300.0;

pub(super) fn run(backend: Backend) -> Check {
    match checked("trial.cu", PROGRAM, backend) {
        Ok(report) => match (report.status, report.races.len()) {
            (Status::Races, 1) => {
                Check::new(NAME, State::Ok, "compiled and run; its race was found")
            }
            _ => {
                let found = format!("compiled and run, but {}", outcome(&report));
                Check::new(NAME, State::Broken, found).help("this is a bug in hirace")
            }
        },
        Err(error) => broken(NAME, &error),
    }
}

/// Checks one of our own programs with the built-in configuration.
pub(super) fn checked(name: &str, text: &str, backend: Backend) -> Result<Report> {
    let directory = temporary_directory()?;
    let path = directory.path().join(name);
    write(&path, text)?;
    let config = Config::builtin();
    let options = RunOptions {
        timeout: Some(SECONDS),
        output: Output::Discarded,
        ..RunOptions::default()
    };
    hirace_check::build(&[path], backend, &[], &config)?.run(&config, &options)
}

pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content).map_err(|source| Error::write(path.display().to_string(), source))
}

/// The outcome of a program, as a clause.
pub(super) fn outcome(report: &Report) -> String {
    match &report.failure {
        Some(failure) => failure.message.clone(),
        None => format!("{} races were found", report.races.len()),
    }
}

/// A check that failed with an error.
pub(super) fn broken(name: &'static str, error: &Error) -> Check {
    let found = match error {
        // Show only the first error: later errors often follow from it.
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
            "the compiler must support C++17 and have its standard library; CXX and NVCC name \
             another one",
        ),
        (_, Some(help)) => check.help(help),
        (_, None) => check,
    }
}
