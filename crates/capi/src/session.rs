//! A session: PTX, options, arrays and launches; then one check, and its report.

use std::ffi::{CString, c_char, c_int};
use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use tempfile::TempDir;

use hirace_check::{Program, RunOptions};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::Texts;
use hirace_ptx::plan::{self, Array, Fill, Kind, Launch, Output, Parameters, Place};
use hirace_ptx::{LAUNCH, Plan, Ptx};
use hirace_report::human::{self, Style};
use hirace_report::{Failure, Outcome, Report, Suppressions, json};

use super::arrays::Files;
pub use super::arrays::Memory;
use super::boundary::{Told, c_string};
use super::settings::Settings;
use super::{COOPERATIVE, FINDINGS, OK};

/// An argument as the caller gives it.
pub(super) enum Argument {
    /// An array, and the bytes from its start to where the argument points.
    Array(*const Memory, u64),
    Bytes(Vec<u8>),
}

/// The size of a number, by the name of its type.
pub(super) fn size_of(kind: &str) -> Told<usize> {
    Ok(Kind::named(kind)?.bytes as usize)
}

/// What `hirace_session` is.
#[derive(Debug)]
pub struct Session(Mutex<State>);

/// What a session has collected.
#[derive(Debug)]
pub(super) struct State {
    ptx: Ptx,
    settings: Settings,
    directory: TempDir,
    #[expect(clippy::vec_box, reason = "callers have their addresses")]
    arrays: Vec<Box<Memory>>,
    plan: Plan,
    /// The last launch, to which arguments are added.
    open: Option<(Parameters, Launch)>,
    /// The first error. It would be a check of something else if the session ran nevertheless.
    failed: Option<String>,
    results: Option<Results>,
}

/// What is left of a session that has run.
#[derive(Debug)]
pub(super) struct Results {
    pub json: CString,
    pub text: CString,
    pub output: CString,
}

impl Session {
    pub(super) fn new(ptx: &[u8], name: &str) -> Told<Self> {
        hirace_terminal::progress::hide();
        let ptx = Ptx::of_bytes(Path::new(name), ptx.to_vec()).map_err(|it| it.text())?;
        let directory = hirace_toolchain::temporary_directory().map_err(|it| it.text())?;
        Ok(Self(Mutex::new(State {
            ptx,
            settings: Settings::default(),
            directory,
            arrays: Vec::new(),
            plan: Plan::default(),
            open: None,
            failed: None,
            results: None,
        })))
    }

    fn with<T>(&self, body: impl FnOnce(&mut State) -> Told<T>) -> Told<T> {
        let state = self.0.lock();
        body(&mut *state.map_err(|_| "the session ended with a defect of hirace".to_owned())?)
    }

    /// Changes a session that has not run. After an error, it cannot run any more.
    pub(super) fn change<T>(&self, body: impl FnOnce(&mut State) -> Told<T>) -> Told<T> {
        self.with(|state| {
            if state.results.is_some() {
                return Err("the session has run; make a new one".to_owned());
            }
            let changed = body(state);
            if let Err(text) = &changed {
                state.failed.get_or_insert_with(|| text.clone());
            }
            changed
        })
    }

    /// Runs the session, and returns `HIRACE_OK` or `HIRACE_FINDINGS`; an error says why it could not be checked.
    ///
    /// # Safety
    /// The arrays must have their memory.
    pub(super) unsafe fn run(&self) -> Told<c_int> {
        self.with(|state| {
            if state.results.is_some() {
                return Err("the session has run; make a new one".to_owned());
            }
            // SAFETY: the caller promises it.
            unsafe { state.run() }
        })
    }

    /// A text of a session that has run. It stays where it is until the session is freed.
    pub(super) fn result(&self, text: impl FnOnce(&Results) -> &CString) -> Told<*const c_char> {
        self.with(|state| match &state.results {
            Some(results) => Ok(text(results).as_ptr()),
            None => Err("the session has not run".to_owned()),
        })
    }
}

