//! Rows of a plot.

/// Rows with a common value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group<T> {
    pub title: String,
    /// Titles of the tools with their numbers; one or more.
    pub rows: Vec<(String, T)>,
}
