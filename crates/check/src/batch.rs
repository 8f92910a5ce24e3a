//! Many programs in one executable.
//!
//! Compiling a small program mostly compiles the executor, which is always the same. So each
//! program of a batch becomes a namespace of one translation unit, which
//! [`Builder::build`] compiles. The variable `HIRACE_MEMBER` selects the program to run; every run
//! is a separate process. A program whose text contains something that might behave differently in
//! a batch (`flat.rs`, `scope.rs`) is compiled separately, and so is one that does not compile in
//! the batch.
//!
//! [`compile_only`] makes such a unit of programs that only have to compile.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::Program;
use super::build::{self, FIRST_BASE, Place, Storage};
use hirace_config::Config;
use hirace_instrument::tree::Tree;
use hirace_instrument::{Bases, Copy, Instrumented, shares_memory};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_report::Input;
use hirace_toolchain::{Arguments, Compiler, Job, temporary_directory};

mod flat;
mod globals;
mod scope;
mod unit;

pub use flat::Flat;
pub use unit::compile_only;

/// Why a program must be compiled separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(&'static str);

/// The environment variable that selects the program of an executable to run.
pub(super) const VARIABLE: &str = "HIRACE_MEMBER";

/// Builds programs that share compiler arguments and a configuration, for the CPU executor.
#[derive(Debug)]
pub struct Builder<'a> {
    config: &'a Config,
    arguments: Arguments,
    include: PathBuf,
    storage: Storage,
    /// Holds the headers while programs are built, and the records while they run.
    directory: Arc<TempDir>,
}

/// Where to find a built program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// The executable.
    pub executable: PathBuf,
    /// The program's number in it; `None` if it holds only one.
    pub member: Option<u32>,
    /// Why the executable holds only one.
    pub alone: Option<String>,
    /// The number of the program's first site.
    pub first_site: u32,
}

/// A candidate for a batch.
struct Member {
    instrumented: Instrumented,
    first_site: u32,
    /// What a batch needs of it, or why it must be compiled separately.
    runnable: Result<Runnable, Unfit>,
}

/// A program that can run in a namespace.
struct Runnable {
    flat: Flat,
    /// The functions at file scope.
    functions: Vec<String>,
}

impl Runnable {
    fn of(
        number: usize,
        tree: &Tree,
        copies: &[Copy],
        arguments: &Arguments,
    ) -> Result<Self, Unfit> {
        let mut functions = Vec::new();
        for (_, text) in tree.sources() {
            functions.extend(scope::functions(text)?);
        }
        let texts = copies.iter().map(|it| it.bytes.as_slice());
        let mut flat = Flat::of(number, tree, texts, arguments)?;
        flat.text = scope::with_return(&flat.text)?;
        Ok(Self { flat, functions })
    }
}

impl<'a> Builder<'a> {
    /// A builder with compiler arguments such as `-O1`.
    ///
    /// # Errors
    /// A temporary directory cannot be created.
    pub fn new(compiler_arguments: &[String], config: &'a Config) -> Result<Self> {
        let directory = temporary_directory()?;
        let storage = Storage::of(config)?;
        let include = storage.headers(directory.path())?;
        Ok(Self {
            config,
            arguments: build::arguments(Backend::Cpu, compiler_arguments, config),
            include,
            storage,
            directory: Arc::new(directory),
        })
    }

    /// The compiler arguments, which also decide how programs are instrumented.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Instruments and compiles `programs`. Those that fit together become `executable`; each of
    /// the others becomes an executable beside it, with a number after its name.
    ///
    /// # Errors
    /// There is no compiler, or a file cannot be written. For a single program: it is not valid
    /// source text, has no kernel or does not compile.
    pub fn build(&self, programs: &[Tree], executable: &Path) -> Result<Vec<Result<Built>>> {
        let mut next = FIRST_BASE;
        let mut members: Vec<Result<Member>> = programs
            .iter()
            .enumerate()
            .map(|(number, tree)| {
                let first_site = next;
                let instrumented = self.instrumented(tree, first_site)?;
                let sites: usize = instrumented.tables.iter().map(|it| it.sites.len()).sum();
                next = next.saturating_add(u32::try_from(sites).unwrap_or(u32::MAX));
                let copies = &instrumented.files;
                let runnable = Runnable::of(number, tree, copies, &self.arguments);
                Ok(Member {
                    instrumented,
                    first_site,
                    runnable,
                })
            })
            .collect();
        self.compile_together(&mut members, executable)?;
        let built = members
            .into_iter()
            .enumerate()
            .map(|(number, member)| {
                let member = member?;
                let (executable, place) = match member.runnable {
                    Ok(_) => (executable.to_owned(), Ok(number)),
                    Err(reason) => (beside(executable, number), Err(reason)),
                };
                if place.is_err() {
                    self.compile_separately(&member.instrumented, &executable)?;
                }
                Ok(Built {
                    executable,
                    member: place.ok().and_then(|number| u32::try_from(number).ok()),
                    alone: place.err().map(|Unfit(reason)| reason.to_owned()),
                    first_site: member.first_site,
                })
            })
            .collect();
        Ok(built)
    }

