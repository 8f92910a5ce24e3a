//! Finding nvcc, and installing it from PyPI into `target/cuda` where it is missing.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::process;

/// The architecture that everything is compiled for: Hopper.
pub const ARCH: &str = "sm_90";

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
        let mut command = Command::new(&self.path);
        // Some programs have device lambdas.
        command.args(["-std=c++17", "--extended-lambda", &format!("-arch={ARCH}")]);
        // nvcc looks for g++ by itself and for no other host compiler.
        if std::env::var_os("NVCC_CCBIN").is_none() && !process::is_there("g++") {
            command.arg("-ccbin").arg(process::cxx());
        }
        command
    }
}

/// Returns nvcc, installing it on first use; the error says why it cannot be had.
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

/// The pinned nvcc. A stamp beside it says which requirements it was installed from.
fn installed() -> Result<PathBuf, String> {
    let scripts = crate::root().join("xtask/python");
    let requirements = fs::read_to_string(scripts.join("nvcc-requirements.txt"))
        .map_err(|error| format!("failed to read nvcc-requirements.txt: {error}"))?;
    let directory = crate::root().join("target/cuda");
    let stamp = directory.join("stamp");

    fs::create_dir_all(&directory)
        .map_err(|error| format!("failed to create {}: {error}", directory.display()))?;
    // Tests of several crates may ask at the same time.
    let lock = File::create(directory.join("lock"))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("failed to lock {}: {error}", directory.display()))?;

    let known = fs::read_to_string(&stamp).unwrap_or_default();
    if let Some(path) = known.strip_prefix(&requirements) {
        let path = directory.join(path);
        if path.is_file() {
            return Ok(path);
        }
    }

    eprintln!("installing nvcc into {}", directory.display());
    let output = Command::new("python3")
        .arg(scripts.join("install_nvcc.py"))
        .arg(&directory)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("nvcc is not installed: failed to start python3: {error}"))?;
    if !output.status.success() {
        return Err("nvcc is not installed: python3 could not get it from PyPI".to_owned());
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let path = PathBuf::from(stdout.trim().lines().last().unwrap_or_default());
    // Relative, so that a checkout may move.
    let relative = path.strip_prefix(&directory).unwrap_or(&path);
    fs::write(&stamp, format!("{requirements}{}", relative.display()))
        .map_err(|error| format!("failed to write {}: {error}", stamp.display()))?;
    drop(lock);
    Ok(path)
}
