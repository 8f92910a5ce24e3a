//! A separate directory for each test, in which commands run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use hirace_sample::Sample;

/// A sample has one test with nvcc of so many.
const SAMPLE: u64 = 40;

/// And one of so many tests that build a project, or the executor, without nvcc.
const SAMPLE_WITHOUT_NVCC: u64 = 20;

/// Whether a test runs that compiles for long without nvcc.
pub fn in_sample() -> bool {
    Sample::current().takes_this_test(SAMPLE_WITHOUT_NVCC)
}

/// A file with a kernel that includes a header next to it and one found by `-I`.
const KERNEL: &str = "\
#include \"local.cuh\"
#include <common.h>

__global__ void kernel(int* out) { put(out, COMMON); }

const char* file() { return __FILE__; }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  kernel<<<2, 1>>>(out);
  return cudaDeviceSynchronize();
}
";

/// A directory with files, removed when dropped.
pub struct Sandbox {
    directory: tempfile::TempDir,
    path: Vec<PathBuf>,
    environment: Vec<(&'static str, &'static str)>,
    backend: &'static str,
}

/// How a command ended.
#[derive(Debug)]
pub struct Outcome {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The real nvcc, if available; prints that the test is skipped otherwise.
pub fn nvcc() -> Option<PathBuf> {
    match xtask::nvcc::locate() {
        Ok(nvcc) => Some(nvcc.path),
        Err(reason) => {
            println!("skipped: {reason}");
            None
        }
    }
}

/// The directory of CMake, Ninja, sccache and a Python with pytest, if available; prints that the
/// test is skipped otherwise.
pub fn build_tools() -> Option<PathBuf> {
    match xtask::build_tools::locate() {
        Ok(directory) => Some(directory),
        Err(reason) => {
            println!("skipped: {reason}");
            None
        }
    }
}

impl Sandbox {
    fn new(backend: &'static str) -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        // A cache of its own shows what is left behind; one executor serves all tests.
        let shared = std::env::var_os("HIRACE_CACHE").map_or_else(
            || Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
            PathBuf::from,
        );
        let runtime = shared.join("runtime");
        let cache = directory.path().join("cache");
        for directory in [&runtime, &cache] {
            std::fs::create_dir_all(directory).expect("directory");
        }
        std::os::unix::fs::symlink(runtime, cache.join("runtime")).expect("link");
        Self {
            directory,
            path: vec![
                Path::new(env!("CARGO_BIN_EXE_hirace"))
                    .parent()
                    .expect("a program has a directory")
                    .to_owned(),
            ],
            environment: Vec::new(),
            backend,
        }
    }

    /// For the CPU executor.
    pub fn cpu() -> Self {
        Self::new("cpu")
    }

    /// For a GPU, with nvcc on the path. `None` without nvcc, and in tests that are not in the sample,
    /// because nvcc takes long.
    pub fn gpu() -> Option<Self> {
        if !Sample::current().takes_this_test(SAMPLE) {
            return None;
        }
        let nvcc = nvcc()?;
        Some(Self::new("gpu").on_path(nvcc.parent().expect("a program has a directory")))
    }

    /// Adds a directory of programs.
    pub fn on_path(mut self, directory: &Path) -> Self {
        self.path.push(directory.to_owned());
        self
    }

    /// Sets an environment variable for the commands.
    pub fn environment(mut self, name: &'static str, value: &'static str) -> Self {
        self.environment.push((name, value));
        self
    }

    /// Adds a file.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a parent")).expect("directory");
        std::fs::write(path, text).expect("file");
        self
    }

    /// Adds `src/a.cu` and the headers that it includes.
    pub fn kernel(self) -> Self {
        self.file("src/a.cu", KERNEL)
            .file(
                "src/local.cuh",
                "__device__ inline void put(int* to, int value) { *to = value; }\n",
            )
            .file("inc/common.h", "#pragma once\n#define COMMON 3\n")
    }

    /// Adds the project of `tests/wrapper/project`.
    pub fn project(self) -> Self {
        self.tree("tests/wrapper/project")
    }

    /// Adds the files of a directory of this repository.
    pub fn tree(self, name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        xtask::files::below(&root)
            .expect("the project is there")
            .into_iter()
            .fold(self, |sandbox, file| {
                let name = file
                    .strip_prefix(&root)
                    .expect("below")
                    .display()
                    .to_string();
                sandbox.file(&name, std::fs::read(&file).expect("file"))
            })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Whether a file contains the code of hooks.
    #[track_caller]
    pub fn is_instrumented(&self, name: &str) -> bool {
        self.holds(name, "hirace")
    }

    /// Whether a file, text or binary, contains this text.
    #[track_caller]
    pub fn holds(&self, name: &str, text: &str) -> bool {
        let bytes = std::fs::read(self.path(name)).unwrap_or_else(|it| panic!("{name}: {it}"));
        bytes.windows(text.len()).any(|it| it == text.as_bytes())
    }

    /// Names in the sandbox's directory, sorted.
    pub fn names(&self, directory: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(directory)).expect("directory");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("entry").file_name().display().to_string())
            .collect();
        names.sort();
        names
    }

    /// The number of copies that the calls failed to remove.
    pub fn leftovers(&self) -> usize {
        let copies = self.directory.path().join("cache/copies");
        std::fs::read_dir(copies).map_or(0, Iterator::count)
    }

    pub fn command(&self, line: &[&str]) -> Command {
        let mut command = Command::new(line[0]);
        let system = std::env::var_os("PATH").unwrap_or_default();
        let path = self
            .path
            .iter()
            .cloned()
            .chain(std::env::split_paths(&system));
        let path: OsString = std::env::join_paths(path).expect("a path");
        command
            .args(&line[1..])
            .current_dir(self.path(""))
            .env("PATH", path)
            .env("HIRACE_CACHE", self.directory.path().join("cache"))
            .env("HIRACE_BACKEND", self.backend)
            .env("TMPDIR", self.directory.path())
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        if self.backend == "cpu" {
            // Compiling takes longer than running here.
            command.env("NVCC_APPEND_FLAGS", "-O0");
        }
        // The environment that the tests were built in must have no effect.
        for variable in [
            "CXX",
            "NVCC",
            "HIRACE_DISABLE",
            "MAKEFLAGS",
            "CARGO_MAKEFLAGS",
        ] {
            command.env_remove(variable);
        }
        command.envs(self.environment.iter().copied());
        command
    }

    pub fn run(&self, line: &[&str]) -> Outcome {
        let output = self.command(line).output();
        Outcome::of(output.unwrap_or_else(|error| panic!("{line:?}: {error}")))
    }

    /// Runs a line as typed into a shell.
    pub fn sh(&self, line: &str) -> Outcome {
        self.run(&["sh", "-ec", line])
    }
}

impl Outcome {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn ends_with(&self, status: i32) -> &Self {
        assert_eq!(
            self.status,
            Some(status),
            "{}\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(
            self.stderr.contains(text),
            "no `{text}` in\n{}",
            self.stderr
        );
        self
    }
}

/// The files of a dependency file's first rule, without those of the system and the toolkit.
pub fn dependencies(text: &str) -> Vec<String> {
    let first = text.replace("\\\n", " ");
    let first = first.lines().next().unwrap_or_default().to_owned();
    let (_, files) = first.split_once(": ").expect("a rule");
    let mut files: Vec<String> = files
        .replace("\\ ", "\u{1}")
        .split_whitespace()
        .map(|file| file.replace('\u{1}', " "))
        .filter(|file| !file.starts_with("/usr") && !file.contains("/nvidia/"))
        .collect();
    files.sort();
    files
}
