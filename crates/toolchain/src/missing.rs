//! The words for a compiler that is missing.

use hirace_model::Backend;
use hirace_model::error::Error;

pub(super) const CXX_HELP: &str = "install g++ or clang++, or name a C++17 compiler in CXX";
pub(super) const NVCC_HELP: &str =
    "install the CUDA toolkit, or name its compiler in NVCC, or use `--backend cpu`";

pub(super) fn what(backend: Backend) -> &'static str {
    match backend {
        Backend::Cpu => "C++ compiler",
        Backend::Gpu => "CUDA compiler",
    }
}

pub(super) fn help(backend: Backend) -> &'static str {
    match backend {
        Backend::Cpu => CXX_HELP,
        Backend::Gpu => NVCC_HELP,
    }
}

pub(super) fn missing(what: &'static str, name: &str, help: &'static str) -> Error {
    Error::Toolchain {
        what,
        name: name.to_owned(),
        source: std::io::ErrorKind::NotFound.into(),
        help,
    }
}
