//! What the database has rows of.

use super::verdict::Verdict;

/// An input graph, as results know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphKey {
    /// Base name of its file.
    pub name: String,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of directed edges.
    pub edges: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
}

/// How a program is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Threads of a block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Lanes of a warp.
    pub warp_size: u32,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.threads, self.blocks)?;
        match self.warp_size {
            32 => Ok(()),
            lanes => write!(f, " in warps of {lanes}"),
        }
    }
}

/// The outcome of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct Build<'a> {
    /// Row of the program.
    pub program: i64,
    /// Name of the tool that it was built for.
    pub tool: &'a str,
    /// Lanes of a warp that it was built for.
    pub warp_size: u32,
    /// SHA-256 of all that went into it, in hexadecimal digits.
    pub digest: &'a str,
    /// The compiler's messages where it failed.
    pub failure: Option<&'a str>,
    /// Its share of the compiler's time in seconds.
    pub seconds: f64,
}

/// A run that came to its end, in whatever way.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<'a> {
    /// Row of the program.
    pub program: i64,
    /// Row of the graph.
    pub graph: i64,
    /// Row of the shape.
    pub shape: i64,
    /// Name of the tool.
    pub tool: &'a str,
    /// What the tool says.
    pub verdict: Verdict,
    /// One line on why, where the verdict alone does not say.
    pub detail: &'a str,
    /// Number of different races.
    pub races: u64,
    /// Wall time of the process in seconds.
    pub seconds: f64,
    /// Wall time of its kernel launches in seconds, where the tool says.
    pub kernel_seconds: Option<f64>,
    /// Largest resident memory of the process in bytes, where it is known.
    pub peak_bytes: Option<u64>,
    /// The report in JSON, where there is one.
    pub report: Option<&'a str>,
}
