//! The types that the instrumenter, the device headers and the reports share: sites and their
//! tables, errors, and in [`wire`] the layout of all bytes that instrumented programs and hirace
//! exchange.
//!
//! # Promises
//! - Layouts and numbers that C++ also knows are declared once, and generated for C++.
//! - An error about the text of an input has its position ([`error::Mistake`]).
//!
//! # Dependencies
//! This crate must never depend on another crate of hirace, and does no IO.

mod ended;
pub mod error;
pub mod paths;
pub mod source_text;
pub mod table;
pub mod wire;

pub use wire::numbers::SiteKind;

pub use ended::Ended;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The target that instrumented code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The CPU executor: a C++17 compiler, no GPU.
    Cpu,
    /// nvcc and a GPU.
    Gpu,
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
    /// The expression as written, with each run of white space as a single blank.
    pub text: String,
    /// The variable at the root of the expression (`s_sum` in `s_sum[t].x`).
    pub variable: String,
    /// The kernel or device function around it.
    pub function: String,
    /// What happens at the place.
    pub kind: SiteKind,
    /// How the value of an update or an atomic operation is used. [`ResultUse::Used`] for the sites
    /// of a table that a program carries: only the program itself asks.
    pub result: ResultUse,
}

/// How the value of an update or an atomic operation is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultUse {
    /// In any way.
    #[default]
    Used,
    /// It only selects an element of an array.
    Index,
    /// Not at all.
    Unused,
}

impl ResultUse {
    /// The enumerator of `ResultUse` in `device/hirace/hooks/site.h`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Index => "index",
            Self::Unused => "unused",
        }
    }
}

/// A place in device code that runs without checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotMonitored {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The reason, as a lowercase fragment.
    pub reason: String,
    /// The number of accesses; an estimate if the code could not be parsed.
    #[serde(default)]
    pub accesses: usize,
}

/// A construct that may order accesses in a way the checker cannot follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotModelled {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The construct, as a lowercase fragment.
    pub construct: String,
}

/// Code that the user chose not to check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwitchedOff {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The code, as a lowercase fragment.
    pub what: String,
    /// What switched it off: `configuration` or `comment`.
    pub by: String,
    /// The number of accesses; 0 for launches.
    pub accesses: usize,
}

/// A comment that hides the findings on some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line of the comment.
    pub line: u32,
    /// 1-based column of the comment, in characters.
    pub column: u32,
    /// The first of the lines that it applies to.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// The codes that it hides; all if empty.
    pub codes: Vec<String>,
    /// Its text, without the explanation for people.
    pub words: String,
}

/// A mistake that does not prevent the check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// What is wrong, as a lowercase fragment.
    pub message: String,
}

/// How much of the device code is monitored, counted in its source. Each access in the source
/// counts once, even in templates, macros and loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Functions with a body that run on the device, kernels included.
    pub functions: usize,
    /// Functions among these that are left unchanged because they could not be parsed.
    pub untouched: usize,
    /// Accesses with a hook.
    pub monitored: usize,
    /// Accesses that need no hook: to objects of one thread, or that nothing can write.
    pub private: usize,
    /// Accesses that the configuration or a comment leaves out.
    pub switched_off: usize,
    /// Accesses without a hook that would need one.
    pub not_monitored: usize,
}

impl Coverage {
    /// Accesses that may race, with or without a hook.
    #[must_use]
    pub fn relevant(&self) -> usize {
        self.monitored + self.switched_off + self.not_monitored
    }

    /// The share of [`Coverage::relevant`] accesses that are monitored, in percent, rounded
    /// down so that 100 means all; `None` if there are no such accesses.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        let relevant = self.relevant();
        (relevant > 0).then(|| (self.monitored * 1000 / relevant) as f64 / 10.0)
    }
}

impl std::ops::Add for Coverage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            functions: self.functions + other.functions,
            untouched: self.untouched + other.untouched,
            monitored: self.monitored + other.monitored,
            private: self.private + other.private,
            switched_off: self.switched_off + other.switched_off,
            not_monitored: self.not_monitored + other.not_monitored,
        }
    }
}
