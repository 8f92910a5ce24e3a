//! Running the instrumented program.

use std::ffi::OsString;
use std::fs::File;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::interrupt;
use super::process::{Reach, wait};
use super::trace::Shown;
use hirace_model::Ended;
use hirace_model::error::{Error, Result};

/// Where the program's output goes.
#[derive(Clone, Copy, Debug)]
pub enum Output<'a> {
    /// To the same place as ours.
    Inherited,
    /// Standard output to our standard error, so that ours remains free for the report.
    ToStandardError,
    /// Standard output and standard error to a file.
    To(&'a File),
    /// Nowhere.
    Discarded,
}

/// One run of a program.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The executable.
    pub executable: &'a Path,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// Variables for its environment; `None` removes one that we inherited.
    pub environment: Vec<(&'static str, Option<OsString>)>,
    /// Where its output goes.
    pub output: Output<'a>,
    /// How long it may run.
    pub timeout: Option<Duration>,
}

impl Launch<'_> {
    /// Starts the program and waits for its end.
    ///
    /// # Errors
    /// It cannot be started, or a signal interrupts us before that.
    pub fn run(&self) -> Result<Ended> {
        interrupt::check()?;
        let mut command = Command::new(self.executable);
        command.args(self.arguments);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        match self.output {
            Output::Inherited => {}
            Output::ToStandardError => {
                command.stdout(Stdio::from(std::io::stderr()));
            }
            Output::To(file) => {
                let copy = || {
                    file.try_clone()
                        .map_err(|source| Error::system("pass a file to the program", source))
                };
                command.stdin(Stdio::null());
                command.stdout(copy()?).stderr(copy()?);
            }
            Output::Discarded => {
                command.stdin(Stdio::null());
                command.stdout(Stdio::null()).stderr(Stdio::null());
            }
        }
        // In a separate process group, the time limit also stops processes that the program has
        // started. But only the terminal's foreground group may read from the terminal.
        let reads = matches!(self.output, Output::Inherited | Output::ToStandardError);
        let own_group = self.timeout.is_some() && !(reads && std::io::stdin().is_terminal());
        let reach = if own_group {
            command.process_group(0);
            Reach::Group
        } else {
            Reach::Process
        };
        let _shown = Shown::of(&command);
        let mut child = command.spawn().map_err(|source| {
            let program = self.executable.display();
            match self.executable.is_dir() {
                true => Error::Input {
                    message: format!("`{program}` is a directory"),
                    help: Some("name the program in it".to_owned()),
                },
                false => Error::system(format!("start `{program}`"), source),
            }
        })?;
        wait(&mut child, self.timeout, reach)
    }
}
