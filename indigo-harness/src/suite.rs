//! Programs with labels, wherever they come from.

use std::path::PathBuf;

/// Programs that belong together.
#[derive(Clone, Debug)]
pub struct Suite {
    /// What it is called in results.
    pub name: String,
    /// In the order of their names; names are unique.
    pub programs: Vec<Program>,
}

/// A program of one source file and what that includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, which for Indigo's says all of it: `pull_node_neighbors_warp_persistent_raceBug`.
    pub name: String,
    /// The code pattern, as the suite names it: `pull`, `conditional_edge`.
    pub pattern: String,
    /// What was chosen besides bugs: `warp`, `persistent`, `reverse`, a data type.
    pub options: Vec<String>,
    /// The planted bugs.
    pub bugs: Vec<String>,
    /// What a race checker ought to say.
    pub label: Label,
    /// The whole text.
    pub text: String,
    /// Where the text is from, if it lies on a disk as it is.
    pub path: Option<PathBuf>,
    /// Directories of the headers that it includes, for `-I`.
    pub includes: Vec<PathBuf>,
}

/// What a race checker ought to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// No two accesses race on any input.
    Clean,
    /// There is a race, which some inputs reach.
    Racy,
    /// Nobody said.
    Unknown,
}

impl Label {
    /// As results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Racy => "racy",
            Self::Unknown => "unknown",
        }
    }

    /// The label of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [Self::Clean, Self::Racy, Self::Unknown];
        all.into_iter().find(|label| label.name() == name)
    }
}
