//! Where something happened: the place in the source, and the launch.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// The file as the user named it.
    pub file: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
    /// The expression as written.
    pub text: Option<String>,
    /// The kernel or device function around it.
    pub function: Option<String>,
    /// The variable at the root of the expression.
    pub variable: Option<String>,
    /// Candidates, if several files have the same site number; then the rest is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// Its bytes in the file.
    #[serde(skip)]
    pub range: Range<usize>,
}

/// The shape of a kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// Blocks in the grid: `gridDim`.
    pub grid: [u32; 3],
    /// Threads in a block: `blockDim`.
    pub block: [u32; 3],
    /// Lanes in a warp.
    pub warp_size: u32,
}
