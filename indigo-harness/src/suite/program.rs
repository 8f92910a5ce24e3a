//! A suite, its programs and their labels.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use crate::error::{Error, Result};

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
    /// How it takes its graph and its launch shape.
    pub arguments: Arguments,
    /// Arguments of the compiler besides `-I`.
    pub compiler_args: Vec<String>,
}

/// What a race checker ought to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// No two accesses race on any input.
    Clean,
    /// There is a race, which some inputs reach.
    Racy,
    /// Nobody said.
    Unknown,
}

impl Label {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Clean, Self::Racy, Self::Unknown];

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
        Self::ALL.into_iter().find(|label| label.name() == name)
    }
}

impl Suite {
    /// A suite of `programs` that were read from `origin`.
    ///
    /// # Errors
    /// There is no program, or two have one name.
    pub fn new(name: String, mut programs: Vec<Program>, origin: &Path) -> Result<Self> {
        let no_suite = |message| Error::Suite {
            path: origin.into(),
            message,
        };
        if programs.is_empty() {
            return Err(no_suite("it has no programs".into()));
        }
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = programs
            .windows(2)
            .find(|pair| pair[0].name == pair[1].name)
        {
            let place = |program: &Program| match &program.path {
                Some(path) => format!("`{}`", path.display()),
                None => "a generated one".into(),
            };
            return Err(no_suite(format!(
                "two programs are called `{}`: {} and {}",
                pair[0].name,
                place(&pair[0]),
                place(&pair[1])
            )));
        }
        Ok(Self { name, programs })
    }

    /// Keeps the programs whose names contain one of `texts`; all where there are none.
    ///
    /// # Errors
    /// No program is left.
    pub fn filter(&mut self, texts: &[String]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        self.programs
            .retain(|program| texts.iter().any(|text| program.name.contains(text)));
        if self.programs.is_empty() {
            return Err(Error::Usage(format!(
                "no program of {} has a name with {}",
                self.name,
                texts
                    .iter()
                    .map(|text| format!("`{text}`"))
                    .collect::<Vec<_>>()
                    .join(" or ")
            )));
        }
        Ok(())
    }
}
