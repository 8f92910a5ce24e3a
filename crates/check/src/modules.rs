//! Libraries for programs that load modules while they run (`device/hirace/libraries/driver/loader.h`).

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::build::{arguments, own_includes};
use hirace_config::Config;
use hirace_instrument::headers;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::{Cache, Key, Kind};
use hirace_toolchain::{self as toolchain, Compiler, Job, temporary_directory};

/// The names of the files in an entry of the cache.
const LIBRARY: &str = "module.so";
const KEPT: &str = "module.ptx";

/// Translates the PTX file `ptx` and compiles it to a library, unless that is in the cache. Returns the path of the
/// library. With `keep`, the file is copied to the cache first, because it will be gone when reports show it.
///
/// # Errors
/// The file has mistakes, an instruction has no translation, or the cache cannot be written.
pub fn of_ptx(ptx: &Path, keep: bool, config: &Config) -> Result<PathBuf> {
    let cache = Cache::of_user()?;
    let file = match keep {
        true => kept(ptx, &cache)?,
        false => ptx.to_owned(),
    };
    let text = hirace_ptx::loaded::translate(&file, Some(&config.monitor))?;
    library(&text, &cache, config)
}

/// The copy of a PTX file in the cache.
fn kept(ptx: &Path, cache: &Cache) -> Result<PathBuf> {
    let text = std::fs::read(ptx).map_err(|source| Error::read(ptx, source))?;
    let key = Key::new("kept PTX").with(&text);
    let entry = cache.once(Kind::Module, &key, |entry| {
        let copy = entry.join(KEPT);
        std::fs::write(&copy, &text).map_err(|source| Error::write(&copy, source))
    })?;
    Ok(entry.join(KEPT))
}

/// The library of a translation unit.
fn library(text: &str, cache: &Cache, config: &Config) -> Result<PathBuf> {
    let include = headers::cached(cache)?;
    let own = own_includes(&include, Backend::Cpu);
    let arguments = arguments(Backend::Cpu, &[], config);
    let mut key = Key::new("module")
        .with(toolchain::identity(Backend::Cpu)?.name())
        .with(include.as_os_str().as_encoded_bytes())
        .with(text);
    for argument in &arguments.raw {
        key = key.with(argument);
    }
    let entry = cache.once(Kind::Module, &key, |entry| {
        let directory = temporary_directory()?;
        let unit = directory.path().join("module.cpp");
        std::fs::write(&unit, text).map_err(|source| Error::write(&unit, source))?;
        let compiler = Compiler::find(Backend::Cpu, &own, &[], &arguments)?
            .with_runtime(cache, &own, &arguments)?
            .for_library();
        compiler.run(&Job {
            units: &[unit],
            scratch: directory.path(),
            executable: &entry.join(LIBRARY),
            progress: &ProgressBar::hidden(),
            dependencies: false,
        })
    })?;
    cache.shrink(config.cache.bytes);
    Ok(entry.join(LIBRARY))
}
