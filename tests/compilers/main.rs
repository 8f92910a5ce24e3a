//! What `hirace check` says of PTX that Triton, Numba and nvcc write.
//!
//! The kernels are `python/triton_cases/*.py` and `python/numba_cases/*.py`. The first lines of each
//! announce the verdict and texts of the report:
//!
//! ```text
//! # verdict: race
//! # says: data race on global `y`
//! # architectures: 90
//! ```
//!
//! `python/write.py` compiles a kernel, without a GPU, and writes it with a launch file that compares its
//! results with NumPy's. `triton/softmax.sm_80` is a test. Without the compilers, all tests are skipped.
//! `nvcc.rs` compiles UI programs.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use hirace_sample::Sample;
use libtest_mimic::{Arguments, Failed, Trial};
use xtask::ptx_compilers::{locate, write_case};

mod nvcc;

/// A sample has one case of so many of nvcc's. One sample in four has cases of Python's compilers, whose
/// installation takes longer than they do.
const SAMPLE: u64 = 28;
const PYTHON_SAMPLE: u64 = 4;
const SAMPLE_OF_PYTHON: u64 = 10;

/// The compilers, and the architectures for which they compile each kernel.
const COMPILERS: [(&str, &[&str]); 2] = [("triton", &["80", "90"]), ("numba", &["80", "90"])];

/// A kernel for an architecture.
#[derive(Clone)]
struct Case {
    compiler: &'static str,
    name: String,
    architecture: String,
    verdict: String,
    says: Vec<String>,
}

impl Case {
    fn test_name(&self) -> String {
        format!("{}/{}.sm_{}", self.compiler, self.name, self.architecture)
    }

    fn exit_status(&self) -> i32 {
        match self.verdict.as_str() {
            "clean" => 0,
            "race" => 1,
            other => panic!("{}: unknown verdict {other}", self.name),
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compilers/python")
}

/// All cases, by their files.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (compiler, architectures) in COMPILERS {
        let files = std::fs::read_dir(folder().join(format!("{compiler}_cases")));
        let files = files
            .expect("a folder of cases")
            .map(|it| it.expect("an entry").path());
        for file in files.filter(|it| it.extension().is_some_and(|it| it == "py")) {
            let text = std::fs::read_to_string(&file).expect("read");
            let lines = |key: &str| -> Vec<String> {
                let lines = text.lines().take_while(|it| it.starts_with("# "));
                let values = lines.filter_map(|it| it[2..].strip_prefix(key)?.strip_prefix(": "));
                values.map(str::to_owned).collect()
            };
            let chosen = lines("architectures");
            for architecture in architectures {
                if chosen.is_empty() || chosen[0].split(' ').any(|it| it == *architecture) {
                    all.push(Case {
                        compiler,
                        name: file
                            .file_stem()
                            .expect("a name")
                            .to_string_lossy()
                            .into_owned(),
                        architecture: (*architecture).to_owned(),
                        verdict: lines("verdict").concat(),
                        says: lines("says"),
                    });
                }
            }
        }
    }
    all.sort_by_key(Case::test_name);
    all
}

/// Compiles the kernel into a folder, and checks it.
fn check(case: &Case, python: &Path) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|it| it.to_string())?;
    let (compiler, architecture) = (case.compiler, &case.architecture);
    write_case(python, compiler, architecture, directory.path(), &case.name)?;
    let output = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(["check", "kernel.ptx", "--launch", "launch.toml"])
        .current_dir(directory.path().join(&case.name))
        .env("NO_COLOR", "1")
        .output()
        .map_err(|it| it.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.code() != Some(case.exit_status()) {
        return Err(format!(
            "{} instead of {}:\n{text}",
            output.status, case.verdict
        ));
    }
    match case.says.iter().find(|it| !text.contains(*it)) {
        Some(part) => Err(format!("{part:?} is not in:\n{text}")),
        None => Ok(()),
    }
}

/// A test, which is ignored without its compiler.
fn trial(
    name: String,
    missing: bool,
    check: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Trial {
    let run = move || check().map_err(Failed::from);
    Trial::test(name, run).with_ignored_flag(missing)
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (mut cases, mut launched) = (cases(), nvcc::programs());
    if arguments.filter.is_none() {
        let sample = Sample::current();
        let has_python = sample.is_everything() || sample.takes("python", PYTHON_SAMPLE);
        cases.retain(|it| has_python && sample.takes(it.test_name(), SAMPLE_OF_PYTHON));
        launched.retain(|it| sample.takes(it.test_name(), SAMPLE));
    }
    let mut trials = Vec::new();
    // Nothing is installed to list names, or for no case.
    let needs_python = !arguments.list && !cases.is_empty();
    let python = match needs_python {
        true => locate(),
        false => Err(String::new()),
    };
    if let (Err(reason), true) = (&python, needs_python) {
        println!("skipped: no triton and no numba: {reason}");
    }
    for case in cases {
        let (name, python) = (case.test_name(), python.clone());
        trials.push(trial(name, python.is_err(), move || check(&case, &python?)));
    }
    let missing = (!arguments.list).then(nvcc::missing).flatten();
    if let Some(reason) = &missing {
        println!("skipped: no nvcc: {reason}");
    }
    for program in launched {
        let name = program.test_name();
        trials.push(trial(name, missing.is_some(), move || program.check()));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
