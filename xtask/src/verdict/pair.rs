//! Races as the first lines of programs announce them, and as reports have them.

use std::collections::BTreeSet;

use hirace::report::{Certainty, Race, Space};

/// A race: two lines, the smaller first, the variable, and its memory space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    lines: [u32; 2],
    variable: String,
    space: &'static str,
}

impl Pair {
    /// `lines 23 and 27, variable s_sum, shared`
    pub(super) fn parse(text: &str) -> Result<Self, String> {
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

/// A race of the report. Its two ends may name the location differently.
#[derive(Debug)]
pub struct Seen {
    /// The smaller one first; `None` if one end is unknown.
    pub lines: Option<[u32; 2]>,
    /// The line of an end.
    known_line: Option<u32>,
    /// The names of the location.
    pub variables: Vec<String>,
    /// Whether it is certain.
    pub certainty: Certainty,
    space: &'static str,
}

impl Seen {
    /// The relevant parts of a race.
    #[must_use]
    pub fn of(race: &Race) -> Self {
        let [prior, current] = race.accesses.each_ref().map(|access| &access.position);
        Self {
            lines: prior
                .line
                .zip(current.line)
                .map(|(a, b)| [a.min(b), a.max(b)]),
            known_line: prior.line.or(current.line),
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

    pub(super) fn is(&self, pair: &Pair) -> bool {
        self.lines == Some(pair.lines)
            && self.variables.contains(&pair.variable)
            && self.space == pair.space
    }

    /// Whether it is of two lines that race with others: schedules of a GPU differ from the executor's.
    pub(super) fn is_of<'p>(&self, pairs: impl Iterator<Item = &'p Pair>) -> bool {
        let same =
            pairs.filter(|it| self.variables.contains(&it.variable) && self.space == it.space);
        let lines: BTreeSet<u32> = same.flat_map(|it| it.lines).collect();
        self.lines
            .is_some_and(|it| it.iter().all(|it| lines.contains(it)))
    }

    /// Whether it may be that pair with one end unknown: a site word of a GPU keeps only one earlier access.
    pub(super) fn may_be(&self, pair: &Pair) -> bool {
        let fits = |line| pair.lines.contains(&line);
        self.lines.is_none()
            && self.known_line.is_some_and(fits)
            && self.variables.contains(&pair.variable)
            && self.space == pair.space
    }
}

#[cfg(test)]
mod tests {
    use super::{Certainty, Pair, Seen};

    #[test]
    fn a_race_with_one_known_end_may_be_an_expected_one() {
        let pair = Pair::parse("lines 5 and 9, variable a, global").expect("a pair");
        let seen = |lines, known_line, variable: &str, space| Seen {
            lines,
            known_line,
            variables: vec![variable.to_owned()],
            certainty: Certainty::Definite,
            space,
        };
        assert!(seen(None, Some(9), "a", "global").may_be(&pair));
        assert!(!seen(None, Some(6), "a", "global").may_be(&pair));
        assert!(!seen(None, None, "a", "global").may_be(&pair));
        assert!(!seen(None, Some(9), "b", "global").may_be(&pair));
        assert!(!seen(None, Some(9), "a", "shared").may_be(&pair));
        assert!(!seen(Some([5, 8]), Some(5), "a", "global").may_be(&pair));
    }
}
