//! The pairs of source lines that race, by which two reports are compared.

use std::collections::BTreeSet;
use std::fmt;

use hirace::report::{Access, Certainty, Race, Relation, Report, Space};

/// Two accesses in one kernel that race, the smaller one first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    kernel: String,
    is_certain: bool,
    is_shared: bool,
    between_launches: bool,
    /// None where the site was not recorded.
    ends: [Option<End>; 2],
}

/// The file, line and column of an access, and what it is.
type End = (String, u32, u32, String);

impl Pair {
    fn of(race: &Race) -> Self {
        let end = |access: &Access| -> Option<End> {
            let place = &access.position;
            let kind = format!("{:?}", access.access);
            Some((place.file.clone()?, place.line?, place.column?, kind))
        };
        let mut ends = race.accesses.each_ref().map(end);
        ends.sort();
        Self {
            kernel: race.kernel.clone(),
            is_certain: race.certainty == Certainty::Definite,
            is_shared: race.space == Space::Shared,
            between_launches: matches!(race.relation, Relation::Launch | Relation::Host),
            ends,
        }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = self.ends.each_ref().map(|end| match end {
            Some((file, line, column, kind)) => format!("{kind} at {file}:{line}:{column}"),
            None => "an access that was not recorded".to_owned(),
        });
        write!(f, "`{}`: {}", self.kernel, ends.join(" and "))
    }
}

/// Fails unless a report with some checks left out shows the pairs of one with all.
pub fn same(some: &Report, all: &Report) -> Result<(), String> {
    let of = |report: &Report| -> BTreeSet<Pair> { report.races.iter().map(Pair::of).collect() };
    let (some, all) = (of(some), of(all));
    let listed = |one: &BTreeSet<Pair>, other: &BTreeSet<Pair>| -> String {
        let only = one.difference(other);
        only.map(|pair| format!("\n  {pair}")).collect()
    };
    match (listed(&all, &some), listed(&some, &all)) {
        (missing, added) if missing.is_empty() && added.is_empty() => Ok(()),
        (missing, added) => Err(format!(
            "only if every access is checked:{missing}\nonly if not:{added}"
        )),
    }
}
