//! Whether this machine can run the gpu backend, and whether that has been seen to work.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::arguments::Arguments;
use super::cache::{Cache, Key};
use hirace_model::error::{Error, Result};

/// Whether `auto` means the GPU: there are nvcc and a GPU, and the self-test has passed with them.
#[must_use]
pub fn is_trusted() -> bool {
    available() && mark().is_ok_and(|mark| mark.is_file())
}

/// Remembers whether the self-test passed on this machine, for this version of hirace, this nvcc and this
/// driver.
///
/// # Errors
/// The cache cannot be written.
pub fn remember_self_test(passed: bool) -> Result<()> {
    let mark = mark()?;
    if !passed {
        return match std::fs::remove_file(&mark) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::write(&mark, source))
            }
            _ => Ok(()),
        };
    }
    let written = mark.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = written.and_then(|()| std::fs::write(&mark, ""));
    written.map_err(|source| Error::write(&mark, source))
}

/// The file that exists if the self-test has passed. Machines may share the cache.
fn mark() -> Result<PathBuf> {
    let read = |path| std::fs::read(path).unwrap_or_default();
    let nvcc = nvcc().unwrap_or_default();
    let key = Key::new("self-test")
        .with(read("/etc/hostname"))
        .with(read("/etc/machine-id"))
        .with(read("/proc/driver/nvidia/version"))
        .with(nvcc.into_os_string().as_encoded_bytes());
    let cache = Cache::of_user()?;
    Ok(cache.directory().join("self-test").join(key.name()))
}

/// Whether there are both nvcc and a GPU.
#[must_use]
pub fn available() -> bool {
    nvcc().is_some() && gpu_present()
}

/// The CUDA compiler: `$NVCC`, or `nvcc` on the path.
#[must_use]
pub fn nvcc() -> Option<PathBuf> {
    match std::env::var_os("NVCC") {
        Some(name) if !name.is_empty() => Some(PathBuf::from(name)),
        _ => on_path("nvcc"),
    }
}

/// Whether NVIDIA's driver is installed: its kernel module runs, or the dynamic loader knows its library.
#[must_use]
pub fn has_driver() -> bool {
    const LIBRARY: &str = "libcuda.so.1";
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let is_there = |directory: PathBuf| directory.join(LIBRARY).exists();
    let cached = std::fs::read("/etc/ld.so.cache").unwrap_or_default();
    let is_cached = cached
        .windows(LIBRARY.len())
        .any(|it| it == LIBRARY.as_bytes());
    Path::new("/proc/driver/nvidia/version").exists()
        || is_cached
        || std::env::split_paths(&named).any(is_there)
}

fn gpu_present() -> bool {
    Path::new("/dev/nvidia0").exists()
        || Command::new("nvidia-smi")
            .arg("-L")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
}

/// The file that the shell would run for `name`.
#[must_use]
pub fn on_path(name: &str) -> Option<PathBuf> {
    all_on_path(name).into_iter().next()
}

/// A block of 1024 threads, the most that there may be, has 64 registers for each (CUDA C++ Programming Guide, table
/// "Technical Specifications per Compute Capability"). Checks would take more, and such a launch would fail.
pub const MAX_REGISTERS: &str = "-maxrregcount=64";

/// [`MAX_REGISTERS`], unless one of the options that nvcc is `given`, perhaps one for ptxas, has another limit.
pub fn register_limit<'a>(mut given: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    let is_limited = given.any(|it| it.contains("maxrregcount"));
    (!is_limited).then_some(MAX_REGISTERS)
}

/// The options that nvcc gets unless the user's say otherwise.
pub(super) fn defaults(user: &Arguments) -> impl Iterator<Item = OsString> {
    let architecture = (!user.has_architecture).then_some("-arch=native");
    let registers = register_limit(user.raw.iter().map(String::as_str));
    let options = architecture.into_iter().chain(registers);
    options.map(OsString::from)
}

/// All files of that name on the path, in order.
pub fn all_on_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .filter(|candidate| candidate.is_file())
        .collect()
}
