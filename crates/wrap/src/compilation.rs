//! Runs the C++ compiler with the precompiled executor.
//!
//! A call that compiles and links gets the executor as an additional object. A call that only
//! compiles has the executor embedded in its objects, because anything may link them later. If
//! neither is possible, each source compiles the whole executor from its headers.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::copies::Copies;
use super::executor::{Headers, SourceInput, name_originals};
use super::items::{Items, Meaning, Stage};
use super::status;
use hirace_model::Ended;
use hirace_model::error::Result;
use hirace_toolchain::{Call, Runtime, host_reports};

/// A call of the C++ compiler for the CPU executor.
pub(super) struct Compilation<'a> {
    /// The call, with headers that hold the whole executor.
    pub call: Call,
    pub compiler: &'a Path,
    /// The options that decide which executor fits.
    pub options: &'a [OsString],
    pub items: &'a Items,
    pub sources: &'a [SourceInput<'a>],
    pub copies: Option<&'a Copies>,
    pub headers: &'a Headers,
}

/// Prefixes of options whose output is not a plain object, or that add code to one.
const UNFIT: [&str; 6] = [
    "-flto",
    "-fprofile",
    "-ftest-coverage",
    "--coverage",
    "-save-temps",
    "-pg",
];

impl Compilation<'_> {
    /// Runs the compiler.
    pub fn run(&self) -> Result<ExitCode> {
        let unfit = self.options.iter().any(|option| {
            let option = option.to_string_lossy();
            UNFIT.iter().any(|it| option.starts_with(it))
        });
        let cuda = self.copies.is_some() || self.sources.iter().any(|it| it.cuda);
        let ended = match self.items.stage() {
            _ if unfit || self.sources.is_empty() => self.call.run(),
            Stage::Object => self.compile(),
            Stage::Link if cuda => self.link(),
            _ => self.call.run(),
        }?;
        name_originals(self.items, self.sources, self.copies, self.headers)?;
        Ok(status(ended))
    }

    fn link(&self) -> Result<Ended> {
        match self.headers.runtime(self.compiler, self.options)? {
            Some(runtime) => {
                // The sources before it are `-x c++`.
                let object = ["-x".into(), "none".into(), runtime.object().into()];
                self.with_macro(&object).run()
            }
            None => self.call.run(),
        }
    }

    fn compile(&self) -> Result<Ended> {
        let ended = self.with_macro(&self.host_reports()).run()?;
        if ended != Ended::Exited(0) {
            return Ok(ended);
        }
        let mut incomplete = Vec::new();
        for object in self.objects() {
            match needs_executor(&object) {
                Some(true) => incomplete.push(object),
                Some(false) => {}
                None => return self.call.run(),
            }
        }
        if incomplete.is_empty() {
            return Ok(ended);
        }
        let runtime = self.headers.runtime(self.compiler, self.options)?;
        let embed = |runtime: Runtime| incomplete.iter().try_for_each(|it| runtime.embed(it));
        match runtime.map(embed) {
            Some(Ok(())) => Ok(ended),
            _ => self.call.run(),
        }
    }

    /// The options with which host code reports its accesses, if it shares memory with kernels. Only
    /// for a call that does not link: the compiler would add a library of its own.
    fn host_reports(&self) -> Vec<OsString> {
        if !self.copies.is_some_and(Copies::share_memory) {
            return Vec::new();
        }
        let options = self.options.iter().filter_map(|it| it.to_str());
        host_reports::options(self.compiler, &[], options).unwrap_or_default()
    }

    fn with_macro(&self, more: &[OsString]) -> Call {
        let mut call = self.call.clone();
        call.arguments.push(Runtime::MACRO.into());
        call.arguments.extend_from_slice(more);
        call
    }

    /// The objects that the call writes.
    fn objects(&self) -> Vec<PathBuf> {
        if let Some(output) = self.items.last(Meaning::Output) {
            return vec![output.into()];
        }
        let directory = self.items.last(Meaning::OutputDirectory).unwrap_or("");
        let names = self.sources.iter().filter_map(|it| {
            let name = Path::new(it.path).with_extension("o");
            Some(Path::new(directory).join(name.file_name()?))
        });
        names.collect()
    }
}

/// Whether an object refers to the executor; `None` if that cannot be determined.
fn needs_executor(object: &Path) -> Option<bool> {
    if !object.is_file() {
        return Some(false);
    }
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(object).ok()?;
    file.read_to_end(&mut bytes).ok()?;
    let is_elf = bytes.starts_with(b"\x7fELF");
    // A mangled name in the namespace `hirace`, or a call by which host code reports an access.
    let named = || {
        let mut names = bytes.windows(8);
        names.any(|it| it == b"N6hirace" || it == b"__tsan_i")
    };
    is_elf.then(named)
}
