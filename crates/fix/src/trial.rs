//! Building and running versions of the program.
//!
//! Builds are slow, so one build contains many edits. Each has a condition of
//! `device/hirace/executor/repair_trial.h`, and every run enables some of them.

use std::collections::HashMap;

use hirace_check::{Program, RunOptions};
use hirace_config::Config;
use hirace_instrument::tree::{Content, Tree};
use hirace_model::Backend;
use hirace_model::error::Result;
use hirace_report::Report;

use super::candidates::Candidate;
use super::edit::{Edit, EditSet, Trial};
use super::project::Project;

/// How many edits a build can contain: `max_edits` of `repair_trial.h`.
const MAX_EDITS: usize = 1024;

/// How versions of the program are built and run.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The project that builds the program; if `None`, hirace compiles it.
    pub project: Option<&'a Project>,
    /// The compiler's arguments, if hirace compiles it.
    pub compiler_arguments: &'a [String],
    /// What is checked, and how.
    pub config: &'a Config,
    /// How each version is run; the seed is not used.
    pub run: RunOptions<'a>,
    /// The number of schedules, with seeds from 0.
    pub schedules: u32,
}

/// The reports for the first schedule and for all of them.
pub(super) struct Reports {
    pub first: Report,
    pub all: Report,
}

/// A version of the program that was built.
pub(super) struct Version<'a> {
    built: Built<'a>,
    /// For each line of an edited file, its number in the user's file.
    original_lines: HashMap<String, Vec<usize>>,
}

enum Built<'a> {
    Compiled(Box<Program>),
    /// The last one that the project built.
    OfProject(&'a Project),
}

impl<'a> Settings<'a> {
    /// Builds the program with these edits. If a project builds it, that replaces the version before.
    pub(super) fn build(&self, original: &Tree, edits: &EditSet) -> Result<Version<'a>> {
        let tree = edited(original, edits);
        let built = if let Some(project) = self.project {
            project.build(&tree)?;
            Built::OfProject(project)
        } else {
            let arguments = self.compiler_arguments;
            let program = hirace_check::build_tree(&tree, Backend::Cpu, arguments, self.config)?;
            Built::Compiled(Box::new(program))
        };
        let texts = original.sources().zip(tree.sources());
        let lines = texts.map(|((file, before), (_, after))| {
            let name = &file.display;
            (name.clone(), edits.original_lines(name, before, after))
        });
        Ok(Version {
            built,
            original_lines: lines.collect(),
        })
    }

    /// Runs under all schedules. The lines of the findings are those of the user's files. `None` if the report on the first one is not promising, and the
    /// others are skipped.
    pub(super) fn run(
        &self,
        program: &Version<'_>,
        edits: &[usize],
        is_promising: impl Fn(&Report) -> bool,
    ) -> Result<Option<Reports>> {
        let numbers: Vec<_> = edits.iter().map(usize::to_string).collect();
        let edits = numbers.join(",");
        let run = |options: &RunOptions<'_>| {
            let mut report = match &program.built {
                Built::Compiled(program) => program.run_trial(self.config, options, &edits)?.0,
                Built::OfProject(project) => project.check(self.config, options, &edits)?.report,
            };
            // The user hides these findings on purpose.
            report.suppress_commented();
            Ok(report)
        };
        let mut first = run(&RunOptions {
            seed: 0,
            jobs: Some(1),
            ..self.run
        })?;
        program.name_original_lines(&mut first);
        if !is_promising(&first) {
            return Ok(None);
        }
        let mut all = first.clone();
        if self.schedules > 1 {
            let mut others = hirace_check::explore(1, self.schedules - 1, 1, None, &self.run, run)?;
            program.name_original_lines(&mut others);
            all = hirace_report::merge([all, others]).expect("there are two reports");
        }
        Ok(Some(Reports { first, all }))
    }
}

impl Version<'_> {
    fn name_original_lines(&self, report: &mut Report) {
        let accesses = report.races.iter_mut().flat_map(|it| &mut it.accesses);
        let faults = report.faults.iter_mut().map(|it| &mut it.position);
        for position in accesses.map(|it| &mut it.position).chain(faults) {
            let file = position.file.as_ref();
            let lines = file.and_then(|it| self.original_lines.get(it));
            let original = |line: u32| lines?.get(line as usize - 1);
            let original = position.line.and_then(original).copied();
            if let Some(line) = original {
                position.line = line.try_into().ok();
            }
        }
    }
}

/// The program with its edits.
pub(super) fn edited(original: &Tree, edits: &EditSet) -> Tree {
    let mut tree = original.clone();
    for file in &mut tree.files {
        if let Content::Source(text) = &mut file.content {
            *text = edits.apply(&file.display, text);
        }
    }
    tree
}

/// Candidates that one build can contain.
pub(super) struct Batch {
    pub members: Vec<Member>,
    /// The edits of earlier steps.
    pub done: EditSet,
    /// The edits of earlier steps and those of the members, enabled or not.
    pub edits: EditSet,
}

/// A candidate of a batch.
pub(super) struct Member {
    pub candidate: Candidate,
    /// The numbers by which a run enables its edits.
    pub edits: Vec<usize>,
}

impl Batch {
    /// A batch of as many candidates as do not overlap, on top of the edits made so far, and the
    /// remaining candidates.
    pub fn of(candidates: Vec<Candidate>, done: &EditSet) -> (Self, Vec<Candidate>) {
        let mut held: Vec<Edit> = Vec::new();
        let mut batch = Self {
            members: Vec::new(),
            done: done.clone(),
            edits: done.clone(),
        };
        let mut rest = Vec::new();
        for candidate in candidates {
            // Two candidates cannot put the same braces around a loop's body.
            let is_framed = |edit: &Edit| edit.trial == Trial::Frame && held.contains(edit);
            if candidate.edits.iter().any(is_framed) {
                rest.push(candidate);
                continue;
            }
            let new = |edit: &&Edit| !held.contains(edit);
            let fresh: Vec<Edit> = candidate.edits.iter().filter(new).cloned().collect();
            let on_trial: Option<Vec<Edit>> = fresh
                .iter()
                .zip(held.len()..)
                .map(|(edit, number)| edit.on_trial(&condition(number)))
                .collect();
            let with = on_trial.and_then(|it| batch.edits.with(usize::MAX, done, &it));
            let Some(with) = with.filter(|_| held.len() + fresh.len() <= MAX_EDITS) else {
                rest.push(candidate);
                continue;
            };
            held.extend(fresh);
            batch.edits = with;
            let number = |edit: &Edit| held.iter().position(|it| it == edit);
            let edits = candidate.edits.iter().filter_map(number).collect();
            batch.members.push(Member { candidate, edits });
        }
        (batch, rest)
    }

    /// The numbers of the edits of some members.
    pub fn edits_of(&self, members: &[usize]) -> Vec<usize> {
        let all = members.iter().flat_map(|it| &self.members[*it].edits);
        let mut numbers: Vec<usize> = all.copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

fn condition(number: usize) -> String {
    format!("::hirace::cpu::trial::chosen({number})")
}
