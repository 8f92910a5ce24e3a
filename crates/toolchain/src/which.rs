//! Which compilers there are on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hirace_model::Backend;
use hirace_model::error::Result;

use super::cache::Key;
use super::missing::{CXX_HELP, NVCC_HELP, missing};
use super::{gpu, runtime};

/// A key for the compiler of a backend, which differs from that of any other compiler.
///
/// # Errors
/// There is none on this machine.
pub fn identity(backend: Backend) -> Result<Key> {
    let (program, leading) = compiler(backend)?;
    Ok(runtime::identity(&program, &leading))
}

/// The compiler of a backend, and the words after its name in `CXX`.
///
/// # Errors
/// There is none on this machine.
pub fn compiler(backend: Backend) -> Result<(PathBuf, Vec<OsString>)> {
    match backend {
        Backend::Cpu => cxx(),
        Backend::Gpu => {
            let nvcc = gpu::nvcc();
            let nvcc = nvcc.ok_or_else(|| missing("CUDA compiler", "nvcc", NVCC_HELP))?;
            Ok((nvcc, Vec::new()))
        }
    }
}

/// `$CXX` with its arguments, or the first of the usual names that is on the path.
pub fn cxx() -> Result<(PathBuf, Vec<OsString>)> {
    if let Some(value) = std::env::var_os("CXX").filter(|value| !value.is_empty()) {
        let words = value.to_str().map(str::split_whitespace);
        return Ok(match words.map(|mut words| (words.next(), words)) {
            Some((Some(program), rest)) if !Path::new(&value).is_file() => {
                (program.into(), rest.map(OsString::from).collect())
            }
            _ => (value.into(), Vec::new()),
        });
    }
    ["c++", "g++", "clang++"]
        .iter()
        .find(|name| gpu::on_path(name).is_some())
        .map(|name| (PathBuf::from(name), Vec::new()))
        .ok_or_else(|| missing("C++ compiler", "c++", CXX_HELP))
}
