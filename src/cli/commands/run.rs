//! `hirace run`, and what `hirace check` does in the same way.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Mutex;

use super::baseline::Baseline;
use super::deliver::{Content, Delivery};
use crate::cli::run::{EngineChoice, Order, Run, RunAndReport, Seeds};
use crate::exit::Exit;
use hirace_check::{BlockOrder, Checked, RunOptions};
use hirace_config::options::{Options, ProgramOptions};
use hirace_config::{Config, Engine};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::Texts;
use hirace_report::human::complain;
use hirace_report::{Failure, Report, Suppressions};
use hirace_toolchain::Output;

pub(super) fn run(arguments: &Run) -> Result<Exit> {
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
pub(super) fn scheduled(
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
pub(super) fn run_and_report(
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
    let mut config = Config::load(arguments.config.as_deref(), start);
    if let (Ok(config), Some(engine)) = (&mut config, arguments.engine) {
        config.semantics.engine = match engine {
            EngineChoice::Auto => Engine::Auto,
            EngineChoice::Machine => Engine::Machine,
            EngineChoice::Clocks => Engine::Clocks,
        };
    }
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

pub(super) fn options<'a>(
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
