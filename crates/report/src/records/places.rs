//! Places in the source that instructions come from.

/// A line in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name of the function with its template arguments, without its parameters.
    pub function: String,
    /// The file as the user would write it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A line of the source that an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The file as the user would write it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The instruction itself belongs to the executor and was inlined there.
    pub in_executor: bool,
}
