//! Which candidates of a build to keep: the best one, again and again; where none helps alone,
//! several together; and none that turns out to be unnecessary.

use std::collections::HashSet;

use hirace_model::error::{Error, Result};
use hirace_report::Report;

use super::candidates::Candidate;
use super::compare::{definite, identities, identity, improves, is_as_good, reveals, turns};
use super::search::{MAX_REPAIRS, Search};
use super::trial::{Batch, Reports, Version};

/// A build with the candidates of a batch.
struct Selection<'a> {
    batch: &'a Batch,
    program: Version<'a>,
    /// The members that are kept.
    chosen: Vec<usize>,
    /// The reports with these members enabled.
    found: Reports,
    /// The races with no member enabled.
    shown: HashSet<String>,
}

impl Search<'_> {
    /// The members of a batch that together improve the program.
    pub(super) fn chosen(
        &mut self,
        batch: &Batch,
        report: &Report,
    ) -> Result<Option<Vec<Candidate>>> {
        (self.tell)(&match batch.members.as_slice() {
            [one] => one.candidate.what.clone(),
            all => format!("{} changes", all.len()),
        });
        let program = match self.settings.build(self.original, &batch.edits) {
            Ok(program) => program,
            // CUDA does not have every atomic for every type.
            Err(Error::Compile { .. }) => return self.in_halves(batch, report),
            Err(error) => return Err(error),
        };
        let none = self.settings.run(&program, &[], |_| true)?;
        let found = none.expect("nothing kept it from all schedules");
        let mut selection = Selection {
            batch,
            program,
            chosen: Vec::new(),
            shown: identities(&found.all),
            found,
        };
        // Members of the last choice were needed when they were chosen.
        let mut last = 0;
        while definite(&selection.found.all).count() != 0 && selection.chosen.len() < MAX_REPAIRS {
            let open = selection.open(report);
            let next = match self.best(&selection, &open)? {
                Some((best, after)) => Some((vec![best], after)),
                None => self.together(&selection, &open)?,
            };
            let Some((members, after)) = next else {
                break;
            };
            last = selection.chosen.len();
            selection.chosen.extend(members);
            selection.found = after;
        }
        // A later member may have made an earlier one unnecessary.
        let mut at = 0;
        while at < last {
            let mut fewer = selection.chosen.clone();
            fewer.remove(at);
            let found = &selection.found;
            match self.run_with(&selection, &fewer, |it| is_as_good(it, &found.first))? {
                Some(after) if is_as_good(&after.all, &found.all) => {
                    selection.chosen = fewer;
                    last -= 1;
                }
                _ => at += 1,
            }
        }
        let candidate = |member: &usize| batch.members[*member].candidate.clone();
        let chosen = &selection.chosen;
        Ok((!chosen.is_empty()).then(|| chosen.iter().map(candidate).collect()))
    }

    /// Runs the build with these members enabled.
    fn run_with(
        &self,
        selection: &Selection<'_>,
        members: &[usize],
        is_promising: impl Fn(&Report) -> bool,
    ) -> Result<Option<Reports>> {
        let edits = selection.batch.edits_of(members);
        self.settings.run(&selection.program, &edits, is_promising)
    }

    /// The member that removes most races, of those for the first race that any of them removes. If
    /// every one only uncovers others, the member that leaves fewest.
    fn best(
        &mut self,
        selection: &Selection<'_>,
        open: &[usize],
    ) -> Result<Option<(usize, Reports)>> {
        let race_of = |number: usize| selection.batch.members[number].candidate.race;
        let found = &selection.found;
        let mut best: Option<(usize, Reports)> = None;
        let mut revealing: Option<(usize, Reports)> = None;
        for &number in open {
            if let Some((best, _)) = &best
                && race_of(*best) != race_of(number)
            {
                break;
            }
            (self.tell)(&selection.batch.members[number].candidate.what);
            let members = [&selection.chosen[..], &[number]].concat();
            // A second change can follow one that leaves the race with another code.
            let may_turn = selection.chosen.is_empty();
            let promising = |first: &Report| {
                definite(&found.first).count() == 0
                    || reveals(&found.first, first)
                    || may_turn && turns(&found.first, first)
            };
            let Some(after) = self.run_with(selection, &members, promising)? else {
                continue;
            };
            let kept = match improves(&found.all, &after.all) {
                true => &mut best,
                false if reveals(&found.all, &after.all) => &mut revealing,
                false => {
                    if may_turn {
                        let candidate = &selection.batch.members[number].candidate;
                        self.note_if_it_turns(candidate, &found.all, &after.all);
                    }
                    continue;
                }
            };
            let left = definite(&after.all).count();
            let least = kept.as_ref().map(|(_, it)| definite(&it.all).count());
            if least.is_none_or(|least| left < least) {
                *kept = Some((number, after));
            }
            if left == 0 {
                break;
            }
        }
        Ok(best.or(revealing))
    }

    /// Members none of which helps alone, such as barriers on both sides of an update: those for
    /// one race, all that insert something, or all.
    fn together(
        &mut self,
        selection: &Selection<'_>,
        open: &[usize],
    ) -> Result<Option<(Vec<usize>, Reports)>> {
        let member = |number: usize| &selection.batch.members[number].candidate;
        let by_race = open.chunk_by(|a, b| member(*a).race == member(*b).race);
        let mut sets: Vec<Vec<usize>> = by_race.map(<[usize]>::to_vec).collect();
        let inserting = open.iter().copied().filter(|it| member(*it).only_inserts());
        sets.push(inserting.collect());
        sets.push(open.to_vec());
        let mut tried: Vec<Vec<usize>> = Vec::new();
        for set in sets {
            if set.len() < 2 || tried.contains(&set) {
                continue;
            }
            (self.tell)(&format!("{} changes together", set.len()));
            let all = [&selection.chosen[..], &set].concat();
            let found = &selection.found;
            let promising = |first: &Report| {
                definite(&found.first).count() == 0 || reveals(&found.first, first)
            };
            let after = self.run_with(selection, &all, promising)?;
            if let Some(after) = after.filter(|it| improves(&found.all, &it.all)) {
                return self.reduced(selection, set, after).map(Some);
            }
            tried.push(set);
        }
        Ok(None)
    }

    /// As few of these members as have the same effect. Leaves out halves, quarters and so on, the
    /// last first: those are less likely to be what a person would write.
    fn reduced(
        &mut self,
        selection: &Selection<'_>,
        mut set: Vec<usize>,
        mut after: Reports,
    ) -> Result<(Vec<usize>, Reports)> {
        let mut size = set.len().div_ceil(2);
        loop {
            let mut end = set.len();
            while end > 0 && set.len() > 1 {
                let begin = end.saturating_sub(size);
                let mut fewer = set.clone();
                fewer.drain(begin..end);
                end = begin;
                if fewer.is_empty() {
                    continue;
                }
                let all = [&selection.chosen[..], &fewer].concat();
                let found = self.run_with(selection, &all, |it| is_as_good(it, &after.first))?;
                if let Some(found) = found.filter(|it| is_as_good(&it.all, &after.all)) {
                    (set, after) = (fewer, found);
                }
            }
            if size == 1 {
                return Ok((set, after));
            }
            size = size.div_ceil(2);
        }
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
}

impl Selection<'_> {
    /// The members that are not chosen yet, for races of `report` that are left or have not shown
    /// in this build.
    fn open(&self, report: &Report) -> Vec<usize> {
        let left = identities(&self.found.all);
        let is_open = |number: &usize| {
            let candidate = &self.batch.members[*number].candidate;
            let race = identity(&report.races[candidate.race]);
            !self.chosen.contains(number) && (left.contains(&race) || !self.shown.contains(&race))
        };
        (0..self.batch.members.len()).filter(is_open).collect()
    }
}
