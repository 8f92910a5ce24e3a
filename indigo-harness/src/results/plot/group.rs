//! Rows of a plot.

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group<T> {
    pub title: String,
    /// Titles of the tools, and what is shown of them; one or more.
    pub rows: Vec<(String, T)>,
}
