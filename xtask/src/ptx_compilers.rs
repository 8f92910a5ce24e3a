//! Finds a Python with Triton and Numba, and installs them from PyPI into `target/ptx-compilers`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The Python; the error says why it is not available.
pub fn locate() -> Result<PathBuf, String> {
    static ANSWER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    ANSWER
        .get_or_init(|| {
            crate::pypi::installed(
                "Triton and Numba",
                "ptx-compilers",
                "install_ptx_compilers.py",
                "ptx-compilers-requirements.txt",
            )
        })
        .clone()
}

/// Lets `triton` or `numba` compile one of the kernels of `tests/compilers/python`, and writes the folder `name` with
/// the PTX and a launch file into `folder`. The error is what the compiler printed.
pub fn write_case(
    python: &Path,
    compiler: &str,
    architecture: &str,
    folder: &Path,
    name: &str,
) -> Result<(), String> {
    let written = Command::new(python)
        .arg(crate::root().join("tests/compilers/python/write.py"))
        .args([compiler, architecture])
        .arg(folder)
        .arg(name)
        .env("TRITON_CACHE_DIR", folder.join("cache"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .map_err(|it| it.to_string())?;
    match written.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&written.stderr).into_owned()),
    }
}
