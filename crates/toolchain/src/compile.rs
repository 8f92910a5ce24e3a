//! Compiling an instrumented program.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::ProgressBar;

use super::arguments::{Arguments, split_inputs};
use super::ask::gcc_version;
use super::cache::Cache;
use super::coroutines;
use super::gpu;
use super::gpu_functions::with_functions_once;
use super::gpu_runtime::{self, GpuRuntime};
use super::process::{Reach, wait};
use super::runtime::Runtime;
use super::trace::Shown;
use super::{host_reports, precompiled, runtime};
use hirace_model::error::{BuildStep, Error, Result};
use hirace_model::{Backend, Ended};

use super::device_code::{device_code, messages, warnings};
use super::missing::{help, what};
use super::which::compiler;

/// One compiler with all the arguments that its translation units share.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: PathBuf,
    backend: Backend,
    /// Arguments before all others: the words after the first in `CXX`, as in `ccache g++`.
    leading: Vec<OsString>,
    shared: Vec<OsString>,
    /// The user's objects and libraries, and options for the linker alone.
    inputs: Vec<OsString>,
    /// The executor's object file, if it is not compiled with the program.
    runtime: Option<PathBuf>,
    /// The options with which host code reports its accesses.
    host_reports: Vec<OsString>,
    /// Whether it links libraries, for programs with an executor of their own.
    makes_libraries: bool,
    is_gcc: bool,
    /// A directory with a precompiled header.
    precompiled: Option<PathBuf>,
}

/// The linker's option by which a program shares its executor with libraries that it loads.
pub const EXPORTS: &str = "-rdynamic";

/// What to compile, and where.
#[derive(Debug)]
pub struct Job<'a> {
    /// The translation units in the build directory.
    pub units: &'a [PathBuf],
    /// A directory for objects and messages.
    pub scratch: &'a Path,
    /// The executable or library to write.
    pub executable: &'a Path,
    /// Advances with every completed unit.
    pub progress: &'a ProgressBar,
    /// Whether to list the files that each unit reads, as a Make rule `N.d` in `scratch`.
    pub dependencies: bool,
}

impl Compiler {
    /// The compiler for `backend`. `includes` are searched before the user's directories,
    /// `quotes` only for `#include "…"`.
    ///
    /// # Errors
    /// There is none on this machine.
    pub fn find(
        backend: Backend,
        includes: &[PathBuf],
        quotes: &[PathBuf],
        user: &Arguments,
    ) -> Result<Self> {
        let (program, leading) = compiler(backend)?;
        let is_cpu = backend == Backend::Cpu;
        let gcc = is_cpu.then(|| gcc_version(&program, &leading)).flatten();
        let mut shared: Vec<OsString> = vec!["-O2".into(), "-g".into()];
        if !user.has_standard {
            shared.push(runtime::STANDARD.into());
        }
        match backend {
            Backend::Cpu => {
                shared.push("-pthread".into());
                let options = device_code(gcc.is_some())
                    .into_iter()
                    .chain(messages(gcc.is_some()));
                shared.extend(options.map(OsString::from));
                shared.extend(coroutines::options(gcc).iter().map(OsString::from));
            }
            Backend::Gpu => shared.extend(gpu::defaults(user)),
        }
        for directory in includes {
            shared.extend(["-I".into(), directory.into()]);
        }
        for directory in quotes {
            // nvcc has no -iquote.
            let option = match backend {
                Backend::Cpu => "-iquote",
                Backend::Gpu => "-I",
            };
            shared.extend([option.into(), directory.into()]);
        }
        let user = match backend {
            Backend::Cpu => user.for_host(),
            Backend::Gpu => user.raw.iter().map(String::as_str).collect(),
        };
        let (options, inputs) = split_inputs(user);
        shared.extend(options.into_iter().map(OsString::from));
        if backend == Backend::Cpu {
            shared.extend(warnings().map(OsString::from));
        }
        Ok(Self {
            program,
            backend,
            leading,
            shared,
            inputs: inputs.into_iter().map(OsString::from).collect(),
            runtime: None,
            host_reports: Vec::new(),
            makes_libraries: false,
            is_gcc: gcc.is_some(),
            precompiled: None,
        })
    }

    /// The same for a library that a program loads. It uses the program's executor, whose symbols the
    /// program exports ([`EXPORTS`]).
    #[must_use]
    pub fn for_library(mut self) -> Self {
        self.makes_libraries = true;
        // The executor's thread-local variables are the program's.
        let options = [Runtime::MACRO, "-fPIC", "-ftls-model=initial-exec"];
        self.shared.extend(options.map(OsString::from));
        self
    }