impl State {
    pub(super) fn set(&mut self, key: &str, value: &str) -> Told<()> {
        self.settings.set(key, value)
    }

    pub(super) fn array(
        &mut self,
        name: Option<&str>,
        kind: &str,
        shape: Vec<u64>,
        data: *mut u8,
        written_back: bool,
    ) -> Told<*mut Memory> {
        let number = self.arrays.len();
        let files = Files(self.directory.path());
        let array = Array {
            name: name.map_or_else(|| format!("array {}", number + 1), str::to_owned),
            at: None,
            kind: Kind::named(kind)?,
            shape,
            fill: Fill::File(files.first(number), 0),
            output: written_back.then(|| Output::Raw(files.last(number))),
            expect: None,
        };
        let bytes = array.bytes().unwrap_or(u64::MAX);
        if bytes > 0 && data.is_null() {
            return Err("`data` is null".to_owned());
        }
        let number = self.plan.add_array(array)?;
        let mut memory = Box::new(Memory {
            number,
            data,
            bytes: usize::try_from(bytes).map_err(|_| "the array is too large")?,
            written_back,
        });
        let address = &raw mut *memory;
        self.arrays.push(memory);
        Ok(address)
    }

    pub(super) fn launch(
        &mut self,
        kernel: &str,
        (grid, block): (&[u32], &[u32]),
        dynamic_shared: u32,
        flags: u32,
    ) -> Told<()> {
        self.close()?;
        if flags & !COOPERATIVE != 0 {
            return Err(format!("`flags` has unknown bits: {flags:#x}"));
        }
        let parameters = self.ptx.parameters(kernel)?;
        let number = u32::try_from(self.plan.launches() + 1).unwrap_or(u32::MAX);
        let grid = plan::grid(grid).map_err(|it| format!("`grid`: {it}"))?;
        let launch = Launch {
            kernel: parameters.kernel.clone(),
            at: Place::Source(LAUNCH.to_owned(), number),
            grid,
            // Until hirace_launch_cluster() says so.
            cluster: [0; 3],
            block: plan::block(block).map_err(|it| format!("`block`: {it}"))?,
            dynamic_shared,
            cooperative: flags & COOPERATIVE != 0,
            arguments: Vec::new(),
        };
        self.open = Some((parameters, launch));
        Ok(())
    }

    pub(super) fn clusters(&mut self, size: &[u32]) -> Told<()> {
        let (parameters, launch) = self.open.as_mut().ok_or("there is no launch")?;
        let size = parameters.cluster(launch.grid, Some(size));
        launch.cluster = size.map_err(|it| format!("`cluster`: {it}"))?;
        Ok(())
    }

    pub(super) fn launched_at(&mut self, file: &str, line: u32) -> Told<()> {
        let (_, launch) = self.open.as_mut().ok_or("there is no launch")?;
        if line == 0 {
            return Err("lines are counted from 1".to_owned());
        }
        launch.at = Place::Source(file.to_owned(), line);
        Ok(())
    }

    pub(super) fn argument(&mut self, argument: Argument) -> Told<()> {
        let (parameters, launch) = self.open.as_mut().ok_or("there is no launch")?;
        let number = launch.arguments.len();
        let argument = match argument {
            Argument::Array(address, offset) => {
                let known = self.arrays.iter().find(|it| std::ptr::eq(&***it, address));
                let array = known.ok_or("`array` is no array of this session")?;
                self.plan.pointer(array.number, offset)?
            }
            Argument::Bytes(bytes) => plan::Argument::Bytes(bytes),
        };
        parameters.fit(number, &argument)?;
        if number >= parameters.len() {
            parameters.count(number + 1)?;
        }
        launch.arguments.push(argument);
        Ok(())
    }

    /// Adds the launch to which no more arguments come.
    fn close(&mut self) -> Told<()> {
        if let Some((parameters, mut launch)) = self.open.take() {
            let number = self.plan.launches() + 1;
            let of_launch = |it| format!("launch {number}, of `{}`: {it}", parameters.kernel);
            let counted = parameters.count(launch.arguments.len());
            counted.map_err(of_launch)?;
            if launch.cluster == [0; 3] {
                launch.cluster = parameters.cluster(launch.grid, None).map_err(of_launch)?;
            }
            self.plan.add_launch(launch);
        }
        Ok(())
    }

