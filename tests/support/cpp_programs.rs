//! C++ programs that are compiled and run as their first lines say:
//!
//! ```text
//! //! run [NAME=VALUE]... [ARGUMENT]... -> STATUS[: TEXT THAT STDERR CONTAINS]
//! ```

use std::env;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The programs of a directory.
pub struct CppPrograms {
    /// Relative to the root.
    pub directory: &'static str,
    /// A compiler command without sources and output.
    pub compiler: fn() -> Command,
    /// An object file to link the programs with.
    pub object: Option<fn() -> PathBuf>,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The C++ compiler, with the options that all programs have in common.
pub fn compiler() -> Command {
    let name = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let mut command = Command::new(name);
    command
        .args(["-x", "c++", "-std=c++17", "-g"])
        .args(["-Wall", "-Wextra", "-Werror"]);
    command
}

impl CppPrograms {
    /// Builds a program of one file or one directory.
    pub fn build(&self, program: &str, optimisation: &str) -> PathBuf {
        let executable =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{program}{optimisation}"));
        let mut command = (self.compiler)();
        command
            .arg(optimisation)
            .args(sources(self.directory, program))
            .arg("-o")
            .arg(&executable);
        if let Some(object) = self.object {
            // The sources are C++, whatever they are called; this is not.
            command.args(["-x", "none"]).arg(object());
        }
        let output = command.output().expect("a C++ compiler");
        assert!(
            output.status.success(),
            "{program} does not compile:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        executable
    }

    /// Builds a program, and runs it once for each of its `run` lines.
    #[track_caller]
    pub fn check(&self, program: &str, optimisation: &str) {
        let executable = self.build(program, optimisation);
        let mut runs = 0;
        for source in sources(self.directory, program) {
            let text = fs::read_to_string(source).expect("a source file");
            for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
                run(&executable, line);
                runs += 1;
            }
        }
        assert_ne!(runs, 0, "{program} does not say how to run it");
    }
}

/// The sources of a program: a file, or all files of a directory.
fn sources(directory: &str, program: &str) -> Vec<PathBuf> {
    let path = root().join(directory).join(program);
    if path.is_file() {
        return vec![path];
    }
    let mut files: Vec<_> = fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()))
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    files.sort();
    files
}

/// Whether a process ended as `wanted` says: with a status, or by a signal.
fn ended(status: ExitStatus, wanted: &str) -> bool {
    match wanted {
        "SIGSEGV" => status.signal() == Some(11),
        "SIGABRT" => status.signal() == Some(6),
        number => status.code() == number.parse().ok(),
    }
}

/// Runs a program according to one of its `run` lines.
fn run(executable: &Path, line: &str) {
    let (how, end) = line.split_once(" -> ").expect("`run ... -> STATUS`");
    let (status, text) = end.split_once(": ").unwrap_or((end, ""));
    let mut command = Command::new(executable);
    for variable in ["HIRACE_SEED", "HIRACE_JOBS", "HIRACE_RECORDS"] {
        command.env_remove(variable);
    }
    for word in how.split_whitespace().skip(1) {
        match word.split_once('=') {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        ended(output.status, status) && stderr.contains(text),
        "{line}: {}\nstdout:\n{}\nstderr:\n{stderr}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
    );
}
