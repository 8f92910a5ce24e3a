//! Finds a Python with Triton and Numba, and installs them from PyPI into `target/ptx-compilers`.

use std::path::PathBuf;
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
