//! Verdicts against labels.

use std::collections::BTreeMap;

use crate::store::{Outcome, ProgramKey, Results, Verdict};
use crate::suite::{Label, leaves_bounds};

/// A tool's answer from one or several runs: the first of these that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// One run showed a race.
    Race,
    /// No run showed one, and at least one finished.
    Clean,
    /// No run was judged. The verdict is the first of theirs in the order of [`Verdict::ALL`].
    Unjudged(Verdict),
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            // A program shows its own race by a wrong result.
            Verdict::Race | Verdict::Differ => Self::Race,
            Verdict::Clean | Verdict::Match => Self::Clean,
            Verdict::Ran
            | Verdict::Fault
            | Verdict::Unfit
            | Verdict::Timeout
            | Verdict::Crash
            | Verdict::NotBuilt
            | Verdict::Error => Self::Unjudged(verdict),
        }
    }
}

/// The answer on each unit; runs with the same key are one unit.
pub fn units<'a, K: Ord>(
    runs: impl IntoIterator<Item = &'a Outcome>,
    key: impl Fn(&Outcome) -> K,
) -> BTreeMap<K, Answer> {
    let mut units = BTreeMap::new();
    for run in runs {
        let answer = Answer::from(run.verdict);
        units
            .entry(key(run))
            .and_modify(|before: &mut Answer| *before = answer.min(*before))
            .or_insert(answer);
    }
    units
}

/// Counts of right, wrong and missing verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Racy, and a race was found.
    pub found: u64,
    /// Racy, but no race was found.
    pub missed: u64,
    /// Clean, but a race was found.
    pub false_alarms: u64,
    /// Clean, and no race was found.
    pub quiet: u64,
    /// Unlabelled, and a race was found.
    pub unlabelled_races: u64,
    /// Unlabelled, and no race was found.
    pub unlabelled_clean: u64,
    /// Clean but for accesses out of bounds, and a race was found: they can have any effect, so nobody
    /// knows whether there was one.
    pub out_of_bounds: u64,
    /// No verdict, by the reason.
    pub unjudged: BTreeMap<Verdict, u64>,
}

/// Whether `answer` is a false alarm.
#[must_use]
pub fn is_false_alarm(program: &ProgramKey, answer: Answer) -> bool {
    program.label == Label::Clean && answer == Answer::Race && !leaves_bounds(&program.bugs)
}

impl Counts {
    /// Counts one unit.
    pub fn add(&mut self, program: &ProgramKey, answer: Answer) {
        *match (program.label, answer) {
            (Label::Racy, Answer::Race) => &mut self.found,
            (Label::Racy, Answer::Clean) => &mut self.missed,
            (Label::Clean, Answer::Race) if is_false_alarm(program, answer) => {
                &mut self.false_alarms
            }
            (Label::Clean, Answer::Race) => &mut self.out_of_bounds,
            (Label::Clean, Answer::Clean) => &mut self.quiet,
            (Label::Unknown, Answer::Race) => &mut self.unlabelled_races,
            (Label::Unknown, Answer::Clean) => &mut self.unlabelled_clean,
            (_, Answer::Unjudged(verdict)) => self.unjudged.entry(verdict).or_default(),
        } += 1;
    }

    /// The share of judged racy units in which a race was found; `None` if there are none.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        let there = self.found + self.missed;
        (there > 0).then(|| self.found as f64 / there as f64)
    }

    /// Units without a verdict.
    #[must_use]
    pub fn unjudged_total(&self) -> u64 {
        self.unjudged.values().sum::<u64>() + self.out_of_bounds
    }

    /// The reasons why there is no verdict: `2 timeout, 1 crash`.
    #[must_use]
    pub fn unjudged_text(&self) -> String {
        let reasons = self.unjudged.iter();
        let reasons = reasons.map(|(why, count)| format!("{count} {why}"));
        let wild =
            (self.out_of_bounds > 0).then(|| format!("{} out of bounds", self.out_of_bounds));
        let reasons: Vec<String> = reasons.chain(wild).collect();
        reasons.join(", ")
    }
}

/// Which launch shapes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Only the sweep's first shape.
    FirstShape,
    /// All shapes: a race in one is a race.
    AllShapes,
}

impl Scope {
    /// Those that give different tables for these results.
    #[must_use]
    pub fn of(results: &Results) -> &'static [Self] {
        match results.shapes.len() {
            0 | 1 => &[Self::AllShapes],
            _ => &[Self::FirstShape, Self::AllShapes],
        }
    }

    /// Whether a run counts.
    #[must_use]
    pub fn holds(self, run: &Outcome) -> bool {
        self == Self::AllShapes || run.shape == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_race_is_a_race_and_any_verdict_is_more_than_none() {
        let answer =
            |verdicts: &[Verdict]| verdicts.iter().map(|&it| Answer::from(it)).min().unwrap();
        use Verdict::{Clean, Crash, Differ, Match, Race, Timeout};
        assert_eq!(answer(&[Clean, Race, Crash]), Answer::Race);
        assert_eq!(answer(&[Match, Differ]), Answer::Race);
        assert_eq!(answer(&[Timeout, Clean]), Answer::Clean);
        assert_eq!(answer(&[Crash, Timeout]), Answer::Unjudged(Timeout));
    }

    fn program(label: Label, bugs: &[&str]) -> ProgramKey {
        ProgramKey {
            suite: String::new(),
            name: String::new(),
            pattern: String::new(),
            options: Vec::new(),
            bugs: bugs.iter().map(ToString::to_string).collect(),
            label,
            digest: String::new(),
        }
    }

    /// An access out of bounds can have the effect of a race, and no checker is wrong then.
    #[test]
    fn out_of_bounds_is_no_false_alarm() {
        let mut counts = Counts::default();
        for verdict in [
            Verdict::Race,
            Verdict::Differ,
            Verdict::Clean,
            Verdict::Fault,
        ] {
            counts.add(&program(Label::Clean, &["boundsBug"]), verdict.into());
        }
        counts.add(
            &program(Label::Racy, &["boundsBug", "raceBug"]),
            Answer::Race,
        );
        assert_eq!((counts.false_alarms, counts.quiet, counts.found), (0, 1, 1));
        assert_eq!(counts.unjudged_text(), "1 fault, 2 out of bounds");
        assert_eq!(counts.unjudged_total(), 3);
    }

    /// Each verdict with each label is counted exactly once.
    #[test]
    fn nothing_is_lost() {
        let mut counts = Counts::default();
        for label in Label::ALL {
            for verdict in Verdict::ALL {
                counts.add(&program(label, &[]), verdict.into());
            }
        }
        let judged = [
            counts.found,
            counts.missed,
            counts.false_alarms,
            counts.quiet,
            counts.unlabelled_races,
            counts.unlabelled_clean,
        ];
        assert_eq!(judged, [2; 6]);
        assert_eq!(counts.unjudged_total(), 21);
        assert_eq!(counts.recall(), Some(0.5));
        assert_eq!(
            counts.unjudged_text(),
            "3 ran, 3 fault, 3 unfit, 3 timeout, 3 crash, 3 not-built, 3 error"
        );
    }
}
