//! `hirace instrument`: writes an instrumented copy, or prints its coverage.

use std::path::Path;

use crate::cli::TextFormat;
use crate::cli::instrument::Instrument;
use crate::exit::Exit;
use hirace_config::Config;
use hirace_instrument::rewrite::{DeviceLinkage, Skip};
use hirace_instrument::tree::Collector;
use hirace_instrument::{Bases, Plan, output, walk};
use hirace_model::error::Result;
use hirace_model::table::Tables;
use hirace_report::{coverage, human};
use hirace_terminal::{print, tell};
use hirace_toolchain::Arguments;

mod summary;

/// Writes the copy, or prints the share of accesses that is monitored.
pub(super) fn run(arguments: &Instrument) -> Result<Exit> {
    let first = arguments.paths.first().map_or(Path::new("."), |path| path);
    let mut config = Config::load(arguments.config.as_deref(), first)?;
    if arguments.check_all {
        config.skip = Skip::NOTHING;
    }
    let compiler = Arguments::parse(&arguments.cc_arg);
    let mut collector = Collector::new(&compiler);
    if !arguments.coverage && arguments.show.is_none() {
        output::check(&arguments.output, arguments.force)?;
    }
    for path in &arguments.paths {
        if path.is_dir() {
            walk::directory(&mut collector, path)?;
        } else {
            collector.named(path)?;
        }
    }
    let tree = collector.finish()?;
    let plan = Plan {
        backend: arguments.backend.into(),
        selection: &config.monitor,
        arguments: &compiler,
        mark_copies: false,
        bases: Bases::Tree,
        linkage: DeviceLinkage::Unknown,
        skip: config.skip,
        describe: arguments.show.is_some(),
    };
    if arguments.coverage {
        let program = hirace_instrument::survey(&tree, plan)?;
        tell_of_patterns(&config, &program);
        return show_coverage(&program.tables, arguments.format);
    }
    if arguments.show.is_some() {
        return show_functions(&hirace_instrument::survey(&tree, plan)?);
    }
    output::check_inputs(&arguments.output, &tree)?;
    // A part of a project may have no device code; a file that is named is expected to have some.
    let program = match arguments.paths.iter().all(|path| path.is_dir()) {
        true => hirace_instrument::survey(&tree, plan)?,
        false => hirace_instrument::tree(&tree, plan)?,
    };
    tell_of_patterns(&config, &program);
    output::write(&arguments.output, &program)?;
    let directory = &arguments.output;
    tell(&summary::of(&program, directory, plan.backend, &compiler));
    let macros = config.macros(plan.backend);
    if !macros.is_empty() {
        let macros = macros.join(" ");
        tell(&format!("  compile all files with {macros}\n"));
    }
    Ok(Exit::Clean)
}

/// Warns of patterns in the configuration that match nothing.
fn tell_of_patterns(config: &Config, program: &hirace_instrument::Instrumented) {
    for warning in config.unmatched(&program.kernels) {
        tell(&format!("hirace: warning: {}\n", human::warned(&warning)));
    }
}

fn show_functions(program: &hirace_instrument::Instrumented) -> Result<Exit> {
    for (file, functions) in &program.described {
        print(&format!("{file}\n\n{}\n", functions.join("\n")))?;
    }
    if program.described.is_empty() {
        tell("hirace: no function runs on the device\n");
        return Ok(Exit::CouldNotCheck);
    }
    Ok(Exit::Clean)
}

fn show_coverage(tables: &Tables, format: TextFormat) -> Result<Exit> {
    print(&match format {
        TextFormat::Human => coverage::human(tables),
        TextFormat::Json => coverage::json(tables),
    })?;
    if tables.coverage().monitored == 0 {
        tell("hirace: nothing monitored: no access in device code is checked\n");
        return Ok(Exit::CouldNotCheck);
    }
    Ok(Exit::Clean)
}
