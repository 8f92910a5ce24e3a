//! Tables, before formatting.

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A shell command or other code.
    Code(String),
    /// A number of things.
    Count(u64),
    /// A multiple of a reference.
    Ratio(f64),
    /// A part of a whole, from 0 to 1.
    Share(f64),
    /// A value with different names for people and programs.
    Named {
        /// For people.
        title: String,
        /// For programs.
        key: String,
    },
    /// There is no value.
    Nothing,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A ratio, if there is one.
    #[must_use]
    pub fn ratio(value: Option<f64>) -> Self {
        value.map_or(Self::Nothing, Self::Ratio)
    }

    /// A share, if there is one.
    #[must_use]
    pub fn share(value: Option<f64>) -> Self {
        value.map_or(Self::Nothing, Self::Share)
    }

    /// The text for people: three digits of a ratio, an en dash for a missing value.
    #[must_use]
    pub fn for_people(&self) -> String {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Named { title: text, .. } => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Ratio(ratio) => format!("{}×", three_digits(*ratio)),
            // A share is rounded to 0 or 1 only if it is exactly that.
            Self::Share(share) if *share > 0.999 && *share < 1.0 => ">99.9 %".into(),
            Self::Share(share) if *share > 0.0 && *share < 0.001 => "<0.1 %".into(),
            Self::Share(share) => format!("{:.1} %", share * 100.0),
            Self::Nothing => "–".into(),
        }
    }

    /// The text for programs: nine digits, more than any clock has, and an empty field for a
    /// missing value.
    #[must_use]
    pub fn for_programs(&self) -> String {
        match self {
            Self::Ratio(value) | Self::Share(value) => {
                let rounded: Option<f64> = format!("{value:.8e}").parse().ok();
                rounded.unwrap_or(*value).to_string()
            }
            Self::Named { key, .. } => key.clone(),
            Self::Nothing => String::new(),
            other => other.for_people(),
        }
    }
}

fn three_digits(value: f64) -> String {
    let digits = match value.abs() {
        small if small < 9.995 => 2,
        middle if middle < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The key for programs: in the first line of a CSV file.
    pub key: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// Whether it contains numbers, which are right-aligned.
    pub number: bool,
}

/// A column of words.
#[must_use]
pub const fn words(key: &'static str, title: &'static str) -> Column {
    Column {
        key,
        title,
        number: false,
    }
}

/// A column of numbers.
#[must_use]
pub const fn numbers(key: &'static str, title: &'static str) -> Column {
    Column {
        key,
        title,
        number: true,
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Base name of its CSV file; unique in a document.
    pub name: &'static str,
    /// A line that describes the numbers.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// Each row has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &'static str, caption: impl Into<String>, columns: &[Column]) -> Self {
        Self {
            name,
            caption: caption.into(),
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Removes columns.
    pub fn drop(&mut self, keys: &[&str]) {
        let gone = |column: &Column| keys.contains(&column.key);
        for row in &mut self.rows {
            let mut columns = self.columns.iter();
            row.retain(|_| !columns.next().is_some_and(gone));
        }
        self.columns.retain(|column| !gone(column));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people_keep_their_meaning() {
        let shown = |cell: Cell| cell.for_people();
        assert_eq!(shown(Cell::Ratio(1.0)), "1.00×");
        assert_eq!(shown(Cell::Ratio(9.996)), "10.0×");
        assert_eq!(shown(Cell::Ratio(99.96)), "100×");
        assert_eq!(shown(Cell::Ratio(12345.6)), "12346×");
        assert_eq!(shown(Cell::Share(1.0)), "100.0 %");
        assert_eq!(shown(Cell::Share(0.9999)), ">99.9 %");
        assert_eq!(shown(Cell::Share(0.0001)), "<0.1 %");
        assert_eq!(shown(Cell::Nothing), "–");
        assert_eq!(Cell::Ratio(12345.6).for_programs(), "12345.6");
        assert_eq!(Cell::Ratio(15.999_999_999_999_998).for_programs(), "16");
        assert_eq!(Cell::Nothing.for_programs(), "");
    }
}
