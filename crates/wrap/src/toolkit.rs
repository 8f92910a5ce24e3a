//! A directory laid out like a CUDA toolkit, with hirace as its compiler and the CPU
//! executor as its runtime.
//!
//! Build systems find a toolkit by its layout: `bin/nvcc`, `include/cuda_runtime.h`,
//! `lib64/libcudart.*`. A project that uses this directory as its toolkit is built for the
//! executor, with any build system.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use hirace_instrument::headers;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::{Cache, Key, Kind};
use hirace_toolchain::{TOOLKIT_LIBRARIES, gpu};

/// Marks a wrapper script, to distinguish it from a compiler.
const MARK: &str = "# Written by hirace: a compiler with hirace in front.";

/// An archive without members.
const EMPTY_ARCHIVE: &str = "!<arch>\n";

/// The toolkit's directory, created on first use.
///
/// # Errors
/// It cannot be written.
pub fn make() -> Result<PathBuf> {
    let cache = Cache::of_user()?;
    let include = headers::cached(&cache)?;
    let program = program()?;
    let mut compilers: Vec<(&str, PathBuf)> = vec![("nvcc", PathBuf::from("nvcc"))];
    for name in ["c++", "g++", "clang++"] {
        compilers.extend(unwrapped(name).map(|path| (name, path)));
    }
    let mut key = Key::new("toolkit")
        .with(include.as_os_str().as_bytes())
        .with(program.as_os_str().as_bytes());
    for (name, path) in &compilers {
        key = key.with(name).with(path.as_os_str().as_bytes());
    }
    cache.once(Kind::Toolkit, &key, |fresh| {
        fill(fresh, &include, &program, &compilers)
    })
}

fn fill(root: &Path, include: &Path, program: &Path, compilers: &[(&str, PathBuf)]) -> Result<()> {
    for directory in ["bin", "lib64", "nvvm/libdevice"] {
        let directory = root.join(directory);
        std::fs::create_dir_all(&directory).map_err(|it| Error::write(&directory, it))?;
    }
    for (name, compiler) in compilers {
        let script = format!(
            "#!/bin/sh\n{MARK}\n{}=${{{}:-cpu}} exec {} {} \"$@\"\n",
            super::BACKEND,
            super::BACKEND,
            quoted(program),
            quoted(compiler)
        );
        let path = root.join("bin").join(name);
        std::fs::write(&path, script)
            .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)))
            .map_err(|source| Error::write(&path, source))?;
    }
    for library in TOOLKIT_LIBRARIES {
        let path = root.join(format!("lib64/lib{library}.a"));
        std::fs::write(&path, EMPTY_ARCHIVE).map_err(|source| Error::write(&path, source))?;
    }
    // A link, because the headers include one another by relative paths.
    for (link, target) in [
        ("include", include.join("hirace/toolkit")),
        ("lib", PathBuf::from("lib64")),
    ] {
        let path = root.join(link);
        symlink(target, &path).map_err(|source| Error::write(&path, source))?;
    }
    Ok(())
}

/// A value for `CXX` that wraps `compiler`.
pub(super) fn wrapping(compiler: &OsStr) -> Result<OsString> {
    if is_shim(Path::new(compiler)) {
        return Ok(compiler.to_owned());
    }
    let mut value = program()?.into_os_string();
    value.push(" ");
    value.push(compiler);
    Ok(value)
}

fn program() -> Result<PathBuf> {
    std::env::current_exe().map_err(|source| Error::system("find the hirace executable", source))
}

/// A path, quoted for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// The program that the shell would run for `name` without our wrappers.
pub(super) fn unwrapped(name: &str) -> Option<PathBuf> {
    gpu::all_on_path(name)
        .into_iter()
        .find(|path| !is_shim(path))
}

/// Whether a program is one of the wrapper scripts.
pub(super) fn is_shim(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| {
        let start = &bytes[..bytes.len().min(128)];
        start.windows(MARK.len()).any(|it| it == MARK.as_bytes())
    })
}
