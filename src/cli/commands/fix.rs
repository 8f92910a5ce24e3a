//! `hirace fix`: tries repairs, and prints or applies those that work.

use std::path::Path;

use similar::{ChangeTag, TextDiff};

use super::target::Target;
use crate::cli::fix::Fix;
use crate::exit::Exit;
use hirace_check::RunOptions;
use hirace_config::Config;
use hirace_fix::{ChangedFile, Fixed, Outcome, Project, Settings};
use hirace_instrument::tree::Tree;
use hirace_model::error::{Error, Result};
use hirace_model::source_text;
use hirace_report::{Certainty, Fault, Position, Race, Report, Severity, human};
use hirace_terminal::progress;
use hirace_terminal::{print, tell};
use hirace_toolchain::Arguments;
use hirace_toolchain::Output;

/// Most versions of the program run only briefly, so optimising them costs more time than it saves.
/// The user's own arguments come later and override these.
const QUICK: [&str; 2] = ["-O1", "-g0"];

/// The maximum number of races to list that a partial repair leaves.
const MAX_LEFT: usize = 12;

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
            let fault = report.faults.iter().find(|it| it.ended);
            let result = match (fault, tried) {
                (Some(fault), _) => format!(
                    "the run ends with a fault ({}), behind which no change can be verified: repair that first",
                    fault.code
                ),
                (None, true) => format!("none of the changes tried removes {one}"),
                (None, false) => {
                    let branches = match has_branches(&tree) {
                        true => ", and code in `#if` branches is often left as it is",
                        false => "",
                    };
                    format!("no change was tried: none that hirace knows applies here{branches}")
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

/// Whether the user's files have conditional code besides what guards a header.
fn has_branches(tree: &Tree) -> bool {
    let mut lines = tree.sources().flat_map(|(_, text)| text.lines());
    lines.any(|line| {
        let directive = line.trim_start().strip_prefix('#').unwrap_or("");
        let directive = directive.trim_start();
        directive.starts_with("if") && !directive.starts_with("ifndef")
    })
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
        None => {
            let is_error = |it: &Fault| it.severity == Severity::Error;
            let what = match report.faults.iter().any(is_error) {
                true => "faults",
                false => "warnings",
            };
            format!("hirace: no race, but {what}: `hirace check` shows them\n")
        }
    }
}

/// The memory of a race; that which a copy, the host or the result of a function accesses may have no name.
fn on(memory: Option<&String>) -> String {
    memory.map_or_else(String::new, |it| format!(" on {it}"))
}

fn deliver(arguments: &Fix, fixed: &Fixed) -> Result<Exit> {
    for repair in &fixed.repairs {
        tell(&format!(
            "hirace: {}{} in kernel `{}`: {}\n",
            repair.code,
            on(repair.variable.as_ref()),
            repair.kernel,
            repair.what
        ));
    }
    let verified = verified(arguments, fixed);
    if !arguments.apply {
        print(&source_text::encode(&diffs(&fixed.files)))?;
        tell(&format!(
            "hirace: {verified}; `--apply` changes the files\n"
        ));
        tell_left(fixed);
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
        let lines = new_lines(file);
        tell(&format!("hirace: changed {}{lines}\n", file.display));
    }
    tell(&format!("hirace: {verified}\n"));
    tell_left(fixed);
    Ok(Exit::of(&fixed.after, false))
}

/// What the edits do, as a fragment.
fn verified(arguments: &Fix, fixed: &Fixed) -> String {
    let before = definite(&fixed.before).count();
    let left = definite(&fixed.after).count();
    let schedules = match arguments.explore {
        1 => "1 schedule".to_owned(),
        count => format!("{count} schedules"),
    };
    let faults = fixed.after.faults.len();
    if (left, faults) == (0, 0) {
        let status = fixed.after.failure.as_ref().map(|it| {
            let ended = it.message.trim_start_matches("the program ");
            format!("; it {ended}, as before")
        });
        return format!(
            "verified: {} removed, and the repaired program ran clean under {schedules}{}",
            races(before),
            status.unwrap_or_default()
        );
    }
    let removed = match (fixed.removed, before) {
        (removed, all) if removed < all => format!("removes {removed} of {}", races(all)),
        (_, 1) => "removes the race".to_owned(),
        (_, all) => format!("removes all {}", races(all)),
    };
    // Which races are left follows in lines of their own.
    let hidden = match fixed.revealed {
        0 => String::new(),
        1 => ", and shows 1 that was hidden".to_owned(),
        count => format!(", and shows {count} that were hidden"),
    };
    let all = fixed.after.faults.iter();
    let warnings = all.filter(|it| it.severity == Severity::Warning).count();
    let left = [
        count(left, "race"),
        count(faults - warnings, "fault"),
        count(warnings, "warning"),
    ];
    let left: Vec<_> = left.into_iter().flatten().collect();
    let is = match left.as_slice() {
        [one] if one.starts_with("1 ") => "is",
        _ => "are",
    };
    format!(
        "partial repair, verified under {schedules}: {removed}{hidden}; {} {is} left",
        left.join(" and ")
    )
}

/// A number of findings, if there are any.
fn count(number: usize, noun: &str) -> Option<String> {
    (number > 0).then(|| human::count(number as u64, noun))
}

/// Lists what a partial repair leaves. The lines are those before the edits.
fn tell_left(fixed: &Fixed) {
    let at = |positions: &[&Position]| {
        let place = |it: &&Position| Some(format!("{}:{}", it.file.as_deref()?, it.line?));
        let mut places: Vec<_> = positions.iter().filter_map(place).collect();
        places.sort();
        places.dedup();
        match places.is_empty() {
            true => String::new(),
            false => format!(", at {}", places.join(" and ")),
        }
    };
    let all: Vec<_> = definite(&fixed.after).collect();
    for race in all.iter().take(MAX_LEFT) {
        let [one, other] = race.accesses.each_ref().map(|it| &it.position);
        // A copy is in no kernel.
        let variable = on(race.memory().as_ref());
        let kernel = match race.kernel.as_str() {
            "(copy)" => String::new(),
            name => format!(" in kernel `{name}`"),
        };
        let place = at(&[one, other]);
        tell(&format!(
            "hirace: left: {}{variable}{kernel}{place}\n",
            race.code
        ));
    }
    if let Some(more) = all.len().checked_sub(MAX_LEFT).filter(|it| *it > 0) {
        tell(&format!("hirace: left: {} more\n", races(more)));
    }
    for fault in &fixed.after.faults {
        let place = at(&[&fault.position]);
        tell(&format!(
            "hirace: left: {}, {}{place}\n",
            fault.code, fault.title
        ));
    }
}

fn definite(report: &Report) -> impl Iterator<Item = &Race> {
    let all = report.races.iter();
    all.filter(|it| it.certainty == Certainty::Definite)
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

/// The changes as diffs. `git apply` and `patch -p1` expect names like `a/kernel.cu`; they take no files outside
/// the current directory, so with such files the names are absolute, for `patch -p0 -d /`.
fn diffs(files: &[ChangedFile]) -> String {
    let here = hirace_check::here();
    let inside = |file: &ChangedFile| {
        let name = file.path.strip_prefix(here.as_ref()?).ok()?;
        Some(name.display().to_string())
    };
    let relative: Option<Vec<_>> = files.iter().map(inside).collect();
    let absolute = |file: &ChangedFile| file.path.display().to_string();
    let names: Vec<[String; 2]> = match relative {
        Some(names) => names
            .iter()
            .map(|it| [format!("a/{it}"), format!("b/{it}")])
            .collect(),
        None => files
            .iter()
            .map(|it| [absolute(it), absolute(it)])
            .collect(),
    };
    let diff = |(file, [old, new]): (&ChangedFile, &[String; 2])| {
        TextDiff::from_lines(file.before.as_str(), file.after.as_str())
            .unified_diff()
            .header(old, new)
            .to_string()
    };
    files.iter().zip(&names).map(diff).collect()
}

/// Which lines of a changed file are new, as the end of a sentence: `: lines 5-6 and 9 are new`.
fn new_lines(file: &ChangedFile) -> String {
    let diff = TextDiff::from_lines(file.before.as_str(), file.after.as_str());
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let inserted = diff
        .iter_all_changes()
        .filter(|it| it.tag() == ChangeTag::Insert);
    for line in inserted.filter_map(|it| Some(it.new_index()? + 1)) {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == line => *end = line,
            _ => runs.push((line, line)),
        }
    }
    let named = |&(begin, end): &(usize, usize)| match begin == end {
        true => begin.to_string(),
        false => format!("{begin}-{end}"),
    };
    let names: Vec<_> = runs.iter().map(named).collect();
    match (names.as_slice(), runs.as_slice()) {
        ([], _) => String::new(),
        ([only], [(begin, end)]) if begin == end => format!(": line {only} is new"),
        ([only], _) => format!(": lines {only} are new"),
        ([all @ .., last], _) => format!(": lines {} and {last} are new", all.join(", ")),
    }
}

fn races(number: usize) -> String {
    human::count(number as u64, "race")
}
