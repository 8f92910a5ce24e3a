//! nvcc with the host's part of the GPU backend from the cache.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::compilation::needs_runtime;
use super::copies::Copies;
use super::items::{Items, Meaning};
use hirace_model::error::Result;
use hirace_toolchain::{Call, Ended, GpuRuntime, Runtime};

/// The options that files and the host's part of the backend must share.
pub(super) fn options(all: &Items, copies: &Copies) -> Vec<OsString> {
    let host = all.last(Meaning::HostCompiler);
    let host = host.iter().flat_map(|it| ["-ccbin", it]);
    let given = all
        .values(Meaning::Define)
        .filter(|it| it.starts_with("HIRACE_"));
    let given = given.map(|it| format!("-D{it}").into());
    let own = host.map(OsString::from).chain(given);
    own.chain(copies.macros.iter().map(OsString::from))
        .collect()
}

/// Runs the call with the host's part of the backend from the cache: it is put into each of `objects`, since anyone may
/// link those, or is linked with the program if there are none. None if that does not work: then each file has to contain
/// it.
pub(super) fn run_with(
    runtime: &GpuRuntime,
    call: &Call,
    objects: &[PathBuf],
    (stdout, stderr): (&Path, &Path),
) -> Result<Option<Ended>> {
    let mut call = call.clone();
    call.arguments.push(Runtime::MACRO.into());
    if objects.is_empty() {
        let object = runtime.object();
        if object.as_os_str().as_encoded_bytes().contains(&b',') {
            return Ok(None);
        }
        // As an input it would be a source in the language of `-x`.
        call.arguments.extend(["-Xlinker".into(), object.into()]);
    }
    let ended = call.run_quietly(stdout, stderr)?;
    let is_complete = |object: &PathBuf| {
        needs_runtime(object).is_some_and(|it| !it || runtime.embed(object).is_ok())
    };
    let complete = ended != Ended::Exited(0) || objects.iter().all(is_complete);
    Ok(Some(ended).filter(|_| complete))
}
