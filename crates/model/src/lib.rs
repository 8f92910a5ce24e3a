//! The vocabulary that the instrumenter, the device headers and the reports share.
//!
//! Each enum's discriminants are the numbers written in `device/hirace/hooks/site.h`
//! and `device/hirace/records/record.h`.

mod ended;
pub mod error;
pub mod table;
pub mod wire;

pub use wire::numbers::SiteKind;

pub use ended::Ended;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the instrumented source is to be compiled for.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotMonitored {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// Why, as a lowercase fragment.
    pub reason: String,
    /// How many accesses that are; where they could not be read, an estimate from the text.
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
    /// What it is, as a lowercase fragment.
    pub construct: String,
}

/// What the user chose not to check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwitchedOff {
    /// The file as the user named it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// What it is, as a lowercase fragment.
    pub what: String,
    /// By what: `configuration` or `comment`.
    pub by: String,
    /// How many accesses that are; 0 for launches.
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
    /// The first of the lines that it speaks of.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// The codes that it speaks of; all where it names none.
    pub codes: Vec<String>,
    /// What it says, without what is for people.
    pub words: String,
}

/// A mistake that keeps nothing from being checked.
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

/// How much of the device code is monitored, counted in its source. Each access counts
/// once where it stands, also in templates, macros and loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Functions with a body that run on the device, kernels included.
    pub functions: usize,
    /// Of these, the ones left as they are because they could not be read.
    pub untouched: usize,
    /// Accesses with a hook.
    pub monitored: usize,
    /// Accesses that need none: to objects of one thread, or that nothing can write.
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
    /// down so that 100 means all; `None` where there is none.
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