    /// # Safety
    /// The arrays must have their memory.
    unsafe fn run(&mut self) -> Told<c_int> {
        // SAFETY: the caller promises it.
        let checked = self.ready().and_then(|()| unsafe { self.check() });
        let strict = self.settings.strict;
        let (checked, told) = match checked {
            Ok(checked) => {
                let failure = checked.report.failure.as_ref();
                let told = match checked.report.outcome(strict) {
                    Outcome::Clean => Ok(OK),
                    Outcome::Findings => Ok(FINDINGS),
                    Outcome::NotChecked => Err(failure
                        .map_or("could not check", |it| &it.message)
                        .to_owned()),
                };
                (checked, told)
            }
            Err(error) => {
                let failure = Failure::of_error(&error);
                let seed = self.settings.first_seed();
                let report = Report::failed(Some(Backend::Cpu), seed, failure);
                let checked = Checked {
                    report: report.checked_in(hirace_check::here().as_deref()),
                    ..Checked::default()
                };
                (checked, Err(error.text()))
            }
        };
        let style = Style::for_file();
        let text = human::render(&checked.report, &checked.texts, checked.limit, style);
        self.results = Some(Results {
            json: c_string(&json::render(&checked.report)),
            text: c_string(&text),
            output: c_string(&checked.output),
        });
        told
    }

    /// Makes sure that the session is complete.
    fn ready(&mut self) -> Result<()> {
        let ready = match self.failed.take() {
            Some(text) => Err(format!("an earlier call failed: {text}")),
            None => self.close(),
        };
        let ready = match ready {
            Ok(()) if self.plan.launches() == 0 => Err("there is no launch".to_owned()),
            ready => ready,
        };
        ready.map_err(|message| Error::Input {
            message,
            help: None,
        })
    }

    /// # Safety
    /// The arrays must have their memory.
    unsafe fn check(&self) -> Result<Checked> {
        let config = self.settings.config()?;
        let suppressions = Suppressions::read(&config.suppressions)?;
        let program: Program = hirace_check::build_ptx_plan(&self.ptx, &self.plan, &[], &config)?;
        let files = Files(self.directory.path());
        // SAFETY: the caller promises it.
        unsafe { files.copy_in(&self.arrays)? };
        let returned: Vec<usize> = self
            .arrays
            .iter()
            .filter(|it| it.written_back)
            .map(|it| it.number)
            .collect();

        let path = self.directory.path().join("output");
        let output = File::create(&path).map_err(|source| Error::write(&path, source))?;
        let Settings {
            schedules,
            jobs,
            block_order,
            ..
        } = self.settings;
        let options = RunOptions {
            seed: schedules.first(),
            jobs: schedules.jobs(jobs),
            block_order,
            timeout: config.timeout,
            output: hirace_toolchain::Output::To(&output),
            ..RunOptions::default()
        };
        let mut report = schedules.run(&config, jobs, &options, |options| {
            let report = program.run(&config, options);
            // The first schedule runs before all others.
            if options.seed == schedules.first() {
                files.keep(&returned);
            }
            report
        })?;
        // SAFETY: the caller promises it.
        unsafe { files.copy_back(&self.arrays)? };
        hirace_fix::complete_help(&mut report, &program.texts(), Some(&[]));
        report.suppress_commented();
        report.suppress(&suppressions);
        let output = std::fs::read(&path).map_err(|source| Error::read(&path, source))?;
        Ok(Checked {
            report,
            texts: program.texts(),
            limit: config.limit,
            output: String::from_utf8_lossy(&output).into_owned(),
        })
    }
}

#[derive(Default)]
struct Checked {
    report: Report,
    texts: Texts,
    limit: Option<usize>,
    output: String,
}
