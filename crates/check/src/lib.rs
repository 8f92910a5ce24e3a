//! `hirace check` and `hirace run` as a library: [`build`] compiles a program, which
//! [`Program::run`] runs any number of times; [`run_program`] runs one that was built elsewhere.
//! [`explore()`] runs several schedules, and [`batch`] puts many programs into one executable.
//!
//! # Promises
//! - A program from the cache is the one that would be compiled now.
//! - However a program ends, its findings until then are in the report. A run that monitored
//!   nothing is an error, unless the program has no accesses of its own.
//! - The build directory is removed, even after Ctrl-C.
//!
//! # Dependencies
//! This crate connects those below it. It must never read syntax trees, print reports or know
//! command-line options.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;

use hirace_config::Config;
use hirace_config::options::ProgramOptions;
use hirace_instrument::Instrumented;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::{Tables, Texts};
use hirace_report::records::{self, Records, Usage};
use hirace_report::{Input, Report, Run};
use hirace_toolchain::{Ended, Launch, Output, temporary_directory};

use environment::{ENGINE_VARIABLE, JUDGED_VARIABLE, READ_ONLY_VARIABLE, TRIAL_VARIABLE};

pub mod batch;
mod build;
mod cached;
mod environment;
mod explore;
mod frames;
mod instances;
mod lines;
mod long_runs;
pub mod modules;
mod needs;
mod originals;
mod passes;
mod ptx;
mod schedules;

pub use build::{build, build_tree};
pub use explore::explore;
pub use ptx::{build_ptx, build_ptx_plan};
pub use schedules::{BlockOrder, Schedules};

/// An instrumented, compiled program. Dropping it removes its directory.
#[derive(Debug)]
pub struct Program {
    directory: Arc<TempDir>,
    executable: PathBuf,
    /// The program's number in the executable, if that holds several.
    member: Option<u32>,
    backend: Backend,
    input: Input,
    instrumented: Instrumented,
    /// Where launches of PTX are, by the lines that the program has for them.
    places: Vec<(String, u32)>,
    /// Whether its debug information lists functions that were inlined.
    lists_inlined: bool,
    /// The texts of modules that the program has loaded so far.
    loaded: Arc<Mutex<Texts>>,
}

/// How to run a program.
///
/// ```
/// use hirace_check::RunOptions;
///
/// let options = RunOptions {
///     seed: 7,
///     timeout: Some(60.0),
///     ..RunOptions::default()
/// };
/// assert!(options.arguments.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// The program's arguments.
    pub arguments: &'a [OsString],
    /// Seed of the schedule.
    pub seed: u32,
    /// Worker threads of the CPU executor; if `None`, one per core.
    pub jobs: Option<u32>,
    /// The order of blocks; if `None`, natural for seed 0 and random for others.
    pub block_order: Option<BlockOrder>,
    /// Seconds that the program may run.
    pub timeout: Option<f64>,
    /// Where the program's output goes.
    pub output: Output<'a>,
    /// Which launches are checked, and when the program stops.
    pub control: &'a ProgramOptions,
}

impl Default for RunOptions<'_> {
    /// No arguments, no limits, natural order, inherited output.
    fn default() -> Self {
        static EVERY_LAUNCH: ProgramOptions = ProgramOptions::NONE;
        Self {
            arguments: &[],
            seed: 0,
            jobs: None,
            block_order: None,
            timeout: None,
            output: Output::Inherited,
            control: &EVERY_LAUNCH,
        }
    }
}

impl Program {
    /// Runs the program once.
    ///
    /// # Errors
    /// The program cannot be started, or its records cannot be read. Failures of the program itself
    /// are part of the report.
    pub fn run(&self, config: &Config, options: &RunOptions<'_>) -> Result<Report> {
        self.run_trial(config, options, "")
            .map(|(report, _)| report)
    }

    /// Runs the program once, and returns the resources that it used.
    ///
    /// # Errors
    /// Those of [`Program::run`].
    pub fn measure(&self, config: &Config, options: &RunOptions<'_>) -> Result<(Report, Usage)> {
        self.run_trial(config, options, "")
    }

