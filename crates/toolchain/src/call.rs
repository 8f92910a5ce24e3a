//! A compiler call on the user's behalf: same arguments, same exit status.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::process::{Reach, wait};
use hirace_model::Ended;
use hirace_model::error::{Error, Result};

/// The variable that makes the compiler wrappers run every call unchanged, unless it is empty or
/// `0`.
pub const DISABLE: &str = "HIRACE_DISABLE";

/// A command to run.
#[derive(Clone, Debug)]
pub struct Call {
    /// The program, as on a shell's command line.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables to set for it.
    pub environment: Vec<(&'static str, OsString)>,
}

impl Call {
    /// Replaces this process with the program. Returns only if the program cannot be started.
    #[must_use]
    pub fn replace(&self) -> Error {
        let source = self.command().exec();
        self.failed(source)
    }

    /// Runs the program with our standard streams.
    ///
    /// # Errors
    /// It cannot be started, or a signal interrupts us.
    pub fn run(&self) -> Result<Ended> {
        self.wait(&mut self.command())
    }

    /// Runs the program with its output redirected to two files.
    ///
    /// # Errors
    /// Those of [`Call::run`], or a file cannot be written.
    pub fn run_quietly(&self, stdout: &Path, stderr: &Path) -> Result<Ended> {
        let create = |path: &Path| File::create(path).map_err(|it| Error::write(path, it));
        let mut command = self.command();
        command.stdout(Stdio::from(create(stdout)?));
        command.stderr(Stdio::from(create(stderr)?));
        self.wait(&mut command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    fn wait(&self, command: &mut Command) -> Result<Ended> {
        let mut child = command.spawn().map_err(|source| self.failed(source))?;
        match wait(&mut child, None, Reach::Process)? {
            Ended::Interrupted(_) => Err(Error::Interrupted),
            ended => Ok(ended),
        }
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Toolchain {
            what: "command",
            name: PathBuf::from(&self.program).display().to_string(),
            source,
            help: "check the name of the program, or its path; hirace runs it as a shell would",
        }
    }
}
