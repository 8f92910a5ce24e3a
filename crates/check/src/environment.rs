//! The environment variables by which a run is controlled (`device/hirace/executor/environment.h`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hirace_config::Config;
use hirace_config::options;

use super::{BlockOrder, RunOptions, batch};

/// The environment variable that enables edits on trial (`device/hirace/executor/repair_trial.h`).
pub(super) const TRIAL_VARIABLE: &str = "HIRACE_TRIAL";

/// The environment variables that choose the engine, and the kernels that it follows.
pub(super) const ENGINE_VARIABLE: &str = "HIRACE_ENGINE";
pub(super) const JUDGED_VARIABLE: &str = "HIRACE_JUDGED";

/// The environment variable by which reads of memory that a launch seems only to read are checked.
pub(super) const READ_ONLY_VARIABLE: &str = "HIRACE_READ_ONLY";

/// The variables that each run sets or removes.
const CHOSEN: [&str; 4] = [
    TRIAL_VARIABLE,
    batch::VARIABLE,
    JUDGED_VARIABLE,
    READ_ONLY_VARIABLE,
];

/// The environment variable that names the command for programs that need it.
const COMMAND_VARIABLE: &str = "HIRACE_COMMAND";

/// This process's executable, if it is the command, and the user has named no other.
fn own_command() -> Option<PathBuf> {
    if std::env::var_os(COMMAND_VARIABLE).is_some_and(|it| !it.is_empty()) {
        return None;
    }
    let own = std::env::current_exe().ok()?;
    (own.file_stem()? == "hirace").then_some(own)
}

/// The variables of a run, with those that `chosen` names.
pub(super) fn of(
    records: &Path,
    config: &Config,
    options: &RunOptions<'_>,
    chosen: &[(&'static str, &str)],
) -> Vec<(&'static str, Option<OsString>)> {
    let widths = config.shadow.widths.map(|bits| bits.to_string()).join(",");
    let order = options.block_order.map(BlockOrder::name);
    let jobs = options.jobs.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
    });
    let control = Some(options.control.text()).filter(|it| !it.is_empty());
    let mut variables = vec![
        (options::VARIABLE, control.map(Into::into)),
        ("HIRACE_RECORDS", Some(records.into())),
        ("HIRACE_SEED", Some(options.seed.to_string().into())),
        ("HIRACE_JOBS", Some(jobs.to_string().into())),
        ("HIRACE_BLOCK_ORDER", order.map(Into::into)),
        (
            "HIRACE_DEPTH",
            Some(config.explore.depth.to_string().into()),
        ),
        ("HIRACE_WIDTHS", Some(widths.into())),
        ("HIRACE_SHADOW", Some(config.shadow.memory.name().into())),
    ];
    // For modules that the program loads (`device/hirace/libraries/driver/loader.h`).
    let absolute = |it: &PathBuf| std::path::absolute(it).ok();
    if let Some(origin) = config.origin.as_ref().and_then(absolute) {
        variables.push(("HIRACE_CONFIG", Some(origin.into())));
    }
    if let Some(command) = own_command() {
        variables.push((COMMAND_VARIABLE, Some(command.into())));
    }
    let semantics = config.semantics.variables();
    variables.extend(semantics.map(|(name, value)| (name, Some(value.into()))));
    let engine = chosen.iter().find(|(name, _)| *name == ENGINE_VARIABLE);
    variables.extend(engine.map(|(name, value)| (*name, Some((*value).into()))));
    // Remove variables that we may have inherited.
    for name in CHOSEN {
        let value = chosen.iter().find(|(chosen, _)| *chosen == name);
        let value = value.map(|(_, value)| *value).filter(|it| !it.is_empty());
        variables.push((name, value.map(Into::into)));
    }
    variables
}
