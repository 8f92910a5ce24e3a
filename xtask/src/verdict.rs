//! What the programs of `tests/ui/{race,clean,possible}` say is to be found, and whether a
//! report has found it.
//!
//! A program's first lines:
//!
//! ```text
//! // verdict: race                                      or clean, or possible
//! // race: lines 23 and 27, variable s_sum, shared      found in every run
//! // race-any: lines 18 and 24, variable level, global  at least one of these is found
//! // race-also: lines 12 and 39, variable sum, shared   found in some schedules
//! // possible: lines 27 and 27, variable sum, global    found as a possible race
//! // args: graph:dag_200n_400e 5                        arguments; graph:NAME is a path
//! // more-args: graph:rmat_65536n                       arguments of a further run
//! // nvcc: -rdc=true                                    options of nvcc, for xtask
//! ```

use std::collections::BTreeSet;

use hirace::report::{Certainty, Race, Report, Space, Status};

/// What the first lines of a program say.
pub struct Expected {
    /// The outcome.
    pub verdict: Status,
    races: BTreeSet<Pair>,
    any_of: BTreeSet<Pair>,
    also: BTreeSet<Pair>,
    possible: BTreeSet<Pair>,
    /// The program's arguments, where `graph:NAME` stands for a path.
    pub arguments: Vec<String>,
    /// Those of further runs.
    pub more_arguments: Vec<Vec<String>>,
    /// Options that nvcc needs.
    pub nvcc: Vec<String>,
}

/// Two lines, the lower one first, the variable, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    lines: [u32; 2],
    variable: String,
    space: &'static str,
}

impl Expected {
    /// Reads the first lines of a program.
    ///
    /// # Errors
    /// A line is not of its form, or there is no verdict; the text says which.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut expected = Self {
            verdict: Status::Failed,
            races: BTreeSet::new(),
            any_of: BTreeSet::new(),
            also: BTreeSet::new(),
            possible: BTreeSet::new(),
            arguments: Vec::new(),
            more_arguments: Vec::new(),
            nvcc: Vec::new(),
        };
        for line in text.lines() {
            let Some((key, value)) = line
                .strip_prefix("// ")
                .and_then(|line| line.split_once(": "))
            else {
                break;
            };
            match key {
                "verdict" => {
                    expected.verdict = match value {
                        "race" => Status::Races,
                        "clean" => Status::Clean,
                        "possible" => Status::Possible,
                        _ => return Err(format!("no such verdict: {value}")),
                    }
                }
                "race" => drop(expected.races.insert(Pair::parse(value)?)),
                "race-also" => drop(expected.also.insert(Pair::parse(value)?)),
                "race-any" => drop(expected.any_of.insert(Pair::parse(value)?)),
                "possible" => drop(expected.possible.insert(Pair::parse(value)?)),
                "args" => expected.arguments = words(value),
                "nvcc" => expected.nvcc = words(value),
                "more-args" => expected.more_arguments.push(words(value)),
                _ => break,
            }
        }
        if expected.verdict == Status::Failed {
            return Err("the first line does not say `// verdict: …`".to_owned());
        }
        Ok(expected)
    }

    /// Whether a report is the expected one.
    ///
    /// # Errors
    /// What is missing, or found and not expected.
    pub fn compare(&self, report: &Report) -> Result<(), String> {
        self.admits(report)?;
        match self.missing(report) {
            Some(missing) => Err(format!("not found: {missing}")),
            None => Ok(()),
        }
    }

    /// Whether a report has the expected verdict, and no race at an unexpected place.
    ///
    /// # Errors
    /// What is wrong about it.
    pub fn admits(&self, report: &Report) -> Result<(), String> {
        if report.status != self.verdict {
            return Err(format!("{:?}, expected {:?}", report.status, self.verdict));
        }
        if let Some(failure) = &report.failure {
            return Err(format!("failed: {}", failure.message));
        }
        let allowed = |seen: &Seen| {
            let lists: &[_] = match seen.certainty {
                Certainty::Definite => &[&self.races, &self.any_of, &self.also],
                Certainty::Possible => &[&self.possible],
            };
            lists.iter().any(|pairs| pairs.iter().any(|it| seen.is(it)))
        };
        match seen(report).find(|seen| !allowed(seen)) {
            Some(seen) => Err(format!("found, but not expected: {seen:?}")),
            None => Ok(()),
        }
    }

    /// A race that the CPU executor finds in every run, and that a report does not have.
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

impl Pair {
    /// `lines 23 and 27, variable s_sum, shared`
    fn parse(text: &str) -> Result<Self, String> {
        let parse = || {
            let mut parts = text.split(", ");
            let (first, second) = parts.next()?.strip_prefix("lines ")?.split_once(" and ")?;
            let mut lines = [first.parse().ok()?, second.parse().ok()?];
            lines.sort_unstable();
            let variable = parts.next()?.strip_prefix("variable ")?.to_owned();
            let space = match parts.next()? {
                "shared" => "shared",
                "global" => "global",
                _ => return None,
            };
            Some(Self {
                lines,
                variable,
                space,
            })
        };
        parse().ok_or_else(|| format!("not of the form `lines A and B, variable V, SPACE`: {text}"))
    }
}

/// A race of the report. Its two ends may know the location by different names.
#[derive(Debug)]
pub struct Seen {
    /// The lower one first; `None` where one end is not known.
    pub lines: Option<[u32; 2]>,
    /// The names of the location.
    pub variables: Vec<String>,
    /// Whether it is one for sure.
    pub certainty: Certainty,
    space: &'static str,
}

impl Seen {
    /// What matters of a race.
    #[must_use]
    pub fn of(race: &Race) -> Self {
        let [prior, current] = race.accesses.each_ref().map(|access| &access.position);
        Self {
            lines: prior
                .line
                .zip(current.line)
                .map(|(a, b)| [a.min(b), a.max(b)]),
            variables: [prior, current]
                .iter()
                .filter_map(|position| position.variable.clone())
                .collect(),
            certainty: race.certainty,
            space: match race.space {
                Space::Shared => "shared",
                Space::Global => "global",
            },
        }
    }

    fn is(&self, pair: &Pair) -> bool {
        self.lines == Some(pair.lines)
            && self.variables.contains(&pair.variable)
            && self.space == pair.space
    }
}