    /// Runs a program that was built with edits on trial; `edits` are the numbers of the enabled
    /// ones, in the form that `device/hirace/executor/repair_trial.h` reads.
    pub fn run_trial(
        &self,
        config: &Config,
        options: &RunOptions<'_>,
        edits: &str,
    ) -> Result<(Report, Usage)> {
        let chosen = self.member.map(|number| number.to_string());
        let chosen = [
            (TRIAL_VARIABLE, edits),
            (batch::VARIABLE, chosen.as_deref().unwrap_or("")),
        ];
        let run = |pass: &passes::Pass<'_>, output| {
            let engine = (ENGINE_VARIABLE, pass.engine);
            let judged = (JUDGED_VARIABLE, pass.judged);
            let read_only = (READ_ONLY_VARIABLE, pass.read_only);
            let chosen = [chosen[0], chosen[1], engine, judged, read_only];
            let directory = self.directory.path();
            recorded(
                directory,
                self.executable.as_os_str(),
                config,
                options,
                output,
                &chosen,
            )
        };
        let (mut records, ended) = passes::run(config, self.backend, options.output, run)?;
        let tables = self.with_loaded(&std::mem::take(&mut records.tables));
        records.lists_inlined = self.lists_inlined;
        lines::find(&mut records, &tables, &self.executable);
        if let Some(member) = self.member {
            lines::leave_namespace(&mut records, &batch::namespace(member));
        }
        lines::name(&mut records, &self.places);
        let mut report = hirace_report::assemble(&Run {
            backend: self.backend,
            seed: options.seed,
            ended,
            timeout: options.timeout,
            init_check: config.semantics.init_check,
            names_process: false,
            records: &records,
            tables: &tables,
        });
        report.input = self.input;
        report.name_as_written();
        report.name_cause_of_launch_file();
        look_for_driver(&mut report, self.backend);
        Ok((report.checked_in(here().as_deref()), records.usage))
    }

    /// The program's own tables, and those of modules that it loaded while it ran, whose texts are kept. Programs
    /// that share an executable load none.
    fn with_loaded(&self, carried: &Tables) -> Tables {
        let mut tables = self.instrumented.tables.clone();
        if self.member.is_some() {
            return tables;
        }
        let own: HashSet<(u32, u64)> = tables.iter().map(|it| (it.base, it.key)).collect();
        let mut loaded = Tables::default();
        for table in carried
            .iter()
            .filter(|it| !own.contains(&(it.base, it.key)))
        {
            loaded.add(table.clone());
        }
        let texts = originals::find(&mut loaded, None).texts;
        self.loaded.lock().expect("no reader panics").extend(texts);
        loaded.iter().for_each(|it| tables.add(it.clone()));
        tables
    }

    /// The texts of the user's files, and of modules that the program has loaded, for excerpts.
    #[must_use]
    pub fn texts(&self) -> Texts {
        let mut texts = self.loaded.lock().expect("no reader panics").clone();
        texts.extend(self.instrumented.texts.clone());
        texts
    }

    /// The executable.
    #[must_use]
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

/// The report on a program that was built elsewhere, and the texts for its excerpts.
#[derive(Debug)]
pub struct Checked {
    /// The report.
    pub report: Report,
    /// The texts of the source files that have not changed since the build.
    pub texts: Texts,
}

/// Runs a program that was built with hirace, or one that starts such programs, and reports.
/// A name without `/` is searched for on the path.
///
/// # Errors
/// The program cannot be started or was not built with hirace, or its records cannot be read.
pub fn run_program(
    executable: &OsStr,
    config: &Config,
    options: &RunOptions<'_>,
) -> Result<Checked> {
    run_relocated(executable, config, options, None, "")
}

/// Where the sources of a program are that was built from a copy of them.
#[derive(Clone, Copy, Debug)]
pub struct Relocation<'a> {
    /// The copy.
    pub from: &'a Path,
    /// The directory that reports name.
    pub to: &'a Path,
}

impl Relocation<'_> {
    /// The path in a report for a source file.
    fn of(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.from) {
            Ok(relative) => self.to.join(relative),
            Err(_) => path.to_owned(),
        }
    }
}

