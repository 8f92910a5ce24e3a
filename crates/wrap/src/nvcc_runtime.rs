//! nvcc with the host runtime of the GPU backend from the cache.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::copies::Copies;
use super::items::{Items, Meaning, Stage};
use super::object::needs_runtime;
use hirace_model::error::Result;
use hirace_toolchain::cache::Cache;
use hirace_toolchain::{Call, Ended, GpuRuntime, Runtime, with_functions_once};

/// A call of nvcc with instrumented copies.
pub(super) struct Instrumented<'a> {
    pub call: Call,
    /// The words of the call before nvcc's own arguments.
    pub leading: &'a [OsString],
    pub all: &'a Items,
    pub copies: &'a Copies,
    /// The directory of the device headers.
    pub headers: &'a PathBuf,
    /// The objects that the call writes; none if it links.
    pub objects: Vec<PathBuf>,
}

impl Instrumented<'_> {
    /// Runs the call, with its output in two files.
    pub fn run(&self, cache: &Cache, output: (&Path, &Path)) -> Result<Ended> {
        let program = Path::new(&self.call.program);
        let runtime = match self.all.stage() {
            Stage::Object | Stage::Link => {
                let options = options(self.all, self.copies);
                GpuRuntime::find(
                    program,
                    self.leading,
                    cache,
                    std::slice::from_ref(self.headers),
                    &options,
                )?
            }
            _ => None,
        };
        let mut call = self.call.clone();
        // A launcher in front of nvcc may know compilers by their paths.
        if self.leading.is_empty()
            && let Some(nvcc) = with_functions_once(program, &host_compiler(self.all), cache)?
        {
            call.program = nvcc.into();
        }
        let ended = match runtime {
            Some(runtime) => run_with(&runtime, &call, &self.objects, output)?,
            None => None,
        };
        match ended {
            Some(ended) => Ok(ended),
            None => call.run_quietly(output.0, output.1),
        }
    }
}

/// The options that files and the host runtime of the backend must share.
fn options(all: &Items, copies: &Copies) -> Vec<OsString> {
    let given = all
        .values(Meaning::Define)
        .filter(|it| it.starts_with("HIRACE_"));
    let given = given.map(|it| format!("-D{it}").into());
    let own = host_compiler(all).into_iter().chain(given);
    own.chain(copies.macros.iter().map(OsString::from))
        .collect()
}

fn host_compiler(all: &Items) -> Vec<OsString> {
    let named = all.last(Meaning::HostCompiler);
    let words = named.iter().flat_map(|it| ["-ccbin", it]);
    words.map(OsString::from).collect()
}

/// Runs the call with the host runtime from the cache: it is put into each of `objects`, since anyone may link those, or is
/// linked with the program if there are none. None if that does not work: then each file has to contain it.
fn run_with(
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
        let is_there = object.is_file();
        is_there && needs_runtime(object).is_some_and(|it| !it || runtime.embed(object).is_ok())
    };
    let complete = ended != Ended::Exited(0) || objects.iter().all(is_complete);
    Ok(Some(ended).filter(|_| complete))
}
