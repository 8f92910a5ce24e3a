//! `hirace fix`: tries repairs, and prints or applies those that work.

use std::path::Path;

use similar::TextDiff;

use super::target::Target;
use crate::cli::fix::Fix;
use crate::exit::Exit;
use hirace_check::RunOptions;
use hirace_config::Config;
use hirace_fix::{ChangedFile, Fixed, Outcome, Project, Settings};
use hirace_model::error::{Error, Result};
use hirace_model::source_text;
use hirace_report::Report;
use hirace_terminal::progress;
use hirace_terminal::{print, tell};
use hirace_toolchain::Arguments;
use hirace_toolchain::Output;

/// Most versions of the program run only briefly, so optimising them costs more time than it saves.
/// The user's own arguments come later and override these.
const QUICK: [&str; 2] = ["-O1", "-g0"];

pub(super) fn run(arguments: &Fix) -> Result<Exit> {
    let project = match (arguments.files.as_slice(), arguments.args.split_first()) {
        ([], Some((program, _))) => Some(copied(Path::new(program))?),
        _ => None,
    };
    let start = match &project {
        Some(project) => project.sources(),
        None => arguments.files.first().map_or(Path::new("."), |file| file),
    };
    let mut config = Config::load(arguments.config.as_deref(), start)?;
    config.cache.enabled &= !arguments.no_cache;
    let tree = match &project {
        Some(project) => project.tree()?,
        None => hirace_instrument::collect(&arguments.files, &Arguments::parse(&arguments.cc_arg))?,
    };
    let compiler_arguments = [QUICK.map(str::to_owned).to_vec(), arguments.cc_arg.clone()].concat();
    let settings = Settings {
        project: project.as_ref(),
        compiler_arguments: &compiler_arguments,
        config: &config,
        run: RunOptions {
            // The first one is the program.
            arguments: &arguments.args[usize::from(project.is_some())..],
            jobs: Some(1),
            timeout: Some(arguments.timeout),
            // The versions under test are not the user's program, so nobody needs their output.
            output: Output::Discarded,
            ..RunOptions::default()
        },
        schedules: arguments.explore,
    };
    let bar = progress::spinner("{spinner} trying {wide_msg}");
    let outcome = hirace_fix::find(&tree, &settings, &mut |next| {
        bar.set_message(next.replace('`', ""));
    });
    bar.finish_and_clear();
    match outcome? {
        Outcome::Clean(report) => {
            tell(&not_needed(&report));
            Ok(Exit::of(&report, false))
        }
        Outcome::NotFixed { report, tried } => {
            let count = report.summary.races - report.summary.possible;
            let (one, all) = match count {
                1 => ("it", "it"),
                _ => ("one of them", "them"),
            };
            let result = match tried {
                true => format!("none of the changes tried removes {one}"),
                false => {
                    "no change was tried: none that hirace knows applies here, and code in `#if` \
                          branches is often left as it is"
                        .to_owned()
                }
            };
            tell(&format!(
                "hirace: {}; {result}\n\
                 hirace: `hirace check` shows {all}, and `hirace explain CODE` suggests repairs\n",
                races(count)
            ));
            Ok(Exit::Races)
        }
        Outcome::Fixed(fixed) | Outcome::PartlyFixed(fixed) => deliver(arguments, &fixed),
    }
}

/// A copy of the project that built a program.
fn copied(program: &Path) -> Result<Project> {
    let bar = progress::spinner("{spinner} configuring a copy of the project, {elapsed}");
    let project = Project::copy_of(program);
    bar.finish_and_clear();
    project
}

fn not_needed(report: &Report) -> String {
    match &report.failure {
        Some(failure) => format!("hirace: could not check: {}\n", failure.message),
        None if report.faults.is_empty() => "hirace: no race found: nothing to repair\n".to_owned(),
        None => "hirace: no race, but faults: `hirace check` shows them\n".to_owned(),
    }
}

fn deliver(arguments: &Fix, fixed: &Fixed) -> Result<Exit> {
    for repair in &fixed.repairs {
        tell(&format!(
            "hirace: {} on `{}` in kernel `{}`: {}\n",
            repair.code, repair.variable, repair.kernel, repair.what
        ));
    }
    let verified = verified(arguments, fixed);
    if !arguments.apply {
        let diffs: String = fixed.files.iter().map(diff).collect();
        print(&source_text::encode(&diffs))?;
        tell(&format!(
            "hirace: {verified}; `--apply` changes the files\n"
        ));
        return Ok(Exit::Races);
    }
    for file in &fixed.files {
        refuse_if_changed(file)?;
    }
    // Open all files before writing the first, so that either all or none are changed.
    let targets: Result<Vec<_>> = fixed
        .files
        .iter()
        .map(|it| Target::open(&it.path))
        .collect();
    for (target, file) in targets?.into_iter().zip(&fixed.files) {
        target.write(source_text::encode(&file.after))?;
        tell(&format!("hirace: changed {}\n", file.display));
    }
    tell(&format!("hirace: {verified}\n"));
    Ok(Exit::of(&fixed.after, false))
}

/// What the edits do, as a fragment.
fn verified(arguments: &Fix, fixed: &Fixed) -> String {
    let definite = |report: &Report| report.summary.races - report.summary.possible;
    let before = definite(&fixed.before);
    let (left, faults) = (definite(&fixed.after), fixed.after.faults.len());
    let schedules = match arguments.explore {
        1 => "1 schedule".to_owned(),
        count => format!("{count} schedules"),
    };
    if (left, faults) == (0, 0) {
        return format!(
            "verified: {} removed, and the repaired program ran clean under {schedules}",
            races(before)
        );
    }
    // Removing a race may show others at the same locations.
    let new = left - (before - fixed.removed);
    let also = match (left, faults) {
        (0, 1) => "; 1 fault is left".to_owned(),
        (0, _) => format!("; {faults} faults are left"),
        (_, _) if new > 0 => format!("; {} are left, {new} of which it hid", races(left)),
        _ => String::new(),
    };
    format!(
        "partial repair, verified under {schedules}: removes {} of {}{also}",
        fixed.removed,
        races(before)
    )
}

/// The search takes a while, during which the user may have saved the file.
fn refuse_if_changed(file: &ChangedFile) -> Result<()> {
    let now = std::fs::read(&file.path).map_err(|source| Error::read(&file.path, source))?;
    if source_text::encode(&file.before) == now {
        return Ok(());
    }
    Err(Error::Input {
        message: format!("`{}` changed during the search for repairs", file.display),
        help: Some("no file was written; run `hirace fix` again".to_owned()),
    })
}

fn diff(file: &ChangedFile) -> String {
    // The form that `git apply` expects.
    let name = file.display.trim_start_matches("./");
    TextDiff::from_lines(file.before.as_str(), file.after.as_str())
        .unified_diff()
        .header(&format!("a/{name}"), &format!("b/{name}"))
        .to_string()
}

fn races(count: usize) -> String {
    match count {
        1 => "1 race".to_owned(),
        _ => format!("{count} races"),
    }
}
