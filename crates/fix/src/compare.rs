//! How the reports on two versions of the program compare.

use std::collections::HashSet;

use hirace_report::{Certainty, Failure, Race, Report};

/// The races that did happen.
pub(super) fn definite(report: &Report) -> impl Iterator<Item = &Race> {
    report
        .races
        .iter()
        .filter(|it| it.certainty == Certainty::Definite)
}

/// What identifies a race in all versions of the program: what its fingerprint is a hash of, and the lines of
/// its accesses in the user's files. The number in a fingerprint is another one where a race before it is gone.
pub(super) fn identity(race: &Race) -> String {
    let hash = race.fingerprint.split(':').next();
    format!("{} {:?}", hash.unwrap_or_default(), lines(race))
}

/// Those of all races that did happen.
pub(super) fn identities(report: &Report) -> HashSet<String> {
    definite(report).map(identity).collect()
}

/// How many races of `before` are no longer found.
pub(super) fn removed(before: &Report, after: &Report) -> usize {
    gone(before, after).count()
}

/// How many races of `after` are neither those of `before` nor at their places: others hid them.
pub(super) fn revealed(before: &Report, after: &Report) -> usize {
    gone(after, before).count()
}

/// The races of a report that another one does not have, not even with another code at the same place. So
/// that a race counts as removed, an edit must do more than change the kinds of its accesses.
fn gone<'r>(report: &'r Report, other: &'r Report) -> impl Iterator<Item = &'r Race> {
    let (mine, theirs) = (identities(report), identities(other));
    let place = |race: &'r Race| {
        let Race {
            kernel, variable, ..
        } = race;
        (kernel, variable, lines(race))
    };
    let new: HashSet<_> = definite(other)
        .filter(|it| !mine.contains(&identity(it)))
        .map(place)
        .collect();
    definite(report).filter(move |it| !theirs.contains(&identity(it)) && !new.contains(&place(it)))
}

/// The files and lines of the accesses of a race, whose order is chance.
fn lines(race: &Race) -> [(Option<&str>, Option<u32>); 2] {
    let mut lines = race.accesses.each_ref().map(|it| {
        let position = &it.position;
        (position.file.as_deref(), position.line)
    });
    lines.sort_unstable();
    lines
}

/// Whether a race is no longer found, and there are no more races or other findings than before.
pub(super) fn improves(before: &Report, after: &Report) -> bool {
    removed(before, after) > 0
        && has_no_new_trouble(before, after)
        && definite(after).count() <= definite(before).count()
}

/// Whether a race is no longer found, and all new ones are of the same variables and kernels: the
/// first race of a location hides those that come after it.
pub(super) fn reveals(before: &Report, after: &Report) -> bool {
    let old = identities(before);
    let gone: HashSet<_> = gone(before, after)
        .map(|it| (&it.kernel, &it.variable))
        .collect();
    !gone.is_empty()
        && has_no_new_trouble(before, after)
        && definite(after)
            .filter(|it| !old.contains(&identity(it)))
            .all(|it| gone.contains(&(&it.kernel, &it.variable)))
}

/// Whether a race is left, but only with another code, and nothing is new besides.
pub(super) fn turns(before: &Report, after: &Report) -> bool {
    let (old, new) = (identities(before), identities(after));
    !old.is_subset(&new)
        && has_no_new_trouble(before, after)
        && definite(after).count() <= definite(before).count()
}

/// Whether a race of `before` is no longer found, not even with another code.
pub(super) fn is_gone(race: &Race, before: &Report, after: &Report) -> bool {
    let wanted = identity(race);
    gone(before, after).any(|it| identity(it) == wanted)
}

/// Whether a report has no findings that `other` lacks.
pub(super) fn is_as_good(report: &Report, other: &Report) -> bool {
    let allowed = identities(other);
    definite(report).all(|it| allowed.contains(&identity(it))) && has_no_new_trouble(other, report)
}

/// Whether a program ran to its end and has no findings other than possible races.
pub(super) fn is_clean(before: &Report, after: &Report) -> bool {
    definite(after).count() == 0 && after.faults.is_empty() && ran_to_its_end(before, after)
}

/// Whether a program ran to its end, with the status that it had before: one that checks its results may find others
/// wrong.
pub(super) fn ran_to_its_end(before: &Report, after: &Report) -> bool {
    let status = |it: &Report| {
        let failure = it.failure.as_ref().filter(|it| it.kind == Failure::EXIT);
        failure.map(|it| it.message.clone())
    };
    let as_before =
        after.failure.is_none() || (status(after).is_some() && status(after) == status(before));
    as_before && !after.faults.iter().any(|it| it.ended)
}

/// Whether a program has no fault, failure or possible race that it did not have before.
fn has_no_new_trouble(before: &Report, after: &Report) -> bool {
    let same_failure = match (&before.failure, &after.failure) {
        (_, None) => true,
        (Some(before), Some(after)) => before.kind == after.kind,
        (None, Some(_)) => false,
    };
    let mut faults = after.faults.iter();
    let no_new_fault = faults.all(|fault| before.faults.iter().any(|it| it.code == fault.code));
    same_failure && no_new_fault && after.summary.possible <= before.summary.possible
}
