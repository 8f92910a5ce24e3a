//! The search for edits that remove all races.

use hirace_instrument::rewrite::Source;
use hirace_instrument::tree::{Role, Tree};
use hirace_model::error::{Error, Result};
use hirace_report::Report;

use super::candidates::{self, Candidate};
use super::compare::{
    definite, improves, is_as_good, is_clean, is_gone, ran_to_its_end, removed, revealed, reveals,
    turns,
};
use super::edit::EditSet;
use super::syntax::{Sources, Syntax, has_device_code, read_facts};
use super::trial::{Batch, Reports, Settings, edited};
use super::{ChangedFile, Fixed, Outcome, Repair};

/// The maximum number of repairs of a program.
pub(super) const MAX_REPAIRS: usize = 16;

/// How many changes that leave a race with another code are tried with a second one.
const MAX_FIRST: usize = 4;

pub(super) fn run(
    original: &Tree,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Outcome> {
    let mut search = Search {
        original,
        settings,
        tell,
        tried: false,
        turning: Vec::new(),
    };
    (search.tell)("the original program");
    let before = search.checked(&EditSet::default())?.all;
    if definite(&before).count() == 0 {
        return Ok(Outcome::Clean(Box::new(before)));
    }
    let mut state = State {
        repairs: Vec::new(),
        last: 0,
        edits: EditSet::default(),
        after: before.clone(),
    };
    // A step may uncover more races than it removes, so the last state need not be the best one.
    let mut best: Option<State> = None;
    while definite(&state.after).count() != 0 && state.repairs.len() < MAX_REPAIRS {
        let number = state.repairs.len();
        let Some(step) = search.step(number, &state.edits, &state.after)? else {
            break;
        };
        state.last = step.needed;
        state.repairs.extend(step.repairs.into_iter().map(Some));
        (state.edits, state.after) = (step.edits, step.after);
        if state.is_offered(&before) && best.as_ref().is_none_or(|it| state.is_better_than(it)) {
            best = Some(state.clone());
        }
    }
    let Some(mut state) = best else {
        return Ok(Outcome::NotFixed {
            report: Box::new(before),
            tried: search.tried,
        });
    };
    search.drop_unnecessary(&mut state)?;
    let is_whole = is_clean(&before, &state.after);
    let fixed = Box::new(Fixed {
        files: search.changed(&state.edits),
        repairs: state.repairs.into_iter().flatten().collect(),
        removed: removed(&before, &state.after),
        revealed: revealed(&before, &state.after),
        before,
        after: state.after,
    });
    Ok(match is_whole {
        true => Outcome::Fixed(fixed),
        false => Outcome::PartlyFixed(fixed),
    })
}

/// The program after some steps.
#[derive(Clone)]
struct State {
    /// The repairs of all steps; `None` for one that turned out to be unnecessary.
    repairs: Vec<Option<Repair>>,
    /// The number of the first repair that was needed when the last step was made.
    last: usize,
    edits: EditSet,
    /// The report with these edits.
    after: Report,
}

impl State {
    /// Whether it can be offered: the program ran to its end, and shows fewer races than before.
    fn is_offered(&self, before: &Report) -> bool {
        ran_to_its_end(before, &self.after)
            && removed(before, &self.after) > 0
            && definite(&self.after).count() < definite(before).count()
    }

    fn is_better_than(&self, other: &Self) -> bool {
        definite(&self.after).count() < definite(&other.after).count()
    }
}

/// A change that improves the program.
struct Step {
    repairs: Vec<Repair>,
    /// The number of the first repair without which the step would not help.
    needed: usize,
    /// All edits up to this step.
    edits: EditSet,
    /// The report after it.
    after: Report,
}

pub(super) struct Search<'a> {
    pub(super) original: &'a Tree,
    pub(super) settings: &'a Settings<'a>,
    pub(super) tell: &'a mut dyn FnMut(&str),
    /// Whether there were edits to try.
    tried: bool,
    /// The changes of this step that leave their race with another code.
    pub(super) turning: Vec<Candidate>,
}