    /// The same with an executor from the cache, which is compiled now if it is not there.
    /// `includes` are searched for its headers, and `user` is as for [`Compiler::find`]. If the
    /// executor cannot be compiled, programs compile it themselves, as without this call.
    ///
    /// # Errors
    /// The user interrupts us.
    pub fn with_runtime(
        mut self,
        cache: &Cache,
        includes: &[PathBuf],
        user: &Arguments,
    ) -> Result<Self> {
        let (program, leading) = (&self.program, &self.leading);
        self.runtime = match self.backend {
            Backend::Cpu => Runtime::find(program, leading, cache, includes, &user.for_host())?
                .map(|it| it.object()),
            Backend::Gpu => {
                let options = gpu_runtime::options(&user.raw);
                let runtime = GpuRuntime::find(program, leading, cache, includes, &options)?;
                if let Some(nvcc) = with_functions_once(program, &[], cache)? {
                    self.program = nvcc;
                }
                runtime.map(|it| it.object())
            }
        };
        if self.runtime.is_some() {
            self.shared.push(Runtime::MACRO.into());
        }
        Ok(self)
    }

    /// The same for a program whose host code reports its accesses, if that is possible: the
    /// executor must not be compiled with the program.
    #[must_use]
    pub fn with_host_reports(mut self, user: &Arguments) -> Self {
        if self.runtime.is_some() {
            let options = host_reports::options(&self.program, &self.leading, user.for_host());
            self.host_reports = options.unwrap_or_default();
        }
        self
    }

    /// The same for translation units that begin by including `header`, one of the device headers, which is precompiled
    /// now if it is not in the cache. This is the last of these calls, and changes nothing if another compiler than GCC,
    /// or a directory of the user's with headers, may read something else there.
    ///
    /// # Errors
    /// The user interrupts us.
    pub fn with_precompiled(
        mut self,
        cache: &Cache,
        includes: &[PathBuf],
        user: &Arguments,
        header: &str,
    ) -> Result<Self> {
        let leaves_executor_out = self.runtime.is_some() || self.makes_libraries;
        let suits = self.is_gcc && self.leading.is_empty() && leaves_executor_out;
        if suits && precompiled::is_plain(user) {
            let options = self.host_reports.iter().chain(&self.shared);
            self.precompiled = precompiled::find(&self.program, cache, includes, options, header)?;
        }
        Ok(self)
    }

    /// The options by which a precompiled header is found.
    fn search(&self) -> Vec<OsString> {
        let found = self.precompiled.iter();
        found.flat_map(|it| ["-I".into(), it.into()]).collect()
    }

