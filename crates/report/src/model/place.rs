//! Where something happened: the place in the source, and the launch.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::ops::Range;

use hirace_model::table::PTX_LINE;
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
    /// The column after the expression, from 1, in characters; `null` if it is not known, as for an
    /// expression over several lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    /// The expression as written.
    pub text: Option<String>,
    /// The kernel or device function around it.
    pub function: Option<String>,
    /// The variable at the root of the expression.
    pub variable: Option<String>,
    /// The function with its template arguments, if it is a template and they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The calls by which the kernel reached the function, innermost first, as they were seen or as far as the source
    /// shows them; empty in the kernel itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSite>,
    /// Candidates, if several files have the same site number; then the rest is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// Its bytes in the file.
    #[serde(skip)]
    pub range: Range<usize>,
}

impl Position {
    /// Whether both are the same expression, however the kernel reached it. Of instructions that a compiler made of
    /// one line, as when it unrolls a loop, those with one variable are the same.
    #[must_use]
    pub fn is_at(&self, other: &Self) -> bool {
        let place = |it: &Self| (it.file.clone(), it.line, it.column, it.one_of.clone());
        let of_one_line = self.is_instruction()
            && other.is_instruction()
            && self.variable == other.variable
            && self.function == other.function;
        place(self) == place(other) && (self.text == other.text || of_one_line)
    }

    /// Whether the text is an instruction of PTX, and the line that of the source which it was compiled from.
    pub(crate) fn is_instruction(&self) -> bool {
        let text = self.text.as_deref();
        text.is_some_and(|it| it.contains(PTX_LINE))
    }
}

/// A call in device code, or the use of a macro there.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct CallSite {
    /// The function that calls.
    pub function: String,
    /// The file of the call.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
    /// The other places where the kernel, or functions that it calls, call the same function: one of them may have been
    /// the call. The calls end here unless all are in one function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<OtherCall>,
    /// What is called is a macro: this is where it is used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_use: bool,
}

/// A call that may have been made instead of the one that is named.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct OtherCall {
    /// The function that calls.
    pub function: String,
    /// The file of the call.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
}

/// A kernel launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// Blocks in the grid: `gridDim`.
    pub grid: [u32; 3],
    /// Threads in a block: `blockDim`.
    pub block: [u32; 3],
    /// Lanes in a warp.
    pub warp_size: u32,
    /// Which one it was; `null` if it is unknown.
    #[serde(default)]
    pub call: Option<LaunchCall>,
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchShape {
    /// Blocks in the grid: `gridDim`.
    pub grid: [u32; 3],
    /// Threads in a block: `blockDim`.
    pub block: [u32; 3],
}

/// Which launch of the program one was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchCall {
    /// Its number among the launches of its process, from 1.
    pub number: u32,
    /// The file that launches it, if known.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<u32>,
}

/// A process among several, or one that a test started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    /// Its command line, with blanks between the arguments; shortened if it is long. Empty for a program that hirace built
    /// for one run.
    pub command: String,
    /// The test, as pytest or the variable `HIRACE_TEST` names it; `null` if it is unknown.
    pub test: Option<String>,
    /// The other processes that showed the same: the test of each, or its command line.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub others: BTreeSet<String>,
}

impl Process {
    /// What tells it from other processes.
    fn name(&self) -> &str {
        self.test.as_deref().unwrap_or(&self.command)
    }

    /// Adds a process that showed the same.
    pub(crate) fn add(&mut self, other: Self) {
        let names = std::iter::once(other.name().to_owned()).chain(other.others);
        self.others.extend(names);
        let own = self.name().to_owned();
        self.others.remove(&own);
    }
}

/// The memory that was accessed: an element of a variable or of an allocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    /// The variable, which a parameter may stand for at the access. Of an allocation: the only parameter of the kernel
    /// that leads to it. `null` if there is none, or if it is unknown.
    pub variable: Option<String>,
    /// The element as in C++, such as `tile[3][17]`; `null` for allocations, and for a part of dynamic shared memory
    /// that has a larger type.
    pub text: Option<String>,
    /// Its index in each dimension; empty for a variable that is no array, and where `text` is `null`.
    pub index: Vec<u64>,
    /// Bytes of the variable or the allocation.
    pub bytes: u64,
    /// Bytes from its start to the access.
    pub offset: u64,
    /// Bytes of an element; where `text` is `null`, of the access, if the memory consists of such elements.
    pub element_bytes: Option<u64>,
    /// The file that allocated the memory, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Where else a race was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sighting {
    /// The kernel with its template arguments, if it is a template and they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The only parameter of the kernel that leads to the memory, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The allocation, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// The first launch that showed it; `null` if it is unknown.
    #[serde(default)]
    pub launch: Option<LaunchCall>,
    /// The calls by which the kernel reached the second of the two accesses there, innermost first; empty if they are not
    /// known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSite>,
}

/// An allocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// Its size in bytes.
    pub bytes: u64,
    /// The file that allocated it.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
}

impl Sighting {
    /// What tells it from others, beside the calls.
    pub(crate) fn key(&self) -> impl Ord + Hash + use<> {
        let memory = self.memory.as_ref();
        let memory = memory.map(|it| (it.file.clone(), it.line));
        (self.instance.clone(), self.parameter.clone(), memory)
    }
}