impl Search<'_> {
    /// Builds the program with these edits, all enabled, and runs it.
    fn checked(&self, edits: &EditSet) -> Result<Reports> {
        let program = self.settings.build(self.original, edits)?;
        let found = self.settings.run(&program, &[], |_| true)?;
        Ok(found.expect("nothing kept it from all schedules"))
    }

    /// Drops edits that later steps have made unnecessary.
    fn drop_unnecessary(&mut self, state: &mut State) -> Result<()> {
        for number in 0..state.last {
            let fewer = state.edits.without(number);
            (self.tell)("fewer edits");
            let found = self.checked(&fewer)?.all;
            if is_as_good(&found, &state.after) {
                (state.edits, state.after) = (fewer, found);
                state.repairs[number] = None;
            }
        }
        Ok(())
    }

    /// Finds edits that improve the program on `report`.
    fn step(&mut self, number: usize, done: &EditSet, report: &Report) -> Result<Option<Step>> {
        match self.of_one_report(number, done, report)? {
            Some(step) => Ok(Some(step)),
            None => self.one_after_another(number, done, report),
        }
    }

    /// Two changes for one race. The first one leaves it with another code, as one fault hid another, and the report
    /// on that suggests the second one.
    fn one_after_another(
        &mut self,
        number: usize,
        done: &EditSet,
        report: &Report,
    ) -> Result<Option<Step>> {
        let turning = std::mem::take(&mut self.turning);
        for first in turning.into_iter().take(MAX_FIRST) {
            let single = std::slice::from_ref(&first);
            let Some(begun) = self.with(number, done, report, single)? else {
                continue;
            };
            let next = number + begun.repairs.len();
            let Some(mut step) = self.of_one_report(next, &begun.edits, &begun.after)? else {
                continue;
            };
            let helps = improves(report, &step.after) || reveals(report, &step.after);
            if helps && is_gone(&report.races[first.race], report, &step.after) {
                step.repairs.splice(0..0, begun.repairs);
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Finds edits, all suggested by `report`, that improve the program.
    fn of_one_report(
        &mut self,
        number: usize,
        done: &EditSet,
        report: &Report,
    ) -> Result<Option<Step>> {
        self.turning.clear();
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

    fn candidates(&mut self, done: &EditSet, report: &Report) -> Vec<Candidate> {
        let tree = edited(self.original, done);
        let files: Vec<Source<'_>> = tree
            .sources()
            .map(|(file, text)| Source {
                path: &file.display,
                text,
            })
            .collect();
        // The arguments with which a project compiles are not known.
        let arguments = self.settings.compiler_arguments;
        let arguments = self.settings.project.is_none().then_some(arguments);
        let (defines, facts) = read_facts(&files, arguments);
        let before = self.original.sources().map(|(_, text)| text);
        let are_many = files.iter().filter(|it| has_device_code(it.text)).count() > 1;
        let with_lines = files.iter().zip(before).map(|(file, before)| {
            let lines = done.original_lines(file.path, before, file.text);
            Syntax::of(file.path, file.text, &defines, &facts)
                .with_original_lines(lines)
                .among_files(are_many)
        });
        let sources = Sources(with_lines.collect());
        let mut candidates = candidates::of_report(report, &sources);
        candidates.retain(|it| it.edits.iter().all(|it| self.is_of_user(&it.file)));
        self.tried |= !candidates.is_empty();
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

    /// The step with these edits, if a build without trial code confirms that they help.
    fn verified(
        &mut self,
        number: usize,
        done: &EditSet,
        report: &Report,
        candidates: &[Candidate],
    ) -> Result<Option<Step>> {
        let Some(step) = self.with(number, done, report, candidates)? else {
            return Ok(None);
        };
        if improves(report, &step.after) || reveals(report, &step.after) {
            return Ok(Some(step));
        }
        if let [single] = candidates {
            self.note_if_it_turns(single, report, &step.after);
        }
        Ok(None)
    }

    /// Notes a change that leaves a race with another code.
    pub(super) fn note_if_it_turns(
        &mut self,
        candidate: &Candidate,
        before: &Report,
        after: &Report,
    ) {
        let is_known = self.turning.iter().any(|it| it.edits == candidate.edits);
        if candidate.orders && !is_known && turns(before, after) {
            self.turning.push(candidate.clone());
        }
    }

    /// The program with these edits, whether or not they help. None if they overlap or do not compile.
    fn with(
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
                variable: race.memory(),
                kernel: race.kernel.clone(),
                what: candidate.what.clone(),
            });
        }
        (self.tell)("the repaired program");
        match self.checked(&edits) {
            Ok(found) => Ok(Some(Step {
                repairs,
                needed: number,
                edits,
                after: found.all,
            })),
            Err(Error::Compile { .. }) => Ok(None),
            Err(error) => Err(error),
        }
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
