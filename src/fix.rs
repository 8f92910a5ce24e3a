//! `hirace fix`: repairs of races that can be made by rule, each of them tried.
//!
//! A race suggests a few edits: a barrier between its accesses or around the loop that they
//! share, an atomic in place of a plain access, a wider scope. Each is made in a copy, which
//! is built and run under all schedules that were asked for; one that rids the program of the
//! race, and brings nothing new, is kept, and the next race is looked at. What is offered in
//! the end is a program that ran without a race or fault: threads that came to different
//! barriers would have been one. Edits that turn out not to be needed are taken back.
//!
//! ```no_run
//! use hirace::fix::{self, Outcome};
//! # use hirace::{error::Result, instrument::tree::Tree, report::Report};
//! # fn example(tree: Tree, run: fn(&Tree) -> Result<Report>) -> Result<()> {
//! match fix::find(&tree, &[], &mut |_| {}, &run)? {
//!     Outcome::Clean(report) => println!("{:?}", report.status),
//!     Outcome::Fixed(fixed) => println!("{} edits", fixed.repairs.len()),
//!     Outcome::NotFixed(report) => println!("{} races stay", report.races.len()),
//! }
//! # Ok(())
//! # }
//! ```

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::instrument::tree::{Content, Tree};
use crate::parse::Defines;
use crate::report::{Access, Certainty, Race, Report};
use crate::rewrite::{Facts, Source};

mod atomics;
mod barriers;
mod edit;
mod syntax;

use edit::{Edit, EditSet};
use syntax::Syntax;

/// Races that are repaired one after the other.
const MOST_REPAIRS: usize = 8;

/// What came of the search.
#[derive(Debug)]
pub enum Outcome {
    /// There is no definite race; faults and failures there may be.
    Clean(Box<Report>),
    /// Races, and edits that rid the program of them all.
    Fixed(Box<Fixed>),
    /// Races, of which some stay whatever was tried.
    NotFixed(Box<Report>),
}

/// A repaired program.
#[derive(Debug)]
pub struct Fixed {
    /// What was found in the program as it is.
    pub before: Report,
    /// What was found in the repaired one.
    pub after: Report,
    /// What was done, in the order of the races.
    pub repairs: Vec<Repair>,
    /// The files that change.
    pub files: Vec<ChangedFile>,
}

/// What was done about one race.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The race's code, such as `HR001`.
    pub code: String,
    /// Its variable.
    pub variable: String,
    /// Its kernel.
    pub kernel: String,
    /// What was done, as a fragment in Markdown. Lines are those of the program with the
    /// repairs before this one.
    pub what: String,
}

/// A file before and after.
#[derive(Debug)]
pub struct ChangedFile {
    /// As the user named it.
    pub display: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its text.
    pub before: String,
    /// The repaired text.
    pub after: String,
}

/// What might help, and its edits in the text at hand.
struct Candidate {
    what: String,
    edits: Vec<Edit>,
}

/// The program's files with the edits made so far.
struct Sources<'a>(Vec<Syntax<'a>>);

impl<'a> Sources<'a> {
    fn all(&self) -> impl Iterator<Item = &Syntax<'a>> {
        self.0.iter()
    }

    /// The file of an access.
    fn of(&self, access: &Access) -> Option<&Syntax<'a>> {
        let file = access.position.file.as_deref()?;
        self.all().find(|it| it.file == file)
    }
}

/// A change of the program that makes it better.
struct Step {
    repair: Repair,
    /// With those before it.
    edits: EditSet,
    /// What is found after it.
    after: Report,
}

/// Looks for edits of `original` after which `check` finds no race. `arguments` are the
/// compiler's; `tell` is told what is tried next.
///
/// # Errors
/// Those of `check` for the program as it is, and the user's interruption.
pub fn find(
    original: &Tree,
    arguments: &[String],
    tell: &mut dyn FnMut(&str),
    check: &dyn Fn(&Tree) -> Result<Report>,
) -> Result<Outcome> {
    let mut search = Search {
        original,
        defines: Defines::from_arguments(arguments),
        tell,
        check,
    };
    (search.tell)("the program as it is");
    let before = check(original)?;
    if definite(&before).count() == 0 {
        return Ok(Outcome::Clean(Box::new(before)));
    }
    let mut repairs: Vec<Option<Repair>> = Vec::new();
    let mut edits = EditSet::default();
    let mut after = before.clone();
    while definite(&after).count() != 0 && repairs.len() < MOST_REPAIRS {
        let Some(step) = search.repair(repairs.len(), &edits, &after)? else {
            return Ok(Outcome::NotFixed(Box::new(before)));
        };
        repairs.push(Some(step.repair));
        edits = step.edits;
        after = step.after;
    }
    if !is_clean(&after) {
        return Ok(Outcome::NotFixed(Box::new(before)));
    }
    // A later repair may have made an earlier one needless; the last one was not.
    for step in 0..repairs.len() - 1 {
        let fewer = edits.without(step);
        (search.tell)("fewer edits");
        let report = (search.check)(&search.edited(&fewer))?;
        if is_clean(&report) {
            (edits, after) = (fewer, report);
            repairs[step] = None;
        }
    }
    Ok(Outcome::Fixed(Box::new(Fixed {
        files: search.changed(&edits),
        repairs: repairs.into_iter().flatten().collect(),
        before,
        after,
    })))
}