    /// Compiles and links. Several translation units are compiled in parallel.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's messages, or the compiler cannot be run.
    pub fn run(&self, job: &Job<'_>) -> Result<()> {
        let dependencies = |index: usize| -> Vec<OsString> {
            let file = job.scratch.join(format!("{index}.d"));
            let mut options: Vec<OsString> = match job.dependencies {
                true => vec!["-MD".into(), "-MF".into(), file.into()],
                false => Vec::new(),
            };
            // Those of the precompiled header, too.
            let precompiled = self.precompiled.iter().filter(|_| job.dependencies);
            options.extend(precompiled.map(|_| "-fpch-deps".into()));
            options
        };
        let object = |index: usize| job.scratch.join(format!("{index}.o"));
        let failures: Mutex<Vec<(usize, Error)>> = Mutex::default();
        let next = AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers.min(job.units.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(unit) = job.units.get(index) else {
                            break;
                        };
                        let mut arguments = dependencies(index);
                        arguments.extend(self.host_reports.iter().cloned());
                        arguments.extend(["-c".into(), unit.into()]);
                        arguments.extend(["-o".into(), object(index).into()]);
                        let messages = job.scratch.join(format!("{index}.txt"));
                        if let Err(error) = self.unit(unit, &arguments, &messages) {
                            let mut failures = failures.lock().expect("no worker panics");
                            failures.push((index, error));
                        }
                        job.progress.inc(1);
                    }
                });
            }
        });
        let mut failures = failures.into_inner().expect("no worker panics");
        failures.sort_by_key(|(index, _)| *index);
        if !failures.is_empty() {
            return Err(join(failures.into_iter().map(|(_, error)| error)));
        }
        let mut arguments: Vec<OsString> = (0..job.units.len())
            .map(|index| object(index).into())
            .collect();
        arguments.extend(self.runtime.iter().map(OsString::from));
        // A library serves only the inputs before it.
        arguments.extend(self.inputs.iter().cloned());
        arguments.extend(["-o".into(), job.executable.into()]);
        arguments.extend(self.shared.iter().cloned());
        match self.backend {
            Backend::Cpu if self.makes_libraries => arguments.push("-shared".into()),
            Backend::Cpu => arguments.push(EXPORTS.into()),
            Backend::Gpu => {}
        }
        let messages = job.scratch.join("messages.txt");
        self.call(BuildStep::Link, arguments, &messages)
    }

    /// Compiles the first translation unit to a cubin, which a driver loads, instead of a program. Only nvcc can.
    ///
    /// # Errors
    /// Those of [`Compiler::run`].
    pub fn cubin(&self, job: &Job<'_>) -> Result<()> {
        let mut arguments = vec![OsString::from("-cubin")];
        arguments.extend(job.units.first().map(OsString::from));
        arguments.extend(["-o".into(), job.executable.into()]);
        arguments.extend(self.shared.iter().cloned());
        let messages = job.scratch.join("messages.txt");
        self.call(BuildStep::Compile, arguments, &messages)
    }

    /// Checks the first translation unit without any output.
    ///
    /// # Errors
    /// Those of [`Compiler::run`].
    pub fn syntax(&self, job: &Job<'_>) -> Result<()> {
        let mut arguments = self.language();
        arguments.push("-fsyntax-only".into());
        arguments.extend(self.search());
        arguments.extend(job.units.first().map(OsString::from));
        arguments.extend(self.shared.iter().cloned());
        let messages = job.scratch.join("messages.txt");
        self.call(BuildStep::Compile, arguments, &messages)
    }

    /// Compiles one translation unit. As nvcc does, a file in C as C, unless it needs CUDA's headers, which
    /// are C++ here.
    fn unit(&self, unit: &Path, arguments: &[OsString], messages: &Path) -> Result<()> {
        let with = |search: &[OsString]| {
            let all = [&self.language(), search, arguments, &self.shared].concat();
            self.call(BuildStep::Compile, all, messages)
        };
        let cxx = || match with(&self.search()) {
            Err(Error::Compile { output, .. })
                if self.precompiled.is_some() && output.contains(precompiled::UNUSABLE) =>
            {
                with(&[])
            }
            // What is no mistake in a kernel may be one in a coroutine.
            Err(Error::Compile { .. }) if coroutines::are_in(unit, &self.shared) => {
                let last = [OsString::from(coroutines::NONE)];
                let all = [&self.language(), arguments, &self.shared, &last].concat();
                self.call(BuildStep::Compile, all, messages)
            }
            result => result,
        };
        if self.backend == Backend::Gpu || unit.extension().is_none_or(|it| it != "c") {
            return cxx();
        }
        let is_common = |it: &&OsString| {
            let option = it.to_string_lossy();
            !["-std=c++", "-std=gnu++"]
                .iter()
                .any(|it| option.starts_with(it))
        };
        let shared: Vec<OsString> = self.shared.iter().filter(is_common).cloned().collect();
        let all = [&["-x".into(), "c".into()], arguments, &shared].concat();
        match self.call(BuildStep::Compile, all, messages) {
            Err(in_c @ Error::Compile { .. }) => match cxx() {
                Err(Error::Compile { .. }) => Err(in_c),
                result => result,
            },
            result => result,
        }
    }

    /// Options that make the C++ compiler read `.cu` files, which are now C++.
    fn language(&self) -> Vec<OsString> {
        match self.backend {
            Backend::Cpu => vec!["-x".into(), "c++".into()],
            Backend::Gpu => Vec::new(),
        }
    }

    /// Runs the compiler with its output in the file `messages`.
    fn call(&self, step: BuildStep, arguments: Vec<OsString>, messages: &Path) -> Result<()> {
        let unwritable = |source| Error::write(messages, source);
        let file = File::create(messages).map_err(unwritable)?;
        let copy = file.try_clone().map_err(unwritable)?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.leading)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::from(copy))
            .stderr(Stdio::from(file));
        let _shown = Shown::of(&command);
        let mut child = command.spawn().map_err(|source| Error::Toolchain {
            what: what(self.backend),
            name: self.program.display().to_string(),
            source,
            help: help(self.backend),
        })?;
        match wait(&mut child, None, Reach::Process)? {
            Ended::Exited(0) => Ok(()),
            Ended::Interrupted(_) => Err(Error::Interrupted),
            _ => Err(Error::Compile {
                step,
                compiler: self.program.display().to_string(),
                output: std::fs::read(messages).map_or_else(
                    |_| String::new(),
                    |bytes| String::from_utf8_lossy(&bytes).into_owned(),
                ),
            }),
        }
    }
}

/// Joins the messages of all errors.
fn join(errors: impl Iterator<Item = Error>) -> Error {
    let joined = errors.reduce(|mut all, error| match (&mut all, error) {
        (Error::Compile { output, .. }, Error::Compile { output: more, .. }) => {
            output.push_str(&more);
            all
        }
        (Error::Compile { .. }, other) => other,
        _ => all,
    });
    joined.expect("at least one error")
}
