//! What comes of a run.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// What a tool says about a run, or why it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// A checker found a race.
    Race,
    /// A checker found none.
    Clean,
    /// The result is that of the program's own sequential code.
    Match,
    /// The result is another.
    Differ,
    /// It came to its end, and nobody judged it.
    Ran,
    /// Out of bounds and the like, and no race.
    Fault,
    /// The program refused the shape.
    Unfit,
    /// It was stopped for taking too long.
    Timeout,
    /// It died of a signal.
    Crash,
    /// It could not be compiled.
    NotBuilt,
    /// The tool failed.
    Error,
}

impl Verdict {
    /// All of them, in the order in which tables show them.
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

    /// As databases have it.
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

    /// The verdict of that name.
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
            .ok_or_else(|| FromSqlError::Other(format!("`{name}` is no verdict").into()))
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

    /// The layout's check is the second place that lists them.
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
