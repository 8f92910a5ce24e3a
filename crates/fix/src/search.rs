//! The search for edits that remove all races.

use std::collections::HashSet;

use hirace_check::Program;
use hirace_instrument::rewrite::{Facts, Source};
use hirace_instrument::tree::{Role, Tree};
use hirace_model::error::{Error, Result};
use hirace_report::{Certainty, Race, Report};
use hirace_syntax::Defines;

use super::candidates::{self, Candidate};
use super::edit::EditSet;
use super::syntax::{Sources, Syntax};
use super::trial::{Batch, Reports, Settings, edited};
use super::{ChangedFile, Fixed, Outcome, Repair};

/// The maximum number of repairs of a program.
const MAX_REPAIRS: usize = 16;

pub(super) fn run(
    original: &Tree,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Outcome> {
    let mut search = Search {
        original,
        settings,
        tell,
    };
    (search.tell)("the original program");
    let before = search.checked(&EditSet::default())?.all;
    if definite(&before).count() == 0 {
        return Ok(Outcome::Clean(Box::new(before)));
    }
    let mut repairs = Vec::new();
    let mut edits = EditSet::default();
    let mut after = before.clone();
    // The number of the last step's first repair.
    let mut last = 0;
    while definite(&after).count() != 0 && repairs.len() < MAX_REPAIRS {
        let Some(step) = search.step(repairs.len(), &edits, &after)? else {
            break;
        };
        last = repairs.len();
        repairs.extend(step.repairs.into_iter().map(Some));
        edits = step.edits;
        after = step.after;
    }
    if !is_clean(&after) {
        return Ok(Outcome::NotFixed(Box::new(before)));
    }
    // A later step may have made an earlier edit unnecessary.
    for (number, repair) in repairs.iter_mut().enumerate().take(last) {
        let fewer = edits.without(number);
        (search.tell)("fewer edits");
        let found = search.checked(&fewer)?.all;
        if is_clean(&found) {
            (edits, after) = (fewer, found);
            *repair = None;
        }
    }
    Ok(Outcome::Fixed(Box::new(Fixed {
        files: search.changed(&edits),
        repairs: repairs.into_iter().flatten().collect(),
        before,
        after,
    })))
}

/// A change that improves the program.
struct Step {
    repairs: Vec<Repair>,
    /// All edits up to this step.
    edits: EditSet,
    /// The report after it.
    after: Report,
}

struct Search<'a> {
    original: &'a Tree,
    settings: &'a Settings<'a>,
    tell: &'a mut dyn FnMut(&str),
}

