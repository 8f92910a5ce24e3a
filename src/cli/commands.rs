//! The implementations of the commands.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::{BackendChoice, Cli, Command, Explain, Order, RunAndReport, Seeds};
use crate::exit::Exit;
use hirace_check::{BlockOrder, Checked, RunOptions};
use hirace_config::Config;
use hirace_config::options::{Options, ProgramOptions};
use hirace_instrument::rewrite::Skip;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::Texts;
use hirace_report::explain;
use hirace_report::human::complain;
use hirace_report::{Failure, Report, Suppressions};
use hirace_terminal::print;
use hirace_toolchain::{Output, gpu, interrupt};

mod baseline;
mod cache;
mod deliver;
mod doctor;
mod fix;
mod fsm;
mod indigo;
mod instrument;
mod report;
mod target;

use baseline::Baseline;
use deliver::{Content, Delivery};

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    // First of all, so that clap never reads a compiler's options as ours.
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let command = Cli::command();
    let commands: Vec<_> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    if let Some(status) = hirace_wrap::main(&arguments, &commands) {
        return status;
    }
    let cli = parsed();
    interrupt::install();
    let outcome = match cli.command {
        Command::Check(arguments) => return finish(check(&arguments)),
        Command::Build(arguments) => return build(&arguments),
        Command::Run(arguments) => return finish(run(&arguments)),
        Command::Report(arguments) => return finish(report::run(&arguments)),
        Command::Fix(arguments) => return finish(fix::run(&arguments)),
        Command::Instrument(arguments) => return finish(instrument::run(&arguments)),
        Command::Fsm(arguments) => return finish(fsm::run(&arguments.command)),
        Command::Explain(arguments) => explain_code(&arguments),
        Command::Doctor(arguments) => return finish(doctor::run(&arguments)),
        Command::Cache(arguments) => return finish(cache::run(&arguments)),
        Command::Indigo { arguments } => return finish(Err(indigo::run(arguments))),
        Command::Toolkit => {
            hirace_wrap::toolkit::make().and_then(|it| print(&format!("{}\n", it.display())))
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hirace", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    };
    finish(outcome.map(|()| Exit::Clean))
}

/// Parses the command line, and hands a `--log-file` before the command on to the command.
fn parsed() -> Cli {
    let mut cli = Cli::parse();
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
        BackendChoice::Auto if gpu::available() => Backend::Gpu,
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

fn check(arguments: &super::Check) -> Result<Exit> {
    let backend = chosen(arguments.backend);
    let first = arguments.files.first().map_or(Path::new("."), |file| file);
    run_and_report(&arguments.run, Some(backend), first, |config, control| {
        let mut compiler = arguments.cc_arg.clone();
        if let Some(lanes) = arguments.warp_size {
            if backend == Backend::Gpu {
                return Err(Error::Input {
                    message: "`--warp-size` needs the CPU executor: a GPU's warps have 32 lanes"
                        .to_owned(),
                    help: Some("add `--backend cpu`".to_owned()),
                });
            }
            compiler.push(format!("-DHIRACE_WARP_SIZE={lanes}"));
        }
        let mut config = config.clone();
        if arguments.check_all {
            config.skip = Skip::NOTHING;
        }
        config.cache.enabled &= !arguments.no_cache;
        let program = hirace_check::build(&arguments.files, backend, &compiler, &config)?;
        let options = options(&arguments.run, &arguments.args, &config, control);
        let report = scheduled(&arguments.run, &options, |options| {
            program.run(&config, options)
        })?;
        Ok(Checked {
            report,
            texts: program.texts().clone(),
        })
    })
}

fn run(arguments: &super::Run) -> Result<Exit> {
    // The parser requires one.
    let Some((program, rest)) = arguments.program.split_first() else {
        return Ok(Exit::CouldNotCheck);
    };
    run_and_report(&arguments.run, None, Path::new("."), |config, control| {
        let options = options(&arguments.run, rest, config, control);
        let texts = Mutex::new(Texts::default());
        let report = scheduled(&arguments.run, &options, |options| {
            let checked = hirace_check::run_program(program, config, options)?;
            let mut texts = texts.lock().expect("no worker panics");
            texts.extend(checked.texts);
            Ok(checked.report)
        })?;
        let texts = texts.into_inner().expect("no worker panics");
        Ok(Checked { report, texts })
    })
}

/// Runs the schedules that the arguments select.
fn scheduled(
    arguments: &RunAndReport,
    options: &RunOptions<'_>,
    run: impl Fn(&RunOptions<'_>) -> Result<Report> + Sync,
) -> Result<Report> {
    let (first, last) = match (arguments.seeds, arguments.explore) {
        (Some(Seeds { first, last }), _) => (first, last),
        (None, Some(schedules)) => (0, schedules - 1),
        (None, None) => return run(options),
    };
    let at_once = arguments.jobs.and_then(NonZeroU32::new);
    hirace_check::explore(first, last, at_once, options, run)
}

/// Runs and reports. The search for the configuration goes upwards from `start`.
fn run_and_report(
    arguments: &RunAndReport,
    backend: Option<Backend>,
    start: &Path,
    checked: impl Fn(&Config, &ProgramOptions) -> Result<Checked>,
) -> Result<Exit> {
    // Before anything that takes time, make sure that the report can be written.
    let options = arguments.control.over(Options::of_environment()?);
    let outputs = match &options.log_path {
        Some(file) => arguments.outputs.with_log(file).ok_or_else(two_logs)?,
        None => arguments.outputs.clone(),
    };
    let delivery = Delivery::open(&outputs)?;
    let baseline = Baseline::open(&arguments.known)?;
    let config = Config::load(arguments.config.as_deref(), start);
    let limit = match (options.print_limit, &config) {
        (None, Ok(config)) => config.limit,
        (Some(0), _) => None,
        (limit, _) => limit,
    };
    let checked = config.and_then(|config| {
        let files = config.suppressions.iter().chain(&options.suppressions);
        let suppressions = Suppressions::read(&arguments.known.files(files))?;
        if options.program.halt_on_error && !suppressions.is_empty() {
            return Err(halts_at_suppressed());
        }
        let mut checked = checked(&config, &options.program)?;
        if options.program.halt_on_error {
            checked.report.keep_commented();
        } else {
            checked.report.suppress_commented();
        }
        checked.report.suppress(&suppressions);
        Ok(checked)
    });
    let Checked { report, texts } = match checked {
        Ok(checked) => checked,
        Err(error @ Error::Interrupted) => return Err(error),
        Err(error) => {
            complain(&error);
            let first = arguments.seeds.map(|it| it.first);
            let report = Report::failed(
                backend,
                arguments.seed.or(first).unwrap_or(0),
                Failure::of_error(&error),
            )
            .checked_in(hirace_check::here().as_deref());
            delivery.without_human().write(Content {
                report: &report,
                diff: None,
                texts: &Texts::default(),
                notes: &[],
                limit,
            })?;
            return Ok(Exit::CouldNotCheck);
        }
    };
    delivery.write_beside_a_program(Content {
        report: &report,
        diff: None,
        texts: &texts,
        notes: &[],
        limit,
    })?;
    baseline.write(&report)?;
    let exit = Exit::of(&report, arguments.strict);
    Ok(match options.exitcode {
        Some(number) if exit == Exit::Races => Exit::Chosen(number),
        _ => exit,
    })
}

fn two_logs() -> Error {
    Error::Input {
        message: "the human report has two files: a log and an `--output`".to_owned(),
        help: Some(
            "`--log-file` and `log_path` are short for `--format human --output`".to_owned(),
        ),
    }
}

fn halts_at_suppressed() -> Error {
    Error::Input {
        message: "`halt_on_error` cannot be combined with suppressions".to_owned(),
        help: Some(
            "the program would stop at a hidden finding, and the rest would go unchecked"
                .to_owned(),
        ),
    }
}

fn options<'a>(
    arguments: &RunAndReport,
    program: &'a [OsString],
    config: &Config,
    control: &'a ProgramOptions,
) -> RunOptions<'a> {
    RunOptions {
        arguments: program,
        seed: arguments.seed.unwrap_or(0),
        jobs: arguments.seed.map(|_| 1).or(arguments.jobs),
        block_order: arguments.block_order.map(|order| match order {
            Order::Natural => BlockOrder::Natural,
            Order::Reverse => BlockOrder::Reverse,
            Order::Random => BlockOrder::Random,
        }),
        timeout: arguments.timeout.or(config.timeout),
        output: if arguments.outputs.take_standard_output() {
            Output::ToStandardError
        } else {
            Output::Inherited
        },
        control,
    }
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
