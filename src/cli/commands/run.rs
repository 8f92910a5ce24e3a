//! `hirace run`, and the part that `hirace check` shares with it.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Mutex;

use super::baseline::Baseline;
use super::deliver::{Content, Delivery};
use crate::cli::run::{EngineChoice, Order, Run, RunAndReport};
use crate::exit::Exit;
use hirace_check::{BlockOrder, Checked, RunOptions};
use hirace_config::options::{Options, ProgramOptions};
use hirace_config::{Config, Engine};
use hirace_fix::Project;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::table::Texts;
use hirace_report::human::complain;
use hirace_report::{Failure, Report, Suppressions};
use hirace_toolchain::{Output, quoted};

pub(super) fn run(arguments: &Run) -> Result<Exit> {
    // The parser requires one.
    let Some((program, rest)) = arguments.program.split_first() else {
        return Ok(Exit::CouldNotCheck);
    };
    run_and_report(&arguments.run, None, Path::new("."), |config, control| {
        let options = options(&arguments.run, rest, config, control);
        let texts = Mutex::new(Texts::default());
        let mut report = scheduled(&arguments.run, config, &options, |options| {
            let checked = hirace_check::run_program(program, config, options)?;
            let mut texts = texts.lock().expect("no worker panics");
            texts.extend(checked.texts);
            Ok(checked.report)
        })?;
        let texts = texts.into_inner().expect("no worker panics");
        hirace_fix::complete_help(&mut report, &texts, None);
        report.repair = Some(repair(&arguments.program));
        Ok(Checked { report, texts })
    })
}

/// The command that looks for repairs of a program that was built beforehand; empty if there is none.
fn repair(program: &[OsString]) -> String {
    let Some((first, _)) = program.split_first() else {
        return String::new();
    };
    if !Project::builds(Path::new(first)) {
        return String::new();
    }
    let words = program.iter().map(|it| quoted(&it.to_string_lossy()));
    format!("hirace fix -- {}", words.collect::<Vec<_>>().join(" "))
}

/// Runs the schedules that the arguments and the configuration select.
pub(super) fn scheduled(
    arguments: &RunAndReport,
    config: &Config,
    options: &RunOptions<'_>,
    run: impl Fn(&RunOptions<'_>) -> Result<Report> + Sync,
) -> Result<Report> {
    let schedules = arguments.schedules();
    let mut report = schedules.run(config, arguments.jobs, options, run)?;
    let several = report.seeds.len() > 1;
    if let (Some(depth), true, false) = (arguments.explore_depth, several, report.races.is_empty())
    {
        report.notes.push(format!(
            "`--seed` repeats a schedule of these if `--explore-depth {depth}` is added"
        ));
    }
    Ok(report)
}

/// Runs the program and writes the reports. Looks for the configuration in `start` and its parents.
pub(super) fn run_and_report(
    arguments: &RunAndReport,
    backend: Option<Backend>,
    start: &Path,
    checked: impl Fn(&Config, &ProgramOptions) -> Result<Checked>,
) -> Result<Exit> {
    // Make sure that the report can be written before doing anything that takes time.
    let mut options = arguments.control.over(Options::of_environment()?);
    let outputs = match &options.log_path {
        Some(file) => arguments.outputs.with_log(file).ok_or_else(two_logs)?,
        None => arguments.outputs.clone(),
    };
    let delivery = Delivery::open(&outputs)?;
    let baseline = Baseline::open(&arguments.known)?;
    let mut config = Config::load(arguments.config.as_deref(), start);
    if let Ok(config) = &mut config {
        override_by(arguments, config);
        if options.program.sample.is_empty() {
            options.program.sample.extend(config.sample.clone());
        }
    }
    let limit = match (options.print_limit, &config) {
        (None, Ok(config)) => config.limit,
        (Some(0), _) => None,
        (limit, _) => limit,
    };
    let checked = config.and_then(|config| {
        config.validate()?;
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
            let report = Report::failed(
                backend,
                arguments.schedules().first(),
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

/// Arguments override the configuration.
fn override_by(arguments: &RunAndReport, config: &mut Config) {
    if let Some(engine) = arguments.engine {
        config.semantics.engine = match engine {
            EngineChoice::Auto => Engine::Auto,
            EngineChoice::Machine => Engine::Machine,
            EngineChoice::Order => Engine::Order,
        };
    }
    if let Some(depth) = arguments.explore_depth {
        config.explore.depth = depth;
    }
    config.semantics.predict |= arguments.predict;
    config.semantics.init_check |= arguments.init_check;
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
    let schedules = arguments.schedules();
    RunOptions {
        arguments: program,
        seed: schedules.first(),
        jobs: schedules.jobs(arguments.jobs),
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
