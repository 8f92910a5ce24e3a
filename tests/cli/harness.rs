//! A separate directory for each test, in which the command runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A kernel that races in every run: two blocks write one location.
pub const RACY: &str = "\
__global__ void all_write(int* out) {
  *out = blockIdx.x;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  all_write<<<2, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
";

/// The same with one writer.
pub const CLEAN: &str = "\
__global__ void one_writes(int* out) {
  if (blockIdx.x == 0) *out = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  one_writes<<<2, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
";

/// Whether a test runs that compiles for long: one of them in twenty does, or each that a filter
/// chooses.
pub fn in_sample() -> bool {
    hirace_sample::Sample::current().takes_this_test(20)
}

/// A directory with files, removed when dropped.
pub struct Sandbox {
    directory: tempfile::TempDir,
}

/// How the command ended.
#[derive(Debug)]
pub struct Outcome {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    pub fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("temporary directory"),
        }
    }

    /// A sandbox with one file, `a.cu`.
    pub fn with(text: impl AsRef<[u8]>) -> Self {
        Self::new().file("a.cu", text)
    }

    /// Adds a file.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a parent")).expect("directory");
        std::fs::write(path, text).expect("file");
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All files below the sandbox, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        list(self.directory.path(), self.directory.path(), &mut files);
        files.sort();
        files
    }

    /// The command, to be run in the sandbox, which also holds its build directories.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hirace"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("TMPDIR", self.directory.path())
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).output().expect("hirace starts"))
    }

    /// `hirace check` on the CPU, with options that compile fast.
    pub fn check(&self, arguments: &[&str]) -> Outcome {
        let mut all = vec!["check", "--backend", "cpu"];
        all.extend(["--cc-arg", "-O0", "--cc-arg", "-g0"]);
        all.extend(arguments);
        self.run(&all)
    }
}

fn list(root: &Path, directory: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).expect("directory") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            list(root, &path, files);
        } else {
            let relative = path.strip_prefix(root).expect("below the root");
            files.push(relative.display().to_string());
        }
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
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// The program has written `text` to its standard output.
    #[track_caller]
    pub fn prints(&self, text: &str) -> &Self {
        assert!(self.stdout.contains(text), "no `{text}` in {self:#?}");
        self
    }

    /// Standard error contains this text, wherever its lines are wrapped.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        let words = |text: &str| {
            let kept = text.split_whitespace().filter(|word| *word != "│");
            kept.collect::<Vec<_>>().join(" ")
        };
        assert!(
            words(&self.stderr).contains(&words(text)),
            "no `{text}` in {self:#?}"
        );
        self
    }

    #[track_caller]
    pub fn is_silent_on(&self, text: &str) -> &Self {
        assert!(!self.stderr.contains(text), "`{text}` in {self:#?}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is no JSON: {error}\n{self:#?}"))
    }
}
