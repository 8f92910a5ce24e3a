//! One run: start, wait, judge.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::time::{Duration, Instant};

use hirace::check::RunOptions;
use hirace::error::Error as HiraceError;
use hirace::report::{Report, json};
use hirace::toolchain::{Launch, Output};

use super::build::{Ready, config};
use super::judge::{self, Judgement};
use super::tool::Tool;
use crate::error::{Error, Result};
use crate::store::{Shape, Verdict};
use crate::suite::Arguments;

/// The parameters of a run.
#[derive(Debug)]
pub struct Start<'a> {
    /// The executable.
    pub ready: &'a Ready,
    /// How the program receives graph and shape.
    pub arguments: &'a Arguments,
    /// The graph.
    pub graph: &'a Path,
    /// The shape.
    pub shape: Shape,
    /// The tool that runs it.
    pub tool: Tool,
    /// Time limit in seconds.
    pub timeout: f64,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Finished {
    /// The verdict.
    pub judgement: Judgement,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Wall time of launches in seconds.
    pub kernel_seconds: Option<f64>,
    /// Largest resident memory in bytes.
    pub peak_bytes: Option<u64>,
    /// The report in JSON, if it is worth keeping.
    pub report: Option<String>,
}

impl Start<'_> {
    /// Runs the program once.
    ///
    /// # Errors
    /// It cannot be started, or a signal ended the sweep.
    pub fn run(&self) -> Result<Finished> {
        let arguments = (self.arguments).fill(self.graph, self.shape.threads, self.shape.blocks);
        let program = match self.ready {
            Ready::Checked(program) => program,
            Ready::Plain(built) => return self.plain(&built.0, &arguments),
        };
        let mut output = scratch()?;
        let options = RunOptions {
            arguments: &arguments,
            // The other cores have runs of their own.
            jobs: Some(1),
            timeout: Some(self.timeout),
            output: Output::To(&output),
            ..RunOptions::default()
        };
        let begin = Instant::now();
        let (report, usage) = program.measure(config(self.tool.form()), &options)?;
        let seconds = begin.elapsed().as_secs_f64();
        let judgement = match self.tool {
            Tool::Baseline => judge::executed(&report, &text(&mut output)?),
            _ => judge::checked(&report),
        };
        let judgement = judgement.ok_or(HiraceError::Interrupted)?;
        Ok(Finished {
            report: worth_keeping(self.tool, judgement.verdict, &report),
            judgement,
            seconds,
            kernel_seconds: (usage.launch_seconds > 0.0).then_some(usage.launch_seconds),
            peak_bytes: (usage.peak_bytes > 0).then_some(usage.peak_bytes),
        })
    }

    fn plain(&self, executable: &Path, arguments: &[std::ffi::OsString]) -> Result<Finished> {
        let mut output = scratch()?;
        let mut all = Vec::new();
        let program = match self.tool {
            Tool::Racecheck => {
                all.extend(["--tool".into(), "racecheck".into()]);
                all.push(executable.into());
                Path::new(SANITIZER)
            }
            _ => executable,
        };
        all.extend_from_slice(arguments);
        let begin = Instant::now();
        let ended = Launch {
            executable: program,
            arguments: &all,
            environment: Vec::new(),
            output: Output::To(&output),
            timeout: Some(Duration::from_secs_f64(self.timeout)),
        }
        .run()?;
        let seconds = begin.elapsed().as_secs_f64();
        let output = text(&mut output)?;
        let judgement = match self.tool {
            Tool::Racecheck => judge::racecheck(ended, &output),
            _ => judge::plain(ended, &output),
        };
        Ok(Finished {
            judgement: judgement.ok_or(HiraceError::Interrupted)?,
            seconds,
            kernel_seconds: None,
            peak_bytes: None,
            report: None,
        })
    }
}

/// NVIDIA's checker, on the path.
pub const SANITIZER: &str = "compute-sanitizer";

/// Reports of clean runs contain nothing beyond the verdict.
fn worth_keeping(tool: Tool, verdict: Verdict, report: &Report) -> Option<String> {
    let is_known = matches!(verdict, Verdict::Clean | Verdict::Unfit) || !tool.is_checker();
    (!is_known).then(|| json::render(report))
}

fn scratch() -> Result<File> {
    tempfile::tempfile().map_err(|source| Error::write(std::env::temp_dir(), source))
}

/// The output of a program, truncated if it is too long.
fn text(file: &mut File) -> Result<String> {
    const MAX_BYTES: u64 = 1 << 20;
    let failed = |source| Error::read(std::env::temp_dir(), source);
    let length = file.metadata().map_err(failed)?.len();
    file.seek(std::io::SeekFrom::Start(length.saturating_sub(MAX_BYTES)))
        .map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
