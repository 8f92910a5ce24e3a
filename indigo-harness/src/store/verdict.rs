//! The verdict on a run.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// A tool's verdict on a run, or the reason why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// A checker found a race.
    Race,
    /// A checker found none.
    Clean,
    /// The result equals that of the program's own sequential code.
    Match,
    /// The result differs.
    Differ,
    /// The run finished without a judgement.
    Ran,
    /// A fault, such as an access out of bounds, and no race.
    Fault,
    /// The program refused the shape.
    Unfit,
    /// It exceeded the time limit.
    Timeout,
    /// It died of a signal.
    Crash,
    /// It could not be compiled.
    NotBuilt,
    /// The tool failed.
    Error,
}

impl Verdict {
    /// All verdicts, in the order of the tables.
    pub const ALL: [Self; 11] = [
        Self::Race,
        Self::Clean,
        Self::Match,
        Self::Differ,
        Self::Ran,
        Self::Fault,
        Self::Unfit,
        Self::Timeout,
        Self::Crash,
        Self::NotBuilt,
        Self::Error,
    ];

    /// The name in databases.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Race => "race",
            Self::Clean => "clean",
            Self::Match => "match",
            Self::Differ => "differ",
            Self::Ran => "ran",
            Self::Fault => "fault",
            Self::Unfit => "unfit",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::NotBuilt => "not-built",
            Self::Error => "error",
        }
    }

    /// The verdict with that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl ToSql for Verdict {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Verdict {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::parse(name)
            .ok_or_else(|| FromSqlError::Other(format!("`{name}` is not a verdict").into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(verdict.name()), Some(verdict));
        }
        assert_eq!(Verdict::parse("racy"), None);
    }

    /// The schema's check must list the same verdicts.
    #[test]
    fn the_layout_allows_exactly_them() {
        let list: Vec<String> = Verdict::ALL
            .iter()
            .map(|verdict| format!("'{verdict}'"))
            .collect();
        let layout = include_str!("schema.sql").split_whitespace();
        let layout = layout.collect::<Vec<_>>().join(" ");
        assert!(layout.contains(&format!("CHECK (verdict IN ({}))", list.join(", "))));
    }
}