struct Search<'a> {
    original: &'a Tree,
    defines: Defines,
    tell: &'a mut dyn FnMut(&str),
    check: &'a dyn Fn(&Tree) -> Result<Report>,
}

impl Search<'_> {
    /// A step that makes the program better: the first one after which nothing is left, or
    /// else the one that leaves least.
    fn repair(&mut self, number: usize, edits: &EditSet, report: &Report) -> Result<Option<Step>> {
        let tree = self.edited(edits);
        let files: Vec<Source<'_>> = tree
            .sources()
            .map(|(file, text)| Source {
                path: &file.display,
                text,
            })
            .collect();
        let facts = Facts::collect(&files, &self.defines);
        let sources = Sources(
            files
                .iter()
                .map(|it| Syntax::of(it.path, it.text, &self.defines, &facts))
                .collect(),
        );
        for race in definite(report) {
            let mut best: Option<Step> = None;
            for candidate in candidates(race, &sources) {
                let Some(all) = edits.with(number, &candidate.edits) else {
                    continue;
                };
                (self.tell)(&candidate.what);
                let after = match (self.check)(&self.edited(&all)) {
                    Ok(after) => after,
                    // Not every type has every atomic.
                    Err(Error::Compile { .. }) => continue,
                    Err(error) => return Err(error),
                };
                if !improves(report, &after, race) {
                    continue;
                }
                let left = definite(&after).count();
                let least = best.as_ref().map(|it| definite(&it.after).count());
                if least.is_none_or(|least| left < least) {
                    best = Some(Step {
                        repair: Repair {
                            code: race.code.to_string(),
                            variable: race.variable.clone(),
                            kernel: race.kernel.clone(),
                            what: candidate.what,
                        },
                        edits: all,
                        after,
                    });
                }
                if left == 0 {
                    break;
                }
            }
            if best.is_some() {
                return Ok(best);
            }
        }
        Ok(None)
    }

    fn edited(&self, edits: &EditSet) -> Tree {
        let mut tree = self.original.clone();
        for file in &mut tree.files {
            if let Content::Source(text) = &mut file.content {
                *text = edits.apply(&file.display, text);
            }
        }
        tree
    }

    fn changed(&self, edits: &EditSet) -> Vec<ChangedFile> {
        self.original
            .sources()
            .map(|(file, before)| ChangedFile {
                display: file.display.clone(),
                path: file.path.clone(),
                before: before.to_owned(),
                after: edits.apply(&file.display, before),
            })
            .filter(|it| it.before != it.after)
            .collect()
    }
}

/// What may rid the program of a race, the likelier first.
fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Candidate> {
    let atomics = atomics::candidates(race, sources);
    let barriers = barriers::candidates(race, sources);
    let [a, b] = &race.accesses;
    // What changes a location without looking what others do with it is rarely a matter of
    // order.
    let same_place = a.position.range == b.position.range && a.position.file == b.position.file;
    let (first, second) = match race.code.as_ref() {
        "HR001" | "HR002" if !same_place => (barriers, atomics),
        _ => (atomics, barriers),
    };
    first.into_iter().chain(second).collect()
}

fn definite(report: &Report) -> impl Iterator<Item = &Race> {
    report
        .races
        .iter()
        .filter(|it| it.certainty == Certainty::Definite)
}

/// Whether a race is gone, and nothing came for it.
fn improves(before: &Report, after: &Report, race: &Race) -> bool {
    let gone = after
        .races
        .iter()
        .all(|it| it.fingerprint != race.fingerprint);
    let same_failure = match (&before.failure, &after.failure) {
        (_, None) => true,
        (Some(before), Some(after)) => before.kind == after.kind,
        (None, Some(_)) => false,
    };
    let no_new_fault = after
        .faults
        .iter()
        .all(|fault| before.faults.iter().any(|it| it.code == fault.code));
    let possible = |report: &Report| report.summary.possible;
    gone && same_failure
        && no_new_fault
        && possible(after) <= possible(before)
        && definite(after).count() <= definite(before).count()
}

/// Whether a program ran to its end with nothing to report but what hirace cannot judge.
fn is_clean(report: &Report) -> bool {
    definite(report).count() == 0 && report.faults.is_empty() && report.failure.is_none()
}
