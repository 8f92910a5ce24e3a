//! The implementations of the commands.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::{BackendChoice, Cli, Command, Explain, compiler_options};
use crate::exit::Exit;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_report::explain;
use hirace_report::human::complain;
use hirace_terminal::print;
use hirace_toolchain::{gpu, interrupt};

mod baseline;
mod cache;
mod check;
mod deliver;
mod doctor;
mod fix;
mod fsm;
mod indigo;
mod instrument;
mod litmus;
mod manual;
mod module;
mod report;
mod run;
mod target;
mod version;
mod watch;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    // This must come first, so that clap never reads a compiler's options as ours.
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let commands = super::commands();
    let commands: Vec<_> = commands.iter().map(String::as_str).collect();
    if let Some(status) = hirace_wrap::main(&arguments, &commands) {
        return status;
    }
    if arguments == ["--version"] {
        return finish(version::print().map(|()| Exit::Clean));
    }
    let cli = parsed();
    interrupt::install();
    if cli.verbose {
        hirace_toolchain::show_commands();
    }
    let outcome = match cli.command {
        Command::Check(arguments) => return finish(check::run(&arguments)),
        Command::Watch(arguments) => return finish(watch::run(&arguments)),
        Command::Build(arguments) => return build(&arguments),
        Command::Run(arguments) => return finish(run::run(&arguments)),
        Command::Report(arguments) => return finish(report::run(&arguments)),
        Command::Fix(arguments) => return finish(fix::run(&arguments)),
        Command::Instrument(arguments) => return finish(instrument::run(&arguments)),
        Command::Fsm(arguments) => return finish(fsm::run(&arguments.command)),
        Command::Explain(arguments) => explain_code(&arguments),
        Command::Doctor(arguments) => return finish(doctor::run(&arguments)),
        Command::Cache(arguments) => return finish(cache::run(&arguments)),
        Command::Litmus(arguments) => return finish(litmus::run(&arguments)),
        Command::Indigo { arguments } => return finish(Err(indigo::run(arguments))),
        Command::Toolkit => {
            hirace_wrap::toolkit::make().and_then(|it| print(&format!("{}\n", it.display())))
        }
        Command::Module(arguments) => return finish(module::run(&arguments)),
        Command::Man { command } => manual::print(Cli::command(), command.as_deref()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hirace", &mut script);
            print(&script)
        }
    };
    finish(outcome.map(|()| Exit::Clean))
}

/// Parses the command line, and passes a `--log-file` that precedes the command on to it.
fn parsed() -> Cli {
    let mut cli = Cli::parse_from(compiler_options::marked(
        Cli::command(),
        std::env::args_os(),
    ));
    if let Some(file) = cli.log_file.take() {
        let log = match &mut cli.command {
            Command::Check(arguments) => &mut arguments.run.control.log_file,
            Command::Run(arguments) => &mut arguments.run.control.log_file,
            _ => {
                let message = "`--log-file` works only with `hirace check` and `hirace run`\n";
                Cli::command()
                    .error(ErrorKind::ArgumentConflict, message)
                    .exit();
            }
        };
        log.get_or_insert(file);
    }
    cli
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

/// The backend to use on this machine.
fn chosen(backend: BackendChoice) -> Backend {
    match backend {
        BackendChoice::Cpu => Backend::Cpu,
        BackendChoice::Gpu => Backend::Gpu,
        BackendChoice::Auto if gpu::is_trusted() => Backend::Gpu,
        BackendChoice::Auto => Backend::Cpu,
    }
}

/// Runs a build command, and returns its exit status.
fn build(arguments: &super::Build) -> ExitCode {
    let ended = hirace_wrap::build::run(
        &arguments.command,
        chosen(arguments.backend),
        arguments.check_all,
    );
    interrupt::die_if_signalled();
    ended.unwrap_or_else(|error| {
        complain(&error);
        Exit::CouldNotCheck.into()
    })
}

fn explain_code(arguments: &Explain) -> Result<()> {
    match &arguments.code {
        Some(code) => match explain::page(code) {
            Some(page) => print(page),
            None => Err(Error::UnknownCode {
                code: code.clone(),
                near: explain::near(code),
            }),
        },
        None => print(&explain::list()),
    }
}
