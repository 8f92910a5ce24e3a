//! Finds nvcc, and installs it from PyPI into `target/cuda` if it is missing.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::process;

/// The architecture that everything is compiled for: Hopper.
pub const ARCH: &str = "sm_90";

/// The oldest architecture that the pinned nvcc compiles for: Turing. CUDA 13 dropped Volta
/// (sm_70).
pub const OLDEST_ARCH: &str = "sm_75";

/// An nvcc that can be started.
#[derive(Clone, Debug)]
pub struct Nvcc {
    /// The program.
    pub path: PathBuf,
    /// The last line of `nvcc --version`, which names the build.
    pub version: String,
}

impl Nvcc {
    /// A command that compiles C++17 for [`ARCH`]; the caller adds files and outputs.
    pub fn command(&self) -> Command {
        self.command_for(ARCH)
    }

    /// The same for another architecture.
    pub fn command_for(&self, architecture: &str) -> Command {
        let mut command = self.any_architecture();
        command.arg(format!("-arch={architecture}"));
        command
    }

    /// The same for several architectures in one object file.
    pub fn command_for_all(&self, architectures: &[&str]) -> Command {
        let mut command = self.any_architecture();
        for real in architectures {
            let compute = real.replace("sm_", "compute_");
            command.arg(format!("-gencode=arch={compute},code={real}"));
        }
        command
    }

    fn any_architecture(&self) -> Command {
        let mut command = Command::new(&self.path);
        // Some programs have device lambdas.
        command.args(["-std=c++17", "--extended-lambda"]);
        // nvcc searches only for g++ as its host compiler.
        if std::env::var_os("NVCC_CCBIN").is_none() && !process::is_there("g++") {
            command.arg("-ccbin").arg(process::cxx());
        }
        command
    }
}

/// Returns nvcc, and installs it on first use; the error says why it is not available.
///
/// `HIRACE_NVCC` names another nvcc to use instead of the pinned one.
pub fn locate() -> Result<Nvcc, String> {
    // One answer per run: a second attempt after a failed download only costs time.
    static ANSWER: OnceLock<Result<Nvcc, String>> = OnceLock::new();
    ANSWER
        .get_or_init(|| match std::env::var_os("HIRACE_NVCC") {
            Some(path) => probe(PathBuf::from(path)),
            None => probe(installed()?),
        })
        .clone()
}

fn probe(path: PathBuf) -> Result<Nvcc, String> {
    let output = process::capture(Command::new(&path).arg("--version"))
        .map_err(|error| format!("{error:#}"))?;
    if !output.success {
        return Err(format!("{} --version failed", path.display()));
    }
    let version = output.text.trim().lines().last().unwrap_or_default();
    Ok(Nvcc {
        version: version.to_owned(),
        path,
    })
}

/// The pinned nvcc.
fn installed() -> Result<PathBuf, String> {
    crate::pypi::installed("nvcc", "cuda", "install_nvcc.py", "nvcc-requirements.txt")
}
