//! Reads the expected findings in the first lines of a UI program, and compares reports with them.
//!
//! ```text
//! // verdict: race                                      or clean, possible, fault, warning
//! // race: lines 23 and 27, variable s_sum, shared      found in every run
//! // race-any: lines 18 and 24, variable level, global  at least one of these is found
//! // race-also: lines 12 and 39, variable sum, shared   found in some schedules
//! // possible: lines 27 and 27, variable sum, global    found as a possible race
//! // fault: HF001, line 9, thread 100                   line and thread may be left out
//! // warning: HF018, line 9                             the same
//! // repaired: clean                                    verdict with -DREPAIRED; or warning
//! // args: graph:dag_200n_400e 5                        arguments; graph:NAME means its path
//! // more-args: graph:rmat_65536n                       arguments of a further run
//! // predict: 8                                          --predict; no others in so many schedules
//! // explore: 16                                         the findings of so many schedules together
//! // nvcc: -rdc=true                                    options of nvcc, for xtask
//! ```

use std::collections::BTreeSet;

use hirace::exit::Exit;
use hirace::model::Backend;
use hirace::report::{Certainty, Report};

mod fault;
mod pair;

use fault::Fault;
use pair::Pair;
pub use pair::Seen;

/// The verdict on a program as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// At least one race.
    Race,
    /// Nothing at all, warnings included.
    #[default]
    Clean,
    /// Possible races only.
    Possible,
    /// A fault, and no race.
    Fault,
    /// A fault that counts only with `--strict`, and no race.
    Warning,
}

impl Verdict {
    /// The word for it in the first line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Race => "race",
            Self::Clean => "clean",
            Self::Possible => "possible",
            Self::Fault => "fault",
            Self::Warning => "warning",
        }
    }

    fn parse(word: &str) -> Result<Self, String> {
        [
            Self::Race,
            Self::Clean,
            Self::Possible,
            Self::Fault,
            Self::Warning,
        ]
        .into_iter()
        .find(|it| it.word() == word)
        .ok_or_else(|| format!("no such verdict: {word}"))
    }

    /// The exit status of `hirace`, without and with `--strict`.
    fn exit(self) -> [u8; 2] {
        match self {
            Self::Race | Self::Fault => [1, 1],
            Self::Possible | Self::Warning => [0, 1],
            Self::Clean => [0, 0],
        }
    }
}

/// The expectations in the first lines of a program.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The outcome.
    pub verdict: Verdict,
    races: BTreeSet<Pair>,
    any_of: BTreeSet<Pair>,
    also: BTreeSet<Pair>,
    possible: BTreeSet<Pair>,
    faults: Vec<Fault>,
    /// The verdict on the repaired twin, if there is one: clean, or a warning at most.
    pub repaired: Option<Verdict>,
    /// The program's arguments, where `graph:NAME` means a path.
    pub arguments: Vec<String>,
    /// The arguments of further runs.
    pub more_arguments: Vec<Vec<String>>,
    /// Options that nvcc needs.
    pub nvcc: Vec<String>,
    /// The findings are those of so many schedules together.
    pub explore: Option<u32>,
    /// Races are predicted. Each of so many schedules shows or predicts the same ones.
    pub predict: Option<u32>,
}

impl Expected {
    /// Whether a fault with this code is expected.
    #[must_use]
    pub fn has_fault(&self, code: &str) -> bool {
        self.faults.iter().any(|fault| fault.code == code)
    }