    /// Opens a program that this builder or one like it has built.
    ///
    /// # Errors
    /// It is not valid source text or has no kernel.
    pub fn open(&self, program: &Tree, built: &Built) -> Result<Program> {
        Ok(Program {
            directory: Arc::clone(&self.directory),
            executable: built.executable.clone(),
            member: built.member,
            backend: Backend::Cpu,
            input: Input::Cuda,
            instrumented: self.instrumented(program, built.first_site)?,
            places: Vec::new(),
            lists_inlined: false,
            loaded: Arc::default(),
        })
    }

    fn instrumented(&self, tree: &Tree, first_site: u32) -> Result<Instrumented> {
        build::instrumented(
            tree,
            Backend::Cpu,
            &self.arguments,
            self.config,
            Bases::From(first_site),
        )
    }

    /// Compiles the members that are one text into one executable. A member that keeps the others
    /// from compiling is set apart.
    fn compile_together(&self, members: &mut [Result<Member>], executable: &Path) -> Result<()> {
        let scratch = temporary_directory()?;
        let file = scratch.path().join("batch.cu");
        let includes = build::own_includes(&self.include, Backend::Cpu);
        let compiler = Compiler::find(Backend::Cpu, &includes, &[], &self.arguments)?;
        let compiler =
            self.storage
                .with_runtime(compiler, &self.include, &includes, &self.arguments)?;
        let precompiled = |compiler: Compiler| {
            let places = (&*self.include, &*includes);
            self.storage.with_precompiled(
                compiler,
                places,
                &self.arguments,
                unit::BEGINNING.as_bytes(),
            )
        };
        let reporting = compiler.clone().with_host_reports(&self.arguments);
        let compiler = precompiled(compiler)?;
        loop {
            let runnable: Vec<&Runnable> = members
                .iter()
                .filter_map(|it| it.as_ref().ok()?.runnable.as_ref().ok())
                .collect();
            if runnable.len() < 2 {
                break;
            }
            let shadowed = globals::among(&runnable, &compiler, scratch.path())?;
            let text = unit::executable(&runnable, &shadowed);
            let compiler = match shares_memory(text.as_bytes()) {
                true => precompiled(reporting.clone())?,
                false => compiler.clone(),
            };
            std::fs::write(&file, text).map_err(|source| Error::write(&file, source))?;
            let compiled = compiler.run(&Job {
                units: std::slice::from_ref(&file),
                scratch: scratch.path(),
                executable,
                progress: &ProgressBar::hidden(),
                dependencies: false,
            });
            let output = match compiled {
                Ok(()) => return Ok(()),
                Err(Error::Compile { output, .. }) => output,
                Err(other) => return Err(other),
            };
            let culprits = unit::culprits(&output);
            let numbers: Vec<usize> = runnable.iter().map(|it| it.flat.number).collect();
            let known = numbers.iter().any(|number| culprits.contains(number));
            for number in numbers {
                if !known || culprits.contains(&number) {
                    set_apart(
                        &mut members[number],
                        "does not compile together with others",
                    );
                }
            }
        }
        for member in members {
            set_apart(member, "no other program to share an executable with");
        }
        Ok(())
    }

    fn compile_separately(&self, instrumented: &Instrumented, executable: &Path) -> Result<()> {
        let scratch = temporary_directory()?;
        let place = Place {
            scratch: scratch.path(),
            include: &self.include,
            executable,
            storage: &self.storage,
            is_library: false,
        };
        let progress = ProgressBar::hidden();
        build::compile_copies(
            instrumented,
            Backend::Cpu,
            &self.arguments,
            &place,
            &progress,
        )
    }
}

/// Marks a program to be compiled separately.
fn set_apart(member: &mut Result<Member>, reason: &'static str) {
    if let Ok(member) = member
        && member.runnable.is_ok()
    {
        member.runnable = Err(Unfit(reason));
    }
}

/// The executable of a program that is compiled separately.
fn beside(executable: &Path, number: usize) -> PathBuf {
    let mut name = executable.as_os_str().to_owned();
    name.push(format!("-{number}"));
    name.into()
}

/// The namespace of a program in an executable with others.
pub(super) fn namespace(member: u32) -> String {
    unit::scope(member as usize)
}

#[cfg(test)]
mod tests;