/// Runs a program like [`run_program`] that was built from a copy of its sources, with edits on trial as in
/// [`Program::run_trial`].
///
/// # Errors
/// Those of [`run_program`].
pub fn run_relocated(
    executable: &OsStr,
    config: &Config,
    options: &RunOptions<'_>,
    relocation: Option<Relocation<'_>>,
    edits: &str,
) -> Result<Checked> {
    let directory = temporary_directory()?;
    let chosen = [(TRIAL_VARIABLE, edits)];
    let (mut records, ended) = recorded(
        directory.path(),
        executable,
        config,
        options,
        options.output,
        &chosen,
    )?;
    let (Some(backend), true) = (records.backend, records.started) else {
        if matches!(ended, Ended::Interrupted(_)) {
            return Err(Error::Interrupted);
        }
        return Err(Error::NotInstrumented {
            program: Path::new(executable).display().to_string(),
            ended: ended.to_string(),
        });
    };
    let mut tables = std::mem::take(&mut records.tables);
    let originals = originals::find(&mut tables, relocation);
    lines::find(&mut records, &tables, Path::new(executable));
    records.tables = tables;
    let mut report = hirace_report::assemble(&Run {
        backend,
        seed: options.seed,
        ended,
        timeout: options.timeout,
        init_check: config.semantics.init_check,
        names_process: true,
        records: &records,
        tables: &records.tables,
    });
    look_for_driver(&mut report, backend);
    report.notes.extend(originals.notes);
    Ok(Checked {
        report: report.checked_in(here().as_deref()),
        texts: originals.texts,
    })
}

/// Without a driver, a program for a GPU fails, and its own message may not say why.
fn look_for_driver(report: &mut Report, backend: Backend) {
    if backend == Backend::Gpu && !hirace_toolchain::gpu::has_driver() {
        report.lacks_driver();
    }
}

/// The directory that file names in reports are relative to.
pub fn here() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Runs a program once, and reads the records that it writes to a file in `directory`. `output` is where
/// this run's output goes, which may be the second of two.
fn recorded(
    directory: &Path,
    executable: &OsStr,
    config: &Config,
    options: &RunOptions<'_>,
    output: Output<'_>,
    chosen: &[(&'static str, &str)],
) -> Result<(Records, Ended)> {
    // A new name, as several runs of one program may overlap.
    let file = tempfile::Builder::new()
        .prefix("records-")
        .tempfile_in(directory)
        .map_err(|source| Error::write(directory, source))?;
    let path = file.path();
    size_records(file.as_file()).map_err(|source| Error::write(path, source))?;
    let needs = tempfile::Builder::new()
        .prefix("needs-")
        .tempfile_in(directory)
        .map_err(|source| Error::write(directory, source))?;
    let mut environment = environment::of(path, config, options, chosen);
    environment.push(("HIRACE_NEEDS", Some(needs.path().into())));
    let values = directory.join(ptx::VALUES);
    if values.exists() {
        environment.push(("HIRACE_LAUNCH_VALUES", Some(values.into())));
    }
    let launch = Launch {
        executable: executable.as_ref(),
        arguments: options.arguments,
        environment,
        output,
        timeout: options.timeout.map(Duration::from_secs_f64),
    };
    // Not the schedules that run beside one another, nor trials.
    let is_told = matches!(options.output, Output::Inherited | Output::ToStandardError);
    let ended = match is_told {
        true => long_runs::told(file.as_file(), || launch.run())?,
        false => launch.run()?,
    };
    let bytes = std::fs::read(path).map_err(|source| Error::read(path, source))?;
    let mut records = records::parse(&bytes)?;
    let needs = std::fs::read(needs.path()).unwrap_or_default();
    records.needs = records::Need::parse(&String::from_utf8_lossy(&needs));
    Ok((records, ended))
}

/// Gives the file its full size, without allocating disk blocks. The program maps it, so that its
/// records survive however it ends.
fn size_records(file: &File) -> std::io::Result<()> {
    file.set_len(records::file_size())?;
    file.write_all_at(&records::fresh_header(), 0)
}