    /// Reads the first lines of a program.
    ///
    /// # Errors
    /// A line is malformed, or the lines contradict the verdict; the text says which.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut verdict = None;
        let mut expected = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line
                .strip_prefix("// ")
                .and_then(|line| line.split_once(": "))
            else {
                break;
            };
            match key {
                "verdict" => verdict = Some(Verdict::parse(value)?),
                "race" => drop(expected.races.insert(Pair::parse(value)?)),
                "race-also" => drop(expected.also.insert(Pair::parse(value)?)),
                "race-any" => drop(expected.any_of.insert(Pair::parse(value)?)),
                "possible" => drop(expected.possible.insert(Pair::parse(value)?)),
                "fault" | "warning" => expected.faults.push(Fault::parse(value)?),
                "repaired" => match Verdict::parse(value)? {
                    verdict @ (Verdict::Clean | Verdict::Warning) => {
                        expected.repaired = Some(verdict);
                    }
                    _ => return Err(format!("a repaired program is not expected to be {value}")),
                },
                "args" => expected.arguments = words(value),
                "nvcc" => expected.nvcc = words(value),
                "explore" => {
                    let schedules = value.parse().ok().filter(|&it| it > 1);
                    let schedules = schedules.ok_or_else(|| format!("not several: {value}"))?;
                    expected.explore = Some(schedules);
                }
                "predict" => {
                    let schedules = value.parse().ok().filter(|&it| it > 1);
                    let schedules = schedules.ok_or_else(|| format!("not several: {value}"))?;
                    expected.predict = Some(schedules);
                }
                "more-args" => expected.more_arguments.push(words(value)),
                _ => break,
            }
        }
        expected.verdict = verdict.ok_or("the first line does not say `// verdict: …`")?;
        expected.fits()?;
        Ok(expected)
    }

    /// Whether there are lines for the verdict's findings, and no others.
    fn fits(&self) -> Result<(), String> {
        let announced = [
            (
                Verdict::Race,
                !(self.races.is_empty() && self.any_of.is_empty()),
            ),
            (Verdict::Possible, !self.possible.is_empty()),
            (Verdict::Fault, !self.faults.is_empty()),
        ];
        let verdict = match self.verdict {
            Verdict::Warning => Verdict::Fault,
            other => other,
        };
        for (kind, is_announced) in announced {
            // A racy program may also have possible races, and faults.
            let is_free = kind != Verdict::Race && verdict == Verdict::Race;
            if is_announced != (kind == verdict) && !is_free {
                let word = self.verdict.word();
                let what = kind.word();
                return Err(format!(
                    "`// verdict: {word}` cannot be combined with `// {what}: …`"
                ));
            }
        }
        Ok(())
    }

    /// The expectation for the repaired twin, if there is one: the same runs, and nothing found.
    #[must_use]
    pub fn of_twin(&self) -> Option<Self> {
        Some(Self {
            verdict: self.repaired?,
            arguments: self.arguments.clone(),
            more_arguments: self.more_arguments.clone(),
            nvcc: self.nvcc.clone(),
            explore: self.explore,
            predict: self.predict,
            ..Self::default()
        })
    }

    /// Checks that a report has exactly the expected findings.
    ///
    /// # Errors
    /// A finding is missing or unexpected.
    pub fn compare(&self, report: &Report) -> Result<(), String> {
        self.admits(report)?;
        match self.missing(report) {
            Some(missing) => Err(format!("not found: {missing}")),
            None => Ok(()),
        }
    }

    /// Checks that a report has the expected verdict, and no race or fault at an unexpected place.
    ///
    /// # Errors
    /// The difference from the expectation.
    pub fn admits(&self, report: &Report) -> Result<(), String> {
        let is_gpu = report.backend == Some(Backend::Gpu);
        let exit = [false, true].map(|strict| Exit::of(report, strict).number());
        // Warnings are the executor's.
        let is_silent = is_gpu && self.verdict == Verdict::Warning && report.faults.is_empty();
        let wanted = if is_silent {
            Verdict::Clean
        } else {
            self.verdict
        };
        if exit != wanted.exit() {
            let expected = self.verdict.word();
            return Err(format!(
                "{:?}, exit statuses {exit:?}, expected {expected}",
                report.status
            ));
        }
        if !self.faults.is_empty() {
            Fault::are_all_of(&self.faults, report)?;
            if self.verdict != Verdict::Race {
                let race = report.races.first();
                return race.map_or(Ok(()), |it| Err(format!("found, but not expected: {it:?}")));
            }
        }
        if let Some(failure) = &report.failure {
            return Err(format!("failed: {}", failure.message));
        }
        // Memory that a race leaves unwritten may cause a fault too.
        let may_have_faults = matches!(self.verdict, Verdict::Race | Verdict::Warning);
        if let (Some(fault), false) = (report.faults.first(), may_have_faults) {
            return Err(format!("found, but not expected: {fault:?}"));
        }
        let allowed = |seen: &Seen| {
            let lists: &[_] = match seen.certainty {
                Certainty::Definite => &[&self.races, &self.any_of, &self.also],
                Certainty::Possible => &[&self.possible],
            };
            let is = |it| seen.is(it) || (is_gpu && seen.may_be(it));
            let pairs = || lists.iter().flat_map(|it| it.iter());
            pairs().any(is) || (is_gpu && seen.is_of(pairs()))
        };
        match seen(report).find(|seen| !allowed(seen)) {
            Some(seen) => Err(format!("found, but not expected: {seen:?}")),
            None => Ok(()),
        }
    }

    /// What the kernels of a report did that its backend does not model, which explains another verdict.
    #[must_use]
    pub fn explanation(report: &Report) -> Option<String> {
        let executed = report.not_modelled.iter().filter(|it| it.executed);
        let names: BTreeSet<&str> = executed.map(|it| it.construct.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Checks that a report has all expected pairs, as races or as possible races, and no others.
    ///
    /// # Errors
    /// The difference from the expectation.
    pub fn shows_or_predicts(&self, report: &Report) -> Result<(), String> {
        if let Some(failure) = &report.failure {
            return Err(format!("failed: {}", failure.message));
        }
        let expected = || self.possible.iter().chain(&self.also);
        if let Some(other) = seen(report).find(|seen| !expected().any(|it| seen.is(it))) {
            return Err(format!("found, but not expected: {other:?}"));
        }
        let is_missing = |pair: &&Pair| !seen(report).any(|seen| seen.is(pair));
        match self.possible.iter().find(is_missing) {
            Some(missing) => Err(format!("neither found nor predicted: {missing:?}")),
            None => Ok(()),
        }
    }

    /// A race that the CPU executor finds in every run, but that a report does not have.
    #[must_use]
    pub fn missing(&self, report: &Report) -> Option<String> {
        let found = |certainty, pair: &Pair| {
            seen(report).any(|seen| seen.certainty == certainty && seen.is(pair))
        };
        let definite = |pair: &&Pair| !found(Certainty::Definite, pair);
        let possible = |pair: &&Pair| !found(Certainty::Possible, pair);
        let mut missing = self.races.iter().filter(definite);
        let missing = missing
            .next()
            .or_else(|| self.possible.iter().find(possible));
        if let Some(pair) = missing {
            return Some(format!("{pair:?}"));
        }
        let mut any_of = self.any_of.iter().peekable();
        (any_of.peek().is_some() && any_of.all(|pair| definite(&pair)))
            .then(|| "any of the `race-any` pairs".to_owned())
    }
}

fn seen(report: &Report) -> impl Iterator<Item = Seen> {
    report.races.iter().map(Seen::of)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
