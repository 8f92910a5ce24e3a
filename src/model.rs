//! The vocabulary that the instrumenter, the device headers and the reports share.
//!
//! Each enum's discriminants are the numbers written in `device/hirace/site.h`
//! and `device/hirace/record.h`.

use serde::Serialize;

/// What the instrumented source is to be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The CPU executor: a C++17 compiler, no GPU.
    Cpu,
    /// nvcc and a GPU.
    Gpu,
}

/// What the source text at a site does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// A load and a store that are not one atomic operation (`+=`, `++`).
    Update,
    /// An atomic read-modify-write.
    Atomic,
    /// A barrier, a fence or another synchronising construct; not an access.
    Sync,
    /// A kernel launch.
    Launch,
}

/// One hooked place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Byte range of the expression in the original file.
    pub range: std::ops::Range<usize>,
    /// 1-based line of its first byte.
    pub line: u32,
    /// 1-based column of its first byte, in characters.
    pub column: u32,
    /// The expression as written, white space folded to single blanks.
    pub text: String,
    /// The variable at the root of the expression (`s_sum` in `s_sum[t].x`).
    pub variable: String,
    /// The kernel or device function around it.
    pub function: String,
    /// What it does.
    pub kind: SiteKind,
}

/// A place in device code that runs without checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotMonitored {
    /// The file as the user named it.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// Why, as a lowercase fragment.
    pub reason: String,
}

/// A construct that may order accesses in a way the checker cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotModelled {
    /// The file as the user named it.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// What it is, as a lowercase fragment.
    pub construct: String,
}
