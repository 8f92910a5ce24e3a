//! Rows of the database.

use super::verdict::Verdict;

/// An input graph in results.
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

/// The launch of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Threads per block.
    pub threads: u32,
    /// Blocks per grid.
    pub blocks: u32,
    /// Lanes per warp.
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
    /// Name of the tool to build for.
    pub tool: &'a str,
    /// Lanes per warp in the build.
    pub warp_size: u32,
    /// SHA-256 of all inputs, in hexadecimal digits.
    pub digest: &'a str,
    /// The compiler's messages if the build failed.
    pub failure: Option<&'a str>,
    /// Its share of the compiler's time in seconds.
    pub seconds: f64,
}

/// A run that has ended, in whatever way.
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
    /// The tool's verdict.
    pub verdict: Verdict,
    /// One line with the reason, if the verdict alone is not enough.
    pub detail: &'a str,
    /// Number of different races.
    pub races: u64,
    /// Wall time of the process in seconds.
    pub seconds: f64,
    /// Wall time of its kernel launches in seconds, if the tool reports it.
    pub kernel_seconds: Option<f64>,
    /// Largest resident memory of the process in bytes, if known.
    pub peak_bytes: Option<u64>,
    /// The report in JSON, if there is one.
    pub report: Option<&'a str>,
}
