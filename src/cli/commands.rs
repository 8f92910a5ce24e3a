//! What the commands do.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use super::{BackendChoice, Cli, Command, Explain, Format, InstrumentFor};
use crate::check::{self, RunOptions};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::explain;
use crate::instrument::tree::Collector;
use crate::instrument::{self, Plan, output, walk};
use crate::model::Backend;
use crate::report::human::{self, Style};
use crate::report::{Failure, Report, json};
use crate::toolchain::arguments::Arguments;
use crate::toolchain::{Output, gpu, interrupt};

mod fsm;
mod summary;
mod target;

use target::Target;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::install();
    let outcome = match cli.command {
        Command::Check(arguments) => return finish(check(&arguments)),
        Command::Instrument(arguments) => instrument(&arguments),
        Command::Fsm(arguments) => return finish(fsm::run(&arguments.command)),
        Command::Explain(arguments) => explain_code(&arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hirace", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    };
    finish(outcome.map(|()| Exit::Clean))
}

fn finish(outcome: Result<Exit>) -> ExitCode {
    interrupt::die_if_signalled();
    outcome
        .unwrap_or_else(|error| {
            complain(&error);
            Exit::CouldNotCheck
        })
        .into()
}

/// Shows an error on standard error.
fn complain(error: &Error) {
    let mut text = String::new();
    if let Error::Compile { output, .. } = error {
        text.push_str(output);
        text.push('\n');
    }
    text += &Style::for_stderr().draw(error);
    tell(&text);
}

/// Writes to standard error. Nobody is left to tell when that fails.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. A reader that has seen enough is no error.
fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::write("standard output", error))
        }
        _ => Ok(()),
    }
}

fn check(arguments: &super::Check) -> Result<Exit> {
    // Before anything that takes time: the report must have somewhere to go.
    let target = arguments.output.as_deref().map(Target::open).transpose()?;
    let backend = match arguments.backend {
        BackendChoice::Cpu => Backend::Cpu,
        BackendChoice::Gpu => Backend::Gpu,
        BackendChoice::Auto if gpu::available() => Backend::Gpu,
        BackendChoice::Auto => Backend::Cpu,
    };
    let checked = build_and_run(arguments, backend);
    let (report, texts, limit) = match checked {
        Ok(checked) => checked,
        Err(error @ Error::Interrupted) => return Err(error),
        Err(error) => {
            complain(&error);
            if arguments.format == Format::Json {
                let report = Report::failed(
                    backend,
                    arguments.seed.unwrap_or(0),
                    Failure::of_error(&error),
                );
                deliver(target, &json::render(&report))?;
            }
            return Ok(Exit::CouldNotCheck);
        }
    };
    match (arguments.format, target) {
        (Format::Json, target) => {
            if let Some(failure) = &report.failure {
                tell(&human::render_failure(failure, &texts, Style::for_stderr()));
            }
            deliver(target, &json::render(&report))?;
        }
        (Format::Human, None) => {
            tell(&human::render(&report, &texts, limit, Style::for_stderr()));
        }
        (Format::Human, Some(target)) => {
            target.write(&human::render(&report, &texts, limit, Style::for_file()))?;
            tell(&format!("{}\n", human::summary(&report)));
        }
    }
    Ok(Exit::of(&report, arguments.strict))
}

fn deliver(target: Option<Target>, text: &str) -> Result<()> {
    match target {
        Some(target) => target.write(text),
        None => print(text),
    }
}

fn build_and_run(
    arguments: &super::Check,
    backend: Backend,
) -> Result<(Report, instrument::Texts, Option<usize>)> {
    let first = arguments.files.first().map_or(Path::new("."), |file| file);
    let config = Config::load(arguments.config.as_deref(), first)?;
    let program = check::build(&arguments.files, backend, &arguments.cc_arg, &config)?;
    let to_stdout = arguments.format == Format::Json && arguments.output.is_none();
    let report = program.run(
        &config,
        &RunOptions {
            arguments: &arguments.args,
            seed: arguments.seed.unwrap_or(0),
            jobs: arguments.jobs.or(arguments.seed.map(|_| 1)),
            timeout: arguments.timeout.or(config.timeout),
            output: if to_stdout {
                Output::ToStandardError
            } else {
                Output::Inherited
            },
        },
    )?;
    let limit = match arguments.limit {
        None => config.limit,
        Some(0) => None,
        limit => limit,
    };
    Ok((report, program.texts().clone(), limit))
}

fn instrument(arguments: &super::Instrument) -> Result<()> {
    let first = arguments.paths.first().map_or(Path::new("."), |path| path);
    let config = Config::load(arguments.config.as_deref(), first)?;
    let compiler = Arguments::parse(&arguments.cc_arg);
    let mut collector = Collector::new(&compiler);
    output::check(&arguments.output, arguments.force)?;
    for path in &arguments.paths {
        if path.is_dir() {
            walk::directory(&mut collector, path)?;
        } else {
            collector.named(path)?;
        }
    }
    let tree = collector.finish()?;
    output::check_inputs(&arguments.output, &tree)?;
    let plan = Plan {
        backend: match arguments.backend {
            InstrumentFor::Cpu => Backend::Cpu,
            InstrumentFor::Gpu => Backend::Gpu,
        },
        selection: &config.monitor,
        arguments: &compiler,
        mark_copies: false,
    };
    let program = instrument::tree(&tree, plan)?;
    output::write(&arguments.output, &program)?;
    tell(&summary::of(&program, &arguments.output, plan.backend));
    Ok(())
}

fn explain_code(arguments: &Explain) -> Result<()> {
    match &arguments.code {
        Some(code) => match explain::page(code) {
            Some(page) => print(page),
            None => Err(Error::UnknownCode { code: code.clone() }),
        },
        None => print(&explain::list()),
    }
}
