//! Runs the C++ compiler with the precompiled executor.
//!
//! A call that compiles and links gets the executor as an additional object. A call that only
//! compiles has the executor embedded in its objects, because anything may link them later. If
//! neither is possible, each source compiles the whole executor from its headers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::copies::Copies;
use super::depfile;
use super::executor::{Headers, SourceInput};
use super::items::{Items, Meaning, Stage};
use super::nvcc_gpu::{dependency_files, replay};
use super::object::needs_runtime;
use super::status;
use hirace_model::Ended;
use hirace_model::error::Result;
use hirace_toolchain::{Call, Runtime, coroutines, host_reports, temporary_directory};

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
            Stage::Nothing if self.items.lists_dependencies() && !self.sources.is_empty() => {
                return self.list();
            }
            _ if unfit || self.sources.is_empty() => self.call.run(),
            Stage::Object => self.compile(),
            Stage::Link if cuda => self.link(),
            _ => self.call.run(),
        }?;
        if self.items.has(Meaning::Dependencies) {
            let names: Vec<&str> = self.sources.iter().map(|it| it.path).collect();
            self.name_originals(&dependency_files(self.items, &names))?;
        }
        Ok(status(ended))
    }

    /// A call that only lists dependencies, on standard output or in a file.
    fn list(&self) -> Result<ExitCode> {
        let directory = temporary_directory()?;
        let [stdout, stderr] = ["stdout", "stderr"].map(|it| directory.path().join(it));
        let ended = self.call.run_quietly(&stdout, &stderr)?;
        let file = [Meaning::DependencyFile, Meaning::Output].map(|it| self.items.last(it));
        let file = file.into_iter().flatten().next().map(PathBuf::from);
        self.name_originals(&[file.unwrap_or_else(|| stdout.clone())])?;
        replay(&stdout, &stderr);
        Ok(status(ended))
    }

    /// Puts the user's names into dependency files. Compilers write them even if the compilation fails.
    fn name_originals(&self, files: &[PathBuf]) -> Result<()> {
        let config = self.copies.and_then(|copies| copies.config.as_ref());
        let config: Vec<String> = config.iter().map(|it| it.display().to_string()).collect();
        let headers = &self.headers.include;
        let rename = |name: &str| match self.copies {
            Some(copies) => copies.original(name, headers),
            None => Some(name.to_owned()).filter(|it| !is_below(it, headers)),
        };
        files
            .iter()
            .try_for_each(|file| depfile::update(file, &config, &rename))
    }

    fn link(&self) -> Result<Ended> {
        match self.headers.runtime(self.compiler, self.options)? {
            Some(runtime) => {
                // The sources before it are `-x c++`.
                let object = ["-x".into(), "none".into(), runtime.object().into()];
                self.run_call(&self.with_macro(&object))
            }
            None => self.run_call(&self.call),
        }
    }

    /// Runs the compiler, if it can, so that kernels wait at barriers as coroutines.
    fn run_call(&self, call: &Call) -> Result<Ended> {
        let texts = self.copies.into_iter().flat_map(Copies::texts);
        let more = coroutines(self.compiler, texts);
        if more.is_empty() {
            return call.run();
        }
        let directory = temporary_directory()?;
        let [stdout, stderr] = ["stdout", "stderr"].map(|it| directory.path().join(it));
        let mut with = call.clone();
        with.arguments.extend(more.iter().map(OsString::from));
        match with.run_quietly(&stdout, &stderr)? {
            // What is no mistake in a kernel may be one in a coroutine; other mistakes are reported now.
            Ended::Exited(1..) => call.run(),
            ended => {
                replay(&stdout, &stderr);
                Ok(ended)
            }
        }
    }

    fn compile(&self) -> Result<Ended> {
        let ended = self.run_call(&self.with_macro(&self.host_reports()))?;
        if ended != Ended::Exited(0) {
            return Ok(ended);
        }
        let mut incomplete = Vec::new();
        for object in self.objects() {
            match needs_runtime(&object) {
                Some(true) => incomplete.push(object),
                Some(false) => {}
                None => return self.run_call(&self.call),
            }
        }
        if incomplete.is_empty() {
            return Ok(ended);
        }
        let runtime = self.headers.runtime(self.compiler, self.options)?;
        let embed = |runtime: Runtime| incomplete.iter().try_for_each(|it| runtime.embed(it));
        match runtime.map(embed) {
            Some(Ok(())) => Ok(ended),
            _ => self.run_call(&self.call),
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

/// Whether a file is in a directory.
fn is_below(path: &str, directory: &Path) -> bool {
    let path = Path::new(path);
    path.canonicalize()
        .is_ok_and(|path| path.starts_with(directory))
}