impl Search<'_> {
    /// Builds the program with these edits, all enabled, and runs it.
    fn checked(&self, edits: &EditSet) -> Result<Reports> {
        let program = self.settings.build(&edited(self.original, edits))?;
        let found = self.settings.run(&program, &[], |_| true)?;
        Ok(found.expect("nothing kept it from all schedules"))
    }

    /// Finds edits that improve the program on `report`.
    fn step(&mut self, number: usize, done: &EditSet, report: &Report) -> Result<Option<Step>> {
        let mut rest = self.candidates(done, report);
        while !rest.is_empty() {
            let (batch, others) = Batch::of(rest, done);
            let chosen = match batch.members.is_empty() {
                true => None,
                false => self.chosen(&batch, report)?,
            };
            if let Some(chosen) = chosen
                && let Some(step) = self.verified(number, done, report, &chosen)?
            {
                return Ok(Some(step));
            }
            if batch.members.is_empty() {
                for candidate in &others {
                    (self.tell)(&candidate.what);
                    let single = std::slice::from_ref(candidate);
                    if let Some(step) = self.verified(number, done, report, single)? {
                        return Ok(Some(step));
                    }
                }
                break;
            }
            rest = others;
        }
        Ok(None)
    }

    fn candidates(&self, done: &EditSet, report: &Report) -> Vec<Candidate> {
        let tree = edited(self.original, done);
        let files: Vec<Source<'_>> = tree
            .sources()
            .map(|(file, text)| Source {
                path: &file.display,
                text,
            })
            .collect();
        let defines = Defines::from_arguments(self.settings.compiler_arguments);
        let facts = Facts::collect(&files, &defines);
        let sources = Sources(
            files
                .iter()
                .map(|it| Syntax::of(it.path, it.text, &defines, &facts))
                .collect(),
        );
        let mut candidates = candidates::of_report(report, &sources);
        candidates.retain(|it| it.edits.iter().all(|it| self.is_of_user(&it.file)));
        candidates
    }

    /// Whether a file belongs to the user: below the working directory, or below that of a named
    /// file. Others, such as headers of libraries, must not be changed.
    fn is_of_user(&self, display: &str) -> bool {
        let files = &self.original.files;
        let named = || files.iter().filter(|it| it.role != Role::Included);
        let here = !display.starts_with("..") && !display.starts_with('/');
        let file = files.iter().find(|it| it.display == display);
        here || file.is_some_and(|file| {
            named().any(|it| {
                let directory = it.path.parent();
                directory.is_some_and(|it| file.path.starts_with(it))
            })
        })
    }

    /// The members of a batch that together improve the program.
    fn chosen(&mut self, batch: &Batch, report: &Report) -> Result<Option<Vec<Candidate>>> {
        (self.tell)(&match batch.members.as_slice() {
            [one] => one.candidate.what.clone(),
            all => format!("{} changes", all.len()),
        });
        let program = match self.settings.build(&edited(self.original, &batch.edits)) {
            Ok(program) => program,
            // CUDA does not have every atomic for every type.
            Err(Error::Compile { .. }) => return self.in_halves(batch, report),
            Err(error) => return Err(error),
        };
        let none = self.settings.run(&program, &[], |_| true)?;
        let mut found = none.expect("nothing kept it from all schedules");
        let all: HashSet<_> = fingerprints(&found.all).map(str::to_owned).collect();
        let mut chosen: Vec<usize> = Vec::new();
        while definite(&found.all).count() != 0 && chosen.len() < MAX_REPAIRS {
            let gone = |race: usize| {
                let race = &report.races[race].fingerprint;
                all.contains(race) && fingerprints(&found.all).all(|it| it != race)
            };
            let Some((best, after)) = self.best(batch, &program, &chosen, &found, &gone)? else {
                break;
            };
            chosen.push(best);
            found = after;
        }
        // A later member may have made an earlier one unnecessary; the last one was needed.
        if is_clean(&found.all) {
            let mut at = 0;
            while at + 1 < chosen.len() {
                let mut fewer = chosen.clone();
                fewer.remove(at);
                let edits = batch.edits_of(&fewer);
                let clean = self.settings.run(&program, &edits, is_clean)?;
                match clean.is_some_and(|it| is_clean(&it.all)) {
                    true => chosen = fewer,
                    false => at += 1,
                }
            }
        }
        let candidate = |member: &usize| batch.members[*member].candidate.clone();
        Ok((!chosen.is_empty()).then(|| chosen.iter().map(candidate).collect()))
    }

    /// The member that removes most races, of those for the first race that any of them removes.
    fn best(
        &mut self,
        batch: &Batch,
        program: &Program,
        chosen: &[usize],
        found: &Reports,
        gone: &dyn Fn(usize) -> bool,
    ) -> Result<Option<(usize, Reports)>> {
        let mut best: Option<(usize, Reports)> = None;
        for (number, member) in batch.members.iter().enumerate() {
            let race = member.candidate.race;
            if let Some((best, _)) = &best
                && batch.members[*best].candidate.race != race
            {
                break;
            }
            if chosen.contains(&number) || gone(race) {
                continue;
            }
            (self.tell)(&member.candidate.what);
            let edits = batch.edits_of(&[chosen, &[number]].concat());
            let promising = |first: &Report| {
                definite(&found.first).count() == 0 || improves(&found.first, first)
            };
            let after = self.settings.run(program, &edits, promising)?;
            let Some(after) = after.filter(|it| improves(&found.all, &it.all)) else {
                continue;
            };
            let left = definite(&after.all).count();
            let least = best.as_ref().map(|(_, it)| definite(&it.all).count());
            if least.is_none_or(|least| left < least) {
                best = Some((number, after));
            }
            if left == 0 {
                break;
            }
        }
        Ok(best)
    }

    /// If a batch does not compile, tries each half of it separately.
    fn in_halves(&mut self, batch: &Batch, report: &Report) -> Result<Option<Vec<Candidate>>> {
        let all: Vec<Candidate> = batch
            .members
            .iter()
            .map(|it| it.candidate.clone())
            .collect();
        if all.len() < 2 {
            return Ok(None);
        }
        let (first, second) = all.split_at(all.len() / 2);
        for half in [first, second] {
            let (half, _) = Batch::of(half.to_vec(), &batch.done);
            if let Some(chosen) = self.chosen(&half, report)? {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    /// The step with these edits, if a build without trial code confirms that they help.
    fn verified(
        &mut self,
        number: usize,
        done: &EditSet,
        report: &Report,
        candidates: &[Candidate],
    ) -> Result<Option<Step>> {
        let mut edits = done.clone();
        let mut repairs = Vec::new();
        for (candidate, number) in candidates.iter().zip(number..) {
            // All edits are in the coordinates of the text before the first of them.
            let Some(with) = edits.with(number, done, &candidate.edits) else {
                return Ok(None);
            };
            edits = with;
            let race = &report.races[candidate.race];
            repairs.push(Repair {
                code: race.code.to_string(),
                variable: race.variable.clone(),
                kernel: race.kernel.clone(),
                what: candidate.what.clone(),
            });
        }
        (self.tell)("the repaired program");
        let after = match self.checked(&edits) {
            Ok(found) => found.all,
            Err(Error::Compile { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(improves(report, &after).then_some(Step {
            repairs,
            edits,
            after,
        }))
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

fn definite(report: &Report) -> impl Iterator<Item = &Race> {
    report
        .races
        .iter()
        .filter(|it| it.certainty == Certainty::Definite)
}

fn fingerprints(report: &Report) -> impl Iterator<Item = &str> {
    definite(report).map(|it| it.fingerprint.as_str())
}

/// Whether a race is no longer found, and nothing new is.
fn improves(before: &Report, after: &Report) -> bool {
    let left: HashSet<_> = fingerprints(after).collect();
    let same_failure = match (&before.failure, &after.failure) {
        (_, None) => true,
        (Some(before), Some(after)) => before.kind == after.kind,
        (None, Some(_)) => false,
    };
    let no_new_fault = after
        .faults
        .iter()
        .all(|fault| before.faults.iter().any(|it| it.code == fault.code));
    fingerprints(before).any(|it| !left.contains(it))
        && same_failure
        && no_new_fault
        && after.summary.possible <= before.summary.possible
        && definite(after).count() <= definite(before).count()
}

/// Whether a program ran to its end and has no findings other than possible races.
fn is_clean(report: &Report) -> bool {
    definite(report).count() == 0 && report.faults.is_empty() && report.failure.is_none()
}
