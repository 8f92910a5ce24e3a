//! Many programs in one executable.
//!
//! Most of what it takes to compile a small program is the executor, the same for all. So each of a
//! batch of programs becomes a namespace of one translation unit, and [`Builder::build`] compiles
//! that. The variable `HIRACE_MEMBER` says which one runs; every run is a process of its own, and no
//! program can tell the difference: what might make one is looked for in the text (`flat.rs`,
//! `scope.rs`), and a program with any of it is compiled by itself. So is one that does not compile
//! as part of a batch.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::Program;
use super::build::{self, FIRST_BASE, Place, Storage};
use hirace_config::Config;
use hirace_instrument::Instrumented;
use hirace_instrument::tree::Tree;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_toolchain::{Arguments, Compiler, Job};

mod flat;
mod globals;
mod scope;
mod unit;

use flat::Flat;

/// Why a program has to be compiled by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unfit(&'static str);

/// The environment variable that says which program of an executable runs.
pub(super) const VARIABLE: &str = "HIRACE_MEMBER";

/// Builds programs that share compiler arguments and a configuration, for the CPU executor.
#[derive(Debug)]
pub struct Builder<'a> {
    config: &'a Config,
    arguments: Arguments,
    include: PathBuf,
    storage: Storage,
    /// The headers, while programs are built, and the records of what runs.
    directory: Arc<TempDir>,
}

/// Where a built program is found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// The executable.
    pub executable: PathBuf,
    /// Which of the programs in it; none where it holds only one.
    pub member: Option<u32>,
    /// Why it is the only one.
    pub alone: Option<String>,
    /// The number of the program's first site.
    pub first_site: u32,
}

/// A program on its way into a batch.
struct Member {
    instrumented: Instrumented,
    first_site: u32,
    /// Or why the program has to be compiled by itself.
    flat: Result<Flat, Unfit>,
}

impl<'a> Builder<'a> {
    /// A builder with arguments that a build would give the compiler, such as `-O1`.
    ///
    /// # Errors
    /// A temporary directory cannot be made.
    pub fn new(compiler_arguments: &[String], config: &'a Config) -> Result<Self> {
        let directory = build::build_directory()?;
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

    /// What the compiler is given, and what programs are instrumented for.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Instruments and compiles `programs`. Those that fit together become `executable`, the
    /// others executables beside it, with a number behind its name.
    ///
    /// # Errors
    /// There is no compiler, or a file cannot be written. In the place of a program: it is no sound
    /// source text, holds no kernel or does not compile.
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
                let flat = flat::of(number, tree, &instrumented, &self.arguments);
                Ok(Member {
                    instrumented,
                    first_site,
                    flat,
                })
            })
            .collect();
        self.together(&mut members, executable)?;
        let built = members
            .into_iter()
            .enumerate()
            .map(|(number, member)| {
                let member = member?;
                let (executable, place) = match member.flat {
                    Ok(_) => (executable.to_owned(), Ok(number)),
                    Err(reason) => (beside(executable, number), Err(reason)),
                };
                if place.is_err() {
                    self.alone(&member.instrumented, &executable)?;
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

    /// A program that was built before, by this builder or one like it.
    ///
    /// # Errors
    /// It is no sound source text or holds no kernel.
    pub fn open(&self, program: &Tree, built: &Built) -> Result<Program> {
        Ok(Program {
            directory: Arc::clone(&self.directory),
            executable: built.executable.clone(),
            member: built.member,
            backend: Backend::Cpu,
            instrumented: self.instrumented(program, built.first_site)?,
        })
    }

    fn instrumented(&self, tree: &Tree, first_site: u32) -> Result<Instrumented> {
        build::instrumented(tree, Backend::Cpu, &self.arguments, self.config, first_site)
    }

    /// Compiles the members that have a text into one executable. One that keeps the others from
    /// compiling loses its text.
    fn together(&self, members: &mut [Result<Member>], executable: &Path) -> Result<()> {
        let scratch = build::build_directory()?;
        let file = scratch.path().join("batch.cu");
        let includes = build::own_includes(&self.include, Backend::Cpu);
        let compiler = Compiler::find(Backend::Cpu, &includes, &[], &self.arguments)?;
        let compiler =
            self.storage
                .with_runtime(compiler, &self.include, &includes, &self.arguments)?;
        loop {
            let flats: Vec<(usize, &Flat)> = members
                .iter()
                .enumerate()
                .filter_map(|(number, it)| Some((number, it.as_ref().ok()?.flat.as_ref().ok()?)))
                .collect();
            if flats.len() < 2 {
                break;
            }
            let shadowed = globals::among(&flats, &compiler, scratch.path())?;
            let text = unit::text(&flats, &shadowed);
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
            let numbers: Vec<usize> = flats.iter().map(|(number, _)| *number).collect();
            let known = numbers.iter().any(|number| culprits.contains(number));
            for number in numbers {
                if !known || culprits.contains(&number) {
                    set_apart(&mut members[number], "does not compile beside others");
                }
            }
        }
        for member in members {
            set_apart(member, "no other fits");
        }
        Ok(())
    }

    fn alone(&self, instrumented: &Instrumented, executable: &Path) -> Result<()> {
        let scratch = build::build_directory()?;
        let place = Place {
            scratch: scratch.path(),
            include: &self.include,
            executable,
            storage: &self.storage,
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

/// Has a program compiled by itself.
fn set_apart(member: &mut Result<Member>, reason: &'static str) {
    if let Ok(member) = member
        && member.flat.is_ok()
    {
        member.flat = Err(Unfit(reason));
    }
}

/// The executable of a program that is built by itself.
fn beside(executable: &Path, number: usize) -> PathBuf {
    let mut name = executable.as_os_str().to_owned();
    name.push(format!("-{number}"));
    name.into()
}
